"""The unchanging part of a game: the cells, the house rules, and the tables over them.

A board is four 2x2 boards laid on whole-cell offsets, none overlapping, all connected by edges:
16 cells, standard as the 4x4 square.  Its cells are numbered in reading order, and every set of
cells here is a whole number whose bit n stands for cell number n.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from litstool.errors import LitstoolError
from litstool.grid import SYMMETRIES, Cell, Outline, Symmetry, connected_parts, names

STRAIGHT, DIAGONAL, PUSHER, PULLER = "straight", "diagonal", "pusher", "puller"
KINDS = (STRAIGHT, DIAGONAL, PUSHER, PULLER)
KIND_LETTERS = {STRAIGHT: "s", DIAGONAL: "d", PUSHER: "p", PULLER: "l"}
SIDES = ("Light", "Dark")

BLOCK, IGNORE = "block", "ignore"
GAP_RULES = (BLOCK, IGNORE)
OUTSIDE, FREE = "outside", "free"
OPENING_RULES = (OUTSIDE, FREE)

EACH_KIND = 2
MOST_SIDE = 16
"""The longest side of a written grid; the cells themselves never span more than 8."""

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Offset = tuple[int, int]
"""The top-left row and column of a 2x2 board, counted from 0."""


def opponent(side: str) -> str:
    """The other of Light and Dark."""
    return "Dark" if side == "Light" else "Light"


@dataclass(frozen=True)
class Board:
    """The cells of a game and its rules.

    ``gaps`` says whether a gap blocks a Straight and a Diagonal (``block``) or not (``ignore``),
    ``opening`` whether the first piece must be on an outside cell (``outside``) or may be
    anywhere (``free``).  ``each_kind`` is how many pieces of each kind a side has: 2, and less
    only in the small games that tests play.  Such games also may have any outline of at most 16
    cells; :func:`board_of` makes only boards of the real game.
    """

    outline: Outline
    gaps: str = BLOCK
    opening: str = OUTSIDE
    each_kind: int = EACH_KIND

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells by number."""
        return self.outline.cells

    @cached_property
    def number(self) -> dict[Cell, int]:
        """The number of each cell."""
        return {cell: number for number, cell in enumerate(self.cells)}

    @property
    def all_cells(self) -> int:
        """Every cell, as a set."""
        return (1 << len(self.cells)) - 1

    @property
    def pieces_each(self) -> int:
        """How many pieces a side has at the start."""
        return len(KINDS) * self.each_kind

    def mask(self, cells: Iterable[Cell]) -> int:
        """A set of cells as bits by cell number."""
        mask = 0
        for cell in cells:
            mask |= 1 << self.number[cell]
        return mask

    def cells_of(self, mask: int) -> tuple[Cell, ...]:
        """The cells of a set written as bits, in reading order."""
        return tuple(cell for number, cell in enumerate(self.cells) if mask >> number & 1)

    @cached_property
    def allowed(self) -> dict[str, tuple[int, ...]]:
        """kind -> for each cell number, the cells that such a piece there allows, empty or not."""
        return {
            kind: tuple(self.mask(self._allowed_by(kind, cell)) for cell in self.cells)
            for kind in KINDS
        }

    def _allowed_by(self, kind: str, piece: Cell) -> Iterator[Cell]:
        near = [cell for cell in piece.all_neighbours() if cell in self.outline]
        if kind == PULLER:
            yield from near
        elif kind == PUSHER:
            yield from (cell for cell in self.cells if cell != piece and cell not in near)
        else:
            for down, right in _DIRECTIONS[:2] if kind == STRAIGHT else _DIRECTIONS[2:]:
                yield from self._ray(piece, down, right)
                yield from self._ray(piece, -down, -right)

    def _ray(self, start: Cell, down: int, right: int) -> Iterator[Cell]:
        row, column = start.row + down, start.column + right
        while 0 <= row < self.outline.rows and 0 <= column < self.outline.columns:
            cell = Cell(row, column)
            if cell in self.outline:
                yield cell
            elif self.gaps == BLOCK:
                return
            row, column = row + down, column + right

    @cached_property
    def windows(self) -> tuple[int, ...]:
        """Every three consecutive cells of a row, column or diagonal, as sets of cells.

        A run of n >= 3 pieces scores n - 2, which is the number of windows inside it.  So a
        side's score is the number of windows that are wholly its own.
        """
        found = []
        for row, column in self.cells:
            for down, right in _DIRECTIONS:
                window = [Cell(row + step * down, column + step * right) for step in range(3)]
                if all(cell in self.outline for cell in window):
                    found.append(self.mask(window))
        return tuple(found)

    @cached_property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """Every row, column and diagonal of three cells or more, cut at gaps, in reading order."""
        found = []
        for cell in self.cells:
            for down, right in _DIRECTIONS:
                before = Cell(cell.row - down, cell.column - right)
                if before in self.outline:
                    continue
                line = [cell]
                while (after := Cell(line[-1].row + down, line[-1].column + right)) in self.outline:
                    line.append(after)
                if len(line) >= 3:
                    found.append(tuple(line))
        return tuple(found)

    @cached_property
    def outside(self) -> int:
        """The cells with an edge neighbour that is off the board, a gap inside it included."""
        return self.mask(
            cell
            for cell in self.cells
            if any(neighbour not in self.outline for neighbour in cell.edge_neighbours())
        )

    @property
    def first_cells(self) -> int:
        """Where the first piece of the game may go."""
        return self.outside if self.opening == OUTSIDE else self.all_cells

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The symmetries of the board, the identity first: for each cell number, its image's.

        They keep every rule, since all rules speak of directions and distances only.
        """
        found = []
        trimmed = _trimmed(self.cells)
        rows = max(cell.row for cell in trimmed) + 1
        columns = max(cell.column for cell in trimmed) + 1
        for symmetry in SYMMETRIES:
            images = [symmetry.cell(cell, rows, columns) for cell in trimmed]
            if sorted(images) == trimmed:
                found.append(tuple(trimmed.index(image) for image in images))
        return tuple(found)

    def rows(self) -> tuple[str, ...]:
        """The empty board as it is written, one text a row."""
        return tuple(
            "".join("." if Cell(row, column) in self.outline else "#" for column in range(width))
            for width in [self.outline.columns]
            for row in range(self.outline.rows)
        )

    def offsets(self) -> tuple[Offset, ...] | None:
        """The top-left cells of the four 2x2 boards; None where the cells are no such shape.

        There is at most one way to cut the cells: the first of them in reading order must be the
        top left of a 2x2 board, and so on with what is left.
        """
        left = set(self.cells)
        found = []
        for cell in self.cells:
            if cell not in left:
                continue
            block = _block(cell)
            if not left.issuperset(block):
                return None
            left.difference_update(block)
            found.append((cell.row, cell.column))
        if len(found) != 4 or len(connected_parts(self.cells)) != 1:
            return None
        return tuple(found)

    def transformed(self, symmetry: Symmetry) -> Board:
        """The board after one of the eight symmetries."""
        return Board(symmetry.outline(self.outline), self.gaps, self.opening, self.each_kind)


def board_of(outline: Outline, gaps: str = BLOCK, opening: str = OUTSIDE) -> Board:
    """A board of the game.

    :raises LitstoolError: the cells are not four 2x2 boards connected by edges, the grid is too
        large, or a rule's value is none that exists.
    """
    if gaps not in GAP_RULES:
        raise LitstoolError(f"gaps is {gaps!r}: it may be block or ignore")
    if opening not in OPENING_RULES:
        raise LitstoolError(f"opening is {opening!r}: it may be outside or free")
    if not (outline.rows <= MOST_SIDE and outline.columns <= MOST_SIDE):
        raise LitstoolError(
            f"the grid is {outline.rows} x {outline.columns} (rows x columns): "
            f"a side may be at most {MOST_SIDE} long"
        )
    board = Board(outline, gaps, opening)
    if board.offsets() is None:
        raise LitstoolError(_not_an_arrangement(board))
    return board


def _not_an_arrangement(board: Board) -> str:
    count = len(board.cells)
    rule = "a Mijnlieff board is four 2x2 boards that do not overlap and are connected by edges"
    if count != 16:
        return f"the board has {count} cells instead of 16: {rule}"
    parts = connected_parts(board.cells)
    if len(parts) > 1:
        return f"the board is in {len(parts)} parts not joined by an edge: {rule}"
    left = set(board.cells)
    for cell in board.cells:
        if cell in left:
            block = _block(cell)
            if not left.issuperset(block):
                missing = names(each for each in block if each not in left)
                return (
                    f"the cells are no four 2x2 boards: one that starts at {cell.name} "
                    f"would need {missing}; {rule}"
                )
            left.difference_update(block)
    raise AssertionError("the cells are an arrangement")


def _block(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    row, column = cell
    return cell, Cell(row, column + 1), Cell(row + 1, column), Cell(row + 1, column + 1)


def _trimmed(cells: Iterable[Cell]) -> list[Cell]:
    """Cells moved to the top left corner, sorted."""
    cells = list(cells)
    top = min(cell.row for cell in cells)
    left = min(cell.column for cell in cells)
    return sorted(Cell(cell.row - top, cell.column - left) for cell in cells)


def outline_of_offsets(offsets: Iterable[Offset]) -> Outline:
    """The outline of 2x2 boards at these top-left rows and columns, moved to the top left.

    :raises LitstoolError: two of the boards overlap.
    """
    cells = [cell for offset in offsets for cell in _block(Cell(*offset))]
    twice = {cell for cell in cells if cells.count(cell) > 1}
    if twice:
        raise LitstoolError("two of the 2x2 boards overlap")
    if not cells:
        raise LitstoolError("no 2x2 boards are given: a board has four")
    return _outline(_trimmed(cells))


def _outline(trimmed: Iterable[Cell]) -> Outline:
    cells = set(trimmed)
    rows = max(cell.row for cell in cells) + 1
    columns = max(cell.column for cell in cells) + 1
    gaps = frozenset(
        cell
        for row in range(rows)
        for column in range(columns)
        if (cell := Cell(row, column)) not in cells
    )
    return Outline(rows, columns, gaps)


def standard_board(gaps: str = BLOCK, opening: str = OUTSIDE) -> Board:
    """The 4x4 square."""
    return board_of(Outline(4, 4), gaps, opening)


@lru_cache(maxsize=1)
def arrangements() -> tuple[tuple[Offset, ...], ...]:
    """Every arrangement of four 2x2 boards connected by edges, one of each up to symmetry.

    Each is given by the offsets of its 2x2 boards, in the one of its (at most eight) images
    whose sorted offsets come first.  Sorted, so that the list is the same everywhere.
    """
    layer: set[tuple[Offset, ...]] = {((0, 0),)}
    for _ in range(3):
        larger = set()
        for offsets in layer:
            for row, column in offsets:
                for slide in (-1, 0, 1):
                    for side in (-2, 2):
                        for new in ((row + side, column + slide), (row + slide, column + side)):
                            if all(
                                abs(new[0] - old[0]) > 1 or abs(new[1] - old[1]) > 1
                                for old in offsets
                            ):
                                larger.add(_first_image((*offsets, new)))
        layer = larger
    return tuple(sorted(layer))


def _first_image(offsets: tuple[Offset, ...]) -> tuple[Offset, ...]:
    """The first of the eight images of an arrangement, each moved to the top left and sorted."""
    images = []
    for symmetry in SYMMETRIES:
        # A turn about the middle of an n x n grid takes the cells of a 2x2 board to the cells of
        # another, so its image is found from the top-left cell of the four.
        turned = [
            min(symmetry.cell(cell, 16, 16) for cell in _block(Cell(*offset))) for offset in offsets
        ]
        images.append(tuple((cell.row, cell.column) for cell in _trimmed(turned)))
    return min(images)


def arrangement_of(board: Board) -> tuple[Offset, ...]:
    """The entry of :func:`arrangements` that a board is an image of.

    :raises LitstoolError: the cells are not four 2x2 boards connected by edges.
    """
    offsets = board.offsets()
    if offsets is None:
        raise LitstoolError(_not_an_arrangement(board))
    return _first_image(offsets)
