"""A position's game over the placements that may still be played, as the compiled search takes it.

Placements that can no longer be played are left out and the others numbered anew, so that sets of
them are as short as the position allows.
"""

from __future__ import annotations

import numpy as np

from litstool.grid import bits
from litstool.lits.kernel.children import chains
from litstool.lits.kernel.state import NO_MOVE, SearchTables, Work
from litstool.lits.kernels import (
    empty_tables,
    fill_tables,
    geometry_of,
    lines_of,
    nibbles_of,
    set_of,
    tables_of,
    words_of,
)
from litstool.lits.position import Position
from litstool.lits.rows import WORDS_A_LINE
from litstool.search.table import aligned_zeros


def candidates_of(position: Position) -> np.ndarray:
    """The numbers of the placements that may still be played: the alive ones of shapes in the
    supply that chains of such placements join to a piece."""
    full = tables_of(position.pattern.outline)
    words = full.covering.shape[1]
    candidates = position.alive
    for shape, left in enumerate(position.supply_left):
        if left <= 0:
            candidates &= ~set_of(full.of_shape[shape])
    if position.pieces:
        rows = aligned_zeros((2, words))
        rows[0] = words_of(candidates, words)
        rows[1] = words_of(candidates & position.reach, words)
        chains(full, rows, lines_of(full))
        candidates = set_of(rows[1])
    return np.fromiter(bits(candidates), dtype=np.int64)


def compact_game(position: Position) -> tuple[SearchTables, np.ndarray]:
    """The tables of a position's game, over the placements that may still be played.

    They are numbered by falling gain for X.  Returns also their numbers in the outline's tables.
    """
    pattern, outline = position.pattern, position.pattern.outline
    full = tables_of(outline)
    numbers = candidates_of(position)
    size = outline.rows * outline.columns
    symbols = np.zeros((2, size), dtype=np.int64)
    for side, owned in enumerate((pattern.x_cells, pattern.o_cells)):
        symbols[side, list(bits(owned & ~position.covered))] = 1
    covers = symbols[:, full.cells[numbers]].sum(axis=2)
    order = np.argsort(covers[0] - covers[1], kind="stable")
    numbers, covers = numbers[order], covers[:, order]

    geometry = geometry_of(outline)
    tables = empty_tables(len(numbers), size, len(geometry.block_cells))
    tables.cells[:] = full.cells[numbers]
    tables.shape[:] = full.shape[numbers]
    row_lines = lines_of(tables)
    fill_tables(tables, len(numbers), geometry, row_lines)
    words = WORDS_A_LINE * len(row_lines)
    gains = np.stack([covers[1] - covers[0], covers[0] - covers[1]])
    cells, cell_counts = _coverable_cells(symbols, tables.cells)
    every = np.arange(size)
    places = every // outline.columns * 16 + every % outline.columns
    blocks = sum(1 << int(places[block[0]]) for block in geometry.block_cells)
    game = SearchTables(
        tables=tables,
        gains=gains,
        classes=_classes(covers, words),
        gaining=_gaining(gains, words),
        cells=cells,
        cell_counts=cell_counts,
        places=places,
        block_board=words_of(blocks, 4).copy(),
        mixers=_mixers(words),
    )
    return game, numbers


def _classes(covers: np.ndarray, words: int) -> np.ndarray:
    """``SearchTables.classes`` of placements that cover so many symbols of X and of O (2 x n)."""
    classes = aligned_zeros((6, words))
    for side in range(2):
        own, other = covers[side], covers[1 - side]
        pure = (own == 0) & (other > 0)
        three_for_one = pure | (own == 1) & (other == 3)
        two_for_one = three_for_one | (own == 1) & (other == 2)
        for kind, chosen in enumerate((pure, three_for_one, two_for_one)):
            classes[3 * side + kind] = _row_of(chosen, words)
    return classes


def _gaining(gains: np.ndarray, words: int) -> np.ndarray:
    """``SearchTables.gaining`` of placements with these gains (2 x n)."""
    gaining = aligned_zeros((8, words))
    for side in range(2):
        for least in range(1, 5):
            gaining[4 * side + least - 1] = _row_of(gains[side] >= least, words)
    return gaining


