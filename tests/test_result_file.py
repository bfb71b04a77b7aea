"""The file of solve --all --results: nothing in it is believed before it is checked."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import EXAMPLES, Run
from endgames import random_endgame

from litstool.errors import FormatError, LitstoolError, WriteError
from litstool.lits import result_file
from litstool.lits.cluster import solve_all
from litstool.lits.position import Position
from litstool.lits.result_file import ResultFile
from litstool.search.results import OUTCOME, SCORE, SearchResult
from litstool.search.workers import Crew


@pytest.fixture(scope="module")
def position() -> Position:
    return random_endgame(random.Random(71), 9)


@pytest.fixture(scope="module")
def whole(position: Position, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of one position, by margin."""
    path = tmp_path_factory.mktemp("results") / "whole.jsonl"
    solved(position, path)
    return path


def solved(position: Position, path: Path, objective: str = SCORE) -> SearchResult:
    with ThreadPoolExecutor(1) as executor:
        return solve_all(position, Crew.of(executor), path, objective=objective, hash_mib=1)


def read(position: Position, path: Path, objective: str = SCORE) -> dict[str, Any]:
    with ResultFile.opened(position, objective, path) as found:
        return dict(found.known)


def resealed(header: str, line: str, changes: dict[str, object]) -> str:
    """A line with other values and a right checksum, as by somebody who means it."""
    return result_file._with_check({**json.loads(line), **changes}, header)


@pytest.mark.parametrize("objective", [SCORE, OUTCOME])
def test_lines_hold_winner_and_margin(position: Position, tmp_path: Path, objective: str) -> None:
    path = tmp_path / "results.jsonl"
    result = solved(position, path, objective)
    assert result.moves is not None
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0]["objective"] == objective and lines[0]["format"] == result_file.FORMAT
    assert sorted((each["move"], each["winner"]) for each in lines[1:]) == sorted(
        (each.move, each.winner) for each in result.moves
    )
    for each in lines[1:]:
        known = next(move for move in result.moves if move.move == each["move"])
        assert each["margin"] == known.margin and (objective == SCORE) == (known.margin is not None)
        assert each["line"][0] == each["move"]
    assert solved(position, path, objective).moves == result.moves


def test_values_that_a_line_cannot_have_are_refused(
    position: Position, whole: Path, tmp_path: Path
) -> None:
    header, *lines = whole.read_text().splitlines()
    line = lines[0]
    known = json.loads(line)
    other = "O" if known["winner"] == "X" else "X"
    wrong = [
        *({"margin": value} for value in (1000, 0.5, None, float("nan"), [3], "3", True)),
        *({"winner": value} for value in (other, None, "draw", [], 1)),
        *({"nodes": value} for value in (-1, 1.5, None, True, 10**30, "many", float("inf"))),
        *({"line": value} for value in ([], None, "abc", [1], known["line"][:-1], [[]])),
        {"line": known["line"][::-1]},
        {"line": [*known["line"], known["line"][0]]},
        {"move": "T:a1,b1,c1,b2"},
        {"move": ["L"]},
        {"move": None},
        {"more": 1},
    ]
    path = tmp_path / "wrong.jsonl"
    for changes in wrong:
        text = resealed(header, line, changes)
        path.write_text("\n".join([header, text, *lines[1:], ""]))
        with pytest.raises(FormatError, match="line 2"):
            read(position, path)
    for text in (line.replace("{", '{"nodes": 1, ', 1), "[" * 100_000, "null", "", "{}", "\x00"):
        path.write_text("\n".join([header, text, ""]))
        with pytest.raises(FormatError):
            read(position, path)
    # A whole line twice, and one from the results of another question.
    path.write_text("\n".join([header, line, line, ""]))
    with pytest.raises(FormatError, match="line 3"):
        read(position, path)
    path.write_text("\n".join([resealed("", header, {"objective": OUTCOME}), line, ""]))
    with pytest.raises(FormatError, match="another position or objective"):
        read(position, path)
    with pytest.raises(FormatError, match="line 2"):
        read(position, path, OUTCOME)


def test_files_of_other_versions_are_refused(
    position: Position, whole: Path, tmp_path: Path
) -> None:
    header = json.loads(whole.read_text().splitlines()[0])
    path = tmp_path / "old.jsonl"
    for changes in ({}, {"format": "litstool results 3"}):
        old = {key: value for key, value in header.items() if key not in ("format", "check")}
        path.write_text(json.dumps({**old, **changes}) + "\n")
        with pytest.raises(FormatError, match="another version of litstool"):
            read(position, path)


