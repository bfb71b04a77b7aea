"""The compiled part of Monte-Carlo tree search that is the same for every game.

The search is UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006): each pass
walks down the tree, at each node to the child with the best sum of its share of wins and of a bonus
for being little tried, plays on quickly to the end of the game and counts the result in every node
of the walk.  A child starts with an opinion that fades as games come in.

The sides take turns from node to node, so a pass is a move with a node of its own.  What a game
adds is in its ``engine_kernel``: the children of a node, their opinions, and quick play.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from litstool.search.compiling import kernel

OPEN, WON, LOST = 0, 1, -1
"""What is proven of a node, for the side whose move leads to it."""

# Places in the control array of a tree: nodes in use, games played, sum of the margins of the side
# named first.
USED, GAMES, MARGINS = range(3)

EXPAND_AT = 8
"""Games through a node before its children are made."""

OPINION = 6.0
"""How many games the opinion that a child starts with counts for."""


class Tree(NamedTuple):
    """The nodes of a tree as arrays; node 0 is the root.

    ``first``, ``size``  the children are the nodes first .. first + size - 1 (first 0: none yet)
    ``move``             the number of the move that leads here
    ``visits``, ``wins`` games through here, and those won by the side whose move leads here,
                         a draw counted as a half
    ``worth``            what selection goes by: wins, with a little of the margin
    ``opinion``          the share of wins expected at first
    ``proof``            OPEN, WON or LOST
    ``control``          see USED, GAMES, MARGINS
    """

    first: np.ndarray
    size: np.ndarray
    move: np.ndarray
    visits: np.ndarray
    wins: np.ndarray
    worth: np.ndarray
    opinion: np.ndarray
    proof: np.ndarray
    control: np.ndarray


def new_tree(capacity: int) -> Tree:
    """A tree with nothing but its root."""
    tree = Tree(
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.int32),
        np.zeros(capacity, dtype=np.float64),
        np.zeros(capacity, dtype=np.float64),
        np.zeros(capacity, dtype=np.float32),
        np.zeros(capacity, dtype=np.int8),
        np.zeros(3, dtype=np.int64),
    )
    tree.control[USED] = 1
    return tree


@kernel
def select(tree, node, exploration):
    """The child to walk on to; -1 where every child is lost for the side to move."""
    bonus = exploration * np.sqrt(np.log(tree.visits[node] + 1.0))
    best = -1
    top = -1e9
    for child in range(tree.first[node], tree.first[node] + tree.size[node]):
        if tree.proof[child] == WON:
            return child
        if tree.proof[child] == LOST:
            continue
        visits = tree.visits[child]
        value = (tree.worth[child] + OPINION * tree.opinion[child]) / (visits + OPINION)
        value += bonus / np.sqrt(visits + 1.0)
        if value > top:
            top = value
            best = child
    return best


@kernel
def count_game(tree, path, length, wins, worth, margin, by_first):
    """Count a game in the nodes of its walk, the first ``length`` of ``path``.

    ``wins``, ``worth`` (0 to 1) and ``margin`` are of the side named first; ``by_first`` says
    whether its move leads to the root.
    """
    for index in range(length):
        node = path[index]
        tree.visits[node] += 1
        tree.wins[node] += wins if by_first else 1.0 - wins
        tree.worth[node] += worth if by_first else 1.0 - worth
        by_first = not by_first
    tree.control[GAMES] += 1
    tree.control[MARGINS] += margin
