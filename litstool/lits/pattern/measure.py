"""What play makes of a board: win rates of X without a swap, and the pie rule.

The pie rule makes a board good where
many first moves leave even chances: the second player swaps after any other, so a first player
picks one of these.  So the games are also played *after each first move*, and counted how many
first moves leave X a win rate in the **even band**, from 0.5 - band to 0.5 + band.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from litstool.lits.board import Pattern, Supply
from litstool.lits.placements import placements_of
from litstool.lits.playouts import (
    GREEDY,
    RANDOM,
    STRONG,
    PlayoutTables,
    Tally,
    one_game,
    play,
    play_after_each,
    run_lots,
)
from litstool.search.chance import seed_for
from litstool.search.compiling import make_ready
from litstool.search.control import Control, Progress

BAND = 0.05
"""How far from one half a win rate may be to be called even."""

STRONG_FROM = 300
"""Strong play is greedy until so few placements are alive, then perfect.

That is after 8 to 11 pieces on a 10x10 board, where the solver takes some milliseconds."""

BINS = 20


@dataclass(frozen=True)
class PlayResult:
    """What games by a policy on both sides add up to."""

    policy: str
    tally: Tally

    @property
    def mean_margin(self) -> float:
        """X's final margin, on average."""
        return self.tally.margin / max(1, self.tally.games)

    @property
    def margin_deviation(self) -> float:
        """The standard deviation of X's final margin."""
        games = max(1, self.tally.games)
        return sqrt(max(0.0, self.tally.squares / games - self.mean_margin**2))


def strong_play(
    board: PlayoutTables, games: int, seed: int, control: Control | None = None, threads: int = 1
) -> Tally:
    """Games that are greedy first and perfect from where the solver is quick.

    Fewer where the control or Ctrl-C stopped it.
    """
    from litstool.lits.solver import solve

    def one(index: int) -> Tally | None:
        position = one_game(board, GREEDY, seed_for(seed, 3, index), STRONG_FROM)
        if position.is_finished:
            margin, pieces, winner = position.margin, len(position.pieces), position.winner
        else:
            part = None if control is None else control.share(1)
            result = solve(position, objective="score", control=part, hash_mib=1)
            if not result.solved or result.margin is None:
                return None
            margin, winner = result.margin, result.winner
            pieces = len(position.pieces) + len(result.line)
        tally = Tally(
            1, int(winner == "X"), int(margin > 0), int(margin < 0), margin, margin * margin
        )
        tally.lengths[pieces] += 1
        return tally

    total = Tally()
    for tally in run_lots(one, range(games), threads, control):
        if tally is not None:
            total.add(tally)
    return total


def measure_play(
    board: PlayoutTables,
    policy: str,
    games: int,
    seed: int,
    control: Control | None = None,
    threads: int = 1,
) -> PlayResult:
    """So many games by a policy on both sides, from the empty board."""
    if policy == STRONG:
        return PlayResult(policy, strong_play(board, games, seed, control, threads))
    tally = play(board, policy, games, seed, with_cells=True, threads=threads, control=control)
    return PlayResult(policy, tally)


@dataclass(frozen=True)
class FirstMove:
    """A first move and what X made of it."""

    move: str
    wins: int
    games: int

    @property
    def rate(self) -> float:
        """X's win rate after it."""
        return self.wins / self.games


