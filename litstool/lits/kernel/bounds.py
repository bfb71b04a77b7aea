"""What a side can still gain at most: the sum of the *prices* of the other's symbols.

A price is chosen so that no placement gains more than its cells cost: 1 for a symbol that some
live placement covers without covering one of the gainer's own; else 2/3 where the best placement
over it takes three symbols for one, 1/2 where two for one, and nothing where only placements
without profit are left.  Prices are counted in sixths.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.lits.rows import meets, row, trailing_zeros
from litstool.search.compiling import inlined

SIXTHS = 6


@inlined
def price(over, pure, three_for_one, two_for_one):
    """What a symbol is worth at most, in sixths, from the placements over it and live classes."""
    return (
        2 * np.int64(meets(pure, over))
        + np.int64(meets(three_for_one, over))
        + 3 * np.int64(meets(two_for_one, over))
    )


@inlined
def total_price(game, work, ply, gainer, alive, lines):
    """What a side can still gain with live placements after a move at a ply, in sixths."""
    kind = 1 - gainer
    pure = alive & row(game.classes, 3 * gainer, lines)
    three_for_one = alive & row(game.classes, 3 * gainer + 1, lines)
    two_for_one = alive & row(game.classes, 3 * gainer + 2, lines)
    size = work.list_counts[ply + 1, kind]
    total = 0
    for first in range(0, size, 64):
        # Most symbols have their full price; the others are few, and asked about one by one.
        last = min(size, first + 64)
        others = np.uint64(0)
        for index in range(first, last):
            over = row(game.tables.covering, work.lists[ply + 1, kind, index], lines)
            others |= np.uint64(not meets(pure, over)) << np.uint64(index - first)
        total += SIXTHS * (last - first)
        while others != 0:
            index = first + trailing_zeros(others)
            others &= others - np.uint64(1)
            over = row(game.tables.covering, work.lists[ply + 1, kind, index], lines)
            total += (
                np.int64(meets(three_for_one, over))
                + 3 * np.int64(meets(two_for_one, over))
                - SIXTHS
            )
    return total


@inlined
def total_count(game, work, ply, gainer, alive, lines):
    """The same with every symbol that can be covered at its full price."""
    kind = 1 - gainer
    total = 0
    for index in range(work.list_counts[ply + 1, kind]):
        over = row(game.tables.covering, work.lists[ply + 1, kind, index], lines)
        total += SIXTHS * np.int64(meets(alive, over))
    return total


@inlined
def price_of_cells(game, work, ply, gainer, move):
    """What the cells of a move were worth to a side, in sixths."""
    total = 0
    for index in range(4):
        total += work.prices[ply, gainer, game.tables.cells[move, index]]
    return total


@inlined
def best_gain(game, side, legal, lines):
    """The most that a side gains by one of these placements, 0 at least."""
    best = 0
    for gain in range(4, 0, -1):
        if meets(legal, row(game.gaining, 4 * side + gain - 1, lines)):
            best = gain
            break
    return best


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
                worth = price(over, pure, three_for_one, two_for_one) if priced else SIXTHS
                work.prices[ply, gainer, cell] = worth
                total += worth
        work.list_counts[ply + 1, kind] = size
        if kind < 2:
            work.whole[ply, gainer] = total
