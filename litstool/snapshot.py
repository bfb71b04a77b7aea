"""What a position shows, as a value: pictures, documents and reports are made from it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from litstool.errors import Violation
from litstool.grid import Cell, Outline


@dataclass(frozen=True)
class Square:
    """One cell of a board as it is shown.

    ``text`` is what stands in it.  Neighbouring squares of one ``region`` are drawn joined; None
    is the open board.  ``fill`` names a colour of the palette, such as a shape.  ``bracketed``
    squares are marked off from the others, as ``[X]`` in text.  ``number`` is the move that put
    the piece here, where pieces are to be numbered; ``last`` marks the last move; ``heat`` is the
    cell's number in a heat map.  ``faulty`` squares break a rule together.
    """

    text: str
    region: Hashable = None
    fill: str | None = None
    bracketed: bool = False
    faint: bool = False
    number: int | None = None
    last: bool = False
    heat: float | None = None
    faulty: bool = False


@dataclass(frozen=True)
class Snapshot:
    """A game's position after its moves, legal or not, as far as it is to be shown.

    ``squares`` leaves out the holes.  ``sides`` and ``scores`` are in the game's order, ``margin``
    is the first side's score less the other's.  ``moves`` are as they are written, ``pieces`` the
    number on the board.  ``players`` are the names of the ``first`` and ``second`` player,
    ``swapped`` says that these two have changed sides.  ``before_score`` and ``after_score`` are
    facts that this game alone has, as label and words; ``turn`` says what the side to move may do,
    and ``comments`` are facts of a legal position that goes on.  ``legend`` tells what the marks
    mean, each as mark and words.  ``details`` is what documents have of this game alone.
    """

    game: str
    name: str | None
    outline: Outline
    squares: Mapping[Cell, Square]
    sides: tuple[str, str]
    scores: Mapping[str, int]
    margin: int
    pieces: int
    moves: tuple[str, ...]
    to_move: str
    is_finished: bool
    winner: str | None
    players: Mapping[str, str]
    swapped: bool
    violations: tuple[Violation, ...]
    before_score: tuple[tuple[str, str], ...] = ()
    after_score: tuple[tuple[str, str], ...] = ()
    turn: str = ""
    comments: tuple[tuple[str, str], ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    details: Mapping[str, object] = field(default_factory=dict)
