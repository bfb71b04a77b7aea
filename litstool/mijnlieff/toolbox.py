"""Mijnlieff on a table in the browser."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from litstool.errors import UsageError
from litstool.mijnlieff.board import (
    GAP_RULES,
    KIND_LETTERS,
    MOST_SIDE,
    OPENING_RULES,
    SIDES,
    arrangements,
    board_of,
    outline_of_offsets,
)
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.notation import write_line
from litstool.mijnlieff.position import Position
from litstool.mijnlieff.puzzles import boards
from litstool.search.control import Control
from litstool.toolbox import Key, Kind, Letter, Toolbox


def _left(position: Position) -> Mapping[str, int]:
    return position.supply_left(position.to_move)


def _tried(kind: str | None, cells: Sequence[str]) -> str:
    if kind is None or len(cells) != 1:
        raise UsageError("choose a piece, and one cell for it")
    return f"{kind}@{cells[0]}"


def _make(said: Mapping[str, str], seed: int, control: Control) -> str:
    """One of all arrangements, each equally likely, turned or mirrored by chance."""
    from litstool.grid import SYMMETRIES

    chance = random.Random(seed)
    outline = outline_of_offsets(chance.choice(arrangements()))
    board = board_of(
        outline, said.get("gaps") or GAP_RULES[0], said.get("opening") or OPENING_RULES[0]
    )
    return write_line(Game(board.transformed(chance.choice(SYMMETRIES)), to_move=SIDES[0]))


def _report(game: Game) -> list[tuple[str, str]]:
    """What matters of a board for how it plays."""
    board = game.board
    block = replace(board, gaps=GAP_RULES[0])
    rays = sum(mask.bit_count() for mask in block.allowed["straight"])
    diagonals = sum(mask.bit_count() for mask in block.allowed["diagonal"])
    return [
        ("Cells", f"{len(board.cells)}, {board.first_cells.bit_count()} for the first piece"),
        ("Lines", f"{len(board.windows)} threes in a row"),
        ("Straight", f"reaches {rays / len(board.cells):.1f} cells on average"),
        ("Diagonal", f"reaches {diagonals / len(board.cells):.1f} cells on average"),
        ("Symmetries", str(len(board.symmetries))),
        ("Gaps", board.gaps),
        ("Opening", board.opening),
    ]


_PIECES = tuple(
    Letter(letter.upper() if side == SIDES[0] else letter, f"{side}'s {kind}", side.lower(), True)
    for side in SIDES
    for kind, letter in KIND_LETTERS.items()
)
_RULES = (
    Key("gaps", "Gaps", GAP_RULES, usual=GAP_RULES[0]),
    Key("opening", "First piece", OPENING_RULES, usual=OPENING_RULES[0]),
)

TOOLBOX = Toolbox(
    kinds=tuple(Kind(kind, letter.upper(), (((0, 0),),)) for kind, letter in KIND_LETTERS.items()),
    letters=(Letter(".", "empty"), Letter("#", "a gap"), *_PIECES),
    keys=(
        Key("to-move", "To move", SIDES, usual=SIDES[0]),
        Key("last", "Last piece, such as straight@b3"),
        *_RULES,
    ),
    asked=(
        Letter("?", "anything"),
        Letter("+", "a piece"),
        Letter("!", "no piece"),
        Letter("X", "any piece of Light"),
        Letter("x", "any piece of Dark"),
        *_PIECES,
    ),
    conditions=(
        Key("finished", "The game is", ("", "over", "not over")),
        Key("winner", "Won by", ("", *SIDES, "draw")),
        Key("at-least", "Pieces, at least"),
        Key("at-most", "Pieces, at most"),
        Key("passes", "Passes, at least"),
        Key("include", "With these pieces"),
        Key("exclude", "Without these pieces"),
        Key(
            "aim",
            "Look for",
            (
                *("", "most pieces", "fewest pieces", "largest margin", "smallest margin"),
                *("most passes", "fewest passes"),
            ),
        ),
    ),
    least_side=2,
    most_side=MOST_SIDE,
    boards={name: write_line(game) for name, game in boards().items()},
    left=_left,
    tried=_tried,
    recipe=_RULES,
    make=_make,
    report=_report,
)
