"""The compiled inner loops of the exact search.

What matters of a position for the rest of the game is small: which cells are empty, which of
them the side to move may use, which pieces each side has left, and, of the pieces on the board,
only the colours that some window of three can still make count.  The search therefore works on

``own``, ``other``    cells of the side to move and of the other side whose colour still matters
``empty``             the empty cells
``allowed``           those of them that the last piece allows
``supplies``          pieces left, two bits a kind: the mover's in bits 0-7, the other's in 8-15

and its values are *future* scores, the mover's less the other's.  Cells in none of the three
first sets are dead: nobody's, but blocking every window they are in.  Positions that differ only

- in which side is called Light (all is seen from the side to move),
- by a symmetry of the board,
- in the colours of dead cells,
- in pieces left of kinds that restrict alike on the cells still empty,

are brought to one form before they are looked up.  That form fits in 64 bits (three bits a cell
and the supplies), so the table holds whole keys and never mistakes one position for another.

The search is a null-window negamax with a transposition table (Knuth and Moore, "An analysis of
alpha-beta pruning", 1975; Plaat et al., "Best-first fixed-depth minimax algorithms", 1996, for
the null windows driven from outside).  Since the remaining windows bound what either side can
still score, many positions are settled without looking at a move.

Arrays: ``tables`` is int64, made by ``solver.tables_of``, with the parts that the offsets below
name; ``memory`` is uint64 of 2 x entries, a key and a datum each, in buckets of four (one cache
line); ``stack`` is int64[plies, 3 x 64] for the moves of each ply; ``counters`` is int64[3]:
nodes searched, the number of them at which to stop (another thread may lower it at any time), and
the number of symmetries of the board.
"""

from __future__ import annotations

import numpy as np

from litstool.search.compiling import inlined, kernel

KINDS = 4
ALL_CELLS = 0xFFFF

# Parts of ``tables``.
ALLOWED = 0  # [kind x 16 + cell]: cells that such a piece there allows
CELL_WINDOWS = ALLOWED + 64  # [cell]: windows through the cell, as a set
WINDOWS_LOW = CELL_WINDOWS + 16  # [cells 0-7 as a set]: windows through any of them
WINDOWS_HIGH = WINDOWS_LOW + 256  # [cells 8-15 as a set]: the same
CELLS_OF_WINDOWS = WINDOWS_HIGH + 256  # [4 x 256]: byte of a set of windows -> their cells
REPRESENTATIVES = CELLS_OF_WINDOWS + 1024  # [empty]: for kind k, the first kind that restricts
#                                          alike there, in bits 2k and 2k + 1
MERGED_SUPPLY = REPRESENTATIVES + 65536  # [that x 256 + supply]: the pieces of kinds that are
#                                          alike moved to the first of them, at most two a kind
PIECES = MERGED_SUPPLY + 65536  # [supply]: how many pieces it is
IMAGES_LOW = PIECES + 256  # [symmetry x 256 + cells 0-7]: their images
IMAGES_HIGH = IMAGES_LOW + 8 * 256
TABLES_SIZE = IMAGES_HIGH + 8 * 256

# ``counters``
NODES, LIMIT, SYMMETRIES = 0, 1, 2

VALUE_OFFSET = 64
LEAST_VALUE, MOST_VALUE = -VALUE_OFFSET, VALUE_OFFSET - 1
NO_MOVE = 127
STOPPED = 1000
"""What the search returns at the limit of nodes; no value is that large."""

# Empty cells from which on a saving costs less than it saves (measured).
STORED_FROM = 4
SYMMETRIC_FROM = 5

MOST_MOVES = 64


@inlined
def count(cells):
    """The number of set bits of a set of at most 32."""
    cells = cells - ((cells >> 1) & 0x55555555)
    cells = (cells & 0x33333333) + ((cells >> 2) & 0x33333333)
    cells = (cells + (cells >> 4)) & 0x0F0F0F0F
    return ((cells * 0x01010101) & 0xFFFFFFFF) >> 24


@inlined
def windows_of(tables, cells):
    """The windows that have a cell in common with a set of cells."""
    return tables[WINDOWS_LOW + (cells & 255)] | tables[WINDOWS_HIGH + (cells >> 8)]


@inlined
def cells_of(tables, windows):
    """The cells of a set of windows."""
    return (
        tables[CELLS_OF_WINDOWS + (windows & 255)]
        | tables[CELLS_OF_WINDOWS + 256 + ((windows >> 8) & 255)]
        | tables[CELLS_OF_WINDOWS + 512 + ((windows >> 16) & 255)]
        | tables[CELLS_OF_WINDOWS + 768 + ((windows >> 24) & 255)]
    )


@inlined
def image_of(tables, symmetry, cells):
    """A set of cells after a symmetry."""
    return (
        tables[IMAGES_LOW + symmetry * 256 + (cells & 255)]
        | tables[IMAGES_HIGH + symmetry * 256 + (cells >> 8)]
    )


