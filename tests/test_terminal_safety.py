"""Nothing that a user or a file says can steer the terminal, through whichever command."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from conftest import EXAMPLES, Run

from litstool.errors import NotationError, printable
from litstool.files.reading import Source, read_tree, write_json, write_yaml

HOSTILE = "\x1b[2J\x9b31m\u202e\u2066\x07\udc8a\x7f\u2028"


def steering(text: str) -> list[str]:
    """The letters of an output that could move the cursor or turn the writing."""
    return [
        letter
        for letter in text
        if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A puzzle whose name, players, note and file name are hostile."""
    text = (EXAMPLES / "puzzles" / "puzzle-01.yaml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(("name:", "note:"))]
    escaped = json.dumps(HOSTILE.replace("\udc8a", "") + "\nx")
    lines += [f"{key}: {escaped}" for key in ("name", "note", "source")]
    lines += ["players:", f"  first: {escaped}", f"  second: {escaped}"]
    folder = tmp_path / HOSTILE
    folder.mkdir()
    path = folder / f"{HOSTILE}\n.yaml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


COMMANDS = {
    "show": ("show", "{game}"),
    "show -o": ("show", "{game}", "-o", "{folder}/x.svg"),
    "validate": ("validate", "{game}"),
    "validate several": ("validate", "{game}", "{game}"),
    "validate a folder": ("validate", "{folder}"),
    "moves": ("moves", "{game}", "{game}"),
    "solve": ("solve", "{game}", "{game}", "--ply", "0", "--time-limit", "0.01"),
    "analyze": ("analyze", "{game}", "--time-limit", "0.05"),
    "convert": ("convert", "{game}", "--to", "line"),
    "convert, yaml": ("convert", "{game}", "--to", "yaml"),
    "convert, json": ("convert", "{game}", "--to", "json"),
    "convert, ltp": ("convert", "{game}", "--to", "ltp"),
    "convert several": ("convert", "{game}", "{game}", "--to", "line"),
    "puzzle show": ("puzzle", "show", "{game}"),
    "puzzle solution": ("puzzle", "show", "{game}", "--solution"),
    "puzzle sheet": ("puzzle", "show", "{game}", "-o", "{folder}/x.pdf"),
    "puzzle check": ("puzzle", "check", "{game}"),
    "pattern show": ("pattern", "show", "{game}"),
    "pattern check": ("pattern", "check", "{game}", "--no-play"),
    "pattern check of two": ("pattern", "check", "{game}", "{game}", "--no-play"),
    "reach": ("reach", "4/4/4/4", "--to", "{game}"),
    "reach -o": ("reach", "4/4/4/4", "--finished", "--dimacs", "{folder}/x"),
    "play": ("play", "{game}", "--level", "random", "--save", "{folder}/y.yaml"),
    "play, a missing file": ("play", "{folder}/none"),
    "book": ("book", "show", HOSTILE),
    "an argument": ("show", HOSTILE + "\n"),
    "a line": ("validate", f"T3/---{HOSTILE}/T1L1\npattern: ..."),
    "a document": ("show", f"pattern: 4/4/4/4;{HOSTILE}"),
    "a target": ("reach", "boxes", "--to", f"T3/---{HOSTILE}/T1L1\npattern: ..."),
    "a command": (HOSTILE,),
    "an option": ("show", f"--{HOSTILE}"),
    "an option's value": ("show", "boxes", "--heat", HOSTILE),
    "a number": ("show", "boxes", "--ply", HOSTILE),
    "a choice": ("solve", "boxes", "--objective", HOSTILE),
    "an ending": ("show", "boxes", "-o", HOSTILE),
    "a place": ("show", "boxes", "-o", f"{HOSTILE}/x.svg"),
    "a cell": ("moves", "boxes", "--covers", HOSTILE),
    "a piece": ("reach", "boxes", "--include", HOSTILE),
    "an example": ("examples", HOSTILE),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", ["text", "json"])
def test_no_command_passes_it_on(run: Run, game: Path, command: str, form: str) -> None:
    words = [word.format(game=game, folder=game.parent) for word in COMMANDS[command]]
    given = b"moves\nsave\nL:a1\n\x1b[31m\xe2\x80\xae\xff\nquit\n"
    outcome = run(*words, *(["--json"] if form == "json" else []), stdin=given)
    assert steering(outcome.out) == []
    assert steering(outcome.err) == []
    if outcome.status == 2 and form == "text" and "play" not in command:
        assert outcome.err.count("\n") == 1, "one error is one line"


def test_a_session_of_ltp_passes_nothing_on(run: Run) -> None:
    lines = [HOSTILE.replace("\udc8a", ""), f"play {HOSTILE[:5]}", f"newgame {HOSTILE[:5]}"]
    given = "\n".join(lines).encode() + b"\nplay \xff\x1b\nnewgame \xff\nbestmove \xff\nquit\n"
    outcome = run("ltp", stdin=given)
    assert steering(outcome.out) == [] and outcome.err == ""


def test_data_for_a_terminal_is_for_people(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text('name: "\\u202e\\x9b"\npattern: 4/4/4/4\n', encoding="utf-8")
    assert "name: \u202e\x9b\n" in run("convert", path, "--to", "text").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert "name: \\u202e\\x9b\n" in run("convert", path, "--to", "text").out


def test_a_message_is_one_line_that_any_terminal_may_be_given() -> None:
    error = NotationError(f"{HOSTILE}\n'x'", f"{HOSTILE}.txt")
    assert steering(str(error)) == [] and "\n" not in str(error)
    assert error.message.startswith("\\x1b[2J\\x9b31m\\u202e\\u2066\\x07\\udc8a\\x7f\\u2028\\n")
    assert error.where == f"{HOSTILE}.txt"
    assert printable("Żółw 象棋 a\u3000b\xa0c 😀") == "Żółw 象棋 a\u3000b\xa0c 😀"


def test_data_keeps_what_it_says() -> None:
    text = f"{HOSTILE}\nx"
    written = write_json({"name": text})
    assert steering(written) == [] and json.loads(written) == {"name": text}
    text = text.replace("\udc8a", "")
    written = write_yaml({"name": text, "list": [text]})
    assert steering(written) == []
    node = read_tree(Source("x", written), "yaml")
    assert isinstance(node.value, dict)
    assert node.value["name"].value == text and node.value["list"].items("x")[0].value == text
