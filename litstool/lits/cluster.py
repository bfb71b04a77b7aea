"""Every root move's value, worked out by many processes or machines.

Each root move is a task for a crew (see ``workers``).  A worker keeps its transposition table
from one task of a position to the next.  Values go to a result file as they come (see
``result_file``), so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from litstool.lits.position import Position
from litstool.lits.result_file import Record, ResultFile, record_of
from litstool.lits.solver import DEFAULT_HASH_MIB, Driver, Stopped, finished, warm_up
from litstool.search.control import Control, Progress
from litstool.search.results import SCORE, SearchResult
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
        warm_up(position)
        _worker.key, _worker.driver = key, Driver(position, objective, True, hash_mib, 1)
    driver: Driver = _worker.driver
    before = driver.nodes_before
    timer = None
    if seconds is not None:
        timer = threading.Timer(min(max(seconds, 0.0), threading.TIMEOUT_MAX), driver.stop)
    if timer is not None:
        timer.start()
    try:
        value = driver.value_of_move(move, guess)
        line = driver.line_from(move, value)
    except Stopped:
        return None
    finally:
        if timer is not None:
            timer.cancel()
            driver.resume()
    return Found(line, driver.nodes_before - before)


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
    control = control or Control()
    started = time.monotonic()
    if position.is_finished:
        return finished(position, objective, all_moves=True)
    driver = Driver(position, objective, True, 1, 1)
    number = {driver.notation(move): move for move in driver.root_moves}

    def left() -> float | None:
        """The seconds that are left."""
        if control.time_limit is None:
            return None
        return max(0.0, control.time_limit - (time.monotonic() - started))

    def add(record: Record) -> None:
        driver.note_value(number[record.move], _value(record, driver))
        driver.nodes_before += record.nodes

    with ResultFile.opened(position, objective, result_file, on_note) as records:
        for record in records.known.values():
            add(record)
        gains = driver.game.gains[driver.side]
        todo = sorted(
            (move for text, move in number.items() if text not in records.known),
            key=lambda move: -int(gains[move]),
        )

        def tasks() -> Iterator[Task[int]]:
            for move in todo:
                task = (position, move, objective, driver.level, hash_mib, left())
                yield move, value_of_move, task

        def look() -> None:
            if control.on_progress is not None:
                seconds = time.monotonic() - started
                best = driver.notation(driver.known.best)
                done, total = len(records.known), len(number)
                nodes = driver.nodes_before
                control.on_progress(Progress(done, total, nodes, seconds, best=best))

        try:
            part = control if control.time_limit is None else control.within(left() or 0.0)
            for _, found in spread(tasks(), crew, part, look):
                if found is not None:
                    record = record_of(position, objective, *found)
                    add(record)
                    records.add(record)
        except CrewLost as error:
            on_note(str(error))
        except KeyboardInterrupt:
            control.stop()
    known = driver.known
    if len(known.values) == len(number):
        known.high = max(known.values.values())
        if known.best not in known.values or known.values[known.best] < known.high:
            known.best = max(known.values, key=lambda move: known.values[move])
        known.line = records.known[driver.notation(known.best)].line
        known.finished = True
    driver.seconds = time.monotonic() - started
    return driver.result()


def _value(record: Record, driver: Driver) -> int:
    """A root move's value in the driver's numbers, as :meth:`Driver.value_of_move` has it."""
    if record.margin is None:
        return driver.level + (record.winner == driver.mover)
    margin = record.margin if driver.side == 0 else -record.margin
    return 3 * margin + (1 if record.last_mover == driver.mover else -1) + driver.level


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
