"""Reachability: whether legal play can lead from a position to one that satisfies conditions.

A question goes three ways in turn.  Counting arguments (``bounds``) may settle it or narrow it;
then a SAT solver looks for a set of pieces (``formula``); what it finds is put into an order of
play and replayed through the rules before anybody sees it.

Connectivity is enforced lazily by default: a disconnected set yields clauses that exclude it and
its like, and the solver goes on.  For a proof it is part of the formula.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from litstool.errors import UsageError
from litstool.files.writing import write_file
from litstool.grid import bits
from litstool.lits.bounds import margin_bound, tighten
from litstool.lits.formula import LAZY, METHODS, ReachFormula
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.lits.questions import Prepared, Question, prepare
from litstool.sat import (
    CONNECTIONS,
    PROOF_SOLVERS,
    SOLVERS,
    Effort,
    Limits,
    Solver,
    solve_connected,
)
from litstool.search import answers
from litstool.search.answers import DEFAULT_SOLVER
from litstool.search.control import Control, Progress

PIECES, MARGIN = "pieces", "margin"
OBJECTIVES = (PIECES, MARGIN)
_COUNTING_SOLVER = "minisat22"
_PATIENCE = 20_000
"""Conflicts spent on the leap to a much better value before trying the next better one."""
_PLAIN_PROOF_CONFLICTS = 100_000


@dataclass(frozen=True)
class ReachProgress(Progress):
    """How far a reach question is: ``done`` solver calls, ``nodes`` conflicts, cuts and sets."""

    cuts: int = 0
    found: int = 0


@dataclass
class ReachResult(answers.ReachResult):
    """The answer to a reach question, and how connectivity was put to the solver."""

    method: str = LAZY


def reach(
    question: Question,
    *,
    maximize: str | None = None,
    minimize: str | None = None,
    list_all: bool = False,
    limit: int | None = None,
    forced: bool = False,
    control: Control | None = None,
    dimacs: Path | None = None,
    proof: Path | None = None,
    method: str | None = None,
    solver: str | None = None,
    seed: int = 0,
    most_mebibytes: int | None = 4096,
) -> ReachResult:
    """Answer a question.

    ``maximize`` or ``minimize`` name ``pieces`` or ``margin``; ``list_all`` finds the different
    final sets, up to ``limit``; ``forced`` what all answers share; at most one of these.
    ``dimacs`` and ``proof`` are files to write.  ``method`` is one of ``METHODS``, ``solver`` one
    of ``SOLVERS``; ``seed`` changes the order of variables.

    :raises UsageError: the question or the options contradict each other, or a file cannot be
        written.
    :raises TooLargeError: the formula would outgrow its memory.
    """
    _check_options(maximize, minimize, list_all, limit, forced, dimacs, proof, method, solver)
    search = _Search(
        prepare(question),
        Limits(control or Control(), most_mebibytes),
        method or (CONNECTIONS[0] if dimacs or proof else LAZY),
        solver or (_COUNTING_SOLVER if list_all or forced else DEFAULT_SOLVER),
        seed,
    )
    answers.run(
        search,
        maximize=maximize,
        minimize=minimize,
        list_all=list_all,
        limit=limit,
        forced=forced,
        dimacs=dimacs,
        proof=proof,
    )
    search.result.seconds = search.limits.seconds
    return search.result


def _check_options(
    maximize: str | None,
    minimize: str | None,
    list_all: bool,
    limit: int | None,
    forced: bool,
    dimacs: Path | None,
    proof: Path | None,
    method: str | None,
    solver: str | None,
) -> None:
    if maximize and minimize:
        raise UsageError("maximize and minimize exclude each other")
    for objective in (maximize, minimize):
        if objective is not None and objective not in OBJECTIVES:
            raise UsageError(f"no objective {objective!r}: choose from {', '.join(OBJECTIVES)}")
    if (maximize or minimize) and (list_all or forced):
        raise UsageError(
            "an optimum, a list of all answers and the forced pieces exclude each other"
        )
    if list_all and forced:
        raise UsageError("a list of all answers and the forced pieces exclude each other")
    if limit is not None and limit < 1:
        raise UsageError(f"a limit of {limit} answers is out of range: at least 1")
    if proof and (maximize or minimize or list_all or forced):
        raise UsageError("a proof is of a plain question: no optimum, list or forced pieces")
    if method is not None and method not in METHODS:
        raise UsageError(f"no method {method!r}: choose from {', '.join(METHODS)}")
    if (dimacs or proof) and method == LAZY:
        raise UsageError(
            "the lazy method has no formula of its own to write: "
            f"choose from {', '.join(CONNECTIONS)}"
        )
    known = PROOF_SOLVERS if proof else SOLVERS
    if solver is not None and solver not in known:
        raise UsageError(f"no solver {solver!r} here: choose from {', '.join(known)}")


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


class _Search:
    """One question being answered; ``result`` is kept up to date, so that it may be cut short."""

    def __init__(
        self, prepared: Prepared, limits: Limits, method: str, solver: str, seed: int
    ) -> None:
        self.prepared = prepared
        self.limits = limits
        self.method = method
        self.solver = solver
        self.seed = seed
        self.effort = Effort()
        self.bounds: tuple[int, int] | None = None
        self.result = ReachResult(None, effort=self.effort, method=method, solver=solver)
        # What may come at all, before any argument narrows it.
        self.possible_before = prepared.start.alive
        limits.on_tick = self._tick
        self.needs = tighten(prepared)
        self.result.arguments = tuple(prepared.impossible or prepared.reasons)

    def _tick(self) -> None:
        control = self.limits.control
        if control.on_progress is not None:
            best = self.result.value
            control.on_progress(
                ReachProgress(
                    self.effort.calls,
                    0,
                    self.effort.conflicts,
                    self.limits.seconds,
                    self.bounds,
                    None if best is None else str(best),
                    self.effort.cuts,
                    self.result.count or 0,
                )
            )

    # --- one answer --------------------------------------------------------------------------

    def formula(self) -> ReachFormula:
        """The formula of the question as it is narrowed now."""
        return ReachFormula(
            self.prepared, self.needs, self.method, random.Random(self.seed) if self.seed else None
        )

    def _solve(
        self,
        made: ReachFormula,
        solver: Solver,
        assumptions: list[int] | None = None,
        most_conflicts: int | None = None,
    ) -> bool | None:
        if self.method != LAZY:
            return solver.solve(assumptions or (), most_conflicts)
        return solve_connected(solver, made.cuts, assumptions or (), most_conflicts)

    def _accept(self, made: ReachFormula, solver: Solver) -> Position:
        """The position of the solver's model, replayed through the rules and checked."""
        further = [made.prepared.tables.all[number] for number in made.numbers_in(solver.model())]
        position, moves = order_of_play(self.prepared.start, further)
        if not self.prepared.question.met_by(position):
            raise AssertionError("a model of the formula does not satisfy the question")
        self.result.possible = True
        self.result.position, self.result.moves = position, tuple(moves)
        return position

    def decide(self) -> None:
        """Find one answer or that there is none."""
        if self.prepared.impossible:
            self.result.possible = False
            return
        made = self.formula()
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            answer = self._solve(made, solver)
            if answer:
                self._accept(made, solver)
            elif answer is False:
                self.result.possible = False

    # --- the best answer ---------------------------------------------------------------------

    def optimise(self, objective: str, sign: int) -> None:
        """Find the largest (sign 1) or smallest (sign -1) number of pieces or margin."""
        result, prepared = self.result, self.prepared
        result.objective, result.optimal = objective, False
        if prepared.impossible:
            result.possible, result.optimal = False, True
            return
        on_board = len(prepared.start.pieces)
        # Only what bounds the value on the side to which it is pushed is a reason for the bound.
        bounding = "at most" if sign > 0 else "at least"
        if objective == PIECES:
            limit = on_board + (prepared.most if sign > 0 else prepared.fewest)
            result.arguments = tuple(
                reason for reason in prepared.reasons if reason.startswith(bounding)
            )
        else:
            limit, reason = margin_bound(prepared, "X" if sign > 0 else "O")
            limit *= sign
            by_pieces = result.arguments if "more pieces can come" in reason else ()
            result.arguments = (*by_pieces, f"{reason}: X's margin is {bounding} {limit}")
        result.bound = limit
        # Work with larger-is-better numbers.
        top = sign * limit
        made = self.formula()

        def at_least(goal: int) -> int:
            literal = made.pieces_at_least if objective == PIECES else made.margin_at_least
            return literal(goal) if sign > 0 else -literal(-goal + 1)

        # The margin is counted in the formula before the solver reads it.
        at_least(top)
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            answer = self._solve(made, solver)
            if not answer:
                result.possible = answer
                if answer is False:
                    result.optimal, result.bound = True, None
                return
            best, stride = self._value(made, solver, objective) * sign, 1
            patience = _PATIENCE
            while True:
                result.value, result.bound = best * sign, top * sign
                low, high = sorted((result.value, result.bound))
                self.bounds = (low, high)
                if best >= top:
                    result.optimal = True
                    return
                goal = min(best + stride, top)
                answer = self._solve(made, solver, [at_least(goal)], patience)
                if answer:
                    best = self._value(made, solver, objective) * sign
                    stride *= 2
                elif answer is False:
                    top, stride = goal - 1, 1
                elif self.effort.stopped:
                    return
                elif goal > best + 1:
                    stride = 1
                elif goal == top:
                    patience *= 2
                else:
                    # The next better value is hard, so come from the far end, where values are
                    # easily disproved: the bound then says more when time runs out.
                    answer = self._solve(made, solver, [at_least(top)], patience)
                    if answer:
                        best = self._value(made, solver, objective) * sign
                    elif answer is False:
                        top -= 1
                    elif self.effort.stopped:
                        return
                    else:
                        patience *= 2

    def _value(self, made: ReachFormula, solver: Solver, objective: str) -> int:
        position = self._accept(made, solver)
        return len(position.pieces) if objective == PIECES else position.margin

    # --- all answers -------------------------------------------------------------------------

    def _answers(self, made: ReachFormula, solver: Solver) -> Iterator[Position]:
        """The different final positions, until there is none or a limit comes."""
        while self._solve(made, solver):
            position = self._accept(made, solver)
            numbers = made.numbers_in(solver.model())
            yield position
            solver.add(made.blocking(numbers))

    def list_all(self, limit: int | None) -> None:
        """Find every final set of pieces, up to a limit."""
        result = self.result
        result.count, result.complete = 0, False
        if self.prepared.impossible:
            result.possible, result.complete = False, True
            return
        made = self.formula()
        found: list[Position] = []
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            first: tuple[Position, tuple[Placement, ...]] | None = None
            try:
                for position in self._answers(made, solver):
                    if limit is not None and len(found) == limit:
                        break
                    found.append(position)
                    result.count = len(found)
                    first = first or (position, result.moves)
                else:
                    result.complete = self.effort.stopped is None
            finally:
                # A Ctrl-C also keeps what was found.
                result.positions = tuple(found)
                if first:
                    result.position, result.moves = first
            if result.complete and not found:
                result.possible = False

    # --- what all answers share --------------------------------------------------------------

    def find_forced(self) -> None:
        """Find what every answer has and what none has, each confirmed by the solver.

        Every model rules out candidates of both kinds; then the solver is asked for one that
        rules out another, until there is none.
        """
        result, prepared = self.result, self.prepared
        result.asked_forced = True
        if prepared.impossible:
            result.possible = False
            return
        made = self.formula()
        placements = set(made.placed.values())
        cells = {literal for literal in made.covered.values() if literal not in (1, -1)}
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            answer = self._solve(made, solver)
            if not answer:
                result.possible = answer
                return
            self._accept(made, solver)
            model = solver.model()
            always = (placements | cells) & model
            never = (placements | cells) - model
            fresh = made.formula.variables
            while always or never:
                fresh += 1
                solver.add([-fresh, *(-literal for literal in always), *never])
                answer = self._solve(made, solver, [fresh])
                if answer is None:
                    return
                if answer is False:
                    break
                model = solver.model()
                always &= model
                never -= model
        tables = prepared.tables
        number_of = {variable: number for number, variable in made.placed.items()}
        on_board = prepared.start.covered
        result.forced = tuple(
            tables.all[number_of[literal]] for literal in sorted(always & placements)
        )
        can = {number_of[literal] for literal in placements - never}
        result.never = tuple(
            tables.all[number] for number in bits(self.possible_before) if number not in can
        )
        outline = tables.outline
        result.forced_cells = tuple(
            cell for cell, literal in made.covered.items() if literal in always
        )
        result.never_cells = tuple(
            cell
            for cell, literal in made.covered.items()
            if (literal == -1 or literal in never) and not on_board & outline.bit(cell)
        )

    # --- files -------------------------------------------------------------------------------

    def write(self, dimacs: Path | None, proof: Path | None) -> None:
        """Write the formula, and the proof of an impossible answer.

        Where a counting argument decided, the argument is written instead.  The formula of the
        rules alone is tried first; the one narrowed by arguments is the second choice, and its
        header says by which.
        """
        notes: list[str] = []
        if self.prepared.impossible:
            lines = ["c This question is impossible by an argument that needs no solver."]
            lines += [f"c {reason}" for reason in self.prepared.impossible]
            for path in (dimacs, proof):
                if path is not None:
                    write_file(path, "\n".join([*lines, ""]))
                    self.result.written += (path,)
            notes.append("a counting argument decides: it was written instead of a formula")
            self.result.notes = tuple(notes)
            return
        plain = prepare(self.prepared.question)
        narrowed_by: list[str] = []
        made = ReachFormula(plain, None, self.method)
        lines_of_proof: list[str] | None = None
        if proof is not None and self.result.possible is False:
            lines_of_proof = self._prove(made, _PLAIN_PROOF_CONFLICTS)
            if lines_of_proof is None:
                made = ReachFormula(self.prepared, self.needs, self.method)
                narrowed_by = self.prepared.reasons
                lines_of_proof = self._prove(made, None)
        if dimacs is not None:
            made.formula.write_dimacs(dimacs, self._header(narrowed_by, made))
            self.result.written += (dimacs,)
        if proof is None:
            self.result.notes = tuple(notes)
            return
        if lines_of_proof is None:
            notes.append(
                "no proof was written: "
                + (
                    "the answer is not that it is impossible"
                    if self.result.possible is not False
                    else f"stopped by the {self.effort.stopped}"
                )
            )
        else:
            head = [
                "c A proof in the DRUP form, which every DRAT checker reads",
                "c that the formula written with it cannot hold",
                "c Check it with:  drat-trim FORMULA.cnf PROOF.drup",
            ]
            write_file(proof, "\n".join([*head, *lines_of_proof, ""]))
            self.result.written += (proof,)
        self.result.notes = tuple(notes)

    def _prove(self, made: ReachFormula, most_conflicts: int | None) -> list[str] | None:
        name = self.solver if self.solver in PROOF_SOLVERS else DEFAULT_SOLVER
        with Solver(made.formula, name, self.limits, self.effort, with_proof=True) as solver:
            if solver.solve(most_conflicts=most_conflicts) is False:
                return solver.proof()
        return None

    def _header(self, narrowed_by: list[str], made: ReachFormula) -> list[str]:
        start = self.prepared.start
        lines = [
            "Battle of LITS: can legal play lead to a position that satisfies the conditions?",
            f"{len(start.pieces)} pieces on the board, {start.to_move} to move.",
            "Satisfiable: yes.  Unsatisfiable: no; a proof written with it is checked by",
            "  drat-trim FORMULA.cnf PROOF.drup",
            f"Connectivity is part of the formula ({self.method}).  Variable 1 is true.",
        ]
        if narrowed_by:
            lines.append("Left out are placements that no answer has, by these arguments:")
            lines += [f"  {reason}" for reason in narrowed_by]
        lines.append("Variables of the placements:")
        lines += [
            f"  {variable} {made.prepared.tables.all[number].notation}"
            for number, variable in made.placed.items()
        ]
        return lines


def with_pieces(question: Question, pieces: int) -> Question:
    """The same question for an exact number of pieces."""
    return replace(question, pieces=pieces)
