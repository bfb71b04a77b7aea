"""LTP: the answers line by line, errors that change nothing, and a whole game through a pipe."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import time
import tracemalloc

import pytest
from conftest import EXAMPLES, ROOT, Run

import litstool
from litstool.files import typed as lines
from litstool.files.reading import Source
from litstool.lits import engine as lits_engine
from litstool.lits.notation import engine_move, parse_move, read_engine_line, write_engine_line
from litstool.lits.protocol import COMMANDS, Engine

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
     "bestmove time 00:00:00", "bestmove time 00:99:00",
     "bestmove forever 3", "pv", "newgame XO", "newgame " + "Z" * 100,
     "newgame mijnlieff 4/4/4/4",
     f"newgame {BOXES}; {FIRST}; {FIRST}", "newgame " + BOXES + "; swap",
     "bestmove depth " + "9" * 5000, "bestmove depth \u0663", "bestmove time " + "9" * 5000,
     "options swap", "options swap perhaps", "options hash 3", "play \x1b[2J\x00", "play \udc8a"],
)  # fmt: skip
def test_an_error_leaves_the_game_as_it_was(engine: Engine, command: str) -> None:
    started(engine)
    game = engine.game
    lines = engine.answer(command)
    assert lines[0] == "err" and lines[-1] == "ok" and len(lines) == 3
    assert lines[1] and lines[1].isprintable()
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
    assert int(count) == len(list(position.moves())) + 1 == len(moves.split("; "))
    # As bestmove may answer it.
    assert moves.split("; ")[-1] == "swap"
    engine.answer("swap")
    count, moves, _ = engine.answer("validmoves")
    assert int(count) == len(list(position.moves())) and "swap" not in moves


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
    answers = list(engine.run(io.BytesIO(b"info\nquit\ninfo\n")))
    assert answers == [["id litstool v1.2.3", "ok"], []]


@pytest.mark.parametrize("gap", ["\t", "  ", " \t ", "\u00a0"])
def test_any_space_between_words(engine: Engine, gap: str) -> None:
    started(engine)
    assert engine.answer(f"{gap}play{gap}{FIRST}{gap}\r\n") == [f"{BOXES}; {FIRST}", "ok"]
    assert engine.answer(gap) == ["ok"]


def test_a_wrong_move_is_told_in_its_own_notation(engine: Engine) -> None:
    started(engine)
    for text in ("L[00,01,02,1]", "L[00,01,02]", "L[00,01,02,10", "Q[00,01,02,10]"):
        for answered in (engine.answer("play " + text), engine.answer(f"newgame {BOXES}; {text}")):
            assert text in answered[1] and "L[00,01,02,10]" in answered[1]
            assert "a1" not in answered[1]
    assert "L:a1,b1,c1,a2" in engine.answer("play L:a1,b1")[1]


def test_print_shows_the_board(engine: Engine) -> None:
    assert engine.answer("print")[0] == "err"
    started(engine)
    rows = litstool.load("boxes").pattern.rows()
    assert engine.answer("print") == [*rows, "ok"]
    engine.answer("play " + FIRST)
    shown = engine.answer("print")[:10]
    assert shown[0][:3] == "LLL" and shown[1][0] == "L"
    assert [row[3:] for row in shown] == [row[3:] for row in rows]


def test_without_the_pie_rule_there_is_no_swap(engine: Engine) -> None:
    started(engine)
    engine.answer("play " + FIRST)
    assert engine.answer("options") == ["swap on", "ok"]
    assert engine.answer("options swap off") == ["swap off", "ok"]
    assert engine.answer("options") == ["swap off", "ok"]
    assert "swap" not in engine.answer("validmoves")[1]
    for refused in ("swap", "play swap", f"newgame {BOXES}; {FIRST}; swap"):
        assert engine.answer(refused)[0] == "err"
        assert engine.answer("options")[0] == "swap off"
    engine.answer("options swap on")
    engine.answer("swap")
    # A game that has a swap needs the rule.
    assert engine.answer("options swap off")[0] == "err"
    assert engine.answer("options") == ["swap on", "ok"]


def test_without_the_pie_rule_the_engine_keeps_the_lead() -> None:
    # Under the rule an even first piece is best, else the one that covers the four Os.
    board = "OOOO..XXXX" + "." * 90
    for swaps, expected in ((True, 0), (False, 4)):
        engine = Engine("1", swaps=swaps)
        engine.answer("newgame " + board)
        move, ok = engine.answer("bestmove depth 1")
        assert ok == "ok"
        engine.answer("play " + move)
        assert int(engine.answer("score")[0]) == expected
    engine = Engine("1", swaps=False)
    engine.answer(f"newgame {'X' * 20 + '.' * 80}; L[90,91,92,80]")
    assert engine.answer("bestmove depth 1")[0] != "swap"
    assert engine.answer("bestmove time 00:00:00.2")[0] != "swap"


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("two\nlines"), RecursionError()])
def test_whatever_goes_wrong_the_conversation_goes_on(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    started(engine)
    game, line = engine.game, engine.line

    def broken(game: object) -> str:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("litstool.lits.protocol.write_engine_line", broken)
        for command in ("play " + FIRST, "newgame stripes", "swap", "undo"):
            lines = engine.answer(command)
            assert (lines[0], lines[2:]) == ("err", ["ok"]) and "\n" not in lines[1]
    assert engine.game is game and engine.line is line
    assert engine.answer("play " + FIRST) == [f"{BOXES}; {FIRST}", "ok"]


def test_lines_that_are_no_text_or_too_long_are_refused(run: Run) -> None:
    outcome = run("ltp", stdin=b"newgame boxes\nplay \xff\nplay " + b"L" * 5000 + b"\ninfo\n\x80")
    assert outcome.status == 0
    said = outcome.out.splitlines()[2:]
    assert said[0] == said[3] == "err" and "0xff" in said[1] and "4096 bytes" in said[4]
    assert said[6:8] == [f"id litstool v{litstool.__version__}", "ok"]
    assert said[8] == "err" and said[-1] == "ok"


def test_a_line_of_any_length_takes_little_memory() -> None:
    class Endless(io.RawIOBase):
        left = 30_000_000

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            count = min(len(buffer), self.left)
            self.left -= count
            buffer[:count] = b"a" * count
            return count

    stream = io.BufferedReader(Endless())
    tracemalloc.start()
    with pytest.raises(litstool.LitstoolError, match="longer than"):
        lines.read_line(stream)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
    assert lines.read_line(stream) is None


def test_no_line_of_the_longest_kind_takes_long(engine: Engine) -> None:
    chance = random.Random(3)
    for text in (
        "a" * 4000,
        "a " * 2000 + "!",
        "x:" * 2000,
        "L[" + " " * 3900 + "x",
        "9/" * 2000,
        "game: x" + " " * 3900 + "x",
        "".join(chance.choices("XO./ ;:[],", k=4000)),
    ):
        for word in ("newgame ", "play ", "bestmove ", ""):
            begun = time.process_time()
            engine.answer(word + text)
            assert time.process_time() - begun < 1


def test_the_help_of_both_is_one(run: Run, engine: Engine) -> None:
    """What the protocol lists, the command explains."""
    shown = " ".join(run("ltp", "--help").out.split())
    for command in COMMANDS.values():
        assert command.form in shown and command.meaning in shown
    told = [f"{command.form}: {command.meaning}" for command in COMMANDS.values()]
    assert engine.answer("help") == [*told, "ok"]


@pytest.mark.parametrize("arguments", [("ltp", "--json"), ("--json", "ltp")])
def test_answers_have_no_form_but_their_own(run: Run, arguments: tuple[str, ...]) -> None:
    outcome = run(*arguments, stdin=b"info\n")
    assert outcome.status == 2 and outcome.json["error"]["kind"] == "usage"


class Slowly(io.RawIOBase):
    """Input that comes bit by bit; each bit after so many seconds."""

    def __init__(self, *bits: tuple[float, bytes]) -> None:
        self.bits = list(bits)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        seconds, data = self.bits.pop(0) if self.bits else (0.0, b"")
        time.sleep(seconds)
        buffer[: len(data)] = data
        return len(data)


@pytest.mark.parametrize(
    ("limit", "words"),
    [("time 00:01:00", b"stop\ninfo\n"), ("depth 30", b"stop\ninfo\n"),
     ("time 00:01:00", b"quit\n"), ("depth 30", b"score\nquit\n")],
)  # fmt: skip
def test_a_word_ends_the_thinking(engine: Engine, limit: str, words: bytes) -> None:
    started(engine)
    begun = time.monotonic()
    think = f"bestmove {limit}\n".encode()
    answers = list(engine.run(io.BufferedReader(Slowly((0.0, think), (0.8, words)))))
    assert time.monotonic() - begun < 20
    assert parse_move(answers[0][0]) in set(engine.game.position().moves())
    # Each has its answer in its turn.
    told = {b"stop": [], b"info": ["id litstool v1.2.3"], b"score": ["0"]}
    assert answers[1:] == [[*told[word], "ok"] if word in told else [] for word in words.split()]


def test_a_stop_that_comes_at_once_is_heard(engine: Engine) -> None:
    """Before the thinking begins, and for all that waits to be thought about."""
    started(engine)
    begun = time.monotonic()
    script = b"bestmove time 00:01:00\nbestmove time 00:01:00\nstop\n"
    answers = list(engine.run(io.BytesIO(script)))
    assert [answer[-1] for answer in answers] == ["ok"] * 3 and len(answers[1]) == 2
    assert time.monotonic() - begun < 20


def test_a_script_that_ends_with_quit_has_its_answer_in_full(engine: Engine, monkeypatch) -> None:
    started(engine)
    limits = []

    def choose(position, *, control, **options):
        time.sleep(0.1)
        limits.append(control.interrupted)
        return best(position, control=control, **options | {"time_limit": 0.1})

    best = lits_engine.choose
    monkeypatch.setattr(lits_engine, "choose", choose)
    answers = list(engine.run(io.BytesIO(b"bestmove\nbestmove\nquit\n")))
    assert limits == [False, False] and len(answers) == 3


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
