"""The keys of a position: what still matters of it, as two numbers.

Positions are the same to the search when their future is: the same placements alive and legal, the
same side to move, the same covered cells in those 2x2 blocks that may still fill, and the same
supply as far as there are placements to use it.  The table is checked by 64 bits of one key and 33
of another.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.lits.rows import count, mixed, row
from litstool.search.compiling import inlined


@inlined
def scramble(word):
    """Mix the bits of a word, one to one."""
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0xA0761D6478BD642F)
    return word ^ (word >> np.uint64(32))


@inlined
def make_keys(game, work, ply, side, alive, legal, only_relevant, lines):
    """The keys of the position at a ply, from what matters for its future alone."""
    # The 2x2 blocks that have a covered cell and whose other cells can all be covered.  On the
    # 16x16 board a cell's right neighbour is the next bit, the one below is 16 bits on.
    shut_below = np.uint64(0xFFFFFFFFFFFFFFFF)
    begun_below = np.uint64(0)
    for word in range(3, -1, -1):
        covered = work.covered[ply, word]
        shut = ~(covered | work.coverable[word])
        shut |= shut >> np.uint64(1)
        begun = covered | (covered >> np.uint64(1))
        fillable = (
            game.block_board[word]
            & ~(shut | (shut >> np.uint64(16)) | (shut_below << np.uint64(48)))
            & (begun | (begun >> np.uint64(16)) | (begun_below << np.uint64(48)))
        )
        work.fillable[word] = fillable | (fillable << np.uint64(1))
        shut_below = shut
        begun_below = begun
    rest = np.int64(side)
    for shape in range(4):
        left = work.supply[ply, shape]
        if only_relevant:
            left = min(left, count(alive & row(game.tables.of_shape, shape, lines)))
        rest = 32 * rest + left
    first = scramble(np.uint64(rest) + np.uint64(0x9E3779B97F4A7C15))
    second = scramble(np.uint64(rest) + np.uint64(0xD1B54A32D192ED03))
    fillable_above = np.uint64(0)
    for word in range(4):
        covered = work.covered[ply, word]
        if only_relevant:
            fillable = work.fillable[word]
            covered &= fillable | (fillable << np.uint64(16)) | (fillable_above >> np.uint64(48))
            fillable_above = fillable
        first = scramble(first ^ covered)
        second = scramble(second + covered * np.uint64(0xE7037ED1A0B428DB))
    first += mixed(alive, legal, game.mixers, 0, lines)
    second ^= mixed(alive, legal, game.mixers, 3, lines)
    work.keys[ply, 0] = scramble(first)
    work.keys[ply, 1] = second
