"""Reachability: what the two sides, playing together, can bring about.

A question becomes a formula over time steps (see ``formula``); a model of it is a game, which is
replayed through the rules before anybody sees it.  The best value is found by demanding more and
more, and is called optimal only when the solver has proved that more is impossible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from litstool.grid import bits
from litstool.mijnlieff import questions
from litstool.mijnlieff.board import SIDES, opponent
from litstool.mijnlieff.formula import ReachFormula
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.notation import write_line
from litstool.mijnlieff.position import PASS, Move, Piece, Placed, Position
from litstool.mijnlieff.questions import Question
from litstool.sat import Limits
from litstool.search import asking
from litstool.search.asking import DECIDE, USUAL_MEANS, Decide, Means, Optimise, Wish
from litstool.search.conditions import Written
from litstool.search.control import Control
from litstool.search.reaching import Draft, Ladder, Search

PIECES, MARGIN, PASSES = "pieces", "margin", "passes"
OBJECTIVES = (PIECES, MARGIN, PASSES)
_ARGUED_PROOF_CONFLICTS = 10_000
"""Where an argument is there already, a proof is only a second one."""


@dataclass
class ReachResult(asking.ReachResult[Position, Move, Placed]):
    """The answer to a reach question; the moves may be passes."""

    @property
    def passes(self) -> int:
        """How many of the moves are passes."""
        return self.moves.count(PASS)


def reach(
    question: Question,
    wish: Wish = DECIDE,
    means: Means = USUAL_MEANS,
    control: Control | None = None,
) -> ReachResult:
    """Answer a question.

    Objectives are ``pieces``, ``margin`` (Light's score minus Dark's) and ``passes``.

    :raises UsageError: the question contradicts itself, or the means do not serve the wish.
    :raises WriteError: a file cannot be written.
    :raises TooLargeError: the formula would outgrow its memory.
    """
    question.check()
    means.check(wish, OBJECTIVES, ())
    search = _Search(question, wish, means, control)
    search.run()
    return search.result


def most_points(position: Position, side: str, further: int | None = None) -> int:
    """The most points that a side can have with the pieces it has left, were all cells its own.

    Every set of so many empty cells is looked at.  ``further`` bounds the pieces to come.
    """
    left = position.pieces_left(side)
    left = left if further is None else min(left, further)
    own = position.cells_of(side)
    free = own | position.empty_cells
    open_windows = [window for window in position.board.windows if window & ~free == 0]
    useful = 0
    for window in open_windows:
        useful |= window & ~own
    cells = list(bits(useful))
    best = 0
    for chosen in combinations(cells, min(left, len(cells))):
        mine = own
        for cell in chosen:
            mine |= 1 << cell
        best = max(best, sum(window & ~mine == 0 for window in open_windows))
    return best


class _Search(Search[ReachFormula, Position, Move, Placed]):
    result: ReachResult

    def __init__(
        self, question: Question, wish: Wish, means: Means, control: Control | None
    ) -> None:
        super().__init__(wish, means, control, ReachResult(wish))
        self.question = question
        self.before: tuple[Move, ...] = ()
        start = question.position
        if start.must_pass:
            # Nothing can come before a pass that is due.
            start, self.before = start.play(PASS), (PASS,)
        self.start = start

    def encoding(self, limits: Limits) -> ReachFormula:
        """Without answers that are images of others, where one answer is enough."""
        one_of_each = isinstance(self.wish, Decide | Optimise)
        return ReachFormula(self.question, self.start, len(self.before), one_of_each, limits.reason)

    def accept(self, made: ReachFormula, model: set[int]) -> tuple[Position, tuple[Move, ...]]:
        position, moves = self.start, list(self.before)
        for side, kind, cell in made.play_of(model):
            if position.must_pass:
                position = position.play(PASS)
                moves.append(PASS)
            if position.to_move != side:
                raise AssertionError("a model of the formula has the wrong side to move")
            move = Piece(kind, cell)
            position = position.play(move)
            moves.append(move)
        if position.must_pass:
            position = position.play(PASS)
            moves.append(PASS)
        if not self.question.met_by(position, moves.count(PASS)):
            raise AssertionError("a model of the formula does not satisfy the question")
        return position, tuple(moves)

    def blocking(self, made: ReachFormula, position: Position) -> list[int]:
        return made.blocking(position)

    # What needs no solver.

    def settled(self) -> bool:
        return self._settled_at_start() or self._settled_by_points()

    def _most_steps(self) -> int:
        return ReachFormula.most_steps(self.question, self.start)

    def _settled_at_start(self) -> bool:
        """Answer a question that allows no further piece, by looking."""
        if not self.start.is_finished and self._most_steps() > 0:
            return False
        result = self.result
        result.possible = self.question.met_by(self.start, len(self.before))
        if result.possible:
            result.position, result.moves = self.start, self.before
        return True

    def _settled_by_points(self) -> bool:
        """Answer no where a demand is beyond the points that the cells can hold."""
        question, demands = self.question, []
        if question.margin is not None:
            demands.append(("Light", question.margin + self.start.score("Dark")))
        demands += [
            (side, points)
            for side, points in zip(SIDES, question.score, strict=True)
            if points is not None
        ]
        for side, points in demands:
            if points > 0 and points > most_points(self.start, side, self._most_steps()):
                self._most_lead(side)
                self.result.possible = False
                return True
        return False

    def _most_lead(self, side: str) -> int:
        """What a side's lead can be at most, with the argument for it."""
        steps = self._most_steps()
        points = most_points(self.start, side, steps)
        self.result.arguments = (
            *self.result.arguments,
            f"{side} cannot have more than {points} points: no choice of cells for its "
            f"{min(steps, self.start.pieces_left(side))} further pieces holds more",
        )
        return points - self.start.score(opponent(side))

    # The best answer.

    def value(self, objective: str) -> int:
        position = self.result.position
        assert position is not None
        if objective == PIECES:
            return len(position.pieces)
        return position.margin if objective == MARGIN else self.result.passes

    def bound(self, objective: str, sign: int) -> int:
        if objective == MARGIN:
            return sign * self._most_lead(SIDES[0] if sign > 0 else SIDES[1])
        most = len(self.start.pieces) + self._most_steps() + len(self.before)
        return most if sign > 0 else 0

    def ladder(self, made: ReachFormula, objective: str, sign: int) -> Ladder:
        assert self.result.bound is not None
        top = sign * self.result.bound
        if objective == MARGIN:
            # The goals are part of the formula before a solver reads it.
            windows = len(self.start.board.windows)
            side = SIDES[0] if sign > 0 else SIDES[1]
            goals = {goal: made.leads_by(side, goal) for goal in range(-windows, top + 2)}
            return Ladder(top, goals.__getitem__)
        literal = made.pieces_at_least if objective == PIECES else made.passes_at_least
        return Ladder(top, lambda goal: literal(goal) if sign > 0 else -literal(1 - goal))

    # What all answers share.

    def candidates(self, made: ReachFormula) -> set[int]:
        return made.literals().keys() | {made.occupied(cell) for cell in made.empty}

    def tell_forced(self, made: ReachFormula, always: set[int], never: set[int]) -> None:
        result, pieces = self.result, made.literals()
        cells = {made.occupied(cell): made.board.cells[cell] for cell in made.empty}
        result.forced = tuple(sorted(pieces[each] for each in always & pieces.keys()))
        result.never = tuple(sorted(pieces[each] for each in never & pieces.keys()))
        result.forced_cells = tuple(sorted(cells[each] for each in always & cells.keys()))
        result.never_cells = tuple(sorted(cells[each] for each in never & cells.keys()))

    def difference(self, made: ReachFormula) -> list[int]:
        result = self.result
        literals = {piece: literal for literal, piece in made.literals().items()}
        number = made.board.number
        clause = [-literals[piece] for piece in result.forced or ()]
        clause += [literals[piece] for piece in result.never or ()]
        clause += [-made.occupied(number[cell]) for cell in result.forced_cells or ()]
        return clause + [made.occupied(number[cell]) for cell in result.never_cells or ()]

    # Files.

    def argument(self) -> Sequence[str]:
        if self.start.is_finished or self._most_steps() == 0:
            return ("no further piece can come, so the position itself is the answer",)
        return self.result.arguments if self.result.possible is False else ()

    def drafts(self) -> Iterator[Draft[ReachFormula]]:
        if self.start.is_finished or self._most_steps() == 0:
            return
        one_of_each = isinstance(self.wish, Decide | Optimise)
        most = _ARGUED_PROOF_CONFLICTS if self.argument() else None
        made = ReachFormula(self.question, self.start, len(self.before), one_of_each)
        yield Draft(made, most)

    def header(self, made: ReachFormula) -> list[str]:
        lines = [
            "Mijnlieff: can legal play lead to a position that satisfies the conditions?",
            f"{len(self.start.pieces)} pieces on the board, {self.start.to_move} to move.",
            "Satisfiable: yes.  Unsatisfiable: no; a proof written with it is checked by",
            "  drat-trim FORMULA.cnf PROOF.drup",
            *(
                ["Of cells that are each other's images only the first may have the first piece."]
                if made.one_of_each
                else []
            ),
            "Variable 1 is true.  Variables of each step: cells, kinds, whether Light's.",
        ]
        for step in range(made.steps):
            cells = " ".join(
                f"{made.board.cells[cell].name}={literal}"
                for cell, literal in made.placed[step].items()
            )
            kinds = " ".join(map(str, made.kinds[step]))
            lines.append(f"  step {step + 1}: {cells} kinds {kinds} Light {made.light[step]}")
        return lines


class _Questions:
    """See :class:`asking.Questions`."""

    objectives: Sequence[str] = OBJECTIVES
    methods: Sequence[str] = ()

    def is_target_line(self, argument: str) -> bool:
        return questions.is_meant_as_line(argument)

    def question(self, position: Position, written: Written) -> tuple[Question, list[str]]:
        return questions.read_question(position, written)

    def reach(
        self, question: Question, wish: Wish, means: Means, control: Control | None = None
    ) -> asking.ReachResult[Position, Move, Placed]:
        return reach(question, wish, means, control)

    def move_text(self, move: Move) -> str:
        return move if isinstance(move, str) else move.notation

    def piece_text(self, piece: Placed) -> str:
        return f"{piece.side} {piece.piece.notation}"

    def position_line(self, position: Position) -> str:
        return write_line(Game.of_position(position))


QUESTIONS: asking.Questions[Position, Question, Move, Placed] = _Questions()
