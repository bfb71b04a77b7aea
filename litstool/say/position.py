"""What a position shows, in words and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from litstool import games
from litstool.errors import UsageError, Violation
from litstool.files.reading import nearest
from litstool.game import Record
from litstool.say.people import People
from litstool.say.results import lead, score
from litstool.snapshot import Snapshot


def snapshot_of(
    record: Record,
    violations: Sequence[Violation] | None = None,
    *,
    numbers: bool = False,
    heat: str | None = None,
) -> Snapshot:
    """What a record's position shows; with ``violations`` as if these were all that it breaks.

    ``numbers`` numbers the pieces by the move that placed them, ``heat`` names a heat map.

    :raises UsageError: the game has no such heat map.
    """
    game = games.of(record)
    drawing = game.drawing()
    if heat is not None and not drawing.HEATS:
        raise UsageError(f"--heat: there is no heat map of {game.name}")
    if heat is not None and heat not in drawing.HEATS:
        hint = nearest(heat, drawing.HEATS)
        raise UsageError(f"--heat {heat}: there is no such heat map; {hint}")
    found = record.violations() if violations is None else violations
    return drawing.snapshot(record, found, numbers=numbers, heat=heat)


NOT_LEGAL = "Not legal:"
"""The line above the broken rules."""


class Fact(NamedTuple):
    """What is said below a board: words with a label, or a sentence without one.

    With ``is_part`` it belongs to the sentence above it.
    """

    label: str
    words: str
    is_part: bool = False

    @property
    def said(self) -> str:
        """Both in a row."""
        return f"{self.label}: {self.words}" if self.label else self.words


def facts(shown: Snapshot) -> tuple[Fact, ...]:
    """What is said below a board: the facts, then the broken rules if any."""
    told: list[tuple[str, str]] = []
    people = People.shown(shown)
    if (players := people.line()) is not None:
        told.append(("Players", players))
    if shown.moves:
        told.append(("Last move", f"{shown.moves[-1]} (move {len(shown.moves)})"))
    told += shown.before_score
    told.append(("Score", f"{score(shown.scores)}: {lead(shown.margin, shown.sides)}"))
    told += shown.after_score
    if shown.violations:
        pass
    elif shown.winner is not None:
        why = "" if shown.pieces else ": no piece can be placed"
        told.append(("Finished", f"{people.result(shown.winner, shown.margin)}{why}"))
    else:
        told.append(("To move", f"{shown.to_move}{shown.turn}"))
        told += shown.comments
    found = [Fact(label, words) for label, words in told]
    if shown.violations:
        found.append(Fact("", NOT_LEGAL))
        found += [Fact("", f"{each.rule}: {each.message}", True) for each in shown.violations]
    return tuple(found)


def document(shown: Snapshot) -> dict[str, object]:
    """The document of ``show --json``."""
    return {
        "game": shown.game,
        "name": shown.name,
        "rows": shown.outline.rows,
        "columns": shown.outline.columns,
        **shown.details,
        "moves": list(shown.moves),
        "to_move": shown.to_move,
        "scores": dict(shown.scores),
        "margin": shown.margin,
        "finished": shown.is_finished,
        "winner": shown.winner,
        "players": dict(shown.players),
        "legal": not shown.violations,
        "violations": [each.to_json() for each in shown.violations],
    }
