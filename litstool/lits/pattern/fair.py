"""The search for boards that play fairly.

Two measures, both of greedy play without a swap:

* ``win-rate``: how far X's win rate is from one half;
* ``first-moves``: the share of first moves that leave X a win rate in the even band, which is what
  makes a board good under the pie rule.

The search begins with random boards of a recipe.  *Successive halving* (Karnin, Koren and Somekh,
ICML 2013) plays a few games on each, keeps the better ones, plays as many again, and so on, so
that most games go to the boards that may be the best.  Then it climbs: neighbours of the best
boards, some steps of the recipe's walk away, compete with them in the same manner, generation by
generation.
The result is measured on fresh games, since the games that chose it flatter it.

How long it searches is told in games, so the same seed gives the same board on every machine; a
time limit may cut it short.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from litstool.errors import UsageError
from litstool.lits.board import Pattern
from litstool.lits.pattern.measure import BAND, even_count
from litstool.lits.pattern.recipe import UndecidedError
from litstool.lits.pattern.sample import Sampler
from litstool.lits.placements import placements_of
from litstool.lits.playouts import GREEDY, PlayoutTables, play, play_after_each
from litstool.search.analysis import interval
from litstool.search.chance import seed_for
from litstool.search.control import Control, Progress

WIN_RATE, FIRST_MOVES = "win-rate", "first-moves"
MEASURES = (WIN_RATE, FIRST_MOVES)

EFFORT = 8_000_000
"""Games of one search, unless told otherwise: some twenty seconds on one core."""

WITHIN = 0.01

_WIDTH, _SURVIVORS, _CHILDREN = 48, 3, 12
_KEEP = 3  # one board of so many goes on, with twice the games
_FEW = {WIN_RATE: 2000, FIRST_MOVES: 10}
_MOST = {WIN_RATE: 32_000, FIRST_MOVES: 80}
_FRESH = {WIN_RATE: 100_000, FIRST_MOVES: 400}


@dataclass
class Candidate:
    """A board in the search: X's wins so far, in all or by first move, of ``games`` games each."""

    pattern: Pattern
    board: PlayoutTables
    seed: int
    games: int = 0
    wins: np.ndarray = field(default_factory=lambda: np.zeros(1, dtype=np.int64))


@dataclass(frozen=True)
class FairBoard:
    """The best board found.

    ``value`` is the measure on fresh games, None where there was no time for any; ``interval`` its
    95 % interval: X's win rate, or the share of first moves in the even band (no interval, None).
    ``stopped`` says why the search ended: ``reached`` (close enough), ``effort``, ``exhausted`` (no
    other boards near), ``time limit`` or ``interrupted``.
    """

    pattern: Pattern
    measure: str
    value: float | None
    interval: tuple[float, float] | None
    games: int
    generations: int
    stopped: str


class _Stopped(Exception):
    """The search ends here; the message says why."""


def closeness(wins: np.ndarray, games: int, reach: float) -> float:
    """How close to one half the rates ``wins / games`` are, from 0 to 1 on average: a rate counts
    1 at one half and falls to 0 ``reach`` away.

    With few games this tells boards apart better than a count of rates in a narrow band does.
    """
    most = max(1, round(2 * reach * games * 1_000_000))
    near = np.maximum(0, most - np.abs(2 * wins - games) * 1_000_000)
    return int(near.sum()) / (most * max(1, len(wins)))


