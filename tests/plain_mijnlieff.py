"""The rules of Mijnlieff a second time, as plainly as they can be written, for the tests.

Nothing here is shared with the package but the names of kinds and sides: cells are pairs of
numbers, positions are dictionaries, and the value of a position is found by trying everything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

KINDS = ("straight", "diagonal", "pusher", "puller")
Place = tuple[int, int]


@dataclass
class PlainGame:
    """A board, given by its cells, and its rules."""

    cells: frozenset[Place]
    each_kind: int = 2
    gaps_block: bool = True
    outside_only: bool = True
    known: dict[Any, int] = field(default_factory=dict)

    def allows(self, kind: str, piece: Place, cell: Place) -> bool:
        """Whether a piece allows the opponent a cell, empty or not."""
        down, right = cell[0] - piece[0], cell[1] - piece[1]
        if (down, right) == (0, 0):
            return False
        near = max(abs(down), abs(right)) == 1
        if kind == "puller":
            return near
        if kind == "pusher":
            return not near
        in_line = (down == 0 or right == 0) if kind == "straight" else abs(down) == abs(right)
        if not in_line:
            return False
        distance = max(abs(down), abs(right))
        between = [
            (piece[0] + down // distance * step, piece[1] + right // distance * step)
            for step in range(1, distance)
        ]
        return not self.gaps_block or all(place in self.cells for place in between)

    def allowed(self, pieces: dict[Place, tuple[int, str]], last: Any) -> list[Place]:
        """The empty cells open to the side to move; ``last`` is None, or a kind and a cell."""
        empty = sorted(self.cells - pieces.keys())
        if last is not None:
            return [cell for cell in empty if self.allows(last[0], last[1], cell)]
        if pieces or not self.outside_only:
            return empty
        return [
            (row, column)
            for row, column in empty
            if not self.cells.issuperset(
                [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            )
        ]

    def left(self, pieces: dict[Place, tuple[int, str]], side: int) -> dict[str, int]:
        """The pieces that a side (0 or 1) has not placed."""
        on_board = list(pieces.values())
        return {kind: self.each_kind - on_board.count((side, kind)) for kind in KINDS}

    def score(self, pieces: dict[Place, tuple[int, str]], side: int) -> int:
        """Run by run: n - 2 points for each of n >= 3 pieces in a row."""
        own = {cell for cell, (owner, _) in pieces.items() if owner == side}
        points = 0
        for row, column in own:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if (row - down, column - right) in own:
                    continue
                length = 1
                while (row + length * down, column + length * right) in own:
                    length += 1
                points += max(0, length - 2)
        return points

    def margin(self, pieces: dict[Place, tuple[int, str]]) -> int:
        """The final margin of side 0 if the game ends here."""
        return self.score(pieces, 0) - self.score(pieces, 1)

    def value(self, pieces: dict[Place, tuple[int, str]], side: int, last: Any) -> int:
        """The final margin of side 0 under best play."""
        # What the last piece was matters only by the cells it leaves.
        allowed = self.allowed(pieces, last)
        key = (
            frozenset((cell, owner) for cell, (owner, _) in pieces.items()),
            tuple(self.left(pieces, 0).values()),
            tuple(self.left(pieces, 1).values()),
            side,
            tuple(allowed),
        )
        if key not in self.known:
            self.known[key] = self._value(pieces, side, allowed)
        return self.known[key]

    def _value(
        self, pieces: dict[Place, tuple[int, str]], side: int, allowed: Iterable[Place]
    ) -> int:
        left = self.left(pieces, side)
        if not any(left.values()):
            return self.margin(pieces)
        values = [
            self.value({**pieces, cell: (side, kind)}, 1 - side, (kind, cell))
            for cell in allowed
            for kind in KINDS
            if left[kind]
        ]
        if not values:
            return self.value(pieces, 1 - side, None)
        return max(values) if side == 0 else min(values)
