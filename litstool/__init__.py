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
    from collections.abc import Callable
    from typing import Any, Literal

    from litstool.errors import IllegalError, LitstoolError, Violation
    from litstool.files.reading import Source
    from litstool.grid import Cell, Outline
    from litstool.lits.board import Pattern
    from litstool.lits.game import Game
    from litstool.lits.notation import parse_move
    from litstool.lits.placements import Placement
    from litstool.lits.position import Position
    from litstool.mijnlieff.game import Game as MijnlieffGame
    from litstool.mijnlieff.position import Position as MijnlieffPosition
    from litstool.search.control import Control
    from litstool.search.results import SearchResult

__version__ = "0.1.0"

__all__ = [
    "Cell",
    "Control",
    "Game",
    "IllegalError",
    "LitstoolError",
    "Outline",
    "Pattern",
    "Placement",
    "Position",
    "SearchResult",
    "Violation",
    "load",
    "load_all",
    "parse",
    "parse_all",
    "parse_move",
    "solve",
    "violations",
]


_HOMES = {
    "errors": ("IllegalError", "LitstoolError", "Violation"),
    "grid": ("Cell", "Outline"),
    "lits.board": ("Pattern",),
    "lits.game": ("Game",),
    "lits.notation": ("parse_move",),
    "lits.placements": ("Placement",),
    "lits.position": ("Position",),
    "search.control": ("Control",),
    "search.results": ("SearchResult",),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that the command starts at once."""
    for home, names in _HOMES.items():
        if name in names:
            globals()[name] = found = getattr(import_module(f"litstool.{home}"), name)
            return found
    raise AttributeError(f"module 'litstool' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load(source: str | os.PathLike[str]) -> Any:
    """The game or position that an argument names, exactly as on the command line.

    ``source`` is a file's path, a standard board's name or a one-line position.

    :raises LitstoolError: it cannot be read, or there are several; the error says what, where
        and what would be right.
    """
    from litstool import games

    return games.load(os.fspath(source))[1]


def load_all(source: str | os.PathLike[str]) -> list[Any]:
    """All games and positions that an argument names: those of a file, or of a folder's files.

    :raises LitstoolError: one of them cannot be read.
    """
    from litstool import games

    return [part.read()[1] for part in games.parts(os.fspath(source))]


def parse(text: str) -> Any:
    """The game or position written in a text: grid, one line, YAML or JSON.

    :raises LitstoolError: it cannot be read, or there are several.
    """
    from litstool import games

    return games.read(_source(text))


def parse_all(text: str) -> list[Any]:
    """All games and positions written in a text, such as several one-line positions.

    :raises LitstoolError: one of them cannot be read.
    """
    from litstool import games

    return list(games.read_all(_source(text)))


def _source(text: str) -> Source:
    from litstool.files.reading import Source

    return Source("the text", text.removeprefix("\ufeff"))


def violations(game: Game) -> list[Violation]:
    """Every rule that a game or position breaks; empty where it is legal."""
    return game.violations()


def solve(
    position: Position | Game | MijnlieffPosition | MijnlieffGame,
    *,
    objective: Literal["score", "outcome"] = "score",
    all_moves: bool = False,
    control: Control | None = None,
    hash_mib: int = 256,
    threads: int = 1,
    use_book: bool = False,
    on_compile: Callable[[], None] | None = None,
) -> SearchResult:
    """The exact result of a position, or of a game after its moves, of either game.

    ``objective`` ``outcome`` asks only who wins, which is cheaper.  ``all_moves`` gives every
    legal move its value.  ``control`` limits the time, watches and stops.  The table of positions
    takes at most ``hash_mib`` MiB.  ``use_book`` believes the swap book where it knows the winner.
    ``on_compile`` is called before a wait of some seconds for compiled code.

    >>> import litstool
    >>> litstool.solve(litstool.load("4/4/4/4")).winner
    'O'

    :raises IllegalError: the game breaks the rules.
    """
    from litstool import games
    from litstool.lits.game import Game
    from litstool.lits.position import Position
    from litstool.mijnlieff.game import Game as MijnlieffGame

    if isinstance(position, (Game, MijnlieffGame)):
        position = position.position()
    game = games.LITS if isinstance(position, Position) else games.MIJNLIEFF
    result: SearchResult = games.room(game, "solver").solve(
        position,
        objective=objective,
        all_moves=all_moves,
        control=control,
        hash_mib=hash_mib,
        threads=threads,
        use_book=use_book,
        on_compile=on_compile,
    )
    return result
