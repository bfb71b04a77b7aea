"""Every parser under random changes of real inputs: files, arguments, options, sessions.

Some 20 seconds of it by default, the same ones each time; as long as one likes with

    LITSTOOL_FUZZ_SECONDS=3600 pytest -m slow tests/test_fuzz.py

where the seconds are for all tests together.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import pytest
from conftest import EXAMPLES, ROOT, STANDARD_BOARDS
from fuzzing import TOKENS, argument, call, changed, contents, fuzz
from hypothesis import strategies as st

import litstool
from litstool.cli.main import COMMANDS, cli
from litstool.lits import book, engine
from litstool.lits.cluster import solve_all
from litstool.lits.notation import pattern_named, write_engine_line
from litstool.lits.protocol import Engine
from litstool.search.workers import Crew

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals bound a call's time")

SECONDS = 2.0
"""For each test by default."""

FORMS = ("text", "line", "yaml", "json", "ltp")

POSITION_FILES = [
    *contents(EXAMPLES, "*.txt", "game-*.yaml", "endgame-*.yaml", "illegal/*", "mijnlieff/*"),
    *contents(EXAMPLES / "puzzles", "puzzle-0*.yaml"),
    *contents(ROOT / "patterns", "*.txt"),
]
LINES = [
    b"4/4/4/4", b"XXOO/4/4/OOXX O", b"IIIIX/5/2LLL/2L2/OOOOO X supply=L1,I2,T0,S5",
    b"....\n####\n4444", b"boxes", b"stripes", b"mijnlieff 4/4/4/4",
    b"mijnlieff 4/1S2/4/4 Dark last=straight@b2 gaps=ignore", b"XO" * 50,
    b"XO" * 50 + b"; L[00,01,02,10]; swap; T[03,04,05,14]", b"/", b"./no/such/file.yaml",
]  # fmt: skip
SESSION = b"\n".join(
    [b"info", b"newgame boxes", b"play L[00,01,02,10]", b"swap", b"undo", b"validmoves", b"print",
     b"newgame " + b"X.O." * 25 + b"; L[00,01,02,10]; swap", b"score", b"pv", b"options swap off",
     b"play L:a1,b1,c1,a2", b"help", b"newgame", b"options", b"play swap", b"newgame 4/4/4/4"]
)  # fmt: skip
TYPED = b"\n".join(
    [b"moves", b"a1 b1 c1 a2", b"L a1 b1 c1 a2", b"undo", b"T:d1,e1,f1,e2", b"swap", b"show",
     b"moves T e1 all", b"level random", b"save other.yaml", b"help", b"straight@a1", b"s c3"]
)  # fmt: skip


@pytest.fixture(
    params=[SECONDS, pytest.param(float(os.environ.get("LITSTOOL_FUZZ_SECONDS", "600")) / 9,
                                  marks=pytest.mark.slow)],
    ids=["a moment", "long"],
)  # fmt: skip
def seconds(request: pytest.FixtureRequest) -> float:
    """How long a test looks."""
    return float(request.param)


@pytest.fixture(autouse=True)
def in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.fixture(scope="module")
def compiled() -> None:
    """What is compiled once on a machine is not part of any call's time."""
    for path in (EXAMPLES / "endgame-3.yaml", EXAMPLES / "first-moves" / "4x4-a.txt"):
        position = litstool.load(str(path)).position()
        litstool.solve(position)
        engine.choose(position, time_limit=0.1)


def judge_position(position: object, command: tuple[str, ...], stdin: bytes = b"") -> None:
    """A position goes through a command; a legal one keeps its meaning in every other form."""
    call(*command, position, stdin=stdin)
    line = call("convert", position, "--to", "line", stdin=stdin)
    if line.status or call("validate", position, stdin=stdin).status:
        return
    for form in FORMS:
        written = call("convert", position, "--to", form, stdin=stdin)
        if written.status == 0:
            again = call("convert", "-", "--to", "line", stdin=written.out)
            assert again.out == line.out, (form, written.out)


COMMANDS_OF_A_POSITION = st.sampled_from(
    [("validate", "--json"), ("show",), ("show", "--json"), ("show", "--heat", "gain"),
     ("moves", "--json"), ("moves", "--sort", "cells"), ("convert", "--to", "ltp"),
     ("convert", "--json", "--to", "text"), ("validate", "--jsonl"), ("pattern", "show")]
)  # fmt: skip


def test_files(seconds: float) -> None:
    def check(example: tuple[bytes, tuple[str, ...]]) -> None:
        data, command = example
        Path("position").write_bytes(data)
        judge_position("position", command)

    fuzz(st.tuples(changed(POSITION_FILES), COMMANDS_OF_A_POSITION), check, seconds)


