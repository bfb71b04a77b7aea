"""What a Battle of LITS position shows."""

from __future__ import annotations

from collections.abc import Sequence

from litstool.errors import Violation
from litstool.game import text_of
from litstool.grid import Cell
from litstool.lits import book
from litstool.lits.board import SIDES
from litstool.lits.game import Game
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.snapshot import Snapshot, Square

_BLANK = "·"

HEATS = {
    "moves": "how many legal moves cover it",
    "gain": "the best gain, for the side to move, of a legal move that covers it",
}
"""The heat maps by name, and what their numbers mean."""


def snapshot(
    game: Game,
    violations: Sequence[Violation],
    *,
    numbers: bool = False,
    heat: str | None = None,
) -> Snapshot:
    """A game's position after its moves, with the rules that it is said to break.

    ``numbers`` numbers the pieces by the move that placed them, as ``--ply`` counts.  ``heat`` is
    one of ``HEATS``: what each open cell is for the side to move.
    """
    position = game.position_as_written()
    scores = _scores(game)
    left = _supply_left(game)
    overlaps = {cell for fault in violations if fault.rule == "overlap" for cell in fault.cells}
    locked = set() if violations else locked_cells(position)
    blocks = {cell for fault in violations if fault.rule == "2x2" for cell in fault.cells}
    heats = _heats(position, heat) if heat and not violations else {}
    marked = set() if position.is_finished else locked
    legend = []
    if marked:
        legend.append(("[ ]", "no piece can cover this cell any more"))
    if overlaps:
        legend.append(("!", "two pieces overlap here"))
    if blocks:
        legend.append(("x!", "a 2x2 block that is wholly covered"))
    if game.pattern.outline.holes:
        legend.append(("░░░", "a hole: not part of the board"))
    if heat and heats:
        legend.append(("n", f"the number in a cell: {HEATS[heat]}"))
    return Snapshot(
        game=game.game,
        name=game.name,
        outline=game.pattern.outline,
        squares=_squares(game, marked, overlaps, blocks, heats, numbers),
        sides=SIDES,
        scores=scores,
        margin=scores[SIDES[0]] - scores[SIDES[1]],
        pieces=len(game.all_pieces),
        moves=tuple(text_of(move) for move in game.moves),
        to_move=position.to_move,
        is_finished=position.is_finished,
        winner=position.winner,
        players=game.players,
        swapped=position.swapped,
        violations=tuple(violations),
        after_score=(("Supply", _supply(game, left)),),
        turn=", who may swap instead" if position.can_swap else "",
        comments=_comments(position, violations),
        legend=tuple(legend),
        details={
            "pattern": list(game.pattern.rows()),
            "pieces": [piece.notation for piece in game.all_pieces],
            "swap": position.can_swap,
            "supply_left": left,
            "safe": [cell.name for cell in sorted(locked)],
        },
    )


def _squares(
    game: Game,
    marked: set[Cell],
    overlaps: set[Cell],
    blocks: set[Cell],
    heats: dict[Cell, float],
    numbers: bool,
) -> dict[Cell, Square]:
    pieces = game.all_pieces
    owner = {cell: number for number, piece in enumerate(pieces) for cell in piece.cells}
    move_of = dict(enumerate(_move_numbers(game))) if numbers else {}
    last = len(pieces) - 1 if game.moves and not isinstance(game.moves[-1], str) else None
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
                faulty=cell in blocks,
            )
            continue
        symbol = game.pattern.symbol(cell)
        is_symbol = symbol in SIDES
        squares[cell] = Square(
            symbol if is_symbol else " " if cell in marked else _BLANK,
            fill=symbol if is_symbol else None,
            bracketed=cell in marked,
            faint=not is_symbol,
            heat=heats.get(cell),
        )
    return squares


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


def locked_cells(position: Position) -> set[Cell]:
    """The uncovered cells that no piece can cover any more."""
    outline = position.pattern.outline
    every = outline.mask(outline.cells)
    return set(outline.cells_of(every & ~position.covered & ~position.coverable()))


def _scores(game: Game) -> dict[str, int]:
    """Each side's symbols that are not covered, by pieces that break rules either."""
    covered = {cell for piece in game.all_pieces for cell in piece.cells}
    seen = [game.pattern.symbol(cell) for cell in game.pattern.outline.cells if cell not in covered]
    return {side: seen.count(side) for side in SIDES}


def _supply_left(game: Game) -> dict[str, int]:
    """What is left of each shape, below 0 where there are more pieces than that."""
    used = [piece.shape for piece in game.all_pieces]
    supply = zip(SHAPES, game.supply, strict=True)
    return {shape: number - used.count(shape) for shape, number in supply}


def _supply(game: Game, left: dict[str, int]) -> str:
    count = len(game.all_pieces)
    counts = ", ".join(f"{shape} {max(number, 0)}" for shape, number in left.items())
    return f"{counts} ({count} piece{'s' * (count != 1)} down)"


def _comments(position: Position, violations: Sequence[Violation]) -> tuple[tuple[str, str], ...]:
    advice = None if violations else book.advice(position)
    return () if advice is None else (("Swap book", advice),)
