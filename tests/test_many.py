"""Several positions in one file, in a stream, in a folder: each is found, named and answered."""

from __future__ import annotations

import io
import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import DATA, EXAMPLES, Run

import litstool
from litstool import games
from litstool.cli import validate
from litstool.errors import LitstoolError
from litstool.files import many
from litstool.files.reading import Source

LINES = ["4/4/4/4", "X3/4/4/4 X", "mijnlieff 4/1S2/4/4 Dark last=straight@b2", "." * 100]
GAMES = [EXAMPLES / "endgame-3.yaml", EXAMPLES / "game-with-swap.yaml", EXAMPLES / "holes.txt"]


def read_stream(data: bytes) -> Iterator[many.Found]:
    return many.read_stream(io.BytesIO(data), Source("x", ""), games.forms())


def texts(text: str) -> list[str]:
    """The positions of a text, each without what is round it."""
    return [source.text.strip() for source in many.split(Source("x", text), games.forms())]


# Where one ends and the next begins


@pytest.mark.parametrize("between", ["\n", "\r\n", "\n\n", "\n; a comment\n", "\n---\n"])
def test_one_line_positions_stand_one_a_line(between: str) -> None:
    found = many.read_stream(
        io.BytesIO(between.join(LINES).encode()), Source("x", ""), games.forms()
    )
    assert [each.text for each in found if isinstance(each, Source)] == LINES


def test_moves_below_a_line_belong_to_it() -> None:
    game = "." * 100 + "\nL[00,01,02,10]\nswap\n"
    assert texts(game + "4/4/4/4\n" + game) == [game.strip(), "4/4/4/4", game.strip()]


def test_json_lines_and_one_json_document() -> None:
    assert texts('{"pattern": "boxes"}\n\n{"pattern": "stripes"}\n') == [
        '{"pattern": "boxes"}',
        '{"pattern": "stripes"}',
    ]
    whole = '{\n"pattern": "boxes"\n}'
    assert texts(whole) == [whole]
    assert texts(f"{whole}\n{whole}\n") == [whole, whole]


