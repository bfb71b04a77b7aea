"""Every root move's value by other processes: the same answer, lost workers, going on again."""

from __future__ import annotations

import gc
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLES, ROOT, Run
from endgames import check_line, random_endgame

from litstool.errors import FormatError, SourceError
from litstool.lits.cluster import solve_all, solve_all_distributed
from litstool.lits.position import Position
from litstool.lits.solver import solve
from litstool.search import workers
from litstool.search.control import Control, Progress
from litstool.search.results import OUTCOME, SCORE, SearchResult
from litstool.search.workers import Crew, CrewLost


def same(position: Position, found: SearchResult, objective: str) -> None:
    """The result is that of one process."""
    expected = solve(position, objective=objective, all_moves=True)
    assert found.solved
    assert (found.winner, found.margin, found.last_mover) == (
        expected.winner,
        expected.margin,
        expected.last_mover,
    )
    assert found.moves == expected.moves
    assert set(found.best) == set(expected.best)
    check_line(position, found)


class Counting(ThreadPoolExecutor):
    """An executor that counts its tasks."""

    tasks = 0

    def submit(self, *arguments: Any, **keywords: Any) -> Future[Any]:
        self.tasks += 1
        return super().submit(*arguments, **keywords)


@pytest.mark.parametrize("objective", [SCORE, OUTCOME])
def test_two_workers_like_one_process(objective: str) -> None:
    chance = random.Random(61)
    for _ in range(3):
        position = random_endgame(chance, 9)
        with ThreadPoolExecutor(2) as executor:
            same(
                position,
                solve_all(position, Crew.of(executor), objective=objective, hash_mib=2),
                objective,
            )


def test_run_goes_on_from_its_result_file(tmp_path: Path) -> None:
    position = random_endgame(random.Random(62), 8)
    path = tmp_path / "moves.jsonl"
    with Counting(1) as executor:
        solve_all(position, Crew.of(executor), path, hash_mib=2)
        every = executor.tasks
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == every + 1
    # As if the run had been interrupted while it wrote its sixth result.
    path.write_text("".join(lines[:6]) + lines[6][:20])
    with Counting(2) as executor:
        same(position, solve_all(position, Crew.of(executor), path, hash_mib=2), SCORE)
        assert executor.tasks == every - 5
    assert len(path.read_text().splitlines()) == every + 1
    with Counting(1) as executor:
        same(position, solve_all(position, Crew.of(executor), path, hash_mib=2), SCORE)
        assert executor.tasks == 0


def test_result_file_of_another_question(tmp_path: Path) -> None:
    chance = random.Random(63)
    path = tmp_path / "moves.jsonl"
    with ThreadPoolExecutor(1) as executor:
        solve_all(random_endgame(chance, 10), Crew.of(executor), path, hash_mib=1)
        with pytest.raises(FormatError, match="another position"):
            solve_all(random_endgame(chance, 10), Crew.of(executor), path, hash_mib=1)
        path.write_text("no results\n")
        with pytest.raises(FormatError, match="no result file"):
            solve_all(random_endgame(chance, 10), Crew.of(executor), path, hash_mib=1)


def test_interruption_tells_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("litstool.search.control.PROGRESS_SECONDS", 0.0)
    position = random_endgame(random.Random(64), 6)
    control = Control()

    def watch(progress: Progress) -> None:
        if progress.done >= 3:
            control.stop()

    control.on_progress = watch
    path = tmp_path / "moves.jsonl"
    with ThreadPoolExecutor(1) as executor:
        result = solve_all(position, Crew.of(executor), path, control=control, hash_mib=1)
    assert result.moves is not None
    assert not result.solved and result.bounds is not None
    assert 3 <= len(result.moves) < sum(1 for _ in position.moves())
    # What was written before the interruption is true.
    with ThreadPoolExecutor(2) as executor:
        same(position, solve_all(position, Crew.of(executor), path, hash_mib=2), SCORE)


def test_lost_worker_is_made_good(tmp_path: Path) -> None:
    """A real cluster of two worker processes, one of which is killed during the run."""
    distributed = pytest.importorskip("distributed")
    position = random_endgame(random.Random(65), 6)
    path = tmp_path / "moves.jsonl"
    killed = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        workers = [nanny.pid for nanny in cluster.workers.values()]
        assert len(workers) == 2

        def watch(progress: Progress) -> None:
            if progress.done >= 2 and not killed:
                assert progress.done < progress.total
                os.kill(workers[0], signal.SIGKILL)
                killed.append(workers[0])

        result = solve_all_distributed(
            position,
            cluster.scheduler_address,
            path,
            control=Control(on_progress=watch),
            hash_mib=8,
        )
    assert killed
    same(position, result, SCORE)
    moves = [json.loads(line)["move"] for line in path.read_text().splitlines()[1:]]
    assert sorted(moves) == sorted(each.notation for each in position.moves())


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:9", "tls://127.0.0.1:9", "ucx://127.0.0.1:9", "nonsense://x", "foo", ""],
)
def test_no_cluster_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    position = random_endgame(random.Random(66), 11)
    with pytest.raises(SourceError, match="no Dask scheduler answers"):
        solve_all_distributed(position, address)
    gc.collect()
    assert capsys.readouterr().err == ""


