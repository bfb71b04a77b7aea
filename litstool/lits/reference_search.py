"""The same question as ``solver``, answered plainly: for tests and benchmarks only.

:func:`brute_force` is minimax in plain Python.  :func:`plain_search` is what one writes first in a
compiled language: alpha-beta with a transposition table and the moves tried by gain, from the
general kernels.  Neither knows the bounds, keys or tricks of ``lits/kernel``, so that agreement
means something, and the second is what its speed is measured against.

Values are those of ``solver``: 3 x (gain of the side to move from here on) + 1 if that side places
the last piece, - 1 if the other does.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc, call-arg"
# mypy: disable-error-code="var-annotated"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from litstool.lits.kernels import (
    MOST_PIECES,
    legal_moves,
    lines_of,
    place,
    stack_of,
    tables_of,
    words_of,
)
from litstool.lits.position import Position
from litstool.lits.rows import has_members, meets, put, row, trailing_zeros
from litstool.search.compiling import kernel
from litstool.search.results import OUTCOME
from litstool.search.table import aligned_zeros

_GAINS = 9
_INFINITE = 10_000


def brute_force(position: Position, known: dict[object, int] | None = None) -> int:
    """The value of a position by trying everything; -1 where there is no move.

    ``known`` remembers positions by their pieces' shapes and cells, whatever the order.
    """
    if known is None:
        known = {}
    key = (position.to_move, frozenset(position.pieces))
    if key not in known:
        known[key] = max(
            (
                3 * position.gain(move) - brute_force(position.placed(move), known)
                for move in position.moves()
            ),
            default=-1,
        )
    return known[key]


class PlainResult(NamedTuple):
    """The value (or a bound of the right sign where only the outcome was asked), and the nodes
    whose children were expanded."""

    value: int
    nodes: int


def plain_search(position: Position, objective: str, table_mib: int = 256) -> PlainResult:
    """Solve a position that is not finished by plain alpha-beta in compiled code."""
    tables = tables_of(position.pattern.outline)
    words = tables.covering.shape[1]
    levels = aligned_zeros((2 * _GAINS, words))
    gains = np.zeros((2, len(tables.shape)), dtype=np.int64)
    by_level: dict[tuple[int, int], int] = {}
    symbols = position.pattern
    for number in range(len(tables.shape)):
        cells = position.placements.cell_masks[number]
        gain = (symbols.o_cells & cells).bit_count() - (symbols.x_cells & cells).bit_count()
        for side, value in enumerate((gain, -gain)):
            gains[side, number] = value
            by_level[side, value] = by_level.get((side, value), 0) | 1 << number
    for (side, value), members in by_level.items():
        levels[side * _GAINS + 4 - value] = words_of(members, words)
    entries = 1 << ((table_mib << 20) // 32).bit_length() - 1
    margin = position.margin if position.to_move == "X" else -position.margin
    low, high = -_INFINITE, _INFINITE
    if objective == OUTCOME:
        low, high = -3 * margin, -3 * margin + 1
    covered = np.zeros((MOST_PIECES + 1, 4), dtype=np.uint64)
    cell_words = np.zeros((len(tables.shape), 4), dtype=np.uint64)
    covered[0] = words_of(position.covered, 4)
    for number, mask in enumerate(position.placements.cell_masks):
        cell_words[number] = words_of(mask, 4)
    value, nodes = _alpha_beta(
        tables,
        stack_of(position),
        gains,
        levels,
        cell_words,
        covered,
        np.zeros((entries, 3), dtype=np.uint64),
        "XO".index(position.to_move),
        not position.pieces,
        low,
        high,
        lines_of(tables),
    )
    return PlainResult(int(value), int(nodes))


@kernel
def _mix(word):
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@kernel
def _alpha_beta(
    tables, stack, gains, levels, cell_words, covered, table, first_side, fresh, low, high, lines
):
    plies = stack.alive.shape[0]
    moves = np.zeros((plies, stack.alive.shape[1]), dtype=np.uint64)
    alphas = np.zeros(plies, dtype=np.int64)
    betas = np.zeros(plies, dtype=np.int64)
    starts = np.zeros(plies, dtype=np.int64)
    bests = np.zeros(plies, dtype=np.int64)
    current = np.zeros(plies, dtype=np.int64)
    keys = np.zeros((plies, 2), dtype=np.uint64)
    mask = np.uint64(table.shape[0] - 1)
    nodes = 0
    ply = 0
    alphas[0] = low
    betas[0] = high
    entering = True
    result = 0
    while True:
        side = (first_side + ply) & 1
        if entering:
            legal = legal_moves(tables, stack, ply, lines)
            if not has_members(legal):
                result = -1
                entering = False
                continue
            # The position as such: placements alive and in reach, cells covered, supply, side.
            first = _mix(np.uint64(side + 1))
            second = _mix(first)
            for word in range(stack.alive.shape[1]):
                first = _mix(first ^ stack.alive[ply, word])
                second = _mix(second + stack.alive[ply, word])
                first = _mix(first ^ stack.reach[ply, word])
                second = _mix(second + stack.reach[ply, word])
            for word in range(4):
                first = _mix(first ^ covered[ply, word])
                second = _mix(second + covered[ply, word])
                first = _mix(first ^ np.uint64(stack.supply[ply, word]))
                second = _mix(second + np.uint64(stack.supply[ply, word]))
            keys[ply, 0] = first
            keys[ply, 1] = second
            slot = np.int64(first & mask)
            if table[slot, 0] == first and table[slot, 1] == second and table[slot, 2] != 0:
                kind = table[slot, 2] & np.uint64(3)
                value = np.int64(table[slot, 2] >> np.uint64(2)) - _INFINITE
                if (
                    kind == 3
                    or (kind == 1 and value >= betas[ply])
                    or (kind == 2 and value <= alphas[ply])
                ):
                    result = value
                    entering = False
                    if ply == 0:
                        return result, nodes
                    continue
            nodes += 1
            put(moves, ply, legal)
            starts[ply] = alphas[ply]
            bests[ply] = -_INFINITE
        else:
            if ply == 0:
                return result, nodes
            ply -= 1
            side = 1 - side
            value = 3 * gains[side, current[ply]] - result
            bests[ply] = max(bests[ply], value)
            alphas[ply] = max(alphas[ply], value)
        entering = False
        move = -1
        if bests[ply] < betas[ply]:
            left = row(moves, ply, lines)
            for level in range(_GAINS):
                members = row(levels, side * _GAINS + level, lines)
                if meets(left, members):
                    for word in range(moves.shape[1]):
                        both = moves[ply, word] & levels[side * _GAINS + level, word]
                        if both != 0:
                            move = 64 * word + trailing_zeros(both)
                            moves[ply, word] ^= both & (~both + np.uint64(1))
                            break
                    break
        if move < 0:
            result = bests[ply]
            kind = 3
            if result >= betas[ply]:
                kind = 1
            elif result <= starts[ply]:
                kind = 2
            slot = np.int64(keys[ply, 0] & mask)
            table[slot, 0] = keys[ply, 0]
            table[slot, 1] = keys[ply, 1]
            table[slot, 2] = (np.uint64(result + _INFINITE) << np.uint64(2)) | np.uint64(kind)
            continue
        place(tables, stack, ply, move, fresh and ply == 0, lines)
        for word in range(4):
            covered[ply + 1, word] = covered[ply, word] | cell_words[move, word]
        current[ply] = move
        gain = 3 * gains[side, move]
        alphas[ply + 1] = gain - betas[ply]
        betas[ply + 1] = gain - alphas[ply]
        ply += 1
        entering = True


def value_of(position: Position, margin: int, last_mover: str) -> int:
    """The value that stands for X's final margin and the last mover."""
    now = position.margin
    gain = margin - now if position.to_move == "X" else now - margin
    return 3 * gain + (1 if last_mover == position.to_move else -1)
