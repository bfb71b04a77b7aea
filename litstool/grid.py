"""Cells, their names, boards of any outline, and the eight symmetries of the square."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_CELL_NAME = re.compile(r"([a-z])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)


class Cell(NamedTuple):
    """A place of the grid: row and column, both counted from 0 at the top left."""

    row: int
    column: int

    @property
    def name(self) -> str:
        """Column letter and row number, ``a1`` at the top left."""
        return f"{chr(ord('a') + self.column)}{self.row + 1}"

    @classmethod
    def parse(cls, text: str) -> Cell | None:
        """The cell of a name such as ``e5``; None where the text is no cell name."""
        match = _CELL_NAME.fullmatch(text.strip())
        if match is None:
            return None
        return cls(int(match[2]) - 1, ord(match[1].lower()) - ord("a"))

    def edge_neighbours(self) -> tuple[Cell, Cell, Cell, Cell]:
        """The four cells that share an edge with this one, on the board or not."""
        row, column = self
        return (
            Cell(row - 1, column),
            Cell(row, column - 1),
            Cell(row, column + 1),
            Cell(row + 1, column),
        )

    def all_neighbours(self) -> tuple[Cell, ...]:
        """The eight cells round this one, on the board or not."""
        return tuple(
            Cell(self.row + down, self.column + right)
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if down or right
        )


def names(cells: Iterable[Cell]) -> str:
    """The names of cells joined by commas, in reading order."""
    return ",".join(cell.name for cell in sorted(cells))


@dataclass(frozen=True)
class Outline:
    """The shape of a board: ``rows`` x ``columns`` less its holes."""

    rows: int
    columns: int
    holes: frozenset[Cell] = frozenset()

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the board in reading order."""
        return tuple(
            cell
            for row in range(self.rows)
            for column in range(self.columns)
            if (cell := Cell(row, column)) not in self.holes
        )

    def __contains__(self, cell: object) -> bool:
        if not isinstance(cell, Cell):
            return False
        inside = 0 <= cell.row < self.rows and 0 <= cell.column < self.columns
        return inside and cell not in self.holes

    def bit(self, cell: Cell) -> int:
        """The cell as a set of one: a bit at row x columns + column."""
        return 1 << (cell.row * self.columns + cell.column)

    def mask(self, cells: Iterable[Cell]) -> int:
        """A set of cells as the bits of one whole number."""
        mask = 0
        for cell in cells:
            mask |= 1 << (cell.row * self.columns + cell.column)
        return mask

    def cells_of(self, mask: int) -> tuple[Cell, ...]:
        """The cells of a set written as bits, in reading order."""
        return tuple(Cell(*divmod(index, self.columns)) for index in bits(mask))

    def blocks(self) -> tuple[tuple[Cell, Cell, Cell, Cell], ...]:
        """Every 2x2 block whose four cells are all on the board."""
        found = []
        for row in range(self.rows - 1):
            for column in range(self.columns - 1):
                block = (
                    Cell(row, column),
                    Cell(row, column + 1),
                    Cell(row + 1, column),
                    Cell(row + 1, column + 1),
                )
                if not self.holes.intersection(block):
                    found.append(block)
        return tuple(found)


def bits(mask: int) -> Iterable[int]:
    """The positions of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def connected_parts(cells: Iterable[Cell]) -> list[tuple[Cell, ...]]:
    """Cells split into parts connected by edges, each sorted, the parts by their first cell."""
    left = set(cells)
    parts = []
    for first in sorted(left):
        if first not in left:
            continue
        left.discard(first)
        part, waiting = [first], [first]
        while waiting:
            for neighbour in waiting.pop().edge_neighbours():
                if neighbour in left:
                    left.discard(neighbour)
                    part.append(neighbour)
                    waiting.append(neighbour)
        parts.append(tuple(sorted(part)))
    return parts


class Symmetry(NamedTuple):
    """One of the eight ways to lay a grid on itself (a non-square one on its turned twin)."""

    name: str
    turns_sides: bool
    image: Callable[[int, int, int, int], tuple[int, int]]

    def cell(self, cell: Cell, rows: int, columns: int) -> Cell:
        """Where a cell of a ``rows`` x ``columns`` grid goes."""
        return Cell(*self.image(cell.row, cell.column, rows, columns))

    def size(self, rows: int, columns: int) -> tuple[int, int]:
        """Rows and columns of the grid after the symmetry."""
        return (columns, rows) if self.turns_sides else (rows, columns)

    def outline(self, outline: Outline) -> Outline:
        """The outline after the symmetry."""
        rows, columns = self.size(outline.rows, outline.columns)
        holes = frozenset(self.cell(hole, outline.rows, outline.columns) for hole in outline.holes)
        return Outline(rows, columns, holes)


IDENTITY = Symmetry("identity", False, lambda r, c, rows, columns: (r, c))
QUARTER_TURN = Symmetry("quarter-turn", True, lambda r, c, rows, columns: (c, rows - 1 - r))
HALF_TURN = Symmetry(
    "half-turn", False, lambda r, c, rows, columns: (rows - 1 - r, columns - 1 - c)
)
THREE_QUARTER_TURN = Symmetry(
    "three-quarter-turn", True, lambda r, c, rows, columns: (columns - 1 - c, r)
)
MIRROR_LR = Symmetry("mirror-lr", False, lambda r, c, rows, columns: (r, columns - 1 - c))
MIRROR_UD = Symmetry("mirror-ud", False, lambda r, c, rows, columns: (rows - 1 - r, c))
DIAGONAL = Symmetry("diagonal", True, lambda r, c, rows, columns: (c, r))
ANTIDIAGONAL = Symmetry(
    "antidiagonal", True, lambda r, c, rows, columns: (columns - 1 - c, rows - 1 - r)
)

SYMMETRIES = (
    IDENTITY,
    QUARTER_TURN,
    HALF_TURN,
    THREE_QUARTER_TURN,
    MIRROR_LR,
    MIRROR_UD,
    DIAGONAL,
    ANTIDIAGONAL,
)
