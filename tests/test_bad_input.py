"""Input that cannot be read: one clear line that says what, where and what would be right.

Never a traceback, exit 2, in well under a second; with ``--json`` the error as JSON.  What can be
read but breaks the rules is not an error of the input: exit 1 with the violations.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import ROOT, Outcome, Run

BLANK = "......\n" * 6

# What a file holds, and what the message must say.
BAD_FILES: dict[str, tuple[bytes | str, tuple[str, ...]]] = {
    # No text at all
    "empty file": ("", ("is empty",)),
    "only blank lines": ("\n  \r\n\t\n", ("is empty",)),
    "only a byte order mark": (b"\xef\xbb\xbf", ("is empty",)),
    "only comments": ("; nothing\n;\n", ("no grid",)),
    "binary": (b"\x7fELF\x02\x01\x00\x00" * 9, ("binary file",)),
    "not UTF-8": (b"......\n..\xe9...\n", ("line 2", "UTF-8", "0xe9")),
    "UTF-16": ("......\n".encode("utf-16"), ("UTF-16", "UTF-8")),
    "too large": ("." * 300_000, ("larger than",)),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), ("binary file",)),
    "a page": ("<!doctype html>\n<html lang='en'>\n" + "<p>x</p>\n" * 40_000, ("is a page",)),
    "a drawing": ("\n<svg xmlns='x'><path/></svg>\n", ("a drawing",)),
    # Grids
    "ragged": ("......\n.....\n......\n......\n", ("line 2", "ragged", "row 2", "5 cells", "6")),
    "ragged below comments": (
        "; one\n\nto-move: X\n....\n....\n..\n....",
        ("line 6", "row 3", "2 cells"),
    ),
    "unknown letter": ("......\n..Q...\n", ("line 2", "'Q'", "row 2", "X O . # L I T S")),
    "capital sharp s": ("....\n..ß.\n....\n....", ("line 2", "'ß'")),
    "long s": ("....\n..ſ.\n....\n....", ("line 2", "'ſ'")),
    "Cyrillic O": ("ОООО\n....\n....\n....", ("line 1", "'О'")),
    "full-width X": ("....\n..Ｘ.\n....\n....", ("line 2", "'Ｘ'")),
    "digits as blanks in a grid": ("X4O...\n......\n", ("line 1", "'4'")),
    "raised digits": ("²²²²²²\n" + BLANK, ("line 1", "'²'")),
    "17 x 17": (("." * 17 + "\n") * 17, ("17 x 17", "4 x 4 to 16 x 16")),
    "3 x 3": ("...\n" * 3, ("3 x 3", "4 x 4 to 16 x 16")),
    "400 x 400": (("." * 400 + "\n") * 400, ("400 x 400", "16 x 16")),
    "one long row": ("." * 40, ("100 characters", "40")),
    "a flag of a terminal": ("\x1b[31m......\n", ("unknown letter", "\\x1b")),
    "prose": ("Dear reader, this is no position.\nIt is a letter.\n", ("line 1", "unknown letter")),
    "spaces for blanks": (
        "XX O X O O\nX X XOO  O\nO  XXX O O\nXO  XO  XO\n",
        ("line 1", "may be blank cells", "write . for each"),
    ),
    "spaces for blanks, ragged": (" X  O\nXXX\nX O X\n O\n", ("may be blank cells",)),
    "spaces here and there": ("XOXO\nX O X O\nXOXO\nXOXO\n", ("may be blank cells",)),
    "question mark": ("....\n.?..\n....\n....", ("line 2", "'?'")),
    # Keys above a grid
    "unknown key": ("to-moove: X\n" + BLANK, ("line 1", "'to-moove'", "'to-move'")),
    "repeated key": ("name: a\nname: b\n" + BLANK, ("line 2", "'name'", "twice", "line 1")),
    "key below the grid": (BLANK + "to-move: X\n", ("line 7", "above the grid")),
    "no such side": ("to-move: Z\n" + BLANK, ("line 1", "'Z'", "X, O")),
    "no such game": ("game: battle-of-lit\n" + BLANK, ("line 1", "'battle-of-lits'")),
    "negative supply": ("supply: L-1\n" + BLANK, ("line 1", "-1 L", "0 to 20")),
    "too large supply": ("supply: L5 I21\n" + BLANK, ("line 1", "21 I", "0 to 20")),
    "supply of an unknown shape": ("supply: O5\n" + BLANK, ("line 1", "'O5'", "L5 I5 T4 S5")),
    "supply named twice": ("supply: L5 l4\n" + BLANK, ("line 1", "L twice")),
    "empty supply": ("supply:\n" + BLANK, ("line 1", "L5 I5 T4 S5")),
    "supply not whole": ("supply: L2.5\n" + BLANK, ("line 1", "'L2.5'")),
    # YAML
    "unknown YAML key": (
        "pattern: boxes\nmovse: []\n",
        ("line 2", "'movse'", "'moves'"),
    ),
    "repeated YAML key": ("pattern: boxes\nmoves: []\npattern: boxes\n", ("line 3", "twice", "1")),
    "neither pattern nor board": ("moves: []\n", ("pattern", "board")),
    "pattern and board": ("pattern: boxes\nboard: 4/4/4/4\n", ("line 2", "not both")),
    "moves and pieces": ("pattern: boxes\nmoves: []\npieces: []\n", ("line 3", "not both")),
    "unquoted moves": (
        "pattern: boxes\nmoves: [T:f3,e4,f4,g4, swap]\n",
        ("line 2", "'T:f3'", "quote"),
    ),
    "moves as mappings": (
        "pattern: boxes\nmoves:\n- L: a1 b1 c1 a2\n",
        ("line 3", "quoted text", '"L:a1,b1,c1,a2"'),
    ),
    "moves as one text": ("pattern: boxes\nmoves: L:a1,b1,c1,a2\n", ("line 2", "list")),
    "moves as a mapping": ("pattern: boxes\nmoves: {first: x}\n", ("line 2", "list", "mapping")),
    "a move of three cells": ("pattern: boxes\nmoves: ['L:a1,b1,c1']\n", ("line 2", "3 different")),
    "a move with a cell twice": (
        "pattern: boxes\nmoves:\n- 'I:a1,b1,c1,d1'\n- 'L:a1,a1,b1,c1'\n",
        ("line 4", "3 different cells"),
    ),
    "a move of an unknown shape": ("pattern: boxes\nmoves: ['O:a1,b1,a2,b2']", ("'O'", "no shape")),
    "a move of two shapes": ("pattern: boxes\nmoves: ['LI:a1,b1,c1,a2']", ("'LI'", "no shape")),
    "a cell in Arabic digits": ("pattern: boxes\nmoves: ['a١ b1 c1 d1']", ("'a١'", "no cell")),
    "too many moves": ("pattern: boxes\nmoves:\n" + "- swap\n" * 20_000, ("20000", "81")),
    "a swap among pieces": ("pattern: boxes\npieces: [swap]\n", ("line 2", "no piece")),
    "a list at the top": ("- pattern:\n- boxes\n", ("line 1",)),
    "pattern as a list": ("pattern: [boxes]\n", ("line 1", "text", "list")),
    "supply as a list": ("pattern: boxes\nsupply: [5, 5, 5, 5]\n", ("line 2", "mapping", "list")),
    "supply in words": (
        "pattern: boxes\nsupply: {L: five}\n",
        ("line 2", "whole number", "'five'"),
    ),
    "negative YAML supply": ("pattern: boxes\nsupply: {L: -1}\n", ("line 2", "-1 L", "0 to 20")),
    "supply of O": ("pattern: boxes\nsupply:\n  O: 3\n", ("line 3", "'O'", "L, I, T, S")),
    "wrong side": ("pattern: boxes\nto-move: Y\n", ("line 2", "'Y'", "X, O")),
    "true as side": ("pattern: boxes\nto-move: true\n", ("line 2", "'true'")),
    "two sides": ("board: 4/4/4/4 X\nto-move: O\n", ("line 2", "board says X")),
    "players as text": ("pattern: boxes\nplayers: Ada\n", ("line 2", "mapping", "'Ada'")),
    "a third player": ("pattern: boxes\nplayers: {third: x}\n", ("line 2", "'third'", "first")),
    "name as a list": ("pattern: boxes\nname: [a, b]\n", ("line 2", "text", "list")),
    "unknown pattern": ("pattern: boxen\n", ("line 1", "'boxen'", "boxes", "grid")),
    "pattern of a missing file": ("pattern: ./no/such.txt\n", ("line 1", "'./no/such.txt'")),
    "pattern of a very long name": (f"pattern: {'a' * 9000}\n", ("line 1", "standard board")),
    "empty pattern": ("pattern:\n", ("line 1", "no pattern")),
    "empty board": ("board: ''\n", ("line 1", "empty")),
    "pieces in a pattern": ("pattern: IIII/4/4/4\nmoves: []\n", ("line 1", "no pattern")),
    "pieces in a pattern grid": ("pattern: |\n" + "  IIII\n" * 4, ("line 1", "has no pieces")),
    "ragged grid in YAML": (
        "name: x\npattern: |\n  ....\n  ....\n  ...\n  ....\n",
        ("line 5", "row 3", "3 cells"),
    ),
    "unknown letter in YAML": ("board: |\n  ....\n  ..Z.\n", ("line 3", "'Z'")),
    "folded grid": ("pattern: >\n" + "  ....\n" * 4, ("line 1", "no pattern")),
    "a YAML tag": ("pattern: !!python/object/apply:os.system [id]\n", ("line 1", "tag")),
    "a YAML bomb": (
        "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
        "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\npattern: *c\n",
        ("line 1", "anchors"),
    ),
    "an alias to itself": ("pattern: &a [*a]\n", ("line 1", "anchors")),
    "a merge key": ("pattern: boxes\n<<: {name: x}\n", ("line 2", "'<<'")),
    "deep YAML": ("pattern: " + "[" * 5000 + "]" * 5000 + "\n", ("line 1", "nest")),
    "deep blocks": ("pattern:\n" + "".join(" " * n + "- \n" for n in range(1, 300)), ("line",)),
    "unclosed list": ("pattern: boxes\nmoves: ['I:a1,b1,c1,d1'\n", ("not valid YAML",)),
    "unclosed quote": ("pattern: boxes\nname: 'x\n", ("not valid YAML",)),
    "tabs for indentation": ("pattern: boxes\nplayers:\n\tfirst: x\n", ("line 3", "tab", "spaces")),
    "a control character": ("pattern: boxes\nname: a\x07b\n", ("not valid YAML",)),
    "a list as a key": ("pattern: boxes\n? [a, b]\n: c\n", ("line 2", "key")),
    # JSON
    "broken JSON": ('{"pattern": "boxes",\n "moves": [}', ("line 2", "not valid JSON")),
    "cut JSON": ('{"pattern": "boxes"', ("not valid JSON",)),
    "JSON with single quotes": ("{'pattern': 'boxes'}", ("line 1", "not valid JSON")),
    "JSON and more": ('{"pattern": "boxes"} and more', ("line 1", "not valid JSON")),
    "unknown JSON key": ('{"pattern": "boxes",\n "moove": []}', ("line 2", "'moove'", "'moves'")),
    "repeated JSON key": ('{"pattern": "boxes",\n "pattern": "x"}', ("line 2", "twice")),
    "JSON null": ('{"pattern": null}', ("line 1", "'null'")),
    "JSON number": ('{"pattern": 5}', ("line 1", "'5'")),
    "JSON supply with a fraction": (
        '{"pattern": "boxes", "supply": {"L": 2.5}}',
        ("whole number", "'2.5'"),
    ),
    "JSON move as a list": ('{"pattern": "boxes", "moves": [["a1"]]}', ("quoted text",)),
    "deep JSON": ('{"pattern": ' + "[" * 50_000 + "]" * 50_000 + "}", ("nested too deeply",)),
    "empty JSON": ("{}", ("pattern", "board")),
    # One line
    "one line, wrong word": ("4/4/4/4 X please", ("'please'", "supply=")),
    "one line, side twice": ("4/4/4/4 X O", ("'O'",)),
    "one line, bad supply": ("4/4/4/4 X supply=L99", ("99 L", "0 to 20")),
    "one line, too long a run": ("999999999999/4/4/4", ("too many",)),
    "one line, ragged": ("4/5/4/4", ("row 2", "5 cells")),
    "one line, empty row": ("4//4/4", ("row 2", "0 cells")),
    # Game lines of the public engines
    "short game line": ("XO..; L[00,01,02,10]", ("100 characters", "4")),
    "game line with a bad move": ("." * 100 + "; L[00,01,02]", ("'L[00,01,02]'", "3 different")),
    "game line with a word": ("." * 100 + "; resign", ("'resign'",)),
    "endless game line": ("." * 100 + "; swap" * 9_000, ("9000", "81")),
}


def assert_one_clear_line(outcome: Outcome, told: tuple[str, ...]) -> None:
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("litstool: ")
    assert outcome.err.count("\n") == 1 and outcome.err.endswith("\n")
    assert "Traceback" not in outcome.err
    assert len(outcome.err) < 900
    assert outcome.err.rstrip("\n").isprintable()
    for words in told:
        assert words in outcome.err, outcome.err


def written(folder: Path, content: bytes | str) -> Path:
    path = folder / "bad input.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_file_that_cannot_be_read(run: Run, tmp_path: Path, kind: str) -> None:
    content, told = BAD_FILES[kind]
    path = written(tmp_path, content)
    started = time.process_time()
    outcome = run("validate", path)
    assert time.process_time() - started < 1
    assert_one_clear_line(outcome, (path.name, *told))


@pytest.mark.parametrize("kind", BAD_FILES)
def test_with_json_the_error_is_json_and_nothing_else(run: Run, tmp_path: Path, kind: str) -> None:
    content, told = BAD_FILES[kind]
    outcome = run("show", written(tmp_path, content), "--json")
    assert (outcome.status, outcome.err) == (2, "")
    error = outcome.json["error"]
    assert set(outcome.json) == {"error"} and set(error) == {"kind", "message", "where"}
    assert error["kind"] in {"notation", "format", "source"}
    text = f"{error['where']}: {error['message']}"
    for words in told:
        assert words in text or words in json.dumps(text)


@pytest.mark.parametrize("command", ["show", "moves", "validate", "solve"])
def test_every_command_tells_it_the_same_way(run: Run, tmp_path: Path, command: str) -> None:
    path = written(tmp_path, "....\n..\n")
    assert_one_clear_line(run(command, path), (path.name, "line 2", "ragged"))
    assert_one_clear_line(run("convert", path, "--to", "line"), (path.name, "line 2", "ragged"))


# Arguments

BAD_ARGUMENTS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "missing file": (["show", "no-such-file.yaml"], ("'no-such-file.yaml'", "neither a file")),
    "missing path": (["show", "games/spring.yaml"], ("games/spring.yaml", "file")),
    "missing path without ending": (["show", "games/mygame"], ("neither a file",)),
    "absolute path": (["show", "/no/such/place"], ("neither a file",)),
    "nearly a board": (["show", "boxs"], ("did you mean 'boxes'",)),
    "empty argument": (["show", ""], ("empty",)),
    "blank argument": (["show", "   "], ("empty",)),
    "line end in argument": (["show", "a\nb"], ("neither a file",)),
    "control characters": (["show", "\x1b[2Jx"], ("neither a file",)),
    "very long argument": (["show", "L" * 100_000], ("neither a file",)),
    "very long line": (["show", "1/" * 50_000], ("4 x 4 to 16 x 16",)),
    "very many digits": (["show", "9" * 50_000 + "/4/4/4"], ("too many",)),
    "not UTF-8": (["show", "\udcff"], ("neither a file",)),
    "a line that is not UTF-8": (
        ["validate", "T3/---\udc8a/T1L1\npattern: ..."],
        ("is not UTF-8 text (byte 0x8a)",),
    ),
    "wrong letter": (["show", "4OQ4/10"], ("'Q'", "row 1")),
    "folder": (["show", "."], ("is a folder",)),
    "no argument": (["show"], ("POSITION",)),
    "two arguments": (["reach", "boxes", "stripes"], ("stripes",)),
    "unknown command": (["shwo", "boxes"], ("'shwo'", "'show'")),
    "empty command": ([""], ("no command ''",)),
    "unknown option": (["show", "boxes", "--plyy", "3"], ("--plyy", "--ply")),
    "unknown short option": (["show", "boxes", "-q"], ("-q",)),
    "ply without number": (["show", "boxes", "--ply"], ("--ply",)),
    "ply in words": (["show", "boxes", "--ply", "two"], ("--ply", "'two'")),
    "negative ply": (["show", "boxes", "--ply", "-1"], ("--ply -1", "0 moves")),
    "ply too large": (["show", "examples/game-with-swap.yaml", "--ply", "16"], ("16", "15 moves")),
    "huge ply": (["show", "boxes", "--ply", "9" * 400], ("--ply",)),
    "cell off the board": (["moves", "boxes", "--covers", "z99"], ("z99", "not on the board")),
    "a cell that is none": (["moves", "boxes", "--covers", "e"], ("'e'", "such as e5")),
    "a cell in other digits": (["moves", "boxes", "--covers", "a١"], ("no cell",)),
    "no cell at all": (["moves", "boxes", "--covers", ""], ("--covers", "''", "such as e5")),
    "one of two cells": (["moves", "boxes", "--covers", "a1,zz"], ("'zz'", "such as e5")),
    "no cell to be covered": (["reach", "boxes", "--covered", ","], ("--covered", "','")),
    "a hole": (["moves", "4/1#2/4/4", "--covers", "b2"], ("not on the board",)),
    "no such shape": (["moves", "boxes", "--shape", "O"], ("'O'", "L, I, T or S")),
    "two shapes": (["moves", "boxes", "--shape", "LI"], ("'LI'", "L, I, T or S")),
    "empty shape": (["moves", "boxes", "--shape", ""], ("L, I, T or S",)),
    "no such order": (["moves", "boxes", "--sort", "size"], ("'size'", "gain")),
    "no target": (["convert", "boxes"], ("--to", "yaml")),
    "wrong target": (["convert", "boxes", "--to", "xml"], ("'xml'", "yaml")),
    "validate nothing": (["validate"], ("POSITION",)),
    "wrong objective": (["solve", "boxes", "--objective", "luck"], ("'luck'", "outcome")),
    "no time": (["solve", "boxes", "--time-limit", "0"], ("--time-limit",)),
    "time that is no number": (["solve", "boxes", "--time-limit", "nan"], ("--time-limit",)),
    "no threads": (["solve", "boxes", "--threads", "0"], ("--threads",)),
    "negative hash": (["solve", "boxes", "--hash", "-5"], ("--hash",)),
}


@pytest.mark.parametrize("kind", BAD_ARGUMENTS)
def test_arguments_that_make_no_sense(run: Run, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.chdir(ROOT)
    arguments, told = BAD_ARGUMENTS[kind]
    started = time.process_time()
    outcome = run(*arguments)
    assert time.process_time() - started < 1
    assert_one_clear_line(outcome, told)
    as_json = run(*arguments, "--json")
    assert (as_json.status, as_json.err) == (2, "")
    assert set(as_json.json) == {"error"}
    assert as_json.json["error"]["message"]


# Places that are no ordinary file


def litstool_process(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "litstool", *arguments],
        env=environment,
        text=True,
        timeout=30,
        stderr=subprocess.PIPE,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **options},
    )


posix = pytest.mark.skipif(os.name != "posix", reason="needs the devices of POSIX systems")


@posix
@pytest.mark.parametrize(
    ("path", "told"), [("/dev/zero", "larger than"), ("/dev/null", "is empty")]
)
def test_devices(run: Run, path: str, told: str) -> None:
    assert_one_clear_line(run("validate", path), (path, told))


@posix
def test_a_named_pipe_is_read_like_a_file(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "a pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["sh", "-c", 'echo 4/4/4/4 > "$0"', str(pipe)]) as writer:
        assert run("validate", pipe).status == 0
        assert writer.wait() == 0


@posix
@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, "4/4/4/4")
    path.chmod(0)
    assert_one_clear_line(run("show", path), (path.name, "cannot be read"))


# What takes long and then writes, so that a place where nothing can be written is told at once.
WRITING = {
    "analyze": ("analyze", "examples/game-with-swap.yaml", "--time-limit", "600", "-o", "{}.html"),
    "pattern check": ("pattern", "check", "boxes", "-o", "{}.png"),
    "pattern new": ("pattern", "new", "--fair", "--time-limit", "600", "-o", "{}.yaml"),
    "pattern new, a folder": ("pattern", "new", "--fair", "--time-limit", "600", "-o", "{}/"),
    "puzzle new": ("puzzle", "new", "--plies", "9", "-o", "{}.yaml"),
    "puzzle show": ("puzzle", "show", "examples/puzzles/puzzle-50.yaml", "-o", "{}.pdf"),
    "solve": ("solve", "boxes", "--all", "--time-limit", "600", "--results", "{}.jsonl"),
    "reach, a formula": ("reach", "boxes", "--finished", "--pieces", "7", "--dimacs", "{}.cnf"),
    "reach, a proof": ("reach", "boxes", "--finished", "--pieces", "7", "--proof", "{}.drup"),
    "book make": ("book", "make", "stripes", "-o", "{}.yaml"),
    "play": ("play", "boxes", "--save", "{}.yaml"),
    "show": ("show", "boxes", "-o", "{}.svg"),
}


@pytest.mark.parametrize("command", WRITING)
def test_a_place_that_cannot_be_written_is_told_before_the_work(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(ROOT)
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    place = str(tmp_path / "file" / "x")
    outcome = run(*(word.format(place) for word in WRITING[command]))
    assert outcome.status == 2 and outcome.out == ""
    assert outcome.err.startswith(f"litstool: {tmp_path / 'file'}")
    assert outcome.err.endswith(
        ("cannot be written: Not a directory\n", "is a file, not a folder\n")
    )


@pytest.mark.parametrize("command", [each for each in WRITING if "new" not in each])
def test_a_folder_in_the_place_of_a_file_is_told(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(ROOT)
    words = [word.format(tmp_path / "x") for word in WRITING[command]]
    Path(words[-1]).mkdir()
    outcome = run(*words)
    assert outcome.status == 2 and outcome.out == ""
    assert words[-1] in outcome.err


def test_standard_input_twice(run: Run) -> None:
    outcome = run("validate", "-", "-", stdin=b"4/4/4/4")
    assert outcome.status == 2
    assert "standard input: is empty" in outcome.err and outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"", "is empty"), (b"\xff", "UTF-8"), (b"\0\0", "binary"), (b"X" * 300_000, "larger")],
)
def test_bad_standard_input(run: Run, content: bytes, told: str) -> None:
    assert_one_clear_line(run("show", "-", stdin=content), ("standard input", told))


@posix
def test_closed_standard_input() -> None:
    done = litstool_process("show", "-", stdin=None, preexec_fn=lambda: os.close(0))
    assert done.returncode == 2
    assert done.stderr == "litstool: standard input: is closed\n"


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk() -> None:
    with open("/dev/full", "w") as full:
        done = litstool_process("show", "boxes", stdout=full)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "cannot be written" in done.stderr


# Readable, but not legal: exit 1

ILLEGAL = {
    "a square": ("pattern: 6/6/6/6\nmoves: ['a1,b1,a2,b2']", {"shape", "2x2"}),
    "off the board": ("pattern: 6/6/6/6\nmoves: ['I:e1,f1,g1,h1']", {"off-board"}),
    "far off the board": ("pattern: 6/6/6/6\nmoves: ['I:w99,x99,y99,z99']", {"off-board"}),
    "on a hole": ("pattern: '#5/6/6/6'\nmoves: ['I:a1,b1,c1,d1']", {"off-board"}),
    "overlap": ("pattern: 6/6/6/6\npieces: ['I:a1,b1,c1,d1', 'L:d1,d2,d3,e3']", {"overlap"}),
    "a piece twice": ("pattern: 6/6/6/6\npieces: ['I:a1,b1,c1,d1', 'I:a1,b1,c1,d1']", {"overlap"}),
    "five letters": ("IIIII/5/5/5", {"shape"}),
    "a lone letter": ("L3/4/4/4", {"shape"}),
    "the wrong letter": ("TTTT/4/4/4", {"shape"}),
    "all letters": ("/".join(["LLLLLLLLLLLLLLLL"] * 16), {"shape", "2x2"}),
    "only holes and a move": (
        "pattern: '####/####/####/####'\nmoves: ['I:a1,b1,c1,d1']",
        {"off-board", "after-end"},
    ),
    "no supply": ("IIII/4/4/4 O supply=L0,I0,T0,S0", {"supply"}),
}


@pytest.mark.parametrize("kind", ILLEGAL)
def test_readable_but_illegal_is_exit_1_with_the_violations(
    run: Run, tmp_path: Path, kind: str
) -> None:
    content, rules = ILLEGAL[kind]
    path = written(tmp_path, content)
    judged = run("validate", path)
    assert judged.status == 1 and "not legal" in judged.out and judged.err == ""
    for rule in rules:
        assert f"  {rule}: " in judged.out
    (entry,) = run("validate", path, "--json").json["results"]
    assert {fault["rule"] for fault in entry["violations"]} >= rules
    assert entry["legal"] is False
    shown = run("show", path)
    assert shown.status == 1 and "Not legal:" in shown.out and shown.err == ""
    for command in ("moves", "solve"):
        refused = run(command, path, "--json")
        assert refused.status == 1 and refused.err == ""
        assert refused.json["error"]["kind"] == "illegal"
        assert {fault["rule"] for fault in refused.json["error"]["violations"]} >= rules
        told = run(command, path)
        assert told.status == 1 and told.out == "" and "not legal" in told.err
    line = run("convert", path, "--to", "ltp")
    assert line.status == 1 and line.out == "" and line.err.startswith("litstool: ")


def test_many_letters_are_judged_in_time(run: Run) -> None:
    """The largest board with a letter on every other cell, and the most moves at one place."""
    rows = ["LI" * 8, "TS" * 8] * 8
    started = time.process_time()
    assert run("validate", "/".join(rows)).status == 1
    moves = ", ".join(["'I:a1,b1,c1,d1'"] * 81)
    game = f"pattern: {'/'.join(['16'] * 16)}\nmoves: [{moves}]"
    assert run("validate", "-", stdin=game.encode()).status == 1
    assert time.process_time() - started < 4


# Fine, though it may look odd


@pytest.mark.parametrize(
    "content",
    [
        b"....\r\n....\r\n....\r\n....\r\n",
        b"....\r....\r....\r....\r",
        b"\xef\xbb\xbfpattern: boxes\r\nmoves: []\r\n",
        b'\xef\xbb\xbf{"pattern":\t"boxes"}',
        b".\t.\t.\t.\n" * 4,
        b'{\r\n\t"pattern":"boxes","name":"\\ud83d\\ude00 \\/ \\u0000"}',
        b"---\npattern: boxes\nmoves:\n",
        b"pattern: boxes\npieces: []\n...\n",
        "name: ООО 象棋 😀\n....\n....\n....\n....\n".encode(),
        b"####\n####\n####\n####\n",
        b"..#..\n..#..\n..#..\n..#..\n",
        b"supply: L0 I0 T0 S0\n....\n....\n....\n....\n",
        b"pattern: boxes\nsupply: {L: 20, I: 20, T: 20, S: 20}\n",
        b"pattern: boxes\nsupply: L5 I5\n",
        ("/".join(["16"] * 16)).encode(),
    ],
    ids=lambda content: repr(content[:24]),
)
def test_odd_but_right_input(run: Run, tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    for command in ("validate", "show", "moves"):
        outcome = run(command, path)
        assert (outcome.status, outcome.err) == (0, "")
        piped = run(command, "-", stdin=content)
        assert piped.out.replace("standard input", str(path)) == outcome.out


def test_names_with_spaces_and_other_letters(run: Run, tmp_path: Path) -> None:
    for name in ("my game.txt", "партия.txt", "-", "a'b\".txt", "4", "boxes"):
        path = tmp_path / name
        path.write_text("4/4/4/4 X", encoding="utf-8")
        outcome = run("validate", path)
        assert outcome.status == 0 and outcome.out.startswith(str(path))
        assert run("moves", path, "--count").out == "104\n"


@posix
def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.txt"
    with open(path, "w") as file:
        file.write("4/4/4/4")
    done = litstool_process("validate", os.fsdecode(path))
    assert (done.returncode, done.stderr) == (0, "")
    done = litstool_process("validate", os.fsdecode(path), "--json")
    assert json.loads(done.stdout)["results"][0]["source"] == os.fsdecode(path)


def test_a_name_in_a_file_cannot_steer_the_terminal(run: Run, tmp_path: Path) -> None:
    path = written(tmp_path, 'pattern: boxes\nname: "\\e[31mred\\nline"\n')
    shown = run("show", path).out
    assert "\x1b" not in shown and shown.splitlines()[0] == r"\x1b[31mred\nline"
