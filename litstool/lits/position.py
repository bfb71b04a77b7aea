"""A legal position: immutable, with the legal moves, play and score.

``alive`` holds the placements that overlap nothing, touch none of their own shape and fill no
2x2 block; ``reach`` those that touch a piece.  One only ever loses and the other only ever gains
members, whatever the order of the pieces, so the legal moves are ``alive & reach`` less the
shapes that are used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from litstool.errors import IllegalError, Violation
from litstool.grid import Cell, Outline, bits
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply, opponent
from litstool.lits.legality import violations_of_move
from litstool.lits.placements import SHAPES, Placement, Placements, placements_of


@dataclass(frozen=True)
class Position:
    """A board with pieces, made by :meth:`empty`, :meth:`play` and :meth:`swap`.

    ``pieces`` are in the order of play where it is known.  ``supply`` is that of the whole game,
    pieces on the board included.  ``covered`` is a set of cells, ``alive`` and ``reach`` are
    sets of placements (see :class:`Placements`).  ``swapped`` says whether the pie rule was used,
    or is not played.
    """

    pattern: Pattern
    supply: Supply
    pieces: tuple[Placement, ...]
    to_move: str
    swapped: bool
    covered: int
    alive: int
    reach: int

    @classmethod
    def empty(cls, pattern: Pattern, supply: Supply = FULL_SUPPLY) -> Position:
        """The start of a game."""
        every = (1 << len(placements_of(pattern.outline))) - 1
        return cls(pattern, supply, (), "X", False, 0, every, 0)

    game = "battle-of-lits"

    @property
    def outline(self) -> Outline:
        """The shape of the board."""
        return self.pattern.outline

    @property
    def placements(self) -> Placements:
        """The tables of the board's outline."""
        return placements_of(self.pattern.outline)

    @cached_property
    def supply_left(self) -> Supply:
        """Pieces of each shape not yet placed, in the order L, I, T, S."""
        used = [piece.shape for piece in self.pieces]
        left = tuple(
            have - used.count(shape) for shape, have in zip(SHAPES, self.supply, strict=True)
        )
        return left  # type: ignore[return-value]

    @cached_property
    def legal(self) -> int:
        """The legal moves as a set of placements."""
        moves = self.alive & self.reach if self.pieces else self.alive
        for shape, left in zip(SHAPES, self.supply_left, strict=True):
            if left <= 0:
                moves &= ~self.placements.of_shape[shape]
        return moves

    def moves(self) -> Iterator[Placement]:
        """The legal moves, by number of placement.  The swap is not among them."""
        return (self.placements.all[number] for number in bits(self.legal))

    def is_legal(self, move: Placement) -> bool:
        """Whether a placement may be played now."""
        number = self.placements.number.get(move)
        return number is not None and bool(self.legal >> number & 1)

    @property
    def can_swap(self) -> bool:
        """Whether the second player may take over X instead of moving."""
        return len(self.pieces) == 1 and not self.swapped and not self.is_finished

    @property
    def will_be_swapped(self) -> bool:
        """Whether the first piece is to come, with the pie rule after it."""
        return not self.pieces and not self.swapped

    @property
    def is_finished(self) -> bool:
        """Whether no legal placement is left."""
        return not self.legal

    def __repr__(self) -> str:
        """The position on one line, which :func:`litstool.parse` reads."""
        from litstool.game import SWAP
        from litstool.lits import notation
        from litstool.lits.game import Game

        if self.swapped and len(self.pieces) == 1:
            # Only a record says that the swap is no longer possible.
            return repr(Game(self.pattern, self.supply, moves=(*self.pieces, SWAP), ordered=True))
        return notation.write_line(Game.of_position(self))

    def play(self, move: Placement | str) -> Position:
        """The position after a move, given as a placement or in any notation; also ``swap``.

        :raises NotationError: the text is no move.
        :raises IllegalError: with every rule that the move breaks.
        """
        if isinstance(move, str):
            from litstool.lits.notation import parse_move

            read = parse_move(move)
            if isinstance(read, str):
                return self.swap()
            move = read
        move = Placement.of(move.shape, move.cells)
        if not self.is_legal(move):
            raise IllegalError(
                violations_of_move(self.pattern.outline, self.supply, self.pieces, move)
            )
        return self.placed(move)

    def placed(self, move: Placement) -> Position:
        """The position with one more piece, not asking whether it is legal.

        :raises KeyError: the piece is no placement of the board.
        """
        tables = self.placements
        number = tables.number[move]
        covered = self.covered | tables.cell_masks[number]
        alive = self.alive & ~tables.conflicts[number]
        for block in tables.blocks[number]:
            # What would cover all that is still open in the block would fill it, and one piece
            # may bring two or three of its cells at once.
            still_open = block & ~covered
            if still_open:
                alive &= ~tables.over_all(still_open)
        return replace(
            self,
            pieces=(*self.pieces, move),
            to_move=opponent(self.to_move),
            covered=covered,
            alive=alive,
            reach=self.reach | tables.touches[number],
        )

    def placed_all(self, pieces: Iterable[Placement]) -> Position:
        """The position with more pieces, in an order that need not be legal play."""
        position = self
        for piece in pieces:
            position = position.placed(piece)
        return position

    def swap(self) -> Position:
        """The position after the pie rule's swap: the symbols, the piece and O to move stay.

        :raises IllegalError: anywhere but right after the first piece.
        """
        if not self.can_swap:
            raise IllegalError(
                [Violation("swap", "a swap is possible only right after the first piece")]
            )
        return replace(self, swapped=True)

    def gain(self, move: Placement) -> int:
        """What a placement adds to the margin of the side to move: -4 to 4 symbols."""
        cells = self.pattern.outline.mask(move.cells)
        for_x = (self.pattern.o_cells & cells).bit_count() - (
            self.pattern.x_cells & cells
        ).bit_count()
        return for_x if self.to_move == "X" else -for_x

    def score(self, side: str) -> int:
        """How many symbols of a side are not covered."""
        symbols = self.pattern.x_cells if side == "X" else self.pattern.o_cells
        return (symbols & ~self.covered).bit_count()

    @property
    def margin(self) -> int:
        """X's score minus O's."""
        return self.score("X") - self.score("O")

    @property
    def last_mover(self) -> str | None:
        """The side that placed the last piece; None on an empty board."""
        return opponent(self.to_move) if self.pieces else None

    @property
    def winner(self) -> str | None:
        """Who has won a finished game: more symbols, then the last piece.

        None while the game goes on; ``draw`` where it ended before it began, on equal scores.
        """
        if not self.is_finished:
            return None
        if self.margin:
            return "X" if self.margin > 0 else "O"
        return self.last_mover or "draw"

    def reachable(self, allowed: int = -1) -> int:
        """Those of the allowed placements that chains of them join to the pieces on the board.

        A placement out of contact now may come into contact later, so this is a superset of what
        play can still bring: pieces of a chain may exclude each other.
        """
        tables = self.placements
        candidates = allowed & self.alive
        for shape, left in zip(SHAPES, self.supply_left, strict=True):
            if left <= 0:
                candidates &= ~tables.of_shape[shape]
        if not self.pieces:
            return candidates
        reached = waiting = candidates & self.reach
        while waiting:
            spread = 0
            for number in bits(waiting):
                spread |= tables.touches[number] & ~tables.conflicts[number]
            waiting = spread & candidates & ~reached
            reached |= waiting
        return reached

    def coverable(self) -> int:
        """The cells that some piece may still cover in the course of play, as a set of cells."""
        cells = 0
        for number in bits(self.reachable()):
            cells |= self.placements.cell_masks[number]
        return cells

    def cell_of_piece(self) -> dict[Cell, Placement]:
        """The piece on each covered cell."""
        return {cell: piece for piece in self.pieces for cell in piece.cells}
