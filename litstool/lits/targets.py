"""Targets of reach questions in text: a grid of ``? + ! X O . L I T S #``, as text or one line."""

from __future__ import annotations

import re

from litstool.errors import NotationError, UsageError
from litstool.files import reading as files
from litstool.files.reading import Source, TextForm
from litstool.lits import notation
from litstool.lits.board import check_size
from litstool.lits.placements import SHAPES
from litstool.lits.questions import Target

LETTERS = "?+!XO.#" + SHAPES
_LINE = re.compile(r"[0-9XOLITS?+!.#_/-]+( .*)?", re.IGNORECASE)
_OF_THE_GRID = ("game", "pattern", "board", "moves", "pieces", "name", "source", "note", "puzzle")
_GAME = re.compile("battle-of-lits", re.IGNORECASE)
_WORD = re.compile(r"[XO]|supply=\S*", re.IGNORECASE)


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
