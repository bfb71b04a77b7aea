"""Games at the terminal, typed on standard input."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import EXAMPLES, ROOT, Run

import litstool
from litstool.draw.terminal import Screen
from litstool.game import SEATS
from litstool.lits.game import SWAP
from litstool.search.control import Progress, stop_everything
from litstool.tasks.play import ENGINE, PERSON, Table
from litstool.terminal import game as game_at_terminal
from litstool.terminal import progress as progress_at_terminal
from litstool.terminal.game import converse

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
     ("level best", "is no level"), ("moves Q", "is no shape"), ("blah blah", "help"),
     ("moves T e99", "'e99' is no cell of this board"), ("moves k3 L", "'k3' is no cell"),
     ("moves L T", "'T' is one too many"), ("moves e99x all", "is no shape"),
     ("save " + "x" * 300 + ".yaml", "cannot be written: File name too long"),
     ("save nowhere/game.yaml", "cannot be written"), ("level \x1b[2J", "\\x1b[2J"),
     ("\x1b[2J", "\\x1b[2J"), ("x" * 5000, "longer than 4096"), ("a\x00b", "\\x00")],
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
    outcome = two(run, FIRST, SECOND, "undo", "quit")
    assert "1 move taken back" in outcome.out
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
    pytest.importorskip("litstool.mijnlieff.drawing")
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
    assert "other.yaml: is there already" in outcome.out
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

    assert converse(table, folder / "game.yaml", False, read) == 0
    (path,) = tmp_path.glob("litstool-*.yaml")
    assert len(litstool.load(str(path)).moves) == 1


@pytest.fixture
def heard() -> Iterator[None]:
    """No signal is ignored, as nohup or a shell's background have the tests ignore some."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    for number, handler in before.items():
        if handler == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent to a process another way")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_saves_the_game(tmp_path, heard: None, name: str) -> None:
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
    time.sleep(0.1)
    process.send_signal(getattr(signal, name))
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Traceback" not in errors
    (path,) = tmp_path.glob("litstool-*.yaml")
    assert len(litstool.load(str(path)).moves) == 1


# -- whatever ends the game ------------------------------------------------------------------------


@pytest.fixture
def stopped() -> Iterator[None]:
    yield
    stop_everything(False)


def conversation(read: Callable[[str], str], path: Path | None = None) -> int:
    """Two people at a table; ``read`` gives what they type.  The exit status."""
    table = Table(litstool.load("boxes"), dict.fromkeys(SEATS, PERSON))
    return converse(table, path, False, read)


def after_one_move(what: Callable[[], str]) -> Callable[[str], str]:
    """A person who plays the first move and then has something happen."""
    lines = iter([FIRST])
    return lambda prompt: next(lines, None) or what()


def the_one_saved(folder: Path) -> litstool.Game:
    (path,) = folder.glob("litstool-*.yaml")
    return litstool.load(str(path))


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_signals_in_a_row_are_one(
    tmp_path, monkeypatch, stopped: None, heard: None, name: str
) -> None:
    """Also one that comes while the game is being written."""
    number = getattr(signal, name, signal.SIGINT)
    before = signal.getsignal(number)
    save = Table.save

    def interrupted_save(self: Table, path: Path, *, new: bool = False) -> None:
        os.kill(os.getpid(), number)
        save(self, path, new=new)

    monkeypatch.setattr(Table, "save", interrupted_save)

    def killed() -> str:
        try:
            os.kill(os.getpid(), number)
            time.sleep(1)
        finally:
            os.kill(os.getpid(), number)
        return "quit"

    assert conversation(after_one_move(killed)) == 130
    assert len(the_one_saved(tmp_path).moves) == 1
    assert signal.getsignal(number) == before


@pytest.mark.parametrize("error", [MemoryError, RecursionError, RuntimeError, EOFError, OSError])
def test_an_error_inside_saves_the_game(tmp_path, error: type[Exception]) -> None:
    def broken() -> str:
        raise error("broken")

    with pytest.raises(error, match="broken"):
        conversation(after_one_move(broken))
    assert len(the_one_saved(tmp_path).moves) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_output_that_is_full_or_closed_saves_the_game(tmp_path, monkeypatch, capsys) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    full = os.open("/dev/full", os.O_WRONLY)
    for count, number in enumerate((full, writing), 1):
        output = os.fdopen(number, "w")

        def broken(output: io.TextIOWrapper = output) -> str:
            monkeypatch.setattr(sys, "stdout", output)
            return SECOND

        with pytest.raises(OSError):
            conversation(after_one_move(broken))
        monkeypatch.undo()
        monkeypatch.chdir(tmp_path)
        games = sorted(tmp_path.glob("litstool-*.yaml"))
        assert len(games) == count and len(litstool.load(str(games[-1])).moves) == 2
        assert "To go on: litstool play" in capsys.readouterr().err
        with pytest.raises(OSError):
            output.close()


def test_input_that_is_not_text_does_not_end_the_game(run: Run) -> None:
    outcome = run(
        "play", "boxes", "--engine", "none", "--save", "game.yaml",
        stdin=typed(FIRST) + b"\xff\xfe\n" + typed(SECOND),
    )  # fmt: skip
    assert outcome.status == 0 and "not UTF-8 text (byte 0xff)" in outcome.out
    assert len(saved().moves) == 2