def test_damaged_files_are_refused_or_read_right(
    position: Position, whole: Path, tmp_path: Path
) -> None:
    data, known = whole.read_bytes(), read(position, whole)
    chance, path = random.Random(72), tmp_path / "damaged.jsonl"
    read_anyway = 0
    for _ in range(100):
        changed = bytearray(data)
        at = chance.randrange(len(changed))
        match chance.randrange(4):
            case 0:
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                del changed[at : at + chance.randrange(1, 40)]
            case 2:
                changed[at:at] = data[chance.randrange(len(data)) :][: chance.randrange(1, 40)]
            case 3:
                del changed[at:]
        path.write_bytes(changed)
        try:
            found = read(position, path)
        except LitstoolError:
            continue
        read_anyway += 1
        assert found.items() <= known.items()
    assert read_anyway > 5


def test_a_line_that_was_cut_short_is_left_out_and_said(
    tmp_path: Path, whole: Path, position: Position
) -> None:
    path, known = tmp_path / "cut.jsonl", read(position, whole)
    path.write_bytes(whole.read_bytes()[:-5])
    notes: list[str] = []
    with ResultFile.opened(position, SCORE, path, notes.append) as found:
        assert len(found.known) == len(known) - 1
    assert len(notes) == 1 and "cut short" in notes[0]
    assert whole.read_bytes().startswith(path.read_bytes())
    assert solved(position, path).solved and read(position, path).keys() == known.keys()


def test_two_runs_do_not_write_one_file(position: Position, whole: Path) -> None:
    with (
        ResultFile.opened(position, SCORE, whole),
        pytest.raises(WriteError, match="held by another program; wait"),
        ResultFile.opened(position, SCORE, whole),
    ):
        pass


def test_what_is_no_file_is_refused(run: Run, tmp_path: Path) -> None:
    endgame = str(EXAMPLES / "endgame-3.yaml")
    names = [str(tmp_path)]
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        names += ["/dev/zero", "/dev/full", str(tmp_path / "pipe")]
    for name in names:
        result = run("solve", endgame, "--all", "--results", name)
        assert result.status == 2 and len(result.err.splitlines()) == 1, result.err
        assert "no result file" not in result.err


def test_a_huge_file_is_refused_unread(
    position: Position, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr(result_file, "_MOST_BYTES", 1 << 20)
    with pytest.raises(FormatError, match="too large"):
        read(position, path)


def test_on_a_full_disk_the_search_goes_on(
    position: Position, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "full.jsonl"
    known = read(position, whole)
    records = iter(known.values())
    notes: list[str] = []
    sync = os.fsync

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with ResultFile.opened(position, SCORE, path, notes.append) as found:
        found.add(next(records))
        before = path.read_bytes()
        monkeypatch.setattr(os, "fsync", full)
        found.add(next(records))
        found.add(next(records))
        # Nothing half written is left, and what could not be written waits for room.
        assert path.read_bytes() == before and len(notes) == 1 and "No space left" in notes[0]
        monkeypatch.setattr(os, "fsync", sync)
        found.add(next(records))
    assert list(read(position, path).items()) == list(known.items())[:4]
    with ResultFile.opened(position, SCORE, path, notes.append) as found:
        monkeypatch.setattr(os, "fsync", full)
        found.add(next(records))
    assert "1 results could not be written" in notes[-1]
    monkeypatch.setattr(os, "fsync", sync)
    assert len(read(position, path)) == 4


def test_the_header_on_a_full_disk(run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    def full(path: Path, data: bytes) -> None:
        raise WriteError("cannot be written: No space left on device", str(path))

    monkeypatch.setattr(result_file, "write_file", full)
    result = run(
        "solve", EXAMPLES / "endgame-3.yaml", "--all", "--results", tmp_path / "x.jsonl", "--json"
    )
    assert result.status == 2 and result.json["error"]["kind"] == "output"
    assert "No space left" in result.json["error"]["message"]


def test_results_of_another_supply_are_of_another_position(
    position: Position, whole: Path, tmp_path: Path
) -> None:
    path = tmp_path / "copy.jsonl"
    shutil.copy(whole, path)
    supply = tuple(each + 1 for each in position.supply)
    with pytest.raises(FormatError, match="another position"):
        read(replace(position, supply=supply), path)
