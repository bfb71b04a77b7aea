"""The legal moves of a position as they are listed."""

from __future__ import annotations

from collections.abc import Iterable

from litstool.errors import UsageError
from litstool.files.reading import nearest
from litstool.game import ListedMove
from litstool.grid import Cell
from litstool.mijnlieff.board import KINDS
from litstool.mijnlieff.notation import parse_kind
from litstool.mijnlieff.position import PASS, Move, Position


def moves(position: Position, kind: str | None, covers: Iterable[Cell]) -> list[ListedMove]:
    """The legal moves by cell and then by kind; ``kind`` and ``covers`` leave out others.

    :raises UsageError: the kind is none of the four.
    """
    known = None if kind is None else parse_kind(kind)
    if kind is not None and known is None:
        raise UsageError(f"{kind!r} is no kind of piece; {nearest(kind, KINDS)}")
    wanted = set(covers)
    legal = list(position.moves())
    return [
        _listed(move, gain)
        for move, gain in zip(legal, position.gains(legal), strict=True)
        if (known is None or (not isinstance(move, str) and move.kind == known))
        and (not wanted or (not isinstance(move, str) and wanted == {move.cell}))
    ]


def beside(position: Position) -> tuple[dict[str, object], list[str]]:
    """What else there is to say: that a pass is forced."""
    forced = f"{position.to_move} has no allowed cell and must pass"
    return {}, [forced] * position.must_pass


def _listed(move: Move, gain: int) -> ListedMove:
    if isinstance(move, str):
        return ListedMove(PASS, gain, (), {"kind": None, "cell": None})
    return ListedMove(
        move.notation, gain, (move.cell,), {"kind": move.kind, "cell": move.cell.name}
    )
