"""What the tests share: the command line in this process, and made-up boards, games and plays."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from litstool.cli.main import main
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply
from litstool.lits.placements import Placement
from litstool.lits.position import Position

# The machines that run this may be slow and busy: no deadline for a single example.
settings.register_profile("litstool", deadline=None, max_examples=60)
settings.load_profile("litstool")

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / "data"
EXAMPLES = ROOT / "examples"
STANDARD_BOARDS = ("boxes", "diagonals", "monogram", "stripes")

# Boards of several sizes and outlines, two of them in parts that no edge joins.
OUTLINES = {
    "4x4": ["...."] * 4,
    "5x7": ["......."] * 5,
    "10x10": [".........."] * 10,
    "ring": ["......", "......", "..##..", "..##..", "......", "......"],
    "cross": ["##...##", "##...##", ".......", ".......", ".......", "##...##", "##...##"],
    "sieve": ["......", ".#.#..", "......", "..#.#.", "......", ".#..#."],
    "islands": ["....#..", "....#..", "....#..", "....#..", "#######", ".....#.", "......."],
    "corridor": ["....", "###.", "....", ".###", "....", "###."],
}
SUPPLIES: dict[str, Supply] = {
    "full": FULL_SUPPLY,
    "one each": (1, 1, 1, 1),
    "two shapes": (0, 3, 0, 3),
    "plenty": (20, 20, 20, 20),
}


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One process for each core for folders; none but this one for files and tests by name."""
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    if config.option.keyword or not all(path.is_dir() for path in named):
        return 0
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Outcome:
    """What a command did: exit status, standard output and standard error."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it is."""
        return json.loads(self.out)


Run = Callable[..., Outcome]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``litstool`` with arguments and, where given, bytes on standard input."""
    # --no-color sets NO_COLOR for the rest of the process: put back what was there.
    monkeypatch.setenv("NO_COLOR", "")

    def run(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


def random_symbols(outline: list[str], chance: random.Random) -> Pattern:
    """A pattern with holes as in the outline and symbols at random elsewhere."""
    return Pattern.from_rows(
        "".join("#" if cell == "#" else chance.choice("XO.") for cell in row) for row in outline
    )


def random_play(position: Position, chance: random.Random, most: int = 99) -> Iterator[Position]:
    """The positions of a uniformly random game, the given one first, to the end."""
    yield position
    for _ in range(most):
        moves = tuple(position.moves())
        if not moves:
            return
        position = position.play(chance.choice(moves))
        yield position


def plain(piece: Placement) -> tuple[str, frozenset[tuple[int, int]]]:
    """A piece as ``plain_rules`` has it."""
    return piece.shape, frozenset((cell.row, cell.column) for cell in piece.cells)


def until(happens: Callable[[], Any], seconds: float = 60.0) -> Any:
    """What a condition gives as soon as it holds."""
    deadline = time.monotonic() + seconds
    while not (found := happens()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)
    return found


def let_work(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until a process has computed for so long, which takes longer on a busy machine."""
    psutil = pytest.importorskip("psutil")
    until(lambda: sum(psutil.Process(process.pid).cpu_times()[:2]) >= seconds)


def contrast(one: Iterable[int], other: Iterable[int]) -> float:
    """The contrast of two colours, from 1 to 21, as the guidelines for web content have it."""

    def luminance(color: Iterable[int]) -> float:
        parts = [part / 255 for part in color]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(
            part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True)
        )

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
