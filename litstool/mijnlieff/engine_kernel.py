"""The compiled part of the engine: Monte-Carlo tree search (``search.tree``) and its quick play.

Positions are those of ``kernels``, seen from the side to move, but with the colours of all pieces.
A move is 4 x cell + kind, a pass is PASS_MOVE.  Since a pass is a move too, the sides take turns
from move to move; a draw counts as a half.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from litstool.mijnlieff.kernels import (
    ALL_CELLS,
    ALLOWED,
    KINDS,
    PIECES,
    count,
    exchanged,
    gain_of,
    windows_of,
)
from litstool.search.chance import below, happens
from litstool.search.compiling import inlined, kernel
from litstool.search.tree_kernel import EXPAND_AT, USED, count_game, select

PASS_MOVE = 64
MOST_CHILDREN = 64
MOST_PLIES = 32
"""A game has at most 16 pieces, and no two passes in a row."""

POINT_GAINED, POINT_DENIED = 4, 3
"""What quick play goes by, as proportions."""

OPINION_OF_GAIN, OPINION_OF_DENIAL = 0.07, 0.05
"""Share of wins that a point gained, or kept from the other side, is thought to be worth."""

OPINION_OF_REPLY = 0.005
"""Share of wins that each cell which a move leaves to the other side is thought to cost."""

OPINION_OF_FORCED_PASS = 0.1
MARGIN_SCALE = 12.0


@inlined
def is_over(tables, empty, supplies):
    """Whether the side to move has no pieces left, or no cell is left for any piece."""
    return tables[PIECES + (supplies & 255)] == 0 or empty == 0


@inlined
def after(tables, own, other, empty, supplies, move):
    """The position after a move, seen from the other side: own, other, empty, allowed, supplies."""
    if move == PASS_MOVE:
        return other, own, empty, empty, exchanged(supplies)
    cell, kind = move >> 2, move & 3
    left = empty & ~(1 << cell)
    allowed = tables[ALLOWED + kind * 16 + cell] & left
    return other, own | (1 << cell), left, allowed, exchanged(supplies - (1 << (2 * kind)))


@inlined
def points_of(tables, own):
    """The score of the side with ``own``."""
    return count(windows_of(tables, ALL_CELLS) & ~windows_of(tables, ALL_CELLS & ~own))


@inlined
def random_cell(allowed, state):
    """One of the allowed cells, each equally likely."""
    for _ in range(below(state, count(allowed))):
        allowed &= allowed - 1
    return count((allowed & -allowed) - 1)


@inlined
def random_kind(supplies, state):
    """One of the kinds that the side to move has left, each equally likely."""
    kinds = 0
    for kind in range(KINDS):
        kinds += (supplies >> (2 * kind)) & 3 != 0
    skipped = below(state, kinds)
    for kind in range(KINDS):
        if (supplies >> (2 * kind)) & 3 != 0:
            if skipped == 0:
                return kind
            skipped -= 1
    return 0


@inlined
def greedy_cell(tables, own, other, allowed, state):
    """The allowed cell that gains and denies most points; ties are broken at random."""
    best, top, ties = 0, -1, 0
    cells = allowed
    while cells:
        low = cells & -cells
        cells ^= low
        cell = count(low - 1)
        worth = POINT_GAINED * gain_of(tables, own, cell)
        worth += POINT_DENIED * gain_of(tables, other, cell)
        if worth > top:
            best, top, ties = cell, worth, 1
        elif worth == top:
            ties += 1
            if below(state, ties) == 0:
                best = cell
    return best


@kernel
def play_on(tables, own, other, empty, allowed, supplies, state, noise, played):
    """Play quickly to the end: a random piece on the greedy cell, or with chance ``noise`` / 256
    on a random one.

    Writes the moves into ``played`` (MOST_PLIES).  Returns how many they are, and the final
    margin of the side to move at first.
    """
    length = 0
    while not is_over(tables, empty, supplies):
        if allowed == 0:
            move = PASS_MOVE
        else:
            if happens(state, noise):
                cell = random_cell(allowed, state)
            else:
                cell = greedy_cell(tables, own, other, allowed, state)
            move = cell * KINDS + random_kind(supplies, state)
        played[length] = move
        length += 1
        own, other, empty, allowed, supplies = after(tables, own, other, empty, supplies, move)
    margin = points_of(tables, own) - points_of(tables, other)
    return length, margin if length % 2 == 0 else -margin


@kernel
def expand(tree, node, tables, own, other, empty, allowed, supplies):
    """Make the children of a node, of a game that goes on; False where there is no room."""
    start = tree.control[USED]
    if start + MOST_CHILDREN > len(tree.first):
        return False
    child = start
    if allowed == 0:
        tree.move[child] = PASS_MOVE
        tree.opinion[child] = 0.5
        child += 1
    cells = allowed
    while cells:
        low = cells & -cells
        cells ^= low
        cell = count(low - 1)
        points = OPINION_OF_GAIN * gain_of(tables, own, cell)
        points += OPINION_OF_DENIAL * gain_of(tables, other, cell)
        for kind in range(KINDS):
            if (supplies >> (2 * kind)) & 3 == 0:
                continue
            replies = count(tables[ALLOWED + kind * 16 + cell] & (empty ^ low))
            opinion = 0.5 + points - OPINION_OF_REPLY * replies
            if replies == 0:
                opinion += OPINION_OF_FORCED_PASS
            tree.move[child] = cell * KINDS + kind
            tree.opinion[child] = opinion
            child += 1
    tree.first[node] = start
    tree.size[node] = child - start
    tree.control[USED] = child
    return True


@kernel
def grow(
    tree, tables, path, played, state, own, other, empty, allowed, supplies, light, passes, noise,
    exploration, margin_weight,
):  # fmt: skip
    """Make so many passes from the root, the position given; ``light`` says that Light is to move.

    ``path`` (MOST_PLIES + 1) and ``played`` (MOST_PLIES) are scratch.
    """
    for _ in range(passes):
        node, length = 0, 1
        path[0] = 0
        mine, theirs, free, usable, pieces = own, other, empty, allowed, supplies
        while not is_over(tables, free, pieces):
            if tree.size[node] == 0:
                if node != 0 and tree.visits[node] < EXPAND_AT:
                    break
                if not expand(tree, node, tables, mine, theirs, free, usable, pieces):
                    break
            node = select(tree, node, exploration)
            path[length] = node
            length += 1
            mine, theirs, free, usable, pieces = after(
                tables, mine, theirs, free, pieces, tree.move[node]
            )
        _, margin = play_on(tables, mine, theirs, free, usable, pieces, state, noise, played)
        # So far of the side to move where the tree ended: Light, as at the root, or not.
        if light != (length % 2 == 1):
            margin = -margin
        wins = 0.5
        if margin != 0:
            wins = 1.0 if margin > 0 else 0.0
        share = min(1.0, max(0.0, 0.5 + margin / MARGIN_SCALE))
        worth = (1.0 - margin_weight) * wins + margin_weight * share
        # The move that leads to the root is the other side's.
        count_game(tree, path, length, wins, worth, margin, not light)