def test_games_that_end_in_one_second_have_a_file_each(run: Run, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(time, "strftime", lambda form: "litstool-20250102-030405")
    for line in (FIRST, SECOND, "I:a1,b1,c1,d1"):
        run("play", "boxes", "--engine", "none", stdin=typed(line))
    games = [litstool.load(str(path)) for path in sorted(tmp_path.iterdir())]
    assert {game.moves[0].notation for game in games} == {FIRST, SECOND, "I:a1,b1,c1,d1"}


def test_a_game_is_saved_where_there_is_a_place(run: Run, tmp_path, monkeypatch) -> None:
    here, home, temporary = (tmp_path / name for name in ("here", "at home", "temporary"))
    for folder in (here, home, temporary):
        folder.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for folder in (here, home, temporary, None):
        outcome = run("play", "boxes", "--engine", "none", stdin=typed(FIRST))
        assert outcome.status == 0
        if folder is None:
            break
        assert len(the_one_saved(folder).moves) == 1
        assert "To go on: litstool play " in outcome.out
        assert ("'" in outcome.out.splitlines()[-1]) == (folder == home)
        # A folder that is gone is one that nothing can be written to, whoever asks.
        (path,) = folder.iterdir()
        path.unlink()
        folder.rmdir()
    text = outcome.out.partition("Here it is:\n")[2]
    assert len(litstool.parse(text).moves) == 1


def test_what_is_saved_is_told_by_the_moves_not_their_number(run: Run, tmp_path) -> None:
    run(
        "play", "boxes", "--engine", "none",
        stdin=typed(FIRST, "save game.yaml", "undo", SECOND, "quit"),
    )  # fmt: skip
    assert the_one_saved(tmp_path).moves[0].notation == SECOND
    assert saved().moves[0].notation == FIRST


def test_a_file_that_came_in_between_is_not_written_over(tmp_path) -> None:
    lines = iter([FIRST, SECOND, "quit"])
    path = tmp_path / "game.yaml"

    def read(prompt: str) -> str:
        path.write_text("another game", encoding="utf-8")
        return next(lines)

    assert conversation(read, path) == 0
    assert path.read_text(encoding="utf-8") == "another game"
    assert len(the_one_saved(tmp_path).moves) == 2


def test_a_name_that_is_too_long_is_told_before_the_game(run: Run) -> None:
    name = "x" * 300 + ".yaml"
    outcome = run("play", "boxes", "--save", name, stdin=typed(FIRST))
    assert (outcome.status, outcome.out) == (2, "")
    assert name in outcome.err and "File name too long" in outcome.err


# -- what is said ----------------------------------------------------------------------------------


def test_a_game_begins_with_whom_one_plays_and_what_to_type(run: Run) -> None:
    outcome = run("play", "boxes", "--level", "greedy", stdin=b"")
    assert outcome.out.startswith(
        "You are the first player and have X; the engine (level greedy) is the second player"
    )
    assert "help for all that can be typed" in outcome.out.splitlines()[1]
    example = outcome.out.partition("such as ")[2].partition(". Type")[0]
    for text in example.split(" or "):
        litstool.load("boxes").position().play(litstool.parse_move(text))
    two(run, FIRST, "swap", "quit")
    outcome = run("play", "game.yaml", "--engine", "first", "--time", 0.2, stdin=b"quit\n")
    assert "You are the second player and have X; the engine (level strong, 0.2 s a" in outcome.out
    mijnlieff = run("play", "mijnlieff 4/4/4/4", "--engine", "none", stdin=b"")
    assert "the first player has Light, the second player has Dark" in mijnlieff.out


@pytest.mark.parametrize("width", [60, 80])
def test_no_word_is_broken_by_a_narrow_terminal(run: Run, monkeypatch, width: int) -> None:
    monkeypatch.setattr(game_at_terminal, "screen_of", lambda stream: Screen(width=width))
    outcome = run(
        "play", "boxes", "--engine", "none",
        stdin=typed("help", "blah", "swap", "moves T e99", "level x", "save x.svg", "quit"),
    )  # fmt: skip
    assert max(map(len, outcome.out.splitlines())) < width
    wide = run("play", "boxes", "--engine", "none", stdin=typed("help", "quit"))
    assert set(outcome.out.split()) >= set(wide.out.split())


def test_the_progress_line_never_needs_a_second_one(monkeypatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    started = time.monotonic()
    monkeypatch.setattr(progress_at_terminal.time, "monotonic", lambda: started)
    with progress_at_terminal.progress_line(lambda progress: "[bold] word\n" * 20) as on_progress:
        started += 2
        on_progress(Progress(0, 1, 1, 1.0))
        time.sleep(0.2)
    shown = stream.getvalue()
    assert "[bold] word [bold]" in shown and "…" in shown
    # Up by one line: the one that stopping it begins.
    assert "\x1b[2A" not in shown and shown.count("\x1b[1A") == 1
