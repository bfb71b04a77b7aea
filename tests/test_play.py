"""Games at the terminal, typed on standard input."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest
from conftest import EXAMPLES, ROOT, Run

import litstool
from litstool.cli.play import _Conversation
from litstool.lits.game import SWAP
from litstool.play import ENGINE, PERSON, SEATS, Table

FIRST, SECOND = "L:a1,b1,c1,a2", "T:d1,e1,f1,e2"


@pytest.fixture(autouse=True)
def in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)


def typed(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def two(run: Run, *lines: str, board: str = "boxes"):
    return run("play", board, "--engine", "none", "--save", "game.yaml", stdin=typed(*lines))


def saved() -> litstool.Game:
    return litstool.load("game.yaml")


def test_moves_in_the_notation_and_by_four_cells(run: Run) -> None:
    outcome = two(run, FIRST, "d1 E1 f1,e2", "quit")
    assert outcome.status == 0
    assert [move.notation for move in saved().moves] == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("line", "told"),
    [("T:a1", "not a move"), ("swp", "did you mean 'swap'"), ("swap", "swap is possible only"),
     ("I:a1,b1,c1,a2", "shape"), ("a1 b1 c1 z9", "off-board"), ("undo", "no move to take back"),
     ("level best", "is no level"), ("moves Q", "is no shape"), ("blah blah", "help")],
)  # fmt: skip
def test_a_mistake_is_told_and_nothing_is_lost(run: Run, line: str, told: str) -> None:
    outcome = two(run, line, FIRST, "quit")
    assert outcome.status == 0
    assert told in outcome.out
    assert [move.notation for move in saved().moves] == [FIRST]


def test_swap_exchanges_the_people_and_not_the_symbols(run: Run) -> None:
    two(run, FIRST, "swap", SECOND, "quit")
    assert SWAP in saved().moves
    table = Table(saved(), {"first": PERSON, "second": ENGINE})
    # After the swap the second player has X, and X is to move with two pieces down.
    assert table.position.to_move == "X" and table.is_engines_turn


def test_undo_between_people_takes_back_one_move(run: Run) -> None:
    two(run, FIRST, SECOND, "undo", "quit")
    assert [move.notation for move in saved().moves] == [FIRST]


def test_undo_against_the_engine_takes_its_answer_back_too(run: Run) -> None:
    outcome = run(
        "play", "boxes", "--level", "greedy", "--seed", 1, "--save", "game.yaml",
        stdin=typed(FIRST, "undo", SECOND, "quit"),
    )  # fmt: skip
    assert "2 moves taken back" in outcome.out
    assert saved().moves[0].notation == SECOND


def test_a_saved_game_goes_on(run: Run) -> None:
    two(run, FIRST, "quit")
    outcome = run(
        "play", "game.yaml", "--engine", "none", "--save", "game.yaml", stdin=typed(SECOND)
    )
    assert outcome.status == 0
    assert len(saved().moves) == 2


def test_the_end_of_the_input_saves_the_game_and_says_how_to_go_on(run: Run, tmp_path) -> None:
    outcome = run("play", "stripes", "--engine", "none", stdin=typed(FIRST))
    (path,) = tmp_path.glob("litstool-*.yaml")
    assert f"litstool play {path.name}" in outcome.out
    assert len(litstool.load(str(path)).moves) == 1


def test_nothing_is_saved_of_no_game(run: Run, tmp_path) -> None:
    assert run("play", "boxes", "--engine", "none", stdin=b"").status == 0
    assert not list(tmp_path.iterdir())


def test_moves_and_hint_and_help(run: Run) -> None:
    outcome = run(
        "play", EXAMPLES / "endgame-3.yaml", "--engine", "none", "--time", 5,
        stdin=typed("help", "moves T", "hint", "quit"),
    )  # fmt: skip
    assert "take your last move back" in outcome.out
    position = litstool.load(str(EXAMPLES / "endgame-3.yaml")).position()
    exact = litstool.solve(position, all_moves=True)
    (hint,) = [line for line in outcome.out.splitlines() if line.startswith("Hint: ")]
    assert hint.split()[1] in exact.best
    assert f"{exact.winner} wins" in hint and "exactly" in hint


def test_the_engine_wins_a_won_endgame_against_itself(run: Run) -> None:
    path = EXAMPLES / "endgame-5.yaml"
    exact = litstool.solve(litstool.load(str(path)).position())
    outcome = run("play", path, "--engine", "both", "--time", 10, "--json")
    assert outcome.status == 0
    assert outcome.json["finished"] and outcome.json["winner"] == exact.winner


@pytest.mark.parametrize("level", ["random", "greedy"])
def test_a_whole_game_at_each_simple_level(run: Run, level: str) -> None:
    outcome = run("play", "diagonals", "--engine", "both", "--level", level, "--seed", 4, "--json")
    record = litstool.parse(json.dumps(outcome.json["game"]))
    assert record.violations() == [] and record.position().is_finished
    assert outcome.json["winner"] == record.position().winner
    again = run("play", "diagonals", "--engine", "both", "--level", level, "--seed", 4, "--json")
    assert again.json["game"] == outcome.json["game"]


def test_mijnlieff_is_played_too(run: Run) -> None:
    pytest.importorskip("litstool.draw.mijnlieff")
    outcome = run(
        "play", "mijnlieff 4/4/4/4", "--engine", "none", "--save", "game.yaml",
        stdin=typed("straight@a1", "s@c3", "s@a3", "moves", "undo", "quit"),
    )  # fmt: skip
    assert outcome.status == 0
    # The Straight on a1 allows its row and its column only.
    assert "restriction" in outcome.out
    assert [move.notation for move in saved().moves] == ["straight@a1"]


def test_an_illegal_position_is_refused(run: Run) -> None:
    assert run("play", EXAMPLES / "illegal" / "overlap.yaml").status == 1
    assert run("play", "boxes", "--time", "-1").status == 2


def test_a_save_that_cannot_be_written_does_not_end_the_game(run: Run, tmp_path) -> None:
    outcome = run(
        "play", "boxes", "--engine", "none", stdin=typed(FIRST, "save nowhere/game.yaml", SECOND)
    )
    assert outcome.status == 0 and "cannot be written" in outcome.out
    (path,) = tmp_path.glob("litstool-*.yaml")
    assert len(litstool.load(str(path)).moves) == 2


def test_nothing_else_is_lost_by_saving(run: Run, tmp_path) -> None:
    (tmp_path / "other.yaml").write_text("pattern: boxes\n", encoding="utf-8")
    refused = run("play", "boxes", "--save", "other.yaml", stdin=typed(FIRST, "quit"))
    assert refused.status == 2 and "there already" in refused.err
    outcome = two(run, FIRST, "save other.yaml", "save new.yaml", SECOND, "save new.yaml", "quit")
    assert "other.yaml is there already" in outcome.out
    assert (tmp_path / "other.yaml").read_text(encoding="utf-8") == "pattern: boxes\n"
    # A file of this very game may be written again.
    assert len(litstool.load(str(tmp_path / "new.yaml")).moves) == 2


def test_a_place_that_cannot_be_written_is_told_before_the_game(run: Run) -> None:
    outcome = run("play", "boxes", "--save", "nowhere/game.yaml", stdin=typed(FIRST, "quit"))
    assert outcome.status == 2 and "cannot be written" in outcome.err and outcome.out == ""


def test_the_ending_of_a_saved_game_says_its_form(run: Run, tmp_path) -> None:
    outcome = two(run, FIRST, "save board.svg", "save one.json", SECOND, "save two.yml", "quit")
    assert "board.svg: the name of the file should end in .yaml, .yml or .json" in outcome.out
    assert not (tmp_path / "board.svg").exists()
    document = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert document["moves"] == [FIRST]
    assert len(litstool.load(str(tmp_path / "two.yml")).moves) == 2
    refused = run("play", "boxes", "--save", "game.txt", stdin=typed(FIRST, "quit"))
    assert refused.status == 2 and "should end in .yaml, .yml or .json" in refused.err


def test_a_place_that_is_lost_during_the_game_does_not_lose_the_game(run: Run, tmp_path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    table = Table(litstool.load("boxes"), dict.fromkeys(SEATS, PERSON))
    lines = iter([FIRST, "quit"])

    def read(prompt: str) -> str:
        if folder.exists():
            folder.rmdir()
        return next(lines)

    assert _Conversation(table, folder / "game.yaml", False, read).run() == 0
    (path,) = tmp_path.glob("litstool-*.yaml")
    assert len(litstool.load(str(path)).moves) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent to the process another way")
def test_ctrl_c_saves_the_game(tmp_path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "litstool", "play", "boxes", "--engine", "none"],
        env={"PYTHONPATH": str(ROOT), "PATH": ""}, cwd=tmp_path, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdin.write(FIRST + "\n")
    process.stdin.flush()
    shown = ""
    while "Last move" not in shown:
        shown += process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    (path,) = tmp_path.glob("litstool-*.yaml")
    assert len(litstool.load(str(path)).moves) == 1
