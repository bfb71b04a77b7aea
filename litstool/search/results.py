"""What an exact search says, the same for every game.

A search never returns a bare number: the value comes with the line that shows it, the effort,
and whether the search was finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

OUTCOME, SCORE = "outcome", "score"
OBJECTIVES = (SCORE, OUTCOME)


@dataclass(frozen=True)
class MoveValue:
    """The value of one root move under best play after it; ``margin`` None if only the outcome
    was asked."""

    move: str
    winner: str
    margin: int | None

    def to_json(self) -> dict[str, object]:
        return {"move": self.move, "winner": self.winner, "margin": self.margin}


@dataclass(frozen=True)
class SearchResult:
    """The answer of ``solve``, with the fields that ``solve --json`` prints.

    ``margin`` is the final score of the side named first (X, Light) minus the other's under best
    play, None where only the outcome was asked or the search was not finished.  ``best`` has one
    proven best move, or every one where all moves were asked for; where the search was not
    finished, the best found so far.  ``line`` is play to the end of the game.  ``bounds`` are
    proven limits on the margin of a search that was not finished.  ``by_book`` says that the
    winner is known from a book.  ``seconds`` is wall time without compilation.
    """

    solved: bool
    to_move: str
    objective: str
    winner: str | None
    margin: int | None
    final_score: dict[str, int] | None
    last_mover: str | None
    best: tuple[str, ...]
    line: tuple[str, ...]
    nodes: int
    seconds: float
    moves: tuple[MoveValue, ...] | None = None
    bounds: tuple[int, int] | None = None
    by_book: bool = False

    def to_json(self) -> dict[str, object]:
        """The document of ``solve --json``."""
        document: dict[str, object] = {
            "solved": self.solved,
            "to_move": self.to_move,
            "objective": self.objective,
            "winner": self.winner,
            "margin": self.margin,
            "final_score": self.final_score,
            "last_mover": self.last_mover,
            "best": list(self.best),
            "line": list(self.line),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }
        if self.moves is not None:
            document["moves"] = [each.to_json() for each in self.moves]
        if self.bounds is not None:
            document["bounds"] = list(self.bounds)
        if self.by_book:
            document["book"] = True
        return document


class Ended(Protocol):
    """A position with no legal move, of any game."""

    @property
    def to_move(self) -> str: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def margin(self) -> int: ...
    @property
    def last_mover(self) -> str | None: ...
    def score(self, side: str) -> int: ...


def result_at_end(
    position: Ended, sides: Sequence[str], objective: str, all_moves: bool
) -> SearchResult:
    """The result of a position with no legal move, which takes no search."""
    scored = objective == SCORE
    return SearchResult(
        solved=True,
        to_move=position.to_move,
        objective=objective,
        winner=position.winner,
        margin=position.margin if scored else None,
        final_score={side: position.score(side) for side in sides} if scored else None,
        last_mover=position.last_mover,
        best=(),
        line=(),
        nodes=0,
        seconds=0.0,
        moves=() if all_moves else None,
    )
