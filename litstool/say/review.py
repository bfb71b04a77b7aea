"""What the review of a game says: a table for people, a document for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litstool.errors import printable
from litstool.game import DRAW, SEATS, Position, Record
from litstool.say.layout import wrapped
from litstool.say.people import players_line
from litstool.say.results import (
    Sides,
    ahead,
    chance,
    percent,
    sentence,
    verdict,
    win_of,
    won,
    worth_of_move,
)
from litstool.search.analysis import Analysis
from litstool.tasks.review import CLOSE, WRONG, MoveReview, Review

_MOST_HALF_BAR, _LEAST_HALF_BAR = 8, 3


# --- for programs -----------------------------------------------------------------------------


def document(review: Review) -> dict[str, object]:
    """The document of ``analyze --json`` of a game."""
    return {
        "start": _value(review.start),
        "moves": [_entry(each, review.sides) for each in review.moves],
        "turns": [each.number for each in review.moves if each.turned],
        "exact_from": review.exact_from,
        "seconds": round(review.seconds, 3),
        "interrupted": review.interrupted,
    }


def _entry(each: MoveReview, sides: Sides) -> dict[str, object]:
    best = each.before.moves[0].move if each.before.moves else None
    return {
        "number": each.number,
        "move": each.move,
        "side": each.side,
        "value": _value(each.after),
        "best": None if each.is_swap else best,
        "best_line": [] if each.is_swap else list(each.before.line),
        "was_best": each.was_best,
        "lost": each.lost,
        "lost_chance": None if each.lost_chance is None else round(each.lost_chance, 4),
        "turned": each.turned,
        "remark": remark(each, sides),
    }


def _value(found: Analysis) -> dict[str, object]:
    """A position's value: of the side named first."""
    return {
        "exact": found.exact,
        "winner": found.winner,
        "margin": found.margin,
        "chance": None if found.chance is None else round(found.chance, 4),
        "expected_margin": None if found.expected is None else round(found.expected, 2),
    }


# --- for people -------------------------------------------------------------------------------


def remark(each: MoveReview, sides: Sides) -> str | None:
    """A sentence on the pie rule, where a move or a swap has to do with it."""
    if each.leaves_even is not None:
        return f"leaves the game {'even' if each.leaves_even else 'uneven'} for the pie rule"
    if each.swap is None or each.before.chance is None:
        return None
    if each.before.winner is not None:
        who = f"{won(each.before.winner)} with best play"
    else:
        who = f"{chance(each.before.chance, sides, 0)} to win, estimated"
    if each.swap == CLOSE:
        return f"to swap or not was close ({who})"
    return f"{'' if each.is_swap else 'not '}to swap was {each.swap} ({who})"


def effort(review: Review) -> str:
    """How many positions are proven, and how long it took."""
    positions = [review.start, *(each.after for each in review.moves)]
    exact = sum(each.exact for each in positions)
    others = ", the others estimated by search" if exact < len(positions) else ""
    count = f"{exact} of {len(positions)} positions solved exactly{others}"
    return f"{count}, in {review.seconds:.0f} s"


def aside(found: Analysis, position: Position) -> str:
    """That the value of a start leaves the pie rule aside, where that matters."""
    return ", the swap left aside" if position.will_be_swapped and found.exact else ""


def review_lines(record: Record, review: Review, wide: int) -> list[str]:
    """The review as a table, in lines of ``wide`` letters where its columns allow."""
    sides = review.sides
    told = [sentence(printable(text)) for text in (record.name, players_line(record)) if text]
    told = [line for text in told for line in wrapped(text, wide)]
    start = record.replay()[0]
    told += wrapped(f"Start: {verdict(review.start, sides)}{aside(review.start, start)}", wide, 2)
    table = _Table(review, wide)
    told += ["", table.heading()]
    for each in review.moves:
        told += table.rows(each)
    told.append("")
    for each in review.moves:
        if each.turned:
            told += wrapped(_turn(each, sides), wide, 2)
    if not any(each.turned for each in review.moves):
        sure = review.start.exact and all(each.after.exact for each in review.moves)
        told.append("The result never turned." if sure else "No move is known to have turned it.")
    told += wrapped(_certainty(review), wide, 2)
    return [*told, f"{review.seconds:.1f} s"]


def _turn(each: MoveReview, sides: Sides) -> str:
    known = each.before.exact and each.after.exact
    guess = "" if known else " (estimated)"
    if each.swap == WRONG:
        # The side that is ahead is the same: it is another person's.
        first, second = (f"the {seat} player" for seat in SEATS)
        if known:
            first, second = win_of(first), win_of(second)
        else:
            first, second = ahead(first), ahead(second)
        what = each.move if each.is_swap else "no swap"
        return f"Turned at move {each.number}, {what}: from {second} to {first}{guess}"
    was, became = _leader(each.before, each.side), _leader(each.after, each.side)
    if not known:
        was, became = ahead(each.side), ahead(sides[each.side == sides[0]])
    return f"Turned at move {each.number}, {each.move}: from {was} to {became}{guess}"