class Client:
    """As Dask's, with workers that answer what a test wants."""

    status = "running"

    def __init__(self, answers: dict[str, object]) -> None:
        self.answers = answers

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.answers, 1)

    def run(self, function: Callable[[], str], on_error: str) -> dict[str, object]:
        assert on_error == "return" and function() == workers.__version__
        return self.answers


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({}, "has no workers"),
        ({"w1": workers.__version__, "w2": "0.0.1"}, "the Dask worker w2 has litstool 0"),
        ({"w1": ImportError("No module named 'litstool'")}, "w1 has no litstool that works"),
    ],
)
def test_workers_that_cannot_be_believed(
    monkeypatch: pytest.MonkeyPatch, answers: dict[str, object], says: str
) -> None:
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.5)
    with pytest.raises(SourceError, match=says):
        workers._Cluster(Client(answers), "tcp://there").check()
    workers._Cluster(Client({"w1": workers.__version__}), "tcp://there").check()


def test_a_cluster_that_answers_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.1)
    monkeypatch.setattr(workers, "_ASK_SECONDS", 0.0)
    client = Client({"w1": workers.__version__})
    cluster = workers._Cluster(client, "tcp://there")
    cluster.check()
    cluster.look()
    assert cluster.at_once() == 2
    client.answers = {}
    cluster.look()
    time.sleep(0.15)
    with pytest.raises(CrewLost, match="lost all its workers"):
        cluster.look()
    hang = threading.Event()
    for fault in (lambda: hang.wait(5), lambda: 1 / 0):
        monkeypatch.setattr(client, "nthreads", fault)
        with pytest.raises(CrewLost, match="does not answer any more"):
            cluster.look()
    client = Client({"w1": workers.__version__})
    cluster = workers._Cluster(client, "tcp://there")
    monkeypatch.setattr(client, "run", lambda *given, **options: hang.wait(5))
    with pytest.raises(SourceError, match="do not answer: no answer within"):
        cluster.check()
    hang.set()


SCHEDULER = """
import asyncio, sys
from distributed import Scheduler, Worker

async def main():
    async with Scheduler(port=0, dashboard=False, dashboard_address=None) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()

asyncio.run(main())
"""

WORKER = """
import asyncio, sys
if sys.argv[2] == "none":
    sys.modules["litstool"] = None
if sys.argv[2] == "old":
    import litstool
    litstool.__version__ = "0.0.1"
from distributed import Worker

async def main():
    async with Worker(sys.argv[1], nthreads=1, dashboard=False) as worker:
        await worker.finished()

asyncio.run(main())
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "says"),
    [("none", "has no litstool that works"), ("old", "has litstool 0.0.1"), ("", "any more")],
)
def test_a_real_cluster_with_a_fault(run: Run, tmp_path: Path, kind: str, says: str) -> None:
    """A worker without litstool, one of another version, and a scheduler that is killed."""
    pytest.importorskip("distributed")
    path = tmp_path / "moves.jsonl"
    command = [sys.executable, "-c"]
    scheduler = subprocess.Popen([*command, SCHEDULER], stdout=subprocess.PIPE, text=True)
    assert scheduler.stdout is not None
    address = scheduler.stdout.readline().strip()
    worker = subprocess.Popen(
        [*command, WORKER, address, kind], env={**os.environ, "PYTHONPATH": str(ROOT)}
    )

    def kill() -> None:
        while not (path.exists() and path.read_bytes().count(b"\n") > 3):
            time.sleep(0.01)
        scheduler.kill()

    if not kind:
        threading.Thread(target=kill, daemon=True).start()
    try:
        result = run(
            "solve", EXAMPLES / "endgame-7.yaml", "--all", "--results", path,
            "--scheduler", address,
        )  # fmt: skip
    finally:
        for process in (worker, scheduler):
            process.kill()
            process.communicate()
    assert says in result.err and len(result.err.splitlines()) == 1, result.err
    assert result.status == (2 if kind else 3)
    if not kind:
        again = run("solve", EXAMPLES / "endgame-7.yaml", "--all", "--results", path)
        assert again.status == 0


# --- the command ------------------------------------------------------------------------------


def test_the_command_keeps_results_and_goes_on_from_them(run: Run, tmp_path: Path) -> None:
    endgame, results = str(EXAMPLES / "endgame-3.yaml"), tmp_path / "values.jsonl"
    whole = run("solve", endgame, "--all", "--json").json
    words = ("solve", endgame, "--all", "--results", str(results), "--json")
    kept = run(*words).json
    for key in ("winner", "margin", "final_score", "last_mover"):
        assert kept[key] == whole[key]
    assert sorted(kept["best"]) == sorted(whole["best"])
    lines = results.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 1 + len(whole["moves"])
    # A run that was broken off goes on where it was.
    results.write_text("".join(lines[:10]), encoding="utf-8")
    again = run(*words).json
    assert {(each["move"], each["margin"]) for each in again["moves"]} == {
        (each["move"], each["margin"]) for each in whole["moves"]
    }
    assert results.read_text(encoding="utf-8").startswith("".join(lines[:10]))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--results", "values.jsonl"], "--all"),
        (["--scheduler", "tcp://127.0.0.1:9"], "--all"),
        (["--all", "--scheduler", "nonsense://x"], "nonsense"),
    ],
)
def test_the_command_refuses_what_cannot_work(run: Run, words: list[str], says: str) -> None:
    result = run("solve", str(EXAMPLES / "endgame-3.yaml"), *words)
    assert result.status == 2 and says in result.err and "Traceback" not in result.err
