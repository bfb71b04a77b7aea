"""The review of a whole game: what each move was worth, the best move, and where the game turned.

Every position is valued once, the last ones first: they are solved in no time, and what they leave
of the time goes to the early ones.  What a move lost is the difference between two neighbouring
positions, in points where both are exact and in chance to win where they are not.

The same for every game: a game offers an ``engine`` room and a record.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from litstool import games
from litstool.analysis import Analysis, RankedMove
from litstool.results import Control

if TYPE_CHECKING:
    from litstool.draw.reviewed import ReviewedGame, Value

SWAP = "swap"
TURN = 0.5
"""A chance above this is ahead."""

_MOST_TOLD = 3
_LOSS_THAT_COUNTS = 0.08
"""A difference of chances that is more than the chance of the games played."""


@dataclass(frozen=True)
class MoveReview:
    """One entry of a game: what was played, by which side, and the positions before and after.

    ``lost`` is what it cost in points of the final margin where both values are exact,
    ``lost_chance`` in chance to win otherwise.  ``turned`` says whether the proven winner changed
    by it or, where not proven, who is ahead; ``remark`` is a sentence on the swap.
    """

    number: int
    move: str
    side: str
    before: Analysis
    after: Analysis
    lost: int | None
    lost_chance: float | None
    was_best: bool | None
    turned: bool
    remark: str | None = None

    def to_json(self) -> dict[str, object]:
        """The entry of ``analyze --json`` of a game."""
        best = self.before.moves[0].move if self.before.moves else None
        return {
            "number": self.number,
            "move": self.move,
            "side": self.side,
            "value": value_to_json(self.after),
            "best": best if self.move != SWAP else None,
            "best_line": list(self.before.line) if self.move != SWAP else [],
            "was_best": self.was_best,
            "lost": self.lost,
            "lost_chance": None if self.lost_chance is None else round(self.lost_chance, 4),
            "turned": self.turned,
            "remark": self.remark,
        }


@dataclass(frozen=True)
class Review:
    """A whole game.  ``start`` is the position before the first move; ``sides`` in the game's
    order; ``interrupted`` says that the early positions were given less than their time."""

    sides: tuple[str, str]
    start: Analysis
    moves: tuple[MoveReview, ...]
    seconds: float
    interrupted: bool

    def to_json(self) -> dict[str, object]:
        """The document of ``analyze --json`` of a game."""
        return {
            "start": value_to_json(self.start),
            "moves": [each.to_json() for each in self.moves],
            "turns": [each.number for each in self.moves if each.turned],
            "seconds": round(self.seconds, 3),
            "interrupted": self.interrupted,
        }


def value_to_json(found: Analysis) -> dict[str, object]:
    """A position's value: of the side named first."""
    return {
        "exact": found.exact,
        "winner": found.winner,
        "margin": found.margin,
        "chance": None if found.chance is None else round(found.chance, 4),
        "expected_margin": None if found.expected is None else round(found.expected, 2),
    }


