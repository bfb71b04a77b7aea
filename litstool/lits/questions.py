"""What can be asked about the positions that legal play can reach.

Legal play from a position leads exactly to the sets of pieces that contain its pieces, break no
rule as a set and stay connected with them: such a set can be grown edge by edge, and no set on
the way is finished, since its next piece is a legal move.  So a question is about sets, and
:func:`scope_of` turns it into the placements that may still come and the demands on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from litstool.errors import UsageError
from litstool.grid import Cell, Outline, bits, names
from litstool.lits.board import SIDES, Pattern
from litstool.lits.legality import violations_of_move
from litstool.lits.placements import SHAPES, Placement, Placements
from litstool.lits.position import Position
from litstool.search.conditions import Conditions


@dataclass(frozen=True)
class Target:
    """What a final position must look like, as sets of cells (see :meth:`Outline.mask`).

    ``shaped`` are the cells to be covered by a piece of each shape, in the order L, I, T, S;
    they are not repeated in ``covered``.  ``x_cells`` and ``o_cells``, of the uncovered ones, are
    those that were written as X and O.
    """

    outline: Outline
    covered: int = 0
    uncovered: int = 0
    shaped: tuple[int, int, int, int] = (0, 0, 0, 0)
    x_cells: int = 0
    o_cells: int = 0

    def unlike(self, pattern: Pattern) -> tuple[Cell, ...]:
        """The cells that were written as X or O and bear another known symbol on a board."""
        if pattern.outline != self.outline:
            return ()
        known = ~pattern.unknown
        unlike = (self.x_cells & ~pattern.x_cells) | (self.o_cells & ~pattern.o_cells)
        return tuple(self.outline.cells_of(unlike & known))

    @classmethod
    def from_rows(cls, rows: Iterable[str]) -> Target:
        """A target from rows of ``? + ! X O . L I T S #``, upper or lower case.

        :raises UsageError: another character, or rows of different lengths.
        """
        lines = list(rows)
        found: dict[str, list[Cell]] = {symbol: [] for symbol in "?+!XO.-_LITS#"}
        for row, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise UsageError(
                    f"row {row + 1} of the target has {len(line)} cells, row 1 has {len(lines[0])}"
                )
            for column, symbol in enumerate(line.upper()):
                if symbol not in found:
                    raise UsageError(
                        f"{symbol!r} in row {row + 1} of the target is none of "
                        "? (any), + (covered), ! X O . (uncovered), L I T S, # (hole)"
                    )
                found[symbol].append(Cell(row, column))
        outline = Outline(len(lines), len(lines[0]) if lines else 0, frozenset(found["#"]))
        uncovered = [cell for symbol in "!XO.-_" for cell in found[symbol]]
        shaped = tuple(outline.mask(found[shape]) for shape in SHAPES)
        return cls(
            outline,
            outline.mask(found["+"]),
            outline.mask(uncovered),
            shaped,  # type: ignore[arg-type]
            outline.mask(found["X"]),
            outline.mask(found["O"]),
        )


@dataclass(frozen=True)
class Question(Conditions[Placement]):
    """The conditions on a position that play from ``position`` leads to; all hold together.

    ``score`` are the numbers of X's and of O's uncovered symbols.
    """

    position: Position
    target: Target | None = None

    def check(self) -> None:
        """Refuse a question that makes no sense whatever the rules.

        :raises UsageError: a target of another outline, conditions that contradict each other in
            words, moves that are no placement of the board.
        """
        outline = self.position.pattern.outline
        if self.target is not None and self.target.outline != outline:
            theirs = self.target.outline
            if (theirs.rows, theirs.columns) != (outline.rows, outline.columns):
                raise UsageError(
                    f"the target is {theirs.rows} x {theirs.columns} cells, "
                    f"the board {outline.rows} x {outline.columns} (rows x columns)"
                )
            differ = theirs.holes ^ outline.holes
            raise UsageError(f"the target and the board differ in their holes: {names(differ)}")
        self._check_numbers()
        self.check_pieces()
        target = self.target or Target(outline)
        covered = self.covered | target.covered
        for mask in target.shaped:
            covered |= mask
        contradicted = covered & (self.uncovered | target.uncovered)
        if contradicted:
            raise UsageError(
                f"to be covered and uncovered at once: {names(outline.cells_of(contradicted))}"
            )
        off_board = (self.covered | self.uncovered) & ~outline.mask(outline.cells)
        if off_board:
            raise UsageError(f"not cells of the board: {names(outline.cells_of(off_board))}")

    def _check_numbers(self) -> None:
        for name, number in (
            ("pieces", self.pieces),
            ("at least", self.at_least),
            ("at most", self.at_most),
        ):
            if number is not None and number < 0:
                raise UsageError(f"a number of pieces ({name}) cannot be negative: {number}")
        for side, number in zip(SIDES, self.score, strict=True):
            if number is not None and number < 0:
                raise UsageError(f"the score of {side} cannot be negative: {number}")
        self.check_counts()
        if self.winner is not None:
            if self.winner not in SIDES:
                raise UsageError(f"the winner is X or O, not {self.winner!r}")
            if self.finished is False:
                raise UsageError("only a finished position has a winner")
        if self.winner == "O" and self.margin is not None and self.margin > 0:
            raise UsageError(
                f"O cannot win with a margin of X of at least {self.margin}: the higher score wins"
            )

    def met_by(self, position: Position) -> bool:
        """Whether a position reached by legal play satisfies every condition but the play."""
        target = self.target or Target(position.pattern.outline)
        shapes = dict.fromkeys(SHAPES, 0)
        for piece in position.pieces:
            shapes[piece.shape] |= position.pattern.outline.mask(piece.cells)
        placed = set(position.pieces)
        must, mustnt = self.covered | target.covered, self.uncovered | target.uncovered
        return (
            self.are_met_by(position, SIDES)
            and placed.issuperset(self.include)
            and placed.isdisjoint(self.exclude)
            and not must & ~position.covered
            and not mustnt & position.covered
            and not any(
                mask & ~shapes[shape] for shape, mask in zip(SHAPES, target.shaped, strict=True)
            )
        )


def number_of_pieces(number: int) -> str:
    """The words for a number of pieces: ``1 piece``."""
    return f"{number} piece{'s' * (number != 1)}"


@dataclass
class Scope:
    """A question made ready: which placements may come, and what they must do.

    ``candidates`` is a set of placements, ``forced`` a subset of it that must be played,
    ``required`` the cells that are open now and must be covered, ``barred`` those that must stay
    open.  ``fewest`` and ``most`` bound the number of *further* pieces.  ``impossible`` has the
    reasons, in words, why nothing can satisfy the question; there may be none and still nothing.
    ``reasons`` tells where ``fewest`` and ``most`` come from.  ``needs`` has for some candidates
    the fewest further pieces of an answer with it, where that is more than ``fewest``.
    ``joining`` is the fewest further pieces that join all that is to be joined.
    """

    question: Question
    candidates: int
    forced: int = 0
    required: int = 0
    barred: int = 0
    fewest: int = 0
    most: int = 0
    impossible: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    needs: dict[int, int] = field(default_factory=dict)
    joining: int = 0

    @property
    def start(self) -> Position:
        """The position that play starts from."""
        return self.question.position

    @property
    def tables(self) -> Placements:
        """The tables of the board."""
        return self.start.placements

    @property
    def finished(self) -> bool | None:
        """Whether the final position must be finished: a winner asks for it too."""
        return True if self.question.winner else self.question.finished

    def coverable(self) -> int:
        """The cells that are covered now or that a candidate covers."""
        cells = self.start.covered
        for number in bits(self.candidates):
            cells |= self.tables.cell_masks[number]
        return cells


def scope_of(question: Question) -> Scope:
    """The placements that may come and the demands on them.

    :raises UsageError: the question makes no sense (see :meth:`Question.check`).
    """
    question.check()
    position = question.position
    tables, outline = position.placements, position.pattern.outline
    target = question.target or Target(outline)
    barred = question.uncovered | target.uncovered
    required = question.covered | target.covered
    impossible: list[str] = []

    allowed = (1 << len(tables)) - 1
    for move in question.exclude:
        # What is no placement of the board is never on it.
        if move in tables.number:
            allowed &= ~(1 << tables.number[move])
    for cell in outline.cells_of(barred):
        allowed &= ~tables.covering[cell]
    for shape, mask in zip(SHAPES, target.shaped, strict=True):
        required |= mask
        for cell in outline.cells_of(mask):
            allowed &= ~tables.covering[cell] | tables.of_shape[shape]

    excluded = [piece for piece in position.pieces if piece in question.exclude]
    for piece in excluded:
        impossible.append(f"{piece.notation} is already on the board and pieces never leave it")
    stuck = barred & position.covered
    if stuck:
        impossible.append(
            f"already covered, and pieces never leave the board: {names(outline.cells_of(stuck))}"
        )
    for cell, piece in position.cell_of_piece().items():
        for shape, mask in zip(SHAPES, target.shaped, strict=True):
            if mask & outline.bit(cell) and piece.shape != shape:
                impossible.append(f"{cell.name} is covered by {piece.shape} already, not {shape}")

    forced = 0
    for move in question.include:
        if move in position.pieces:
            continue
        if move not in tables.number:
            broken = violations_of_move(outline, position.supply, position.pieces, move)
            impossible += [each.message for each in broken if each.rule in ("shape", "off-board")]
            continue
        number = tables.number[move]
        forced |= 1 << number
        if not allowed >> number & 1:
            impossible.append(f"{move.notation} is to be played, but the cells it covers may not")
        elif not position.alive >> number & 1:
            broken = violations_of_move(outline, position.supply, position.pieces, move)
            why = "; ".join(each.message for each in broken if each.rule != "disconnected")
            impossible.append(f"{move.notation} cannot be played any more: {why}")
    candidates = position.reachable(allowed)
    for number in bits(forced):
        candidates &= ~tables.conflicts[number] | 1 << number
    candidates = position.reachable(candidates)
    if forced & ~candidates and not impossible:
        lost = ", ".join(tables.all[number].notation for number in bits(forced & ~candidates))
        impossible.append(f"no chain of possible pieces leads to {lost}")

    on_board = len(position.pieces)
    most = sum(position.supply_left)
    fewest = 0
    if question.pieces is not None:
        fewest, most = question.pieces - on_board, min(most, question.pieces - on_board)
    if question.at_least is not None:
        fewest = max(fewest, question.at_least - on_board)
    if question.at_most is not None:
        most = min(most, question.at_most - on_board)
    if most < 0:
        impossible.append(
            f"{number_of_pieces(on_board)} on the board already, and pieces never leave it"
        )
    if fewest > sum(position.supply_left):
        impossible.append(
            f"{number_of_pieces(on_board + fewest)}: more than the supply of {sum(position.supply)}"
        )
    return Scope(
        question,
        candidates,
        forced,
        required & ~position.covered,
        barred & ~position.covered,
        max(0, fewest),
        max(0, most),
        impossible,
    )
