"""Exact solving of Battle of LITS: who wins, by how much, with which moves.

Pieces never overlap, so a placement's gain is the same whenever it is played and a game's margin
is the margin now plus the gains to come.  The search (see ``lits/kernel``) therefore values only
the future, in whole numbers that carry the tie-break:

    value = 3 x (gain of the side to move from here on) + 1 if that side places the last piece,
                                                        - 1 if the other does

which orders by margin first and by the last piece second.

The kernel answers one kind of question, "is the value above ``alpha``?", and always with a proven
bound on the value.  *Who wins* is one such question.  The exact value is found by asking again at
the bound just proved until the bounds from below and from above meet (Plaat et al., "Best-first
fixed-depth minimax algorithms", 1996); all questions share one transposition table, so that the
later ones are cheap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from litstool.lits.board import SIDES, Pattern, opponent
from litstool.lits.book import known_reply, known_winner
from litstool.lits.compact import candidates_of
from litstool.lits.kernel.children import chains
from litstool.lits.kernels import lines_of, tables_of
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.lits.rows import lines_for
from litstool.lits.searcher import NO_LIMIT, Searcher
from litstool.search import compiling
from litstool.search.control import Control, Progress
from litstool.search.results import OUTCOME, SCORE, MoveValue, SearchResult, result_at_end
from litstool.search.table import DEFAULT_HASH_MIB, aligned_zeros
from litstool.search.threads import watch

_INFINITE = 30_000
_VALUES_A_POINT = 3
_NODES_A_TURN = 2_000_000
"""For how many nodes a question is asked at first, before others have a turn."""
_TURNS_AN_END = 4
"""How many times fewer nodes those at the ends have while it is open who wins."""


def solve(
    position: Position,
    *,
    objective: str = SCORE,
    all_moves: bool = False,
    control: Control | None = None,
    hash_mib: int = DEFAULT_HASH_MIB,
    threads: int = 1,
    use_book: bool = False,
    on_compile: Callable[[], None] | None = None,
) -> SearchResult:
    """Solve a position under best play of both sides, the pie rule aside.

    ``objective`` ``score`` finds the exact margin, ``outcome`` only who wins (cheaper).  With
    ``all_moves`` every legal move gets its value and ``best`` lists all the best ones.  The
    transposition table takes at most ``hash_mib`` MiB.  With ``use_book`` the swap book is believed
    where it knows the winner: the outcome is then answered without a search, and a search for the
    margin starts from there.  More ``threads`` than there are cores are not started.

    ``control`` limits the time, watches and stops; a search that is stopped says what it has
    proved (see :class:`SearchResult`), and Ctrl-C counts as :meth:`Control.stop`.  ``on_compile``
    is called before a wait of some seconds where the kernel is not compiled yet.

    :raises MemoryLimitError: there is not so much memory.
    """
    control = (control or Control()).begin()
    if position.is_finished:
        return result_at_end(position, SIDES, objective, all_moves)
    winner = known_winner(position) if use_book and not all_moves else None
    if winner is not None and objective == OUTCOME:
        return _by_book(position, winner)
    try:
        with control.paused():
            make_ready(position, on_compile)
        solving = Solving(position, objective, all_moves, hash_mib, threads)
        if winner is not None:
            solving.believe(winner)
    except KeyboardInterrupt:
        control.stop()
        return Solving(position, objective, all_moves, 1).result()
    watch(solving.run, solving.searcher.stop, control, lambda: solving.progress(control.seconds))
    return solving.result(control.seconds)


def make_ready(position: Position, on_compile: Callable[[], None] | None = None) -> None:
    """Have the kernels that solve a position compiled, or loaded, before a clock starts.

    They are compiled apart for each number of lines of its board and of its own placements.
    """
    if position.is_finished:
        return
    on_compile = compiling.once(on_compile)

    def run_chains() -> None:
        full = tables_of(position.pattern.outline)
        chains(full, aligned_zeros((2, full.covering.shape[1])), lines_of(full))

    def run_searcher() -> None:
        Searcher(position, 1).run_once()

    of_board = lines_for(len(position.placements.all))
    compiling.make_ready(("chains", of_board), run_chains, on_compile)
    of_position = lines_for(len(candidates_of(position)))
    compiling.make_ready(("solver", of_position), run_searcher, on_compile)


def make_ready_for_game(pattern: Pattern, on_compile: Callable[[], None] | None = None) -> None:
    """The same for every position of a game on a pattern."""
    on_compile = compiling.once(on_compile)
    positions: dict[tuple[int, ...], Position] = {}
    for supply in product((0, 1), repeat=len(SHAPES)):
        # Fewer shapes stand for the fewer placements that are left later in a game.
        position = Position.empty(pattern, (supply[0], supply[1], supply[2], supply[3]))
        if not position.is_finished:
            positions.setdefault(lines_for(len(candidates_of(position))), position)
    for position in positions.values():
        make_ready(position, on_compile)


def _by_book(position: Position, winner: str) -> SearchResult:
    """Who wins by the swap book: with its reply or, where every move loses, with any."""
    reply = known_reply(position)
    best: tuple[str, ...] = ()
    if reply is not None:
        best = (reply.notation,)
    elif winner != position.to_move:
        best = (max(position.moves(), key=position.gain).notation,)
    return SearchResult(
        solved=True,
        to_move=position.to_move,
        objective=OUTCOME,
        winner=winner,
        margin=None,
        final_score=None,
        last_mover=None,
        best=best,
        line=best,
        nodes=0,
        seconds=0.0,
        by_book=True,
    )


@dataclass
class _Known:
    """What has been proved so far: bounds on the root's value, a move that keeps the lower one
    (or the best guess), the values of root moves."""

    best: int
    low: int = -_INFINITE
    high: int = _INFINITE
    values: dict[int, int] = field(default_factory=dict)
    line: tuple[str, ...] = ()
    finished: bool = False


class Solving:
    """One call of :func:`solve`: what it asks a searcher, and what is proved so far."""

    def __init__(
        self,
        position: Position,
        objective: str,
        all_moves: bool,
        hash_mib: int = DEFAULT_HASH_MIB,
        threads: int = 1,
    ) -> None:
        self.position = position
        self.objective = objective
        self.all_moves = all_moves
        self.searcher = Searcher(position, hash_mib, threads)
        self.mover = position.to_move
        self.side = self.searcher.side
        self.margin_now = position.margin if self.side == 0 else -position.margin
        self.level = -3 * self.margin_now
        """The value above which the side to move wins."""
        self.gains = self.searcher.game.gains[self.side]
        self.by_book = False
        # The highest gain is the best guess until something is proved.
        self.known = _Known(max(self.searcher.moves, key=lambda move: int(self.gains[move])))

    def believe(self, winner: str) -> None:
        """Take the winner as proven, as a swap book has it."""
        self.by_book = True
        if winner != self.mover:
            self.known.high = self.level
            return
        self.known.low = self.level + 1
        if (reply := known_reply(self.position)) is not None:
            number = self.position.placements.number[reply]
            self.known.best = int(np.flatnonzero(self.searcher.numbers == number)[0])

    # -- the search ----------------------------------------------------------------------------

    def run(self) -> None:
        """Find what was asked for; ``known`` says how far it got.

        :raises Stopped: the searcher was stopped.
        """
        if self.all_moves:
            self._value_all()
        elif self.objective == OUTCOME:
            self.ask(self.level)
        else:
            self.close_in()
        self.known.line = self.line_from(self.known.best, self.known.low)
        self.known.finished = True

    def ask(self, alpha: int, most_nodes: int = NO_LIMIT) -> bool:
        """Learn whether the root's value is above ``alpha``: a proven bound on it.

        False where that takes more than so many nodes.

        :raises Stopped: the searcher was stopped.
        """
        self.searcher.reset()
        known = self.known
        answer = self.searcher.ask_within(most_nodes, alpha)
        if answer is None:
            return False
        value, best = answer
        if value > alpha:
            known.low = max(known.low, value)
            known.best = best
        else:
            known.high = min(known.high, value)
            if known.low == -_INFINITE:
                known.best = best
        return True

    def close_in(self) -> None:
        """Prove bounds on the root's value until they meet.

        Who wins comes first, and from there each question is at the bound just proved.  What is
        long in coming takes turns with the bounds at the ends, which are cheap while they are far
        from the value: so a search that is stopped knows two useful bounds.

        :raises Stopped: the searcher was stopped.
        """
        known = self.known
        # Where a win is only believed this question finds the move.
        first = min(self.level, known.high - 1)
        most_nodes, is_open = _NODES_A_TURN, True
        while is_open:
            if known.low <= first < known.high:
                self.ask(first, most_nodes)
            wins, loses = known.low > first, known.high <= first
            if wins or loses:
                is_open = not (
                    self._narrow(wins, 1, most_nodes)
                    or self._narrow(not wins, _VALUES_A_POINT, most_nodes)
                )
            else:
                for_an_end = most_nodes // _TURNS_AN_END
                self._narrow(True, _VALUES_A_POINT, for_an_end)
                self._narrow(False, _VALUES_A_POINT, for_an_end)
            most_nodes *= 2
        known.low, known.high = self._limits()

    def _narrow(self, from_below: bool, step: int, most_nodes: int) -> bool:
        """Ask from below, or from above, whether the value is so much further inside; again and
        again for so many nodes in all.  Whether the bounds meet."""
        end = self.searcher.nodes + most_nodes
        low, high = self._limits()
        while low < high:
            alpha = min(low + step, high) - 1 if from_below else max(high - step, low)
            if not self.ask(alpha, end - self.searcher.nodes):
                return False
            low, high = self._limits()
        return True

    def _value_all(self) -> None:
        """Each root move's value, the promising ones first."""
        guess = self.level
        for move in self.promising_first(self.searcher.moves):
            value = self.value_of_move(move, guess)
            self.note_value(move, value)
            guess = max(guess, value) if self.objective == SCORE else guess
        self.known.high = max(self.known.values.values())

    def promising_first(self, moves: Iterable[int]) -> list[int]:
        """Root moves in the order in which they are tried."""
        return sorted(moves, key=lambda move: -int(self.gains[move]))

    def value_of_move(self, move: int, guess: int) -> int:
        """What the root is worth where this move is played: exact, or, where only the outcome
        was asked for, a bound on the right side of ``level``.

        The nearer the guess the less work.

        :raises Stopped: the searcher was stopped.
        """
        gain = 3 * int(self.gains[move])
        self.searcher.reset()
        if self.searcher.advance(move) == 0:
            return gain + 1
        if self.objective == OUTCOME:
            return gain - self.searcher.ask(gain - self.level - 1)[0]
        low, high = -_INFINITE, _INFINITE
        alpha = gain - guess
        while low < high:
            answer, _ = self.searcher.ask(alpha)
            if answer > alpha:
                low = alpha = answer
            else:
                high, alpha = answer, answer - 1
        return gain - low

    def note_value(self, move: int, value: int) -> None:
        """Add a root move's value to what is known."""
        known = self.known
        known.values[move] = value
        proved = self.objective == SCORE or value > self.level
        if proved and value > known.low:
            known.low = value
            known.best = move

    def line_from(self, first: int, value: int) -> tuple[str, ...]:
        """Play to the end from a root move by moves that keep its value (or who wins), asking
        again where needed.

        :raises Stopped: the searcher was stopped.
        """
        searcher = self.searcher
        moves: list[int] = []
        side = self.side
        exact = self.objective == SCORE
        alpha = value - 1 if exact else self.level
        while True:
            searcher.reset()
            replies = [searcher.advance(move) for move in moves]
            if replies and replies[-1] == 0:
                return tuple(searcher.notation(move) for move in moves)
            best = searcher.ask(alpha)[1] if moves else first
            moves.append(best)
            # Where the value is alpha + 1 exactly, the reply's is 3 x gain less that.
            alpha = 3 * int(searcher.game.gains[side, best]) - alpha - (2 if exact else 1)
            side = 1 - side

    # -- what is known, in the words of the interface ------------------------------------------

    def progress(self, seconds: float) -> Progress:
        """How far the search is."""
        searcher = self.searcher
        done, total = searcher.root_progress
        if self.all_moves:
            done, total = len(self.known.values), len(searcher.moves)
        best = searcher.notation(self._best_so_far())
        return Progress(done, total, searcher.nodes, seconds, self._bounds(), best)

    def _best_so_far(self) -> int:
        """The move that was proved best, or else the one at which the search was."""
        if self.known.low > -_INFINITE or self.known.high < _INFINITE or self.all_moves:
            return self.known.best
        current = self.searcher.current_move
        return self.known.best if current is None else current

    def _verdict(self, value: int) -> tuple[str, int, str]:
        """Winner, X's margin and last mover that an exact root value stands for."""
        total = 3 * self.margin_now + value
        margin = (total + 1) // 3
        last = self.mover if total == 3 * margin + 1 else opponent(self.mover)
        winner = self.mover if total > 0 else opponent(self.mover)
        return winner, margin if self.side == 0 else -margin, last

    def _bounds(self) -> tuple[int, int]:
        """Proven limits on X's final margin."""
        least, most = self._limits()
        low, high = self.margin_now - (1 - least) // 3, self.margin_now + (most + 1) // 3
        return (low, high) if self.side == 0 else (-high, -low)

    def _limits(self) -> tuple[int, int]:
        """Bounds on the root's value: those that are proved, or that its symbols set."""
        symbols = self.searcher.game.cell_counts
        least = -3 * int(symbols[self.side]) - 1
        most = 3 * int(symbols[1 - self.side]) + 1
        return max(least, self.known.low), min(most, self.known.high)

    def result(self, seconds: float = 0.0) -> SearchResult:
        """The answer, whole or as far as it is known, after so many seconds."""
        known = self.known
        winner = margin = last = final = moves = None
        if known.low > self.level:
            winner = self.mover
        elif known.high <= self.level:
            winner = opponent(self.mover)
        if known.finished and self.objective == SCORE:
            winner, margin, last = self._verdict(known.low)
            final = self._final_score()
        if self.all_moves:
            moves = self._move_values()
        best = [known.best if known.finished else self._best_so_far()]
        if self.all_moves and known.finished:
            best = self._all_best()
        return SearchResult(
            solved=known.finished,
            to_move=self.mover,
            objective=self.objective,
            winner=winner,
            margin=margin,
            final_score=final,
            last_mover=last,
            best=tuple(self.searcher.notation(move) for move in best),
            line=known.line,
            nodes=self.searcher.nodes,
            seconds=seconds,
            moves=moves,
            bounds=None if known.finished else self._bounds(),
            by_book=self.by_book and not known.finished,
        )

    def _ranked(self) -> list[tuple[int, int]]:
        """Root moves with their values, the best first, else in the order of their numbers."""
        values = list(self.known.values.items())
        if self.objective == OUTCOME:
            values = [(move, int(value > self.level)) for move, value in values]
        return sorted(values, key=lambda pair: (-pair[1], self.searcher.numbers[pair[0]]))

    def _all_best(self) -> list[int]:
        ranked = self._ranked()
        return [move for move, value in ranked if value == ranked[0][1]]

    def _move_values(self) -> tuple[MoveValue, ...]:
        found = []
        for move, _ in self._ranked():
            winner, margin, _ = self._verdict(self.known.values[move])
            shown = margin if self.objective == SCORE else None
            found.append(MoveValue(self.searcher.notation(move), winner, shown))
        return tuple(found)

    def _final_score(self) -> dict[str, int]:
        """Both scores at the end of the line."""
        placement_of = {each.notation: each for each in self.position.placements.all}
        end = self.position.placed_all(placement_of[move] for move in self.known.line)
        return {side: end.score(side) for side in SIDES}
