"""The commands show, validate, moves and convert: text, JSON fields and exit statuses."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from conftest import EXAMPLES, ROOT, STANDARD_BOARDS, Run

import litstool
from litstool import __version__
from litstool.cli.main import COMMANDS, cli, module_of
from litstool.lits.placements import SHAPES

GAME = EXAMPLES / "game-with-swap.yaml"
ILLEGAL = sorted((EXAMPLES / "illegal").iterdir())
RULES = {
    *("shape", "off-board", "overlap", "same-shape", "2x2", "supply", "disconnected", "to-move"),
    *("order", "swap", "after-end"),
}


def process(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, with no trace of this one's NO_COLOR."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment.update(options.pop("environment", {}), PYTHONPATH=str(ROOT))
    return subprocess.run(
        [sys.executable, *options.pop("python", ()), *arguments],
        env=environment,
        cwd=ROOT,
        text=True,
        timeout=60,
        **{"capture_output": True, **options},
    )


# validate


def test_validate_says_legal(run: Run) -> None:
    outcome = run("validate", GAME)
    assert (outcome.status, outcome.err) == (0, "")
    last = litstool.load(str(GAME)).position()
    winner = "X" if last.score("X") > last.score("O") else "O"
    assert last.margin != 0
    told = f"{GAME}: legal, 14 pieces, finished, {winner} wins by {abs(last.margin)}\n"
    assert outcome.out == told
    assert run("validate", "boxes").out == "boxes: legal, 0 pieces, X to move\n"


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
def test_validate_names_rule_cells_and_move(run: Run, path: Path) -> None:
    outcome = run("validate", path)
    assert outcome.status == 1 and outcome.err == ""
    head, *told = outcome.out.splitlines()
    assert head.startswith(f"{path}: not legal, ")
    game = litstool.load(str(path))
    violations = game.violations()
    assert len(told) == len(violations)
    for line, violation in zip(told, violations, strict=True):
        assert line.startswith(f"  {violation.rule}: {violation.message}")
        assert all(cell.name in line for cell in violation.cells)


@pytest.mark.parametrize("path", [GAME, *ILLEGAL], ids=lambda path: path.stem)
def test_the_fields_of_validate(run: Run, path: Path) -> None:
    outcome = run("validate", path, "--json")
    document = outcome.json
    assert set(document) == {"results"}
    (entry,) = document["results"]
    assert set(entry) == {"source", "legal", "violations", "pieces", "to_move", "finished"}
    assert entry["source"] == str(path)
    assert entry["legal"] is (outcome.status == 0) is (not entry["violations"])
    game = litstool.load(str(path))
    assert entry["pieces"] == len(game.all_pieces)
    assert entry["to_move"] in ("X", "O") and isinstance(entry["finished"], bool)
    for fault in entry["violations"]:
        assert set(fault) - {"move"} == {"rule", "message", "cells"}
        assert fault["rule"] in RULES and fault["message"]
        assert all(re.fullmatch(r"[a-z][1-9][0-9]?", cell) for cell in fault["cells"])
        if game.ordered:
            assert 1 <= fault["move"] <= len(game.moves)
        else:
            assert "move" not in fault


def test_several_are_judged_each(run: Run, tmp_path: Path) -> None:
    ragged = tmp_path / "ragged.txt"
    ragged.write_text("....\n..\n", encoding="utf-8")
    illegal = EXAMPLES / "illegal" / "overlap.yaml"
    assert run("validate", GAME, "boxes").status == 0
    assert run("validate", GAME, illegal).status == 1
    both = run("validate", illegal, ragged, "missing", "boxes", "--json")
    assert (both.status, both.err) == (2, "")
    results = both.json["results"]
    assert [entry["source"] for entry in results] == [str(illegal), str(ragged), "missing", "boxes"]
    assert [entry.get("legal") for entry in results] == [False, None, None, True]
    assert set(results[1]) == {"source", "error"}
    assert set(results[1]["error"]) == {"kind", "message", "where"}
    assert results[1]["error"]["where"] == f"{ragged}, line 2"
    text = run("validate", ragged, illegal, "boxes")
    assert text.status == 2
    assert text.err.startswith(f"litstool: {ragged}, line 2: ") and text.err.count("\n") == 1
    assert "not legal" in text.out and "boxes: legal" in text.out


def test_an_order_of_arguments_does_not_hide_what_is_worse(run: Run) -> None:
    illegal = EXAMPLES / "illegal" / "2x2.txt"
    for arguments in (("missing", illegal), (illegal, "missing")):
        assert run("validate", *arguments).status == 2


# show


def test_the_fields_of_show(run: Run) -> None:
    document = run("show", GAME, "--ply", 6, "--json").json
    position = litstool.load(str(GAME)).at(6).position()
    assert document["to_move"] == position.to_move
    assert document["scores"] == {"X": position.score("X"), "O": position.score("O")}
    assert document["supply_left"] == dict(zip(SHAPES, position.supply_left, strict=True))
    assert document["pieces"] == [piece.notation for piece in position.pieces]
    assert document["moves"][1] == "swap" and len(document["moves"]) == 6
    assert (document["finished"], document["winner"], document["legal"]) == (False, None, True)
    finished = run("show", GAME, "--json").json
    assert finished["finished"] is True and finished["winner"] in ("X", "O")


@pytest.mark.parametrize("name", STANDARD_BOARDS)
def test_a_standard_board_is_known_by_name_in_any_case(run: Run, name: str) -> None:
    assert run("show", name).out == run("show", name.upper()).out
    assert run("show", name).out.startswith(name.title())


def test_a_file_goes_before_a_name(run: Run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "boxes").write_text("4/4/4/4", encoding="utf-8")
    assert run("moves", "boxes", "--count").out == "104\n"
    (tmp_path / "boxes").unlink()
    (tmp_path / "boxes").mkdir()
    assert run("moves", "boxes", "--count").out == "1292\n"


# moves


def test_the_moves_of_an_empty_board(run: Run) -> None:
    document = run("moves", "boxes", "--json").json
    assert set(document) == {"to_move", "count", "swap", "moves"}
    assert (document["to_move"], document["count"], document["swap"]) == ("X", 1292, False)
    assert len(document["moves"]) == 1292
    for entry in document["moves"]:
        assert set(entry) == {"move", "shape", "cells", "gain"}
        assert entry["move"] == f"{entry['shape']}:{','.join(entry['cells'])}"
        assert -4 <= entry["gain"] <= 4
    shapes = Counter(entry["shape"] for entry in document["moves"])
    assert shapes == {"L": 576, "I": 140, "T": 288, "S": 288}


def test_swap_is_told_but_not_listed(run: Run) -> None:
    for ply, swap in ((0, False), (1, True), (2, False), (3, False)):
        document = run("moves", GAME, "--ply", ply, "--json").json
        assert document["swap"] is swap
        assert "swap" not in {entry["move"] for entry in document["moves"]}
        assert ("swap" in run("moves", GAME, "--ply", ply).out) is swap


def test_filters_and_order(run: Run) -> None:
    every = run("moves", GAME, "--ply", 5, "--json").json["moves"]
    by_shape = run("moves", GAME, "--ply", 5, "--json", "--shape", "t").json
    assert by_shape["moves"] == [entry for entry in every if entry["shape"] == "T"]
    cell, pair = every[7]["cells"][0], every[7]["cells"][1:3]
    covering = run("moves", GAME, "--ply", 5, "--json", "--covers", cell.upper()).json
    assert covering["moves"] == [entry for entry in every if cell in entry["cells"]]
    assert covering["count"] == len(covering["moves"]) > 0
    both = ("--covers", pair[0], "--covers", pair[1], "--shape", every[7]["shape"])
    found = run("moves", GAME, "--ply", 5, "--json", *both).json["moves"]
    assert every[7] in found
    joined = ("--covers", ",".join(pair), "--shape", every[7]["shape"])
    assert run("moves", GAME, "--ply", 5, "--json", *joined).json["moves"] == found
    assert found == [
        entry
        for entry in every
        if set(pair) <= set(entry["cells"]) and entry["shape"] == every[7]["shape"]
    ]
    gains = [
        e["gain"] for e in run("moves", GAME, "--ply", 5, "--json", "--sort", "gain").json["moves"]
    ]
    assert gains == sorted((entry["gain"] for entry in every), reverse=True)


def test_moves_in_text_are_the_same(run: Run) -> None:
    document = run("moves", GAME, "--ply", 5, "--sort", "gain", "--json").json
    *lines, total = run("moves", GAME, "--ply", 5, "--sort", "gain").out.splitlines()
    assert total == f"{document['count']} moves for {document['to_move']}"
    for line, entry in zip(lines, document["moves"], strict=True):
        gain, move = line.split()
        assert (int(gain), move) == (entry["gain"], entry["move"])
    assert run("moves", GAME, "--ply", 5, "--count").out == f"{document['count']}\n"


def test_a_finished_position_has_no_moves_and_is_exit_0(run: Run) -> None:
    outcome = run("moves", GAME, "--json")
    assert outcome.status == 0
    assert outcome.json["count"] == 0 and outcome.json["moves"] == []
    assert run("moves", GAME, "--count").out == "0\n"


@pytest.mark.parametrize("path", ILLEGAL, ids=lambda path: path.stem)
@pytest.mark.parametrize("command", ["moves", "solve"])
def test_illegal_positions_are_refused_with_exit_1(run: Run, command: str, path: Path) -> None:
    outcome = run(command, path)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.startswith(f"litstool: {path}: the position is not legal")
    assert f"  {path.stem}: " in outcome.err
    error = run(command, path, "--json").json["error"]
    assert error["kind"] == "illegal" and error["where"] == str(path)
    assert path.stem in {fault["rule"] for fault in error["violations"]}


# --ply, standard input


def test_ply_takes_the_position_after_so_many_moves(run: Run) -> None:
    game = litstool.load(str(GAME))
    for ply in range(len(game.moves) + 1):
        pieces = sum(move != "swap" for move in game.moves[:ply])
        document = run("show", GAME, "--ply", ply, "--json").json
        assert len(document["pieces"]) == pieces
        assert document["to_move"] == "XO"[pieces % 2]
    assert run("show", GAME, "--json").json == run("show", GAME, "--ply", 15, "--json").json
    assert run("show", "boxes", "--ply", 0).out == run("show", "boxes").out


def test_ply_before_a_fault_makes_a_game_legal(run: Run) -> None:
    path = EXAMPLES / "illegal" / "order.yaml"
    assert run("show", path, "--ply", 1).status == 0
    assert run("show", path, "--ply", 2).status == 1


@pytest.mark.parametrize("command", [["show"], ["moves"], ["convert", "--to", "line"]])
def test_standard_input_is_read_like_the_file(run: Run, command: list[str]) -> None:
    assert run(*command, "-", stdin=GAME.read_bytes()).out == run(*command, GAME).out
    judged = run("validate", "-", stdin=GAME.read_bytes())
    assert judged.out.startswith("standard input: legal")
    assert run("validate", "-", "--json", stdin=b"boxes").status == 2
    document = run("validate", "-", "--json", stdin=GAME.read_bytes()).json
    assert document["results"][0]["source"] == "-"


def test_a_relative_pattern_is_looked_for_beside_the_file(run: Run, tmp_path, monkeypatch) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.txt").write_text("X3/4/4/3O", encoding="utf-8")
    game = tmp_path / "games" / "game.yaml"
    game.write_text("pattern: mine.txt\nmoves: []\n", encoding="utf-8")
    assert run("show", game, "--json").json["scores"] == {"X": 1, "O": 1}
    monkeypatch.chdir(tmp_path / "games")
    assert run("show", "-", "--json", stdin=game.read_bytes()).status == 0


# convert


def test_convert_tells_what_is_lost_on_standard_error(run: Run) -> None:
    text = run("convert", GAME, "--to", "line")
    assert text.status == 0 and text.out.count("\n") == 1
    for lost in ("order of the moves", "swap", "symbols under the pieces", "name", "players"):
        assert lost in text.err
    for target in ("yaml", "json"):
        assert run("convert", GAME, "--to", target).err == ""
    document = run("convert", GAME, "--to", "line", "--json")
    assert document.err == ""
    assert document.json["text"] + "\n" == text.out and document.json["lost"]


@pytest.mark.parametrize(
    "position",
    ["4/4/4/4", "#9/" + "/".join(["10"] * 9), "/".join(["10"] * 10) + " X supply=L4", GAME],
    ids=["small", "hole", "supply", "fits"],
)
def test_a_board_that_ltp_cannot_carry_is_exit_1(run: Run, position: object) -> None:
    outcome = run("convert", position, "--to", "ltp")
    if position == GAME:
        assert outcome.status == 0
        return
    assert (outcome.status, outcome.out) == (1, "")
    assert "LTP carries only" in outcome.err and outcome.err.count("\n") == 1
    as_json = run("convert", position, "--to", "ltp", "--json")
    assert as_json.status == 1 and "LTP" in as_json.json["error"]["message"]


def test_convert_to_json_prints_the_document_itself(run: Run) -> None:
    document = json.loads(run("convert", GAME, "--to", "json").out)
    assert document["moves"][1] == "swap" and document["players"] == {
        "first": "Ada",
        "second": "Bela",
    }


# The command as a whole


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"litstool {__version__}\n"
    text = run("--help")
    assert text.status == 0 and run().out == text.out
    for name, says in COMMANDS.items():
        assert name in text.out and says.split()[0] in text.out
        command = importlib.import_module(module_of(name)).command
        below = list(command.commands) if isinstance(command, click.Group) else [None]
        for sub in below:
            words = [name] if sub is None else [name, sub]
            for flag in ("--help", "-h"):
                detail = run(*words, flag)
                assert detail.status == 0
                # A conversation between programs has neither colour nor one result.
                assert name == "ltp" or ("--json" in detail.out and "--no-color" in detail.out)


HEAVY = ("numba", "numpy", "llvmlite", "pysat", "pysolvers", "rich", "distributed")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["validate", "examples/game-with-swap.yaml"],
        ["moves", "boxes", "--count"],
        ["show", "boxes"],
        ["convert", "4/4/4/4", "--to", "yaml"],
        ["solve", "--help"],
    ],
    ids=" ".join,
)
def test_start_up_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom litstool.cli.main import cli, main\n"
        f"status = main({arguments!r})\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
        "sys.exit(status)"
    )
    done = process("-c", code)
    assert (done.returncode, done.stderr) == (0, "[]\n")


def test_the_library_imports_nothing_heavy() -> None:
    code = f"import sys, litstool\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    assert process("-c", code).stdout == "[]\n"


def test_python_dash_m_is_the_command() -> None:
    done = process("-m", "litstool", "validate", "missing")
    assert done.returncode == 2 and done.stderr.startswith("litstool: 'missing' is neither")


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that closes")
def test_a_reader_that_stops_early_is_no_error() -> None:
    """Far more output than a pipe holds, to a reader that is gone after the first line."""
    script = f'"{sys.executable}" -m litstool moves boxes --json | head -n 1'
    script += "; echo ${PIPESTATUS[0]}"
    done = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == ["{", "0"]
    assert done.stderr == ""


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe that closes")
def test_a_pipe_nobody_reads_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = process(
        *("-m", "litstool", "moves", "boxes"),
        capture_output=False,
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def on_terminal(*arguments: str, environment: dict[str, str] | None = None) -> str:
    """What the command prints where standard output is a terminal."""
    pty = pytest.importorskip("pty")
    main_end, terminal_end = pty.openpty()
    done = process(
        *("-m", "litstool", *arguments),
        capture_output=False,
        stdout=terminal_end,
        stderr=terminal_end,
        environment={"TERM": "xterm-256color", **(environment or {})},
    )
    os.close(terminal_end)
    assert done.returncode == 0
    printed = b""
    try:
        while part := os.read(main_end, 65536):
            printed += part
    except OSError:
        pass
    os.close(main_end)
    return printed.decode()


def test_colour_on_a_terminal_only_and_never_where_it_is_not_wanted() -> None:
    line = "LLL1/L3/4/4 O"
    assert "\x1b[" in on_terminal("show", line)
    assert "\x1b[" not in on_terminal("show", line, "--no-color")
    assert "\x1b[" not in on_terminal("show", line, environment={"NO_COLOR": "1"})
    assert "\x1b[" not in on_terminal("show", line, "--json")
    assert "\x1b[" not in process("-m", "litstool", "show", line).stdout


def test_an_output_without_the_drawing_characters_is_no_error() -> None:
    ascii_only = {"PYTHONIOENCODING": "ascii"}
    done = process("-m", "litstool", "show", "boxes", environment=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")
    assert "X   X   X   O" in done.stdout
    document = '{"pattern": "boxes", "name": "象棋 😀"}'
    done = process("-m", "litstool", "show", "-", "--json", environment=ascii_only, input=document)
    assert json.loads(done.stdout)["name"] == "象棋 😀"


@pytest.mark.parametrize("group", ["puzzle", "pattern", "book"])
def test_a_group_alone_shows_its_help(run: Run, group: str) -> None:
    outcome = run(group)
    assert outcome.status == 0 and outcome.err == ""
    assert outcome.out == run(group, "--help").out


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["show", "bo"], [("plain", "boxes")]),
        (["show", "examples/en"], [("file", "examples/en")]),
        (["show", "-o", "pict"], [("file", "pict")]),
        (["show", "--heat", ""], [("plain", "moves"), ("plain", "gain")]),
        (["validate", "game"], [("file", "game")]),
        (["play", "str"], [("plain", "stripes")]),
        (["puzzle", "show", "puz"], [("file", "puz")]),
        (["puzzle", "new", "--board", "m"], [("plain", "monogram")]),
        (["book", "show", "d"], [("plain", "diagonals")]),
        (["reach", "bo"], [("plain", "boxes")]),
    ],
    ids=str,
)
def test_the_shell_completes(words: list[str], offered: list[tuple[str, str]]) -> None:
    completing = BashComplete(cli, {}, "litstool", "_LITSTOOL_COMPLETE")
    found = completing.get_completions(words[:-1], words[-1])
    assert [(each.type, each.value) for each in found] == offered
