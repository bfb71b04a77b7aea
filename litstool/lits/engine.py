"""Playing Battle of LITS from positions too early to solve, and exactly from where they are not.

The engine divides its time between Monte-Carlo tree search (see ``engine_kernel``) and the exact
solver.  The tree search comes first, so that there always is an answer; where the solver has a
chance in the time left, it gets most of it, and what it proves replaces what was estimated.  A
machine that is too slow for the solver loses that time and no more.

Under the pie rule the first player's best piece leaves the position as even as possible, and the
second player swaps wherever X is ahead: by the swap book where it knows who wins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from litstool.game import SWAP
from litstool.lits.board import opponent
from litstool.lits.book import known_reply
from litstool.lits.book import known_winner as known_winner
from litstool.lits.engine_kernel import grow, look_ahead
from litstool.lits.game import Move
from litstool.lits.kernels import MOST_PIECES, Stack, stack_of
from litstool.lits.notation import parse_move
from litstool.lits.placements import Placement
from litstool.lits.playouts import GREEDY, PlayoutTables, play_after_each
from litstool.lits.position import Position
from litstool.lits.rows import lines_for
from litstool.lits.solver import make_ready as make_solver_ready
from litstool.lits.solver import make_ready_for_game, solve
from litstool.search import compiling
from litstool.search.analysis import Analysis, RankedMove, interval
from litstool.search.chance import generator, seed_for
from litstool.search.control import Control, Stopped
from litstool.search.results import OUTCOME, SCORE, SearchResult
from litstool.search.table import aligned_zeros
from litstool.search.tree import Analyzer, Request, TreeSearch, analysis_control
from litstool.search.tree_kernel import LOST, OPEN, WON

_CAPACITY = 1_500_000
"""Nodes of a tree: about 60 MB."""

_HASH_MIB = 256
_MOST_SHOWN_LINE = 8

_FROM_THE_BOOK = "who wins is known from the swap book; which move is best is estimated"
_REPLY_FROM_THE_BOOK = "who wins, and with {}, is known from the swap book; the rest is estimated"

OPENINGS = 12
"""First pieces that are looked at closely for an even one."""

_OPENING_GAMES = 64
_SHARE_OF_OPENINGS = 0.4
"""Of the time, for games after every first piece."""

_SECONDS_TO_DECIDE = {0: 20.0, 1: 12.0, 2: 6.0, 3: 1.0, 4: 0.3, 5: 0.1}
"""What the solver takes to say who wins, by pieces down on a standard board, on one core of a
common machine: only to tell whether an attempt is worth its time."""


@dataclass(frozen=True)
class Settings:
    """How the tree search plays: ``noise`` / 256 is the chance of a random move in quick play,
    ``exploration`` the weight of the bonus for moves little tried, ``margin_weight`` how much of a
    game's worth is its margin instead of its winner, ``solver_patience`` how many times the time
    given the solver may be expected to take and still be tried; ``use_solver`` and ``use_tree``
    turn the two parts of the engine off, for comparisons.  Chosen by matches: see
    ``benchmarks/README.md``."""

    noise: int = 128
    exploration: float = 0.2
    margin_weight: float = 0.2
    solver_patience: float = 1.5
    use_solver: bool = True
    use_tree: bool = True


BEST = Settings()


def after(position: Position, move: Move) -> Position:
    """The position after a move or a swap.

    :raises IllegalError: with every rule that it breaks.
    """
    return position.swap() if isinstance(move, str) else position.play(move)


class _Search(TreeSearch):
    """A tree over one position."""

    def __init__(
        self, position: Position, seed: int, settings: Settings, capacity: int = _CAPACITY
    ) -> None:
        super().__init__(capacity)
        self.position = position
        self.settings = settings
        self.board = board_of(position)
        self.start = len(position.pieces)
        self.stack = stack_at(position)
        words = self.board.tables.covering.shape[1]
        self.moves = aligned_zeros((1, words))
        self.played = np.zeros(MOST_PIECES + 1, dtype=np.int64)
        self.path = np.zeros(MOST_PIECES + 2, dtype=np.int64)
        self.state = generator(seed_for(seed, self.start))

    def passes(self, number: int) -> None:
        """Grow the tree by so many games."""
        settings = self.settings
        grow(
            self.tree, self.board.tables, self.board.of_gain, self.board.gain, self.stack,
            self.moves, self.played, self.path, self.state, self.start, self.position.margin,
            number, settings.noise, settings.exploration, settings.margin_weight, self.board.lines,
        )  # fmt: skip

    def text(self, node: int) -> str:
        """The move that leads to a node."""
        return self.position.placements.all[int(self.tree.move[node])].notation


_boards: dict[object, PlayoutTables] = {}


def board_of(position: Position) -> PlayoutTables:
    """The tables of a position's pattern and supply, made once."""
    key = position.pattern, position.supply
    if key not in _boards:
        if len(_boards) >= 8:
            _boards.clear()
        _boards[key] = PlayoutTables(position.pattern, position.supply)
    return _boards[key]


