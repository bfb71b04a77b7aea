"""The pictures of a swap book: a board for each shape of the first piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from litstool.grid import Cell
from litstool.lits.board import BLANK, SIDES
from litstool.lits.book import Book
from litstool.lits.placements import SHAPES, placements_of
from litstool.picture import Picture, Square

_NO_SYMBOL = "·"
_LEGEND = (
    "n   the number in a cell: of the first moves that cover it, and are known, "
    "the percentage after which X wins, so to swap",
    "?   no first move that covers the cell is known yet",
)


@dataclass(frozen=True)
class Tally:
    """First moves by who wins after them: X (swap), O (leave), nobody known."""

    swap: int = 0
    leave: int = 0
    unknown: int = 0

    @property
    def share(self) -> float | None:
        """The share, 0 to 1, of the known ones to swap after; None where none is known."""
        known = self.swap + self.leave
        return self.swap / known if known else None


def tallies(book: Book, shape: str) -> tuple[Tally, Mapping[Cell, Tally]]:
    """The first moves of a shape, all of them and those that cover each cell."""
    letters: dict[Cell, str] = dict.fromkeys(book.pattern.outline.cells, "")
    every = ""
    for number, placement in enumerate(placements_of(book.pattern.outline).all):
        if placement.shape == shape:
            every += book.winners[number]
            for cell in placement.cells:
                letters[cell] += book.winners[number]
    return _tally(every), {cell: _tally(text) for cell, text in letters.items()}


def _tally(letters: str) -> Tally:
    return Tally(letters.count("X"), letters.count("O"), letters.count("?"))


def pictures(book: Book, name: str) -> list[Picture]:
    """A board for each shape: how often X wins where a first piece of it covers a cell."""
    return [_picture(book, name, shape) for shape in SHAPES]


def _picture(book: Book, name: str, shape: str) -> Picture:
    whole, cells = tallies(book, shape)
    squares = {}
    for cell, tally in cells.items():
        symbol = book.pattern.symbol(cell)
        share = tally.share
        text = _NO_SYMBOL if symbol == BLANK else symbol
        squares[cell] = Square(
            text if share is not None else "?",
            fill=symbol if symbol in SIDES and share is not None else None,
            faint=symbol == BLANK or share is None,
            heat=None if share is None else round(100 * share),
        )
    facts = [f"Swap  after {whole.swap} first moves, since X wins"]
    facts.append(f"Leave  after {whole.leave}, since O wins")
    facts.append(f"Unknown  {whole.unknown or 'none'}")
    if whole.share is None:
        facts = ["Nothing is known yet."]
    unknown = any(tally.share is None for tally in cells.values())
    return Picture(
        book.pattern.outline,
        squares,
        title=f"{name.capitalize()}: the first piece {'a' if shape == 'T' else 'an'} {shape}",
        facts=tuple(facts),
        legend=_LEGEND if unknown else _LEGEND[:1],
    )