def _coverable_cells(symbols: np.ndarray, piece_cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cells of some placement by their symbols, as ``SearchTables`` has them, and how many."""
    size = symbols.shape[1]
    coverable = np.zeros(size, dtype=bool)
    coverable[piece_cells.ravel()] = True
    cells = np.zeros((3, size), dtype=np.int64)
    cell_counts = np.zeros(3, dtype=np.int64)
    for kind, wanted in enumerate((symbols[0] > 0, symbols[1] > 0, symbols.sum(axis=0) == 0)):
        found = np.flatnonzero(coverable & wanted)
        cell_counts[kind] = len(found)
        cells[kind, : len(found)] = found
    return cells, cell_counts


def _mixers(words: int) -> np.ndarray:
    """``SearchTables.mixers``, the same in every process."""
    mixers = aligned_zeros((6, words))
    mixers[:] = np.random.default_rng(1).integers(0, 2**63, size=mixers.shape, dtype=np.uint64)
    mixers *= np.uint64(2)
    mixers += np.uint64(1)
    return mixers


def _row_of(chosen: np.ndarray, words: int) -> np.ndarray:
    """A set of placements, given by a flag for each, as words."""
    flags = np.zeros(64 * words, dtype=np.uint8)
    flags[: len(chosen)] = chosen
    return np.packbits(flags, bitorder="little").view(np.uint64)


def work_of(position: Position, game: SearchTables, numbers: np.ndarray) -> Work:
    """Room for one search, with the position at ply 0."""
    placements, words = game.tables.conflicts.shape
    size = len(game.places)
    blocks = game.tables.over_all.shape[0] // 16  # the one that is not there included
    plies = min(sum(position.supply_left), 64, len(game.places) // 4) + 3

    def integers(*shape: int) -> np.ndarray:
        return np.zeros((plies, *shape), dtype=np.int64)

    work = Work(
        alive=aligned_zeros((plies, words)),
        legal=aligned_zeros((plies, words)),
        covered=np.zeros((plies, 4), dtype=np.uint64),
        nibbles=np.zeros((plies, -(-blocks // 64) * 64), dtype=np.uint8),
        supply=integers(4),
        lists=np.zeros((plies + 1, 3, size), dtype=np.int64),
        list_counts=np.zeros((plies + 1, 3), dtype=np.int64),
        prices=integers(2, size),
        whole=integers(2),
        keys=np.zeros((plies, 2), dtype=np.uint64),
        size=integers(),
        pending=aligned_zeros((plies, words)),
        child_alive=aligned_zeros((plies * placements, words)),
        child_legal=aligned_zeros((plies * placements, words)),
        child_move=integers(placements),
        child_score=integers(placements),
        kept=integers(),
        alpha=integers(),
        best=integers(),
        best_move=integers(),
        current=integers(),
        entered=integers(),
        searched=integers(),
        mark=np.zeros(plies, dtype=np.uint64),
        killer=np.full(plies, NO_MOVE),
        coverable=np.zeros(4, dtype=np.uint64),
        fillable=np.zeros(4, dtype=np.uint64),
    )
    every = np.ones(placements, dtype=bool)
    work.alive[0] = _row_of(every, words)
    if position.pieces:
        in_reach = words_of(position.reach, tables_of(position.pattern.outline).covering.shape[1])
        every = (in_reach[numbers >> 6] >> (numbers & 63).astype(np.uint64)) & np.uint64(1) == 1
    work.legal[0] = _row_of(every, words)
    nibbles = nibbles_of(position)
    work.nibbles[0, : len(nibbles)] = nibbles
    covered = 0
    for cell in bits(position.covered):
        covered |= 1 << int(game.places[cell])
    work.covered[0] = words_of(covered, 4)
    work.supply[0] = position.supply_left
    work.lists[0] = game.cells
    work.list_counts[0] = game.cell_counts
    return work
