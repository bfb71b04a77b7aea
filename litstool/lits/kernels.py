"""Compiled inner loops: tables of one board, the move and perft.

The same rules as ``position``, on rows of ``uint64`` words instead of Python's whole numbers (see
``rows``).  The state of a game is one row of each array of a :class:`Stack`; a move from ply k is
written to ply k + 1, so nothing is ever taken back.

A 2x2 block of the board keeps the *nibble* of its covered cells (1 top left, 2 top right, 4 bottom
left, 8 bottom right).  A piece changes the nibbles of the blocks that it has cells in, and all
placements over *all* the cells that are then still open in such a block die.  Where the piece is
the first in the block, the table ``conflicts`` says so already.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from litstool.grid import Outline, bits
from litstool.lits.placements import SHAPES, placements_of
from litstool.lits.position import Position
from litstool.lits.rows import (
    WORDS_A_LINE,
    count,
    lines_for,
    no_members,
    put,
    row,
    trailing_zeros,
    without,
)
from litstool.search.compiling import kernel
from litstool.search.table import aligned_zeros

MOST_BLOCKS = 10
"""Of the 2x2 blocks of a board, no tetromino has cells in more than this."""

MOST_PIECES = 64
"""A board of 16x16 cells has no room for more."""


class Tables(NamedTuple):
    """What every placement of a board does, as arrays (n placements, w words a row, b blocks).

    ``cells``       n x 4, row x columns + column
    ``shape``       n, 0 to 3 in the order L I T S
    ``of_shape``    4 x w, the placements of a shape
    ``covering``    cells x w, the placements over a cell
    ``conflicts``   n x w, the placements that one forbids whatever else is on the board: overlap,
                    contact of equal shapes, a 2x2 block filled by the two
    ``touches``     n x w, the placements that share an edge with one
    ``blocks``      n x 10, the blocks that a placement has cells in, first ``block_count`` (n);
                    the rest of the ten name a block b that is not there and does nothing
    ``parts``       n x 10, the nibble of its cells in each of them
    ``over_all``    16 (b + 1) x w, at 16 j + k the placements over all cells of nibble k of
                    block j (nibble 0: none)
    """

    cells: np.ndarray
    shape: np.ndarray
    of_shape: np.ndarray
    covering: np.ndarray
    conflicts: np.ndarray
    touches: np.ndarray
    blocks: np.ndarray
    block_count: np.ndarray
    parts: np.ndarray
    over_all: np.ndarray


class Stack(NamedTuple):
    """The states of a game ply by ply: sets ``alive`` and ``reach`` (plies x w words), the nibble
    of covered cells of each block (plies x b), the pieces left of each shape (plies x 4)."""

    alive: np.ndarray
    reach: np.ndarray
    nibbles: np.ndarray
    supply: np.ndarray


class Geometry(NamedTuple):
    """An outline as arrays: the edge ``neighbours`` of each cell (-1 for none), the cells of each
    block, and the blocks of each cell with the cell's bit in each (-1, 0 for none)."""

    neighbours: np.ndarray
    block_cells: np.ndarray
    cell_blocks: np.ndarray
    cell_bits: np.ndarray


@lru_cache(maxsize=32)
def geometry_of(outline: Outline) -> Geometry:
    """The arrays of an outline."""
    size = outline.rows * outline.columns

    def number(cell) -> int:
        return cell[0] * outline.columns + cell[1]

    neighbours = np.full((size, 4), -1, dtype=np.int64)
    for cell in outline.cells:
        for side, neighbour in enumerate(cell.edge_neighbours()):
            if neighbour in outline:
                neighbours[number(cell), side] = number(neighbour)
    blocks = outline.blocks()
    block_cells = np.array(
        [[number(cell) for cell in block] for block in blocks], dtype=np.int64
    ).reshape(len(blocks), 4)
    cell_blocks = np.full((size, 4), -1, dtype=np.int64)
    cell_bits = np.zeros((size, 4), dtype=np.int64)
    filled = [0] * size
    for block, cells in enumerate(block_cells):
        for position, cell in enumerate(cells):
            cell_blocks[cell, filled[cell]] = block
            cell_bits[cell, filled[cell]] = 1 << position
            filled[cell] += 1
    return Geometry(neighbours, block_cells, cell_blocks, cell_bits)


