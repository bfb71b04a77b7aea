"""Monte-Carlo tree search as far as it is the same for every game.

The search is UCT (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006): each pass
walks down the tree, at each node to the child with the best sum of its share of wins and of a bonus
for being little tried, plays on quickly to the end of the game and counts the result in every node
of the walk.  A child starts with an opinion that fades as games come in.

The sides take turns from node to node, so a pass is a move with a node of its own.  What a game
adds is in its ``engine_kernel``: the children of a node, their opinions, and quick play.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from litstool.search.compiling import kernel
from litstool.search.control import MOST_SECONDS, Control, Progress

OPEN, WON, LOST = 0, 1, -1
"""What is proven of a node, for the side whose move leads to it."""

# Places in the control array of a tree: nodes in use, games played, sum of the margins of the side
# named first.
USED, GAMES, MARGINS = range(3)

EXPAND_AT = 8
"""Games through a node before its children are made."""

OPINION = 6.0
"""How many games the opinion that a child starts with counts for."""

_SLICE_SECONDS = 0.03
_LEAST_VISITS = 20
_PROGRESS_SECONDS = 0.2


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


class TreeSearch:
    """A tree over one position; a game adds :meth:`passes` and :meth:`text`."""

    rate = 2000.0
    """Games a second, as far as known."""

    def __init__(self, capacity: int) -> None:
        self.tree: Tree = new_tree(capacity)

    def passes(self, number: int) -> None:
        """Grow the tree by so many games."""
        raise NotImplementedError

    def text(self, node: int) -> str:
        """The move that leads to a node, as it is written."""
        raise NotImplementedError

    def until(self, deadline: float, control: Control, report: Callable[[], None]) -> None:
        """Grow the tree until a time of ``perf_counter``, or the root is proven, or a stop."""
        while not control.interrupted and self.tree.proof[0] == OPEN:
            now = time.perf_counter()
            if now >= deadline:
                return
            number = max(16, int(self.rate * min(_SLICE_SECONDS, deadline - now)))
            self.passes(number)
            spent = max(1e-6, time.perf_counter() - now)
            self.rate = 0.5 * self.rate + 0.5 * number / spent
            report()

    def children(self, node: int = 0) -> range:
        """The nodes of a node's moves, the root's unless told otherwise."""
        first = int(self.tree.first[node])
        return range(first, first + int(self.tree.size[node]))

    def order(self, node: int) -> tuple[float, ...]:
        """What children are ranked by: proven wins, then games, proven losses last."""
        tree = self.tree
        return int(tree.proof[node]), int(tree.visits[node]), float(tree.opinion[node])

    def line(self, node: int = 0) -> Iterator[str]:
        """The most played moves from a node on, the root unless told otherwise."""
        while self.tree.size[node] and (node == 0 or self.tree.visits[node] >= _LEAST_VISITS):
            node = max(self.children(node), key=self.order)
            if self.tree.visits[node] == 0 and self.tree.proof[node] == OPEN:
                return
            yield self.text(node)

    @property
    def games(self) -> int:
        """Games played so far."""
        return int(self.tree.control[GAMES])

    @property
    def mean_margin(self) -> float:
        """The mean margin of the side named first in those games."""
        return float(self.tree.control[MARGINS] / self.games)

    def mover_rate(self) -> float:
        """The chance of the side to move: that of its best move, or 1 or 0 where proven."""
        tree = self.tree
        if tree.proof[0] != OPEN:
            return 1.0 if tree.proof[0] == LOST else 0.0
        best = max(self.children(), key=self.order, default=None)
        if best is None or tree.visits[best] == 0:
            return 0.5
        return float(tree.wins[best] / tree.visits[best])


class Analyzer:
    """One analysis of a position: what it was asked, its clock and its reports.

    A game adds the division of the time and what it makes of the findings.
    """

    search: TreeSearch

    def __init__(
        self,
        position: Any,
        time_limit: float,
        every_move: bool,
        seed: int,
        control: Control,
        settings: Any,
    ) -> None:
        self.position = position
        self.every_move = every_move
        self.seed = seed
        self.control = control
        self.settings = settings
        self.started = time.perf_counter()
        self.seconds = min(time_limit, MOST_SECONDS)
        self.deadline = self.started + self.seconds
        self.reported = self.started
        self.nodes = 0

    def left(self) -> float:
        """Seconds left."""
        return self.deadline - time.perf_counter()

    def report(self) -> None:
        """Tell of the progress, a few times a second."""
        now = time.perf_counter()
        if self.control.on_progress is None or now - self.reported < _PROGRESS_SECONDS:
            return
        self.reported = now
        best = next(self.search.line(), None)
        self.control.on_progress(Progress(0, 0, self.search.games, now - self.started, best=best))
