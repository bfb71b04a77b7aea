"""The pictures of a swap book: a board for each shape of the first piece."""

from __future__ import annotations

from litstool.draw.picture import Picture
from litstool.lits.board import BLANK, SIDES
from litstool.lits.book import Book
from litstool.lits.placements import SHAPES
from litstool.say.position import Fact
from litstool.snapshot import Square

_NO_SYMBOL = "·"
_LEGEND = (
    (
        "n",
        "the number in a cell: of the first moves that cover it, and are known, "
        "the percentage after which X wins, so to swap",
    ),
    ("?", "no first move that covers the cell is known yet"),
)


def pictures(book: Book, name: str) -> list[Picture]:
    """A board for each shape: how often X wins where a first piece of it covers a cell."""
    return [_picture(book, name, shape) for shape in SHAPES]


def _picture(book: Book, name: str, shape: str) -> Picture:
    whole, cells = book.of_shape(shape), book.by_cell(shape)
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
    facts = (
        Fact("Swap", f"after {whole.swap} first moves, since X wins"),
        Fact("Leave", f"after {whole.leave}, since O wins"),
        Fact("Unknown", str(whole.unknown or "none")),
    )
    unknown = any(tally.share is None for tally in cells.values())
    return Picture(
        book.pattern.outline,
        squares,
        title=f"{name.capitalize()}: the first piece {'a' if shape == 'T' else 'an'} {shape}",
        facts=(Fact("", "Nothing is known yet."),) if whole.share is None else facts,
        legend=_LEGEND if unknown else _LEGEND[:1],
    )
