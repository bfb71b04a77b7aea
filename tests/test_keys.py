"""Every key of a file and every command: used, refused, or set aside aloud; nothing is ignored.

The tables below have a row for each key and a column for each command that reads a position:

* ``u``  used: another value of the key makes another answer;
* ``r``  refused: the command ends with an error that says why;
* ``t``  told: set aside, which standard error says by the name of the key;
* ``-``  free text: words about the game, which have no bearing on the answer.
"""
# ruff: noqa: E501

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Run

from litstool.cli.main import COMMANDS as ALL_COMMANDS
from litstool.lits import notation
from litstool.mijnlieff import notation as mijnlieff_notation

Document = dict[str, Any]
Pair = tuple[Document, Document]

FEW = ("--games", "50", "--strong-games", "1", "--first-move-games", "1")
COMMANDS: dict[str, tuple[str, ...]] = {
    "show": ("show", "FILE"),
    "show --json": ("show", "FILE", "--json"),
    "validate": ("validate", "FILE"),
    "moves": ("moves", "FILE", "--json"),
    "solve": ("solve", "FILE", "--json", "--time-limit", "0.05"),
    "analyze": ("analyze", "FILE", "--json", "--time-limit", "0.02"),
    "play": ("play", "FILE", "--engine", "none"),
    "reach": ("reach", "FILE", "--at-least", "2", "--json"),
    "reach --to": ("reach", "BOARD", "--to", "FILE", "--json"),
    "pattern show": ("pattern", "show", "FILE", "--json"),
    "pattern check": ("pattern", "check", "FILE", "--json", *FEW),
    "pattern new": ("pattern", "new", "--outline", "FILE", "--seed", "1", "--json"),
    "puzzle new": ("puzzle", "new", "--from", "FILE", "--plies", "3", "-n", "1", "--json"),
    "puzzle check": ("puzzle", "check", "FILE", "--json"),
    "puzzle show": ("puzzle", "show", "FILE"),
    "book": ("book", "show", "FILE"),
    "to text": ("convert", "FILE", "--to", "text"),
    "to line": ("convert", "FILE", "--to", "line"),
    "to yaml": ("convert", "FILE", "--to", "yaml"),
    "to json": ("convert", "FILE", "--to", "json"),
    "to ltp": ("convert", "FILE", "--to", "ltp"),
}
WITHOUT_A_FILE = {"ltp", "examples", "board"}
"""Commands that read no position from a file, or show all of it on a page that is served."""

PATTERN, OTHER = "XO.X\n.XOO\nO..X\nXOXO\n", "OX.X\n.XOO\nO..X\nXOXO\n"
HOLED = "#O.X\n.XOO\nO..X\nXOXO\n"
GRID = "....\n" * 4
PIECE, WRONG = "L:a1,b1,c1,a2", "T:a1,b1,c1,b2"
PLAYERS = {"first": "Ada", "second": "Bela"}


def widened(document: Document) -> Document:
    """The same on a board of 10 x 10, as the public engines' game line has it."""
    made = dict(document)
    for key in ("pattern", "board"):
        if key in made:
            rows = [row + "." * 6 for row in made[key].split()]
            made[key] = "\n".join(rows + ["." * 10] * 6) + "\n"
    return made


def lits(**changes: Any) -> Document:
    return {"pattern": PATTERN} | {key.replace("_", "-"): value for key, value in changes.items()}


def bare(**changes: Any) -> Document:
    return {key.replace("_", "-"): value for key, value in changes.items()}