def stack_at(position: Position) -> Stack:
    """A stack whose ply of the number of pieces down is the position."""
    start = len(position.pieces)
    stack = stack_of(position, MOST_PIECES + 2)
    if start:
        for part in stack:
            part[start] = part[0]
    return stack


def make_ready(
    position: Position, on_compile: Callable[[], None] | None = None, whole_game: bool = False
) -> None:
    """Have what an analysis runs loaded, or compiled where it never was on this machine.

    With ``whole_game`` that is so for all positions of a game from here on.  ``on_compile`` is
    called where it takes more than a moment.
    """
    if position.is_finished:
        return
    on_compile = compiling.once(on_compile)
    _make_tree_ready(position, on_compile)
    if whole_game or not position.pieces:
        lines = lines_for(len(position.placements.all))
        run = partial(play_after_each, board_of(position), GREEDY, 1, 1, [0])
        compiling.make_ready(("openings", lines), run, on_compile)
    if whole_game:
        make_ready_for_game(position.pattern, on_compile)
    else:
        make_solver_ready(position, on_compile)


def _make_tree_ready(position: Position, on_compile: Callable[[], None] | None = None) -> None:
    key = ("tree", lines_for(len(position.placements.all)))
    compiling.make_ready(key, lambda: _Search(position, 1, BEST, 10_000).passes(2), on_compile)


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


def estimate(position: Position, time_limit: float, seed: int = 0) -> float:
    """X's chance to win, 0 to 1, by ``time_limit`` seconds of tree search alone."""
    _make_tree_ready(position)
    search = _Search(position, seed, BEST)
    search.passes(64)
    search.until_over(Control(time_limit))
    rate = search.mover_rate()
    return rate if position.to_move == "X" else 1.0 - rate


