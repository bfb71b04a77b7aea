"""Worker processes: none outlives its parent, and whatever happens to one, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLES, ROOT, Run, until
from waiting import BUSY

from litstool.lits import cluster
from litstool.lits.solver import Solving
from litstool.search import workers
from litstool.search.control import Control
from litstool.search.workers import CrewLost, process_crew, spread

psutil = pytest.importorskip("psutil")

unix = pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")

STARTING = """
import multiprocessing, sys
from litstool.cli.main import run

if __name__ == "__main__":
    multiprocessing.set_start_method({method!r})
    sys.argv = ["litstool", "book", "make", "stripes", "-o", {file!r}, "--threads", "2"]
    sys.argv += ["--hash", "1"]
    run()
"""


@pytest.fixture(
    params=[
        "fork",
        pytest.param("spawn", marks=pytest.mark.slow),
        pytest.param("forkserver", marks=pytest.mark.slow),
    ]
)
def making(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """``book make`` at work with two processes, just begun, in a process group of its own."""
    script = tmp_path / "start.py"
    file = str(tmp_path / "book.yaml")
    script.write_text(STARTING.format(method=request.param, file=file))
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def family(process: subprocess.Popen[str]) -> list[Any]:
    return list(psutil.Process(process.pid).children(recursive=True))


@unix
def test_workers_end_with_a_parent_that_is_killed(making: subprocess.Popen[str]) -> None:
    children = until(lambda: len(found := family(making)) >= 2 and found)
    making.kill()
    gone, alive = psutil.wait_procs(children, timeout=20)
    assert not alive and len(gone) >= 2


@unix
@pytest.mark.parametrize("after", [0.0, 0.3])
def test_ctrl_c_in_the_first_second_of_the_workers(
    making: subprocess.Popen[str], after: float
) -> None:
    children = until(lambda: family(making))
    time.sleep(after)
    os.killpg(making.pid, signal.SIGINT)
    _, err = making.communicate(timeout=60)
    assert making.returncode == 130, err
    assert "Traceback" not in err and len(err.splitlines()) == 1, err
    assert not psutil.wait_procs(children, timeout=10)[1]


@unix
def test_a_worker_that_is_killed_costs_nothing_that_is_known(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    killed: list[int] = []

    def kill_one() -> None:
        """As the system does when memory ends: once something is known."""
        until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 3)
        # Of all children, which may have been left by other tests, one that is at work.
        children = psutil.Process().children()
        times = {each.pid: each.cpu_times().user for each in children}
        until(lambda: any(each.cpu_times().user > times[each.pid] for each in children))
        killed.append(max(children, key=lambda each: each.cpu_times().user - times[each.pid]).pid)
        os.kill(killed[0], signal.SIGKILL)

    helper = threading.Thread(target=kill_one)
    helper.start()
    # Many moves that take a while each, so that it is at work when the third is known.
    game = EXAMPLES / "game-with-swap.yaml"
    words = ("solve", game, "--ply", 6, "--all", "--results", path, "--hash")
    result = run(*words, 1)
    helper.join()
    assert killed
    assert result.status == 3, result.err
    assert result.err.count("ended from outside") == 1 and "Traceback" not in result.err
    assert "Every move" in result.out
    known = path.read_text()
    whole = run(*words, 2, "--json")
    assert whole.status == 0 and path.read_text().startswith(known)


@pytest.mark.parametrize("at_once", [1, 8])
def test_a_time_limit_ends_the_workers_in_silence(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Their pool's own thread fails on tasks that were cancelled before it was ended."""
    failed: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    futures: list[Future[Any]] = []
    started = time.monotonic()
    tasks = iter([(number, time.sleep, (30,)) for number in range(20)])
    with process_crew(1) as crew:
        submit = crew.executor.submit

        def noted(*task: Any) -> Future[Any]:
            futures.append(submit(*task))
            return futures[-1]

        monkeypatch.setattr(crew.executor, "submit", noted)
        crew = replace(crew, at_once=lambda: at_once)
        assert list(spread(tasks, crew, Control(0.3), lambda: None)) == []
    assert time.monotonic() - started < 0.3 + BUSY
    assert len(futures) == at_once and not any(each.cancelled() for each in futures)
    assert not failed


def test_a_time_limit_beyond_every_clock(run: Run, tmp_path: Path) -> None:
    result = run(
        "solve", EXAMPLES / "endgame-3.yaml", "--all", "--results", tmp_path / "r.jsonl",
        "--time-limit", "1e308",
    )  # fmt: skip
    assert result.status == 0 and not result.err, result.err


def test_a_task_that_the_time_ends_tells_nothing() -> None:
    from litstool.games import load

    position = load(str(EXAMPLES / "endgame-7.yaml"))[1].at(None).position()
    move = Solving(position, "score", True, 1, 1).searcher.moves[0]
    assert cluster.value_of_move(position, move, "score", 0, 1, 0.0) is None
    found = cluster.value_of_move(position, move, "score", 0, 1, 1e308)
    assert found is not None and found.line


def test_the_fault_of_a_task_is_not_hidden() -> None:
    with process_crew(1) as crew, pytest.raises(ValueError, match="invalid literal"):
        list(spread(iter([(1, int, ("x",))]), crew, Control(), lambda: None))


def test_a_worker_without_memory_is_said_so() -> None:
    with process_crew(1) as crew, pytest.raises(CrewLost, match="not enough memory"):
        list(spread(iter([(1, _hungry, ())]), crew, Control(), lambda: None))


def _hungry() -> None:
    raise MemoryError


def test_a_worker_of_another_version_does_nothing() -> None:
    with pytest.raises(workers.OtherVersion, match=r"0\.0\.1"):
        workers.checked("0.0.1", int, "3")
    assert workers.checked(workers.__version__, int, "3") == 3


def test_tasks_are_taken_when_there_is_somebody_to_do_them() -> None:
    taken: list[int] = []

    def tasks() -> Iterator[Any]:
        for number in range(6):
            taken.append(number)
            yield number, abs, (-number,)

    with process_crew(2) as crew:
        work = spread(tasks(), crew, Control(), lambda: None)
        key, value = next(work)
        assert key == value and len(taken) == 2
        assert sorted([(key, value), *work]) == [(number, number) for number in range(6)]
