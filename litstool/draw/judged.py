"""A game's report with what its review found."""

from __future__ import annotations

from dataclasses import replace

from litstool.draw.reviewed import Alternative, ReviewedGame, Value
from litstool.say.review import effort, remark
from litstool.search.analysis import Analysis, RankedMove
from litstool.tasks.review import MoveReview, Review

_MOST_TOLD = 3


def filled_in(shown: ReviewedGame, found: Review) -> ReviewedGame:
    """The game of a report with what the review found."""
    moves = []
    for entry, judged in zip(shown.moves, found.moves, strict=True):
        moves.append(
            replace(
                entry,
                value=_value(judged.after),
                best=_best(judged, found.sides),
                was_best=judged.was_best,
                lost=judged.lost,
                lost_chance=judged.lost_chance,
                turned=judged.turned,
                remark=remark(judged, found.sides),
            )
        )
    return replace(
        shown,
        moves=tuple(moves),
        value=_value(found.start),
        analysis=effort(found),
    )


def _best(judged: MoveReview, sides: tuple[str, str]) -> tuple[Alternative, ...]:
    """The best moves in place of the one that was played, best first.

    Where it was not best none that is not better, and where that is not known none at all.
    """
    if judged.was_best:
        return (Alternative(judged.move, _value(judged.after)),)
    by_first = judged.side == sides[0]
    return tuple(
        Alternative(each.move, _value_of(each, by_first)) for each in judged.better[:_MOST_TOLD]
    )


def _value(found: Analysis) -> Value:
    margin = found.margin if found.exact else found.expected
    return Value(margin, None if found.exact else found.chance, found.exact, found.winner)


def _value_of(move: RankedMove, by_first: bool) -> Value:
    if move.exact or move.win_rate is None:
        return Value(move.margin, None, move.exact, move.winner)
    return Value(None, move.win_rate if by_first else 1 - move.win_rate)