class _Analyzer(Analyzer[Position, Settings]):
    """One call of :func:`analyze`."""

    search: _Search

    def __init__(self, request: Request[Position, Settings]) -> None:
        super().__init__(request)
        position = request.position
        self.exact: SearchResult | None = None
        self.values: SearchResult | None = None
        self.proven_winner: str | None = known_winner(position)
        reply = known_reply(position)
        self.book_reply: str | None = None if reply is None else reply.notation

    def run(self) -> Analysis:
        position = self.position
        if position.is_finished:
            return Analysis(
                to_move=position.to_move,
                choice=None,
                winner=position.winner,
                margin=position.margin,
                chance={"X": 1.0, "O": 0.0}.get(str(position.winner), 0.5),
            )
        self.search = _Search(position, self.seed, self.settings)
        try:
            if position.will_be_swapped and self._expected_seconds() > 0.2 * self.seconds:
                return self._opening()
            self._think()
        except KeyboardInterrupt:
            self.control.stop()
        found = self._result()
        return self._solved_opening(found) if position.will_be_swapped else found

    # -- the division of the time --------------------------------------------------------------

    def _think(self) -> None:
        search, whole = self.search, self.seconds
        search.passes(64)
        if not self.every_move and self._book_has_the_move():
            return
        hopeful = self.settings.use_solver and self._solver_has_a_chance()
        share = (0.1 if self._expected_seconds() < 0.3 * whole else 0.25) if hopeful else 1.0
        if self.settings.use_tree:
            self.until(share * whole)
        if not hopeful or self.control.interrupted:
            return
        decided = self._solve(OUTCOME, 0.75 * self.left)
        if decided.solved:
            self.exact, self.proven_winner = decided, decided.winner
            scored = self._solve(SCORE, self.left * (0.5 if self.every_move else 0.9))
            if scored.solved:
                self.exact = scored
            if self.every_move and self.left > 0 and not self.control.interrupted:
                self.values = self._solve(SCORE, self.left, all_moves=True)
            return
        if self.settings.use_tree:
            self.until(whole)

    def _book_has_the_move(self) -> bool:
        """Whether the swap book says what to play: a swap, or a reply that wins."""
        swaps = self.proven_winner == "X" and self.position.can_swap
        return swaps or self.book_reply is not None

    def _expected_seconds(self) -> float:
        """What the solver is likely to take, by the pieces down and the size of the board."""
        pieces = len(self.position.pieces)
        usual = _SECONDS_TO_DECIDE.get(pieces, 0.2)
        # A smaller board is as far on as a larger one with more pieces.
        placements = self.position.alive.bit_count()
        return usual * min(1.0, (placements / (1292 - 100 * min(pieces, 6))) ** 3)

    def _solver_has_a_chance(self) -> bool:
        most = self.settings.solver_patience * self.seconds
        return len(self.position.pieces) >= 5 or self._expected_seconds() < most

    def _solve(self, objective: str, seconds: float, all_moves: bool = False) -> SearchResult:
        found = solve(
            self.position, objective=objective, all_moves=all_moves,
            control=self.control.within(max(0.01, seconds)), hash_mib=_HASH_MIB,
        )  # fmt: skip
        self.nodes += found.nodes
        return found

    # -- an even first piece -------------------------------------------------------------------

    def _opening(self) -> Analysis:
        """The first piece under the pie rule: the one after which neither side is ahead."""
        games = max(2, min(_OPENING_GAMES, int(_OPENING_GAMES * self.seconds)))
        board = self.search.board
        part = self.control.within(_SHARE_OF_OPENINGS * self.seconds)
        wins, played = play_after_each(board, GREEDY, games, self.seed, control=part)
        rates = wins / max(1, played)
        every = [self.position.placements.all[number] for number in board.firsts]
        # Of pieces that seem equally even, a random one: not the same game every time.
        order = np.random.default_rng(seed_for(self.seed)).permutation(len(rates))
        nearest = sorted(order, key=lambda number: abs(rates[number] - 0.5))[:OPENINGS]
        found: list[RankedMove] = []
        lines: dict[str, tuple[str, ...]] = {}
        total = 0
        for index, number in enumerate(nearest):
            search = _Search(self.position.placed(every[number]), self.seed, self.settings, 200_000)
            search.passes(64)
            search.until_over(self.control.share(len(nearest) - index), self.report)
            x_rate = 1.0 - search.mover_rate()
            low, high = interval(x_rate * search.games, search.games)
            text = every[number].notation
            found.append(RankedMove(text, x_rate, low, high, search.games))
            lines[text] = tuple(search.line())
            total += search.games
        found.sort(key=lambda each: abs((each.win_rate or 0.0) - 0.5))
        best = found[0]
        return Analysis(
            to_move="X",
            choice=best.move,
            moves=tuple(found),
            line=(best.move, *lines[best.move][: _MOST_SHOWN_LINE - 1]),
            chance=best.win_rate,
            games=total + played * len(rates),
            seconds=self.control.seconds,
            note="the second player may swap, so the best first piece leaves the game even: "
            "the moves nearest to 50 % come first",
            interrupted=self.control.interrupted,
        )

    def _solved_opening(self, found: Analysis) -> Analysis:
        """A board small enough to solve: what a first piece leads to, less the swap."""
        if self.values is None or not self.values.solved:
            return found
        # Whoever is ahead after the first piece, the second player takes that side.
        ranked = sorted(found.moves, key=lambda each: abs(each.margin or 0))
        return replace(
            found,
            choice=ranked[0].move,
            moves=tuple(ranked),
            line=(ranked[0].move,),
            note="the second player may swap, and so wins: the moves that lose least come first; "
            "values are those without the swap",
        )

    # -- what was found ------------------------------------------------------------------------

    def _result(self) -> Analysis:
        position, search, tree = self.position, self.search, self.search.tree
        mover, exact = position.to_move, self.exact
        if not tree.size[0]:
            search.passes(16)
        proven = {each.move: each for each in self.values.moves or ()} if self.values else {}
        ranked = []
        for node in search.children():
            text = search.text(node)
            games, wins = int(tree.visits[node]), float(tree.wins[node])
            winner: str | None = None
            margin: int | None = None
            if tree.proof[node] != OPEN:
                winner = mover if tree.proof[node] == WON else opponent(mover)
            if self.proven_winner == opponent(mover):
                winner = opponent(mover)
            if text == self.book_reply:
                winner = mover
            if exact is not None and text in exact.best:
                winner, margin = exact.winner, exact.margin
            if text in proven:
                winner, margin = proven[text].winner, proven[text].margin
            if winner is not None:
                rate = 1.0 if winner == mover else 0.0
                ranked.append(RankedMove(text, rate, None, None, games, winner, margin))
            elif games:
                low, high = interval(wins, games)
                ranked.append(RankedMove(text, wins / games, low, high, games))
            else:
                ranked.append(RankedMove(text, None, None, None, 0))
        ranked.sort(key=self._rank)
        best = ranked[0]
        winner = self.proven_winner
        if winner is None and tree.proof[0] != OPEN:
            winner = mover if tree.proof[0] == LOST else opponent(mover)
        if winner is not None:
            chance = 1.0 if winner == "X" else 0.0
        else:
            chance = search.mover_rate() if mover == "X" else 1.0 - search.mover_rate()
        choice = best.move
        if position.can_swap and chance > 0.5:
            choice = SWAP
        line = tuple(search.line())[:_MOST_SHOWN_LINE]
        if exact is not None and exact.line and exact.line[0] == best.move:
            line = exact.line
        elif line and line[0] != best.move:
            line = (best.move,)
        return Analysis(
            to_move=mover,
            choice=choice,
            moves=tuple(ranked),
            line=line,
            winner=winner,
            margin=exact.margin if exact else None,
            chance=chance,
            expected=None if winner else search.mean_margin,
            can_swap=position.can_swap,
            games=search.games,
            nodes=self.nodes,
            seconds=self.control.seconds,
            note=self._note(),
            interrupted=self.control.interrupted,
        )

    def _note(self) -> str | None:
        if self.proven_winner is None or self.exact is not None:
            return None
        if self.book_reply is None:
            return _FROM_THE_BOOK
        return _REPLY_FROM_THE_BOOK.format(self.book_reply)

    def _rank(self, move: RankedMove) -> tuple[float, ...]:
        """Proven wins first, by margin; then by games played; proven losses last, by margin."""
        mover = self.position.to_move
        margin = 0 if move.margin is None else (move.margin if mover == "X" else -move.margin)
        known = self.exact.best if self.exact is not None else (self.book_reply,)
        if move.winner is None:
            return (1, 0, 0, -move.games, 0)
        unknown = move.margin is None
        is_lost = move.winner != mover
        # Of proven moves of unknown margin, those that the solver named, then the most played.
        return (2 if is_lost else 0, unknown and move.move not in known, -margin, -move.games, 0)


