"""Ways to an answer that is hard to find among all that nearly are one.

* From **skeletons**: as few pieces as join all that an answer must join.  With hardly a piece to
  spare nearly no placement fits, so a set of so few pieces is found, or excluded, at once.
  Whether other pieces can be added to it, so that every condition is met, is a small question too.
* With **shapes used up**: a game of few pieces ends most easily where one shape or two have run
  out, since then only the others have to be blocked.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

from litstool.lits.bounds import tighten
from litstool.lits.formula import LAZY, ReachFormula
from litstool.lits.placements import SHAPES
from litstool.lits.questions import Scope
from litstool.sat import Effort, Limits, Solver, solve_connected

_CONFLICTS = 500
"""Spent on adding pieces to each skeleton."""


_USED_UP_CONFLICTS = 15_000
"""Spent on each choice of shapes before the next is tried."""
_HARD_TO_BLOCK = "ILTS"


def can_grow(scope: Scope) -> bool:
    """Whether there is something to join, with more pieces than that takes."""
    return 1 < scope.joining < scope.most


class Grower:
    """Grows answers in a solver of the whole question, whose formula is ``made``."""

    def __init__(
        self, scope: Scope, made: ReachFormula, solver: Solver, limits: Limits, effort: Effort
    ) -> None:
        self._scope = scope
        self._made = made
        self._solver = solver
        self._limits = limits
        self._effort = effort
        self._sketch(scope.joining)

    def _sketch(self, pieces: int) -> None:
        """Ask for skeletons of at most so many further pieces from now on."""
        self._pieces = pieces
        question = replace(
            self._scope.question, finished=None, winner=None, margin=None, score=(None, None)
        )
        few = replace(self._scope, question=question, fewest=0, most=pieces, needs={})
        tighten(few)
        self._few = ReachFormula(few, LAZY, reason=self._limits.reason)
        self._sketcher = Solver(self._few.formula, self._solver.name, self._limits, self._effort)

    def close(self) -> None:
        """Give the memory of its own solver back."""
        self._sketcher.close()

    def advance(self, most_conflicts: int) -> bool | None:
        """Grow skeletons for so many conflicts: True with an answer in the solver, else None."""
        until = self._effort.conflicts + most_conflicts
        while self._effort.conflicts < until and not self._effort.stopped:
            left = until - self._effort.conflicts
            found = solve_connected(self._sketcher, self._few.cuts, (), left)
            if found:
                numbers = self._few.numbers_in(self._sketcher.model())
                self._sketcher.add([-self._few.placed[number] for number in numbers])
                if self._grow(numbers):
                    return True
                self._effort.conflicts += 1  # a try is work, though it may meet no conflict
            elif found is False and self._pieces + 1 < self._scope.most:
                self._sketcher.close()
                self._sketch(self._pieces + 1)
            elif found is False:
                # No skeletons are left, so search on like any other.
                return self._made.solve(self._solver, (), left)
        return None

    def _grow(self, numbers: Sequence[int]) -> bool | None:
        if not all(number in self._made.placed for number in numbers):
            return None
        pieces = [self._made.placed[number] for number in numbers]
        return self._made.solve(self._solver, pieces, _CONFLICTS)


def can_use_up(scope: Scope) -> bool:
    """Whether the game is to end, and may do so with a shape used up."""
    return bool(scope.finished) and bool(_choices(scope))


def _choices(scope: Scope) -> list[list[int]]:
    """One or two shapes, by their place, of which all pieces that are left may be played.

    The long shapes first, which are the hardest to block where they are left.
    """
    left = scope.start.supply_left
    some = [SHAPES.index(shape) for shape in _HARD_TO_BLOCK if left[SHAPES.index(shape)] > 0]
    chosen = [list(chosen) for size in (1, 2) for chosen in combinations(some, size)]
    chosen.sort(key=lambda each: max(some.index(shape) for shape in each))
    return [each for each in chosen if sum(left[shape] for shape in each) <= scope.most]


class UsingUp:
    """Looks for answers in which one shape or two have run out.

    Each choice of shapes for a while, then the next with the placements in another order: most
    orders lead to an answer soon and some not at all.  ``new(attempt)`` makes the formula and its
    solver for an order; ``made`` and ``solver`` are those of now.
    """

    def __init__(
        self, scope: Scope, new: Callable[[int], tuple[ReachFormula, Solver]], effort: Effort
    ) -> None:
        self._new = new
        self._effort = effort
        self._attempt = 0
        self._waiting = deque(_choices(scope))
        self._left = _USED_UP_CONFLICTS
        self.made, self.solver = new(0)

    def advance(self, most_conflicts: int) -> bool | None:
        """Search for so many conflicts: True with an answer in the solver, else None.

        False where there is none, whatever runs out.
        """
        until = self._effort.conflicts + most_conflicts
        while (left := until - self._effort.conflicts) > 0 and not self._effort.stopped:
            if not self._waiting:
                return self.made.solve(self.solver, (), left)
            begun = self._effort.conflicts
            used_up = [self.made.used_up(shape) for shape in self._waiting[0]]
            answer = self.made.solve(self.solver, used_up, min(left, self._left))
            if answer:
                return True
            self._effort.conflicts += 1  # a call is work, though it may meet no conflict
            self._left -= self._effort.conflicts - begun
            if answer is False:
                self._waiting.popleft()
                self._left = _USED_UP_CONFLICTS
            elif self._left <= 0:
                self._waiting.rotate(-1)
                self._left = _USED_UP_CONFLICTS
                self._attempt += 1
                self.solver.close()
                self.made, self.solver = self._new(self._attempt)
        return None