def empty_tables(placements: int, size: int, blocks: int) -> Tables:
    """Arrays of the right sizes for :func:`fill_tables`."""
    words = WORDS_A_LINE * len(lines_for(placements))
    return Tables(
        np.zeros((placements, 4), dtype=np.int64),
        np.zeros(placements, dtype=np.int64),
        aligned_zeros((4, words)),
        aligned_zeros((size, words)),
        aligned_zeros((placements, words)),
        aligned_zeros((placements, words)),
        np.full((placements, MOST_BLOCKS), blocks, dtype=np.int64),
        np.zeros(placements, dtype=np.int64),
        np.zeros((placements, MOST_BLOCKS), dtype=np.int64),
        aligned_zeros((16 * (blocks + 1), words)),
    )


@kernel
def fill_tables(tables, number, geometry, lines):
    """Work out the tables of the first ``number`` placements from their cells and shapes."""
    one = np.uint64(1)
    tables.covering[:] = 0
    tables.of_shape[:] = 0
    for placement in range(number):
        bit = one << np.uint64(placement & 63)
        tables.of_shape[tables.shape[placement], placement >> 6] |= bit
        for cell in tables.cells[placement]:
            tables.covering[cell, placement >> 6] |= bit
    for placement in range(number):
        overlapping = no_members(lines)
        neighbouring = no_members(lines)
        blocks = 0
        for cell in tables.cells[placement]:
            overlapping = overlapping | row(tables.covering, cell, lines)
            for neighbour in geometry.neighbours[cell]:
                if neighbour >= 0:
                    neighbouring = neighbouring | row(tables.covering, neighbour, lines)
            for corner in range(4):
                block = geometry.cell_blocks[cell, corner]
                if block < 0:
                    break
                place = 0
                while place < blocks and tables.blocks[placement, place] != block:
                    place += 1
                if place == blocks:
                    tables.blocks[placement, place] = block
                    tables.parts[placement, place] = 0
                    blocks += 1
                tables.parts[placement, place] |= geometry.cell_bits[cell, corner]
        tables.block_count[placement] = blocks
        same_shape = row(tables.of_shape, tables.shape[placement], lines)
        put(tables.conflicts, placement, overlapping | (neighbouring & same_shape))
        put(tables.touches, placement, without(neighbouring, overlapping))
    _fill_blocks(tables, geometry, lines)
    for placement in range(number):
        forbidden = row(tables.conflicts, placement, lines)
        for index in range(tables.block_count[placement]):
            open_cells = 15 ^ tables.parts[placement, index]
            over = row(
                tables.over_all,
                16 * tables.blocks[placement, index] + open_cells,
                lines,
            )
            forbidden = forbidden | over
        put(tables.conflicts, placement, forbidden)


@kernel
def _fill_blocks(tables, geometry, lines):
    for block in range(geometry.block_cells.shape[0]):
        put(tables.over_all, 16 * block, no_members(lines))
        for corner in range(4):
            first = 1 << corner
            covering = row(tables.covering, geometry.block_cells[block, corner], lines)
            put(tables.over_all, 16 * block + first, covering)
            for lower in range(1, first):
                both = covering & row(tables.over_all, 16 * block + lower, lines)
                put(tables.over_all, 16 * block + first + lower, both)


@lru_cache(maxsize=32)
def tables_of(outline: Outline) -> Tables:
    """The tables of an outline, placements numbered as in ``placements_of(outline)``."""
    every = placements_of(outline).all
    geometry = geometry_of(outline)
    tables = empty_tables(len(every), len(geometry.neighbours), len(geometry.block_cells))
    for number, placement in enumerate(every):
        tables.cells[number] = [
            cell.row * outline.columns + cell.column for cell in placement.cells
        ]
        tables.shape[number] = SHAPES.index(placement.shape)
    fill_tables(tables, len(every), geometry, lines_of(tables))
    return tables