GRID = "....\n.X..\n\n....\n...."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pattern: boxes\n---\npattern: stripes", ["pattern: boxes", "pattern: stripes"]),
        ("---\n# one\npattern: boxes\n---\n", ["# one\npattern: boxes"]),
        ("%YAML 1.2\n---\npattern: boxes\n...\n", ["pattern: boxes\n..."]),
        ("--- {pattern: boxes}\n--- {pattern: boxes}", ["{pattern: boxes}"] * 2),
        ("# a comment\n---\npattern: boxes", ["pattern: boxes"]),
        ("pattern: |\n  ....\n  ---.\nmoves: []\n", ["pattern: |\n  ....\n  ---.\nmoves: []"]),
        (GRID, [GRID]),
        (f"{GRID}\n---\n{GRID}", [GRID, GRID]),
        (f"to-move: X\n{GRID}\nTo move: O\n{GRID}", [f"to-move: X\n{GRID}", f"To move: O\n{GRID}"]),
        (f"{GRID}\n---\npattern: boxes\n---\n4/4/4/4", [GRID, "pattern: boxes", "4/4/4/4"]),
    ],
)
def test_documents_and_grids(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_lines_of_a_later_position_are_those_of_the_file(run: Run) -> None:
    text = "pattern: boxes\n---\n\npattern: boxes\nmoove: []\n"
    told = run("validate", "-", stdin=text.encode())
    assert (told.status, told.out) == (2, "standard input, 1: legal, 0 pieces, X to move\n")
    assert "standard input, line 5: unknown key 'moove'" in told.err
    grid = f"{GRID}\n---\n....\n..\n"
    assert (
        "standard input, line 8: the grid is ragged" in run("moves", "-", stdin=grid.encode()).err
    )


# What the tool writes as many, it reads as many


def test_many_new_boards_are_judged_each(run: Run) -> None:
    boards = run("pattern", "new", "-n", 3, "--seed", 4).out
    outcome = run("validate", "-", stdin=boards.encode())
    assert outcome.status == 0
    assert outcome.out == "".join(
        f"standard input, {n}: legal, 0 pieces, X to move\n" for n in (1, 2, 3)
    )


@pytest.mark.parametrize("target", ["text", "line", "yaml", "json", "ltp"])
def test_what_convert_writes_of_several_is_read_as_several(run: Run, target: str) -> None:
    games = GAMES[:2] if target == "ltp" else [*GAMES, EXAMPLES / "mijnlieff" / "board-l.txt"]
    written = run("convert", *games, "--to", target)
    assert written.status == 0
    for position, again in zip(
        [litstool.load(str(path)).position() for path in games],
        litstool.parse_all(written.out),
        strict=True,
    ):
        read = again.position()
        assert (read.to_move, read.is_finished, read.outline) == (
            position.to_move,
            position.is_finished,
            position.outline,
        )
        assert set(read.moves()) == set(position.moves())


def test_a_file_of_game_lines(run: Run) -> None:
    lines = (DATA / "outside-games.tsv").read_text().splitlines()
    text = "\n".join(line.split("\t")[-1] for line in lines if not line.startswith("#"))
    outcome = run("validate", "-", "--jsonl", stdin=text.encode())
    entries = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.status == 0 and len(entries) == 96
    assert [entry["number"] for entry in entries] == list(range(1, 97))
    assert all(entry["source"] == "-" and entry["finished"] for entry in entries)


# How several are answered

MIXED = b"4/4/4/4\n4/4/4/4 O\n4/4/4/Q3\n4/\xff/4/4\n4/4/4/4\n"


def test_an_unreadable_one_has_an_error_and_the_others_go_on(run: Run) -> None:
    outcome = run("validate", "-", "--json", stdin=MIXED)
    assert (outcome.status, outcome.err) == (2, "")
    results = outcome.json["results"]
    assert [entry["number"] for entry in results] == [1, 2, 3, 4, 5]
    assert [entry.get("legal") for entry in results] == [True, False, None, None, True]
    assert results[2]["error"]["where"] == "standard input, line 3"
    assert "UTF-8" in results[3]["error"]["message"]
    told = run("validate", "-", stdin=MIXED)
    assert told.err.count("litstool: standard input, line ") == 2


@pytest.mark.parametrize("command", [("moves",), ("convert", "--to", "yaml")], ids=str)
def test_each_way_of_printing_says_the_same(run: Run, command: tuple[str, ...]) -> None:
    listed = run(*command, "-", "--json", stdin=MIXED)
    lines = run(*command, "-", "--jsonl", stdin=MIXED)
    text = run(*command, "-", stdin=MIXED)
    assert listed.status == lines.status == text.status == 2
    assert listed.json["results"] == [json.loads(line) for line in lines.out.splitlines()]
    alone = run(*command, "4/4/4/4", "--json").json
    assert listed.json["results"][0] == {"source": "-", "number": 1} | alone
    assert text.out.count("standard input, 1") == text.out.count("standard input, 5") == 1
    assert "standard input, 3" not in text.out


def test_one_position_is_answered_as_ever(run: Run) -> None:
    assert run("moves", "4/4/4/4", "--count").out == "104\n"
    assert set(run("moves", "4/4/4/4", "--json").json) == {"to_move", "count", "swap", "moves"}
    assert run("moves", "4/4/4/Q3", "--json").json["error"]["kind"] == "notation"
    (line,) = run("moves", "4/4/4/4", "--count", "--jsonl").out.splitlines()
    assert json.loads(line)["source"] == "4/4/4/4" and json.loads(line)["number"] == 1
    (line,) = run("moves", "4/4/4/Q3", "--jsonl").out.splitlines()
    assert json.loads(line)["error"]["kind"] == "notation"


def test_the_exit_status_is_the_highest_of_any(run: Run) -> None:
    illegal = EXAMPLES / "illegal" / "2x2.txt"
    assert run("moves", "boxes", illegal, "--count").status == 1
    assert run("moves", "missing", "boxes", illegal, "--count").status == 2


def test_ply_cuts_each(run: Run) -> None:
    outcome = run("moves", *GAMES[:2], "boxes", "--ply", 2, "--count", "--jsonl")
    counts = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.status == 2 and "out of range" in counts[2]["error"]["message"]
    assert counts[2]["error"]["where"] == "boxes"
    assert all(entry["count"] > 0 for entry in counts[:2])


def test_ctrl_c_keeps_what_is_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    judge = validate._judge
    asked = itertools.count(1)

    def stopped(*arguments: object) -> object:
        if next(asked) == 3:
            raise KeyboardInterrupt
        return judge(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(validate, "_judge", stopped)
    outcome = run("validate", *["4/4/4/4"] * 5, "--json")
    assert outcome.status == 130 and len(outcome.json["results"]) == 2
    assert "interrupted" in outcome.err


def test_where_one_is_wanted_several_are_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.yaml"
    path.write_text("pattern: boxes\n---\npattern: boxes\n", encoding="utf-8")
    for outcome in (
        run("reach", path, "--finished"),
        run("reach", "-", "--finished", stdin=b"4/4/4/4\n4/4/4/4\n"),
    ):
        assert outcome.status == 2 and outcome.out == ""
        assert "more than one position" in outcome.err and outcome.err.count("\n") == 1
    with pytest.raises(LitstoolError, match="more than one position"):
        litstool.parse("4/4/4/4\n4/4/4/4")
    assert len(litstool.parse_all("4/4/4/4\n4/4/4/4")) == 2
    assert len(litstool.load_all(path)) == 2


def test_solve_and_analyze_answer_each(run: Run) -> None:
    positions = [EXAMPLES / "endgame-3.yaml", EXAMPLES / "illegal" / "2x2.txt", "boxes", "nothing"]
    solved = run("solve", *positions, "--time-limit", 0.2, "--json")
    assert solved.status == 3
    first, illegal, unsolved, missing = solved.json["results"]
    assert first["solved"] and first["winner"] == "O" and not unsolved["solved"]
    assert illegal["error"]["violations"][0]["rule"] == "2x2"
    assert missing["error"]["kind"] == "source"
    lines = run("analyze", *positions, "--ply", 0, "--time-limit", 0.2, "--jsonl")
    entries = [json.loads(line) for line in lines.out.splitlines()]
    assert lines.status == 2 and [("choice" in entry) for entry in entries] == [
        True,
        False,
        True,
        False,
    ]


def test_files_of_one_position_are_not_kept_for_several(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "moves.jsonl"
    outcome = run("solve", *GAMES[:2], "--all", "--results", path)
    assert outcome.status == 2 and not path.exists()
    outcome = run("analyze", *GAMES[:2], "-o", tmp_path / "report.html")
    assert outcome.status == 2 and list(tmp_path.iterdir()) == []


# Folders


def test_a_folder_is_its_files(run: Run, tmp_path: Path) -> None:
    folder = EXAMPLES / "illegal"
    outcome = run("validate", folder)
    assert outcome.status == 1
    for path in folder.iterdir():
        assert f"{path}: not legal" in outcome.out
    assert run("validate", tmp_path).status == 2
    assert "no file of positions" in run("validate", tmp_path).err
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "b.txt").write_text("4/4/4/4\n4/4/4/4\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("", encoding="utf-8")
    entries = run("validate", tmp_path, "--json").json["results"]
    assert [(Path(each["source"]).name, each.get("number")) for each in entries] == [
        ("a.txt", None),
        ("b.txt", 1),
        ("b.txt", 2),
    ]
    assert entries[0]["error"]["message"] == "is empty"


def test_puzzles_are_checked_from_folders_and_streams(run: Run) -> None:
    one, other = sorted((EXAMPLES / "puzzles").glob("*.yaml"))[:2]
    both = one.read_bytes() + b"---\n" + other.read_bytes() + b"---\ngame: chess\nmoves: []\n"
    outcome = run("puzzle", "check", "-", "--jsonl", stdin=both)
    entries = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.status == 2
    assert [entry.get("sound") for entry in entries] == [True, True, None]
    assert [entry["number"] for entry in entries] == [1, 2, 3]


# Long streams


class Endless(io.RawIOBase):
    """A stream of positions that never ends, and counts what was read of it."""

    def __init__(self) -> None:
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self.given += 1
        line = b"4/4/4/4\n"
        buffer[: len(line)] = line
        return len(line)


def test_a_stream_is_read_as_it_is_wanted() -> None:
    stream = Endless()
    found = many.read_stream(io.BufferedReader(stream), Source("x", ""), games.forms())
    assert [each.text for each in itertools.islice(found, 5) if isinstance(each, Source)] == [
        "4/4/4/4"
    ] * 5
    assert stream.given < 20


@pytest.mark.parametrize("line", ["4/4/4/4", "---\npattern: boxes", '{"pattern": "boxes"}'])
def test_twice_as_many_take_twice_as_long(line: str) -> None:
    def seconds(count: int) -> float:
        data = "\n".join([line] * count).encode()
        best = float("inf")
        for _ in range(3):
            started = time.process_time()
            assert sum(1 for _ in read_stream(data)) == count
            best = min(best, time.process_time() - started)
        return best

    assert seconds(16_000) < 10 * seconds(4_000)


def test_a_position_that_is_too_large_is_refused_alone() -> None:
    text = "pattern: boxes\n---\n" + ("note: x\n" * 40_000) + "---\npattern: boxes\n"
    found: Iterator[many.Found] = many.read_stream(
        io.BytesIO(text.encode()), Source("x", ""), games.forms()
    )
    kinds = [each if isinstance(each, LitstoolError) else each.text.strip() for each in found]
    assert kinds[0] == kinds[2] == "pattern: boxes" and "larger than" in str(kinds[1])
