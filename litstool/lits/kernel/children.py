"""A position's moves: what is left after each, and which of them are worth searching.

A child is dropped when its bound cannot beat ``alpha``, and ends the search of its parent when its
bound from the other side already does.  The *reply* bound also takes off what the opponent's best
immediate reply gains.  The rest are ordered by gain, symbols left to gain less those left to lose,
and few replies left.

Nearly every position in which the mover can win is won by the first child that is searched.  So
the move of the table, or else the *killer*, which settled the last position at this ply, is looked
at first.  It often settles this one too by its bound; and where it nearly does, it is searched
before the other moves are looked at (*haste*).
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.lits.kernel.bounds import (
    SIXTHS,
    best_gain,
    price_of_cells,
    total_count,
    total_price,
)
from litstool.lits.kernel.claims import claim
from litstool.lits.kernel.state import BOUNDS, NO_MOVE, ORDER, PRICED, REPLY
from litstool.lits.kernels import MOST_BLOCKS
from litstool.lits.rows import (
    count,
    has_members,
    leading_zeros,
    no_members,
    put,
    row,
    trailing_zeros,
    without,
)
from litstool.search.compiling import inlined, lean_kernel

WEIGHT_GAIN, WEIGHT_REPLIES, WEIGHT_TO_GAIN, WEIGHT_TO_LOSE = 48, 1, 2, 6
"""How children are ordered: a symbol gained, a reply left, sixths of symbols still to gain and
still to lose.  Found by counting nodes of the endgames of ``benchmarks/solve.py``."""

FIRST = 1_000_000
"""The score of a child that is searched before the others."""

NEARLY = 12
"""A child whose lower bound is less than so much below ``alpha`` is nearly settled.  Found by
timing searches after a first move (6 and 9 leave more moves to look at, 30 more nodes)."""


@lean_kernel
def chains(tables, rows, lines):
    """Reduce row 0, candidates, to those that chains of candidates join to the ones in row 1.

    The result is written to row 1.
    """
    candidates = row(rows, 0, lines)
    joined = row(rows, 1, lines) & candidates
    done = no_members(lines)
    while True:
        fresh = without(joined, done)
        if not has_members(fresh):
            put(rows, 1, joined)
            return
        done = joined
        put(rows, 1, fresh)
        neighbours = no_members(lines)
        for word in range(rows.shape[1]):
            left = rows[1, word]
            while left != 0:
                placement = 64 * word + trailing_zeros(left)
                neighbours = neighbours | row(tables.touches, placement, lines)
                left &= left - np.uint64(1)
        joined = joined | (neighbours & candidates)


@inlined
def after(game, work, ply, alive, legal, move, fresh, lines):
    """The placements alive and legal after a move at a ply; ``fresh`` says the board is empty."""
    tables = game.tables
    forbidden = row(tables.conflicts, move, lines)
    for index in range(MOST_BLOCKS):
        # Without a branch: for blocks in which the move is the first, this repeats what the
        # conflicts say, and the list is filled up with a block that does nothing.
        block = tables.blocks[move, index]
        covered = np.int64(work.nibbles[ply, block]) | tables.parts[move, index]
        forbidden = forbidden | row(tables.over_all, 16 * block + (15 ^ covered), lines)
    next_alive = without(alive, forbidden)
    shape = tables.shape[move]
    if work.supply[ply, shape] == 1:
        next_alive = without(next_alive, row(tables.of_shape, shape, lines))
    next_legal = row(tables.touches, move, lines)
    if not fresh:
        next_legal = next_legal | legal
    return next_alive, next_legal & next_alive


@inlined
def put_down(game, work, ply, move):
    """Write covered cells, nibbles and supply after a move at a ply to the next."""
    tables = game.tables
    for block in range(work.nibbles.shape[1]):
        work.nibbles[ply + 1, block] = work.nibbles[ply, block]
    for index in range(tables.block_count[move]):
        work.nibbles[ply + 1, tables.blocks[move, index]] |= tables.parts[move, index]
    for word in range(4):
        work.covered[ply + 1, word] = work.covered[ply, word]
        work.supply[ply + 1, word] = work.supply[ply, word]
    for index in range(4):
        place = game.places[tables.cells[move, index]]
        work.covered[ply + 1, place >> 6] |= np.uint64(1) << np.uint64(place & 63)
    work.supply[ply + 1, tables.shape[move]] -= 1


@lean_kernel
def play_at_root(game, work, move, fresh, lines):
    """Play a move at ply 0 and put the position after it at ply 0; returns how many replies."""
    alive, legal = after(
        game,
        work,
        0,
        row(work.alive, 0, lines),
        row(work.legal, 0, lines),
        move,
        fresh,
        lines,
    )
    put_down(game, work, 0, move)
    put(work.alive, 0, alive)
    put(work.legal, 0, legal)
    for block in range(work.nibbles.shape[1]):
        work.nibbles[0, block] = work.nibbles[1, block]
    for word in range(4):
        work.covered[0, word] = work.covered[1, word]
        work.supply[0, word] = work.supply[1, word]
    return count(legal)


@inlined
def expand(game, work, shared, control, ply, side, fresh, hint, hasty, techniques, lines):
    """Look at the pending moves of a ply; whether one settles it by its bound.

    Moves that are worth searching are added to the kept children, and the best bound of the
    others goes to ``best``.  The move ``hint`` comes first.  If ``hasty`` and the hint is nearly
    settled, the others stay pending.
    """
    bounds = (techniques & BOUNDS) != 0
    priced = (techniques & PRICED) != 0
    use_reply = (techniques & REPLY) != 0
    ordered = (techniques & ORDER) != 0
    tables = game.tables
    other = 1 - side
    words = work.alive.shape[1]
    start = ply * tables.shape.shape[0]
    alpha = work.alpha[ply]
    alive = row(work.alive, ply, lines)
    legal = row(work.legal, ply, lines)
    whole = work.whole[ply, side]
    best = work.best[ply]
    size = work.kept[ply]
    settled = False
    step = 0
    while step < words:
        # Placements are numbered by falling gain for X, so by rising gain for O.
        if hint != NO_MOVE:
            move = hint
            is_hint = True
            hint = NO_MOVE
            word = move >> 6
            if (work.pending[ply, word] >> np.uint64(move & 63)) & np.uint64(1) == 0:
                continue
        else:
            is_hint = False
            word = step if side == 0 else words - 1 - step
            left = work.pending[ply, word]
            if left == 0:
                step += 1
                continue
            move = 64 * word + (trailing_zeros(left) if side == 0 else 63 - leading_zeros(left))
        work.pending[ply, word] ^= np.uint64(1) << np.uint64(move & 63)
        gain = game.gains[side, move]
        high = 30_000
        sixths = 0
        if bounds:
            # The cells of the piece itself are worth nothing any more.
            sixths = whole - price_of_cells(game, work, ply, side, move)
            high = 3 * (gain + sixths // SIXTHS) + 1
        if high > alpha:
            next_alive, next_legal = after(game, work, ply, alive, legal, move, fresh, lines)
            replies = count(next_legal)
            if replies == 0:
                value = 3 * gain + 1
                if value > best:
                    best = value
                    work.best_move[ply] = move
                    if value > alpha:
                        settled = True
                        break
                continue
            reply = 0
            if use_reply and bounds:
                reply = best_gain(game, other, next_legal, lines)
                high = 3 * (gain + sixths // SIXTHS - reply) + 1
        if high > alpha:
            if priced:
                to_gain = total_price(game, work, ply, side, next_alive, lines)
            else:
                to_gain = total_count(game, work, ply, side, next_alive, lines)
            if bounds:
                high = 3 * (gain + to_gain // SIXTHS - reply) + 1
        if high <= alpha:
            claim(work, shared, control, ply, move, high, False)
            if high > best:
                best = high
                work.best_move[ply] = move
            continue
        if priced:
            to_lose = total_price(game, work, ply, other, next_alive, lines)
        else:
            to_lose = total_count(game, work, ply, other, next_alive, lines)
        low = 3 * (gain - to_lose // SIXTHS) - 1
        if bounds and low > alpha:
            claim(work, shared, control, ply, move, low, True)
            best = low
            work.best_move[ply] = move
            settled = True
            break
        score = WEIGHT_GAIN * gain
        if ordered:
            score += WEIGHT_TO_GAIN * to_gain - WEIGHT_TO_LOSE * to_lose - WEIGHT_REPLIES * replies
        stop = hasty and is_hint and low > alpha - NEARLY
        put(work.child_alive, start + size, next_alive)
        put(work.child_legal, start + size, next_legal)
        work.child_move[ply, size] = move
        work.child_score[ply, size] = FIRST if stop else score
        size += 1
        if stop:
            break
    work.best[ply] = best
    work.kept[ply] = size
    return settled
