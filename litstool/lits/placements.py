"""Placements: every way to put a piece on a board, numbered, and what each does to the others.

Two sets of placements, as the bits of whole numbers, carry a position (see ``position``):
``alive``, those that nothing on the board forbids, and ``reach``, those that touch a piece.
The tables here say which bits one more piece changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from litstool.grid import SYMMETRIES, Cell, Outline, names

SHAPES = "LITS"
SUPPLY_EACH = 5
MOST_SUPPLY = 20

_BASE_CELLS: dict[str, tuple[tuple[int, int], ...]] = {
    "L": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "I": ((0, 0), (1, 0), (2, 0), (3, 0)),
    "T": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "S": ((0, 1), (0, 2), (1, 0), (1, 1)),
}


class Placement(NamedTuple):
    """A piece in a place: its shape and its cells in reading order.

    Also what a user wrote, so the cells may be off the board or not of that shape: see
    :meth:`is_formed`.
    """

    shape: str
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, shape: str, cells: Iterable[Cell]) -> Placement:
        """A placement with its cells put in reading order."""
        return cls(shape, tuple(sorted(cells)))

    @property
    def notation(self) -> str:
        """The move as it is written, such as ``L:a1,b1,c1,a2``."""
        return f"{self.shape}:{names(self.cells)}"

    def is_formed(self) -> bool:
        """Whether the cells have the form of the shape."""
        return shape_of(self.cells) == self.shape


@cache
def orientations(shape: str) -> tuple[tuple[Cell, ...], ...]:
    """The forms of a shape under turns and reflections, moved to the top left, sorted."""
    forms = set()
    for symmetry in SYMMETRIES:
        forms.add(_to_corner(symmetry.cell(Cell(*cell), 4, 4) for cell in _BASE_CELLS[shape]))
    return tuple(sorted(forms))


def _to_corner(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    cells = tuple(cells)
    top = min(cell.row for cell in cells)
    left = min(cell.column for cell in cells)
    return tuple(sorted(Cell(cell.row - top, cell.column - left) for cell in cells))


@cache
def _shape_of_form() -> dict[tuple[Cell, ...], str]:
    return {form: shape for shape in SHAPES for form in orientations(shape)}


def shape_of(cells: tuple[Cell, ...]) -> str | None:
    """The shape that these cells form; None where they form none of the four."""
    return _shape_of_form().get(_to_corner(cells)) if len(cells) == 4 else None


class Placements:
    """The numbered placements of one outline and the tables over them.

    Numbers run by shape in the order L, I, T, S, then by cells in reading order.  All sets are
    whole numbers whose bit p stands for placement p (or bit row x columns + column for a cell).

    ``all``          the placements, by number
    ``of_shape``     shape -> set of placements
    ``covering``     cell -> set of placements that cover it
    ``cell_masks``   number -> set of its cells
    ``conflicts``    number -> placements it forbids for good: overlaps and same-shape contact,
                     itself included (full 2x2 blocks are not pairwise; see ``blocks``)
    ``touches``      number -> placements that share an edge with it
    ``blocks``       number -> 2x2 blocks, as sets of cells, that it has a cell in
    ``written``      a move as it is written -> placement
    """

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.all = tuple(
            Placement(shape, cells) for shape in SHAPES for cells in _cells_on(outline, shape)
        )
        self.number = {placement: number for number, placement in enumerate(self.all)}
        self.of_shape = dict.fromkeys(SHAPES, 0)
        self.covering = dict.fromkeys(outline.cells, 0)
        for number, placement in enumerate(self.all):
            self.of_shape[placement.shape] |= 1 << number
            for cell in placement.cells:
                self.covering[cell] |= 1 << number
        self.cell_masks = tuple(outline.mask(placement.cells) for placement in self.all)

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def written(self) -> dict[str, Placement]:
        return {placement.notation: placement for placement in self.all}

    @cached_property
    def block_masks(self) -> tuple[int, ...]:
        """Every 2x2 block of the board as a set of cells."""
        return tuple(self.outline.mask(block) for block in self.outline.blocks())

    @cached_property
    def _contacts(self) -> tuple[tuple[int, int], ...]:
        """For each placement, the placements that overlap it and those on a neighbouring cell."""
        found = []
        covering = self.covering
        for placement in self.all:
            overlapping = neighbouring = 0
            for cell in placement.cells:
                overlapping |= covering[cell]
                for neighbour in cell.edge_neighbours():
                    if neighbour in covering and neighbour not in placement.cells:
                        neighbouring |= covering[neighbour]
            found.append((overlapping, neighbouring))
        return tuple(found)

    @cached_property
    def conflicts(self) -> tuple[int, ...]:
        return tuple(
            overlapping | (neighbouring & self.of_shape[placement.shape])
            for placement, (overlapping, neighbouring) in zip(self.all, self._contacts, strict=True)
        )

    @cached_property
    def touches(self) -> tuple[int, ...]:
        return tuple(neighbouring & ~overlapping for overlapping, neighbouring in self._contacts)

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.all]
        for block, mask in zip(self.outline.blocks(), self.block_masks, strict=True):
            touching = 0
            for cell in block:
                touching |= self.covering[cell]
            while touching:
                low = touching & -touching
                found[low.bit_length() - 1].append(mask)
                touching ^= low
        return tuple(tuple(masks) for masks in found)

    def over_all(self, cell_mask: int) -> int:
        """The placements that cover every cell of a non-empty set of cells."""
        found = -1
        for cell in self.outline.cells_of(cell_mask):
            found &= self.covering[cell]
        return found


def _cells_on(outline: Outline, shape: str) -> list[tuple[Cell, ...]]:
    found = []
    for form in orientations(shape):
        for row in range(outline.rows):
            for column in range(outline.columns):
                cells = tuple(Cell(row + cell.row, column + cell.column) for cell in form)
                if all(cell in outline for cell in cells):
                    found.append(cells)
    return sorted(found)


@lru_cache(maxsize=32)
def placements_of(outline: Outline) -> Placements:
    """The tables of an outline, made once and shared."""
    return Placements(outline)
