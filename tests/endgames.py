"""What the tests of solving share: known endgames, made-up positions, and the check of a line."""

from __future__ import annotations

import json
import random
from pathlib import Path

from litstool.grid import Cell, Outline
from litstool.lits.board import Pattern
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.search.results import SCORE, SearchResult

ENDGAMES = json.loads((Path(__file__).parent / "data" / "endgames.json").read_text())["positions"]


def random_pattern(chance: random.Random, rows: int, columns: int, holes: int = 0) -> Pattern:
    """A board with some holes and about as many X as O on two cells of three."""
    cells = [Cell(row, column) for row in range(rows) for column in range(columns)]
    outline = Outline(rows, columns, frozenset(chance.sample(cells, holes)))
    symbols = {cell: chance.choice("XO.") for cell in outline.cells}
    return Pattern(
        outline,
        outline.mask(cell for cell in outline.cells if symbols[cell] == "X"),
        outline.mask(cell for cell in outline.cells if symbols[cell] == "O"),
    )


def balanced_pattern(chance: random.Random) -> Pattern:
    """A 10x10 board with 30 X and 30 O."""
    symbols = list("X" * 30 + "O" * 30 + "." * 40)
    chance.shuffle(symbols)
    return Pattern.from_rows("".join(symbols[row : row + 10]) for row in range(0, 100, 10))


def played(position: Position, chance: random.Random, pieces: int) -> Position | None:
    """The position after random moves; None where the game ends before or right then."""
    for _ in range(pieces):
        if position.is_finished:
            return None
        position = position.placed(chance.choice(list(position.moves())))
    return None if position.is_finished else position


def random_endgame(chance: random.Random, pieces: int) -> Position:
    """A 10x10 position with so many pieces down and a legal move left."""
    while True:
        position = played(Position.empty(balanced_pattern(chance)), chance, pieces)
        if position is not None:
            return position


def endgame(entry: dict) -> Position:  # type: ignore[type-arg]
    """A position of the data file, its moves replayed by the rules."""
    position = Position.empty(Pattern.from_rows(entry["pattern"].split("/")))
    for move in entry["moves"]:
        shape, cells = move.split(":")
        position = position.play(Placement.of(shape, [Cell.parse(c) for c in cells.split(",")]))
    return position


def replayed(position: Position, result: SearchResult) -> Position:
    """The end of the line, each move of it checked by the rules."""
    by_notation = {each.notation: each for each in position.placements.all}
    for move in result.line:
        position = position.play(by_notation[move])
    assert position.is_finished
    return position


def check_line(position: Position, result: SearchResult) -> None:
    """The line begins with a best move and ends with just the result that is stated."""
    end = replayed(position, result)
    assert end.winner == result.winner
    if result.line:
        assert result.line[0] in result.best
    if result.objective == SCORE:
        assert (end.margin, end.last_mover) == (result.margin, result.last_mover)
        assert {side: end.score(side) for side in "XO"} == result.final_score
