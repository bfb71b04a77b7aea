"""The picture of a Mijnlieff position."""

from __future__ import annotations

from litstool.errors import Violation
from litstool.grid import Cell, names
from litstool.mijnlieff.board import BLOCK, KINDS, OUTSIDE, SIDES
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.position import Piece, Position, notation
from litstool.picture import Picture, Square
from litstool.say import people, results

_BLANK, _ALLOWED = "·", "+"
_LETTERS = (
    "S   Straight",
    "D   Diagonal",
    "P   Pusher",
    "L   Puller",
    "Aa  in text, capitals are Light and small letters Dark",
)


def picture(game: Game, violations: list[Violation], *, numbers: bool = False) -> Picture:
    """A game's position after its moves, legal or not, with scores, pieces left and result.

    The cells that the side to move may use are marked.  ``numbers`` numbers the pieces by the
    move that placed them, as ``--ply`` counts.
    """
    position = game.position_as_written()
    allowed = set() if violations else _allowed(position)
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
        elif cell in allowed:
            squares[cell] = Square(_ALLOWED, fill="allowed")
        else:
            squares[cell] = Square(_BLANK, faint=True)
    legend = [*_LETTERS]
    if allowed:
        legend.append(f"{_ALLOWED}   {position.to_move} may place a piece here")
    if position.board.outline.holes:
        legend.append("░░░ a gap: not part of the board")
    return Picture(
        outline=position.outline,
        squares=squares,
        title=game.name,
        facts=tuple(_facts(game, position, violations)),
        legend=tuple(legend),
    )


def document(game: Game, violations: list[Violation]) -> dict[str, object]:
    """What ``show --json`` says of a game's position."""
    position = game.position_as_written()
    return {
        "game": game.game,
        "name": game.name,
        "rows": position.outline.rows,
        "columns": position.outline.columns,
        "board": list(position.board.rows()),
        "gaps": position.board.gaps,
        "opening": position.board.opening,
        "pieces": [
            {"side": placed.side, "kind": placed.kind, "cell": placed.cell.name}
            for placed in position.pieces
        ],
        "moves": [notation(move) for move in game.moves],
        "to_move": position.to_move,
        "last": position.last.notation if position.last else None,
        "allowed": [cell.name for cell in sorted(_allowed(position))],
        "scores": {side: position.score(side) for side in SIDES},
        "margin": position.margin,
        "lines": [
            {"side": run.side, "cells": [cell.name for cell in run.cells], "points": run.points}
            for run in position.runs()
        ],
        "pieces_left": {side: position.supply_left(side) for side in SIDES},
        "finished": position.is_finished,
        "winner": position.winner,
    }


def _allowed(position: Position) -> set[Cell]:
    if position.is_finished:
        return set()
    return set(position.board.cells_of(position.allowed))


def _facts(game: Game, position: Position, violations: list[Violation]) -> list[str]:
    facts = []
    if (players := people.players_line(game)) is not None:
        facts.append(f"Players     {players}")
    if game.moves:
        facts.append(f"Last move   {notation(game.moves[-1])} (move {len(game.moves)})")
    rules = [f"gaps {position.board.gaps}"] * (position.board.gaps != BLOCK)
    rules += [f"opening {position.board.opening}"] * (position.board.opening != OUTSIDE)
    if rules:
        facts.append(f"Rules       {', '.join(rules)}")
    scores = results.score({side: position.score(side) for side in SIDES})
    facts.append(f"Score       {scores}: {results.lead(position.margin, SIDES)}")
    for side in SIDES:
        runs = [f"{names(run.cells)} ({run.points})" for run in position.runs() if run.side == side]
        if runs:
            facts.append(f"{side + ' runs':<11} {', '.join(runs)}")
    for side in SIDES:
        left = position.supply_left(side)
        counts = ", ".join(f"{kind} {max(left[kind], 0)}" for kind in KINDS)
        facts.append(f"{side + ' has':<11} {counts}")
    if violations:
        facts.append("Not legal:")
        facts += [f"  {each.rule}: {each.message}" for each in violations]
    elif position.is_finished:
        facts.append(f"Finished    {people.result_line(game)}")
    else:
        restriction = "must pass" if position.must_pass else "to place a piece"
        if position.last is not None:
            allows = "allows no cell" if position.must_pass else "allows"
            restriction += f", where {position.last.notation} {allows}"
        facts.append(f"To move     {position.to_move}, {restriction}")
    return facts
