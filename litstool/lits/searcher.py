"""The compiled search with its memory: proven bounds on the values of positions.

A searcher is over one position, its *root*.  Every question is about the position at ply 0 of the
threads' stacks, which is the root after :meth:`Searcher.reset`, and any position after it where
moves were played by :meth:`Searcher.advance`.  All questions share one transposition table, so
that the later ones are cheap.

Values are those of ``solver``, for the side to move.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np

from litstool.grid import bits
from litstool.lits.board import SIDES
from litstool.lits.compact import compact_game, work_of
from litstool.lits.kernel.children import play_at_root
from litstool.lits.kernel.loop import search
from litstool.lits.kernel.state import (
    ALL_TECHNIQUES,
    CLUSTERS,
    CONTROL_SIZE,
    NODE_LIMIT,
    NODES,
    ROOT_BEST,
    ROOT_DONE,
    ROOT_TOTAL,
    STOP,
    STOPPED,
    TEAM,
    Shared,
)
from litstool.lits.kernel.table import SLOTS
from litstool.lits.kernels import lines_of, set_of
from litstool.lits.position import Position
from litstool.search.control import Stopped
from litstool.search.table import new_table, take
from litstool.search.threads import cores

NO_LIMIT = int(np.iinfo(np.int64).max)
"""More nodes than any search takes."""
_FIRST_CLUSTERS = 1024
_MARKS = 1 << 14
_ALONE_NODES = 30_000
"""A question that takes fewer nodes is not worth starting more threads."""

_ROOT_STATE = ("alive", "legal", "covered", "nibbles", "supply")


class Searcher:
    """The search over one position with a legal move, by as many threads as there are cores for.

    ``numbers`` has for each move, by its number in this search, the one in the outline's tables;
    ``side`` is the side to move at the root, 0 for X and 1 for O.  Another thread may call
    :meth:`stop`.

    :raises MemoryLimitError: there is not so much memory.
    """

    def __init__(self, position: Position, hash_mib: int, threads: int = 1) -> None:
        self.position = position
        self.threads = min(max(1, threads), cores())
        self.side = SIDES.index(position.to_move)
        self.techniques = ALL_TECHNIQUES
        self.game, self.numbers = compact_game(position)
        self.shared = Shared(
            new_table(hash_mib),
            np.zeros(_MARKS, dtype=np.uint64),
            np.zeros((0, 4), dtype=np.int64),
        )
        self.controls = np.zeros((self.threads, CONTROL_SIZE), dtype=np.int64)
        self.controls[:, NODE_LIMIT] = NO_LIMIT
        self.controls[:, TEAM] = 1
        self.controls[:, CLUSTERS] = _FIRST_CLUSTERS
        self._row_lines = lines_of(self.game.tables)
        self._works = [work_of(position, self.game, self.numbers) for _ in range(self.threads)]
        self._root = {name: getattr(self._works[0], name)[0].copy() for name in _ROOT_STATE}
        self._plies = 0
        """Moves played at ply 0 since it was the root."""
        self._is_whole = False
        """Whether all of the table is in use, as by several threads."""
        self._nodes_before = 0
        self.nodes_elsewhere = 0
        """Positions that other searchers looked at for the same search."""
        self._stopping = False
        self.moves: list[int] = list(bits(set_of(self._root["legal"])))

    # -- what any thread may ask ---------------------------------------------------------------

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self.nodes_elsewhere + self._nodes_before + int(self.controls[:, NODES].sum())

    @property
    def root_progress(self) -> tuple[int, int]:
        """How many moves of the question's position are searched, and how many are to be."""
        return int(self.controls[0, ROOT_DONE]), int(self.controls[0, ROOT_TOTAL])

    @property
    def current_move(self) -> int | None:
        """The move at which the question's search is; None before there is one."""
        return int(self._works[0].current[0]) if self.controls[0, ROOT_TOTAL] else None

    def notation(self, move: int) -> str:
        """A move, by its number in this search, as it is written."""
        return self.position.placements.all[int(self.numbers[move])].notation

    def stop(self) -> None:
        """End the search soon, in whatever thread it runs; it looks every thousand nodes."""
        self._stopping = True
        self.controls[:, STOP] = 1

    def resume(self) -> None:
        """Allow questions again after :meth:`stop`."""
        self._stopping = False
        self.controls[:, STOP] = 0

    def run_once(self) -> None:
        """Run each compiled part for a moment, which has them compiled or loaded."""
        self.controls[:, STOP] = 1
        self._run(0, 0)
        self.advance(self.moves[0])
        self.resume()
        self.reset()

    # -- questions -----------------------------------------------------------------------------

    def reset(self) -> None:
        """Put the root at ply 0 again."""
        self._plies = 0
        for work in self._works:
            for name, saved in self._root.items():
                getattr(work, name)[0] = saved

    def advance(self, move: int) -> int:
        """Play a move at ply 0 and have the position after it there; how many replies it has."""
        replies = 0
        for work in self._works:
            replies = play_at_root(self.game, work, move, self._is_fresh, self._row_lines)
        self._plies += 1
        return int(replies)

    def ask(self, alpha: int) -> tuple[int, int]:
        """Whether the position at ply 0 is worth more than ``alpha`` to the side to move.

        There must be a legal move.  Returns a proven bound on the value, from below if it is
        above ``alpha`` and from above if not, and the best move.

        :raises Stopped: after :meth:`stop`.
        """
        answer = self.ask_within(NO_LIMIT, alpha)
        assert answer is not None
        return answer

    def ask_within(self, most_nodes: int, alpha: int) -> tuple[int, int] | None:
        """The same; None where it takes more than so many nodes.

        What they found stays in the table, so that they are not lost where it is asked again.

        :raises Stopped: after :meth:`stop`.
        """
        if self._stopping:
            raise Stopped
        controls = self.controls
        controls[0, NODE_LIMIT] = most_nodes if self.threads == 1 else min(most_nodes, _ALONE_NODES)
        value = self._run(0, alpha)
        first = 0
        if value == STOPPED and controls[0, NODE_LIMIT] < most_nodes and not self._stopping:
            first, value = self._ask_all(most_nodes, alpha)
        self._nodes_before += int(controls[:, NODES].sum())
        controls[:, NODES] = 0
        if self._stopping and value == STOPPED:
            raise Stopped
        return None if value == STOPPED else (value, int(controls[first, ROOT_BEST]))

    def _ask_all(self, most_nodes: int, alpha: int) -> tuple[int, int]:
        """The same with all threads; which of them had the answer first, and the answer."""
        self._use_whole_table()
        if self._stopping:
            return 0, STOPPED
        controls = self.controls
        self._nodes_before += int(controls[0, NODES])
        self.shared.busy[:] = 0
        controls[:, NODES] = 0
        controls[:, NODE_LIMIT] = most_nodes // self.threads
        controls[:, TEAM] = self.threads
        first, answer = 0, STOPPED
        with ThreadPoolExecutor(self.threads) as pool:
            tasks = {
                pool.submit(self._run, thread, alpha): thread for thread in range(self.threads)
            }
            for task in as_completed(tasks):
                if task.result() != STOPPED and answer == STOPPED:
                    first, answer = tasks[task], task.result()
                    controls[:, STOP] = 1
        controls[:, TEAM] = 1
        controls[:, STOP] = 0
        if self._stopping:
            controls[:, STOP] = 1
        return first, answer

    def _use_whole_table(self) -> None:
        """Have the table ready for several threads: one alone lets it grow as it fills up.

        What was noted before is of no use then, and does no harm.
        """
        if not self._is_whole:
            take(self.shared.table, lambda: self._stopping)
            self.controls[:, CLUSTERS] = len(self.shared.table) // SLOTS
            self._is_whole = True

    @property
    def _is_fresh(self) -> bool:
        """Whether the position at ply 0 is the empty board."""
        return not self.position.pieces and self._plies == 0

    def _run(self, thread: int, alpha: int) -> int:
        """One run of the compiled search by one thread."""
        return int(
            search(
                self.game,
                self._works[thread],
                self.shared,
                self.controls[thread],
                (self.side + self._plies) & 1,
                self._is_fresh,
                alpha,
                self.techniques,
                self._row_lines,
            )
        )
