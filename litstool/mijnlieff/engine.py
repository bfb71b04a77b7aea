"""Playing Mijnlieff: the exact solver where it is done in time, else Monte-Carlo tree search.

The solver takes seconds for the whole game and a moment from the fourth piece on.  Where it may be
done in the time given it gets most of that; before it comes enough of the tree search (see
``engine_kernel``) that there always is an answer, after it the tree search has what time is left.
What the solver proved counts before what was estimated, also where it was not done: bounds, a
winner without the margin, values of some of the moves.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from litstool.game import text_of
from litstool.mijnlieff.board import KINDS, SIDES, opponent
from litstool.mijnlieff.engine_kernel import MOST_PLIES, PASS_MOVE, grow
from litstool.mijnlieff.notation import parse_move
from litstool.mijnlieff.position import PASS, Move, Piece, Position
from litstool.mijnlieff.solver import make_ready as make_solver_ready
from litstool.mijnlieff.solver import solve, state_of, tables_of
from litstool.search import compiling
from litstool.search.analysis import Analysis, RankedMove, interval
from litstool.search.chance import generator, seed_for
from litstool.search.control import Control
from litstool.search.results import SCORE, SearchResult
from litstool.search.tree import Analyzer, Request, TreeSearch, analysis_control

_CAPACITY = 4_000_000
"""Nodes of a tree: about 150 MB where all are used."""

_FIRST_GAMES = 200
_MOST_SHOWN_LINE = 8

_SECONDS_TO_SOLVE = {16: 6.0, 15: 1.5, 14: 0.35, 13: 0.1}
"""What the solver takes for the margin, by empty cells, on one core of a common machine: only to
tell whether an attempt is worth its time.  Fewer cells take less."""

_EVERY_MOVE = 2.0
"""How many times longer the values of all moves take."""

_SURE, _HOPEFUL = 0.3, 3.0
"""The solver comes first where it is likely to take less than this part of the time, and is not
tried where it is likely to take more than that.  An attempt that fails costs little, since the tree
search is nearly as good with a quarter of the time."""

_TREE_FIRST = 0.1
_SHARE_OF_SOLVER = 0.8
"""Of the time that is left when it starts."""


@dataclass(frozen=True)
class Settings:
    """How the tree search plays: ``noise`` / 256 is the chance of a random move in quick play,
    ``exploration`` the weight of the bonus for moves little tried, ``margin_weight`` how much of a
    game's worth is its margin instead of its winner; ``use_solver`` and ``use_tree`` turn the two
    parts of the engine off, for comparisons."""

    noise: int = 16
    exploration: float = 0.2
    margin_weight: float = 0.2
    use_solver: bool = True
    use_tree: bool = True


BEST = Settings()


def after(position: Position, move: Move) -> Position:
    """The position after a move.

    :raises IllegalError: with every rule that it breaks.
    """
    return position.play(move)


def parse(text: str, position: Position) -> Move:
    """A move as a player types it.

    :raises NotationError: it is not a move.
    """
    return parse_move(text)


def known_winner(position: Position) -> str | None:
    """Who wins, where that is known without a search: nowhere, there is no book of this game."""
    return None


class _Search(TreeSearch):
    """A tree over one position."""

    rate = 100_000.0

    def __init__(
        self, position: Position, seed: int, settings: Settings, capacity: int = _CAPACITY
    ) -> None:
        super().__init__(capacity)
        self.position = position
        self.settings = settings
        self.tables = tables_of(position.board)
        self.at_root = state_of(position)
        self.path = np.zeros(MOST_PLIES + 1, dtype=np.int64)
        self.played = np.zeros(MOST_PLIES, dtype=np.int64)
        self.state = generator(seed_for(seed, len(position.pieces)))

    def passes(self, number: int) -> None:
        """Grow the tree by so many games."""
        settings = self.settings
        grow(
            self.tree, self.tables, self.path, self.played, self.state, *self.at_root,
            self.position.to_move == SIDES[0], number, settings.noise, settings.exploration,
            settings.margin_weight,
        )  # fmt: skip

    def text(self, node: int) -> str:
        """The move that leads to a node."""
        return text_of(move_of(self.position, int(self.tree.move[node])))


def move_of(position: Position, number: int) -> Move:
    """A move by its number in the kernel."""
    if number == PASS_MOVE:
        return PASS
    return Piece(KINDS[number % len(KINDS)], position.board.cells[number // len(KINDS)])


def make_ready(
    position: Position, on_compile: Callable[[], None] | None = None, whole_game: bool = False
) -> None:
    """Have what an analysis runs loaded, or compiled where it never was on this machine.

    With ``whole_game`` that is so for all positions from here on; here it is the same.
    ``on_compile`` is called where it takes more than a moment.
    """
    if position.is_finished:
        return
    on_compile = compiling.once(on_compile)
    search = partial(_Search, position, 1, BEST, 10_000)
    compiling.make_ready("mijnlieff.engine", lambda: search().passes(2), on_compile)
    make_solver_ready(position, on_compile)


def analyze(
    position: Position,
    *,
    time_limit: float | None = None,
    every_move: bool = True,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
    settings: Settings = BEST,
) -> Analysis:
    """What the engine finds of a position in ``time_limit`` seconds, ten unless it or the control
    has a limit (of two the shorter one holds), its own choice included.

    With ``every_move`` the solver goes on to value every move; without, the search ends as soon
    as the best move and the margin are proven.  The same seed gives the same estimates only where
    the time allows the same number of games.  ``control`` limits the time, reports and stops;
    Ctrl-C counts as a stop.
    """
    make_ready(position, on_compile)
    clock = analysis_control(control, time_limit)
    return _Analyzer(Request(position, every_move, seed, clock, settings)).run()


choose = partial(analyze, every_move=False)
"""The engine's move, in ``Analysis.choice``: :func:`analyze` that stops once it is proven."""


