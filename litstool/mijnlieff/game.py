"""A game or position as it was written down, legal or not, and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from litstool.errors import IllegalError, LitstoolError, UsageError, Violation
from litstool.mijnlieff.board import SIDES, Board
from litstool.mijnlieff.legality import violations_of_position
from litstool.mijnlieff.position import Move, Piece, Placed, Position


@dataclass(frozen=True)
class Game:
    """What a user wrote.

    ``pieces`` are on the board at the start, in unknown order, with ``to_move`` and ``last`` as
    they are then; ``moves`` follow in order.  ``ordered`` says whether moves were given at all,
    even none.  ``has_puzzle`` tells that the file makes claims as a puzzle, which are read
    elsewhere.  ``to_move`` is None only where the board is empty and it was not written.
    """

    board: Board
    pieces: tuple[Placed, ...] = ()
    to_move: str | None = None
    last: Piece | None = None
    moves: tuple[Move, ...] = ()
    ordered: bool = False
    name: str | None = None
    source: str | None = None
    note: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    has_puzzle: bool = field(default=False, compare=False)

    game = "mijnlieff"

    def at(self, ply: int | None) -> Game:
        """The game cut after its first ``ply`` entries; whole for None.

        :raises UsageError: there are not so many entries.
        """
        if ply is None:
            return self
        if not 0 <= ply <= len(self.moves):
            raise UsageError(f"--ply {ply} is out of range: the game has {len(self.moves)} moves")
        return replace(self, moves=self.moves[:ply])

    def __repr__(self) -> str:
        """The whole record as a line of JSON, which :func:`litstool.parse` reads."""
        from litstool.mijnlieff import notation

        try:
            return json.dumps(notation.write_document(self), ensure_ascii=False)
        except LitstoolError:
            return f"<a record with {len(self.all_pieces)} pieces that no file can hold>"

    @classmethod
    def of_position(cls, position: Position) -> Game:
        """A position as a record, its pieces in no known order."""
        return cls(position.board, position.pieces, position.to_move, position.last)

    @property
    def start(self) -> Position:
        """The position before the moves, legal or not."""
        last = self.last
        if last is not None and last.cell not in self.board.outline:
            last = None
        return Position(self.board, self.pieces, self.to_move or SIDES[0], last)

    @property
    def all_pieces(self) -> tuple[Piece, ...]:
        """Every piece of the start and the moves, those that have no place included."""
        placed = tuple(each.piece for each in self.pieces)
        return placed + tuple(move for move in self.moves if not isinstance(move, str))

    @property
    def side_to_move(self) -> str:
        """Who moves after the moves."""
        return self.position_as_written().to_move

    def violations(self) -> list[Violation]:
        """Every rule broken: by the position at the start, and by each move with its number."""
        start = replace(self.start, last=self.last)
        found = violations_of_position(start)
        position = self.start
        for number, move in enumerate(self.moves, 1):
            found += position.violations_of(move, number)
            position = position.placed(move)
        return found

    def position(self, ply: int | None = None) -> Position:
        """The position after the moves, or after the first ``ply`` of them.

        :raises IllegalError: with every rule broken on the way there.
        :raises UsageError: there are not so many moves.
        """
        if ply is not None:
            return self.at(ply).position()
        violations = self.violations()
        if violations:
            raise IllegalError(violations)
        return self.position_as_written()

    def position_as_written(self) -> Position:
        """The position after the moves, legal or not; pieces that have no place are left out."""
        position = self.start
        for move in self.moves:
            position = position.placed(move)
        return position

    def played(self, move: str) -> Game:
        """The game with one more move, legal or not.

        :raises NotationError: the text is no move.
        """
        from litstool.mijnlieff.notation import parse_move

        return replace(self, moves=(*self.moves, parse_move(move)), ordered=True)

    def named(self, players: Mapping[str, str]) -> Game:
        """The same game of these players, by seat."""
        return replace(self, players=players)

    def replay(self) -> list[Position]:
        """The position before the first move and after each.

        :raises IllegalError: with every rule broken on the way.
        """
        self.position()
        positions = [self.start]
        for move in self.moves:
            positions.append(positions[-1].placed(move))
        return positions
