"""The swap book: which side wins after each first move, so whether to use the pie rule.

After the first piece the second player may take over X and that piece.  So a first move after
which X wins should be swapped, and one after which O wins should be left.  Every entry is the
result of a finished search; a first move that has not been searched is absent.

First moves that a symmetry of the pattern maps onto each other have the same winner, so one of
each class is searched.  (Symmetries that *exchange* X and O do not help: they map a first move
of X onto one of O.)
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from litstool.errors import FormatError
from litstool.files import Node, compress_rows, data_folder, read_file, read_tree
from litstool.lits.board import FULL_SUPPLY, Pattern
from litstool.lits.notation import pattern_named
from litstool.lits.placements import SHAPES, Placement, placements_of
from litstool.lits.position import Position
from litstool.results import OUTCOME, Control, Progress
from litstool.writing import write_file

_UNKNOWN = "?"
_LINE = 72


@dataclass(frozen=True)
class Book:
    """The winners after the first moves of a pattern.

    ``winners`` has a letter for each placement by number: ``X``, ``O`` or ``?`` for not known.
    """

    pattern: Pattern
    winners: str

    @classmethod
    def blank(cls, pattern: Pattern) -> Book:
        """A book in which nothing is known."""
        return cls(pattern, _UNKNOWN * len(placements_of(pattern.outline)))

    def winner(self, first: Placement) -> str | None:
        """Who wins after a first move; None where it is not known.

        :raises KeyError: the move is no placement of the board.
        """
        letter = self.winners[placements_of(self.pattern.outline).number[first]]
        return None if letter == _UNKNOWN else letter

    def should_swap(self, first: Placement) -> bool | None:
        """Whether the second player should take over X after this first move."""
        winner = self.winner(first)
        return None if winner is None else winner == "X"

    def count(self, letter: str) -> int:
        """How many first moves X wins (``X``), O wins (``O``) or are not known (``?``)."""
        return self.winners.count(letter)

    def with_winner(self, numbers: tuple[int, ...], winner: str) -> Book:
        """The book with one more class of first moves known."""
        letters = list(self.winners)
        for number in numbers:
            letters[number] = winner
        return Book(self.pattern, "".join(letters))


def classes(pattern: Pattern) -> list[tuple[int, ...]]:
    """The first moves by number, those that the pattern's own symmetries join in one class."""
    tables = placements_of(pattern.outline)
    rows, columns = pattern.outline.rows, pattern.outline.columns
    symmetries = pattern.self_symmetries()
    found = []
    seen: set[int] = set()
    for number, placement in enumerate(tables.all):
        if number in seen:
            continue
        members = {number}
        for symmetry in symmetries:
            cells = [symmetry.cell(cell, rows, columns) for cell in placement.cells]
            members.add(tables.number[Placement.of(placement.shape, cells)])
        seen |= members
        found.append(tuple(sorted(members)))
    return found


def known_winner(position: Position) -> str | None:
    """Who wins a position with one piece down, by the book; None where no book says."""
    if len(position.pieces) != 1 or position.supply != FULL_SUPPLY:
        return None
    book = book_of(position.pattern)
    return None if book is None else book.winner(position.pieces[0])


def advice(position: Position) -> str | None:
    """What the book says of a position in which a swap is possible, in words; None if nothing."""
    winner = known_winner(position) if position.can_swap else None
    if winner is None:
        return None
    return "swap: X wins from here" if winner == "X" else "do not swap: O wins from here"


def path_of(name: str) -> Path:
    """Where the book of a standard board is kept."""
    return data_folder("patterns") / f"{name.lower()}.book.yaml"


@lru_cache(maxsize=8)
def book_of(pattern: Pattern) -> Book | None:
    """The book of a pattern that has one among the standard boards."""
    for path in sorted(data_folder("patterns").glob("*.book.yaml")):
        if pattern_named(path.name.split(".")[0]) == pattern:
            return read(path, pattern)
    return None


