"""Reach questions in text: conditions in words, a target as a grid of ``? + ! X O . L I T S #``."""

from __future__ import annotations

import re

from litstool.errors import NotationError, UsageError
from litstool.files import reading as files
from litstool.files.reading import Source, TextForm
from litstool.grid import names
from litstool.lits import notation
from litstool.lits.board import SIDES, check_size
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.lits.questions import Question, Target
from litstool.search import conditions
from litstool.search.conditions import Written

LETTERS = "?+!XO.#" + SHAPES
_LINE = re.compile(r"[0-9XOLITS?+!.#_/-]+( .*)?", re.IGNORECASE)
_OF_THE_GRID = ("game", "pattern", "board", "moves", "pieces", "name", "source", "note", "puzzle")
_GAME = re.compile("battle-of-lits", re.IGNORECASE)
_WORD = re.compile(r"[XO]|supply=\S*", re.IGNORECASE)


def read_question(position: Position, written: Written) -> tuple[Question, list[str]]:
    """The question that conditions in words make, and notes on what of them says nothing.

    :raises LitstoolError: a condition or the target cannot be read.
    """
    target = None
    notes: list[str] = []
    if written.target is not None:
        target, notes = conditions.read_target(written.target, read_target, left_aside)
        if unlike := target.unlike(position.pattern):
            notes.append(
                f"{written.target.name}: X and O in a target only say that a cell is not covered; "
                f"the board's pattern has another symbol at {names(unlike)}"
            )
    if written.passes is not None:
        raise UsageError("--passes is no condition of Battle of LITS, where nobody can pass")
    outline = position.outline
    found = conditions.read_conditions(
        written, notation.parse_move, outline, outline.mask, SIDES, SIDES
    )
    return Question(position, target, **vars(found)), notes


def is_meant_as_line(argument: str) -> bool:
    """Whether a command's argument can be a one-line target."""
    return "/" in argument and _LINE.fullmatch(argument.strip()) is not None


def read_target(source: Source) -> Target:
    """A target from a text form or, where it is YAML or JSON, from the position in it.

    What else may stand in a position says nothing: see :func:`left_aside`.

    :raises LitstoolError: the text is no target.
    """
    form = files.form_of(source.text)
    if form != "text":
        tree = files.read_tree(source, form)
        return Target.from_rows(notation.rows_of(notation.read_document(tree)))
    parts = files.split_text(source, notation.TEXT_KEYS)
    rows = parts.rows
    if len(rows) == 1 and "/" in rows[0][1]:
        number, line = rows[0]
        cells, *words = line.split()
        for word in words:
            if not _WORD.fullmatch(word):
                raise NotationError(
                    f"{word!r} does not fit after the rows of a target", source.name
                )
        rows = tuple((number, row) for row in files.expand_line(cells, source))
    upper = TextForm(source, parts.keys, tuple((number, row.upper()) for number, row in rows))
    return Target.from_rows(files.grid_rows(upper, LETTERS, check_size))


def left_aside(source: Source) -> list[str]:
    """The keys of a target that say nothing, since only its grid counts.

    :raises UsageError: it is of another game.
    """
    keys = files.keys_of(source, notation.TEXT_KEYS)
    if "game" in keys and not _GAME.search(source.text):
        raise UsageError("the target is of another game than the position", source.name)
    aside = [key for key in keys if key not in _OF_THE_GRID]
    if files.form_of(source.text) == "text" and "/" in source.text:
        words = source.text.split()[1:]
        aside += ["supply" if "=" in word else "to-move" for word in words if _WORD.fullmatch(word)]
    return aside
