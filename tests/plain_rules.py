"""The rules once more, as plainly and slowly as they are written, to hold the program against.

Nothing of litstool is used: a cell is a pair (row, column), a piece a pair of a shape's letter
and a frozen set of four cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

PlainCell = tuple[int, int]
PlainPiece = tuple[str, frozenset[PlainCell]]


def edge_neighbours(cell: PlainCell) -> set[PlainCell]:
    row, column = cell
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}


def share_an_edge(one: Iterable[PlainCell], other: Iterable[PlainCell]) -> bool:
    other = set(other)
    return any(not edge_neighbours(cell).isdisjoint(other) for cell in one)


def shape_by_counting(cells: frozenset[PlainCell]) -> str | None:
    """The shape of four joined cells, told by how many neighbours each has; None for a square."""
    degrees = sorted(len(edge_neighbours(cell) & cells) for cell in cells)
    if degrees == [1, 1, 1, 3]:
        return "T"
    if degrees == [2, 2, 2, 2]:
        return None
    rows = sorted(row for row, _ in cells)
    columns = sorted(column for _, column in cells)
    for side in (rows, columns):
        if side[0] == side[3]:
            return "I"
    in_line = max(*map(rows.count, rows), *map(columns.count, columns))
    return "L" if in_line == 3 else "S"


def every_placement(board: Iterable[PlainCell]) -> set[PlainPiece]:
    """Every piece in every place, found by growing from each cell of the board."""
    board = frozenset(board)
    grown = {frozenset([cell]) for cell in board}
    for _ in range(3):
        grown = {
            cells | {neighbour}
            for cells in grown
            for cell in cells
            for neighbour in edge_neighbours(cell)
            if neighbour in board and neighbour not in cells
        }
    return {(shape, cells) for cells in grown if (shape := shape_by_counting(cells))}


def has_full_block(covered: set[PlainCell]) -> bool:
    return any(
        {(row, column + 1), (row + 1, column), (row + 1, column + 1)} <= covered
        for row, column in covered
    )


def may_play(
    board: Iterable[PlainCell],
    supply: dict[str, int],
    pieces: list[PlainPiece],
    move: PlainPiece,
) -> bool:
    """Whether a piece, well formed, may be played after these: the four rules and the board."""
    shape, cells = move
    covered = {cell for _, piece in pieces for cell in piece}
    return (
        cells <= set(board)
        and covered.isdisjoint(cells)
        and (not pieces or share_an_edge(cells, covered))
        and not any(letter == shape and share_an_edge(cells, piece) for letter, piece in pieces)
        and not has_full_block(covered | cells)
        and sum(letter == shape for letter, _ in pieces) < supply[shape]
    )


def is_legal_set(board: set[PlainCell], supply: dict[str, int], pieces: list[PlainPiece]) -> bool:
    """Whether some legal play leads to these pieces: their order is looked for, not assumed."""
    if not pieces:
        return True
    return any(
        may_play(board, supply, pieces[:index] + pieces[index + 1 :], last)
        and is_legal_set(board, supply, pieces[:index] + pieces[index + 1 :])
        for index, last in enumerate(pieces)
    )


def pairs_that_touch(placements: Iterable[PlainPiece]) -> Iterable[tuple[PlainPiece, PlainPiece]]:
    """Pairs of different shapes that may lie side by side: no overlap, no full 2x2 block."""
    for one, other in combinations(sorted(placements, key=lambda piece: sorted(piece[1])), 2):
        if (
            one[0] != other[0]
            and one[1].isdisjoint(other[1])
            and share_an_edge(one[1], other[1])
            and not has_full_block(set(one[1] | other[1]))
        ):
            yield one, other
