"""A reach question as a formula over time steps.

Step t is the placing of the (t + 1)-th further piece; passes stand between steps, since they are
forced.  For each step the formula says which cell and which kind, and whose piece it is:

* a cell not filled before, and allowed by the piece of the step before unless that piece left no
  empty cell, in which case the other side has passed and any empty cell will do;
* the other side's piece, or the same side's again after such a pass;
* no step after the side to move had run out of pieces;
* no more pieces of a kind than a side has.

Steps that are used come first.  What is on the board after the last of them is tied to literals
for each cell's side and kind, over which the conditions are written.
"""

from __future__ import annotations

from collections.abc import Callable

from litstool.grid import Cell, bits
from litstool.mijnlieff.board import KINDS, SIDES
from litstool.mijnlieff.position import Placed, Position
from litstool.mijnlieff.questions import Question
from litstool.sat import Formula, more_than, tally

TRUE, FALSE = Formula.TRUE, Formula.FALSE


class ReachFormula:
    """The formula of a question, from a start in which the side to move can place a piece.

    ``passes`` is how many passes came before it.  ``one_of_each`` leaves out answers that are
    images of others under the symmetries of the board, where the question is the same for all.
    ``reason`` says when to stop (:meth:`Limits.reason`).

    ``placed``   for each step, cell number -> literal
    ``kinds``    for each step, a literal for each kind
    ``light``    for each step, whether the piece is Light's
    ``active``   for each step, whether it is used
    ``sides``    (side, cell number) -> literal of the final position
    ``pieces``   (side, kind, cell number) -> literal of the final position
    ``finished`` whether the game is over

    :raises StoppedError: there is a reason to stop.
    :raises TooLargeError: the formula outgrows its memory.
    """

    def __init__(
        self,
        question: Question,
        start: Position,
        passes: int,
        one_of_each: bool = True,
        reason: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.question = question
        self.one_of_each = one_of_each and question.symmetric
        self.start = start
        self.board = start.board
        self.formula = Formula(reason=reason)
        self.empty = tuple(bits(start.empty_cells))
        self.steps = self.most_steps(question, start)
        self.placed: list[dict[int, int]] = []
        self.kinds: list[list[int]] = []
        self.light: list[int] = []
        self.active: list[int] = []
        self.passed: list[int] = []
        self._by_piece: list[dict[tuple[str, int], int]] = []
        self._play()
        self._final()
        self.passes_counted = [TRUE] * passes + tally(self.formula, self.passed, len(self.passed))
        self._scores = {
            side: tally(self.formula, self._windows(side), len(self.board.windows))
            for side in SIDES
        }
        self._conditions()

    @staticmethod
    def most_steps(question: Question, start: Position) -> int:
        """How many further pieces there can be at most."""
        limits = [start.empty_cells.bit_count(), sum(start.pieces_left(side) for side in SIDES)]
        for number in (question.pieces, question.at_most):
            if number is not None:
                limits.append(number - len(start.pieces))
        return max(0, min(limits))

    # Play.

    def _play(self) -> None:
        formula = self.formula
        filled = dict.fromkeys(self.empty, FALSE)
        by_side: dict[str, list[list[int]]] = {side: [] for side in SIDES}
        used: dict[str, list[int]] = {side: [] for side in SIDES}
        ends: list[int] = []
        # What the step before leaves: set by the first step before the second reads it.
        stuck = exhausted_next = FALSE
        allowed: dict[int, int] = {}
        for step in range(self.steps):
            placed = {cell: formula.new() for cell in self.empty}
            kinds = [formula.new() for _ in KINDS]
            active = formula.either(placed.values())
            light = formula.new()
            formula.at_most_one(list(placed.values()))
            formula.at_most_one(kinds)
            formula.add(-active, *kinds)
            for literal in (*kinds, light):
                formula.add(-literal, active)
            for cell, literal in placed.items():
                formula.add(-literal, -filled[cell])
            if step == 0:
                for cell in self.empty:
                    if not self._first_cells() >> cell & 1:
                        formula.add(-placed[cell])
                formula.add(-active, light if self.start.to_move == "Light" else -light)
            else:
                formula.add(-active, self.active[-1])
                formula.add(-active, -exhausted_next)
                formula.add(-active, stuck, -light, -self.light[-1])
                formula.add(-active, stuck, light, self.light[-1])
                formula.add(-active, -stuck, -light, self.light[-1])
                formula.add(-active, -stuck, light, -self.light[-1])
                for cell, literal in placed.items():
                    formula.add(-literal, stuck, allowed[cell])
            filled = {cell: formula.either((filled[cell], placed[cell])) for cell in self.empty}
            by_piece = {
                (kind, cell): formula.both((placed[cell], kinds[number]))
                for number, kind in enumerate(KINDS)
                for cell in self.empty
            }
            allowed = {
                cell: formula.either(
                    literal
                    for (kind, piece), literal in by_piece.items()
                    if self.board.allowed[kind][piece] >> cell & 1
                )
                for cell in self.empty
            }
            free = formula.either(
                formula.both((allowed[cell], -filled[cell])) for cell in self.empty
            )
            stuck = formula.both((active, -free))
            exhausted = {}
            for side, mine in (("Light", light), ("Dark", -light)):
                by_side[side].append([formula.both((kind, mine)) for kind in kinds])
                used[side] = self._one_more(used[side], formula.both((active, mine)), side)
                exhausted[side] = more_than(used[side], self.start.pieces_left(side) - 1)
            exhausted_next = self._chosen(light, exhausted["Dark"], exhausted["Light"])
            exhausted_same = self._chosen(light, exhausted["Light"], exhausted["Dark"])
            self.passed.append(formula.both((stuck, -exhausted_next)))
            ends.append(formula.either((exhausted_next, formula.both((stuck, exhausted_same)))))
            self.placed.append(placed)
            self.kinds.append(kinds)
            self.light.append(light)
            self.active.append(active)
            self._by_piece.append(by_piece)
        # A pass that is due after the last piece is part of the play.
        self.finished = formula.either(
            formula.both((end, active, -after))
            for end, active, after in zip(ends, self.active, [*self.active[1:], FALSE], strict=True)
        )
        self._filled = filled
        for side in SIDES:
            for number, kind in enumerate(KINDS):
                literals = [kinds[number] for kinds in by_side[side]]
                left = self.start.supply_left(side)[kind]
                formula.add(-more_than(tally(formula, literals, left + 1), left))

    def _first_cells(self) -> int:
        """Where the first step may go: of cells that are each other's images, only the first."""
        allowed = self.start.allowed
        if not self.one_of_each:
            return allowed
        first = 0
        for cell in bits(allowed):
            if cell == min(images[cell] for images in self.board.symmetries):
                first |= 1 << cell
        return first

    def _one_more(self, counted: list[int], literal: int, side: str) -> list[int]:
        """The count of a side's pieces after one more step that may have placed one."""
        size = min(len(counted) + 1, self.start.pieces_left(side))
        result = []
        for number in range(size):
            before = counted[number] if number < len(counted) else FALSE
            fewer = TRUE if number == 0 else counted[number - 1]
            result.append(self.formula.either((before, self.formula.both((fewer, literal)))))
        return result

    def _chosen(self, choice: int, yes: int, no: int) -> int:
        """A literal that is ``yes`` where the choice holds and ``no`` where not."""
        return self.formula.either(
            (self.formula.both((choice, yes)), self.formula.both((-choice, no)))
        )

    # The final position.

    def _final(self) -> None:
        formula, board = self.formula, self.board
        self.sides: dict[tuple[str, int], int] = {}
        self.pieces: dict[tuple[str, str, int], int] = {}
        for cell in self.empty:
            light = formula.either(
                formula.both((placed[cell], mine))
                for placed, mine in zip(self.placed, self.light, strict=True)
            )
            self.sides["Light", cell] = light
            self.sides["Dark", cell] = formula.both((self._filled[cell], -light))
            for kind in KINDS:
                of_kind = formula.either(by_piece[kind, cell] for by_piece in self._by_piece)
                for side in SIDES:
                    self.pieces[side, kind, cell] = formula.both((of_kind, self.sides[side, cell]))
        for placed in self.start.pieces:
            cell = board.number[placed.cell]
            for side in SIDES:
                self.sides[side, cell] = TRUE if side == placed.side else FALSE
                for kind in KINDS:
                    here = side == placed.side and kind == placed.kind
                    self.pieces[side, kind, cell] = TRUE if here else FALSE

    def occupied(self, cell: int) -> int:
        """Whether a cell has a piece in the end."""
        return self._filled.get(cell, TRUE)

    def _windows(self, side: str) -> list[int]:
        return [
            self.formula.both(self.sides[side, cell] for cell in bits(window))
            for window in self.board.windows
        ]

    # Conditions.

    def pieces_at_least(self, number: int) -> int:
        """A literal: at least so many pieces on the board."""
        return more_than(self.active, number - len(self.start.pieces) - 1)

    def passes_at_least(self, number: int) -> int:
        """A literal: at least so many passes."""
        return more_than(self.passes_counted, number - 1)

    def score_at_least(self, side: str, number: int) -> int:
        """A literal: a side has at least so many points."""
        return more_than(self._scores[side], number - 1)

    def leads_by(self, side: str, number: int) -> int:
        """A literal that forces a side's points to be at least so many above the other's."""
        other = SIDES[1 - SIDES.index(side)]
        result = self.formula.new()
        for points in range(len(self.board.windows) + 1):
            # With so many points of the other side, that many and the lead of this one.
            self.formula.add(
                -result,
                -self.score_at_least(other, points),
                self.score_at_least(side, points + number),
            )
        return result

    def _conditions(self) -> None:
        question, formula, number = self.question, self.formula, self.board.number
        if question.pieces is not None:
            formula.add(self.pieces_at_least(question.pieces))
            formula.add(-self.pieces_at_least(question.pieces + 1))
        if question.at_least is not None:
            formula.add(self.pieces_at_least(question.at_least))
        if question.at_most is not None:
            formula.add(-self.pieces_at_least(question.at_most + 1))
        if question.finished is not None or question.winner is not None:
            formula.add(-self.finished if question.finished is False else self.finished)
        if question.winner in SIDES:
            formula.add(self.leads_by(str(question.winner), 1))
        elif question.winner is not None:
            for side in SIDES:
                formula.add(self.leads_by(side, 0))
        if question.margin is not None:
            formula.add(self.leads_by("Light", question.margin))
        for side, points in zip(SIDES, question.score, strict=True):
            if points is not None:
                formula.add(self.score_at_least(side, points))
                formula.add(-self.score_at_least(side, points + 1))
        if question.passes is not None:
            formula.add(self.passes_at_least(question.passes))
        for piece in question.include:
            cell = number[piece.cell]
            formula.add(*(self.pieces[side, piece.kind, cell] for side in SIDES))
        for piece in question.exclude:
            for side in SIDES:
                formula.add(-self.pieces[side, piece.kind, number[piece.cell]])
        for cell in bits(question.covered):
            formula.add(self.occupied(cell))
        for cell in bits(question.uncovered):
            formula.add(-self.occupied(cell))
        if question.target is not None:
            self._target()

    def _target(self) -> None:
        target, formula, number = self.question.target, self.formula, self.board.number
        assert target is not None
        for cell in target.occupied:
            formula.add(self.occupied(number[cell]))
        for cell in target.empty:
            formula.add(-self.occupied(number[cell]))
        for side, cell in target.sides:
            formula.add(self.sides[side, number[cell]])
        for placed in target.pieces:
            formula.add(self.pieces[placed.side, placed.kind, number[placed.cell]])

    # Reading a model.

    def play_of(self, model: set[int]) -> list[tuple[str, str, Cell]]:
        """The pieces of a model in order: side, kind, cell."""
        play = []
        for step in range(self.steps):
            for cell, literal in self.placed[step].items():
                if literal in model:
                    kind = next(
                        kind
                        for kind, each in zip(KINDS, self.kinds[step], strict=True)
                        if each in model
                    )
                    side = "Light" if self.light[step] in model else "Dark"
                    play.append((side, kind, self.board.cells[cell]))
        return play

    def blocking(self, position: Position) -> list[int]:
        """A clause that no play to the same final pieces satisfies."""
        clause = [
            -self.pieces[placed.side, placed.kind, self.board.number[placed.cell]]
            for placed in position.pieces
            if placed not in self.start.pieces
        ]
        return clause + [self.occupied(cell) for cell in bits(position.empty_cells)]

    def literals(self) -> dict[int, Placed]:
        """The literals of pieces that may come to the board."""
        return {
            literal: Placed(side, kind, self.board.cells[cell])
            for (side, kind, cell), literal in self.pieces.items()
            if literal not in (TRUE, FALSE)
        }
