"""The puzzles that come with the program, as the page offers them."""

from __future__ import annotations

import contextlib
from functools import cache
from pathlib import Path
from typing import Any

from litstool import games
from litstool.board.desk import entry_of
from litstool.board.fields import Fields
from litstool.errors import LitstoolError, UsageError
from litstool.files.reading import Source, data_folder, read_file
from litstool.game import DRAW
from litstool.tasks import puzzles


@cache
def _files() -> dict[str, Path]:
    """Every puzzle's file by its name: its path among the puzzles, those in no folder first."""
    folder = data_folder("examples") / "puzzles"
    paths = sorted(folder.rglob("*.yaml"), key=lambda path: (len(path.parts), path))
    return {path.relative_to(folder).with_suffix("").as_posix(): path for path in paths}


@cache
def _listed() -> list[dict[str, Any]]:
    found = []
    for name, path in _files().items():
        try:
            found.append({"name": name, **_told(read_file(path))})
        except LitstoolError:
            continue
    order = {grade: number for number, grade in enumerate(puzzles.GRADES)}
    return sorted(found, key=lambda each: order.get(each["grade"], len(order)))


def _told(source: Source) -> dict[str, Any]:
    """What is said of a puzzle before it is solved."""
    record = games.read(source)
    claim = puzzles.of(source, record).claim
    return {
        "label": record.name or source.name,
        "game": record.game,
        "grade": None if claim is None else claim.grade,
        "plies": None if claim is None else claim.plies,
    }


def listed(fields: Fields) -> dict[str, Any]:
    """All puzzles that come with the program, by grade."""
    return {"puzzles": _listed()}


def puzzle(fields: Fields) -> dict[str, Any]:
    """A puzzle: one of these by its name, or the one in a text, with its solution tree."""
    name, text = fields.maybe("name"), fields.maybe_text("text")
    if text is None:
        if name not in _files():
            raise UsageError(f"there is no puzzle {str(name)[:40]!r}")
        source = read_file(_files()[str(name)])
    else:
        source = Source(name or "the text", text)
    record = games.read(source)
    record.position()
    claim = None
    # A position of a game whose files claim nothing is a puzzle too.
    with contextlib.suppress(UsageError):
        claim = puzzles.of(source, record).claim
    return {
        **entry_of(record, name or "puzzle"),
        "grade": None if claim is None else claim.grade,
        "plies": None if claim is None else claim.plies,
        "saves_draw": claim is not None and claim.winner == DRAW,
        "lines": [] if claim is None else [list(line) for line in claim.lines],
    }
