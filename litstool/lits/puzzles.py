"""What making puzzles needs of Battle of LITS: boards, games to take positions from, measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from litstool.lits.game import Game
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.position import Position

RESULTS = ("X", "O")
GRADE_FROM = (0.0, 8.0, 10.0, 12.0)
"""Even numbers near the quartiles of the points of the fifty examples: 9.2, 11.0 and 12.4."""

_GREEDY = 0.85
"""How often a move of a made-up game is greedy: always would end every game alike."""


def boards() -> Mapping[str, Game]:
    """The empty standard boards by name."""
    named = {name: pattern_named(name) for name in pattern_names()}
    return {name: Game(pattern, name=name) for name, pattern in named.items() if pattern}


def played(board: Game, chance: Random) -> Game:
    """A whole game of greedy moves, and any moves now and then, drawn by ``chance``."""
    position = Position.empty(board.pattern, board.supply)
    while not position.is_finished:
        moves = list(position.moves())
        if chance.random() < _GREEDY:
            gains = [position.gain(move) for move in moves]
            top = max(gains)
            moves = [each for each, gain in zip(moves, gains, strict=True) if gain == top]
        position = position.placed(chance.choice(moves))
    return Game(board.pattern, board.supply, moves=position.pieces, ordered=True)


def ways(position: Position, plies: int) -> int:
    """In how many ways so many moves can be played; 0 where the game is over sooner."""
    from litstool.lits.kernels import perft

    return perft(position, plies)


def titled(record: Game, name: str, note: str) -> Game:
    """The same record with a name and a note."""
    return replace(record, name=name, note=note)