choose = partial(analyze, every_move=False)
"""The engine's move, in ``Analysis.choice``: :func:`analyze` that stops once it is proven."""


def greedy(position: Position, seed: int = 0) -> str:
    """A move of the largest gain, ties broken at random by the seed; a swap where X has more.

    The simplest sensible opponent: it looks at points alone and never ahead.
    """
    if position.can_swap and position.margin > 0:
        return SWAP
    moves = list(position.moves())
    top = max(position.gain(move) for move in moves)
    best = [move for move in moves if position.gain(move) == top]
    return best[seed_for(seed, len(position.pieces)) % len(best)].notation


def random_move(position: Position, seed: int = 0) -> str:
    """Any legal move, each equally likely by the seed; a swap half of the time where possible."""
    chance = seed_for(seed, len(position.pieces), 7)
    if position.can_swap and chance & 1:
        return SWAP
    moves = list(position.moves())
    return moves[(chance >> 1) % len(moves)].notation


EXACT_FROM_DEPTH = 5
"""From this depth on, with three pieces down, the solver is both deeper and quicker."""


def at_depth(
    position: Position,
    depth: int,
    on_compile: Callable[[], None] | None = None,
    control: Control | None = None,
) -> tuple[str, ...]:
    """The best play by a look-ahead of so many plies, its moves in order; () at the end.

    A look-ahead counts gains and, at the end of a game, the last piece.  From a depth of 5 on, with
    three pieces down, the solver's exact line is given instead.  The pie rule counts: the first
    piece is one that leaves both sides level, and a swap comes first in the line where X is ahead.
    Where the swap book knows who wins, or O's winning reply, it decides.  Once ``control`` is
    stopped, as by Ctrl-C, what a shorter look-ahead has found is given, of one ply at least.
    """
    if position.is_finished or depth < 1:
        return ()
    control = control or Control()
    if (reply := known_reply(position)) is not None:
        after_it = position.placed(reply)
        return (reply.notation, *at_depth(after_it, depth - 1, on_compile, control))
    if depth >= EXACT_FROM_DEPTH and len(position.pieces) >= 3:
        found = solve(position, objective=SCORE, control=control, on_compile=on_compile)
        if found.line or found.best:
            return found.line or found.best[:1]
    _make_look_ahead_ready(position, on_compile)
    line = _LookAhead(position, Control()).line(position, 1)
    looking = _LookAhead(position, control)
    for plies in range(2, depth + 1):
        try:
            line = looking.line(position, plies)
        except KeyboardInterrupt:
            control.stop()
        except Stopped:
            break
    return line


