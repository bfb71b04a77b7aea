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

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from litstool.grid import bits
from litstool.lits.board import SIDES, Pattern, opponent
from litstool.lits.book import known_reply, known_winner
from litstool.lits.kernel.children import chains, play_at_root
from litstool.lits.kernel.loop import search
from litstool.lits.kernel.state import (
    ALL_TECHNIQUES,
    CLUSTERS,
    CONTROL_SIZE,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    ROOT_BEST,
    ROOT_DONE,
    ROOT_TOTAL,
    STOP,
    STOPPED,
    TEAM,
    Game,
    Shared,
    Work,
)
from litstool.lits.kernel.table import SLOTS
from litstool.lits.kernels import (
    empty_tables,
    fill_tables,
    geometry_of,
    lines_of,
    nibbles_of,
    set_of,
    tables_of,
    words_of,
)
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.lits.rows import WORDS_A_LINE, aligned_zeros, lines_for
from litstool.search.compiling import make_ready, once
from litstool.search.control import Control, Progress
from litstool.search.memory import room_for_table
from litstool.search.results import OUTCOME, SCORE, MoveValue, SearchResult

DEFAULT_HASH_MIB = 256
_INFINITE = 30_000
_NO_LIMIT = np.iinfo(np.int64).max
_FIRST_CLUSTERS = 1024
_MARKS = 1 << 14
_ALONE_NODES = 30_000
"""A question that takes fewer nodes is not worth starting more threads."""
_LOOK_SECONDS = 0.02
_PROGRESS_SECONDS = 0.2


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
    margin starts from there.  ``control`` limits the time, watches and
    stops; a search that is stopped says what it has proved (see :class:`SearchResult`), and
    Ctrl-C counts as :meth:`Control.stop`.  ``on_compile`` is called before a wait of some seconds
    where the kernel is not compiled yet.
    """
    control = control or Control()
    if position.is_finished:
        return finished(position, objective, all_moves)
    winner = known_winner(position) if use_book and not all_moves else None
    if winner is not None and objective == OUTCOME:
        return _by_book(position, winner)
    try:
        warm_up(position, on_compile)
        driver = Driver(position, objective, all_moves, hash_mib, threads)
        if winner is not None:
            driver.believe(winner)
    except KeyboardInterrupt:
        control.stop()
        driver = Driver(position, objective, all_moves, 1, 1)
        return driver.result()
    driver.watch(control)
    return driver.result()


def warm_up(position: Position, on_compile: Callable[[], None] | None = None) -> None:
    """Have the kernels that solve a position compiled, or loaded, before a clock starts.

    They are compiled apart for each number of lines of its board and of its own placements.
    """
    if position.is_finished:
        return
    on_compile = once(on_compile)

    def run_chains() -> None:
        full = tables_of(position.pattern.outline)
        chains(full, aligned_zeros((2, full.covering.shape[1])), lines_of(full))

    def run() -> None:
        driver = Driver(position, SCORE, False, 1, 1)
        driver.controls[:, STOP] = 1
        driver.kernel(0, driver.side, driver.fresh, 0)
        driver.advance(driver.root_moves[0], driver.fresh)

    make_ready(("chains", lines_for(len(position.placements.all))), run_chains, on_compile)
    make_ready(("solver", lines_for(len(_candidates(position)))), run, on_compile)


def warm_up_for_game(pattern: Pattern, on_compile: Callable[[], None] | None = None) -> None:
    """The same for every position of a game on a pattern."""
    on_compile = once(on_compile)
    positions: dict[tuple[int, ...], Position] = {}
    for supply in product((0, 1), repeat=len(SHAPES)):
        # Fewer shapes stand for the fewer placements that are left later in a game.
        position = Position.empty(pattern, (supply[0], supply[1], supply[2], supply[3]))
        if not position.is_finished:
            positions.setdefault(lines_for(len(_candidates(position))), position)
    for position in positions.values():
        warm_up(position, on_compile)


def finished(position: Position, objective: str, all_moves: bool) -> SearchResult:
    """The result of a position with no legal move."""
    return SearchResult(
        solved=True,
        to_move=position.to_move,
        objective=objective,
        winner=position.winner,
        margin=position.margin if objective == SCORE else None,
        final_score={side: position.score(side) for side in SIDES} if objective == SCORE else None,
        last_mover=position.last_mover,
        best=(),
        line=(),
        nodes=0,
        seconds=0.0,
        moves=() if all_moves else None,
    )


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


class Stopped(Exception):
    """The search was asked to stop."""


def _candidates(position: Position) -> np.ndarray:
    """The numbers of the placements that may still be played: the alive ones of shapes in the
    supply that chains of such placements join to a piece."""
    full = tables_of(position.pattern.outline)
    words = full.covering.shape[1]
    candidates = position.alive
    for shape, left in enumerate(position.supply_left):
        if left <= 0:
            candidates &= ~set_of(full.of_shape[shape])
    if position.pieces:
        rows = aligned_zeros((2, words))
        rows[0] = words_of(candidates, words)
        rows[1] = words_of(candidates & position.reach, words)
        chains(full, rows, lines_of(full))
        candidates = set_of(rows[1])
    return np.fromiter(bits(candidates), dtype=np.int64)


def compact_game(position: Position) -> tuple[Game, np.ndarray]:
    """The tables of a position's game, over the placements that may still be played.

    They are numbered by falling gain for X.  Returns also their numbers in the outline's tables.
    """
    pattern = position.pattern
    outline = pattern.outline
    full = tables_of(outline)
    numbers = _candidates(position)
    size = outline.rows * outline.columns
    symbols = np.zeros((2, size), dtype=np.int64)
    for side, owned in enumerate((pattern.x_cells, pattern.o_cells)):
        symbols[side, list(bits(owned & ~position.covered))] = 1
    covers = symbols[:, full.cells[numbers]].sum(axis=2)
    order = np.argsort(covers[0] - covers[1], kind="stable")
    numbers, covers = numbers[order], covers[:, order]

    geometry = geometry_of(outline)
    tables = empty_tables(len(numbers), size, len(geometry.block_cells))
    tables.cells[:] = full.cells[numbers]
    tables.shape[:] = full.shape[numbers]
    lines = lines_of(tables)
    fill_tables(tables, len(numbers), geometry, lines)
    words = WORDS_A_LINE * len(lines)
    gains = np.stack([covers[1] - covers[0], covers[0] - covers[1]])
    classes = aligned_zeros((6, words))
    gaining = aligned_zeros((8, words))
    for side in range(2):
        own, other = covers[side], covers[1 - side]
        pure = (own == 0) & (other > 0)
        three_for_one = pure | (own == 1) & (other == 3)
        two_for_one = three_for_one | (own == 1) & (other == 2)
        for kind, chosen in enumerate((pure, three_for_one, two_for_one)):
            classes[3 * side + kind] = _row_of(chosen, words)
        for least in range(1, 5):
            gaining[4 * side + least - 1] = _row_of(gains[side] >= least, words)

    coverable = np.zeros(size, dtype=bool)
    coverable[tables.cells.ravel()] = True
    cells = np.zeros((3, size), dtype=np.int64)
    counts = np.zeros(3, dtype=np.int64)
    for kind, wanted in enumerate((symbols[0] > 0, symbols[1] > 0, symbols.sum(axis=0) == 0)):
        found = np.flatnonzero(coverable & wanted)
        counts[kind] = len(found)
        cells[kind, : len(found)] = found
    every = np.arange(size)
    places = every // outline.columns * 16 + every % outline.columns
    blocks = 0
    for block in geometry.block_cells:
        blocks |= 1 << int(places[block[0]])
    mixers = aligned_zeros((6, words))
    mixers[:] = np.random.default_rng(1).integers(0, 2**63, size=mixers.shape, dtype=np.uint64)
    mixers *= np.uint64(2)
    mixers += np.uint64(1)
    block_board = words_of(blocks, 4).copy()
    return (
        Game(tables, gains, classes, gaining, cells, counts, places, block_board, mixers),
        numbers,
    )


def _row_of(chosen: np.ndarray, words: int) -> np.ndarray:
    flags = np.zeros(64 * words, dtype=np.uint8)
    flags[: len(chosen)] = chosen
    return np.packbits(flags, bitorder="little").view(np.uint64)


def work_of(position: Position, game: Game, numbers: np.ndarray) -> Work:
    """Room for one search, with the position at ply 0."""
    count, words = game.tables.conflicts.shape
    size = len(game.places)
    blocks = game.tables.over_all.shape[0] // 16  # the one that is not there included
    plies = min(sum(position.supply_left), 64, len(game.places) // 4) + 3

    def integers(*shape: int) -> np.ndarray:
        return np.zeros((plies, *shape), dtype=np.int64)

    work = Work(
        alive=aligned_zeros((plies, words)),
        legal=aligned_zeros((plies, words)),
        covered=np.zeros((plies, 4), dtype=np.uint64),
        nibbles=np.zeros((plies, -(-blocks // 64) * 64), dtype=np.uint8),
        supply=integers(4),
        lists=np.zeros((plies + 1, 3, size), dtype=np.int64),
        list_counts=np.zeros((plies + 1, 3), dtype=np.int64),
        prices=integers(2, size),
        whole=integers(2),
        keys=np.zeros((plies, 2), dtype=np.uint64),
        size=integers(),
        pending=aligned_zeros((plies, words)),
        child_alive=aligned_zeros((plies * count, words)),
        child_legal=aligned_zeros((plies * count, words)),
        child_move=integers(count),
        child_score=integers(count),
        kept=integers(),
        alpha=integers(),
        best=integers(),
        best_move=integers(),
        current=integers(),
        entered=integers(),
        searched=integers(),
        mark=np.zeros(plies, dtype=np.uint64),
        killer=np.full(plies, NO_MOVE),
        coverable=np.zeros(4, dtype=np.uint64),
        fillable=np.zeros(4, dtype=np.uint64),
    )
    every = np.ones(count, dtype=bool)
    work.alive[0] = _row_of(every, words)
    if position.pieces:
        in_reach = words_of(position.reach, tables_of(position.pattern.outline).covering.shape[1])
        every = (in_reach[numbers >> 6] >> (numbers & 63).astype(np.uint64)) & np.uint64(1) == 1
    work.legal[0] = _row_of(every, words)
    nibbles = nibbles_of(position)
    work.nibbles[0, : len(nibbles)] = nibbles
    covered = 0
    for cell in bits(position.covered):
        covered |= 1 << int(game.places[cell])
    work.covered[0] = words_of(covered, 4)
    work.supply[0] = position.supply_left
    work.lists[0] = game.cells
    work.list_counts[0] = game.cell_counts
    return work


def new_table(mebibytes: int) -> np.ndarray:
    """An empty transposition table of at most so many MiB: 16-byte entries, a power of two.

    :raises MemoryLimitError: there is not so much memory.
    """
    entries = 1 << ((max(1, mebibytes) << 20) // 16).bit_length() - 1
    with room_for_table(16 * entries):
        return aligned_zeros((entries, 2))


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


class Driver:
    """One call of :func:`solve`: asks the kernel, in a thread of its own beside the caller's,
    which watches the clock, reports progress and hears Ctrl-C.

    Every question starts from the position at ply 0 of each thread's stack: :meth:`reset` puts
    the root's there, :meth:`advance` plays a move.
    """

    def __init__(
        self,
        position: Position,
        objective: str,
        all_moves: bool,
        hash_mib: int,
        threads: int,
    ) -> None:
        started = time.perf_counter()
        self.position = position
        self.objective = objective
        self.all_moves = all_moves
        self.threads = max(1, threads)
        self.mover = position.to_move
        self.side = SIDES.index(self.mover)
        self.fresh = not position.pieces
        self.margin_now = position.margin if self.side == 0 else -position.margin
        self.level = -3 * self.margin_now
        """The value above which the side to move wins."""
        self.techniques = ALL_TECHNIQUES
        self.game, self.numbers = compact_game(position)
        self.lines = lines_of(self.game.tables)
        self.shared = Shared(
            new_table(hash_mib),
            np.zeros(_MARKS, dtype=np.uint64),
            np.zeros((0, 4), dtype=np.int64),
        )
        self.works = [work_of(position, self.game, self.numbers) for _ in range(self.threads)]
        self.root_state = {
            name: getattr(self.works[0], name)[0].copy()
            for name in ("alive", "legal", "covered", "nibbles", "supply")
        }
        self.controls = np.zeros((self.threads, CONTROL_SIZE), dtype=np.int64)
        self.controls[:, NODE_LIMIT] = _NO_LIMIT
        self.controls[:, TEAM] = 1
        clusters = len(self.shared.table) // SLOTS
        self.controls[:, CLUSTERS] = clusters if self.threads > 1 else _FIRST_CLUSTERS
        self.by_book = False
        self.nodes_before = 0
        self.stopping = False
        self.root_moves = self._members(self.root_state["legal"])
        gains = self.game.gains[self.side]
        # The highest gain is the best guess until something is proved.
        self.known = _Known(max(self.root_moves, key=lambda move: int(gains[move])))
        self.seconds = time.perf_counter() - started

    @staticmethod
    def _members(words: np.ndarray) -> list[int]:
        return list(bits(set_of(words)))

    def believe(self, winner: str) -> None:
        """Take the winner as proven, as a swap book has it."""
        self.by_book = True
        if winner != self.mover:
            self.known.high = self.level
            return
        self.known.low = self.level + 1
        if (reply := known_reply(self.position)) is not None:
            number = self.position.placements.number[reply]
            self.known.best = int(np.flatnonzero(self.numbers == number)[0])

    # -- what the caller's thread does ---------------------------------------------------------

    def watch(self, control: Control) -> None:
        """Run and wait for the end, for the clock or for a request to stop."""
        started = time.perf_counter() - self.seconds
        pool = ThreadPoolExecutor(1)
        task = pool.submit(self.run)
        pool.shutdown(wait=False)
        reported = time.perf_counter()
        while not task.done():
            try:
                wait([task], _LOOK_SECONDS)
                now = time.perf_counter()
                late = control.time_limit is not None and now - started >= control.time_limit
                if control.interrupted or late:
                    self.stop()
                if control.on_progress is not None and now - reported >= _PROGRESS_SECONDS:
                    reported = now
                    control.on_progress(self._progress(now - started))
            except KeyboardInterrupt:
                control.stop()
                self.stop()
            except BaseException:
                # Whatever ends the wait, such as a caller's signal, ends the search too.
                self.stop()
                raise
        self.seconds = time.perf_counter() - started
        task.result()

    def stop(self) -> None:
        """Ask the kernels to stop; they look every thousand nodes."""
        self.stopping = True
        self.controls[:, STOP] = 1

    def resume(self) -> None:
        """Allow questions again after :meth:`stop`."""
        self.stopping = False
        self.controls[:, STOP] = 0

    def _progress(self, seconds: float) -> Progress:
        nodes = self.nodes_before + int(self.controls[:, NODES].sum())
        if self.all_moves:
            done, total = len(self.known.values), len(self.root_moves)
        else:
            done, total = (
                int(self.controls[0, ROOT_DONE]),
                int(self.controls[0, ROOT_TOTAL]),
            )
        best = self.notation(self._best_so_far())
        return Progress(done, total, nodes, seconds, self._bounds(), best)

    # -- what the driver's thread does ---------------------------------------------------------

    def run(self) -> None:
        """Find what was asked for, until :meth:`stop`; ``known`` says how far it got."""
        try:
            if self.all_moves:
                self._value_all()
            elif self.objective == OUTCOME:
                self.ask(self.level)
            else:
                self.close_in()
            self.known.line = self._line()
            self.known.finished = True
        except Stopped:
            return

    def ask(self, alpha: int) -> int:
        """A proven bound on the root's value: from below if above ``alpha``, else from above."""
        self.reset()
        known = self.known
        value, best = self.question(self.side, self.fresh, alpha)
        if value > alpha:
            known.low = max(known.low, value)
            known.best = best
        else:
            known.high = min(known.high, value)
            if known.low == -_INFINITE:
                known.best = best
        return value

    def close_in(self) -> None:
        """Ask at the bound just proved until the bounds meet: then that is the root's value."""
        # Where a win is only believed the first question finds the move.
        alpha = min(self.level, self.known.high - 1)
        while self.known.low < self.known.high:
            value = self.ask(alpha)
            alpha = value if value > alpha else value - 1

    def _value_all(self) -> None:
        """Each root move's value, the promising ones first."""
        gains = self.game.gains[self.side]
        guess = self.level
        for move in sorted(self.root_moves, key=lambda each: -int(gains[each])):
            value = self.value_of_move(move, guess)
            self.note_value(move, value)
            guess = max(guess, value) if self.objective == SCORE else guess
        self.known.high = max(self.known.values.values())

    def value_of_move(self, move: int, guess: int) -> int:
        """What the root is worth where this move is played: exact, or, where only the outcome
        was asked for, a bound on the right side of ``level``.

        The nearer the guess the less work.

        :raises Stopped: after :meth:`stop`.
        """
        gain = 3 * int(self.game.gains[self.side, move])
        self.reset()
        if self.advance(move, self.fresh) == 0:
            return gain + 1
        other = 1 - self.side
        if self.objective == OUTCOME:
            return gain - self.question(other, False, gain - self.level - 1)[0]
        low, high = -_INFINITE, _INFINITE
        alpha = gain - guess
        while low < high:
            answer, _ = self.question(other, False, alpha)
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

    def _line(self) -> tuple[str, ...]:
        return self.line_from(self.known.best, self.known.low)

    def line_from(self, first: int, value: int) -> tuple[str, ...]:
        """Play to the end from a root move by moves that keep its value (or who wins), asking
        again where needed.

        :raises Stopped: after :meth:`stop`.
        """
        moves: list[int] = []
        side = self.side
        exact = self.objective == SCORE
        alpha = value - 1 if exact else self.level
        while True:
            self.reset()
            replies = 1
            for ply, move in enumerate(moves):
                replies = self.advance(move, self.fresh and ply == 0)
            if replies == 0:
                return tuple(self.notation(move) for move in moves)
            if moves:
                _, best = self.question(side, False, alpha)
            else:
                best = first
            moves.append(best)
            # Where the value is alpha + 1 exactly, the reply's is 3 x gain less that.
            alpha = 3 * int(self.game.gains[side, best]) - alpha - (2 if exact else 1)
            side = 1 - side

    def reset(self) -> None:
        """Put the root's position at ply 0 again."""
        for work in self.works:
            for name, saved in self.root_state.items():
                getattr(work, name)[0] = saved

    def advance(self, move: int, fresh: bool) -> int:
        """Play a move at ply 0 and have the position after it there; how many replies it has."""
        replies = 0
        for work in self.works:
            replies = play_at_root(self.game, work, move, fresh, self.lines)
        return int(replies)

    def question(self, side: int, fresh: bool, alpha: int) -> tuple[int, int]:
        """The kernel's answer about the position at ply 0, and its best move.

        :raises Stopped: after :meth:`stop`.
        """
        controls = self.controls
        if self.threads > 1:
            controls[0, NODE_LIMIT] = _ALONE_NODES
        value = self.kernel(0, side, fresh, alpha)
        first = 0
        if value == STOPPED and self.threads > 1 and not self.stopping:
            first, value = self._team_question(side, fresh, alpha)
        self.nodes_before += int(controls[:, NODES].sum())
        controls[:, NODES] = 0
        if value == STOPPED:
            raise Stopped
        return value, int(controls[first, ROOT_BEST])

    def _team_question(self, side: int, fresh: bool, alpha: int) -> tuple[int, int]:
        """The same with all threads; which of them had the answer first, and the answer."""
        controls = self.controls
        self.nodes_before += int(controls[0, NODES])
        self.shared.busy[:] = 0
        controls[:, NODES] = 0
        controls[:, NODE_LIMIT] = _NO_LIMIT
        controls[:, TEAM] = self.threads
        first, answer = 0, STOPPED
        with ThreadPoolExecutor(self.threads) as pool:
            tasks = {
                pool.submit(self.kernel, thread, side, fresh, alpha): thread
                for thread in range(self.threads)
            }
            for task in as_completed(tasks):
                if task.result() != STOPPED and answer == STOPPED:
                    first, answer = tasks[task], task.result()
                    controls[:, STOP] = 1
        controls[:, TEAM] = 1
        controls[:, STOP] = 0
        if self.stopping:
            controls[:, STOP] = 1
        return first, answer

    def kernel(self, thread: int, side: int, fresh: bool, alpha: int) -> int:
        """One run of the compiled search by one thread."""
        return int(
            search(
                self.game,
                self.works[thread],
                self.shared,
                self.controls[thread],
                side,
                fresh,
                alpha,
                self.techniques,
                self.lines,
            )
        )

    # -- what is known, in the words of the interface ------------------------------------------

    def notation(self, move: int) -> str:
        """A move, by its number in this search, as it is written."""
        return str(self.position.placements.all[self.numbers[move]].notation)

    def _best_so_far(self) -> int:
        """The move that was proved best, or else the one at which the search was."""
        if self.known.low > -_INFINITE or self.known.high < _INFINITE or self.all_moves:
            return self.known.best
        current = int(self.works[0].current[0])
        return current if self.controls[0, ROOT_TOTAL] else self.known.best

    def _verdict(self, value: int) -> tuple[str, int, str]:
        """Winner, X's margin and last mover that an exact root value stands for."""
        total = 3 * self.margin_now + value
        margin = (total + 1) // 3
        last = self.mover if total == 3 * margin + 1 else opponent(self.mover)
        winner = self.mover if total > 0 else opponent(self.mover)
        return winner, margin if self.side == 0 else -margin, last

    def _bounds(self) -> tuple[int, int]:
        """Proven limits on X's final margin."""
        counts = self.game.cell_counts
        low = max(-int(counts[self.side]), -((1 - self.known.low) // 3)) + self.margin_now
        high = min(int(counts[1 - self.side]), (self.known.high + 1) // 3) + self.margin_now
        return (low, high) if self.side == 0 else (-high, -low)

    def result(self) -> SearchResult:
        """The answer, whole or as far as it is known."""
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
            best=tuple(self.notation(move) for move in best),
            line=known.line,
            nodes=self.nodes_before + int(self.controls[:, NODES].sum()),
            seconds=self.seconds,
            moves=moves,
            bounds=None if known.finished else self._bounds(),
            by_book=self.by_book and not known.finished,
        )

    def _ranked(self) -> list[tuple[int, int]]:
        """Root moves with their values, the best first, else in the order of their numbers."""
        values = list(self.known.values.items())
        if self.objective == OUTCOME:
            values = [(move, int(value > self.level)) for move, value in values]
        return sorted(values, key=lambda pair: (-pair[1], self.numbers[pair[0]]))

    def _all_best(self) -> list[int]:
        ranked = self._ranked()
        return [move for move, value in ranked if value == ranked[0][1]]

    def _move_values(self) -> tuple[MoveValue, ...]:
        found = []
        for move, _ in self._ranked():
            winner, margin, _ = self._verdict(self.known.values[move])
            shown = margin if self.objective == SCORE else None
            found.append(MoveValue(self.notation(move), winner, shown))
        return tuple(found)

    def _final_score(self) -> dict[str, int]:
        """Both scores at the end of the line."""
        placement_of = {each.notation: each for each in self.position.placements.all}
        end = self.position.placed_all(placement_of[move] for move in self.known.line)
        return {side: end.score(side) for side in SIDES}
