"""Tells the two games apart, so that one command serves both.

Each game's room offers the same names: a ``notation`` module that reads and writes, and a record
with ``violations()``, ``position()`` and ``at(ply)``.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType
from typing import Any

from litstool.errors import LitstoolError, NotationError, SourceError, UsageError
from litstool.files import (
    Node,
    Source,
    data_folder,
    form_of,
    nearest,
    read_file,
    read_standard_input,
    read_tree,
)
from litstool.lits import notation as lits_notation

LITS, MIJNLIEFF = "battle-of-lits", "mijnlieff"
_ROOMS = {LITS: "litstool.lits", MIJNLIEFF: "litstool.mijnlieff"}
_GAME_LINE = re.compile(r"^[ \t]*game[ \t]*:[ \t]*(.*?)[ \t]*$", re.IGNORECASE | re.MULTILINE)


def room(game: str, module: str) -> ModuleType:
    """A module of a game, such as its ``notation`` or ``solver``, imported on first use.

    :raises UsageError: the game has no such room yet.
    """
    name = f"{_ROOMS[game]}.{module}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise UsageError(f"this version of litstool has no {module} of {game}") from None


def drawing(game: str) -> ModuleType:
    """The module that draws a game's positions, imported on first use."""
    return importlib.import_module(f"litstool.draw.{'lits' if game == LITS else game}")


def load(argument: str) -> tuple[Source, Any]:
    """What a POSITION argument names: ``-``, a file, a standard board or a one-line position.

    :raises LitstoolError: it is none of these, or what it names cannot be read.
    """
    source = find(argument)
    return source, read(source)


def find(argument: str) -> Source:
    """The text that a POSITION argument stands for.

    :raises SourceError: nothing fits; the message says what was tried.
    """
    if argument == "-":
        return read_standard_input()
    if not argument.strip():
        raise SourceError("the argument is empty; expected a file, a board's name or one line")
    path = Path(argument)
    try:
        is_folder = path.is_dir()
        is_file = path.exists() and not is_folder
    except (OSError, ValueError):
        is_folder = is_file = False
    if is_file:
        return read_file(path, argument)
    boards = lits_notation.pattern_names()
    if argument.lower() in boards:
        return read_file(data_folder("patterns") / f"{argument.lower()}.txt", argument)
    if is_folder:
        raise SourceError("is a folder, not a file", argument)
    if _is_meant_as_line(argument):
        return Source(_shortened(argument), argument)
    hint = nearest(argument, boards)
    hint = f"; {hint}" if hint.startswith("did") else ""
    raise SourceError(
        f"{_shortened(argument)} is neither a file, nor a standard board ({', '.join(boards)}), "
        f"nor a one-line position (rows joined by /){hint}"
    )


def _is_meant_as_line(argument: str) -> bool:
    """Whether an argument is a one-line position or a game line, rightly written or not.

    Rows are joined by ``/`` like the parts of a path, so most of their letters must be cells.
    """
    first, *words = argument.split()
    rows = words[0] if first.lower() == MIJNLIEFF and words else first
    if ";" in argument or re.fullmatch(r"[XO._-]{40,}", rows, re.IGNORECASE):
        return True
    is_path = re.search(r"^[.~]{0,2}/|\.(ya?ml|json|txt|lits|csv|md)$", argument.strip())
    if "/" not in rows or is_path:
        return False
    cells = re.findall(r"[0-9XOLITSDP.#_/-]", rows, re.IGNORECASE)
    return 3 * len(cells) > 2 * len(rows)


def _shortened(argument: str) -> str:
    """An argument in quotes, as a name for messages."""
    argument = " ".join(argument.split())
    return f"'{argument}'" if len(argument) <= 60 else f"'{argument[:57]}...'"


def read(source: Source) -> Any:
    """The game record in a source, whatever its form and game.

    :raises LitstoolError: it cannot be read.
    """
    if not source.text.strip():
        raise SourceError("is empty", source.name)
    form = form_of(source.text)
    if form != "text":
        root = read_tree(source, form)
        return room(_game_of_tree(root), "notation").read_document(root)
    game = LITS
    if match := _GAME_LINE.search(source.text):
        game = _known_game(match[1], source, source.text.count("\n", 0, match.start(1)) + 1)
    elif source.text.split(None, 1)[0].lower() == MIJNLIEFF:
        game = MIJNLIEFF
    return room(game, "notation").read_text(source)


def _game_of_tree(root: Node) -> str:
    if isinstance(root.value, dict) and "game" in root.value:
        return root.value["game"].choice("game", _ROOMS)
    return LITS


def _known_game(word: str, source: Source, line: int) -> str:
    if word.lower() not in _ROOMS:
        raise NotationError(f"{word!r} is no game; {nearest(word, _ROOMS)}", source.place(line))
    return word.lower()


def placed(error: LitstoolError, source: Source) -> LitstoolError:
    """The same error, told where it has no place of its own that it is about this source."""
    error.where = error.where or source.name
    return error
