"""What a reach question is answered with, the same for every game."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from litstool.grid import Cell
from litstool.sat import Effort, Limits

DEFAULT_SOLVER = "cadical153"
"""A solver of python-sat that can be limited, proves, and is quick on these questions."""


@dataclass
class ReachResult:
    """The answer to a reach question.

    ``possible`` is None where a limit came first.  ``moves`` is legal play from the start to
    ``position``.  ``arguments`` are reasons in words: why it is impossible, or what narrowed the
    search.  ``value`` is the best found and ``bound`` the proven limit on it, equal where
    ``optimal``; there may be a bound where nothing was found yet.  ``count`` and ``positions`` are
    the different final sets of pieces found, all there are where ``complete``.  ``forced`` and
    ``never`` are the pieces, and ``forced_cells``
    and ``never_cells`` the cells, that every and that no answer has, those of the start left out;
    None where they were not asked for or a limit came first.  ``written`` are the files made, a
    formula or a proof.  ``seconds`` is wall time.
    """

    possible: bool | None
    position: Any = None
    moves: tuple[Any, ...] = ()
    arguments: tuple[str, ...] = ()
    objective: str | None = None
    value: int | None = None
    bound: int | None = None
    optimal: bool | None = None
    count: int | None = None
    complete: bool | None = None
    positions: tuple[Any, ...] = ()
    forced: tuple[Any, ...] | None = None
    never: tuple[Any, ...] | None = None
    forced_cells: tuple[Cell, ...] | None = None
    never_cells: tuple[Cell, ...] | None = None
    asked_forced: bool = False
    notes: tuple[str, ...] = ()
    written: tuple[Path, ...] = ()
    effort: Effort = field(default_factory=Effort)
    solver: str = DEFAULT_SOLVER
    seconds: float = 0.0

    @property
    def decided(self) -> bool:
        """Whether everything that was asked is answered; a limit on a list is no lack."""
        if self.possible is None:
            return False
        if self.optimal is not None:
            return self.optimal
        if self.asked_forced and self.possible:
            return self.forced is not None
        return self.count is None or self.effort.stopped is None


class Search(Protocol):
    """A search that can answer each kind of question and keeps its result as it goes."""

    limits: Limits
    effort: Effort

    def optimise(self, objective: str, sign: int) -> None:
        """Find the largest (sign 1) or smallest (sign -1) value of an objective."""

    def list_all(self, limit: int | None) -> None:
        """Find every final set of pieces, up to a limit."""

    def find_forced(self) -> None:
        """Find what all answers share, and what none has."""

    def decide(self) -> None:
        """Find one answer, or that there is none."""

    def write(self, dimacs: Path | None, proof: Path | None) -> None:
        """Write the formula, and the proof of an impossible answer."""


def run(
    search: Search,
    *,
    maximize: str | None,
    minimize: str | None,
    list_all: bool,
    limit: int | None,
    forced: bool,
    dimacs: Path | None,
    proof: Path | None,
) -> None:
    """Have a search answer the one thing that was asked; Ctrl-C leaves what it knows."""
    try:
        if aim := maximize or minimize:
            search.optimise(aim, 1 if maximize else -1)
        elif list_all:
            search.list_all(limit)
        elif forced:
            search.find_forced()
        else:
            search.decide()
    except KeyboardInterrupt:
        search.limits.control.stop()
        search.effort.stopped = "interrupted"
    if dimacs or proof:
        search.write(dimacs, proof)
