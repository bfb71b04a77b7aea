"""Which rules a position of unknown order breaks, and the play that leads to it.

Such a position is legal if some legal play reaches it: with its pieces, their kinds, its side to
move and its restriction in force.  :func:`find_play` looks for one by depth-first search over
what matters on the way: which pieces are down, which of them was the last, and whether the other
side has passed since.  Sixteen pieces at most make these states few enough to look at all of
them, so that finding none is a proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from litstool.errors import Violation
from litstool.grid import bits
from litstool.mijnlieff.board import KINDS, SIDES, opponent
from litstool.mijnlieff.position import PASS, Move, Piece, Placed, Position

_State = tuple[int, int, bool]
"""The cells filled, the last of them, and whether the other side has passed since."""


@dataclass(frozen=True)
class PlaySearch:
    """What :func:`find_play` found: the moves, or None and how many states it looked at.

    ``ends`` are the ways in which play can bring just these pieces about: the side then to move
    and the last piece, None after a pass.
    """

    moves: tuple[Move, ...] | None
    states: int
    ends: tuple[tuple[str, Piece | None], ...] = ()


def violations_of_position(position: Position) -> list[Violation]:
    """Every rule that a position of unknown order breaks; empty where it is legal."""
    found = _violations_of_counts(position) + _violations_of_last(position)
    if not position.pieces and position.to_move != SIDES[0]:
        found.append(Violation("to-move", "Dark is to move on the empty board; Light starts"))
    if found:
        return found
    search = find_play(position)
    if search.moves is None:
        found.append(Violation("unreachable", _why_unreachable(position, search)))
    return found


def _violations_of_counts(position: Position) -> list[Violation]:
    found = []
    limit = position.board.each_kind
    for side in SIDES:
        for kind in KINDS:
            cells = tuple(
                placed.cell
                for placed in position.pieces
                if placed.side == side and placed.kind == kind
            )
            if len(cells) > limit:
                message = f"{side} has {len(cells)} pieces {kind} on the board, and only {limit}"
                found.append(Violation("too-many", message, cells))
    return found


def _violations_of_last(position: Position) -> list[Violation]:
    last = position.last
    if last is None:
        return []
    if last.cell not in position.outline:
        return [Violation("off-board", f"last is {last.notation}, off the board", (last.cell,))]
    there = position.at.get(last.cell)
    if there is None or there.kind != last.kind:
        what = "is empty" if there is None else f"has a {there.kind}"
        message = f"last is {last.notation}, but {last.cell.name} {what}"
        return [Violation("restriction", message, (last.cell,))]
    if there.side == position.to_move:
        message = (
            f"{position.to_move} is to move, but last, {last.notation}, is a piece of "
            f"{there.side} and restricts {opponent(there.side)}"
        )
        return [Violation("to-move", message, (last.cell,))]
    return []


def _why_unreachable(position: Position, search: PlaySearch) -> str:
    looked = f"all {search.states:,} positions on the way were looked at"
    if not search.ends:
        return f"no legal play puts these pieces on the board: {looked}"
    ways = []
    for side, last in search.ends:
        ways.append(f"{side} to move " + (f"after {last.notation}" if last else "after a pass"))
    shown = ", ".join(ways[:4]) + (f" or {len(ways) - 4} other ways" if len(ways) > 4 else "")
    state = f"after {position.last.notation}" if position.last else "without a restriction"
    return (
        f"legal play brings these pieces about with {shown}, "
        f"but not with {position.to_move} to move {state}: {looked}"
    )


def find_play(position: Position) -> PlaySearch:
    """Legal play from the empty board to a position, whose pieces may be in any order.

    Without ``last`` the position is taken as one where nothing restricts the side to move: after
    a pass, after a piece that happens to allow every empty cell, or at the end of the game.
    The opening rule is one of the empty board: a position does not tell under which its first
    piece was placed, so play that starts on an inner cell counts where no other leads there.
    """
    board = position.board
    if not position.pieces:
        found = position.to_move == SIDES[0] and position.last is None
        return PlaySearch(() if found else None, 1)
    search = _find_play(position, board.first_cells)
    return search if search.moves is not None else _find_play(position, board.all_cells)


def _find_play(position: Position, first_cells: int) -> PlaySearch:
    board = position.board
    number = board.number
    pieces: dict[int, Placed] = {number[placed.cell]: placed for placed in position.pieces}
    allowed = {cell: board.allowed[placed.kind][cell] for cell, placed in pieces.items()}
    own = {side: position.cells_of(side) for side in SIDES}
    full = own["Light"] | own["Dark"]
    asked_last = None if position.last is None else number[position.last.cell]

    ends: list[tuple[str, Piece | None]] = []
    came_from: dict[_State, _State | None] = {}
    waiting: list[_State] = []
    for cell in bits(own["Light"] & first_cells):
        state = (1 << cell, cell, False)
        came_from[state] = None
        waiting.append(state)
    while waiting:
        state = waiting.pop()
        filled, last, passed = state
        side = pieces[last].side if passed else opponent(pieces[last].side)
        has_pieces = (own[side] & filled).bit_count() < board.pieces_each
        empty = board.all_cells & ~filled
        if filled == full:
            if side == position.to_move and (
                (last == asked_last and not passed)
                if asked_last is not None
                else (passed or not has_pieces or not empty & ~allowed[last])
            ):
                return PlaySearch(_moves_to(state, came_from, pieces), len(came_from))
            ends.append((side, None if passed else pieces[last].piece))
        if not has_pieces:
            continue
        if passed:
            options = empty & own[side]
        elif not empty & allowed[last]:
            after = (filled, last, True)
            if after not in came_from:
                came_from[after] = state
                waiting.append(after)
            continue
        else:
            options = empty & allowed[last] & own[side]
        for cell in bits(options):
            after = (filled | 1 << cell, cell, False)
            if after not in came_from:
                came_from[after] = state
                waiting.append(after)
    return PlaySearch(None, len(came_from), tuple(sorted(set(ends), key=str)))


def _moves_to(
    end: _State, came_from: Mapping[_State, _State | None], pieces: Mapping[int, Placed]
) -> tuple[Move, ...]:
    moves: list[Move] = []
    state: _State | None = end
    while state is not None:
        moves.append(PASS if state[2] else pieces[state[1]].piece)
        state = came_from[state]
    return tuple(reversed(moves))


def replayed(position: Position, moves: Sequence[Move]) -> Position:
    """The position after moves, each made by the rules.

    :raises IllegalError: a move breaks a rule.
    """
    for move in moves:
        position = position.play(move)
    return position
