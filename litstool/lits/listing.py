"""Moves of a position as the commands list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from litstool.errors import UsageError
from litstool.grid import Cell
from litstool.lits.notation import parse_move
from litstool.lits.placements import SHAPES, Placement
from litstool.lits.position import Position


def moves(
    position: Position, shape: str | None, covers: Iterable[Cell], sort: str | None
) -> tuple[dict[str, Any], list[str]]:
    """The legal moves, as the document of ``moves --json`` and as lines of text.

    ``shape`` and ``covers`` leave out other moves; ``sort`` is ``gain``, ``cells`` or None for
    the order of the placements.

    :raises UsageError: the shape is none of the four.
    """
    if shape is not None and (shape.upper() not in SHAPES or len(shape) != 1):
        raise UsageError(f"{shape!r} is no shape; expected L, I, T or S")
    wanted = set(covers)
    found = [
        (move, position.gain(move))
        for move in position.moves()
        if (shape is None or move.shape == shape.upper()) and wanted <= set(move.cells)
    ]
    if sort == "gain":
        found.sort(key=lambda entry: -entry[1])
    elif sort == "cells":
        found.sort(key=lambda entry: entry[0].cells)
    document = {
        "to_move": position.to_move,
        "count": len(found),
        "swap": position.can_swap,
        "moves": [
            {
                "move": move.notation,
                "shape": move.shape,
                "cells": [cell.name for cell in move.cells],
                "gain": gain,
            }
            for move, gain in found
        ],
    }
    lines = [f"{signed(gain)}  {move.notation}" for move, gain in found]
    lines.append(f"{len(found)} move{'s' * (len(found) != 1)} for {position.to_move}")
    if position.can_swap:
        lines.append("or swap: O takes over X and the piece just played")
    return document, lines


def signed(number: int) -> str:
    """A number with its sign, two characters wide; 0 has none."""
    return f"{number:+d}" if number else " 0"


def replay(position: Position, line: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """A line of play through the rules: each move's side, text and what it did to the score."""
    for text in line:
        move = parse_move(text)
        assert isinstance(move, Placement)
        side, gain = position.to_move, position.gain(move)
        position = position.play(move)
        yield side, text, f"{signed(gain)}   X {position.score('X')}, O {position.score('O')}"