class _Analyzer(Analyzer[Position, Settings]):
    """One call of :func:`analyze`."""

    search: _Search

    def __init__(self, request: Request[Position, Settings]) -> None:
        super().__init__(request)
        position = request.position
        self.mover = position.to_move
        self.proved: list[SearchResult] = []

    def run(self) -> Analysis:
        position = self.position
        if position.is_finished:
            return Analysis(
                to_move=position.to_move,
                choice=None,
                winner=position.winner,
                margin=position.margin,
                chance=_chance(position.winner),
            )
        self.search = _Search(position, self.seed, self.settings)
        try:
            self._think()
        except KeyboardInterrupt:
            self.control.stop()
        return self._result()

    # -- the division of the time --------------------------------------------------------------

    def _think(self) -> None:
        self.search.passes(_FIRST_GAMES)
        expected = _SECONDS_TO_SOLVE.get(self.position.empty_cells.bit_count(), 0.05)
        if self.settings.use_solver and expected < _HOPEFUL * self.seconds:
            if expected >= _SURE * self.seconds:
                self._grow(_TREE_FIRST * self.seconds)
            if self._solve(expected):
                return
        self._grow(self.seconds)

    def _grow(self, seconds: float) -> None:
        if self.settings.use_tree:
            self.until(seconds)

    def _solve(self, expected: float) -> bool:
        """Whether the solver proved all that is worth its time, or the search was stopped."""
        share = _SHARE_OF_SOLVER * self.left
        every = self.every_move and _EVERY_MOVE * expected < share
        if not every:
            self._proves(share)
            every = (
                self.every_move and self._margin_is_known() and _EVERY_MOVE * expected < self.left
            )
        if every:
            return self._proves(self.left, all_moves=True) or self.control.interrupted
        is_won = self._bounds()[0] > 0
        enough = not self.every_move and (is_won or self._margin_is_known())
        return enough or self.control.interrupted

    def _proves(self, seconds: float, all_moves: bool = False) -> bool:
        found = solve(
            self.position, objective=SCORE, all_moves=all_moves,
            control=self.control.within(max(0.01, seconds)),
        )  # fmt: skip
        self.nodes += found.nodes
        self.proved.append(found)
        return found.solved

    def _margin_is_known(self) -> bool:
        low, high, _ = self._bounds()
        return low == high

    # -- what was found ------------------------------------------------------------------------

    def _result(self) -> Analysis:
        mover, search = self.mover, self.search
        if not search.tree.size[0]:
            search.passes(_FIRST_GAMES)
        low, high, safe = self._bounds()
        winner = None
        if low > 0 or high < 0:
            winner = mover if low > 0 else opponent(mover)
        elif low == high == 0:
            winner = "draw"
        values = {each.move: each for found in self.proved for each in found.moves or ()}
        ranked = []
        nodes = {search.text(node): node for node in search.children()}
        for text, node in nodes.items():
            games, wins = int(search.tree.visits[node]), float(search.tree.wins[node])
            by_move: str | None = None
            margin: int | None = None
            if text in values:
                by_move, margin = values[text].winner, values[text].margin
            elif text == safe and low == high:
                by_move, margin = winner, self._for_light(low)
            elif high < 0 or (text == safe and low > 0):
                by_move = winner
            if by_move is not None:
                rate = {mover: 1.0, "draw": 0.5}.get(by_move, 0.0)
                ranked.append(RankedMove(text, rate, None, None, games, by_move, margin))
            elif games:
                ends = interval(wins, games)
                ranked.append(RankedMove(text, wins / games, *ends, games))
            else:
                ranked.append(RankedMove(text, None, None, None, 0))
        ranked.sort(key=lambda move: self._rank(move, safe if low >= 0 or low == high else None))
        best = ranked[0]
        if winner is not None:
            chance = _chance(winner)
        else:
            rate = 0.5 if best.win_rate is None else best.win_rate
            rate = min(max(rate, 0.5 if low >= 0 else 0.0), 0.5 if high <= 0 else 1.0)
            chance = rate if mover == SIDES[0] else 1.0 - rate
        line = (best.move, *search.line(nodes[best.move]))[:_MOST_SHOWN_LINE]
        for found in self.proved:
            if found.solved and found.line[0] == best.move:
                line = found.line
        return Analysis(
            to_move=mover,
            choice=best.move,
            moves=tuple(ranked),
            line=line,
            winner=winner,
            margin=self._for_light(low) if low == high else None,
            chance=chance,
            expected=None if winner else search.mean_margin,
            games=search.games,
            nodes=self.nodes,
            seconds=self.control.seconds,
            interrupted=self.control.interrupted,
        )

    def _bounds(self) -> tuple[int, int, str | None]:
        """Proven limits on the mover's final margin, and the move that reaches the lower one."""
        low, high, safe = -_FAR, _FAR, None
        for found in self.proved:
            if found.margin is not None:
                least = most = self._for_light(found.margin)
            else:
                assert found.bounds is not None
                least, most = sorted(self._for_light(bound) for bound in found.bounds)
            if least > low:
                low, safe = least, found.best[0]
            high = min(high, most)
        return low, high, safe

    def _for_light(self, margin: int) -> int:
        """A margin of the mover as Light's, and the other way round."""
        return margin if self.mover == SIDES[0] else -margin

    def _rank(self, move: RankedMove, safe: str | None) -> tuple[float, ...]:
        """Proven wins first, then what is sure not to lose, then by games; proven losses last.

        ``safe`` is the move that reaches the proven lower limit, where that is worth having.
        """
        unsafe = move.move != safe
        if move.winner is None and unsafe:
            return (2, 0, 0, 0, -move.games)
        level = {self.mover: 0, "draw": 1, None: 1}.get(move.winner, 3)
        margin = 0 if move.margin is None else self._for_light(move.margin)
        # A win of unknown margin is ranked by what is sure of it; so is a loss.
        return (level, move.margin is None and unsafe, -margin, unsafe, -move.games)


_FAR = 1000
"""Beyond every margin."""


def _chance(winner: str | None) -> float:
    """Light's share of a proven result."""
    return {SIDES[0]: 1.0, SIDES[1]: 0.0}.get(str(winner), 0.5)


def greedy(position: Position, seed: int = 0) -> str:
    """A move of the largest gain in points, ties broken at random by the seed."""
    moves = list(position.moves())
    gains = position.gains(moves)
    best = [text_of(move) for move, gain in zip(moves, gains, strict=True) if gain == max(gains)]
    return random.Random(seed * 1009 + len(position.pieces)).choice(best)


def random_move(position: Position, seed: int = 0) -> str:
    """Any legal move, each equally likely by the seed."""
    moves = [text_of(move) for move in position.moves()]
    return random.Random(seed * 1009 + len(position.pieces)).choice(moves)
