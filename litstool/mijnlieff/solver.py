"""Exact solving of Mijnlieff: the margin under best play, and the moves that keep it.

The kernel (see ``kernels``) answers one kind of question: can the side to move reach a given
future margin?  The answer is a bound on that margin from one side.  Asking again at the bound
just found closes the gap from both sides until they meet (MTD(f): Plaat, Schaeffer, Pijls and
de Bruin, "Best-first fixed-depth minimax algorithms", 1996); one transposition table serves all
the questions, those about single root moves and about the line of play included.

The kernel releases the interpreter, so it runs in a worker thread while this one watches the
clock and hears Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from litstool.game import text_of
from litstool.grid import bits
from litstool.mijnlieff import kernels
from litstool.mijnlieff.board import KINDS, SIDES, Board, opponent
from litstool.mijnlieff.position import Move, Position
from litstool.search import compiling
from litstool.search.control import Control, Progress, Stopped
from litstool.search.results import OUTCOME, SCORE, MoveValue, SearchResult, result_at_end
from litstool.search.table import DEFAULT_HASH_MIB, new_table
from litstool.search.threads import watch

_NO_LIMIT = 1 << 62
_PATIENCE = 100_000
"""Nodes spent on each move in turn before one is searched to the end."""
Tables = npt.NDArray[np.int64]
State = tuple[int, int, int, int, int]
"""What a kernel is asked about: own and other cells, empty and allowed ones, the supplies."""


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
    """Solve a position under best play of both sides.

    ``objective`` ``score`` finds the exact margin, ``outcome`` only who wins (cheaper).  With
    ``all_moves`` every legal move gets its value and ``best`` lists all the best ones.  The
    transposition table takes at most ``hash_mib`` MiB.  The search runs in one thread whatever
    ``threads`` says: the whole game takes it seconds.  There is no book of this game, whatever
    ``use_book`` says.

    ``control`` limits the time, watches and stops; a search that is stopped says what it has
    proved (see :class:`SearchResult`), and Ctrl-C counts as :meth:`Control.stop`.  ``on_compile``
    is called before a wait of some seconds where the kernel is not compiled yet.

    :raises MemoryLimitError: there is not so much memory.
    """
    control = (control or Control()).begin()
    if position.is_finished:
        return result_at_end(position, SIDES, objective, all_moves)
    solving = Solving(position, objective, all_moves, hash_mib)
    try:
        with control.paused():
            make_ready(position, on_compile)
    except KeyboardInterrupt:
        control.stop()
        return solving.result()
    watch(solving.run, solving.searcher.stop, control, lambda: solving.progress(control.seconds))
    return solving.result(control.seconds)


def make_ready(position: Position, on_compile: Callable[[], None] | None = None) -> None:
    """Have the kernel compiled, or loaded, before a clock starts; it is one for all boards."""
    if position.is_finished:
        return
    compiling.make_ready(
        "mijnlieff.solver",
        lambda: Searcher(position.board, 1).bound(position, 0, most_nodes=0),
        on_compile,
    )


def state_of(position: Position) -> State:
    """A position as the kernel takes it."""
    mover, other = position.to_move, opponent(position.to_move)
    supplies = 0
    for shift, side in ((0, mover), (8, other)):
        left = position.supply_left(side)
        for number, kind in enumerate(KINDS):
            supplies |= left[kind] << (shift + 2 * number)
    empty = position.empty_cells
    return position.cells_of(mover), position.cells_of(other), empty, position.allowed, supplies


@lru_cache(maxsize=4)
def tables_of(board: Board) -> Tables:
    """The tables of a board that the kernel reads (see ``kernels`` for their parts)."""
    tables = np.zeros(kernels.TABLES_SIZE, dtype=np.int64)
    size = len(board.cells)
    through = [0] * 16
    for number, window in enumerate(board.windows):
        for cell in bits(window):
            through[cell] |= 1 << number
    tables[kernels.CELL_WINDOWS :][:16] = through
    for number, kind in enumerate(KINDS):
        tables[kernels.ALLOWED + 16 * number :][:size] = board.allowed[kind]
    for byte in range(256):
        inside = list(bits(byte))
        for cell in inside:
            tables[kernels.WINDOWS_LOW + byte] |= through[cell]
            tables[kernels.WINDOWS_HIGH + byte] |= through[8 + cell]
            for part in range(4):
                if 8 * part + cell < len(board.windows):
                    start = kernels.CELLS_OF_WINDOWS + 256 * part
                    tables[start + byte] |= board.windows[8 * part + cell]
            for number, images in enumerate(board.symmetries):
                for start, each in (
                    (kernels.IMAGES_LOW, cell),
                    (kernels.IMAGES_HIGH, 8 + cell),
                ):
                    if each < size:
                        tables[start + 256 * number + byte] |= 1 << images[each]
        tables[kernels.PIECES + byte] = sum(byte >> shift & 3 for shift in (0, 2, 4, 6))
    groups = _alike(board)
    tables[kernels.REPRESENTATIVES :][: 1 << 16] = groups
    for group in np.unique(groups):
        for supply in range(256):
            start = kernels.MERGED_SUPPLY + 256 * int(group)
            tables[start + supply] = _merged(int(group), supply)
    return tables


def _alike(board: Board) -> Tables:
    """For each set of empty cells, which kinds restrict alike on them.

    The first kind that does as kind k is in bits 2k and 2k + 1.  Two kinds are alike on a set if
    from each of its cells they allow the same others; then they are alike on its subsets too.
    """
    codes = np.zeros(1 << 16, dtype=np.int64)
    for kind in range(1, len(KINDS)):
        first = np.full(1 << 16, kind, dtype=np.int64)
        for earlier in reversed(range(kind)):
            alike = np.ones(1 << 16, dtype=bool)
            for cell in range(len(board.cells)):
                differ = board.allowed[KINDS[kind]][cell] ^ board.allowed[KINDS[earlier]][cell]
                # The sets whose last cell is this one, from those without it.
                sets = np.arange(1 << cell, 2 << cell)
                alike[sets] = alike[sets ^ (1 << cell)] & (sets & differ == 0)
            first[alike] = earlier
        codes |= first << (2 * kind)
    return codes


def _merged(groups: int, supply: int) -> int:
    """A supply with the pieces of each group moved to its first kinds, two at most a kind."""
    first = [groups >> shift & 3 for shift in (0, 2, 4, 6)]
    left = [supply >> shift & 3 for shift in (0, 2, 4, 6)]
    result = 0
    for leader in set(first):
        kinds = [kind for kind in range(4) if first[kind] == leader]
        total = sum(left[kind] for kind in kinds)
        for kind in kinds:
            here = min(2, total)
            total -= here
            result |= here << (2 * kind)
    return result


def _useful_mib(position: Position) -> int:
    """How large a table pays: to fill a fresh one with zeros takes longer than a small search."""
    return 2 << max(0, position.empty_cells.bit_count() - 8)


def new_counters(board: Board) -> Tables:
    """The counters of kernel calls, without a limit of nodes (see ``kernels``)."""
    counters = np.zeros(3, dtype=np.int64)
    counters[kernels.LIMIT] = _NO_LIMIT
    counters[kernels.SYMMETRIES] = len(board.symmetries)
    return counters


def new_stack() -> Tables:
    """Room for the moves of every ply."""
    return np.zeros((20, 3 * kernels.MOST_MOVES), dtype=np.int64)


def gain_of(position: Position, move: Move) -> int:
    """The points that a move brings the side to move at once."""
    return position.placed(move).score(position.to_move) - position.score(position.to_move)


class Searcher:
    """The kernel with its memory: exact values of the positions of one board.

    Margins are future ones, seen from the side to move.  Everything runs in the calling thread;
    another may call :meth:`stop`.
    """

    def __init__(self, board: Board, hash_mib: int = DEFAULT_HASH_MIB) -> None:
        self.tables = tables_of(board)
        self.memory = new_table(hash_mib).reshape(-1)
        self.counters = new_counters(board)
        self.stack = new_stack()
        self.stopped = False

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return int(self.counters[kernels.NODES])

    def stop(self) -> None:
        """End the search soon, in whatever thread it runs."""
        self.stopped = True
        self.counters[kernels.LIMIT] = -1

    def bound(self, position: Position, target: int, most_nodes: int | None = None) -> int | None:
        """A proven bound on the margin: from below if at least ``target``, else from above.

        None where ``most_nodes`` were not enough.

        :raises Stopped: the search was stopped.
        """
        limit = _NO_LIMIT if most_nodes is None else self.nodes + most_nodes
        self.counters[kernels.LIMIT] = limit
        if self.stopped:
            # Looked at after the limit is set, so that a stop in between is not lost.
            raise Stopped
        value = kernels.search(
            self.tables, self.memory, self.stack, self.counters, *state_of(position), target, 0
        )
        if value != kernels.STOPPED:
            return int(value)
        if self.stopped:
            raise Stopped
        return None

    def value(self, position: Position, guess: int = 0) -> int:
        """The exact margin.

        :raises Stopped: the search was stopped.
        """
        low, high = kernels.LEAST_VALUE, kernels.MOST_VALUE
        while low < high:
            target = min(max(guess, low + 1), high)
            found = self.bound(position, target)
            assert found is not None
            if found >= target:
                low = guess = found
            else:
                high = guess = found
        return low

    def worth(self, position: Position, move: Move, guess: int = 0) -> int:
        """The exact margin after a move, seen from the side that makes it."""
        gain = gain_of(position, move)
        return gain - self.value(position.placed(move), gain - guess)

    def reaches(
        self, position: Position, move: Move, target: int, most_nodes: int | None = None
    ) -> int | None:
        """A bound like that of :meth:`bound`, on the margin of the side that makes a move."""
        gain = gain_of(position, move)
        found = self.bound(position.placed(move), gain - target + 1, most_nodes)
        return None if found is None else gain - found

    def best_move(self, position: Position, value: int) -> Move:
        """A move that keeps a margin which is known to be in reach.

        Its proof is in the table as a rule, so all moves are tried with few nodes first.
        """
        moves = sorted(position.moves(), key=lambda move: -gain_of(position, move))
        most_nodes: int | None = 1
        while most_nodes is not None:
            for move in moves:
                found = self.reaches(position, move, value, most_nodes)
                if found is not None and found >= value:
                    return move
            most_nodes = most_nodes * 16 if most_nodes < _PATIENCE else None
        for move in moves:
            found = self.reaches(position, move, value)
            assert found is not None
            if found >= value:
                return move
        raise AssertionError("no move keeps a proven value")

    def line(self, position: Position, value: int, first: Move | None = None) -> list[Move]:
        """Play to the end that keeps the exact margin, best moves of both sides."""
        moves: list[Move] = []
        while not position.is_finished:
            move = first if first is not None else self.best_move(position, value)
            first = None
            value = gain_of(position, move) - value
            position = position.placed(move)
            moves.append(move)
        return moves


class Solving:
    """One call of :func:`solve`: what it asks a searcher, and what is proved so far."""

    def __init__(
        self,
        position: Position,
        objective: str,
        all_moves: bool,
        hash_mib: int = DEFAULT_HASH_MIB,
    ) -> None:
        self.position = position
        self.objective = objective
        self.all_moves = all_moves
        self.searcher = Searcher(position.board, min(hash_mib, _useful_mib(position)))
        self.mover = position.to_move
        self.now = position.margin if self.mover == "Light" else -position.margin
        # Future margins of the mover: nobody scores more windows than there are.
        windows = len(position.board.windows)
        self.low, self.high = -windows, windows
        self.moves = self._ordered_moves()
        self.best = self.moves[0]
        self.values: dict[Move, tuple[int, int]] = {}
        self.done = 0
        self.line: list[Move] = []
        self.finished = False

    # -- the search ----------------------------------------------------------------------------

    def run(self) -> None:
        """Find what was asked for, as far as the bounds, ``best``, ``values`` and ``line`` say.

        :raises Stopped: the searcher was stopped.
        """
        if self.all_moves:
            self._value_all()
        elif self.objective == OUTCOME:
            self._decide()
        else:
            self._close_in()
        if self.objective == SCORE or self.low == self.high:
            self.line = self.searcher.line(self.position, self.low, self.best)
        else:
            self.line = self._deciding_line()
        self.finished = True

    def _ordered_moves(self) -> tuple[Move, ...]:
        def order(move: Move) -> tuple[int, int]:
            after = self.position.placed(move)
            return -gain_of(self.position, move), after.allowed.bit_count()

        return tuple(sorted(self.position.moves(), key=order))

    def _ask(self, target: int) -> bool:
        """Whether the mover can reach a future margin; narrows the bounds."""
        self.done = 0
        most = -len(self.position.board.windows)
        moves = sorted(self.moves, key=lambda move: move != self.best)
        for move in moves:
            found = self.searcher.reaches(self.position, move, target)
            assert found is not None
            self.done += 1
            if found >= target:
                self.low, self.best = max(self.low, found), move
                return True
            most = max(most, found)
        self.high = min(self.high, most)
        return False

    def _close_in(self) -> None:
        # Whether there is a win comes first, then a draw: where the time is too short for the
        # margin, the winner may be known.
        target = 1 - self.now
        while self.low < self.high:
            target = min(max(target, self.low + 1), self.high)
            target = self.low + 1 if self._ask(target) else self.high

    def _decide(self) -> None:
        """Does the mover win?  If not, can it draw?"""
        if not self._ask(1 - self.now):
            self._ask(-self.now)

    def _deciding_line(self) -> list[Move]:
        """Play to the end that keeps what was proved of the outcome, and no more."""
        position, moves = self.position, list[Move]()
        outcome = self._sign()
        while not position.is_finished:
            now = position.margin if position.to_move == "Light" else -position.margin
            # The least margin with this outcome for the side to move, who then need not do more.
            wanted = {1: 1, 0: 0, -1: None}[outcome if position.to_move == self.mover else -outcome]
            if wanted is None:
                move = next(iter(position.moves()))
            elif not moves:
                move = self.best
            else:
                move = self.searcher.best_move(position, wanted - now)
            moves.append(move)
            position = position.placed(move)
        return moves

    def _sign(self) -> int:
        """1, 0 or -1: what was proved of the outcome for the mover."""
        if self.low + self.now > 0:
            return 1
        if self.high + self.now < 0:
            return -1
        return 0

    def _value_all(self) -> None:
        """Each root move's value, the promising ones first."""
        windows = len(self.position.board.windows)
        guess = -self.now
        for move in self.moves:
            if self.objective == SCORE:
                low = high = self.searcher.worth(self.position, move, guess)
            else:
                low, high = -windows, windows
                for target in (1 - self.now, -self.now):
                    found = self.searcher.reaches(self.position, move, target)
                    assert found is not None
                    if found >= target:
                        low = max(low, found)
                        break
                    high = min(high, found)
            if not self.values or low > self.low:
                self.low, self.best = low, move
                guess = low
            self.values[move] = low, high
            self.done += 1
        self.high = max(high for _, high in self.values.values())

    # -- what is known, in the words of the interface ------------------------------------------

    def progress(self, seconds: float) -> Progress:
        """How far the search is."""
        nodes = self.searcher.nodes
        return Progress(
            self.done, len(self.moves), nodes, seconds, self._bounds(), text_of(self.best)
        )

    def _bounds(self) -> tuple[int, int]:
        """Proven limits on Light's final margin."""
        low, high = self.low + self.now, self.high + self.now
        return (low, high) if self.mover == "Light" else (-high, -low)

    def _winner(self, low: int, high: int) -> str | None:
        """Who wins with a future margin of the mover in these bounds; None if undecided."""
        if low + self.now > 0:
            return self.mover
        if high + self.now < 0:
            return opponent(self.mover)
        if low + self.now == high + self.now == 0 or (
            self.finished and low + self.now >= 0 >= high + self.now
        ):
            return "draw"
        return None

    def _margin(self, future: int) -> int:
        return future + self.now if self.mover == "Light" else -(future + self.now)

    def result(self, seconds: float = 0.0) -> SearchResult:
        """The answer, whole or as far as it is known, after so many seconds."""
        exact = self.finished and self.objective == SCORE
        final = self.position
        for move in self.line:
            final = final.placed(move)
        best: list[Move] = [self.best]
        if self.all_moves and self.finished:
            best = self._all_best()
        # Values are the mover's.
        best_first = sorted(self.values.items(), key=lambda item: item[1], reverse=True)
        moves = tuple(
            MoveValue(
                text_of(move),
                str(self._winner(low, high)),
                self._margin(low) if self.objective == SCORE else None,
            )
            for move, (low, high) in best_first
        )
        return SearchResult(
            solved=self.finished,
            to_move=self.mover,
            objective=self.objective,
            winner=self._winner(self.low, self.high),
            margin=self._margin(self.low) if exact else None,
            final_score={side: final.score(side) for side in SIDES} if exact else None,
            last_mover=final.last_mover if exact else None,
            best=tuple(text_of(move) for move in best),
            line=tuple(text_of(move) for move in self.line),
            nodes=self.searcher.nodes,
            seconds=seconds,
            moves=moves if self.all_moves else None,
            bounds=None if self.finished else self._bounds(),
        )

    def _all_best(self) -> list[Move]:
        if self.objective == SCORE:
            return [move for move, (low, _) in self.values.items() if low == self.low]
        rank = {self.mover: 2, "draw": 1, opponent(self.mover): 0}
        ranks = {
            move: rank[str(self._winner(low, high))] for move, (low, high) in self.values.items()
        }
        return [move for move, each in ranks.items() if each == max(ranks.values())]
