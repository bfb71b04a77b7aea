"""What an engine says of a position, the same for every game.

An analysis mixes proven values with estimates, so every number says which it is: ``exact`` values
come from the solver, the others are shares of the games that the engine played in its search, with
a 95 % interval for the chance of those games (which says nothing of how good their play was).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist


@dataclass(frozen=True)
class RankedMove:
    """One move and what is known of it.

    ``win_rate`` is the share of the ``games`` through this move that the side to move won, with
    the ends ``low`` and ``high`` of its 95 % interval; 1 or 0 (a half for a draw) where the result
    is proven.  ``winner`` is the proven winner, ``margin`` the proven final margin of the side
    named first (X, Light); None where not proven.
    """

    move: str
    win_rate: float | None
    low: float | None
    high: float | None
    games: int
    winner: str | None = None
    margin: int | None = None

    @property
    def exact(self) -> bool:
        """Whether the result after this move is proven."""
        return self.winner is not None

    def to_json(self) -> dict[str, object]:
        """The entry of ``analyze --json``."""
        return {
            "move": self.move,
            "exact": self.exact,
            "winner": self.winner,
            "margin": self.margin,
            "win_rate": _rounded(self.win_rate),
            "confidence": None if self.low is None else [_rounded(self.low), _rounded(self.high)],
            "games": self.games,
        }


@dataclass(frozen=True)
class Analysis:
    """What an engine found in its time.

    ``choice`` is what it would play, ``swap`` included; None at the end of the game.  ``moves``
    are ranked, best first; ``line`` is the play to expect.  ``winner`` is proven or None,
    ``margin`` the proven final margin or None, of the side named first and with the pie rule left
    aside.  ``chance`` is that side's chance to win, 0 to 1, ``expected`` its mean margin in the
    games played; both None where nothing was estimated.  ``can_swap`` says that the mover may
    swap instead of moving, ``note`` how to read the ranking where it is unusual.  ``interrupted``
    says that the search was stopped before its time.
    """

    to_move: str
    choice: str | None
    moves: tuple[RankedMove, ...] = ()
    line: tuple[str, ...] = ()
    winner: str | None = None
    margin: int | None = None
    chance: float | None = None
    expected: float | None = None
    can_swap: bool = False
    games: int = 0
    nodes: int = 0
    seconds: float = 0.0
    note: str | None = None
    interrupted: bool = False

    @property
    def exact(self) -> bool:
        """Whether the winner is proven."""
        return self.winner is not None

    def to_json(self) -> dict[str, object]:
        """The document of ``analyze --json`` of a position."""
        return {
            "to_move": self.to_move,
            "choice": self.choice,
            "swap": self.can_swap,
            "exact": self.exact,
            "winner": self.winner,
            "margin": self.margin,
            "chance": _rounded(self.chance),
            "expected_margin": _rounded(self.expected),
            "line": list(self.line),
            "moves": [each.to_json() for each in self.moves],
            "games": self.games,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "note": self.note,
            "interrupted": self.interrupted,
        }


def interval(wins: float, games: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's interval for a share of games won, of 95 % or so sure; 0 to 1 without any game.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    1927.
    """
    if games == 0:
        return 0.0, 1.0
    deviations = _deviations(confidence)
    share, square = wins / games, deviations**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = deviations * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    spread /= 1 + square / games
    # The ends are exact where all games are alike, which rounding would hide.
    low = max(0.0, middle - spread) if wins > 0 else 0.0
    return low, min(1.0, middle + spread) if wins < games else 1.0


@lru_cache
def _deviations(confidence: float) -> float:
    """How many standard deviations to either side of the mean make a share so large."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
