"""litstool: rules, exact solutions and SAT answers for Battle of LITS and Mijnlieff.

The public names are those of ``__all__``; everything else may change.

>>> import litstool
>>> game = litstool.load("boxes")
>>> position = game.position()
>>> sum(1 for move in position.moves())
1292
>>> after = position.play("S:h5,i5,i6,j6")
>>> after.to_move, after.score("X"), after.score("O")
('O', 29, 29)
>>> litstool.parse(repr(after)).position().to_move
'O'
"""

from __future__ import annotations

import os
from importlib import import_module

# As in typing, which takes a while to import: a command should hear Ctrl-C from the start.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from litstool.errors import IllegalError as IllegalError
    from litstool.errors import LitstoolError as LitstoolError
    from litstool.errors import Violation as Violation
    from litstool.files.reading import Source
    from litstool.game import Record as Record
    from litstool.grid import Cell as Cell
    from litstool.grid import Outline as Outline
    from litstool.library import (
        Conditions,
        Forced,
        ListAll,
        Means,
        Optimise,
        analyze,
        check_pattern,
        check_puzzle,
        new_patterns,
        new_puzzle,
        reach,
        review,
        solve,
    )
    from litstool.lits.board import Pattern as Pattern
    from litstool.lits.game import Game as Game
    from litstool.lits.notation import parse_move as parse_move
    from litstool.lits.placements import Placement as Placement
    from litstool.lits.position import Position as Position
    from litstool.mijnlieff.game import Game as MijnlieffGame
    from litstool.mijnlieff.position import Position as MijnlieffPosition
    from litstool.search.control import Control as Control
    from litstool.search.results import SearchResult as SearchResult

__version__ = "0.1.0"

_HOMES = {
    "errors": ("IllegalError", "LitstoolError", "Violation"),
    "game": ("Record",),
    "grid": ("Cell", "Outline"),
    "library": (
        *("Conditions", "Forced", "ListAll", "Means", "Optimise", "analyze", "check_pattern"),
        *("check_puzzle", "new_patterns", "new_puzzle", "reach", "review", "solve"),
    ),
    "lits.board": ("Pattern",),
    "lits.game": ("Game",),
    "lits.notation": ("parse_move",),
    "lits.placements": ("Placement",),
    "lits.position": ("Position",),
    "mijnlieff.game": ("MijnlieffGame",),
    "mijnlieff.position": ("MijnlieffPosition",),
    "search.control": ("Control",),
    "search.results": ("SearchResult",),
}

__all__ = [
    "Cell",
    "Conditions",
    "Control",
    "Forced",
    "Game",
    "IllegalError",
    "ListAll",
    "LitstoolError",
    "Means",
    "MijnlieffGame",
    "MijnlieffPosition",
    "Optimise",
    "Outline",
    "Pattern",
    "Placement",
    "Position",
    "Record",
    "SearchResult",
    "Violation",
    "analyze",
    "check_pattern",
    "check_puzzle",
    "load",
    "load_all",
    "new_patterns",
    "new_puzzle",
    "parse",
    "parse_all",
    "parse_move",
    "reach",
    "review",
    "solve",
    "violations",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that the command starts at once."""
    for home, names in _HOMES.items():
        if name in names:
            there = name.removeprefix("Mijnlieff")
            globals()[name] = found = getattr(import_module(f"litstool.{home}"), there)
            return found
    raise AttributeError(f"module 'litstool' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load(source: str | os.PathLike[str]) -> Record:
    """The game or position that an argument names, exactly as on the command line.

    ``source`` is a file's path, a standard board's name or a one-line position.

    :raises LitstoolError: it cannot be read, or there are several; the error says what, where
        and what would be right.
    """
    from litstool import games

    return games.load(os.fspath(source))[1]


def load_all(source: str | os.PathLike[str]) -> list[Record]:
    """All games and positions that an argument names: those of a file, or of a folder's files.

    :raises LitstoolError: one of them cannot be read.
    """
    from litstool import games

    return [part.read()[1] for part in games.parts(os.fspath(source))]


def parse(text: str) -> Record:
    """The game or position written in a text: grid, one line, YAML or JSON.

    :raises LitstoolError: it cannot be read, or there are several.
    """
    from litstool import games

    return games.read(_source(text))


def parse_all(text: str) -> list[Record]:
    """All games and positions written in a text, such as several one-line positions.

    :raises LitstoolError: one of them cannot be read.
    """
    from litstool import games

    return list(games.read_all(_source(text)))


def _source(text: str) -> Source:
    from litstool.files.reading import Source

    return Source("the text", text.removeprefix("\ufeff"))


def violations(game: Record) -> list[Violation]:
    """Every rule that a game or position breaks; empty where it is legal."""
    return game.violations()