class FairSearch:
    """One search; :meth:`run` returns the board."""

    def __init__(
        self,
        sampler: Sampler,
        measure: str,
        seed: int,
        index: int = 0,
        effort: int = EFFORT,
        within: float = WITHIN,
        band: float = BAND,
        threads: int = 1,
        control: Control | None = None,
    ) -> None:
        if measure not in MEASURES:
            raise UsageError(f"{measure!r} is no measure of fair play: {', '.join(MEASURES)}")
        outline = sampler.recipe.outline
        if not len(placements_of(outline)):
            raise UsageError("no piece fits on this board, so there is no play to be fair")
        self.sampler, self.measure, self.effort = sampler, measure, effort
        self.within, self.band, self.threads = within, band, threads
        self.control = control or Control()
        # A quarter of the time is for the fresh games.
        self.searching = self.control.share(4 / 3)
        self.seed, self.index = seed, index
        self.source = random.Random(f"fair:{seed}:{index}")
        self.started = time.monotonic()
        self.games = self.generation = 0
        self.made = 0
        self.seen: set[Pattern] = set()
        self.first: list[Candidate] = []
        self.best: Candidate | None = None

    def run(self) -> FairBoard:
        """Search until the effort is spent, the board is close enough, or the control stops it.

        The control's progress has games as ``done`` and ``total`` and the generation as ``nodes``.
        """
        try:
            stopped = self._search()
        except _Stopped as end:
            stopped = str(end)
        except KeyboardInterrupt:
            self.control.stop()
            stopped = "interrupted"
        best = self.best or min(
            (each for each in self.first if each.games), key=self._score, default=None
        )
        if best is None:
            best = self.first[0] if self.first else self._enter(self._drawn(self.index))
        value, interval = self._fresh(best, self.control)
        return FairBoard(
            best.pattern, self.measure, value, interval, self.games, self.generation, stopped
        )

    def _search(self) -> str:
        # A board number of its own for every board that this search draws.
        width = max(4, min(_WIDTH, self.effort // (4 * self._cost(_FEW[self.measure]))))
        start = (self.index + 1) << 20
        for number in range(width):
            if self.first:
                self._check_time()
            self.first.append(self._enter(self._drawn(start + number)))
        elite = self._compete(self.first)
        while True:
            self.best = elite[0]
            if self.measure == WIN_RATE:
                _, interval = self._fresh_win_rate(elite[0], self.searching)
                self._check_time()
                low, high = interval or (0.0, 1.0)
                if max(0.5 - low, high - 0.5) <= self.within:
                    return "reached"
            self.generation += 1
            children = self._children(elite)
            if not children:
                return "exhausted"
            elite = self._compete(children, elite)

    def _drawn(self, number: int) -> Pattern:
        try:
            return self.sampler.board(self.seed, number)
        except UndecidedError:
            if self.first:
                self._check_time()
            raise

    def _check_time(self) -> None:
        if self.searching.is_over:
            raise _Stopped("interrupted" if self.searching.interrupted else "time limit")

    def _children(self, elite: list[Candidate]) -> list[Candidate]:
        """New boards some steps away from the best; none where there are hardly any others."""
        children = []
        for parent in elite:
            for _ in range(_CHILDREN):
                self._check_time()
                steps = 2 + self.source.getrandbits(4)
                child = self.sampler.neighbour(parent.pattern, self.source, steps)
                if child is not None and child not in self.seen:
                    children.append(self._enter(child))
        return children

    def _enter(self, pattern: Pattern) -> Candidate:
        self.made += 1
        self.seen.add(pattern)
        return Candidate(
            pattern, PlayoutTables(pattern), seed_for(self.seed, self.index, self.made)
        )

    def _compete(self, field_: list[Candidate], elite: Sequence[Candidate] = ()) -> list[Candidate]:
        """Successive halving of new boards; the last ones meet the elite.  The best few of all."""
        games = _FEW[self.measure]
        while True:
            for candidate in field_:
                self._play_up_to(candidate, games)
            field_ = sorted(field_, key=self._score)
            if games >= _MOST[self.measure] or len(field_) <= _SURVIVORS:
                break
            field_ = field_[: max(_SURVIVORS, len(field_) // _KEEP)]
            games *= 2
        for candidate in field_[:_SURVIVORS]:
            self._play_up_to(candidate, _MOST[self.measure])
        unlike: dict[Pattern, Candidate] = {}
        for candidate in sorted([*elite, *field_[:_SURVIVORS]], key=self._score):
            unlike.setdefault(candidate.pattern, candidate)
        return list(unlike.values())[:_SURVIVORS]

    def _score(self, candidate: Candidate) -> float:
        """The smaller, the better."""
        if candidate.games == 0:
            return 1.0
        if self.measure == WIN_RATE:
            return abs(2 * int(candidate.wins[0]) - candidate.games) / (2 * candidate.games)
        return 1 - closeness(candidate.wins, candidate.games, 3 * self.band)

    def _cost(self, games: int) -> int:
        """The games that so many on a board, or after each first move, come to."""
        if self.measure == WIN_RATE:
            return games
        return games * len(placements_of(self.sampler.recipe.outline))

    def _play_up_to(self, candidate: Candidate, games: int) -> None:
        more = games - candidate.games
        if more <= 0:
            return
        cost = more if self.measure == WIN_RATE else more * len(candidate.board.firsts)
        if self.games + cost > self.effort and self.games:
            raise _Stopped("effort")
        seed = seed_for(candidate.seed, candidate.games)
        if self.measure == WIN_RATE:
            tally = play(
                candidate.board, GREEDY, more, seed, threads=self.threads, control=self.searching
            )
            wins, played = np.array([tally.x_wins], dtype=np.int64), tally.games
        else:
            wins, played = play_after_each(
                candidate.board, GREEDY, more, seed, threads=self.threads, control=self.searching
            )
        if played < more:
            self._check_time()
        candidate.wins = candidate.wins + wins
        candidate.games = games
        self.games += cost
        self._report()
        self._check_time()

    def _report(self) -> None:
        if self.control.on_progress is None:
            return
        best, games = self.best, self.best.games if self.best else 0
        if best is None:
            value = "none yet"
        elif self.measure == WIN_RATE:
            value = f"X wins {100 * int(best.wins[0]) / games:.1f} %"
        else:
            even = even_count(best.wins, games, self.band)
            value = f"{even} of {len(best.wins)} first moves even"
        seconds = time.monotonic() - self.started
        self.control.on_progress(
            Progress(self.games, self.effort, self.generation, seconds, best=value)
        )

    def _fresh(
        self, candidate: Candidate, control: Control
    ) -> tuple[float | None, tuple[float, float] | None]:
        """The measure on games of a seed that the search has not used, as many as time allows."""
        if self.measure == WIN_RATE:
            return self._fresh_win_rate(candidate, control)
        seed = seed_for(self.seed, self.index, 1 << 40)
        wins, games = play_after_each(
            candidate.board, GREEDY, _FRESH[FIRST_MOVES], seed,
            threads=self.threads, control=control,
        )  # fmt: skip
        if not games:
            return None, None
        return even_count(wins, games, self.band) / max(1, len(wins)), None

    def _fresh_win_rate(
        self, candidate: Candidate, control: Control
    ) -> tuple[float | None, tuple[float, float] | None]:
        seed = seed_for(self.seed, self.index, 1 << 40, self.generation)
        tally = play(
            candidate.board, GREEDY, _FRESH[WIN_RATE], seed, threads=self.threads, control=control
        )
        self.games += tally.games
        if not tally.games:
            return None, None
        return tally.x_win_rate, interval(tally.x_wins, tally.games)
