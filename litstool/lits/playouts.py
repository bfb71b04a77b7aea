"""Many games played quickly, at random or greedily, and what they add up to.

Policies, the same for both sides:

* ``random``: each legal move is equally likely;
* ``greedy``: a move of the largest gain for the side that moves, ties broken at random;
* ``strong``: greedy until few placements are left in play, then perfect play by the solver.

Nobody swaps: the symbols are valued as they stand.  The moves are those of ``kernels.place``; here
are only the choice of a move and the sums.  Everything is whole numbers and every lot of games has
a seed of its own, so the sums depend on the seed alone, not on the machine or on the number of
threads.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from litstool.grid import bits
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply
from litstool.lits.kernels import (
    MOST_PIECES,
    Tables,
    count,
    legal_moves,
    lines_of,
    member,
    place,
    put,
    row,
    stack_of,
    tables_of,
)
from litstool.lits.placements import placements_of
from litstool.lits.position import Position
from litstool.search.chance import below, generator, seed_for
from litstool.search.compiling import kernel
from litstool.search.control import Control
from litstool.search.table import aligned_zeros
from litstool.search.threads import cores

RANDOM, GREEDY, STRONG = "random", "greedy", "strong"

MOST_GAIN = 4
LOT = 4096
"""Games in one call of the kernel: some hundredths of a second, so that Ctrl-C is felt."""

FIRST_ROUND, MOST_ROUND = 40, 100
"""Games after each first move before any has more: what a time limit leaves is even."""

# Places in the sums of a lot.
_GAMES, _X_WINS, _X_AHEAD, _O_AHEAD, _MARGIN, _SQUARES, _SUMS = range(7)


@dataclass
class Tally:
    """What so many games add up to.

    ``x_wins`` counts the tie-break, ``x_ahead`` and ``o_ahead`` only points.  ``margin`` and
    ``squares`` are the sums of X's final margin and of its square.  ``lengths`` counts games by
    number of pieces, ``covered`` counts by cell (row x columns + column) how often a piece
    came to lie on it.
    """

    games: int = 0
    x_wins: int = 0
    x_ahead: int = 0
    o_ahead: int = 0
    margin: int = 0
    squares: int = 0
    lengths: np.ndarray = field(default_factory=lambda: np.zeros(MOST_PIECES, dtype=np.int64))
    covered: np.ndarray | None = None

    def add(self, other: Tally) -> None:
        """Take in the games of another tally."""
        for name in ("games", "x_wins", "x_ahead", "o_ahead", "margin", "squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.lengths = self.lengths + other.lengths
        if other.covered is not None:
            self.covered = other.covered + (0 if self.covered is None else self.covered)

    @property
    def ties(self) -> int:
        """Games on equal scores, which the last piece decided."""
        return self.games - self.x_ahead - self.o_ahead

    @property
    def pieces(self) -> int:
        """Pieces placed in all games together."""
        return int((self.lengths * np.arange(len(self.lengths))).sum())

    @property
    def mean_length(self) -> float:
        """Pieces in a game, on average."""
        return self.pieces / self.games if self.games else 0.0

    @property
    def x_win_rate(self) -> float:
        """The share of games that X won, tie-break included."""
        return self.x_wins / self.games if self.games else 0.5


class PlayoutTables:
    """The tables of a pattern that games are played with; made once, shared by threads.

    ``of_gain`` (9 x words) holds, at 4 + gain, the placements with that gain for X; ``firsts``
    are the legal first moves by number, which are all placements but for shapes that the supply
    has none of.
    """

    def __init__(self, pattern: Pattern, supply: Supply = FULL_SUPPLY) -> None:
        self.pattern = pattern
        self.position = Position.empty(pattern, supply)
        self.firsts = np.array(list(bits(self.position.legal)), dtype=np.int64)
        self.tables: Tables = tables_of(pattern.outline)
        self.lines = lines_of(self.tables)
        size = pattern.outline.rows * pattern.outline.columns
        value = np.zeros(size, dtype=np.int64)
        for cells, worth in ((pattern.o_cells, 1), (pattern.x_cells, -1)):
            for cell in pattern.outline.cells_of(cells):
                value[cell.row * pattern.outline.columns + cell.column] = worth
        self.value = value
        self.gain = value[self.tables.cells].sum(axis=1).astype(np.int64)
        self.of_gain = aligned_zeros((2 * MOST_GAIN + 1, self.tables.covering.shape[1]))
        fill_gains(self.gain, self.of_gain)
        self.start_margin = pattern.count("X") - pattern.count("O")

    def scratch(self) -> tuple[Any, Any, Any]:
        """A stack at the empty board, a row and a list of played placements, for one thread."""
        stack = stack_of(self.position)
        return stack, aligned_zeros((1, self.tables.covering.shape[1])), _played()


def _played() -> np.ndarray:
    return np.zeros(MOST_PIECES, dtype=np.int64)


@kernel
def fill_gains(gain, of_gain):
    """Write the set of the placements of each gain."""
    for placement in range(len(gain)):
        bit = np.uint64(1) << np.uint64(placement & 63)
        of_gain[gain[placement] + 4, placement >> 6] |= bit


@kernel
def choose(of_gain, moves, state, legal, choices, x_moves, lines):
    """A placement of the largest gain for the side that moves; ``choices`` > 0 are legal."""
    for step in range(of_gain.shape[0]):
        gain = of_gain.shape[0] - 1 - step if x_moves else step
        best = legal & row(of_gain, gain, lines)
        found = count(best)
        if found > 0:
            put(moves, 0, best)
            return member(moves, 0, below(state, found))
    return -1


@kernel
def playout(tables, of_gain, stack, moves, played, state, ply, greedy, until, lines):
    """Play on from a ply to the end of the game, or until few placements are in play.

    X has the even plies; ply 0 is the empty board.  ``until`` is how many placements may still be
    alive where the play stops (-1: only at the end).  ``played`` gets the placements from ``ply``
    on.  Returns the ply reached.
    """
    while True:
        legal = legal_moves(tables, stack, ply, lines)
        choices = count(legal)
        if choices == 0 or count(row(stack.alive, ply, lines)) <= until:
            return ply
        if greedy:
            placement = choose(of_gain, moves, state, legal, choices, ply % 2 == 0, lines)
        else:
            put(moves, 0, legal)
            placement = member(moves, 0, below(state, choices))
        played[ply] = placement
        place(tables, stack, ply, placement, ply == 0, lines)
        ply += 1


@kernel
def play_lot(
    tables, of_gain, gain, stack, moves, played, seed, first, greedy, games, start_margin,
    sums, lengths, covered, lines,
):  # fmt: skip
    """Play games from the empty board, or after the placement ``first`` (-1 for none), and add up.

    ``sums`` has 6 numbers: games, X's wins, X ahead, O ahead, the margins, their squares;
    ``lengths`` has MOST_PIECES; ``covered`` has one a cell, or none at all.
    """
    state = generator(seed)
    start = 0
    if first >= 0:
        played[0] = first
        place(tables, stack, 0, first, True, lines)
        start = 1
    for _ in range(games):
        end = playout(tables, of_gain, stack, moves, played, state, start, greedy, -1, lines)
        margin = start_margin
        for ply in range(end):
            margin += gain[played[ply]]
        sums[_GAMES] += 1
        # On equal scores the side that placed the last piece wins, and X has the odd ones.
        if margin > 0 or (margin == 0 and end % 2 == 1):
            sums[_X_WINS] += 1
        if margin > 0:
            sums[_X_AHEAD] += 1
        elif margin < 0:
            sums[_O_AHEAD] += 1
        sums[_MARGIN] += margin
        sums[_SQUARES] += margin * margin
        lengths[end] += 1
        if len(covered) > 0:
            for ply in range(end):
                for cell in tables.cells[played[ply]]:
                    covered[cell] += 1


@kernel
def play_firsts(
    tables, of_gain, gain, stack, moves, played, seeds, firsts, greedy, games, start_margin,
    wins, lines,
):  # fmt: skip
    """Games after each of many first placements; ``wins`` gets X's wins, tie-break included.

    Each first placement has a seed of its own.
    """
    for index in range(len(firsts)):
        state = generator(seeds[index])
        first = firsts[index]
        played[0] = first
        place(tables, stack, 0, first, True, lines)
        for _ in range(games):
            end = playout(tables, of_gain, stack, moves, played, state, 1, greedy, -1, lines)
            margin = start_margin
            for ply in range(end):
                margin += gain[played[ply]]
            if margin > 0 or (margin == 0 and end % 2 == 1):
                wins[index] += 1


def play(
    board: PlayoutTables,
    policy: str,
    games: int,
    seed: int,
    first: int = -1,
    with_cells: bool = False,
    threads: int = 1,
    control: Control | None = None,
) -> Tally:
    """Play so many games from the empty board, or after a first placement given by its number.

    Fewer where the control stops them or Ctrl-C comes (``control.interrupted``).
    """
    lots = [
        (seed_for(seed, 1, index), min(LOT, games - start))
        for index, start in enumerate(range(0, games, LOT))
    ]

    def one(lot: tuple[int, int]) -> Tally:
        return _play_lot(board, policy, lot[1], lot[0], first, with_cells)

    tally = Tally()
    for part in run_lots(one, lots, threads, control):
        tally.add(part)
    return tally


def _play_lot(
    board: PlayoutTables, policy: str, games: int, seed: int, first: int, with_cells: bool
) -> Tally:
    sums = np.zeros(_SUMS, dtype=np.int64)
    lengths = np.zeros(MOST_PIECES, dtype=np.int64)
    covered = np.zeros(len(board.value) if with_cells else 0, dtype=np.int64)
    stack, moves, played = board.scratch()
    play_lot(
        board.tables, board.of_gain, board.gain, stack, moves, played, seed, first,
        policy == GREEDY, games, board.start_margin, sums, lengths, covered, board.lines,
    )  # fmt: skip
    counts = [int(each) for each in sums]
    return Tally(*counts, lengths, covered if with_cells else None)


def run_lots(
    one: Any, lots: Iterable[Any], threads: int = 1, control: Control | None = None
) -> list[Any]:
    """What a function makes of each lot, in their order, on so many threads.

    Stops between lots where the control says so, its time is up or Ctrl-C comes; the results are
    then those of the lots that were begun by then, the first ones.
    """
    control = control or Control()
    found: list[Any] = []
    waiting = list(lots)
    # More threads than cores would only have more lots half done when the time is up.
    threads = min(threads, cores())

    def in_time(lot: Any) -> list[Any]:
        return [] if control.is_over else [one(lot)]

    try:
        if threads <= 1:
            for lot in waiting:
                if control.is_over:
                    break
                found.append(one(lot))
            return found
        with ThreadPoolExecutor(threads) as pool:
            for start in range(0, len(waiting), 4 * threads):
                if control.is_over:
                    break
                for part in pool.map(in_time, waiting[start : start + 4 * threads]):
                    found += part
    except KeyboardInterrupt:
        control.stop()
    return found


class Wins(NamedTuple):
    """X's wins after each of some first moves, of ``games`` games each."""

    wins: np.ndarray
    games: int