def test_arguments(seconds: float) -> None:
    def check(example: tuple[bytes, tuple[str, ...]]) -> None:
        data, command = example
        word = argument(data)
        if word == "-" or word.startswith("/dev/"):
            return
        judge_position(word if not word.startswith("-") else f"./{word}", command)

    fuzz(st.tuples(changed(LINES), COMMANDS_OF_A_POSITION), check, seconds)


def test_standard_input(seconds: float) -> None:
    fuzz(
        st.tuples(changed([*POSITION_FILES[:8], *LINES]), COMMANDS_OF_A_POSITION),
        lambda example: judge_position("-", example[1], example[0]),
        seconds,
    )


# -- options ---------------------------------------------------------------------------------------

# What bounds a command that may take long; the rest is read and refused, or done in a moment.
BOUNDED: dict[str, tuple[str, ...]] = {
    "show": ("four.txt",), "validate": ("four.txt",), "moves": ("four.txt",),
    "solve": ("four.txt",), "analyze": ("four.txt", "--time-limit", "0.05"),
    "play": ("four.txt", "--engine", "none"), "convert": ("four.txt", "--to", "yaml"),
    "reach": ("four.txt", "--time-limit", "0.2"), "pattern show": ("boxes",), "ltp": (),
    "pattern list": (), "puzzle show": ("puzzle.yaml",), "book show": ("boxes",),
    "pattern new": ("--size", "4x4", "--symbols", "2", "--effort", "10000", "--time-limit", "0.2"),
}  # fmt: skip

VALUES = st.one_of(
    st.sampled_from(
        ["", "0", "-1", "1", "3", "1e308", "nan", "inf", "9" * 25, "9" * 5000, "0x10", "٣", "1_0",
         "a1", "a1,b2", "z99", "L:a1,b1,c1,a2", "X", "O", "half-turn", "all", "none", "score",
         "4x4", "99x99", "1-2", "2..1", "four.txt", "no/such/folder/file.svg", "x" * 300 + ".yaml",
         "new.svg", "new.png", "new.yaml", "new.html", "\x1b[2J", "\udc8a", "{}", "[", "../", "."]
    ),
    st.text(max_size=12).filter(lambda text: "\0" not in text),
    changed([b"L:a1,b1,c1,a2", b"a1,b1", b"0.5", b"12"]).map(argument),
)  # fmt: skip


def _leaves() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        if isinstance(command, click.Group):
            for part in command.list_commands(context):
                yield f"{name} {part}", command.get_command(context, part)  # type: ignore[misc]
        else:
            yield name, command  # type: ignore[misc]


@st.composite
def calls(draw: st.DrawFn) -> list[str]:
    """A command with up to three of its options, wrong values more often than right ones."""
    name, command = draw(st.sampled_from([leaf for leaf in _leaves() if leaf[0] in BOUNDED]))
    words = [*name.split(), *BOUNDED[name]]
    options = [each for each in command.params if isinstance(each, click.Option)]
    # A cluster is looked for as long as its own test says.
    options = [each for each in options if each.name not in ("scheduler", "effort", "number")]
    for option in draw(st.lists(st.sampled_from(options), max_size=3)):
        words.append(draw(st.sampled_from(option.opts)))
        if not option.is_flag:
            if isinstance(option.type, click.Choice) and draw(st.booleans()):
                words.append(str(draw(st.sampled_from(list(option.type.choices)))))
            else:
                words.append(draw(VALUES))
    if draw(st.integers(0, 9)) == 0:
        words.insert(draw(st.integers(0, len(words))), draw(VALUES))
    return words


def test_options(seconds: float, tmp_path: Path, compiled: None) -> None:
    puzzle = contents(EXAMPLES / "puzzles", "puzzle-01.yaml")[0]

    def check(words: list[str]) -> None:
        for path in tmp_path.iterdir():
            if path.is_file():
                path.unlink()
        Path("four.txt").write_text("XO.O\n.XO.\nO..X\nX.OX\n", encoding="utf-8")
        Path("puzzle.yaml").write_bytes(puzzle)
        call(*words, stdin=b"quit\n")
        # Whatever was asked for, an input is as it was.
        assert Path("puzzle.yaml").read_bytes() == puzzle

    fuzz(calls(), check, seconds)


# -- documents of their own ------------------------------------------------------------------------


