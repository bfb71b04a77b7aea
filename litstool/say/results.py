"""The words for results: who wins and by how much, who leads, bounds, estimates.

Every result that people read is worded here, so that ``O wins by 3`` is never ``O -3`` in one
place and ``O +3`` in another.  Margins are those of the side named first, unless told otherwise;
``sides`` are the two sides, the first one first.
"""

from __future__ import annotations

from collections.abc import Mapping

from litstool.game import DRAW
from litstool.search.analysis import Analysis, RankedMove

Sides = tuple[str, str]

_EVEN = 0.0005
"""A chance so near to one half is not worth telling from it."""


def won(winner: str, margin: float | None = None, *, brief: bool = False) -> str:
    """A result: ``X wins by 3``, ``O wins`` where the margin is not known, ``a draw``.

    A win with a margin of 0 is one by the last piece; ``brief`` is for tables.
    """
    if winner == DRAW:
        return "a draw"
    if margin:
        return f"{winner} wins by {abs(margin):g}"
    if margin == 0:
        return f"{winner} wins the tie" if brief else f"{winner} wins on equal scores, {LAST_PIECE}"
    return f"{winner} wins"


LAST_PIECE = "with the last piece"


def win_of(who: str) -> str:
    """A result as a thing: ``a win of X``."""
    return f"a win of {who}"


def ahead(who: str) -> str:
    """Who is ahead, by whatever it may be: ``X ahead``."""
    return f"{who} ahead"


def sentence(text: str) -> str:
    """The same text as the beginning of a line: ``A draw``."""
    return text[:1].upper() + text[1:]


def lead(margin: float, sides: Sides, *, brief: bool = False) -> str:
    """Who leads on the board: ``X ahead by 3``, ``level``; ``X by 3`` in a table."""
    if not margin:
        return "level"
    side = sides[margin < 0]
    return f"{side if brief else ahead(side)} by {abs(margin):g}"


def expected(margin: float, sides: Sides) -> str:
    """Who leads in the end by an estimate: ``X ahead by about 1.5``."""
    return lead(round(margin, 1), sides).replace(" by ", " by about ")


def estimate(margin: float | None, share: float | None, sides: Sides) -> str:
    """What a position seems to be worth: ``X ahead by about 1.5, chance to win: X 62 %``.

    Of the side named first; None for what is not known.
    """
    parts = [] if margin is None else [expected(margin, sides)]
    if share is not None:
        parts.append(f"chance to win: {chance(share, sides, 0)}")
    return ", ".join(parts) or "not known"


def loss(points: float | None, share: float | None) -> str | None:
    """What a move lost, in points of the margin and in chance to win; None where neither is known.

    ``3 points``, ``12 % of the chance to win``, ``nothing``.
    """
    if points is None and share is None:
        return None
    parts = [f"{points:g} point{'s' * (points != 1)}"] if points else []
    if share:
        parts.append(f"{round(100 * share)}\u00a0% of the chance to win")
    return ", ".join(parts) or "nothing"


def score(scores: Mapping[str, int]) -> str:
    """Both scores: ``X 15, O 12``."""
    return ", ".join(f"{side} {points}" for side, points in scores.items())


def bounds(low: int, high: int, sides: Sides, winner: str | None = None) -> str:
    """What is proven of a margin: ``X wins by 2 to 9``, ``between O by 3 and X by 5``.

    A winner that is known may win by 0: on equal scores, with the last piece.
    """
    if low == high and winner is not None:
        return won(winner, low)
    if low > 0 or high < 0 or winner in sides:
        side = winner or sides[high < 0]
        least, most = sorted((abs(low), abs(high)))
        if low <= 0 <= high:
            return f"{side} wins by at most {max(high, 0) if side == sides[0] else max(-low, 0)}"
        return f"{side} wins by {least} to {most}"
    return f"between {_by(low, sides)} and {_by(high, sides)}"


def _by(margin: int, sides: Sides) -> str:
    return f"{sides[margin < 0]} by {abs(margin)}" if margin else "equal scores"


def percent(share: float, digits: int = 1) -> str:
    """A share as people read it: ``62.5 %``."""
    return f"{100 * share:.{digits}f} %"


def chance(share: float, sides: Sides, digits: int = 1) -> str:
    """Whose chance to win is the better, and how good: ``X 62.5 %``, ``even``.

    ``share`` is the chance of the side named first.
    """
    if abs(share - 0.5) < max(_EVEN, 0.5 * 10 ** -(digits + 2)):
        return "even"
    return f"{sides[share < 0.5]} {percent(max(share, 1 - share), digits)}"


def verdict(found: Analysis, sides: Sides) -> str:
    """What a position is worth: proven, estimated or not known."""
    if found.winner is not None:
        return f"{won(found.winner, found.margin)}, exactly"
    if found.chance is None:
        return "not known"
    told = chance(found.chance, sides)
    return f"{told}, estimated" if told == "even" else f"{told} to win, estimated"


def worth_of_move(move: RankedMove, sides: Sides, side: str) -> str:
    """What a move that ``side`` can play leads to, in a few words: proven or estimated."""
    if move.winner is not None:
        return f"{won(move.winner, move.margin)}, exactly"
    if move.win_rate is None:
        return "not tried"
    share = move.win_rate if side == sides[0] else 1 - move.win_rate
    return f"{chance(share, sides, 0)}, estimated"
