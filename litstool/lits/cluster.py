"""Every root move's value, worked out by many processes or machines.

Each root move is a task for an executor of ``concurrent.futures``: a process pool on one machine,
or that of a Dask client on many (``Client.get_executor``), so that there is one code path.  Dask
does the tasks of a lost worker again on another one.  A worker keeps its transposition table from
one task of a position to the next.

Values go to a result file as they come, one JSON line each, so that an interrupted run goes on
where it was.
"""

from __future__ import annotations

import json
import os
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any

from litstool.errors import FormatError, SourceError, UsageError
from litstool.lits.position import Position
from litstool.lits.solver import DEFAULT_HASH_MIB, Driver, Stopped, finished, warm_up
from litstool.results import SCORE, Control, Progress, SearchResult
from litstool.writing import check_writable, write_file

CONNECT_SECONDS = 10
"""How long to wait for a scheduler."""

_LOOK_SECONDS = 0.2
_worker = threading.local()


def value_of_move(
    position: Position, move: int, objective: str, guess: int, hash_mib: int, seconds: float | None
) -> dict[str, Any] | None:
    """A worker's task: the value of one root move and the line after it; None where the time came
    first."""
    key = (position, objective, hash_mib)
    if getattr(_worker, "key", None) != key:
        warm_up(position)
        _worker.key, _worker.driver = key, Driver(position, objective, True, hash_mib, 1)
    driver: Driver = _worker.driver
    before = driver.nodes_before
    timer = threading.Timer(seconds, driver.stop) if seconds is not None else None
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
    return {"move": line[0], "value": value, "line": line, "nodes": driver.nodes_before - before}


def solve_all(
    position: Position,
    executor: Executor,
    result_file: Path | None = None,
    *,
    objective: str = SCORE,
    control: Control | None = None,
    hash_mib: int = DEFAULT_HASH_MIB,
) -> SearchResult:
    """Every root move's value, as :func:`litstool.lits.solver.solve` with ``all_moves`` has it.

    Moves that ``result_file`` has already are not worked out again, and new ones are added to it.
    Each worker's table takes ``hash_mib``.

    :raises FormatError: the result file is of another position or objective, or damaged.
    :raises WriteError: the result file cannot be written.
    """
    control = control or Control()
    started = time.monotonic()
    if position.is_finished:
        return finished(position, objective, all_moves=True)
    driver = Driver(position, objective, True, 1, 1)
    records = _Records(position, objective, result_file)
    number = {driver.notation(move): move for move in driver.root_moves}
    lines: dict[int, tuple[str, ...]] = {}

    def add(record: dict[str, Any]) -> None:
        move = number[record["move"]]
        driver.note_value(move, record["value"])
        driver.nodes_before += record["nodes"]
        lines[move] = tuple(record["line"])

    for record in records.known:
        if record["move"] not in number:
            raise FormatError(f"{record['move']} is no legal move of the position", records.name)
        add(record)
    gains = driver.game.gains[driver.side]
    todo = sorted(set(driver.root_moves) - set(lines), key=lambda move: -int(gains[move]))
    tasks: set[Future[Any]] = set()
    try:
        for move in todo:
            task = (position, move, objective, driver.level, hash_mib, control.time_limit)
            tasks.add(executor.submit(value_of_move, *task))
        while tasks:
            done, tasks = wait(tasks, _LOOK_SECONDS, FIRST_COMPLETED)
            for each in done:
                if (record := each.result()) is not None:
                    records.add(record)
                    add(record)
            seconds = time.monotonic() - started
            if control.on_progress is not None:
                total = len(driver.root_moves)
                best = driver.notation(driver.known.best)
                nodes = driver.nodes_before
                control.on_progress(Progress(len(lines), total, nodes, seconds, best=best))
            late = control.time_limit is not None and seconds >= control.time_limit
            if control.interrupted or late:
                break
    except KeyboardInterrupt:
        control.stop()
    finally:
        for each in tasks:
            each.cancel()
    if len(lines) == len(driver.root_moves):
        known = driver.known
        known.high = max(known.values.values())
        if known.best not in known.values or known.values[known.best] < known.high:
            known.best = max(known.values, key=lambda move: known.values[move])
        known.line = lines[known.best]
        known.finished = True
    driver.seconds = time.monotonic() - started
    return driver.result()


def solve_all_distributed(
    position: Position,
    scheduler: str,
    result_file: Path | None = None,
    *,
    objective: str = SCORE,
    control: Control | None = None,
    hash_mib: int = DEFAULT_HASH_MIB,
) -> SearchResult:
    """:func:`solve_all` on the Dask cluster whose scheduler is at an address.

    :raises UsageError: Dask is not installed.
    :raises SourceError: nothing answers at the address, or the cluster lacks litstool.
    """
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("a cluster needs Dask: pip install 'litstool[cluster]'") from None
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise SourceError(f"no Dask scheduler answers at {scheduler}: {error}") from None
    executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
    try:
        with client, executor:
            return solve_all(
                position,
                executor,
                result_file,
                objective=objective,
                control=control,
                hash_mib=hash_mib,
            )
    except (RuntimeError, ImportError, OSError) as error:
        # Above all where litstool is not installed on every machine.
        first = " ".join(str(error).split())[:200]
        raise SourceError(
            f"the cluster at {scheduler} cannot do it ({first}); the scheduler and every worker "
            "need the same litstool installed"
        ) from None


class _Records:
    """A result file: a line that says what was asked, then a line for each move."""

    def __init__(self, position: Position, objective: str, path: Path | None) -> None:
        self.path = path
        self.name = str(path)
        self.known: list[dict[str, Any]] = []
        if path is None:
            return
        header = {
            "pattern": "/".join(position.pattern.rows()),
            "pieces": sorted(piece.notation for piece in position.pieces),
            "to_move": position.to_move,
            "supply": list(position.supply),
            "objective": objective,
        }
        check_writable(path)
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            if not text.strip():
                write_file(path, json.dumps(header) + "\n")
                return
            whole = text[: text.rfind("\n") + 1]
            first, *rest = [json.loads(line) for line in whole.splitlines()]
        except ValueError:
            raise FormatError("this is no result file of solve --all", self.name) from None
        if first != header:
            raise FormatError("the results are of another position or objective", self.name)
        for record in rest:
            if not isinstance(record, dict) or set(record) != {"move", "value", "line", "nodes"}:
                raise FormatError("a line is no result of solve --all", self.name)
        if whole != text:
            # The run ended while it wrote the last line.
            write_file(path, whole)
        self.known = rest

    def add(self, record: dict[str, Any]) -> None:
        """Write a result so that it outlives an interruption."""
        if self.path is None:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
            file.flush()
            os.fsync(file.fileno())
