"""The transposition table of the compiled search.

An entry is two words: the second key exclusive-or the data, and the data.  Two threads that write
one entry at once leave words that do not fit, which counts as no entry.  Data 0 is no entry.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.search.compiling import inlined, lean_kernel

SLOTS = 4
"""Entries in a cluster."""

UNKNOWN_LOW, UNKNOWN_HIGH = -1024, 1023
"""Bounds where nothing is known.  Values are within 3 x 256 + 1."""

# The fields of the data: the lowest bit of each, and how many bits it has.
UPPER_AT, LOWER_AT, BOUND_BITS = 0, 11, 11  # the bounds, from UNKNOWN_LOW
MOVE_AT, MOVE_BITS = 22, 13  # the best move
EFFORT_AT, EFFORT_BITS = 35, 6  # the logarithm of the nodes spent
CHECK_AT, CHECK_BITS, CHECK_FROM = 41, 23, 10  # bits of the first key, and the lowest of them


@inlined
def field_of(data, at, bits):
    """A field of an entry's data."""
    return np.int64((data >> np.uint64(at)) & np.uint64((1 << bits) - 1))


@inlined
def upper_of(data):
    """The bound from above."""
    return field_of(data, UPPER_AT, BOUND_BITS) + UNKNOWN_LOW


@inlined
def lower_of(data):
    """The bound from below."""
    return field_of(data, LOWER_AT, BOUND_BITS) + UNKNOWN_LOW


@inlined
def move_of(data):
    """The best move."""
    return field_of(data, MOVE_AT, MOVE_BITS)


@inlined
def check_of(key):
    """The check bits of a first key, where an entry has them."""
    return ((key >> np.uint64(CHECK_FROM)) & np.uint64((1 << CHECK_BITS) - 1)) << np.uint64(
        CHECK_AT
    )


@inlined
def is_entry_of(table, place, second, check):
    """Whether the entry at a place is that of the position with these keys."""
    data = table[place, 1]
    return (
        table[place, 0] ^ data == second
        and (data >> np.uint64(CHECK_AT)) << np.uint64(CHECK_AT) == check
    )


@inlined
def find(table, mask, first, second):
    """The data of a position's entry; 0 for none."""
    cluster = np.int64(first & mask) * SLOTS
    check = check_of(first)
    found = np.uint64(0)
    for slot in range(SLOTS):
        if is_entry_of(table, cluster + slot, second, check):
            found = table[cluster + slot, 1]
            break
    return found


@lean_kernel
def store(table, mask, first, second, value, is_lower, move, spent):
    """Note a bound; of the four entries of the cluster the one with least effort gives way."""
    lower = np.int64(UNKNOWN_LOW)
    upper = np.int64(UNKNOWN_HIGH)
    effort = 0
    while spent > 1 and effort < (1 << EFFORT_BITS) - 1:
        spent >>= 1
        effort += 1
    cluster = np.int64(first & mask) * SLOTS
    check = check_of(first)
    target = 0
    least = 1000
    for slot in range(SLOTS):
        data = table[cluster + slot, 1]
        if is_entry_of(table, cluster + slot, second, check):
            target = slot
            lower = lower_of(data)
            upper = upper_of(data)
            break
        worth = -1 if data == 0 else field_of(data, EFFORT_AT, EFFORT_BITS)
        if worth < least:
            least = worth
            target = slot
    if is_lower:
        lower = value
    else:
        upper = value
    data = (
        np.uint64(upper - UNKNOWN_LOW) << np.uint64(UPPER_AT)
        | np.uint64(lower - UNKNOWN_LOW) << np.uint64(LOWER_AT)
        | np.uint64(move) << np.uint64(MOVE_AT)
        | np.uint64(effort) << np.uint64(EFFORT_AT)
        | check
    )
    table[cluster + target, 0] = second ^ data
    table[cluster + target, 1] = data


@lean_kernel
def spread(table, clusters):
    """Have a table that used its first ``clusters`` clusters use four times as many.

    A small search so touches little memory.  The check bits of an entry hold the bits of the key
    that say where it goes, and every new cluster gets entries from one old one alone, so that
    there is room for all.
    """
    for old in range(clusters):
        for slot in range(SLOTS):
            data = table[SLOTS * old + slot, 1]
            if data == 0:
                continue
            kept_bits = field_of(data, CHECK_AT, CHECK_BITS) << CHECK_FROM
            new = (kept_bits | (old & ((1 << CHECK_FROM) - 1))) & (4 * clusters - 1)
            if new == old:
                continue
            for target in range(SLOTS):
                if table[SLOTS * new + target, 1] == 0:
                    table[SLOTS * new + target, 0] = table[SLOTS * old + slot, 0]
                    table[SLOTS * new + target, 1] = data
                    break
            table[SLOTS * old + slot, 0] = 0
            table[SLOTS * old + slot, 1] = 0