def play_after_each(
    board: PlayoutTables,
    policy: str,
    games: int,
    seed: int,
    firsts: Sequence[int] | None = None,
    threads: int = 1,
    control: Control | None = None,
) -> Wins:
    """How many of ``games`` games X won after each legal first move, or after those given.

    They are played in rounds, each after all of the moves; where the control or Ctrl-C stopped
    them, the whole rounds played by then, 0 games if there was none.
    """
    numbers = board.firsts if firsts is None else np.array(firsts, dtype=np.int64)
    total = np.zeros(len(numbers), dtype=np.int64)
    start = 0
    while start < games:
        some = min(max(FIRST_ROUND, start), MOST_ROUND, games - start)
        # The first round has the seeds of the moves alone.
        round_seed = (start,) if start else ()
        wins = _play_round(board, policy, some, (seed, 2), round_seed, numbers, threads, control)
        if len(wins) < len(numbers):
            break
        total = total + wins
        start += some
    return Wins(total, start)


def _play_round(
    board: PlayoutTables,
    policy: str,
    games: int,
    seed: tuple[int, int],
    round_seed: tuple[int, ...],
    numbers: np.ndarray,
    threads: int,
    control: Control | None,
) -> np.ndarray:
    size = max(1, LOT // games)

    def one(some: np.ndarray) -> np.ndarray:
        seeds = np.array([seed_for(*seed, int(each), *round_seed) for each in some], dtype=np.int64)
        wins = np.zeros(len(some), dtype=np.int64)
        stack, moves, played = board.scratch()
        play_firsts(
            board.tables, board.of_gain, board.gain, stack, moves, played, seeds, some,
            policy == GREEDY, games, board.start_margin, wins, board.lines,
        )  # fmt: skip
        return wins

    lots = [numbers[start : start + size] for start in range(0, len(numbers), size)]
    parts = run_lots(one, lots, threads, control)
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


@kernel
def _one_game(tables, of_gain, stack, moves, played, seed, greedy, until, lines):
    state = generator(seed)
    return playout(tables, of_gain, stack, moves, played, state, 0, greedy, until, lines)


def one_game(board: PlayoutTables, policy: str, seed: int, until: int = -1) -> Position:
    """One game by a policy from the empty board, as the position where it stops (see playout)."""
    stack, moves, played = board.scratch()
    end = _one_game(
        board.tables, board.of_gain, stack, moves, played, seed, policy == GREEDY, until,
        board.lines,
    )  # fmt: skip
    every = placements_of(board.pattern.outline).all
    return board.position.placed_all(every[number] for number in played[:end])