def _leader(found: Analysis, side: str) -> str:
    if found.winner is None:
        return ahead(side)
    return won(DRAW) if found.winner == DRAW else win_of(found.winner)


def _certainty(review: Review) -> str:
    """Which values are proven: in agreement with the marks of the table."""
    first = review.exact_from
    if first == 0:
        return "All values are exact (=)."
    early = [each.number for each in review.moves if each.after.exact]
    early = [number for number in early if first is None or number < first]
    parts = ["at the start"] * review.start.exact
    if early:
        parts.append(f"after move{'s' * (len(early) > 1)} {_listed(early)}")
    if first is not None:
        parts.append(f"from move {first} on")
    if not parts:
        return "All values are estimates (~)."
    return f"Values are exact {_listed(parts)} (marked =), the others estimates (~)."


def _listed(parts: Sequence[object]) -> str:
    """Parts of a sentence: ``1, 2 and 5``."""
    *most, last = map(str, parts)
    return f"{', '.join(most)} and {last}" if most else last


class _Table:
    """The rows of a review, with columns as wide as they need to be.

    The bars take what is left of the line; where that is too little there are none.
    """

    def __init__(self, review: Review, wide: int) -> None:
        self.sides = review.sides
        self.wide = wide
        self.move = max(4, *(len(each.move) for each in review.moves))
        self.value = max(5, *(len(self.value_of(each.after)) for each in review.moves))
        fixed = len(self.row("", "", "", "", "", ""))
        half = min(_MOST_HALF_BAR, (wide - fixed - 3) // 2)
        self.half = half if half >= _LEAST_HALF_BAR else 0
        numbers = [abs(_points(each.after)) for each in review.moves]
        self.scale = max(4.0, *numbers)

    def row(self, number: str, mark: str, side: str, move: str, value: str, lost: str) -> str:
        """A row without its bar."""
        head = f"{number:>3}{mark:<1} {side[:1]:<1} {move:<{self.move}}"
        return f"{head}  {value:<{self.value}} {lost:>4}"

    def heading(self) -> str:
        """The names of the columns."""
        row = self.row("", "", "", "move", "value", "lost")
        if not self.half:
            return row
        first, second = (side[: self.half] for side in self.sides)
        return f"{row}  {second.ljust(self.half, '·')}|{first.rjust(self.half, '·')}"

    def rows(self, each: MoveReview) -> list[str]:
        """The row of a move, and below it what was better and a remark."""
        value, mark = self.value_of(each.after), "!" if each.turned else ""
        row = self.row(str(each.number), mark, each.side, each.move, value, _lost(each))
        if self.half:
            row = f"{row}  {self.bar(each.after)}"
        told = [row.rstrip()]
        if each.better:
            better = each.better[0]
            worth = worth_of_move(better, self.sides, each.side)
            told += wrapped(f"       better: {better.move} ({worth})", self.wide, 9)
        if text := remark(each, self.sides):
            told += wrapped(f"       {text}", self.wide, 9)
        return told

    def value_of(self, found: Analysis) -> str:
        """A value in few letters: = proven, ~ estimated."""
        if found.winner is not None:
            return f"= {won(found.winner, found.margin, brief=True)}"
        return "?" if found.chance is None else f"~ {chance(found.chance, self.sides, 0)}"

    def bar(self, found: Analysis) -> str:
        """A bar to the left for the second side, to the right for the first."""
        points = _points(found)
        length = math.ceil(self.half * abs(points) / self.scale - 1e-9)
        if found.winner in self.sides and not length:
            # Won by the last piece, or by an unknown margin.
            length, points = 1, 1 if found.winner == self.sides[0] else -1
        fill = ("█" if found.exact else "▒") * min(self.half, length)
        left = fill.rjust(self.half) if points < 0 else " " * self.half
        return f"{left}|{fill if points > 0 else ''}"


def _points(found: Analysis) -> float:
    """How far the first side is ahead, in points: the margin, or an estimate of it."""
    if found.margin is not None:
        return found.margin
    return 0.0 if found.exact else found.expected or 0.0


def _lost(each: MoveReview) -> str:
    """What a move cost, in four letters at most."""
    if each.lost:
        return str(each.lost)
    if each.lost_chance:
        return percent(each.lost_chance, 0)
    return "win" if each.was_best is False and each.turned else ""