def read(path: Path, pattern: Pattern) -> Book:
    """A book from its file.

    :raises SourceError: the file cannot be read.
    :raises FormatError: it is no book of this pattern.
    """
    root = read_tree(read_file(path), "yaml")
    keys = root.mapping("a swap book", ("pattern", "winners"))
    if set(keys) != {"pattern", "winners"}:
        root.fail("a swap book has the keys pattern and winners")
    if keys["pattern"].text("pattern") != compress_rows(pattern.rows()):
        keys["pattern"].fail("the book is of another pattern")
    tables = placements_of(pattern.outline)
    parts = keys["winners"].mapping("winners", SHAPES)
    letters = "".join(_letters(parts[shape], shape) for shape in SHAPES if shape in parts)
    if len(letters) != len(tables):
        raise FormatError(
            f"the book has {len(letters)} entries, the board {len(tables)} first moves", str(path)
        )
    return Book(pattern, letters)


def _letters(node: Node, shape: str) -> str:
    letters = "".join(node.text(f"the winners after {shape}").split())
    if set(letters) - set("XO?"):
        node.fail("a winner is X, O or ?")
    return letters


def write(book: Book, path: Path, name: str) -> None:
    """Write a book, whole or not at all."""
    tables = placements_of(book.pattern.outline)
    lines = [
        f"# Who wins {name} after each first move, symbols as they stand: X (then swap), O (then",
        "# do not), ? not known yet.  Every X and O is a finished search.  The letters are in the",
        "# order of the first moves by shape, then by cells (litstool moves NAME --shape L).",
        f"# Made and carried on by: litstool book make {name}",
        f"pattern: {compress_rows(book.pattern.rows())}",
        "winners:",
    ]
    for shape in SHAPES:
        letters = "".join(
            book.winners[number]
            for number, placement in enumerate(tables.all)
            if placement.shape == shape
        )
        lines.append(f"  {shape}: |")
        lines += [f"    {letters[at : at + _LINE]}" for at in range(0, len(letters), _LINE)]
    write_file(path, "\n".join([*lines, ""]))


def winner_after(position: Position, seconds: float | None, hash_mib: int) -> str | None:
    """Who wins a position, by search; None where the time came first.  Runs in any process."""
    from litstool.lits.solver import solve

    result = solve(position, objective=OUTCOME, control=Control(seconds), hash_mib=hash_mib)
    return result.winner if result.solved else None


def make(
    book: Book,
    executor: Executor,
    at_once: int,
    control: Control,
    seconds_each: float | None = None,
    hash_mib: int = 512,
) -> Iterator[Book]:
    """Search the first moves that are not known yet; yields the book after each that is solved.

    ``executor`` is any of ``concurrent.futures`` or a Dask client's; ``at_once`` searches are
    handed to it at a time.  A search is given up after ``seconds_each`` and stays unknown.  The
    control's time limit bounds the whole.
    """
    started = time.monotonic()
    start = Position.empty(book.pattern)
    todo = [members for members in classes(book.pattern) if book.winners[members[0]] == _UNKNOWN]
    # Interleaved, so that an unfinished book knows something of every part of the board.
    step = max(1, round(len(todo) ** 0.5))
    waiting = iter([members for first in range(step) for members in todo[first::step]])
    running: dict[Future[Any], tuple[int, ...]] = {}
    done = 0
    try:
        while True:
            left = None
            if control.time_limit is not None:
                left = control.time_limit - (time.monotonic() - started)
            if control.interrupted or (left is not None and left <= 0):
                return
            while len(running) < at_once and (members := next(waiting, None)) is not None:
                first = start.placements.all[members[0]]
                budget = min((each for each in (seconds_each, left) if each), default=None)
                future = executor.submit(winner_after, start.placed(first), budget, hash_mib)
                running[future] = members
            if not running:
                return
            finished, _ = wait(running, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in finished:
                members = running.pop(future)
                done += 1
                if (winner := future.result()) is not None:
                    book = book.with_winner(members, winner)
                    yield book
            if control.on_progress:
                control.on_progress(Progress(done, len(todo), 0, time.monotonic() - started))
    finally:
        for future in running:
            future.cancel()
