"""The compiled search: is a position worth more than ``alpha`` to the side to move?

A null-window negamax with a transposition table over the game's future gains (values: see
``solver``), written as one loop over a stack of plies.  It always returns a proven bound on the
value: from below if above ``alpha``, from above otherwise ("fail-soft").

What keeps the tree small, in the order of a node's life:

*Key of what still matters.*  Positions are the same to the search when their future is: the same
placements alive and legal, the same side to move, the same covered cells in those 2x2 blocks that
may still fill, and the same supply as far as there are placements to use it.  The table is checked
by 64 bits of one key and 33 of another.

*Bounds.*  What a side can still gain is at most the sum of the *prices* of the other's symbols.
A price is chosen so that no placement gains more than its cells cost: 1 for a symbol that some
live placement covers without covering one of the gainer's own; else 2/3 where the best placement
over it takes three symbols for one, 1/2 where two for one, and nothing where only placements
without profit are left.  A child is dropped when its bound cannot beat ``alpha`` and ends the
search of its parent when its bound from the other side already does.  The *reply* bound also takes
off what the opponent's best immediate reply gains.

*Order.*  Children by gain, symbols left to gain less those left to lose, and few replies left.

Several threads may run this on the same question with one table: each puts off, once, a child
that another is at work on, and leaves a subtree when the table shows that it is settled (after
T. Kerrigan's simplified ABDADA).
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from litstool.compiling import inlined, kernel
from litstool.lits.kernels import MOST_BLOCKS, Tables
from litstool.lits.rows import (
    count,
    has_members,
    leading_zeros,
    meets,
    mixed,
    no_members,
    put,
    row,
    trailing_zeros,
    without,
)

BOUNDS, PRICED, REPLY, ORDER, KEY = 1, 2, 4, 8, 16
ALL_TECHNIQUES = 31
"""Flags of what the search uses; switched off only to measure or to test."""

NO_MOVE = 8191
STOPPED = -100_000
UNKNOWN_LOW, UNKNOWN_HIGH = -1024, 1023
"""Bounds in the table where nothing is known.  Values are within 3 x 256 + 1."""

# Entries of the control array, which the search and its caller share.
(
    STOP,  # 1 asks the search to stop
    NODES,  # nodes expanded so far
    NODE_LIMIT,  # stop after so many
    ROOT_DONE,  # root moves searched
    ROOT_TOTAL,  # root moves in all
    ROOT_BEST,  # the best root move
    CLUSTERS,  # clusters of the table in use
    STORED,  # entries stored since the table was new
    TEAM,  # threads at work on the question
    CLAIMS,  # claims written for an audit
    CONTROL_SIZE,
) = range(11)

WEIGHT_GAIN, WEIGHT_REPLIES, WEIGHT_TO_GAIN, WEIGHT_TO_LOSE = 48, 1, 2, 6
"""How children are ordered: a symbol gained, a reply left, sixths of symbols still to gain and
still to lose."""

TEAM_SIZE_LEAST = 90
"""Positions with fewer live placements are too small to share among threads."""

_POLL_NODES = 1024
_PUT_OFF = 1 << 40


class Game(NamedTuple):
    """What does not change in a search (n placements, w words a row, c cells).

    ``tables``       of the placements that may still be played, numbered by falling gain for X
    ``gains``        2 x n, for X and for O
    ``classes``      6 x w: 3 x side + k, the placements that gain for the side without covering
                     its own symbols (k = 0), or also three for one (1), or also two for one (2)
    ``gaining``      8 x w: 4 x side + k - 1, the placements that gain the side at least k
    ``cells``        3 x c, first ``cell_counts``: coverable X symbols, O symbols, blank cells
    ``places``       c, the cells as bits of a 16x16 board (4 words)
    ``block_board``  4 words, the top left cells of the 2x2 blocks on that board
    ``mixers``       6 x w, random odd numbers for the keys
    """

    tables: Tables
    gains: np.ndarray
    classes: np.ndarray
    gaining: np.ndarray
    cells: np.ndarray
    cell_counts: np.ndarray
    places: np.ndarray
    block_board: np.ndarray
    mixers: np.ndarray


class Work(NamedTuple):
    """The stack of one search, ply by ply.

    The position: ``alive`` and ``legal`` placements (of shapes in the supply), ``covered`` cells
    (4 words), ``nibbles`` of the 2x2 blocks, ``supply`` left.

    What was found out about it: ``lists``, of the cells that can still be covered (ply k's own
    are at k + 1, its parent's at k), ``prices`` of cells and their sum ``whole``, for X and for O
    as the side that gains; ``keys``; ``size``, the number of live placements.

    Its children that are still to be searched, first ``kept`` of: ``child_alive``,
    ``child_legal`` (at ply x n + number), ``child_move``, ``child_score``.  The search:
    ``alpha``, ``best`` value and ``best_move`` so far, the ``current`` move, the node count when
    it was ``entered``, how many children were ``searched``, the ``mark`` that tells other threads
    of the current child.
    """

    alive: np.ndarray
    legal: np.ndarray
    covered: np.ndarray
    nibbles: np.ndarray
    supply: np.ndarray
    lists: np.ndarray
    list_counts: np.ndarray
    prices: np.ndarray
    whole: np.ndarray
    keys: np.ndarray
    size: np.ndarray
    child_alive: np.ndarray
    child_legal: np.ndarray
    child_move: np.ndarray
    child_score: np.ndarray
    kept: np.ndarray
    alpha: np.ndarray
    best: np.ndarray
    best_move: np.ndarray
    current: np.ndarray
    entered: np.ndarray
    searched: np.ndarray
    mark: np.ndarray
    coverable: np.ndarray
    fillable: np.ndarray
    moves: np.ndarray


class Shared(NamedTuple):
    """What the threads of a search share: the transposition table, in clusters of four entries
    of two words, and the marks of the children that are being searched.

    ``claims``, empty but in tests, takes what the search concludes: see :func:`claim`.
    """

    table: np.ndarray
    busy: np.ndarray
    claims: np.ndarray


@inlined
def scramble(word):
    """Mix the bits of a word, one to one."""
    word = (word ^ (word >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    word = (word ^ (word >> np.uint64(29))) * np.uint64(0xA0761D6478BD642F)
    return word ^ (word >> np.uint64(32))


@inlined
def price(over, pure, three_for_one, two_for_one):
    """What a symbol is worth at most, in sixths, from the placements over it and live classes."""
    return (
        2 * np.int64(meets(pure, over))
        + np.int64(meets(three_for_one, over))
        + 3 * np.int64(meets(two_for_one, over))
    )


@inlined
def survey(game, work, ply, alive, priced, lines):
    """List the cells that can still be covered, among the parent's, and price the symbols."""
    for word in range(4):
        work.coverable[word] = 0
    for kind in range(3):
        gainer = (1 - kind) & 1
        pure = alive & row(game.classes, 3 * gainer, lines)
        three_for_one = alive & row(game.classes, 3 * gainer + 1, lines)
        two_for_one = alive & row(game.classes, 3 * gainer + 2, lines)
        total = 0
        size = 0
        for index in range(work.list_counts[ply, kind]):
            cell = work.lists[ply, kind, index]
            over = row(game.tables.covering, cell, lines)
            if not meets(alive, over):
                continue
            work.lists[ply + 1, kind, size] = cell
            size += 1
            place = game.places[cell]
            work.coverable[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
            if kind < 2:
                worth = price(over, pure, three_for_one, two_for_one) if priced else 6
                work.prices[ply, gainer, cell] = worth
                total += worth
        work.list_counts[ply + 1, kind] = size
        if kind < 2:
            work.whole[ply, gainer] = total


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


# A table entry is two words: the second key exclusive-or the data, and the data.  Two threads
# that write one entry at once leave words that do not fit, which counts as no entry.  The data
# from the lowest bit: upper and lower bound (11 bits each, + 1024), the best move (13), the
# logarithm of the nodes spent (6), bits 10 to 32 of the first key (23).


@inlined
def check_bits(key):
    return ((key >> np.uint64(10)) & np.uint64(0x7FFFFF)) << np.uint64(41)


@inlined
def find(table, mask, first, second):
    """The data of a position's entry; 0 for none."""
    cluster = np.int64(first & mask) * 4
    check = check_bits(first)
    found = np.uint64(0)
    for slot in range(4):
        data = table[cluster + slot, 1]
        if (
            table[cluster + slot, 0] ^ data == second
            and (data >> np.uint64(41)) << np.uint64(41) == check
        ):
            found = data
            break
    return found


@inlined
def upper_of(data):
    return np.int64(data & np.uint64(0x7FF)) + UNKNOWN_LOW


@inlined
def lower_of(data):
    return np.int64((data >> np.uint64(11)) & np.uint64(0x7FF)) + UNKNOWN_LOW


@inlined
def effort_of(data):
    return np.int64((data >> np.uint64(35)) & np.uint64(63))


@kernel
def store(table, mask, first, second, value, is_lower, move, spent):
    """Note a bound; of the four entries of the cluster the one with least effort gives way."""
    lower = np.int64(UNKNOWN_LOW)
    upper = np.int64(UNKNOWN_HIGH)
    if is_lower:
        lower = value
    else:
        upper = value
    effort = 0
    while spent > 1 and effort < 63:
        spent >>= 1
        effort += 1
    cluster = np.int64(first & mask) * 4
    check = check_bits(first)
    target = 0
    least = 1000
    for slot in range(4):
        data = table[cluster + slot, 1]
        if (
            table[cluster + slot, 0] ^ data == second
            and (data >> np.uint64(41)) << np.uint64(41) == check
        ):
            target = slot
            if is_lower:
                upper = upper_of(data)
            else:
                lower = lower_of(data)
            break
        worth = -1 if data == 0 else effort_of(data)
        if worth < least:
            least = worth
            target = slot
    data = (
        np.uint64(upper - UNKNOWN_LOW)
        | (np.uint64(lower - UNKNOWN_LOW) << np.uint64(11))
        | (np.uint64(move) << np.uint64(22))
        | (np.uint64(effort) << np.uint64(35))
        | check
    )
    table[cluster + target, 0] = second ^ data
    table[cluster + target, 1] = data


@kernel
def spread(table, clusters):
    """Have a table that used its first ``clusters`` clusters use four times as many.

    A small search so touches little memory.  The check bits of an entry hold the bits of the key
    that say where it goes, and every new cluster gets entries from one old one alone, so that
    there is room for all.
    """
    for old in range(clusters):
        for slot in range(4):
            data = table[4 * old + slot, 1]
            if data == 0:
                continue
            kept_bits = np.int64(data >> np.uint64(41)) << 10
            new = (kept_bits | (old & 1023)) & (4 * clusters - 1)
            if new == old:
                continue
            for target in range(4):
                if table[4 * new + target, 1] == 0:
                    table[4 * new + target, 0] = table[4 * old + slot, 0]
                    table[4 * new + target, 1] = data
                    break
            table[4 * old + slot, 0] = 0
            table[4 * old + slot, 1] = 0


@kernel
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


@kernel
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


@kernel
def claim(work, shared, control, ply, move, value, is_lower):
    """Write down a bound that the search relies on, for an audit.

    The bound is on the value of the position at a ply to its side to move, or where that side
    plays ``move``, if it is one.  A row of ``claims`` has: bound, whether a lower one, the move or
    NO_MOVE, the number of moves that lead from ply 0 to the position, those moves.
    """
    place = control[CLAIMS]
    if place < shared.claims.shape[0]:
        shared.claims[place, 0] = value
        shared.claims[place, 1] = is_lower
        shared.claims[place, 2] = move
        shared.claims[place, 3] = ply
        for above in range(ply):
            shared.claims[place, 4 + above] = work.current[above]
        control[CLAIMS] = place + 1


@kernel
def search(game, work, shared, control, first_side, fresh, root_alpha, techniques, lines):
    """Whether the position at ply 0 is worth more than ``root_alpha`` to the side to move.

    ``first_side`` is that side (0 for X, 1 for O), ``fresh`` says that the board is empty.  There
    must be a legal move.  Returns a proven bound on the value, a lower one if it is above
    ``root_alpha`` and an upper one if not, with the best move in ``control[ROOT_BEST]``; or
    STOPPED.
    """
    tables = game.tables
    table = shared.table
    busy = shared.busy
    mask = np.uint64(control[CLUSTERS] - 1)
    busy_mask = np.uint64(busy.shape[0] - 1)
    number = tables.shape.shape[0]
    words = work.alive.shape[1]
    bounds = (techniques & BOUNDS) != 0
    priced = (techniques & PRICED) != 0
    use_reply = (techniques & REPLY) != 0
    ordered = (techniques & ORDER) != 0
    only_relevant = (techniques & KEY) != 0
    team = control[TEAM] > 1
    audited = shared.claims.shape[0] > 0
    one = np.uint64(1)
    nodes = 0
    next_poll = _POLL_NODES
    ply = 0
    result = 0
    work.alpha[0] = root_alpha
    entering = True
    while True:
        side = (first_side + ply) & 1
        other = 1 - side
        if entering:
            # -- a new node: table, then all children ------------------------------------------
            alpha = work.alpha[ply]
            alive = row(work.alive, ply, lines)
            legal = row(work.legal, ply, lines)
            survey(game, work, ply, alive, priced, lines)
            make_keys(game, work, ply, side, alive, legal, only_relevant, lines)
            entering = False
            hint = NO_MOVE
            data = find(table, mask, work.keys[ply, 0], work.keys[ply, 1])
            if data != 0:
                if ply > 0:
                    if lower_of(data) > alpha:
                        result = lower_of(data)
                        if audited:
                            claim(work, shared, control, ply, NO_MOVE, result, True)
                        continue
                    if upper_of(data) <= alpha:
                        result = upper_of(data)
                        if audited:
                            claim(work, shared, control, ply, NO_MOVE, result, False)
                        continue
                hint = np.int64((data >> np.uint64(22)) & np.uint64(NO_MOVE))

            nodes += 1
            if nodes >= next_poll:
                next_poll = nodes + _POLL_NODES
                control[NODES] = nodes
                if control[STOP] != 0 or nodes > control[NODE_LIMIT]:
                    return STOPPED
                if team:
                    # Another thread may have settled one of the positions on the way here.
                    settled = 0
                    for above in range(1, ply):
                        data = find(table, mask, work.keys[above, 0], work.keys[above, 1])
                        if data != 0 and lower_of(data) > work.alpha[above]:
                            settled = above
                            result = lower_of(data)
                            break
                        if data != 0 and upper_of(data) <= work.alpha[above]:
                            settled = above
                            result = upper_of(data)
                            break
                    if settled > 0:
                        while ply > settled:
                            ply -= 1
                            if work.mark[ply] != 0:
                                busy[np.int64(work.mark[ply] & busy_mask)] = 0
                                work.mark[ply] = 0
                        continue
            work.entered[ply] = nodes
            work.searched[ply] = 0
            work.mark[ply] = 0
            if team:
                work.size[ply] = count(alive)
            best = -30_000
            best_move = NO_MOVE
            size = 0
            cut = False
            start = ply * number
            put(work.moves, 0, legal)
            to_gain = work.list_counts[ply + 1, other]
            to_lose = work.list_counts[ply + 1, side]
            whole = work.whole[ply, side]
            gain_pure = gain_three = gain_two = alive
            lose_pure = lose_three = lose_two = alive
            if priced:
                gain_pure = row(game.classes, 3 * side, lines)
                gain_three = row(game.classes, 3 * side + 1, lines)
                gain_two = row(game.classes, 3 * side + 2, lines)
                lose_pure = row(game.classes, 3 * other, lines)
                lose_three = row(game.classes, 3 * other + 1, lines)
                lose_two = row(game.classes, 3 * other + 2, lines)
            for step in range(words):
                # Placements are numbered by falling gain for X, so by rising gain for O.
                word = step if side == 0 else words - 1 - step
                left = work.moves[0, word]
                while left != 0:
                    bit = trailing_zeros(left) if side == 0 else 63 - leading_zeros(left)
                    left ^= one << np.uint64(bit)
                    move = 64 * word + bit
                    gain = game.gains[side, move]
                    if bounds:
                        # The cells of the piece itself are worth nothing any more.
                        sixths = whole
                        for index in range(4):
                            sixths -= work.prices[ply, side, tables.cells[move, index]]
                        high = 3 * (gain + sixths // 6) + 1
                        if high <= alpha:
                            if audited:
                                claim(work, shared, control, ply, move, high, False)
                            if high > best:
                                best = high
                                best_move = move
                            continue
                    next_alive, next_legal = after(
                        game, work, ply, alive, legal, move, fresh and ply == 0, lines
                    )
                    replies = count(next_legal)
                    if replies == 0:
                        value = 3 * gain + 1
                        if value > best:
                            best = value
                            best_move = move
                            if value > alpha:
                                cut = True
                                break
                        continue
                    gain_left = 0
                    pure = next_alive & gain_pure
                    three = next_alive & gain_three
                    two = next_alive & gain_two
                    for index in range(to_gain):
                        over = row(tables.covering, work.lists[ply + 1, other, index], lines)
                        gain_left += price(over, pure, three, two)
                    if bounds:
                        high = 3 * (gain + gain_left // 6) + 1
                        if high <= alpha:
                            if audited:
                                claim(work, shared, control, ply, move, high, False)
                            if high > best:
                                best = high
                                best_move = move
                            continue
                    loss_left = 0
                    pure = next_alive & lose_pure
                    three = next_alive & lose_three
                    two = next_alive & lose_two
                    for index in range(to_lose):
                        over = row(tables.covering, work.lists[ply + 1, side, index], lines)
                        loss_left += price(over, pure, three, two)
                    if bounds:
                        low = 3 * (gain - loss_left // 6) - 1
                        if low > alpha:
                            if audited:
                                claim(work, shared, control, ply, move, low, True)
                            best = low
                            best_move = move
                            cut = True
                            break
                        if use_reply:
                            reply = 0
                            for more in range(4, 0, -1):
                                if meets(
                                    next_legal,
                                    row(game.gaining, 4 * other + more - 1, lines),
                                ):
                                    reply = more
                                    break
                            high = 3 * (gain + gain_left // 6 - reply) + 1
                            if high <= alpha:
                                if audited:
                                    claim(work, shared, control, ply, move, high, False)
                                if high > best:
                                    best = high
                                    best_move = move
                                continue
                    score = WEIGHT_GAIN * gain
                    if ordered:
                        score += (
                            WEIGHT_TO_GAIN * gain_left
                            - WEIGHT_TO_LOSE * loss_left
                            - WEIGHT_REPLIES * replies
                        )
                    if move == hint:
                        score = 1_000_000
                    put(work.child_alive, start + size, next_alive)
                    put(work.child_legal, start + size, next_legal)
                    work.child_move[ply, size] = move
                    work.child_score[ply, size] = score
                    size += 1
                if cut:
                    break
            work.best[ply] = best
            work.best_move[ply] = best_move
            work.kept[ply] = size
            if ply == 0:
                control[ROOT_TOTAL] = size
                control[ROOT_DONE] = 0
            if cut or size == 0:
                # Settled by bounds alone: cheaper to find again than to remember.
                result = best
                if audited:
                    claim(work, shared, control, ply, NO_MOVE, result, cut)
                if ply == 0:
                    break
                continue
        else:
            # -- back from a finished child ----------------------------------------------------
            if ply == 0:
                break
            ply -= 1
            side = 1 - side
            other = 1 - side
            if work.mark[ply] != 0:
                busy[np.int64(work.mark[ply] & busy_mask)] = 0
                work.mark[ply] = 0
            move = work.current[ply]
            value = 3 * game.gains[side, move] - result
            if ply == 0:
                control[ROOT_DONE] += 1
            if value > work.best[ply]:
                work.best[ply] = value
                work.best_move[ply] = move
            is_lower = work.best[ply] > work.alpha[ply]
            if is_lower or work.kept[ply] == 0:
                result = work.best[ply]
                if audited:
                    claim(work, shared, control, ply, NO_MOVE, result, is_lower)
                store(
                    table,
                    mask,
                    work.keys[ply, 0],
                    work.keys[ply, 1],
                    result,
                    is_lower,
                    work.best_move[ply],
                    nodes - work.entered[ply] + 1,
                )
                control[STORED] += 1
                if not team and control[STORED] > 2 * control[CLUSTERS]:
                    clusters = control[CLUSTERS]
                    if 16 * clusters <= table.shape[0]:
                        spread(table, clusters)
                        control[CLUSTERS] = 4 * clusters
                        mask = np.uint64(4 * clusters - 1)
                if ply == 0:
                    break
                continue

        # -- down to the best child left -------------------------------------------------------
        size = work.kept[ply]
        shares = team and size > 1 and work.size[ply] >= TEAM_SIZE_LEAST
        while True:
            chosen = 0
            for index in range(1, size):
                if work.child_score[ply, index] > work.child_score[ply, chosen]:
                    chosen = index
            move = work.child_move[ply, chosen]
            if not shares:
                break
            mark = scramble(work.keys[ply, 1] + np.uint64(move)) | one
            place = np.int64(mark & busy_mask)
            score = work.child_score[ply, chosen]
            if work.searched[ply] > 0 and score > -_PUT_OFF // 2 and busy[place] == mark:
                work.child_score[ply, chosen] = score - _PUT_OFF
                continue
            busy[place] = mark
            work.mark[ply] = mark
            break
        size -= 1
        start = ply * number
        put(work.alive, ply + 1, row(work.child_alive, start + chosen, lines))
        put(work.legal, ply + 1, row(work.child_legal, start + chosen, lines))
        put(work.child_alive, start + chosen, row(work.child_alive, start + size, lines))
        put(work.child_legal, start + chosen, row(work.child_legal, start + size, lines))
        work.child_move[ply, chosen] = work.child_move[ply, size]
        work.child_score[ply, chosen] = work.child_score[ply, size]
        work.kept[ply] = size
        work.current[ply] = move
        work.searched[ply] += 1
        put_down(game, work, ply, move)
        # The node is above alpha where the child's value is below 3 x gain - alpha.
        work.alpha[ply + 1] = 3 * game.gains[side, move] - work.alpha[ply] - 1
        ply += 1
        entering = True
    control[NODES] = nodes
    control[ROOT_BEST] = work.best_move[0]
    return result
