"""A game as a report shows it: plain data, with what an analysis found where there was one.

:func:`record` makes it from a game alone, with pictures and scores; an analysis then fills in the
values, the best moves and what was lost, with :func:`dataclasses.replace`.  Nothing here knows
the games or computes anything about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from litstool.draw.picture import Picture
from litstool.game import DRAW, Record
from litstool.say import results
from litstool.say.people import People
from litstool.say.position import snapshot_of
from litstool.snapshot import Snapshot


@dataclass(frozen=True)
class Value:
    """What a position is worth, as seen by the side named first (X, Light).

    ``margin`` is the final score to expect, that side's less the other's; ``chance`` its share of
    wins, from 0 to 1; either may be unknown.  ``exact`` tells a proven value from an estimate.
    ``winner`` is the proven winner, ``draw`` for none, and needed where the margin is 0.
    """

    margin: float | None = None
    chance: float | None = None
    exact: bool = False
    winner: str | None = None

    def words(self, sides: tuple[str, str]) -> str:
        """The value in words: ``X wins by 3``, ``O ahead by about 1.5``."""
        if self.exact:
            winner = self.winner or (sides[self.margin < 0] if self.margin else DRAW)
            return results.won(winner, self.margin)
        return results.estimate(self.margin, self.chance, sides)


@dataclass(frozen=True)
class Alternative:
    """A move that could have been played, and its value."""

    move: str
    value: Value | None = None


@dataclass(frozen=True)
class ReviewedMove:
    """One entry of a game: what was played, by whom, and the picture and scores after it.

    ``scores`` has the sides in the game's order.  ``value`` is that of the position after the
    move, with best play.  ``best`` has the best moves in its place, best first, and ``was_best``
    tells whether the move played is as good.  ``lost`` is what the move cost in points of the
    final margin, ``lost_chance`` in chance to win; ``turned`` marks the moves that changed the
    winner.  ``remark`` is a sentence of the analysis, such as whether a swap was right.
    """

    move: str
    side: str
    player: str | None
    picture: Picture
    scores: tuple[int, int]
    value: Value | None = None
    best: tuple[Alternative, ...] = ()
    was_best: bool | None = None
    lost: float | None = None
    lost_chance: float | None = None
    turned: bool = False
    remark: str | None = None


@dataclass(frozen=True)
class ReviewedGame:
    """A whole game.

    ``sides`` are named in the game's order, ``players`` has who played each at the end.
    ``start`` is the picture before the first move, ``value`` that position's value.  ``facts``
    are lines of the report's head, such as the result; ``analysis`` says how values were found.
    """

    title: str
    sides: tuple[str, str]
    players: Mapping[str, str]
    start: Picture
    scores: tuple[int, int]
    moves: tuple[ReviewedMove, ...]
    value: Value | None = None
    facts: tuple[str, ...] = ()
    analysis: str | None = None
    source: str | None = None
    note: str | None = None
    problems: tuple[str, ...] = field(default=())


def record(game: Record, *, numbers: bool = False, heat: str | None = None) -> ReviewedGame:
    """A game without any analysis: each position's picture and scores.

    ``numbers`` and ``heat`` are those of :func:`litstool.say.position.snapshot_of`.  A game that
    breaks the rules is recorded too, with its ``problems``.
    """
    violations = game.violations()
    stages = []
    for ply in range(len(game.moves) + 1):
        broken = [fault for fault in violations if fault.move is None or fault.move <= ply]
        if violations and ply == len(game.moves):
            broken = violations
        stages.append(snapshot_of(game.at(ply), broken, numbers=numbers, heat=heat))
    first = stages[0]
    moves = tuple(
        ReviewedMove(
            move=move,
            side=before.to_move,
            player=_players(before).get(before.to_move),
            picture=Picture.of(after),
            scores=_scores(after),
        )
        for before, after, move in zip(stages, stages[1:], stages[-1].moves, strict=False)
    )
    return ReviewedGame(
        title=game.name or "A game",
        sides=first.sides,
        players=_players(stages[-1]),
        start=Picture.of(first),
        scores=_scores(first),
        moves=moves,
        source=game.source,
        note=game.note,
        problems=tuple(f"{fault.rule}: {fault.message}" for fault in violations),
    )


def _scores(shown: Snapshot) -> tuple[int, int]:
    first, second = (shown.scores[side] for side in shown.sides)
    return first, second


def _players(shown: Snapshot) -> dict[str, str]:
    """Who plays each side, where that is known; after a swap the two people have changed."""
    people = People.shown(shown).of_side
    return {side: person.name for side, person in people.items() if person.name}