LITS_PAIRS: dict[str, list[Pair]] = {
    "game": [(bare(board=GRID), bare(game="mijnlieff", board=GRID))],
    "pattern": [
        (lits(), lits(pattern=OTHER)),
        (lits(), lits(pattern=HOLED)),
        (lits(moves=[PIECE]), lits(moves=[PIECE], pattern=HOLED)),
    ],
    "board": [
        (bare(board="LLL.\nLXOO\nO..X\nXOXO\n"), bare(board=".LLL\n.LOO\nO..X\nXOXO\n")),
        (bare(board="LLL.\nLXOO\nO..X\nXOXO\n"), bare(board="LLLL\n.XOO\nO..X\nXOXO\n")),
        (bare(board=PATTERN), bare(board=HOLED)),
    ],
    "moves": [(lits(), lits(moves=[PIECE])), (lits(moves=[PIECE]), lits(moves=[PIECE, WRONG]))],
    "pieces": [(lits(), lits(pieces=[PIECE])), (lits(), lits(pieces=[PIECE, WRONG]))],
    "to-move": [(lits(), lits(to_move="O"))],
    "supply": [
        (lits(), lits(supply={"L": 0, "I": 1, "T": 1, "S": 1})),
        (lits(moves=[PIECE]), lits(moves=[PIECE], supply={"L": 0})),
    ],
    "players": [(lits(), lits(players=PLAYERS))],
    "name": [(lits(), lits(name="A name"))],
    "source": [(lits(), lits(source="A source"))],
    "note": [(lits(), lits(note="A note"))],
    "puzzle": [(lits(), lits(puzzle={"solution": [PIECE]}))],
}
"""For each key files that differ in it alone; where one pair is answered alike, the next counts."""

# fmt: off
LITS_TABLE = {
    #           show     val.  solve   play    reach     p.sh.   p.new   pz.ch.  book    line    json
    #               json    moves  analyze reach   --to     p.ch.   pz.new  pz.sh.  text    yaml    ltp
    "game":    "u   u    u  u   u   u   u   u       r       r   r   r   x   x   u   r   u   u   u   u   r",
    "pattern": "u   u    u  u   u   u   u   u       t       u   u   u   u   u   u   r   u   u   u   u   u",
    "board":   "u   u    u  u   u   u   u   u       u       r   r   u   u   u   u   r   u   u   u   u   r",
    "moves":   "u   u    u  u   u   u   u   u       u       t   t   t   u   u   u   r   u   u   u   u   u",
    "pieces":  "u   u    u  u   u   u   u   u       u       t   t   t   u   u   u   r   u   u   u   u   u",
    "to-move": "u   u    u  u   u   u   u   u       t       t   t   t   u   u   u   r   u   u   u   u   r",
    "supply":  "u   u    u  u   u   u   u   u       t       u   u   t   u   u   u   r   u   u   u   u   r",
    "players": "u   u    -  -   -   -   u   -       t       t   t   t   -   -   u   r   t   t   u   u   t",
    "name":    "u   u    -  -   -   -   u   -       -       u   u   -   -   -   u   r   u   t   u   u   t",
    "source":  "-   -    -  -   -   -   -   -       -       -   -   -   -   -   -   r   t   t   u   u   t",
    "note":    "-   -    -  -   -   -   -   -       -       -   -   -   -   -   -   r   t   t   u   u   t",
    "puzzle":  "-   -    -  -   -   -   -   -       -       -   -   -   -   u   u   r   t   t   t   t   t",
}
# fmt: on


def mijnlieff(**changes: Any) -> Document:
    return {"game": "mijnlieff", "board": GRID} | {
        key.replace("_", "-"): value for key, value in changes.items()
    }


