"""What the symbols of a board look like: balance by line and area, clumping, exposure.

Clumping is told by *join counts* (Moran 1948, Cliff and Ord 1973): the numbers of pairs of
neighbouring cells that bear X and X, O and O, X and O.  Their expectation and variance under an
arrangement of the same symbols in which each is equally likely are exact: with A pairs of
neighbours among n cells, of which D pairs of pairs share a cell, a sum over pairs of pairs needs
only whether they are the same, share a cell, or are apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from litstool.grid import Cell, Outline
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply
from litstool.lits.placements import placements_of
from litstool.lits.position import Position

Group = tuple[str, tuple[Cell, ...]]
"""A name and its cells."""


def rows_of(outline: Outline) -> list[Group]:
    """The rows by number."""
    return [
        (str(row + 1), tuple(cell for cell in outline.cells if cell.row == row))
        for row in range(outline.rows)
    ]


def columns_of(outline: Outline) -> list[Group]:
    """The columns by letter."""
    return [
        (chr(ord("a") + column), tuple(cell for cell in outline.cells if cell.column == column))
        for column in range(outline.columns)
    ]


def quadrants_of(outline: Outline) -> list[Group]:
    """The four quarters.  The middle row and column of an odd board belong to none."""
    down, right = outline.rows, outline.columns

    def inside(index: int, size: int, late: bool) -> bool:
        return index >= size - size // 2 if late else index < size // 2

    return [
        (
            f"{'bottom' if low else 'top'} {'right' if far else 'left'}",
            tuple(
                cell
                for cell in outline.cells
                if inside(cell.row, down, low) and inside(cell.column, right, far)
            ),
        )
        for low in (False, True)
        for far in (False, True)
    ]


def rings_of(outline: Outline) -> list[Group]:
    """Cells by their distance from the rim of the rectangle, 1 on the rim."""
    rings: dict[int, list[Cell]] = {}
    for cell in outline.cells:
        far = min(
            cell.row, cell.column, outline.rows - 1 - cell.row, outline.columns - 1 - cell.column
        )
        rings.setdefault(far + 1, []).append(cell)
    return [(str(ring), tuple(cells)) for ring, cells in sorted(rings.items())]


AREAS = {"rows": rows_of, "columns": columns_of, "quadrants": quadrants_of, "rings": rings_of}


def counts_in(pattern: Pattern, cells: Iterable[Cell]) -> tuple[int, int]:
    """How many X and how many O stand on the cells."""
    mask = pattern.outline.mask(cells)
    return (pattern.x_cells & mask).bit_count(), (pattern.o_cells & mask).bit_count()


# Join counts


def neighbour_pairs(outline: Outline) -> list[tuple[Cell, Cell]]:
    """The pairs of cells that share an edge."""
    return [
        (cell, other)
        for cell in outline.cells
        for other in (Cell(cell.row, cell.column + 1), Cell(cell.row + 1, cell.column))
        if other in outline
    ]


@dataclass(frozen=True)
class Joins:
    """A join count, and its expectation and variance under uniform arrangement."""

    count: int
    expected: Fraction
    variance: Fraction

    @property
    def z(self) -> float | None:
        """Standard deviations above the expectation; None where the count cannot vary."""
        if self.variance == 0:
            return None
        return float(self.count - self.expected) / sqrt(self.variance)


def count_joins(pattern: Pattern) -> dict[str, int]:
    """The join counts XX, OO, XO, and ``like``, which is XX and OO together."""
    columns = pattern.outline.columns
    x, o = pattern.x_cells, pattern.o_cells
    # All cells but those of the last column, whose next bit is the first cell of the next row.
    with_right = sum(
        ((1 << (columns - 1)) - 1) << (row * columns) for row in range(pattern.outline.rows)
    )

    def pairs(one: int, other: int) -> int:
        """How many cells of the one have a cell of the other to the right or below."""
        beside = one & (other >> 1) & with_right
        return beside.bit_count() + (one & (other >> columns)).bit_count()

    xx, oo = pairs(x, x), pairs(o, o)
    return {"XX": xx, "OO": oo, "XO": pairs(x, o) + pairs(o, x), "like": xx + oo}


def join_moments(outline: Outline, x: int, o: int) -> dict[str, tuple[Fraction, Fraction]]:
    """Expectation and variance of the join counts of x X and o O, all arrangements alike likely."""
    pairs = neighbour_pairs(outline)
    degree: dict[Cell, int] = dict.fromkeys(outline.cells, 0)
    for one, other in pairs:
        degree[one] += 1
        degree[other] += 1
    n, edges = len(outline.cells), len(pairs)
    sharing = sum(each * (each - 1) for each in degree.values())  # ordered pairs of pairs
    apart = edges * (edges - 1) - sharing

    def chance(xs: int, os: int) -> Fraction:
        """That given cells bear X (the first ``xs`` of them) and O (the next ``os``)."""
        result = Fraction(1)
        for step in range(xs):
            result *= x - step
        for step in range(os):
            result *= o - step
        for step in range(xs + os):
            if n - step <= 0:
                return Fraction(0)
            result /= n - step
        return result

    # Expected values, and expected squares as sums over: the same, sharing a cell, apart.
    expected = {
        "XX": edges * chance(2, 0),
        "OO": edges * chance(0, 2),
        "XO": 2 * edges * chance(1, 1),
    }
    squares = {
        "XX": expected["XX"] + sharing * chance(3, 0) + apart * chance(4, 0),
        "OO": expected["OO"] + sharing * chance(0, 3) + apart * chance(0, 4),
        "XO": expected["XO"] + sharing * (chance(2, 1) + chance(1, 2)) + 4 * apart * chance(2, 2),
    }
    both = apart * chance(2, 2)  # XX times OO: only pairs that are apart can be one and the other
    expected["like"] = expected["XX"] + expected["OO"]
    squares["like"] = squares["XX"] + squares["OO"] + 2 * both
    return {
        kind: (expected[kind], squares[kind] - expected[kind] ** 2)
        for kind in ("XX", "OO", "XO", "like")
    }


def clumping(pattern: Pattern) -> dict[str, Joins]:
    """The join counts of a pattern with their moments."""
    counts = count_joins(pattern)
    moments = join_moments(pattern.outline, pattern.count("X"), pattern.count("O"))
    return {kind: Joins(counts[kind], *moments[kind]) for kind in counts}


# Exposure


def placement_exposure(outline: Outline, supply: Supply = FULL_SUPPLY) -> dict[Cell, int]:
    """For each cell, how many placements of the empty board cover it, of shapes in the supply."""
    able = able_placements(outline, supply)
    return {
        cell: (each & able).bit_count() for cell, each in placements_of(outline).covering.items()
    }


def able_placements(outline: Outline, supply: Supply) -> int:
    """The placements of the empty board of the shapes that the supply has, as a set."""
    return Position.empty(Pattern(outline, 0, 0), supply).legal


@dataclass(frozen=True)
class Exposure:
    """How much the symbols are exposed to being covered.

    ``shares`` gives each cell's share of the placements that cover it; ``x`` and ``o`` are the
    means over the cells that bear them, None where there are none.
    """

    shares: Mapping[Cell, float]
    x: float | None
    o: float | None


def exposure(pattern: Pattern, covering: Mapping[Cell, int], placements: int) -> Exposure:
    """Exposure from how many of so many placements cover each cell."""
    shares = {cell: covering[cell] / max(placements, 1) for cell in pattern.outline.cells}

    def mean(symbol: str) -> float | None:
        values = [shares[cell] for cell in shares if pattern.symbol(cell) == symbol]
        return sum(values) / len(values) if values else None

    return Exposure(shares, mean("X"), mean("O"))
