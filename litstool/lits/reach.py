"""Reachability: whether legal play can lead from a position to one that satisfies conditions.

A question goes three ways in turn.  Counting arguments (``bounds``) may settle it or narrow it;
then a SAT solver looks for a set of pieces (``formula``); what it finds is put into an order of
play and replayed through the rules before anybody sees it.

Connectivity is enforced lazily by default: a disconnected set yields clauses that exclude it and
its like, and the solver goes on.  For a proof it is part of the formula.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from litstool.errors import UsageError
from litstool.grid import bits
from litstool.lits import targets
from litstool.lits.board import SIDES
from litstool.lits.bounds import margin_bound, tighten
from litstool.lits.formula import LAZY, METHODS, ReachFormula
from litstool.lits.game import Game
from litstool.lits.growing import Grower, UsingUp, can_grow, can_use_up
from litstool.lits.notation import write_line
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.lits.questions import Question, number_of_pieces, scope_of
from litstool.sat import CONNECTIONS, Effort, Limits, Solver
from litstool.search import asking
from litstool.search.asking import COUNTING_SOLVER, DECIDE, USUAL_MEANS, Means, Wish
from litstool.search.conditions import Written
from litstool.search.control import Control
from litstool.search.race import Runner
from litstool.search.reaching import RIVALS, SHARE_OF_RIVALS, Draft, Ladder, Search

PIECES, MARGIN = "pieces", "margin"
OBJECTIVES = (PIECES, MARGIN)
_PLAIN_PROOF_CONFLICTS = 100_000
_ARGUED_PROOF_CONFLICTS = 10_000
"""Where an argument is there already, a proof is only a second one."""
SPARE_CELLS = (
    "each of disjoint 2x2 blocks keeps an open cell; the further open cells are counted, and with "
    "every piece there are 4 fewer"
)
"""What the implied clauses of the formula say."""
_NEXT_SEED = 1 << 62
"""Beyond all seeds that a user may give."""
_MOST_RUNNERS = 16
_SHARE_OF_USING_UP = 2

_Maker = Callable[[int, Limits, Effort], Runner[ReachFormula]]

ReachResult = asking.ReachResult[Position, Placement, Placement]


def reach(
    question: Question,
    wish: Wish = DECIDE,
    means: Means = USUAL_MEANS,
    control: Control | None = None,
) -> ReachResult:
    """Answer a question.

    Objectives are ``pieces`` and ``margin`` (X's score minus O's); methods are ``METHODS``.

    :raises UsageError: the question contradicts itself, or the means do not serve the wish.
    :raises WriteError: a file cannot be written.
    :raises TooLargeError: the formula would outgrow its memory.
    """
    means.check(wish, OBJECTIVES, METHODS)
    if means.writes and means.method == LAZY:
        raise UsageError(
            "the lazy method has no formula of its own to write: "
            f"choose from {', '.join(CONNECTIONS)}"
        )
    return _Search(question, wish, means, control).run()


def order_of_play(start: Position, further: list[Placement]) -> tuple[Position, list[Placement]]:
    """Legal play from the start that places exactly these pieces, and where it ends.

    :raises AssertionError: there is none, so the pieces are no answer.
    """
    waiting = {start.placements.number[piece] for piece in further}
    position, moves = start, []
    while waiting:
        number = next((each for each in sorted(waiting) if position.legal >> each & 1), None)
        if number is None:
            raise AssertionError(f"no legal order of {[piece.notation for piece in further]}")
        waiting.discard(number)
        move = start.placements.all[number]
        position = position.play(move)
        moves.append(move)
    return position, moves


class _Search(Search[ReachFormula, Position, Placement, Placement]):
    def __init__(
        self, question: Question, wish: Wish, means: Means, control: Control | None
    ) -> None:
        super().__init__(wish, means, control, ReachResult(wish))
        self.question = question
        self.scope = scope_of(question)
        self.method = means.method or (CONNECTIONS[0] if means.writes else LAZY)
        self.result.method = self.method
        tighten(self.scope)
        self.result.arguments = tuple(self.scope.impossible or self.scope.reasons)

    def settled(self) -> bool:
        if self.scope.impossible:
            self.result.possible = False
        return bool(self.scope.impossible)

    def encoding(self, limits: Limits, number: int = 0) -> ReachFormula:
        """Orders of different numbers differ, and from those of all other seeds."""
        seed = self.means.seed + _NEXT_SEED * number
        shuffle = random.Random(seed) if seed else None
        return ReachFormula(self.scope, self.method, shuffle, limits.reason)

    def runner(self, number: int, limits: Limits, effort: Effort) -> Runner[ReachFormula] | None:
        """The usual solver, those with a way of their own to an answer, and other kinds."""
        usual = self.result.solver
        others = [name for name in RIVALS if name != usual]
        makers: list[_Maker] = [partial(self._plain, usual)]
        if can_grow(self.scope):
            makers.append(self._growing)
        if can_use_up(self.scope):
            makers.append(self._using_up)
        makers += [partial(self._plain, self.means.solver or name) for name in others]
        return makers[number](number, limits, effort) if number < len(makers) else None

    def _plain(
        self, name: str, number: int, limits: Limits, effort: Effort
    ) -> Runner[ReachFormula]:
        made = self.encoding(limits, number)
        runner = self.plain_runner(made, Solver(made.formula, name, limits, effort))
        return replace(runner, share=SHARE_OF_RIVALS) if number else runner

    def _growing(self, number: int, limits: Limits, effort: Effort) -> Runner[ReachFormula]:
        made = self.encoding(limits, number)
        solver = Solver(made.formula, self.result.solver, limits, effort)
        grower = Grower(self.scope, made, solver, limits, effort)
        return Runner(made, solver, grower.advance, let_go=grower.close)

    def _using_up(self, number: int, limits: Limits, effort: Effort) -> Runner[ReachFormula]:
        name = self.means.solver or COUNTING_SOLVER

        def new(attempt: int) -> tuple[ReachFormula, Solver]:
            made = self.encoding(limits, number + _MOST_RUNNERS * attempt)
            return made, Solver(made.formula, name, limits, effort)

        using_up = UsingUp(self.scope, new, effort)

        def advance(most_conflicts: int) -> bool | None:
            answer = using_up.advance(most_conflicts)
            runner.made, runner.solver = using_up.made, using_up.solver
            return answer

        runner = Runner(using_up.made, using_up.solver, advance, share=_SHARE_OF_USING_UP)
        return runner

    def solve(
        self,
        made: ReachFormula,
        solver: Solver,
        assumptions: Sequence[int] = (),
        most_conflicts: int | None = None,
    ) -> bool | None:
        return made.solve(solver, assumptions, most_conflicts)

    def accept(self, made: ReachFormula, model: set[int]) -> tuple[Position, tuple[Placement, ...]]:
        further = [self.scope.tables.all[number] for number in made.numbers_in(model)]
        position, moves = order_of_play(self.scope.start, further)
        if not self.question.met_by(position):
            raise AssertionError("a model of the formula does not satisfy the question")
        return position, tuple(moves)

    def blocking(self, made: ReachFormula, position: Position) -> list[int]:
        return made.blocking(position)

    # --- the best answer ---------------------------------------------------------------------

    def value(self, objective: str) -> int:
        position = self.result.position
        assert position is not None
        return len(position.pieces) if objective == PIECES else position.margin

    def bound(self, objective: str, sign: int) -> int:
        scope, result = self.scope, self.result
        # Only what bounds the value on the side to which it is pushed is a reason for the bound.
        bounding = "at most" if sign > 0 else "at least"
        if objective == PIECES:
            result.arguments = tuple(
                reason for reason in scope.reasons if reason.startswith(bounding)
            )
            return len(scope.start.pieces) + (scope.most if sign > 0 else scope.fewest)
        most, reason, by_pieces = margin_bound(scope, SIDES[0] if sign > 0 else SIDES[1])
        told = f"{reason}: X's margin is {bounding} {sign * most}"
        result.arguments = (*(result.arguments if by_pieces else ()), told)
        return sign * most

    def ladder(self, made: ReachFormula, objective: str, sign: int) -> Ladder:
        literal = made.pieces_at_least if objective == PIECES else made.margin_at_least
        # The margin is counted in the formula before a solver reads it.
        literal(0)

        def at_least(goal: int) -> int:
            return literal(goal) if sign > 0 else -literal(-goal + 1)

        assert self.result.bound is not None
        return Ladder(sign * self.result.bound, at_least)

    # --- what all answers share --------------------------------------------------------------

    def candidates(self, made: ReachFormula) -> set[int]:
        cells = {literal for literal in made.covered.values() if literal not in (1, -1)}
        return cells | set(made.placed.values())

    def tell_forced(self, made: ReachFormula, always: set[int], never: set[int]) -> None:
        result, tables, start = self.result, self.scope.tables, self.scope.start
        result.forced = tuple(
            tables.all[number] for number, literal in made.placed.items() if literal in always
        )
        can = {number for number, literal in made.placed.items() if literal not in never}
        # What may come at all, before any argument narrows it.
        result.never = tuple(
            tables.all[number] for number in bits(start.alive) if number not in can
        )
        result.forced_cells = tuple(
            cell for cell, literal in made.covered.items() if literal in always
        )
        result.never_cells = tuple(
            cell
            for cell, literal in made.covered.items()
            if (literal == -1 or literal in never) and not start.covered & tables.outline.bit(cell)
        )

    def difference(self, made: ReachFormula) -> list[int]:
        result, number = self.result, self.scope.tables.number
        clause = [-made.placed.get(number[piece], -1) for piece in result.forced or ()]
        clause += [made.placed.get(number[piece], -1) for piece in result.never or ()]
        clause += [-made.covered[cell] for cell in result.forced_cells or ()]
        return clause + [made.covered[cell] for cell in result.never_cells or ()]

    # --- files -------------------------------------------------------------------------------

    def argument(self) -> Sequence[str]:
        if not self.scope.impossible:
            return ()
        return (
            "This question is impossible by an argument that needs no solver.",
            *self.scope.impossible,
        )

    def drafts(self) -> Iterator[Draft[ReachFormula]]:
        plain = scope_of(self.question)
        if plain.impossible:
            return  # what is on the board contradicts the question: there is nothing to solve
        most = _ARGUED_PROOF_CONFLICTS if self.scope.impossible else _PLAIN_PROOF_CONFLICTS
        yield Draft(ReachFormula(plain, self.method, implied=False), most)
        if self.scope.impossible:
            yield Draft(ReachFormula(plain, self.method), most, [SPARE_CELLS])
        else:
            narrowed_by = [*self.scope.reasons, SPARE_CELLS]
            yield Draft(ReachFormula(self.scope, self.method), None, narrowed_by)

    def header(self, made: ReachFormula) -> list[str]:
        start = self.scope.start
        return [
            "Battle of LITS: can legal play lead to a position that satisfies the conditions?",
            f"{number_of_pieces(len(start.pieces))} on the board, {start.to_move} to move.",
            "Satisfiable: yes.  Unsatisfiable: no; a proof written with it is checked by",
            "  drat-trim FORMULA.cnf PROOF.drup",
            f"Connectivity is part of the formula ({self.method}).  Variable 1 is true.",
            "Variables of the placements:",
            *(
                f"  {variable} {self.scope.tables.all[number].notation}"
                for number, variable in made.placed.items()
            ),
        ]


class _Questions:
    """See :class:`asking.Questions`."""

    objectives: Sequence[str] = OBJECTIVES
    methods: Sequence[str] = METHODS

    def is_target_line(self, argument: str) -> bool:
        return targets.is_meant_as_line(argument)

    def question(self, position: Position, written: Written) -> tuple[Question, list[str]]:
        return targets.read_question(position, written)

    def reach(
        self, question: Question, wish: Wish, means: Means, control: Control | None = None
    ) -> ReachResult:
        return reach(question, wish, means, control)

    def move_text(self, move: Placement) -> str:
        return move.notation

    def piece_text(self, piece: Placement) -> str:
        return piece.notation

    def position_line(self, position: Position) -> str:
        return write_line(Game.of_position(position))


QUESTIONS: asking.Questions[Position, Question, Placement, Placement] = _Questions()
