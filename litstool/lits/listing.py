"""The legal moves of a position as they are listed."""

from __future__ import annotations

from collections.abc import Iterable

from litstool.errors import UsageError
from litstool.game import ListedMove
from litstool.grid import Cell
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position


def moves(position: Position, kind: str | None, covers: Iterable[Cell]) -> list[ListedMove]:
    """The legal moves in the order of the placements; ``kind`` and ``covers`` leave out others.

    :raises UsageError: the kind is none of the four shapes.
    """
    if kind is not None and (kind.upper() not in SHAPES or len(kind) != 1):
        raise UsageError(f"{kind!r} is no shape; expected L, I, T or S")
    wanted = set(covers)
    return [
        ListedMove(
            move.notation,
            position.gain(move),
            move.cells,
            {"shape": move.shape, "cells": [cell.name for cell in move.cells]},
        )
        for move in position.moves()
        if (kind is None or move.shape == kind.upper()) and wanted <= set(move.cells)
    ]


def beside(position: Position) -> tuple[dict[str, object], list[str]]:
    """What else may be done: the pie rule's swap."""
    words = ["or swap: O takes over X and the piece just played"] * position.can_swap
    return {"swap": position.can_swap}, words