@dataclass(frozen=True)
class FirstMoves:
    """The pie rule: X's win rate after each first move.

    ``wins`` is in the order of ``PlayoutTables.firsts``, of ``games`` games each.  ``most_even``
    are the moves nearest to one half, played again so often that chance no longer puts them there.
    ``complete`` says that all the games asked for were played.
    """

    policy: str
    games: int
    band: float
    wins: np.ndarray
    most_even: tuple[FirstMove, ...]
    complete: bool = True

    @property
    def rates(self) -> np.ndarray:
        """X's win rate after each."""
        return self.wins / self.games

    @property
    def even_moves(self) -> int:
        """How many first moves leave a win rate in the even band."""
        return even_count(self.wins, self.games, self.band)

    @property
    def even_share(self) -> float:
        """The share of the first moves that do."""
        return self.even_moves / max(1, len(self.wins))

    @property
    def histogram(self) -> list[int]:
        """First moves by win rate, in 20 equal bins from 0 to 1."""
        bins = np.minimum(self.wins * BINS // self.games, BINS - 1)
        counted: list[int] = np.bincount(bins, minlength=BINS).tolist()
        return counted

    @property
    def chance_deviation(self) -> float:
        """The standard error of one first move's win rate."""
        return sqrt(0.25 / self.games)


def even_count(wins: np.ndarray, games: int, band: float) -> int:
    """How many rates ``wins / games`` are in the even band."""
    # Whole numbers: 45 % of 400 games is in the band on every machine.
    most = round(band * 2 * games * 1_000_000)
    return int((np.abs(2 * wins - games) * 1_000_000 <= most).sum())


def measure_first_moves(
    board: PlayoutTables,
    games: int,
    seed: int,
    band: float = BAND,
    policy: str = GREEDY,
    show: int = 8,
    control: Control | None = None,
    threads: int = 1,
) -> FirstMoves | None:
    """Games after each first move, then twenty times as many after the most even ones.

    Fewer games each where the control or Ctrl-C stopped it; None where it was too early for any.
    """
    control = control or Control()
    # A quarter of the time is for the most even ones.
    part = control.share(4 / 3)
    wins, played = play_after_each(board, policy, games, seed, threads=threads, control=part)
    if not played:
        return None
    near = sorted(range(len(wins)), key=lambda place: (abs(2 * int(wins[place]) - played), place))
    firsts = [int(board.firsts[place]) for place in near[: 4 * show]]
    refined, again = play_after_each(
        board, policy, 20 * games, seed_for(seed, 4), firsts, threads=threads, control=control
    )
    every = placements_of(board.pattern.outline).all
    found = [
        FirstMove(every[move].notation, int(won), again)
        for move, won in zip(firsts, refined, strict=True)
        if again
    ]
    found.sort(key=lambda each: abs(2 * each.wins - each.games))
    complete = (played, again) == (games, 20 * games)
    return FirstMoves(policy, played, band, wins, tuple(found[:show]), complete)


@dataclass(frozen=True)
class PlayReport:
    """All that was played on a board; what was not played is left out.

    ``complete`` says that all the games asked for were played.
    """

    play: tuple[PlayResult, ...]
    first_moves: FirstMoves | None
    band: float = BAND
    complete: bool = True

    def of(self, policy: str) -> PlayResult | None:
        """The games by a policy."""
        return next((each for each in self.play if each.policy == policy), None)

    @property
    def strongest(self) -> PlayResult | None:
        """The games by the strongest policy of those played."""
        return self.play[-1] if self.play else None


def ready(board: PlayoutTables) -> None:
    """Have all that :func:`measure` runs compiled, or loaded, before a clock starts."""
    from litstool.lits.solver import make_ready

    play(board, GREEDY, 1, 0, with_cells=True)
    if len(board.firsts):
        play_after_each(board, GREEDY, 1, 0, board.firsts[:1].tolist())
        one_game(board, GREEDY, 0)
        make_ready(board.position)


@dataclass(frozen=True)
class GamesWanted:
    """What is to be played on a board: ``each`` random games and as many greedy ones, ``strong``
    ones, ``after_each`` first move, by ``threads``; which win rates are even."""

    each: int
    strong: int
    after_each: int
    seed: int = 0
    band: float = BAND
    threads: int = 1


def play_report(
    pattern: Pattern,
    supply: Supply,
    wanted: GamesWanted,
    control: Control,
    boards_left: int,
    on_compile: Callable[[], None],
) -> PlayReport:
    """Play on the next of so many boards, in its share of the time left.

    What is compiled or loaded first does not count.
    """
    with control.paused():
        board = PlayoutTables(pattern, supply)
        make_ready(("measure", board.lines), lambda: ready(board), on_compile)
    policies = {RANDOM: wanted.each, GREEDY: wanted.each, STRONG: wanted.strong}
    return measure(
        board, policies, wanted.after_each, wanted.seed, wanted.band,
        control.share(boards_left), wanted.threads,
    )  # fmt: skip


def measure(
    board: PlayoutTables,
    policies: dict[str, int],
    games_per_first_move: int,
    seed: int,
    band: float = BAND,
    control: Control | None = None,
    threads: int = 1,
) -> PlayReport:
    """Play on a board: so many games by each policy, the weakest first, and after each first move
    (0 for none).

    Where the control or Ctrl-C stops it, what was played by then; a time limit is shared out
    among the policies and the first moves.  The control's progress says in ``best`` what is being
    played.
    """
    control = control or Control()
    parts = {policy: games for policy, games in policies.items() if games}
    has_firsts = bool(games_per_first_move and len(board.firsts))
    played: list[PlayResult] = []
    started = time.monotonic()

    def announce(what: str) -> None:
        if control.on_progress is not None:
            seconds = time.monotonic() - started
            control.on_progress(Progress(len(played), len(parts) + 1, 0, seconds, best=what))

    complete = True
    for number, (policy, games) in enumerate(policies.items()):
        if games == 0:
            continue
        announce(f"{games:,} {policy} games")
        part = control.share(len(parts) - len(played) + has_firsts)
        result = measure_play(board, policy, games, seed_for(seed, 10 + number), part, threads)
        complete = complete and result.tally.games == games
        if result.tally.games:
            played.append(result)
    first_moves = None
    if has_firsts:
        each = f"each of {len(board.firsts):,} first moves"
        announce(f"{games_per_first_move:,} games after {each}")
        first_moves = measure_first_moves(
            board, games_per_first_move, seed_for(seed, 20), band, control=control, threads=threads
        )
        complete = complete and first_moves is not None and first_moves.complete
    return PlayReport(tuple(played), first_moves, band, complete)
