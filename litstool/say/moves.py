"""Lists of moves: the legal ones of a position, and those of a line of play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from litstool.game import AnyRoom, ListedMove, Position
from litstool.grid import Cell
from litstool.say.results import score

SORTS: dict[str, Callable[[ListedMove], tuple[object, ...]]] = {
    "gain": lambda move: (-move.gain,),
    "cells": lambda move: move.cells,
}
"""The orders in which moves can be listed."""


class MoveList(NamedTuple):
    """The legal moves of a position, as such, as a document and as lines of text."""

    moves: list[ListedMove]
    document: dict[str, object]
    lines: list[str]


def listed(
    room: AnyRoom,
    position: Position,
    kind: str | None,
    covers: Iterable[Cell],
    sort: str | None,
) -> MoveList:
    """The legal moves of a position; ``kind`` and ``covers`` leave out others.

    ``sort`` is one of ``SORTS``, None for the order of the rules.

    :raises UsageError: the game has no such kind of piece.
    """
    listing = room.listing()
    found = listing.moves(position, kind, covers)
    if sort is not None:
        found.sort(key=SORTS[sort])
    more, words = listing.beside(position)
    document = {
        "to_move": position.to_move,
        "count": len(found),
        **more,
        "moves": [{"move": each.move, **each.details, "gain": each.gain} for each in found],
    }
    lines = [f"{signed(each.gain)}  {each.move}" for each in found]
    lines.append(f"{len(found)} move{'s' * (len(found) != 1)} for {position.to_move}")
    return MoveList(found, document, [*lines, *words])


def signed(number: int) -> str:
    """A number with its sign, two characters wide; 0 has none."""
    return f"{number:+d}" if number else " 0"


def replay(
    room: AnyRoom, position: Position, line: Iterable[str]
) -> Iterator[tuple[str, str, str]]:
    """A line of play through the rules: each move's side, text and what it did to the score."""
    for text in line:
        side, margin = position.to_move, position.margin
        position = position.play(text)
        gain = (position.margin - margin) * (1 if side == room.sides[0] else -1)
        scores = score({each: position.score(each) for each in room.sides})
        yield side, text, f"{signed(gain)}   {scores}"
