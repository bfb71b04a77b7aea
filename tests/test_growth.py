"""Hostile text costs time in proportion to its length, whatever it repeats."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import pytest

from litstool import games
from litstool.errors import LitstoolError
from litstool.files.reading import MOST_BYTES, Source, write_json
from litstool.lits import notation as lits
from litstool.lits import targets
from litstool.mijnlieff import notation as mijnlieff
from litstool.mijnlieff import questions

LENGTH = MOST_BYTES // 8

REPEATED = {
    "spaces within a key": ("a", " ", "!"),
    "letters of a key": ("", "a ", "!"),
    "spaces after the game": ("game: x", " ", "x"),
    "tabs before a game": ("", "\t", "game x"),
    "games": ("", "game \n", "x"),
    "a game's colon": ("game", " ", "x"),
    "backslashes": ('{"name": "', "\\\\", '"}'),
    "odd backslashes": ('{"name": "', "\\\\", '\\ud83d"}'),
    "half characters": ('{"name": "', "\\ud83d", '"}'),
    "spaces in a move of an engine": ("L[00", " ", "!"),
    "cells of an engine": ("L[00", ",01", "!"),
    "letters of a move": ("L:", "a", ""),
    "commas": ("", ",", "a"),
    "digits": ("", "9", "x"),
    "numbers": ("L", " 7", "!"),
    "rows": ("", "X/", ""),
    "short rows": ("", "X\n", ""),
    "keys and rows": ("", "X\nname: a\n", ""),
    "signs of blanks": ("", "X_-.", ";"),
    "documents": ("", "---\n", "x"),
    "comments": ("", ";\n", "x"),
    "quotes": ('pattern: "', "'", ""),
    "open lists": ("pattern: ", "[", ""),
    "open mappings": ("pattern: ", "{a: ", ""),
    "indented lists": ("pattern:\n", "- ", ""),
    "keys of YAML": ("pattern: boxes\n", "a: 1\n", ""),
    "different keys of YAML": ("pattern: boxes\nname: ", "a b: ", ""),
    "moves": ("pattern: boxes\nmoves:\n", "- swap\n", ""),
    "swaps of a line": ("." * 100, "; swap", ""),
    "word of a line": ("4/4/4/4 ", "X ", ""),
    "words of mijnlieff": ("mijnlieff 4/4/4/4 ", "last= ", ""),
    "spaces of mijnlieff": ("mijnlieff", " ", "x"),
    "moves of mijnlieff": ("game: mijnlieff\nboard: 4/4/4/4\nmoves:\n", "- pass\n", ""),
    "columns of a drawing": ("  ", "   a   b   c\n", ""),
    "bars of a drawing": ("", "│", "x"),
}

READERS: dict[str, Callable[[str], object]] = {
    "a file": lambda text: games.read(Source("text", text)),
    "several": lambda text: list(games.read_all(Source("text", text))),
    "a move": lits.parse_move,
    "a supply": lits.parse_supply,
    "a target": lambda text: (
        targets.is_meant_as_line(text) and targets.read_target(Source("text", text))
    ),
    "a move of mijnlieff": mijnlieff.parse_move,
    "a target of mijnlieff": lambda text: (
        questions.is_meant_as_line(text) and questions.read_target(Source("text", text))
    ),
    "an argument": games.load,
    "JSON": lambda text: write_json({"text": text}),
}


def seconds(read: Callable[[str], object], text: str) -> float:
    started = time.process_time()
    with contextlib.suppress(LitstoolError):
        read(text)
    return time.process_time() - started


@pytest.mark.parametrize("kind", REPEATED)
def test_time_grows_with_the_length(kind: str) -> None:
    head, repeated, tail = REPEATED[kind]
    for name, read in READERS.items():
        short, long = (
            head + repeated * (length // len(repeated)) + tail for length in (LENGTH // 4, LENGTH)
        )
        if seconds(read, long) < 0.05:
            continue
        # Four times the length: four times the time, where sixteen would be quadratic.
        ratio = min(seconds(read, long) / max(seconds(read, short), 1e-3) for _ in range(3))
        assert ratio < 9, f"{name}: {ratio:.1f}"