def review(
    record: Any,
    *,
    time_limit: float,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Review:
    """Review a game in about ``time_limit`` seconds.

    :raises IllegalError: the game breaks the rules.
    """
    control = control or Control()
    engine = games.room(record.game, "engine")
    positions = record.replay()
    engine.prepare(positions[0], on_compile)
    started = time.perf_counter()
    count = len(positions)
    values: list[Analysis | None] = [None] * count
    for index in range(count - 1, -1, -1):
        left = started + time_limit - time.perf_counter()
        # After a stop each of the rest is given a glance, so that there is a value for all.
        seconds = 0.02 if control.interrupted else max(0.05, left / (index + 1))
        inner = Control(on_progress=control.on_progress)
        values[index] = engine.choose(
            positions[index], time_limit=seconds, seed=seed, control=inner
        )
        if inner.interrupted:
            control.stop()
    known = [each for each in values if each is not None]
    sides = engine.seats(positions[0])
    names = (sides["first"], sides["second"])
    if positions[0].to_move not in names:
        names = (names[1], names[0])
    moves = []
    for number, move in enumerate(record.moves, 1):
        text = move if isinstance(move, str) else move.notation
        position = positions[number - 1]
        moves.append(_judged(number, text, position, known[number - 1], known[number], names[0]))
    return Review(names, known[0], tuple(moves), time.perf_counter() - started, control.interrupted)


def _judged(
    number: int, text: str, position: Any, before: Analysis, after: Analysis, first: str
) -> MoveReview:
    side = position.to_move
    sign = 1 if side == first else -1
    if text == SWAP:
        return MoveReview(
            number, text, side, before, after, None, None, None, False, _on_swap(before, True)
        )
    lost: int | None = None
    lost_chance: float | None = None
    was_best: bool | None = None
    turned = False
    both_exact = before.exact and after.exact
    if both_exact and before.margin is not None and after.margin is not None:
        # Best play cannot gain; equal margins may differ in the last piece, so in the winner.
        lost = max(0, sign * (before.margin - after.margin))
        was_best = lost == 0 and before.winner == after.winner
    elif both_exact:
        was_best = None if before.winner == after.winner else False
    elif before.exact:
        # A proven value and an estimate cannot be told apart by their difference.
        was_best = True if before.moves and text == before.moves[0].move else None
    elif before.chance is not None and after.chance is not None:
        lost_chance = max(0.0, sign * (before.chance - after.chance))
        best = before.moves[0].move if before.moves else None
        was_best = text == best or (None if lost_chance < _LOSS_THAT_COUNTS else False)
    if not position_is_first(position):
        if both_exact:
            turned = before.winner != after.winner
        elif before.exact and after.chance is not None:
            clear = abs(after.chance - TURN) >= _LOSS_THAT_COUNTS
            turned = clear and (before.winner == first) != (after.chance > TURN)
        elif before.chance is not None and after.chance is not None:
            turned = (
                lost_chance is not None
                and lost_chance >= _LOSS_THAT_COUNTS
                and (before.chance > TURN) != (after.chance > TURN)
            )
    remark = _on_swap(before, False) if before.can_swap else None
    if position_is_first(position) and getattr(position, "can_swap", None) is not None:
        # Under the pie rule the first piece should leave the game even, not gain the most.
        lost = lost_chance = was_best = None
        if after.chance is not None and not after.exact:
            ahead = max(after.chance, 1 - after.chance)
            remark = f"leaves the game {'even' if ahead < 0.6 else 'uneven'} for the pie rule"
    return MoveReview(
        number, text, side, before, after, lost, lost_chance, was_best, turned, remark
    )


def position_is_first(position: Any) -> bool:
    """Whether no piece is on the board."""
    return not position.pieces


def _on_swap(before: Analysis, swapped: bool) -> str | None:
    """Whether to swap was right: the second player wants the side that is ahead."""
    if before.chance is None:
        return None
    x_ahead = before.chance > TURN
    if before.exact:
        who = f"{before.winner} wins with best play"
    else:
        ahead = max(before.chance, 1 - before.chance)
        who = f"{'X' if x_ahead else 'O'} is ahead, {100 * ahead:.0f} %"
    close = not before.exact and abs(before.chance - TURN) < _LOSS_THAT_COUNTS / 2
    if close:
        return f"to swap or not was close ({who})"
    if swapped:
        return f"to swap was {'right' if x_ahead else 'wrong'} ({who})"
    return f"not to swap was {'wrong' if x_ahead else 'right'} ({who})"


def filled_in(shown: ReviewedGame, found: Review) -> ReviewedGame:
    """The game of a report with what the review found."""
    from litstool.draw.reviewed import Alternative

    moves = []
    for entry, judged in zip(shown.moves, found.moves, strict=True):
        best: tuple[Alternative, ...] = ()
        if judged.move != SWAP:
            best = tuple(
                Alternative(each.move, _value_of_move(each, found.sides, judged.side))
                for each in _worth_telling(judged, found.sides)
            )
            if judged.was_best and judged.move not in (each.move for each in best):
                best = (Alternative(judged.move, _value(judged.after)), *best[: _MOST_TOLD - 1])
        moves.append(
            replace(
                entry,
                value=_value(judged.after),
                best=best,
                was_best=judged.was_best,
                lost=judged.lost,
                lost_chance=judged.lost_chance,
                turned=judged.turned,
                remark=judged.remark,
            )
        )
    positions = [found.start, *(each.after for each in found.moves)]
    exact = sum(each.exact for each in positions)
    others = ", the others estimated by search" if exact < len(positions) else ""
    return replace(
        shown,
        moves=tuple(moves),
        value=_value(found.start),
        analysis=f"{exact} of {len(positions)} positions solved exactly{others}, in "
        f"{found.seconds:.0f} s",
    )


def _worth_telling(judged: MoveReview, sides: tuple[str, str]) -> list[RankedMove]:
    """The best moves in place of one that was played, best first: none that is not better than it
    where it was not best, and none as good as the best where that is not known."""
    before, after = judged.before, judged.after
    sign = 1 if judged.side == sides[0] else -1
    known = [
        each
        for each in before.moves
        if each.win_rate is not None and not (judged.was_best is False and each.move == judged.move)
    ]
    if before.exact and before.moves and before.moves[0].exact:
        top = before.moves[0]
        if top.winner != judged.side and top.margin is None:
            return []  # Lost whatever is played, and no more is known.
        known = [each for each in known if (each.winner, each.margin) == (top.winner, top.margin)]
    elif judged.was_best is False and after.chance is not None:
        played = after.chance if sign > 0 else 1 - after.chance
        known = [each for each in known if (each.win_rate or 0.0) > played]
    return known[:_MOST_TOLD]


def _value(found: Analysis) -> Value:
    from litstool.draw.reviewed import Value

    margin = found.margin if found.exact else found.expected
    return Value(margin, None if found.exact else found.chance, found.exact, found.winner)


def _value_of_move(move: Any, sides: tuple[str, str], side: str) -> Value:
    from litstool.draw.reviewed import Value

    if move.exact:
        return Value(move.margin, None, True, move.winner)
    chance = move.win_rate if side == sides[0] else 1 - move.win_rate
    return Value(None, chance)
