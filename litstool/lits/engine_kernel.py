"""Compiled parts of the engine: Monte-Carlo tree search and a plain look-ahead.

The search is that of ``search.tree``; the opinion of a child comes from its gain.  Results that are
certain are kept as such and passed up (Winands, Björnsson and Saito, "Monte-Carlo tree search
solver", 2008): a node from which some move surely wins is lost for the side that brought it about,
and one from which every move surely loses is won.

Quick play is greedy, with a random move now and then.  Ply 0 of a stack is the empty board, so a
side is known by the ply: X has the even ones.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.lits.kernels import count, legal_moves, member, place, put, row
from litstool.lits.playouts import choose
from litstool.lits.rows import trailing_zeros
from litstool.search.chance import below, happens
from litstool.search.compiling import kernel
from litstool.search.tree_kernel import EXPAND_AT, LOST, OPEN, USED, WON, count_game, select

OPINION_OF_GAIN = 0.07
"""Share of wins that a point of gain is thought to be worth."""

MARGIN_SCALE = 40.0


@kernel
def play_on(tables, of_gain, stack, moves, played, state, ply, noise, lines):
    """Play quickly from a ply to the end: greedy, but random with chance ``noise`` / 256."""
    while True:
        legal = legal_moves(tables, stack, ply, lines)
        choices = count(legal)
        if choices == 0:
            return ply
        if happens(state, noise):
            put(moves, 0, legal)
            placement = member(moves, 0, below(state, choices))
        else:
            placement = choose(of_gain, moves, state, legal, choices, ply % 2 == 0, lines)
        played[ply] = placement
        place(tables, stack, ply, placement, ply == 0, lines)
        ply += 1


@kernel
def expand(tree, node, tables, gain, stack, moves, ply, lines):
    """Make the children of a node, whose position is at a ply; False where there is no room."""
    legal = legal_moves(tables, stack, ply, lines)
    choices = count(legal)
    start = tree.control[USED]
    if start + choices > len(tree.first):
        return False
    put(moves, 0, legal)
    child = start
    for word in range(moves.shape[1]):
        left = moves[0, word]
        while left != 0:
            placement = 64 * word + trailing_zeros(left)
            left &= left - np.uint64(1)
            tree.move[child] = placement
            points = gain[placement] if ply % 2 == 0 else -gain[placement]
            tree.opinion[child] = 0.5 + OPINION_OF_GAIN * points
            child += 1
    tree.first[node] = start
    tree.size[node] = choices
    tree.control[USED] = child
    return True


@kernel
def grow(
    tree, tables, of_gain, gain, stack, moves, played, path, state, start, margin, passes, noise,
    exploration, margin_weight, lines,
):  # fmt: skip
    """Make so many passes from the root, whose position is at ply ``start`` of the stack.

    ``margin`` is X's score less O's at the root.  Stops early once the root is proven.
    """
    for _ in range(passes):
        if tree.proof[0] != OPEN:
            return
        node, ply, length = 0, start, 1
        path[0] = 0
        proven = False
        while True:
            if tree.proof[node] != OPEN:
                proven = True
                break
            if tree.size[node] == 0:
                if node != 0 and tree.visits[node] < EXPAND_AT:
                    break
                if not expand(tree, node, tables, gain, stack, moves, ply, lines):
                    break
                if tree.size[node] == 0:
                    # The game is over here: the last piece decides on equal scores.
                    final = margin
                    for index in range(1, length):
                        final += gain[tree.move[path[index]]]
                    by_x = ply % 2 == 1
                    won = final >= 0 if by_x else final <= 0
                    tree.proof[node] = WON if won else LOST
                    proven = True
                    break
            child = select(tree, node, exploration)
            if child < 0:
                tree.proof[node] = WON
                proven = True
                break
            if tree.proof[child] == WON:
                tree.proof[node] = LOST
                proven = True
                break
            place(tables, stack, ply, tree.move[child], ply == 0, lines)
            played[ply] = tree.move[child]
            ply += 1
            node = child
            path[length] = node
            length += 1
        final = margin
        for index in range(start, ply):
            final += gain[played[index]]
        if proven:
            by_x = ply % 2 == 1
            x_won = (tree.proof[node] == WON) == by_x
            worth = 1.0 if x_won else 0.0
            _pass_up(tree, path, length)
        else:
            end = play_on(tables, of_gain, stack, moves, played, state, ply, noise, lines)
            for index in range(ply, end):
                final += gain[played[index]]
            x_won = final > 0 or (final == 0 and end % 2 == 1)
            worth = 1.0 if x_won else 0.0
            share = min(1.0, max(0.0, 0.5 + final / MARGIN_SCALE))
            worth = (1.0 - margin_weight) * worth + margin_weight * share
        # The side whose move leads to the root: X has the even plies.
        count_game(tree, path, length, 1.0 if x_won else 0.0, worth, final, start % 2 == 1)


@kernel
def _pass_up(tree, path, length):
    """Carry a proof from the last node of a path towards the root as far as it goes."""
    for index in range(length - 2, -1, -1):
        node, child = path[index], path[index + 1]
        if tree.proof[child] == WON:
            tree.proof[node] = LOST
        elif tree.proof[child] == LOST:
            for other in range(tree.first[node], tree.first[node] + tree.size[node]):
                if tree.proof[other] != LOST:
                    return
            tree.proof[node] = WON
        else:
            return


@kernel
def look_ahead(tables, of_gain, stack, moves, ply, depth, alpha, beta, lines):
    """The value of a position by gains alone, so many plies ahead, for the side to move.

    In the solver's whole numbers: 3 x gain to come, + 1 for placing the last piece and - 1 for not;
    0 where the look-ahead stops before the end.  ``moves`` is scratch of a row a ply.
    """
    legal = legal_moves(tables, stack, ply, lines)
    if count(legal) == 0:
        return -1
    if depth == 0:
        return 0
    best = -30000
    for step in range(of_gain.shape[0]):
        level = of_gain.shape[0] - 1 - step if ply % 2 == 0 else step
        points = level - 4 if ply % 2 == 0 else 4 - level
        put(moves, ply, legal & row(of_gain, level, lines))
        for word in range(moves.shape[1]):
            while moves[ply, word] != 0:
                placement = 64 * word + trailing_zeros(moves[ply, word])
                moves[ply, word] &= moves[ply, word] - np.uint64(1)
                place(tables, stack, ply, placement, ply == 0, lines)
                floor = max(alpha, best)
                value = 3 * points - look_ahead(
                    tables, of_gain, stack, moves, ply + 1, depth - 1, 3 * points - beta,
                    3 * points - floor, lines,
                )  # fmt: skip
                if value > best:
                    best = value
                    if best >= beta:
                        return best
    return best
