"""Moves of a position as the commands list them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from litstool.errors import UsageError
from litstool.files.reading import nearest
from litstool.grid import Cell
from litstool.mijnlieff.board import KINDS
from litstool.mijnlieff.notation import parse_kind, parse_move
from litstool.mijnlieff.position import PASS, Move, Position, notation


def moves(
    position: Position, shape: str | None, covers: Iterable[Cell], sort: str | None
) -> tuple[dict[str, Any], list[str]]:
    """The legal moves, as the document of ``moves --json`` and as lines of text.

    ``shape`` (a kind of piece) and ``covers`` leave out other moves; ``sort`` is ``gain`` (points
    made at once), ``cells`` or None, which is by cells too.

    :raises UsageError: the kind is none of the four.
    """
    kind = None if shape is None else parse_kind(shape)
    if shape is not None and kind is None:
        raise UsageError(f"{shape!r} is no kind of piece; {nearest(shape, KINDS)}")
    wanted = set(covers)
    found = [
        (move, _gain(position, move))
        for move in position.moves()
        if (kind is None or (not isinstance(move, str) and move.kind == kind))
        and (not wanted or (not isinstance(move, str) and wanted == {move.cell}))
    ]
    if sort == "gain":
        found.sort(key=lambda entry: -entry[1])
    document = {
        "to_move": position.to_move,
        "count": len(found),
        "moves": [_entry(move, gain) for move, gain in found],
    }
    lines = [f"{f'+{gain}' if gain else ' 0'}  {notation(move)}" for move, gain in found]
    lines.append(f"{len(found)} move{'s' * (len(found) != 1)} for {position.to_move}")
    if position.must_pass:
        lines.append(f"{position.to_move} has no allowed cell and must pass")
    return document, lines


def _entry(move: Move, gain: int) -> dict[str, Any]:
    if isinstance(move, str):
        return {"move": PASS, "kind": None, "cell": None, "gain": 0}
    return {"move": move.notation, "kind": move.kind, "cell": move.cell.name, "gain": gain}


def _gain(position: Position, move: Move) -> int:
    side = position.to_move
    return position.placed(move).score(side) - position.score(side)


def replay(position: Position, line: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """A line of play through the rules: each move's side, text and what it did to the score."""
    for text in line:
        move = parse_move(text)
        side, gain = position.to_move, _gain(position, move)
        position = position.play(move)
        score = f"Light {position.score('Light')}, Dark {position.score('Dark')}"
        yield side, text, f"{f'+{gain}' if gain else ' 0'}   {score}"