PLAYED = "S...\n....\n....\n....\n"
RING = "#..##\n#....\n..#..\n....#\n##..#\n"
GAPPED = "....##\n....##\n##....\n##....\n"
MIJNLIEFF_PAIRS: dict[str, list[Pair]] = {
    "game": [(mijnlieff(), bare(board=GRID))],
    "board": [
        (mijnlieff(), mijnlieff(board=GAPPED)),
        (mijnlieff(), mijnlieff(board=PLAYED, to_move="Dark")),
        (mijnlieff(), mijnlieff(board=".SS.\nSSS.\n....\n....\n", to_move="Dark")),
    ],
    "offsets": [
        (mijnlieff(), bare(game="mijnlieff", offsets=[0, 0, 0, 2, 2, 2, 2, 4])),
        (
            mijnlieff(moves=["straight@a4"]),
            bare(game="mijnlieff", offsets=[0, 0, 0, 2, 2, 2, 2, 4], moves=["straight@a4"]),
        ),
    ],
    "moves": [
        (mijnlieff(), mijnlieff(moves=["straight@a1"])),
        (mijnlieff(), mijnlieff(moves=["straight@b2"])),
    ],
    "to-move": [(mijnlieff(), mijnlieff(to_move="Dark"))],
    "last": [
        (
            mijnlieff(board=PLAYED, to_move="Dark"),
            mijnlieff(board=PLAYED, to_move="Dark", last="straight@a1"),
        ),
        (
            mijnlieff(board=PLAYED, to_move="Dark"),
            mijnlieff(board=PLAYED, to_move="Dark", last="puller@a1"),
        ),
        (mijnlieff(), mijnlieff(board=PLAYED, to_move="Dark", last="straight@a1")),
    ],
    "gaps": [
        (
            mijnlieff(board=RING, moves=["straight@a3"]),
            mijnlieff(board=RING, moves=["straight@a3"], gaps="ignore"),
        ),
        (
            mijnlieff(board=RING, moves=["straight@a3", "straight@d3"]),
            mijnlieff(board=RING, moves=["straight@a3", "straight@d3"], gaps="ignore"),
        ),
    ],
    "opening": [
        (mijnlieff(), mijnlieff(opening="free")),
        (mijnlieff(moves=["straight@b2"]), mijnlieff(moves=["straight@b2"], opening="free")),
    ],
    "players": [(mijnlieff(), mijnlieff(players=PLAYERS))],
    "name": [(mijnlieff(), mijnlieff(name="A name"))],
    "puzzle": [(mijnlieff(), mijnlieff(puzzle={"solution": ["straight@a1"]}))],
    "source": [(mijnlieff(), mijnlieff(source="A source"))],
    "note": [(mijnlieff(), mijnlieff(note="A note"))],
}


# fmt: off
MIJNLIEFF_TABLE = {
    #           show     val.  solve   play    reach     p.sh.   p.new   pz.ch.  book    line    json
    #               json    moves  analyze reach   --to     p.ch.   pz.new  pz.sh.  text    yaml    ltp
    "game":    "u   u    u  u   u   u   u   u       u       u   u   u   x   x   x   r   u   u   u   u   u",
    "board":   "u   u    u  u   u   u   u   u       u       r   r   r   x   x   x   r   u   u   u   u   r",
    "offsets": "u   u    u  u   u   u   u   u       u       r   r   r   x   x   x   r   u   u   u   u   r",
    "moves":   "u   u    u  u   u   u   u   u       u       r   r   r   x   x   x   r   u   u   u   u   r",
    "to-move": "u   u    u  u   u   u   u   u       t       r   r   r   x   x   x   r   u   u   u   u   r",
    "last":    "u   u    u  u   u   u   u   u       t       r   r   r   x   x   x   r   u   u   u   u   r",
    "gaps":    "u   u    u  u   u   u   u   u       t       r   r   r   x   x   x   r   u   u   u   u   r",
    "opening": "u   u    u  u   u   u   u   u       t       r   r   r   x   x   x   r   u   u   u   u   r",
    "players": "u   u    -  -   -   -   u   -       t       r   r   r   x   x   x   r   t   t   u   u   r",
    "name":    "u   u    -  -   -   -   u   -       -       r   r   r   x   x   x   r   u   t   u   u   r",
    "source":  "-   -    -  -   -   -   -   -       -       r   r   r   x   x   x   r   t   t   u   u   r",
    "note":    "-   -    -  -   -   -   -   -       -       r   r   r   x   x   x   r   t   t   u   u   r",
    "puzzle":  "-   -    -  -   -   -   -   -       -       r   r   r   x   x   x   r   t   t   t   t   r",
}
# fmt: on