def test_puzzles(seconds: float, compiled: None) -> None:
    puzzles = contents(EXAMPLES / "puzzles", "puzzle-[01]*.yaml")

    def check(example: tuple[bytes, bool]) -> None:
        data, solution = example
        Path("puzzle.yaml").write_bytes(data)
        call("puzzle", "show", "puzzle.yaml", *(["--solution"] if solution else ["--json"]))
        if solution:
            call("puzzle", "check", "puzzle.yaml", "--time-limit", "0.1")

    fuzz(st.tuples(changed(puzzles), st.booleans()), check, seconds)


def test_books(seconds: float) -> None:
    """A damaged book is refused, or says of every first move what it said before, or less."""
    pattern = pattern_named("monogram")
    assert pattern is not None
    whole = book.read(ROOT / "patterns" / "monogram.book.yaml", pattern)
    data = (ROOT / "patterns" / "monogram.book.yaml").read_bytes()

    def check(changed_data: bytes) -> None:
        path = Path("some.book.yaml")
        path.write_bytes(changed_data)
        with contextlib.suppress(litstool.LitstoolError):
            assert book.read(path, pattern).winners.count("X") <= 1292

    assert whole.winners.count("X") > 0
    fuzz(changed([data], most=2), check, seconds)


def test_results(seconds: float) -> None:
    """A damaged file of results is refused, or the answer is the right one."""
    position = litstool.load(str(EXAMPLES / "endgame-3.yaml")).position()
    path = Path("results.jsonl")
    with ThreadPoolExecutor(1) as executor:
        crew = Crew.of(executor)
        right = solve_all(position, crew, path)
        data = path.read_bytes()

        def check(changed_data: bytes) -> None:
            path.write_bytes(changed_data)
            try:
                found = solve_all(position, crew, path)
            except litstool.LitstoolError:
                return
            assert (found.winner, found.margin, found.moves) == (
                right.winner,
                right.margin,
                right.moves,
            )

        fuzz(changed([data], most=2), check, seconds)


def test_targets(seconds: float) -> None:
    grids = [b"????\n?+!?\nL...\n????", b"4/4/4/4", b"??/..", b"X??O/?+?!/????/LLLI"]

    def check(data: bytes) -> None:
        Path("target").write_bytes(data)
        call("reach", "XO.O/.XO./O..X/X.OX", "--to", "target", "--time-limit", "0.2", "--json")

    fuzz(changed(grids), check, seconds)


# -- conversations ---------------------------------------------------------------------------------


def test_ltp_sessions(seconds: float) -> None:
    """Every line has its answer, and what is refused changes nothing."""
    starts = [SESSION, *(b"newgame " + write_engine_line(litstool.load(name)).encode()
                         for name in STANDARD_BOARDS)]  # fmt: skip

    def check(data: bytes) -> None:
        data = b"\n".join(data.split(b"\n")[:60])
        if b"bestmove" in data:
            return
        answered = call("ltp", stdin=data)
        assert answered.status == 0
        engine = Engine("1")
        for line in data.decode("utf-8", "replace").splitlines():
            before = engine.game, engine.line, engine.swaps
            lines = engine.answer(line[:4000])
            assert engine.ended or lines[-1] == "ok"
            if lines[:1] == ["err"]:
                assert len(lines) == 3 and lines[1].isprintable()
                assert before == (engine.game, engine.line, engine.swaps)

    fuzz(changed(starts, most=8), check, seconds)


def test_games_that_are_played(seconds: float) -> None:
    """Whatever is typed, the game goes on, and what was played is in a file that is read."""
    games = contents(EXAMPLES, "game-*.yaml", "mijnlieff/board-*.txt", "endgame-*.yaml")

    def check(example: tuple[bytes, bytes]) -> None:
        saved, typed = example
        # Each move is on the disk before the next one is asked for.
        typed = b"\n".join(typed.split(b"\n")[:60])
        for path in Path().iterdir():
            path.unlink()
        Path("game.yaml").write_bytes(saved)
        outcome = call("play", "game.yaml", "--engine", "none", "--save", "new.yaml", stdin=typed)
        if outcome.status == 0:
            for path in Path().glob("*.yaml"):
                if path.name != "game.yaml":
                    assert call("validate", path).status == 0
        assert Path("game.yaml").read_bytes() == saved

    typed = changed([TYPED, b"\n".join([TYPED] * 2)], most=6).filter(
        lambda text: b"hint" not in text
    )
    fuzz(st.tuples(changed(games, most=1), typed), check, seconds)


def test_the_fuzzer_finds_what_is_wrong() -> None:
    """It is no use if it cannot fail."""

    def check(data: bytes) -> None:
        assert b"\x1b" not in data

    with pytest.raises(AssertionError):
        fuzz(changed([b"a"]), check, 5)
    assert any(b"\x1b" in token for token in TOKENS)
