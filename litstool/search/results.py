"""What an exact search says, the same for every game, and how it is told to stop.

A search never returns a bare number: the value comes with the line that shows it, the effort,
and whether the search was finished.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

OUTCOME, SCORE = "outcome", "score"
OBJECTIVES = (SCORE, OUTCOME)

MOST_SECONDS = 1e9
"""Some thirty years: a longer limit is none, and more than timers take."""


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


@dataclass(frozen=True)
class Progress:
    """How far a search is: root moves done of all, nodes, seconds, proven bounds, best so far."""

    done: int
    total: int
    nodes: int
    seconds: float
    bounds: tuple[int, int] | None = None
    best: str | None = None


# A plain flag: a handler may break into itself, where a lock would wait for ever.
_is_everything_stopped = False


def stop_everything(stop: bool = True) -> None:
    """Stop every computation of this process as :meth:`Control.stop` does one; False: no more.

    For a signal handler, whose exception a compiler or a callback may swallow.
    """
    global _is_everything_stopped
    _is_everything_stopped = stop


@dataclass
class Control:
    """How a caller steers a long computation.

    ``time_limit`` is in seconds of wall time, None for no limit.  ``on_progress`` is called a
    few times a second.  ``stop()`` may be called from any thread or signal handler: the
    computation then ends soon with what it knows and ``interrupted`` tells why.
    """

    time_limit: float | None = None
    on_progress: Callable[[Progress], None] | None = None
    # One place for the stop, which the controls of the parts share.
    _stopped: list[bool] = field(default_factory=lambda: [False], init=False, repr=False)
    _begun: float = field(default_factory=time.monotonic, init=False, repr=False)

    def pause(self, seconds: float) -> None:
        """Leave so many seconds, such as those that compiling took, out of the time limit."""
        self._begun += seconds

    @property
    def left(self) -> float | None:
        """Seconds left of the time limit, never below 0; None without a limit."""
        if self.time_limit is None:
            return None
        return max(0.0, self.time_limit - (time.monotonic() - self._begun))

    @property
    def is_over(self) -> bool:
        """Whether the computation should end now: stopped, or out of time."""
        return self.interrupted or self.left == 0

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            self.time_limit = min(self.time_limit, MOST_SECONDS)

    @property
    def interrupted(self) -> bool:
        """Whether :meth:`stop` was called, or :func:`stop_everything`."""
        return self._stopped[0] or _is_everything_stopped

    def stop(self) -> None:
        """Ask the computation to end with what it knows."""
        self._stopped[0] = True

    def share(self, parts: float) -> Control:
        """The control of the next of so many like parts of the work, with its share of the time
        left."""
        return self.within(None if self.left is None else self.left / parts)

    def within(self, seconds: float | None) -> Control:
        """The control of a part of the work, with a time limit of its own.

        Whoever stops the part or the whole stops both.
        """
        part = Control(seconds, self.on_progress)
        part._stopped = self._stopped
        return part