@inlined
def gain_of(tables, own, cell):
    """How many windows a piece of the side with ``own`` completes on ``cell``."""
    elsewhere = ALL_CELLS & ~(own | (1 << cell))
    return count(tables[CELL_WINDOWS + cell] & ~windows_of(tables, elsewhere))


@inlined
def bucket_of(key, memory):
    """The first index of the bucket where a key may be, by multiplicative hashing."""
    mixed = key ^ (key >> np.uint64(29))
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    mixed = mixed ^ (mixed >> np.uint64(32))
    mixed = mixed * np.uint64(0xD6E8FEB86659FD93)
    mixed = mixed >> np.uint64(20)
    return np.int64(mixed & np.uint64(memory.size // 8 - 1)) * 8


@inlined
def exchanged(supplies):
    """The supplies with the two sides exchanged."""
    return (supplies >> 8) | ((supplies & 255) << 8)


@inlined
def merged(tables, empty, supplies):
    """The supplies with pieces that restrict alike moved to the first kinds of their group."""
    start = MERGED_SUPPLY + tables[REPRESENTATIVES + empty] * 256
    return tables[start + (supplies & 255)] | (tables[start + (supplies >> 8)] << 8)


@inlined
def by_missing(tables, empty):
    """The windows with exactly one, exactly two and exactly three empty cells."""
    one = two = three = 0
    cells = empty
    while cells:
        low = cells & -cells
        cells ^= low
        through = windows_of(tables, low)
        three |= two & through
        two |= one & through
        one |= through
    return one & ~two, two & ~three, three


@inlined
def open_windows(tables, own, other, empty, own_left, other_left):
    """The windows that each side may still complete with the pieces that it has left."""
    unfinished = windows_of(tables, empty)
    own_open = unfinished & ~windows_of(tables, ALL_CELLS & ~(own | empty))
    other_open = unfinished & ~windows_of(tables, ALL_CELLS & ~(other | empty))
    if own_left <= 2 or other_left <= 2:
        one, two, three = by_missing(tables, empty)
        own_open &= reachable(one, two, three, own_left)
        other_open &= reachable(one, two, three, other_left)
    return own_open, other_open


@inlined
def reachable(one, two, three, left):
    """The windows that want no more pieces than are left."""
    if left == 0:
        return 0
    if left == 1:
        return one
    if left == 2:
        return one | two
    return one | two | three


@inlined
def first_image(tables, symmetries, own, other, empty, allowed):
    """The first of the images of a position under the symmetries of the board."""
    best_own, best_other, best_empty, best_allowed = own, other, empty, allowed
    for symmetry in range(1, symmetries):
        image_empty = image_of(tables, symmetry, empty)
        if image_empty > best_empty:
            continue
        image_own = image_of(tables, symmetry, own)
        image_other = image_of(tables, symmetry, other)
        image_allowed = image_of(tables, symmetry, allowed)
        if image_empty == best_empty:
            if image_own > best_own:
                continue
            if image_own == best_own:
                if image_other > best_other:
                    continue
                if image_other == best_other and image_allowed >= best_allowed:
                    continue
        best_own, best_other = image_own, image_other
        best_empty, best_allowed = image_empty, image_allowed
    return best_own, best_other, best_empty, best_allowed


@inlined
def key_of(own, other, empty, allowed, supplies):
    """A position in 64 bits, three of them a cell: one key, one position."""
    dead = ALL_CELLS & ~(own | other | empty)
    cells = (own | dead) | ((other | dead) << 16) | (allowed << 32)
    return np.uint64(cells) | (np.uint64(supplies) << np.uint64(48))


@inlined
def slot_of(memory, key):
    """The index of a key in the table; -1 where it is not there."""
    bucket = bucket_of(key, memory)
    for slot in range(bucket, bucket + 8, 2):
        if memory[slot] == key:
            return slot
    return -1


@kernel
def store(memory, key, least, most, move, nodes):
    """Keep what is known of a position, in place of the bucket's entry that cost least."""
    work = 0
    while nodes:
        work += 1
        nodes >>= 1
    bucket = bucket_of(key, memory)
    chosen, least_work = bucket, 1 << 40
    for slot in range(bucket, bucket + 8, 2):
        if memory[slot] == key:
            chosen = slot
            break
        spent = -1 if memory[slot] == 0 else np.int64(memory[slot + 1] >> np.uint64(21))
        if spent < least_work:
            chosen, least_work = slot, spent
    memory[chosen] = key
    memory[chosen + 1] = np.uint64(
        (least + VALUE_OFFSET) | ((most + VALUE_OFFSET) << 7) | (move << 14) | (work << 21)
    )


@kernel
def list_moves(
    tables, stack, ply, own, other, empty, allowed, supplies, own_open, other_open, first_move
):
    """Write the moves of a position into ``stack[ply]``: moves, their order, their gains.

    ``own_open`` and ``other_open`` are the windows still open to each side, ``first_move`` the one
    to try before all others.  Of kinds that restrict alike only the first is listed.  Best are
    moves that score or keep the other side from scoring, then those in many open windows that
    leave few cells to answer on.
    """
    not_own = ALL_CELLS & ~own
    not_other = ALL_CELLS & ~other
    groups = tables[REPRESENTATIVES + empty]
    moves = 0
    cells = allowed
    while cells:
        low = cells & -cells
        cells ^= low
        cell = count(low - 1)
        after = empty ^ low
        through = tables[CELL_WINDOWS + cell]
        gain = count(through & ~windows_of(tables, not_own ^ low))
        denied = count(through & ~windows_of(tables, not_other ^ low))
        worth = 16 * gain + 12 * denied
        worth += 4 * count(through & other_open) + 2 * count(through & own_open)
        for kind in range(KINDS):
            if (groups >> (2 * kind)) & 3 != kind or (supplies >> (2 * kind)) & 3 == 0:
                continue
            reply = tables[ALLOWED + kind * 16 + cell] & after
            order = worth - count(reply)
            if reply == 0:
                order += 12
            move = cell * 4 + kind
            if move == first_move:
                order = 10000
            stack[ply, moves] = move
            stack[ply, MOST_MOVES + moves] = order
            stack[ply, 2 * MOST_MOVES + moves] = gain
            moves += 1
    return moves


@inlined
def bring_best(stack, ply, turn, moves):
    """Exchange the best of the moves from ``turn`` on with the one there."""
    best = turn
    for index in range(turn + 1, moves):
        if stack[ply, MOST_MOVES + index] > stack[ply, MOST_MOVES + best]:
            best = index
    if best != turn:
        for part in range(0, 3 * MOST_MOVES, MOST_MOVES):
            kept = stack[ply, part + turn]
            stack[ply, part + turn] = stack[ply, part + best]
            stack[ply, part + best] = kept


@kernel
def search(tables, memory, stack, counters, own, other, empty, allowed, supplies, target, ply):
    """Whether the side to move can reach ``target``, as a bound on its future margin.

    A result of at least ``target`` is a proven lower bound, a smaller one a proven upper bound.
    ``STOPPED`` at the limit of nodes.
    """
    counters[NODES] += 1
    if counters[NODES] > counters[LIMIT]:
        return STOPPED
    own_left = tables[PIECES + (supplies & 255)]
    other_left = tables[PIECES + (supplies >> 8)]
    if own_left == 0:
        return 0
    if allowed == 0:
        # A forced pass; after it the other side may use any empty cell.
        if other_left == 0 or empty == 0:
            return 0
        value = search(
            tables, memory, stack, counters,
            other, own, empty, empty, exchanged(supplies), 1 - target, ply,
        )  # fmt: skip
        return STOPPED if value == STOPPED else -value
    if empty & (empty - 1) == 0:
        return gain_of(tables, own, count(empty - 1))

    own_open, other_open = open_windows(tables, own, other, empty, own_left, other_left)
    most = count(own_open)
    if most < target:
        return most
    least = -count(other_open)
    if least >= target:
        return least

    # One form for all positions that are alike.
    own &= cells_of(tables, own_open)
    other &= cells_of(tables, other_open)
    supplies = merged(tables, empty, supplies)
    left = count(empty)
    key = np.uint64(0)
    first_move = np.int64(NO_MOVE)
    nodes_before = counters[NODES]
    if left >= STORED_FROM:
        if left >= SYMMETRIC_FROM and counters[SYMMETRIES] > 1:
            own, other, empty, allowed = first_image(
                tables, counters[SYMMETRIES], own, other, empty, allowed
            )
            own_open, other_open = open_windows(tables, own, other, empty, own_left, other_left)
        key = key_of(own, other, empty, allowed, supplies)
        slot = slot_of(memory, key)
        if slot >= 0:
            datum = np.int64(memory[slot + 1])
            least = max(least, (datum & 127) - VALUE_OFFSET)
            most = min(most, ((datum >> 7) & 127) - VALUE_OFFSET)
            if least >= target:
                return least
            if most < target:
                return most
            first_move = (datum >> 14) & 127

    moves = list_moves(
        tables, stack, ply, own, other, empty, allowed, supplies, own_open, other_open, first_move
    )
    best = np.int64(LEAST_VALUE)
    best_move = np.int64(NO_MOVE)
    for turn in range(moves):
        bring_best(stack, ply, turn, moves)
        move = stack[ply, turn]
        gain = stack[ply, 2 * MOST_MOVES + turn]
        low = 1 << (move >> 2)
        after = empty ^ low
        reply = tables[ALLOWED + (move & 3) * 16 + (move >> 2)] & after
        value = search(
            tables, memory, stack, counters,
            other, own | low, after, reply,
            exchanged(supplies - (1 << (2 * (move & 3)))), 1 - target + gain, ply + 1,
        )  # fmt: skip
        if value == STOPPED:
            return STOPPED
        value = gain - value
        if value > best:
            best = value
            best_move = move
            if best >= target:
                break
    if left >= STORED_FROM:
        if best >= target:
            least = max(least, best)
        else:
            most = min(most, best)
        store(memory, key, least, most, best_move, counters[NODES] - nodes_before)
    return best
