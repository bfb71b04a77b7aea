"""LTP: the answers line by line, errors that change nothing, and a whole game through a pipe."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import EXAMPLES, ROOT, Run

import litstool
from litstool.files import Source
from litstool.lits.notation import engine_move, parse_move, read_engine_line, write_engine_line
from litstool.lits.protocol import Engine

BOXES = write_engine_line(litstool.load("boxes"))
FIRST, SECOND = "L[00,01,02,10]", "T[03,04,05,14]"


@pytest.fixture
def engine() -> Engine:
    return Engine("1.2.3")


def started(engine: Engine) -> Engine:
    engine.answer("newgame " + BOXES)
    return engine


def test_info(engine: Engine) -> None:
    assert engine.answer("info") == ["id litstool v1.2.3", "ok"]


def test_new_game_gives_the_game_line(engine: Engine) -> None:
    assert engine.answer("newgame " + BOXES) == [BOXES, "ok"]
    assert engine.answer("newgame boxes") == [BOXES, "ok"]
    assert engine.answer("newgame") == ["." * 100, "ok"]
    line = f"{BOXES}; {FIRST}; swap; {SECOND}"
    assert engine.answer("newgame " + line) == [line, "ok"]


def test_play_swap_and_undo(engine: Engine) -> None:
    started(engine)
    assert engine.answer("play " + FIRST) == [f"{BOXES}; {FIRST}", "ok"]
    assert engine.answer("swap") == [f"{BOXES}; {FIRST}; swap", "ok"]
    # The symbols stay as they are and O is to move.
    assert engine.game.position().to_move == "O"
    assert engine.answer("play " + SECOND) == [f"{BOXES}; {FIRST}; swap; {SECOND}", "ok"]
    assert engine.answer("undo") == [f"{BOXES}; {FIRST}; swap", "ok"]
    assert engine.answer("undo") == [f"{BOXES}; {FIRST}", "ok"]
    assert engine.answer("play swap") == [f"{BOXES}; {FIRST}; swap", "ok"]


@pytest.mark.parametrize(
    "command",
    ["undo", "swap", "play", "play L[00,01]", "play I[00,01,02,10]", "play T[99,98,97,96]",
     "nonsense", "bestmove depth", "bestmove depth x", "bestmove depth 0", "bestmove time 5",
     "bestmove time 00:00:00", "bestmove forever 3", "pv", "newgame XO", "newgame " + "Z" * 100,
     "newgame mijnlieff 4/4/4/4",
     f"newgame {BOXES}; {FIRST}; {FIRST}", "newgame " + BOXES + "; swap"],
)  # fmt: skip
def test_an_error_leaves_the_game_as_it_was(engine: Engine, command: str) -> None:
    started(engine)
    game = engine.game
    lines = engine.answer(command)
    assert lines[0] == "err" and lines[-1] == "ok" and len(lines) == 3
    assert lines[1] and "\n" not in lines[1]
    assert engine.game is game


@pytest.mark.parametrize(
    "command", ["play " + FIRST, "undo", "swap", "score", "validmoves", "pv", "bestmove depth 1"]
)
def test_without_a_game_there_is_an_error(engine: Engine, command: str) -> None:
    assert engine.answer(command)[0] == "err"


def test_valid_moves_and_score(engine: Engine) -> None:
    started(engine)
    count, moves, ok = engine.answer("validmoves")
    assert (count, ok) == ("1292", "ok")
    assert len(set(moves.split("; "))) == 1292 and FIRST in moves.split("; ")
    assert engine.answer("score") == ["0", "ok"]
    engine.answer("play " + FIRST)
    position = engine.game.position()
    assert engine.answer("score") == [str(position.score("X") - position.score("O")), "ok"]
    count, moves, _ = engine.answer("validmoves")
    assert int(count) == len(list(position.moves())) == len(moves.split("; "))
    assert "swap" not in moves


def test_a_finished_game_has_no_moves(engine: Engine) -> None:
    game = litstool.load(str(EXAMPLES / "game-without-swap.yaml"))
    assert engine.answer("newgame " + write_engine_line(game))[-1] == "ok"
    assert engine.answer("validmoves") == ["0", "", "ok"]
    assert engine.answer("bestmove depth 2")[0] == "err"


def test_best_move_and_the_line_it_expects(engine: Engine) -> None:
    game = litstool.load(str(EXAMPLES / "endgame-5.yaml"))
    engine.answer("newgame " + write_engine_line(game))
    exact = litstool.solve(game.position(), all_moves=True)
    best = [engine_move(parse_move(text)) for text in exact.best]
    for limit in ("depth 9", "time 00:00:10"):
        (move, _) = engine.answer("bestmove " + limit)
        assert move in best
        line, ok = engine.answer("pv")
        assert ok == "ok" and line.split("; ")[0] == move
        assert len(line.split("; ")) == len(exact.line)
    engine.answer("play " + move)
    assert engine.answer("pv")[0] == "err"


def test_a_board_without_the_half_turn_symmetry_is_accepted(engine: Engine) -> None:
    line = "X" * 30 + "." * 70
    assert engine.answer("newgame " + line) == [line, "ok"]


def test_an_empty_line_is_ok_and_quit_ends(engine: Engine) -> None:
    assert engine.answer("") == ["ok"]
    answers = list(engine.run(["info\n", "quit\n", "info\n"]))
    assert answers == [["id litstool v1.2.3", "ok"], []]


def test_a_whole_game_through_a_pipe() -> None:
    """Two seats of one program: it names its best move, and it is played, to the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "litstool", "ltp"], cwd=ROOT, text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip

    def ask(command: str) -> list[str]:
        process.stdin.write(command + "\n")
        process.stdin.flush()
        lines = []
        while (line := process.stdout.readline().rstrip("\n")) != "ok":
            assert process.poll() is None or line
            lines.append(line)
        return lines

    with process:
        assert ask("info") == [f"id litstool v{litstool.__version__}"]
        (line,) = ask("newgame " + BOXES)
        moves = 0
        while ask("validmoves")[0] != "0":
            (move,) = ask("bestmove depth 2")
            (line,) = ask("swap" if move == "swap" else f"play {move}")
            assert line.endswith(move)
            moves += 1
        game = read_engine_line(line, Source("the answer", line))
        assert game.violations() == [] and game.position().is_finished
        assert ask("score") == [str(game.position().margin)]
        assert moves >= 9
        process.stdin.write("quit\n")
        process.stdin.close()
        assert process.wait(20) == 0


def test_the_command_reads_standard_input_to_its_end(run: Run, monkeypatch) -> None:
    outcome = run("ltp", stdin=b"info\nnewgame boxes\nfoo\n")
    assert outcome.status == 0
    assert outcome.out.splitlines()[:4] == [
        f"id litstool v{litstool.__version__}",
        "ok",
        BOXES,
        "ok",
    ]
    assert outcome.out.splitlines()[4] == "err"