_UNBROKEN_PLIES = 3
"""A look-ahead of more is taken apart, so that a stop is heard within a moment."""


class _LookAhead:
    """Look-aheads on the board of a position; all raise Stopped where ``control`` is stopped."""

    def __init__(self, position: Position, control: Control) -> None:
        self.board = board_of(position)
        self.control = control
        self.scratch = aligned_zeros((MOST_PIECES + 2, self.board.tables.covering.shape[1]))

    def line(self, position: Position, depth: int) -> tuple[str, ...]:
        """The best play, so many plies of it or to the end of the game."""
        line: list[str] = []
        for plies in range(depth, 0, -1):
            if position.is_finished:
                break
            best, value = self.best(position, plies)
            if position.can_swap and not line and (known_winner(position) or _ahead(value)) == "X":
                line.append(SWAP)
            line.append(best.notation)
            position = position.placed(best)
        return tuple(line)

    def best(self, position: Position, depth: int) -> tuple[Placement, int]:
        """The best move, and what it comes to for the side to move, with the margin so far."""
        best, top = None, -_FAR
        evenly = position.will_be_swapped
        now = 3 * (position.margin if position.to_move == "X" else -position.margin)
        for move in _by_gain(position):
            points = 3 * position.gain(move)
            beta = _FAR if evenly else points - top
            value = points - self.value(position.placed(move), depth - 1, points - _FAR, beta)
            if evenly:
                # The other side takes what is left of any lead.
                value = -abs(now + value)
            if value > top:
                top, best = value, move
        assert best is not None
        return best, now + top

    def value(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """What a position is worth to the side to move (see :func:`look_ahead`)."""
        if self.control.interrupted:
            raise Stopped
        if depth <= _UNBROKEN_PLIES or position.is_finished:
            value = look_ahead(
                self.board.tables, self.board.of_gain, stack_at(position), self.scratch,
                len(position.pieces), depth, alpha, beta, self.board.lines,
            )  # fmt: skip
            return int(value)
        best = -_FAR
        for move in _by_gain(position):
            points, floor = 3 * position.gain(move), max(alpha, best)
            after_it = position.placed(move)
            value = points - self.value(after_it, depth - 1, points - beta, points - floor)
            best = max(best, value)
            if best >= beta:
                break
        return best


def _by_gain(position: Position) -> list[Placement]:
    """The legal moves, the greatest gain first."""
    return sorted(position.moves(), key=lambda move: -position.gain(move))


def _make_look_ahead_ready(position: Position, on_compile: Callable[[], None] | None) -> None:
    def run() -> None:
        board, start = board_of(position), len(position.pieces)
        moves = aligned_zeros((MOST_PIECES + 2, board.tables.covering.shape[1]))
        stack = stack_at(position)
        look_ahead(
            board.tables, board.of_gain, stack, moves, start, 0, -_FAR, _FAR, board.lines
        )  # fmt: skip

    compiling.make_ready(("look-ahead", lines_for(len(position.placements.all))), run, on_compile)


def _ahead(value: int) -> str:
    """Who is ahead by a value for O, to move."""
    return "O" if value > 0 else "X"


_FAR = 30_000
"""Beyond every value of a look-ahead."""


def parse(text: str, position: Position) -> Move:
    """A move as a player types it: its notation, or its four cells.

    :raises NotationError: it is not a move.
    """
    return parse_move(text)
