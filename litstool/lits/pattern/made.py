"""Boards that are made by a recipe, drawn or searched for, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litstool.grid import Outline
from litstool.lits.board import Pattern
from litstool.lits.pattern.sample import Sampler, ready
from litstool.search.compiling import make_ready
from litstool.search.control import Control, Progress

if TYPE_CHECKING:
    # That module needs the compiler.
    from litstool.lits.pattern.fair import FairBoard


@dataclass(frozen=True)
class MadeBoard:
    """A board, the seed and the number (from 1) that it was made with, and how fair it was found
    to be where that was searched for."""

    pattern: Pattern
    seed: int
    number: int
    fair: FairBoard | None = None

    @property
    def name(self) -> str:
        """What the board is called."""
        return f"board {self.number} of seed {self.seed}"


@dataclass(frozen=True)
class FairSettings:
    """How boards that play fairly are searched for: see :class:`litstool.lits.pattern.fair`.

    ``effort`` is in games for a board, None for the usual one.
    """

    measure: str
    within: float
    band: float
    effort: int | None = None
    threads: int = 1


def prepare(
    outline: Outline, plays: bool, control: Control, on_compile: Callable[[], None]
) -> None:
    """Have what is needed to make boards, or with ``plays`` to play on them, compiled or loaded.

    That does not count as the control's time.
    """
    with control.paused():
        make_ready(("sample", outline, plays), lambda: ready(outline, plays), on_compile)


def make(
    sampler: Sampler, seed: int, number: int, fair: FairSettings | None, control: Control
) -> Iterator[MadeBoard]:
    """So many boards of a seed, or fewer where the time is up; one at least.

    :raises ImpossibleError: there is no such board.
    :raises UndecidedError: it was not found out whether there is.
    """
    for index in range(number):
        # One board at least: it may be quicker than the clock.
        if index and control.is_over:
            break
        if fair is None:
            yield MadeBoard(sampler.board(seed, index), seed, index + 1)
        else:
            yield _fair(sampler, seed, index, fair, control.share(number - index))
        if control.on_progress is not None:
            control.on_progress(Progress(index + 1, number, 0, 0.0))


def _fair(
    sampler: Sampler, seed: int, index: int, settings: FairSettings, control: Control
) -> MadeBoard:
    from litstool.lits.pattern.fair import EFFORT, FairSearch

    found = FairSearch(
        sampler, settings.measure, seed, index, settings.effort or EFFORT, settings.within,
        settings.band, settings.threads, control,
    ).run()  # fmt: skip
    return MadeBoard(found.pattern, seed, index + 1, found)
