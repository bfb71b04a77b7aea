"""A game or position as it was written down, legal or not, and what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from litstool.errors import IllegalError, LitstoolError, UsageError, Violation
from litstool.game import SWAP, text_of
from litstool.grid import names
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply, opponent
from litstool.lits.legality import violations_of_move, violations_of_pieces
from litstool.lits.placements import Placement
from litstool.lits.position import Position

Move = Placement | str
"""An entry of a game: a placement, or the word ``swap``."""


def side_after(pieces: int) -> str:
    """The side to move with so many pieces on the board: X owns the 1st, 3rd, 5th …"""
    return "O" if pieces % 2 else "X"


@dataclass(frozen=True)
class Game:
    """What a user wrote.

    ``pieces`` are on the board at the start, in unknown order; ``moves`` follow in order.
    ``ordered`` says whether moves were given at all, even none.  ``to_move`` is as written: with
    a board, of the board as it is before the moves; with a bare pattern, after them.
    ``has_puzzle`` tells that the file makes claims as a puzzle, which are read elsewhere.
    """

    pattern: Pattern
    supply: Supply = FULL_SUPPLY
    pieces: tuple[Placement, ...] = ()
    moves: tuple[Move, ...] = ()
    ordered: bool = False
    to_move: str | None = None
    to_move_at_start: bool = True
    name: str | None = None
    source: str | None = None
    note: str | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    has_puzzle: bool = field(default=False, compare=False)

    game = "battle-of-lits"

    def at(self, ply: int | None) -> Game:
        """The game cut after its first ``ply`` entries; whole for None.

        :raises UsageError: there are not so many entries.
        """
        if ply is None:
            return self
        if not 0 <= ply <= len(self.moves):
            raise UsageError(f"--ply {ply} is out of range: the game has {len(self.moves)} moves")
        to_move = self.to_move if self.to_move_at_start or ply == len(self.moves) else None
        return replace(self, moves=self.moves[:ply], to_move=to_move)

    def __repr__(self) -> str:
        """The whole record as a line of JSON, which :func:`litstool.parse` reads."""
        from litstool.lits import notation

        try:
            return json.dumps(notation.write_document(self), ensure_ascii=False)
        except LitstoolError:
            return f"<a record with {len(self.all_pieces)} pieces that no file can hold>"

    @classmethod
    def of_position(cls, position: Position) -> Game:
        """A position as a record, its pieces in no known order."""
        return cls(position.pattern, position.supply, position.pieces, to_move=position.to_move)

    @property
    def all_pieces(self) -> tuple[Placement, ...]:
        """Every piece on the board after the moves."""
        return self.pieces + tuple(move for move in self.moves if not isinstance(move, str))

    @property
    def side_to_move(self) -> str:
        """Who moves after the moves: as written, else by the number of pieces."""
        if self.to_move is None:
            return side_after(len(self.all_pieces))
        played = sum(not isinstance(move, str) for move in self.moves)
        if self.to_move_at_start and played % 2:
            return opponent(self.to_move)
        return self.to_move

    def violations(self) -> list[Violation]:
        """Every rule broken: by the pieces at the start, by each move, and by the side to move."""
        found = violations_of_pieces(self.pattern.outline, self.supply, self.pieces)
        found += self._violations_of_to_move()
        pieces = list(self.pieces)
        swapped = False
        touching_at_end = not any(
            fault.rule == "disconnected"
            for fault in violations_of_pieces(self.pattern.outline, self.supply, self.all_pieces)
        )
        # Of illegal games too: the placement of what is well formed tells whether a move is left.
        position = self._placed(pieces)
        finished = position.is_finished
        for number, move in enumerate(self.moves, 1):
            who = f"move {number} ({side_after(len(pieces))})"
            if isinstance(move, str):
                if len(pieces) != 1 or swapped:
                    reason = (
                        "a second time"
                        if swapped
                        else f"with {len(pieces)} piece{'s' * (len(pieces) != 1)} down"
                    )
                    found.append(
                        Violation(
                            "swap",
                            f"move {number}: swap {reason}, but it is possible only right "
                            "after the first piece",
                            move=number,
                        )
                    )
                swapped = True
            if finished:
                text = text_of(move)
                cells = () if isinstance(move, str) else move.cells
                found.append(
                    Violation(
                        "after-end",
                        f"{who}: {text} comes after the end of the game",
                        cells,
                        number,
                    )
                )
            if isinstance(move, str):
                continue
            for fault in violations_of_move(self.pattern.outline, self.supply, pieces, move):
                rule = fault.rule
                if rule == "disconnected" and touching_at_end:
                    # The final set is in one part, so only the order of play was wrong.
                    rule = "order"
                found.append(Violation(rule, f"{who}: {fault.message}", fault.cells, number))
            pieces.append(move)
            if not finished and move in position.placements.number:
                position = position.placed(move)
                finished = position.is_finished
        return found

    def _violations_of_to_move(self) -> list[Violation]:
        if self.to_move is None:
            return []
        count = len(self.pieces if self.to_move_at_start else self.all_pieces)
        due = side_after(count)
        if self.to_move == due:
            return []
        pieces = f"{count} piece{'s' * (count != 1)}"
        message = f"{self.to_move} is to move with {pieces} on the board; it is {due}'s turn"
        return [Violation("to-move", message)]

    def _placed(self, pieces: list[Placement] | tuple[Placement, ...]) -> Position:
        position = Position.empty(self.pattern, self.supply)
        known = position.placements.number
        return position.placed_all(piece for piece in pieces if piece in known)

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
        """The position after the moves, legal or not; pieces that are no placement are left out."""
        return replace(
            self._placed(self.all_pieces),
            to_move=self.side_to_move,
            swapped=SWAP in self.moves,
        )

    def played(self, move: str) -> Game:
        """The game with one more move, legal or not.

        :raises NotationError: the text is no move.
        """
        from litstool.lits.notation import parse_move

        return replace(self, moves=(*self.moves, parse_move(move)), ordered=True)

    def named(self, players: Mapping[str, str]) -> Game:
        """The same game of these players, by seat."""
        return replace(self, players=players)

    def replay(self) -> list[Position]:
        """The position before the first move and after each.

        :raises IllegalError: with every rule broken on the way.
        """
        self.position()
        return [self.at(ply).position_as_written() for ply in range(len(self.moves) + 1)]


def legal_order(pieces: tuple[Placement, ...]) -> tuple[Placement, ...]:
    """An order in which a legal set of pieces can be played: grown from its first piece.

    :raises IllegalError: the pieces are not all connected.
    """
    left = sorted(pieces, key=lambda piece: piece.cells)
    order: list[Placement] = []
    covered: set[object] = set()
    while left:
        for piece in left:
            near = {neighbour for cell in piece.cells for neighbour in cell.edge_neighbours()}
            if not order or covered & near:
                break
        else:
            cells = tuple(cell for piece in left for cell in piece.cells)
            raise IllegalError(
                [Violation("disconnected", f"not joined to the rest: {names(cells)}", cells)]
            )
        left.remove(piece)
        order.append(piece)
        covered.update(piece.cells)
    return tuple(order)
