"""What a drawing shows, whatever the game and whatever it is drawn with."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

from litstool.grid import Cell, Outline
from litstool.say.position import Fact, facts
from litstool.snapshot import Snapshot, Square


@dataclass(frozen=True)
class Picture:
    """A board to draw: cells that are not in ``squares`` are holes.

    ``facts`` stand below the board, ``legend`` has each mark and what it means.
    """

    outline: Outline
    squares: Mapping[Cell, Square]
    title: str | None = None
    facts: tuple[Fact, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, shown: Snapshot) -> Picture:
        """The picture of a position."""
        return cls(
            outline=shown.outline,
            squares=shown.squares,
            title=shown.name,
            facts=facts(shown),
            legend=shown.legend,
        )

    def numbered(self) -> Mapping[Cell, int]:
        """The cell of each numbered piece that carries its number: its first one."""
        found: dict[Hashable, tuple[Cell, int]] = {}
        for cell in sorted(self.squares):
            square = self.squares[cell]
            if square.number is not None:
                found.setdefault((square.region, square.number), (cell, square.number))
        return dict(found.values())


def region_parts(picture: Picture) -> Iterator[tuple[Hashable, tuple[Cell, ...]]]:
    """The joined areas of a picture: each region's parts, connected by edges, by first cell."""
    seen: set[Cell] = set()
    for first in sorted(picture.squares):
        region = picture.squares[first].region
        if region is None or first in seen:
            continue
        seen.add(first)
        part, waiting = [first], [first]
        while waiting:
            for near in waiting.pop().edge_neighbours():
                square = picture.squares.get(near)
                if square is not None and square.region == region and near not in seen:
                    seen.add(near)
                    part.append(near)
                    waiting.append(near)
        yield region, tuple(sorted(part))


MAY_PLACE, FAULTY = "○", "□"
"""The marks, in the legend of a drawing, of what text marks with a plus and as in ``L!``."""

_DRAWN_MARKS = {"+": MAY_PLACE, "x!": FAULTY}


def drawn_legend(picture: Picture) -> list[tuple[str, str]]:
    """The marks and words of the legend beside a drawing, which has no letters to explain."""
    return [(_DRAWN_MARKS.get(mark, mark), words) for mark, words in picture.legend if mark != "Aa"]


def number_text(value: float) -> str:
    """A number of a heat map in a few characters: a whole one, or one place after the point."""
    if value == int(value):
        return str(int(value)) if abs(value) < 10_000 else f"{value / 1000:.0f}k"
    return f"{value:.1f}"


def spoken(picture: Picture) -> str:
    """A picture in words, row by row, for who cannot see it."""
    outline = picture.outline
    sentences = [f"Board of {outline.rows} rows and {outline.columns} columns, a1 at the top left."]
    for row in range(outline.rows):
        cells = [Cell(row, column) for column in range(outline.columns)]
        sentences.append(
            f"Row {row + 1}: {', '.join(word_of(picture.squares.get(cell)) for cell in cells)}."
        )
    last = [cell.name for cell in sorted(picture.squares) if picture.squares[cell].last]
    if last:
        sentences.append(f"The last move covers {', '.join(last)}.")
    return " ".join(sentences)


def word_of(square: Square | None) -> str:
    """A cell in words: what stands in it and how it is marked; None is a hole."""
    if square is None:
        return "hole"
    word = square.text.strip(" ·") or "blank"
    if square.fill in ("light", "dark"):
        word = f"{square.fill} {word}"
    if square.bracketed:
        word = "safe" if word == "blank" else f"safe {word}"
    if square.faulty:
        word += " against the rules"
    if square.number is not None:
        word += f" of move {square.number}"
    if square.heat is not None:
        word += f" ({number_text(square.heat)})"
    return word
