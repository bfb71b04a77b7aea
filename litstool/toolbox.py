"""What a page needs of a game to lay it on a table: pieces, letters, questions and recipes as data.

It is part of the seam: each game fills one in, and whoever shows it knows no game by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from litstool.search.control import Control


@dataclass(frozen=True)
class Kind:
    """A kind of piece: its name, its letter in grids, and every way it can lie.

    A way is the (row, column) of its cells, counted from its own top left corner.
    """

    name: str
    letter: str
    ways: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class Letter:
    """A letter that a cell of a grid can have, what it means, and the colour it is drawn in.

    ``is_piece`` letters stand for pieces, and are drawn as such.
    """

    letter: str
    words: str
    fill: str | None = None
    is_piece: bool = False


@dataclass(frozen=True)
class Key:
    """Something that is said by a word: one of ``choices`` where there are any.

    ``numbers`` names what is counted, where the value is a number for each of several things.
    ``usual`` is what it is where nothing is said.
    """

    key: str
    words: str
    choices: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    usual: str = ""


def _no_counts(position: Any) -> Mapping[str, int]:
    return {}


def _by_cells(kind: str | None, cells: Sequence[str]) -> str:
    return ",".join(cells)


@dataclass(frozen=True, kw_only=True)
class Toolbox:
    """The tools of a game.

    ``letters`` and ``keys`` are what a position is set up with, ``asked`` the letters of a target
    and ``conditions`` what else can be asked of one.  ``boards`` are more boards to begin on than
    those that have a file, each a text.  ``left`` counts the pieces that the side to move still
    has, by kind; ``tried`` writes the move that lays a kind of piece on cells, legal or not.

    ``recipe`` is what can be asked of a board that ``make`` draws at random, by a seed, as a text;
    ``report`` tells how balanced a record's board is, as labels and words.
    """

    kinds: tuple[Kind, ...] = ()
    letters: tuple[Letter, ...] = ()
    keys: tuple[Key, ...] = ()
    asked: tuple[Letter, ...] = ()
    conditions: tuple[Key, ...] = ()
    least_side: int = 1
    most_side: int = 26
    boards: Mapping[str, str] | None = None
    left: Callable[[Any], Mapping[str, int]] = _no_counts
    tried: Callable[[str | None, Sequence[str]], str] = _by_cells
    recipe: tuple[Key, ...] = ()
    make: Callable[[Mapping[str, str], int, Control], str] | None = None
    report: Callable[[Any], list[tuple[str, str]]] | None = None


AIMS = {
    "most pieces": ("pieces", 1),
    "fewest pieces": ("pieces", -1),
    "largest margin": ("margin", 1),
    "smallest margin": ("margin", -1),
    "most passes": ("passes", 1),
    "fewest passes": ("passes", -1),
}
"""What an answer can be the best of: the objective and its sign."""
