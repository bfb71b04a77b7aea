"""The unchanging part of a game: the pattern of symbols, and the supply of pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from litstool.errors import LitstoolError
from litstool.grid import SYMMETRIES, Cell, Outline, Symmetry
from litstool.lits.placements import MOST_SUPPLY, SHAPES, SUPPLY_EACH

LEAST_SIDE, MOST_SIDE = 4, 16

BLANK, HOLE, UNKNOWN = ".", "#", "?"
SIDES = ("X", "O")
Supply = tuple[int, int, int, int]
"""Pieces of each shape for the whole game, in the order L, I, T, S."""

FULL_SUPPLY: Supply = (SUPPLY_EACH,) * 4


def opponent(side: str) -> str:
    """The other of X and O."""
    return "O" if side == "X" else "X"


def supply_of(counts: Mapping[str, int]) -> Supply:
    """A supply from counts by shape; a shape left out means 5.

    :raises LitstoolError: a count below 0 or above 20.
    """
    for shape, count in counts.items():
        if not 0 <= count <= MOST_SUPPLY:
            raise LitstoolError(
                f"a supply of {count} {shape} is out of range: 0 to {MOST_SUPPLY} of each shape"
            )
    ordered = tuple(counts.get(shape, SUPPLY_EACH) for shape in SHAPES)
    return ordered  # type: ignore[return-value]


@dataclass(frozen=True)
class Pattern:
    """The symbols of a board, as sets of cells (see :meth:`Outline.mask`).

    ``unknown`` are the cells whose symbol is not known because a piece was already on them when
    the position was written down; they never count.
    """

    outline: Outline
    x_cells: int
    o_cells: int
    unknown: int = 0

    @classmethod
    def from_rows(cls, rows: Iterable[str]) -> Pattern:
        """A pattern from equally long rows of ``X O . # ?``.

        :raises LitstoolError: another character, ragged rows, or a side outside 4 to 16.
        """
        lines = [row.strip() for row in rows]
        check_size(len(lines), len(lines[0]) if lines else 0)
        found: dict[str, list[Cell]] = {symbol: [] for symbol in "XO.#?"}
        for row, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise LitstoolError(
                    f"row {row + 1} has {len(line)} cells, row 1 has {len(lines[0])}"
                )
            for column, symbol in enumerate(line):
                if symbol not in found:
                    raise LitstoolError(f"{symbol!r} is no symbol of a pattern: X, O, . or #")
                found[symbol].append(Cell(row, column))
        outline = Outline(len(lines), len(lines[0]), frozenset(found[HOLE]))
        return cls(
            outline, outline.mask(found["X"]), outline.mask(found["O"]), outline.mask(found["?"])
        )

    def symbol(self, cell: Cell) -> str:
        """``X``, ``O``, ``.``, ``#`` for a hole or ``?`` where unknown."""
        if cell not in self.outline:
            return HOLE
        bit = self.outline.bit(cell)
        for symbol, cells in (("X", self.x_cells), ("O", self.o_cells), ("?", self.unknown)):
            if cells & bit:
                return symbol
        return BLANK

    def rows(self) -> tuple[str, ...]:
        """The pattern as it is written, one text a row."""
        return tuple(
            "".join(self.symbol(Cell(row, column)) for column in range(self.outline.columns))
            for row in range(self.outline.rows)
        )

    def count(self, side: str) -> int:
        """How many symbols of a side the pattern has."""
        return (self.x_cells if side == "X" else self.o_cells).bit_count()

    def exchanged(self) -> Pattern:
        """The pattern with X and O exchanged."""
        return Pattern(self.outline, self.o_cells, self.x_cells, self.unknown)

    def transformed(self, symmetry: Symmetry) -> Pattern:
        """The pattern after one of the eight symmetries."""
        outline = symmetry.outline(self.outline)

        def moved(cells: int) -> int:
            return outline.mask(
                symmetry.cell(cell, self.outline.rows, self.outline.columns)
                for cell in self.outline.cells_of(cells)
            )

        return Pattern(outline, moved(self.x_cells), moved(self.o_cells), moved(self.unknown))

    def self_symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries, the identity left out, that leave the pattern as it is."""
        return tuple(each for each in SYMMETRIES[1:] if self.transformed(each) == self)

    def exchange_symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries that map each X onto an O and each O onto an X."""
        exchanged = self.exchanged()
        return tuple(each for each in SYMMETRIES if self.transformed(each) == exchanged)


def check_size(rows: int, columns: int) -> None:
    """Refuse a board that is too small or too large to be one.

    :raises LitstoolError: a side outside 4 to 16 cells.
    """
    if not (LEAST_SIDE <= rows <= MOST_SIDE and LEAST_SIDE <= columns <= MOST_SIDE):
        raise LitstoolError(
            f"the board is {rows} x {columns} cells (rows x columns): "
            f"it may be {LEAST_SIDE} x {LEAST_SIDE} to {MOST_SIDE} x {MOST_SIDE}"
        )
