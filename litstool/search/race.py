"""Several solvers at one formula's question, side by side or in turn: the first answer counts.

How long a solver takes for a hard question depends on luck: on the order of its variables, on its
heuristics.  So a second one is tried after some work of the first, then a third, each with an
order, a kind or a way of its own, and they go on in turn, each keeping what it has learned and
having its share of the conflicts.  With more threads as many work at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from litstool.sat import Clock, Effort, Limits, Solver, StoppedError

Made = TypeVar("Made")

_TURN = 4_000
"""Conflicts in a turn of a runner with a whole share; after a turn of all comes a new one."""
_LOOK_SECONDS = 0.05


@dataclass
class Runner(Generic[Made]):
    """A solver with its formula: ``advance`` searches on for so many conflicts.

    ``share`` is what it gets of the conflicts where others get 1.  ``let_go`` gives the memory of
    what else it uses back.
    """

    made: Made
    solver: Solver
    advance: Callable[[int], bool | None]
    share: float = 1
    let_go: Callable[[], None] = lambda: None
    turns: float = 0
    """How many it has had, those it came too late for included."""


@dataclass
class RaceClock:
    """The clock of a race, which also stops when somebody has won."""

    whole: Clock
    is_won: bool = False

    @property
    def left(self) -> float | None:
        """Seconds left; None without a limit."""
        return self.whole.left

    @property
    def interrupted(self) -> bool:
        """Whether to stop: asked to, or the race is over."""
        return self.is_won or self.whole.interrupted


@dataclass
class Race(Generic[Made]):
    """Runners in turn, or ``threads`` of them at once.

    ``new_runner(number, limits, effort)`` makes the next one, None where there are enough.
    ``efforts`` has what each spent.
    """

    limits: Limits
    new_runner: Callable[[int, Limits, Effort], Runner[Made] | None]
    threads: int = 1
    efforts: list[Effort] = field(default_factory=list)
    winner: Runner[Made] | None = None
    answer: bool | None = None
    stopped: str | None = None

    def __post_init__(self) -> None:
        assert self.limits.clock is not None
        self._clock = RaceClock(self.limits.clock)
        self._idle: list[Runner[Made]] = []
        self._all: list[Runner[Made]] = []
        self._has_enough = False
        self._lock = threading.Lock()
        self._making = threading.Lock()

    def run(self) -> bool | None:
        """The answer of the first to have one; None where a limit came (``stopped`` says which).

        The solvers live until :meth:`close`, so that the winner's model can be read.
        """
        if self.threads == 1:
            self._work(self.limits)
            return self.answer
        # Only this thread tells of the progress.
        quiet = replace(self.limits, clock=self._clock, on_tick=None)
        with ThreadPoolExecutor(self.threads) as pool:
            working = {pool.submit(self._work, quiet) for _ in range(self.threads)}
            try:
                while wait(working, _LOOK_SECONDS).not_done:
                    self.limits.reason()
                for each in working:
                    each.result()
            finally:
                # Also on Ctrl-C: the solvers come back soon, and the pool waits for them.
                self._clock.is_won = True
        return self.answer

    def close(self) -> None:
        """Let go of the solvers."""
        for runner in self._all:
            runner.let_go()
            runner.solver.close()

    def _work(self, limits: Limits) -> None:
        limits = replace(limits, clock=self._clock)
        while not self._clock.is_won:
            reason = limits.reason()
            if reason is not None:
                self.stopped = reason
                return
            runner = self._next(limits)
            if runner is None:
                return
            answer = runner.advance(int(_TURN * runner.share))
            with self._lock:
                runner.turns += 1
                if answer is not None and not self._clock.is_won:
                    self._clock.is_won = True
                    self.winner, self.answer = runner, answer
                self._idle.append(runner)

    def _next(self, limits: Limits) -> Runner[Made] | None:
        """The runner that has had the fewest turns, or a new one where all have had their first."""
        with self._making:
            with self._lock:
                turns = min((runner.turns for runner in self._idle), default=None)
            if not self._has_enough and (turns is None or turns >= len(self._all)):
                effort = Effort()
                try:
                    runner = self.new_runner(len(self._all), limits, effort)
                except StoppedError as stop:
                    if not self._clock.is_won:
                        self.stopped = stop.message
                    return None
                if runner is not None:
                    runner.turns = turns or 0
                    self._all.append(runner)
                    self.efforts.append(effort)
                    return runner
                self._has_enough = True
        with self._lock:
            if not self._idle:
                return None
            runner = min(self._idle, key=lambda each: each.turns)
            self._idle.remove(runner)
            return runner