def lines_of(tables: Tables) -> tuple[int, ...]:
    """The ``lines`` argument for rows of these tables."""
    return (0,) * (tables.covering.shape[1] // WORDS_A_LINE)


def words_of(members: int, words: int) -> np.ndarray:
    """A set of placements, written as the bits of a whole number, as a row of words."""
    return np.frombuffer(members.to_bytes(8 * words, "little"), dtype=np.uint64)


def set_of(words: np.ndarray) -> int:
    """The other way: a row of words as the bits of a whole number."""
    return int.from_bytes(np.ascontiguousarray(words).tobytes(), "little")


def nibbles_of(position: Position) -> np.ndarray:
    """The nibble of covered cells of each 2x2 block."""
    geometry = geometry_of(position.pattern.outline)
    covered = np.zeros(len(geometry.neighbours), dtype=np.uint8)
    covered[list(bits(position.covered))] = 1
    return (covered[geometry.block_cells] << np.arange(4, dtype=np.uint8)).sum(
        axis=1, dtype=np.uint8
    )


def stack_of(position: Position, plies: int = MOST_PIECES + 1) -> Stack:
    """A stack whose ply 0 is the position.  On an empty board every placement is in reach."""
    outline = position.pattern.outline
    words = tables_of(outline).covering.shape[1]
    geometry = geometry_of(outline)
    stack = Stack(
        aligned_zeros((plies, words)),
        aligned_zeros((plies, words)),
        np.zeros((plies, len(geometry.block_cells)), dtype=np.uint8),
        np.zeros((plies, 4), dtype=np.int64),
    )
    stack.alive[0] = words_of(position.alive, words)
    stack.reach[0] = words_of(position.reach if position.pieces else position.alive, words)
    stack.nibbles[0] = nibbles_of(position)
    stack.supply[0] = position.supply_left
    return stack


@kernel
def legal_moves(tables, stack, ply, lines):
    """The legal moves at a ply as a row: alive, in reach, and of a shape still in the supply."""
    moves = row(stack.alive, ply, lines) & row(stack.reach, ply, lines)
    for shape in range(4):
        if stack.supply[ply, shape] <= 0:
            moves = without(moves, row(tables.of_shape, shape, lines))
    return moves


@kernel
def place(tables, stack, ply, placement, first, lines):
    """Play a placement at a ply and write the state to the next.

    ``first`` says that the board was empty: then every placement was in reach without a piece to
    touch, and now only those that touch this one are.
    """
    alive = without(row(stack.alive, ply, lines), row(tables.conflicts, placement, lines))
    for block in range(stack.nibbles.shape[1]):
        stack.nibbles[ply + 1, block] = stack.nibbles[ply, block]
    for index in range(tables.block_count[placement]):
        block = tables.blocks[placement, index]
        before = stack.nibbles[ply, block]
        covered = before | tables.parts[placement, index]
        stack.nibbles[ply + 1, block] = covered
        if before != 0:
            alive = without(alive, row(tables.over_all, 16 * block + (15 ^ covered), lines))
    reach = row(tables.touches, placement, lines)
    if not first:
        reach = reach | row(stack.reach, ply, lines)
    put(stack.alive, ply + 1, alive)
    put(stack.reach, ply + 1, reach)
    for shape in range(4):
        stack.supply[ply + 1, shape] = stack.supply[ply, shape]
    stack.supply[ply + 1, tables.shape[placement]] -= 1


@kernel
def count_games(tables, stack, moves, left, plies, first, lines):
    """How many ways there are to play the next ``plies`` moves from ply 0.

    ``first`` says that the board is empty; ``moves`` and ``left`` are scratch of ``plies`` + 1
    rows and numbers.
    """
    if plies == 0:
        return 1
    found = 0
    ply = 0
    put(moves, 0, legal_moves(tables, stack, 0, lines))
    while ply >= 0:
        if ply == plies - 1:
            found += count(row(moves, ply, lines))
            ply -= 1
            continue
        placement = -1
        for word in range(moves.shape[1]):
            if moves[ply, word] != 0:
                placement = 64 * word + trailing_zeros(moves[ply, word])
                moves[ply, word] &= moves[ply, word] - np.uint64(1)
                break
        if placement < 0:
            ply -= 1
            continue
        place(tables, stack, ply, placement, first and ply == 0, lines)
        ply += 1
        put(moves, ply, legal_moves(tables, stack, ply, lines))
    return found


def perft(position: Position, plies: int) -> int:
    """How many ways there are to play the next ``plies`` moves, the swap left aside."""
    tables = tables_of(position.pattern.outline)
    moves = aligned_zeros((plies + 1, tables.covering.shape[1]))
    stack = stack_of(position, plies + 1)
    first = not position.pieces
    return int(count_games(tables, stack, moves, np.zeros(1), plies, first, lines_of(tables)))


@kernel
def member(table, index, which):
    """The member number ``which``, counted from 0, of the set in a row of a table."""
    word = 0
    while True:
        here = 0
        bits_left = table[index, word]
        while bits_left != 0:
            bits_left &= bits_left - np.uint64(1)
            here += 1
        if which < here:
            break
        which -= here
        word += 1
    bits_left = table[index, word]
    for _ in range(which):
        bits_left &= bits_left - np.uint64(1)
    return 64 * word + trailing_zeros(bits_left)
