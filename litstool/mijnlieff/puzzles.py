"""What making puzzles needs of Mijnlieff: boards, games to take positions from, measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from litstool.game import DRAW
from litstool.mijnlieff.board import SIDES, Offset, arrangements, board_of, outline_of_offsets
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.position import Move, Position

RESULTS = (*SIDES, DRAW)
GRADE_FROM = (0.0, 5.0, 7.0, 9.0)
"""Whole numbers near the quartiles of the points of the thirty examples: 5.3, 7.3 and 8.8."""

_GREEDY = 0.85
"""How often a move of a made-up game is greedy: always would end many games alike."""

_SQUARE = ((0, 0), (0, 2), (2, 0), (2, 2))


def boards() -> Mapping[str, Game]:
    """The square, then every other arrangement by its number, 1 to 60."""
    found: dict[str, tuple[Offset, ...]] = {"square": _SQUARE}
    for number, offsets in enumerate(arrangements(), 1):
        if offsets != _SQUARE:
            found[f"arrangement {number}"] = offsets
    return {
        name: Game(board_of(outline_of_offsets(offsets)), name=name)
        for name, offsets in found.items()
    }


def played(board: Game, chance: Random) -> Game:
    """A whole game of greedy moves, and any moves now and then, drawn by ``chance``."""
    position, moves = board.start, list[Move]()
    while not position.is_finished:
        able = list(position.moves())
        if chance.random() < _GREEDY:
            points = position.gains(able)
            top = max(points)
            able = [each for each, gain in zip(able, points, strict=True) if gain == top]
        moves.append(chance.choice(able))
        position = position.placed(moves[-1])
    return Game(board.board, moves=tuple(moves), ordered=True)


def ways(position: Position, plies: int) -> int:
    """In how many ways so many moves can be played; 0 where the game is over sooner."""
    if plies == 0:
        return 1
    return sum(ways(position.placed(move), plies - 1) for move in position.moves())


def titled(record: Game, name: str, note: str) -> Game:
    """The same record with a name and a note."""
    return replace(record, name=name, note=note)
