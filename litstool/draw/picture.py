"""What a drawing shows, whatever the game and whatever it is drawn with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from litstool.grid import Cell, Outline


@dataclass(frozen=True)
class Square:
    """One cell of a drawing.

    ``text`` is what stands in it.  Neighbouring squares of one ``region`` are drawn joined; None
    is the open board.  ``fill`` names a colour of the palette, such as a shape.  ``bracketed``
    squares are marked off from the others, as ``[X]`` in text.
    """

    text: str
    region: Hashable = None
    fill: str | None = None
    bracketed: bool = False
    faint: bool = False


@dataclass(frozen=True)
class Picture:
    """A board to draw: cells that are not in ``squares`` are holes.

    ``facts`` are the lines below the board, ``legend`` what the marks mean.
    """

    outline: Outline
    squares: Mapping[Cell, Square]
    title: str | None = None
    facts: tuple[str, ...] = ()
    legend: tuple[str, ...] = field(default=())