@pytest.fixture
def answers(run: Run, tmp_path: Path) -> Callable[[str, Pair], tuple[Outcome, Outcome]]:
    """What a command says of the two files of a pair."""

    def answers(command: str, pair: Pair) -> tuple[Outcome, Outcome]:
        found = []
        for file, document in zip(("one.json", "two.json"), pair, strict=True):
            document = widened(document) if command == "to ltp" else document
            (tmp_path / file).write_text(json.dumps(document), encoding="utf-8")
            names = {"FILE": str(tmp_path / file), "BOARD": str(tmp_path / "one.json")}
            outcome = run(*[names.get(word, word) for word in COMMANDS[command]], stdin=b"quit\n")
            # What differs from one run to the next.
            parts = [
                re.sub(r"(one|two)\.json", "FILE", re.sub(EFFORT, "", text))
                for text in (outcome.out, outcome.err)
            ]
            found.append(Outcome(outcome.status, *parts))
        return found[0], found[1]

    return answers


EFFORT = r'"(seconds|nodes|games|conflicts)": [^\n]*'
LIMITED = ("solve", "analyze")
"""Their answers depend on what the time allows."""


def holds(letter: str, key: str, one: Outcome, two: Outcome, limited: bool) -> bool:
    """Whether a pair of answers is as the table says of a key."""
    notes = [line for line in two.err.splitlines() if line.startswith("note: ")]
    named = any(re.search(rf"\b{key}\b", line) for line in notes)
    if letter == "u":
        return (one.status, one.out) != (two.status, two.out)
    if letter == "t":
        return named and one.status == two.status and one.status in (0, 1)
    if letter == "r":
        return two.status in (1, 2) and ("litstool: " in two.err or '"error"' in two.out)
    return one.status == two.status and (limited or one.out == two.out) and not named


NOT_TRIED = "x"
"""Puzzles of Mijnlieff, whose empty board takes seconds to solve: see test_mijnlieff_puzzles."""


def cells(table: dict[str, str]) -> list[tuple[str, str, str]]:
    """The key, the command and the letter of each cell of a table."""
    return [
        (key, command, letter)
        for key, row in table.items()
        for command, letter in zip(COMMANDS, row.split(), strict=True)
        if letter != NOT_TRIED
    ]


@pytest.mark.parametrize(("key", "command", "letter"), cells(LITS_TABLE))
def test_every_key_of_battle_of_lits(answers, key: str, command: str, letter: str) -> None:
    pairs = LITS_PAIRS[key]
    found = [answers(command, pair) for pair in pairs]
    assert any(holds(letter, key, *each, command in LIMITED) for each in found), found


@pytest.mark.parametrize(("key", "command", "letter"), cells(MIJNLIEFF_TABLE))
def test_every_key_of_mijnlieff(answers, key: str, command: str, letter: str) -> None:
    pairs = MIJNLIEFF_PAIRS[key]
    found = [answers(command, pair) for pair in pairs]
    assert any(holds(letter, key, *each, command in LIMITED) for each in found), found


def test_the_tables_have_every_key_and_every_command() -> None:
    assert set(LITS_TABLE) == set(notation.TREE_KEYS)
    assert set(MIJNLIEFF_TABLE) == set(mijnlieff_notation.TREE_KEYS)
    named = {words[0] for words in COMMANDS.values()}
    assert named | WITHOUT_A_FILE == set(ALL_COMMANDS)


def test_a_target_of_other_symbols_or_another_game_is_told(run: Run) -> None:
    outcome = run("reach", "XO1X/1XOO/O2X/XOXO", "--to", "OX1X/1XOO/O2X/XOXO O supply=L1")
    assert outcome.status == 0
    assert "another symbol at a1,b1" in outcome.err
    assert "not to-move, supply" in outcome.err
    target = "mijnlieff S3/4/4/4 Dark last=straight@a1 gaps=ignore"
    outcome = run("reach", "mijnlieff 4/4/4/4", "--to", target)
    assert outcome.status == 0 and "not to-move, last, gaps" in outcome.err
