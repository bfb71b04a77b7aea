"""The picture of a Battle of LITS position."""

from __future__ import annotations

from litstool.errors import Violation
from litstool.grid import Cell
from litstool.lits import book
from litstool.lits.board import SIDES
from litstool.lits.game import Game, notation
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.picture import Picture, Square
from litstool.say import people, results

_BLANK = "·"


def picture(
    game: Game, violations: list[Violation], *, numbers: bool = False, heat: str | None = None
) -> Picture:
    """A game's position after its moves, legal or not, with scores, supply and result.

    ``numbers`` numbers the pieces by the move that placed them, as ``--ply`` counts.  ``heat`` is
    one of ``HEATS``: what each open cell is for the side to move.
    """
    position = game.position_as_written()
    pieces = game.all_pieces
    owner = {cell: number for number, piece in enumerate(pieces) for cell in piece.cells}
    overlaps = {cell for fault in violations if fault.rule == "overlap" for cell in fault.cells}
    locked = set() if violations or position.is_finished else locked_cells(position)
    move_of = dict(enumerate(_move_numbers(game))) if numbers else {}
    last = len(pieces) - 1 if game.moves and not isinstance(game.moves[-1], str) else None
    heats = _heats(position, heat) if heat and not violations else {}
    squares: dict[Cell, Square] = {}
    for cell in game.pattern.outline.cells:
        if cell in owner:
            piece = owner[cell]
            shape = pieces[piece].shape
            squares[cell] = Square(
                "!" if cell in overlaps else shape,
                region=piece,
                fill=shape,
                number=move_of.get(piece),
                last=piece == last,
            )
            continue
        symbol = game.pattern.symbol(cell)
        is_symbol = symbol in SIDES
        squares[cell] = Square(
            symbol if is_symbol else " " if cell in locked else _BLANK,
            fill=symbol if is_symbol else None,
            bracketed=cell in locked,
            faint=not is_symbol,
            heat=heats.get(cell),
        )
    legend = _legend(game, locked, overlaps)
    if heat and heats:
        legend.append(f"n   the number in a cell: {HEATS[heat]}")
    return Picture(
        outline=game.pattern.outline,
        squares=squares,
        title=game.name,
        facts=tuple(_facts(game, position, violations)),
        legend=tuple(legend),
    )


HEATS = {
    "moves": "how many legal moves cover it",
    "gain": "the best gain, for the side to move, of a legal move that covers it",
}
"""The heat maps by name, and what their numbers mean."""


def _move_numbers(game: Game) -> list[int | None]:
    """The move that placed each piece, counted from 1; None for those there at the start."""
    moves = [number for number, move in enumerate(game.moves, 1) if not isinstance(move, str)]
    return [*(None for _ in game.pieces), *moves]


def _heats(position: Position, heat: str) -> dict[Cell, float]:
    found: dict[Cell, float] = {}
    for move in position.moves():
        gain = position.gain(move)
        for cell in move.cells:
            if heat == "moves":
                found[cell] = found.get(cell, 0) + 1
            else:
                found[cell] = max(found.get(cell, gain), gain)
    return found


def document(game: Game, violations: list[Violation]) -> dict[str, object]:
    """What ``show --json`` says of a game's position."""
    position = game.position_as_written()
    locked = set() if violations else locked_cells(position)
    return {
        "game": game.game,
        "name": game.name,
        "rows": game.pattern.outline.rows,
        "columns": game.pattern.outline.columns,
        "pattern": list(game.pattern.rows()),
        "pieces": [piece.notation for piece in game.all_pieces],
        "moves": [notation(move) for move in game.moves],
        "to_move": position.to_move,
        "swap": position.can_swap,
        "scores": {side: position.score(side) for side in SIDES},
        "margin": position.margin,
        "supply_left": dict(zip(SHAPES, position.supply_left, strict=True)),
        "safe": [cell.name for cell in sorted(locked)],
        "finished": position.is_finished,
        "winner": position.winner,
    }


def locked_cells(position: Position) -> set[Cell]:
    """The uncovered cells that no piece can cover any more."""
    outline = position.pattern.outline
    every = outline.mask(outline.cells)
    return set(outline.cells_of(every & ~position.covered & ~position.coverable()))


def _facts(game: Game, position: Position, violations: list[Violation]) -> list[str]:
    count = len(game.all_pieces)
    facts = []
    if (players := people.players_line(game)) is not None:
        facts.append(f"Players    {players}")
    if game.moves:
        facts.append(f"Last move  {notation(game.moves[-1])} (move {len(game.moves)})")
    scores = results.score({side: position.score(side) for side in SIDES})
    facts.append(f"Score      {scores}: {results.lead(position.margin, SIDES)}")
    left = ", ".join(
        f"{shape} {max(number, 0)}"
        for shape, number in zip(SHAPES, position.supply_left, strict=True)
    )
    facts.append(f"Supply     {left} ({count} piece{'s' * (count != 1)} down)")
    if violations:
        facts.append("Not legal:")
        facts += [f"  {each.rule}: {each.message}" for each in violations]
    elif position.is_finished:
        facts.append(f"Finished   {_result(game, position)}")
    else:
        swap = ", who may swap instead" if position.can_swap else ""
        facts.append(f"To move    {position.to_move}{swap}")
        if (advice := book.advice(position)) is not None:
            facts.append(f"Swap book  {advice}")
    return facts


def _result(game: Game, position: Position) -> str:
    """The result of a finished position in words."""
    told = str(people.result_line(game))
    return f"{told}: no piece can be placed" if not position.pieces else told


def _legend(game: Game, locked: set[Cell], overlaps: set[Cell]) -> list[str]:
    legend = []
    if locked:
        legend.append("[ ] no piece can cover this cell any more")
    if overlaps:
        legend.append("!   two pieces overlap here")
    if game.pattern.outline.holes:
        legend.append("░░░ a hole: not part of the board")
    return legend
