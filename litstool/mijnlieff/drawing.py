"""What a Mijnlieff position shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from litstool.errors import Violation
from litstool.game import text_of
from litstool.grid import Cell, names
from litstool.mijnlieff.board import BLOCK, KINDS, OUTSIDE, SIDES
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.position import Piece, Position
from litstool.snapshot import Snapshot, Square

_BLANK, _ALLOWED = "·", "+"
_LETTERS = (
    ("S", "Straight"),
    ("D", "Diagonal"),
    ("P", "Pusher"),
    ("L", "Puller"),
    ("Aa", "in text, capitals are Light and small letters Dark"),
)

HEATS: Mapping[str, str] = {}
"""There is no heat map of this game."""


def snapshot(
    game: Game,
    violations: Sequence[Violation],
    *,
    numbers: bool = False,
    heat: str | None = None,
) -> Snapshot:
    """A game's position after its moves, with the rules that it is said to break.

    The cells that the side to move may use are marked.  ``numbers`` numbers the pieces by the
    move that placed them, as ``--ply`` counts.
    """
    position = game.position_as_written()
    may_use = set() if position.is_finished else set(position.board.cells_of(position.allowed))
    marked = set() if violations else may_use
    legend = [*_LETTERS]
    if marked:
        legend.append((_ALLOWED, f"{position.to_move} may place a piece here"))
    if position.board.outline.holes:
        legend.append(("░░░", "a gap: not part of the board"))
    return Snapshot(
        game=game.game,
        name=game.name,
        outline=position.outline,
        squares=_squares(game, position, marked, numbers),
        sides=SIDES,
        scores={side: position.score(side) for side in SIDES},
        margin=position.margin,
        pieces=len(position.pieces),
        moves=tuple(text_of(move) for move in game.moves),
        to_move=position.to_move,
        is_finished=position.is_finished,
        winner=position.winner,
        players=game.players,
        swapped=False,
        violations=tuple(violations),
        before_score=_rules(position),
        after_score=_runs_and_supplies(position),
        turn=_turn(position),
        legend=tuple(legend),
        details={
            "board": list(position.board.rows()),
            "gaps": position.board.gaps,
            "opening": position.board.opening,
            "pieces": [
                {"side": placed.side, "kind": placed.kind, "cell": placed.cell.name}
                for placed in position.pieces
            ],
            "last": position.last.notation if position.last else None,
            "allowed": [cell.name for cell in sorted(may_use)],
            "lines": [
                {"side": run.side, "cells": [cell.name for cell in run.cells], "points": run.points}
                for run in position.runs()
            ],
            "pieces_left": {side: position.supply_left(side) for side in SIDES},
        },
    )


def _squares(
    game: Game, position: Position, marked: set[Cell], numbers: bool
) -> dict[Cell, Square]:
    last = game.moves[-1] if game.moves else None
    move_of = {
        move.cell: number for number, move in enumerate(game.moves, 1) if isinstance(move, Piece)
    }
    squares: dict[Cell, Square] = {}
    for cell in position.board.cells:
        placed = position.at.get(cell)
        if placed is not None:
            squares[cell] = Square(
                placed.letter,
                region=cell,
                fill=placed.side.lower(),
                number=move_of.get(cell) if numbers else None,
                last=isinstance(last, Piece) and last.cell == cell,
            )
        elif cell in marked:
            squares[cell] = Square(_ALLOWED, fill="allowed")
        else:
            squares[cell] = Square(_BLANK, faint=True)
    return squares


def _rules(position: Position) -> tuple[tuple[str, str], ...]:
    """The house rules, where they are not the usual ones."""
    rules = [f"gaps {position.board.gaps}"] * (position.board.gaps != BLOCK)
    rules += [f"opening {position.board.opening}"] * (position.board.opening != OUTSIDE)
    return (("Rules", ", ".join(rules)),) if rules else ()


def _runs_and_supplies(position: Position) -> tuple[tuple[str, str], ...]:
    facts = []
    for side in SIDES:
        runs = [f"{names(run.cells)} ({run.points})" for run in position.runs() if run.side == side]
        if runs:
            facts.append((f"{side} runs", ", ".join(runs)))
    for side in SIDES:
        left = position.supply_left(side)
        facts.append((f"{side} has", ", ".join(f"{kind} {max(left[kind], 0)}" for kind in KINDS)))
    return tuple(facts)


def _turn(position: Position) -> str:
    told = ", must pass" if position.must_pass else ", to place a piece"
    if position.last is not None:
        allows = "allows no cell" if position.must_pass else "allows"
        told += f", where {position.last.notation} {allows}"
    return told
