"""Monte-Carlo tree search as the engines use it: over one position, slice by slice of the time.

The compiled part that is the same for every game is in ``tree_kernel``; what a game adds is in its
own ``engine_kernel`` and ``engine``.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from litstool.search.control import Control, Progress
from litstool.search.tree_kernel import GAMES, LOST, MARGINS, OPEN, Tree, new_tree

PositionT = TypeVar("PositionT")
SettingsT = TypeVar("SettingsT")

DEFAULT_SECONDS = 10.0
"""How long an analysis takes that has no time limit."""

_SLICE_SECONDS = 0.03
_LEAST_VISITS = 20


class TreeSearch(ABC):
    """A tree over one position."""

    rate = 2000.0
    """Games a second, as far as known."""

    def __init__(self, capacity: int) -> None:
        self.tree: Tree = new_tree(capacity)

    @abstractmethod
    def passes(self, number: int) -> None:
        """Grow the tree by so many games."""

    @abstractmethod
    def text(self, node: int) -> str:
        """The move that leads to a node, as it is written."""

    def until_over(self, control: Control, report: Callable[[], None] = lambda: None) -> None:
        """Grow the tree until the control says so, or the root is proven."""
        while not control.is_over and self.tree.proof[0] == OPEN:
            left = control.left
            slice_seconds = _SLICE_SECONDS if left is None else min(_SLICE_SECONDS, left)
            number = max(16, int(self.rate * slice_seconds))
            started = time.perf_counter()
            self.passes(number)
            spent = max(1e-6, time.perf_counter() - started)
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
    def mean_margin(self) -> float | None:
        """The mean margin of the side named first in those games; None without any."""
        return float(self.tree.control[MARGINS]) / self.games if self.games else None

    def mover_rate(self) -> float:
        """The chance of the side to move: that of its best move, or 1 or 0 where proven; a half
        where nothing is known."""
        tree = self.tree
        if tree.proof[0] != OPEN:
            return 1.0 if tree.proof[0] == LOST else 0.0
        best = max(self.children(), key=self.order, default=None)
        if best is None or tree.visits[best] == 0:
            return 0.5
        return float(tree.wins[best] / tree.visits[best])


@dataclass(frozen=True)
class Request(Generic[PositionT, SettingsT]):
    """What an analysis is asked: of a position, with the value of every move or of the best
    alone, with random numbers from a seed, by an engine with these settings.

    ``control`` has the time limit and began with the analysis.
    """

    position: PositionT
    every_move: bool
    seed: int
    control: Control
    settings: SettingsT


def analysis_control(control: Control | None, time_limit: float | None) -> Control:
    """The control of an analysis that begins now: of its limit and another the shorter one, or
    ten seconds where there is none."""
    begun = (control or Control()).begin(time_limit)
    return begun.begin(DEFAULT_SECONDS) if begun.time_limit is None else begun


class Analyzer(ABC, Generic[PositionT, SettingsT]):
    """One analysis of a position; a game adds the division of the time and what it makes of the
    findings."""

    search: TreeSearch

    def __init__(self, request: Request[PositionT, SettingsT]) -> None:
        self.position = request.position
        self.every_move = request.every_move
        self.seed = request.seed
        self.settings = request.settings
        self.control = control = request.control
        self.seconds = DEFAULT_SECONDS if control.time_limit is None else control.time_limit
        self.nodes = 0

    @property
    def left(self) -> float:
        """Seconds left."""
        return max(0.0, self.seconds - self.control.seconds)

    def until(self, seconds: float) -> None:
        """Grow the tree until so many seconds after the start of the analysis."""
        self.search.until_over(self.control.within(seconds - self.control.seconds), self.report)

    def report(self) -> None:
        """Tell of the progress, a few times a second."""
        self.control.report(self._progress)

    def _progress(self) -> Progress:
        best = next(self.search.line(), None)
        return Progress(0, 0, self.search.games, self.control.seconds, best=best)
