"""A position: immutable, with the legal moves, play and score.

The rules in one place: a side moves on an empty cell that the opponent's last piece allows, with
any of its pieces; it passes if there is no such cell, and only then; after a pass any empty cell
is allowed.  The game ends when the side to move has no pieces left, which also gives the other
side its last turn when a side has placed its last piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from litstool.errors import IllegalError, Violation
from litstool.game import text_of
from litstool.grid import Cell, Outline, names
from litstool.mijnlieff.board import KIND_LETTERS, KINDS, SIDES, Board, opponent

PASS = "pass"


class Piece(NamedTuple):
    """A piece in a place, without its side: what a move says."""

    kind: str
    cell: Cell

    @property
    def notation(self) -> str:
        """The move as it is written, such as ``straight@b3``."""
        return f"{self.kind}@{self.cell.name}"


class Placed(NamedTuple):
    """A piece on the board with its side."""

    side: str
    kind: str
    cell: Cell

    @property
    def piece(self) -> Piece:
        """The piece without its side."""
        return Piece(self.kind, self.cell)

    @property
    def letter(self) -> str:
        """How a grid shows it: upper case for Light, lower case for Dark."""
        letter = KIND_LETTERS[self.kind]
        return letter.upper() if self.side == "Light" else letter


Move = Piece | str
"""A piece on a cell, or the word ``pass``."""


class LineScore(NamedTuple):
    """A run of three pieces or more of one side, and its points."""

    side: str
    cells: tuple[Cell, ...]
    points: int


@dataclass(frozen=True)
class Position:
    """A board with pieces, made by :meth:`empty` and :meth:`play`.

    ``pieces`` are in the order of play where it is known.  ``last`` is the piece whose
    restriction is in force; None at the start and after a pass.  Sets of cells are bits by cell
    number, as everywhere in :class:`Board`.
    """

    board: Board
    pieces: tuple[Placed, ...] = ()
    to_move: str = SIDES[0]
    last: Piece | None = None

    @classmethod
    def empty(cls, board: Board) -> Position:
        """The start of a game."""
        return cls(board)

    game = "mijnlieff"

    @property
    def outline(self) -> Outline:
        """The cells of the board."""
        return self.board.outline

    @cached_property
    def at(self) -> dict[Cell, Placed]:
        """The piece on each occupied cell."""
        return {placed.cell: placed for placed in self.pieces}

    def cells_of(self, side: str) -> int:
        """The cells of a side's pieces, as a set."""
        return self._cells[SIDES.index(side)]

    @cached_property
    def _cells(self) -> tuple[int, int]:
        number = self.board.number
        masks = dict.fromkeys(SIDES, 0)
        for placed in self.pieces:
            masks[placed.side] |= 1 << number[placed.cell]
        return masks["Light"], masks["Dark"]

    @property
    def empty_cells(self) -> int:
        """The empty cells, as a set."""
        light, dark = self._cells
        return self.board.all_cells & ~(light | dark)

    def supply_left(self, side: str) -> dict[str, int]:
        """A side's pieces not yet placed, by kind."""
        left = dict.fromkeys(KINDS, self.board.each_kind)
        for placed in self.pieces:
            if placed.side == side:
                left[placed.kind] -= 1
        return left

    def pieces_left(self, side: str) -> int:
        """How many pieces a side has not yet placed."""
        return self.board.pieces_each - self.cells_of(side).bit_count()

    @cached_property
    def allowed(self) -> int:
        """The empty cells that the side to move may use, as a set."""
        if self.last is not None:
            by_last = self.board.allowed[self.last.kind][self.board.number[self.last.cell]]
            return by_last & self.empty_cells
        return self.empty_cells if self.pieces else self.board.first_cells

    @property
    def is_finished(self) -> bool:
        """Whether the side to move has no pieces left."""
        return self.pieces_left(self.to_move) == 0

    @property
    def must_pass(self) -> bool:
        """Whether the side to move has pieces but no cell for them."""
        return not self.is_finished and not self.allowed

    @property
    def can_swap(self) -> bool:
        """There is no pie rule in this game."""
        return False

    @property
    def will_be_swapped(self) -> bool:
        """There is no pie rule in this game."""
        return False

    @property
    def swapped(self) -> bool:
        """There is no pie rule in this game."""
        return False

    def moves(self) -> Iterator[Move]:
        """The legal moves, by cell and then by kind; the pass where it is forced."""
        if self.is_finished:
            return
        if self.must_pass:
            yield PASS
            return
        left = self.supply_left(self.to_move)
        for cell in self.board.cells_of(self.allowed):
            for kind in KINDS:
                if left[kind] > 0:
                    yield Piece(kind, cell)

    def is_legal(self, move: Move) -> bool:
        """Whether a move may be made now."""
        return not self.violations_of(move)

    def violations_of(self, move: Move, number: int | None = None) -> list[Violation]:
        """Every rule that a move breaks; empty where it is legal.

        ``number`` is the move's in the game, for the messages.  The position need not be legal.
        """
        who = self.to_move if number is None else f"move {number} ({self.to_move})"
        text = text_of(move)
        on_cell = () if isinstance(move, str) else (move.cell,)
        found = []

        def broken(rule: str, message: str) -> None:
            found.append(Violation(rule, f"{who}: {message}", on_cell, number))

        if self.is_finished:
            broken(
                "after-end",
                f"{text} comes after the end of the game: {self.to_move} has no pieces left",
            )
            return found
        if isinstance(move, str):
            if self.allowed:
                free = names(self.board.cells_of(self.allowed))
                broken("pass", f"a pass, but a piece may go on {free}")
            return found
        if move.cell not in self.outline:
            place = "on a gap" if move.cell in self.outline.holes else "off the board"
            broken("off-board", f"{move.cell.name} of {text} is {place}")
        if move.cell in self.at:
            there = self.at[move.cell]
            broken(
                "occupied", f"{move.cell.name} is taken by {there.side}'s {there.piece.notation}"
            )
        if self.supply_left(self.to_move)[move.kind] <= 0:
            broken("too-many", f"no {move.kind} is left: both are placed")
        if move.cell in self.outline:
            self._violations_of_place(move, broken)
        return found

    def _violations_of_place(self, move: Piece, broken) -> None:  # type: ignore[no-untyped-def]
        bit = 1 << self.board.number[move.cell]
        if self.last is None:
            if not self.pieces and not self.board.first_cells & bit:
                broken(
                    "opening",
                    f"the first piece must be on an outside cell, and {move.cell.name} is none",
                )
            return
        by_last = self.board.allowed[self.last.kind][self.board.number[self.last.cell]]
        if not by_last & bit:
            broken("restriction", f"{self.last.notation} does not allow {move.cell.name}")
        if not self.allowed:
            broken("pass", f"{self.last.notation} leaves no empty cell, so a pass is due")

    def __repr__(self) -> str:
        """The position on one line, which :func:`litstool.parse` reads."""
        from litstool.mijnlieff import notation
        from litstool.mijnlieff.game import Game

        return notation.write_line(Game.of_position(self))

    def play(self, move: Move) -> Position:
        """The position after a move, given as a piece in its place or as text.

        :raises NotationError: the text is no move.
        :raises IllegalError: with every rule that the move breaks.
        """
        if isinstance(move, str):
            from litstool.mijnlieff.notation import parse_move

            move = parse_move(move)
        violations = self.violations_of(move)
        if violations:
            raise IllegalError(violations)
        return self.placed(move)

    def placed(self, move: Move) -> Position:
        """The position after a move, not asking whether it is legal.

        A piece that has no place, off the board or on another piece, is left out; the turn goes
        to the other side all the same.
        """
        after = opponent(self.to_move)
        if isinstance(move, str):
            return replace(self, to_move=after, last=None)
        if move.cell not in self.outline or move.cell in self.at:
            return replace(self, to_move=after)
        pieces = (*self.pieces, Placed(self.to_move, move.kind, move.cell))
        return replace(self, pieces=pieces, to_move=after, last=move)

    def gains(self, moves: Sequence[Move]) -> list[int]:
        """The points that legal moves make: the lines of three that a piece there completes."""
        board, own = self.board, self.cells_of(self.to_move)
        bits = [0 if isinstance(move, str) else 1 << board.number[move.cell] for move in moves]
        completed = {
            bit: sum(bool(line & bit) and not line & ~(own | bit) for line in board.windows)
            for bit in set(bits)
        }
        return [completed[bit] for bit in bits]

    def score(self, side: str) -> int:
        """A side's points: n - 2 for each run of n >= 3 of its pieces."""
        own = self.cells_of(side)
        return sum(window & ~own == 0 for window in self.board.windows)

    @property
    def margin(self) -> int:
        """Light's score minus Dark's."""
        return self.score("Light") - self.score("Dark")

    @property
    def winner(self) -> str | None:
        """Light, Dark or ``draw`` of a finished game; None while it goes on."""
        if not self.is_finished:
            return None
        if self.margin == 0:
            return "draw"
        return "Light" if self.margin > 0 else "Dark"

    @property
    def last_mover(self) -> str | None:
        """The side that placed the last piece, as far as the position tells."""
        if self.last is not None:
            return opponent(self.to_move)
        return self.pieces[-1].side if self.pieces else None

    def runs(self) -> tuple[LineScore, ...]:
        """The runs that score, side by side and then by line."""
        found = []
        for side in SIDES:
            own = self.cells_of(side)
            for line in self.board.lines:
                run: list[Cell] = []
                for cell in (*line, None):
                    if cell is not None and own >> self.board.number[cell] & 1:
                        run.append(cell)
                        continue
                    if len(run) >= 3:
                        found.append(LineScore(side, tuple(run), len(run) - 2))
                    run = []
        return tuple(found)
