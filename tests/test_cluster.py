"""Every root move's value by other processes: the same answer, lost workers, going on again."""

from __future__ import annotations

import json
import os
import random
import signal
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLES, Run
from endgames import check_line, random_endgame

from litstool import workers
from litstool.errors import FormatError, SourceError
from litstool.lits.cluster import solve_all, solve_all_distributed
from litstool.lits.position import Position
from litstool.lits.solver import solve
from litstool.results import OUTCOME, SCORE, Control, Progress, SearchResult
from litstool.workers import Crew


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


def test_interruption_tells_what_is_known(tmp_path: Path) -> None:
    position = random_endgame(random.Random(64), 7)
    control = Control()

    def watch(progress: Progress) -> None:
        if progress.done >= 3:
            control.stop()

    control.on_progress = watch
    path = tmp_path / "moves.jsonl"
    with ThreadPoolExecutor(1) as executor:
        result = solve_all(position, Crew.of(executor), path, control=control, hash_mib=1)
    assert result.moves is not None
    if not result.solved:
        assert len(result.moves) >= 3
        assert result.bounds is not None
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


def test_no_cluster_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    position = random_endgame(random.Random(66), 11)
    with pytest.raises(SourceError, match="no Dask scheduler"):
        solve_all_distributed(position, "tcp://127.0.0.1:9")


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
