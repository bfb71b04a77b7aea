"""Every root move's value, worked out by many processes or machines.

Each root move is a task for a crew (see ``workers``).  A worker keeps its transposition table
from one task of a position to the next.  Values go to a result file as they come (see
``result_file``), so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from litstool.lits.board import SIDES
from litstool.lits.position import Position
from litstool.lits.result_file import Record, ResultFile, record_of
from litstool.lits.solver import Solving, make_ready
from litstool.search.control import Control, Progress
from litstool.search.results import SCORE, SearchResult, result_at_end
from litstool.search.table import DEFAULT_HASH_MIB
from litstool.search.threads import watch
from litstool.search.workers import Crew, CrewLost, Task, cluster_crew, spread

_worker = threading.local()


class Found(NamedTuple):
    """What a worker's task found of a root move: the line after it and the nodes it took."""

    line: tuple[str, ...]
    nodes: int


def value_of_move(
    position: Position, move: int, objective: str, guess: int, hash_mib: int, seconds: float | None
) -> Found | None:
    """A worker's task: a root move's line of best play; None where the time came first."""
    key = (position, objective, hash_mib)
    if getattr(_worker, "key", None) != key:
        make_ready(position)
        _worker.key, _worker.solving = key, Solving(position, objective, True, hash_mib)
    solving: Solving = _worker.solving
    before = solving.searcher.nodes

    def line() -> tuple[str, ...]:
        return solving.line_from(move, solving.value_of_move(move, guess))

    try:
        found = watch(line, solving.searcher.stop, Control(seconds))
    finally:
        solving.searcher.resume()
    return None if found is None else Found(found, solving.searcher.nodes - before)


def solve_all(
    position: Position,
    crew: Crew,
    result_file: Path | None = None,
    *,
    objective: str = SCORE,
    control: Control | None = None,
    hash_mib: int = DEFAULT_HASH_MIB,
    on_note: Callable[[str], None] = lambda text: None,
) -> SearchResult:
    """Every root move's value, as :func:`litstool.lits.solver.solve` with ``all_moves`` has it.

    Moves that ``result_file`` has already are not worked out again, and new ones are added to it.
    Each worker's table takes ``hash_mib``.  ``on_note`` is told in words where workers were lost,
    which ends the search like a time limit, or where the file was mended.

    :raises SourceError: the result file cannot be read.
    :raises FormatError: it is of another position or objective, or damaged.
    :raises WriteError: it cannot be written, or another run has it.
    """
    control = (control or Control()).begin()
    if position.is_finished:
        return result_at_end(position, SIDES, objective, all_moves=True)
    solving = Solving(position, objective, True, 1)
    searcher = solving.searcher
    number = {searcher.notation(move): move for move in searcher.moves}

    def add(record: Record) -> None:
        solving.note_value(number[record.move], _value(record, solving))
        searcher.nodes_elsewhere += record.nodes

    def progress() -> Progress:
        best = searcher.notation(solving.known.best)
        done, total = len(records.known), len(number)
        return Progress(done, total, searcher.nodes, control.seconds, best=best)

    with ResultFile.opened(position, objective, result_file, on_note) as records:
        for record in records.known.values():
            add(record)
        todo = solving.promising_first(
            move for text, move in number.items() if text not in records.known
        )

        def tasks() -> Iterator[Task[int]]:
            for move in todo:
                task = (position, move, objective, solving.level, hash_mib, control.left)
                yield move, value_of_move, task

        try:
            for _, found in spread(tasks(), crew, control, lambda: control.report(progress)):
                if found is not None:
                    record = record_of(position, objective, *found)
                    add(record)
                    records.add(record)
        except CrewLost as error:
            on_note(str(error))
        except KeyboardInterrupt:
            control.stop()
    known = solving.known
    if len(known.values) == len(number):
        known.high = max(known.values.values())
        if known.best not in known.values or known.values[known.best] < known.high:
            known.best = max(known.values, key=lambda move: known.values[move])
        known.line = records.known[searcher.notation(known.best)].line
        known.finished = True
    return solving.result(control.seconds)


def _value(record: Record, solving: Solving) -> int:
    """A root move's value in the solver's numbers, as :meth:`Solving.value_of_move` has it."""
    if record.margin is None:
        return solving.level + (record.winner == solving.mover)
    margin = record.margin if solving.side == 0 else -record.margin
    return 3 * margin + (1 if record.last_mover == solving.mover else -1) + solving.level


def solve_all_distributed(
    position: Position,
    scheduler: str,
    result_file: Path | None = None,
    *,
    objective: str = SCORE,
    control: Control | None = None,
    hash_mib: int = DEFAULT_HASH_MIB,
    on_note: Callable[[str], None] = lambda text: None,
) -> SearchResult:
    """:func:`solve_all` on the Dask cluster whose scheduler is at an address.

    :raises UsageError: Dask is not installed.
    :raises SourceError: nothing answers at the address, or a worker has not this litstool.
    """
    with cluster_crew(scheduler) as crew:
        return solve_all(
            position,
            crew,
            result_file,
            objective=objective,
            control=control,
            hash_mib=hash_mib,
            on_note=on_note,
        )
