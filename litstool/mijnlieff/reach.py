"""Reachability: what the two sides, playing together, can bring about.

A question becomes a formula over time steps (see ``formula``); a model of it is a game, which is
replayed through the rules before anybody sees it.  The best value is found by demanding more and
more, and is called optimal only when the solver has proved that more is impossible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from litstool.errors import UsageError
from litstool.files.writing import write_file
from litstool.grid import bits
from litstool.mijnlieff.board import SIDES, opponent
from litstool.mijnlieff.formula import ReachFormula
from litstool.mijnlieff.position import PASS, Move, Piece, Position
from litstool.mijnlieff.questions import Question
from litstool.sat import PROOF_SOLVERS, SOLVERS, Effort, Limits, Solver
from litstool.search import answers
from litstool.search.answers import DEFAULT_SOLVER
from litstool.search.control import Control, Progress

PIECES, MARGIN, PASSES = "pieces", "margin", "passes"
OBJECTIVES = (PIECES, MARGIN, PASSES)


@dataclass
class ReachResult(answers.ReachResult):
    """The answer to a reach question; the moves may be passes."""

    @property
    def passes(self) -> int:
        """How many of the moves are passes."""
        return self.moves.count(PASS)


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
    solver: str | None = None,
    most_mebibytes: int | None = 4096,
) -> ReachResult:
    """Answer a question.

    ``maximize`` or ``minimize`` name ``pieces``, ``margin`` (Light's score minus Dark's) or
    ``passes``; ``list_all`` finds the different final sets of pieces, up to ``limit``; ``forced``
    what all answers share; at most one of these.  ``dimacs`` and ``proof`` are files to write.

    :raises UsageError: the question or the options contradict each other, or a file cannot be
        written.
    """
    question.check()
    _check_options(maximize, minimize, list_all, limit, forced, proof, solver)
    search = _Search(question, Limits(control or Control(), most_mebibytes), solver)
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
    proof: Path | None,
    solver: str | None,
) -> None:
    for objective in (maximize, minimize):
        if objective is not None and objective not in OBJECTIVES:
            raise UsageError(f"no objective {objective!r}: choose from {', '.join(OBJECTIVES)}")
    if sum(map(bool, (maximize, minimize, list_all, forced))) > 1:
        raise UsageError(
            "maximize, minimize, a list of all answers and the forced pieces exclude each other"
        )
    if limit is not None and limit < 1:
        raise UsageError(f"a limit of {limit} answers is out of range: at least 1")
    if proof and (maximize or minimize or list_all or forced):
        raise UsageError("a proof is of a plain question: no optimum, list or forced pieces")
    known = PROOF_SOLVERS if proof else SOLVERS
    if solver is not None and solver not in known:
        raise UsageError(f"no solver {solver!r} here: choose from {', '.join(known)}")


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


class _Search:
    """One question being answered; ``result`` is kept up to date, so that it may be cut short."""

    def __init__(self, question: Question, limits: Limits, solver: str | None) -> None:
        self.question = question
        self.limits = limits
        self.solver = solver or DEFAULT_SOLVER
        self.effort = Effort()
        self.result = ReachResult(None, effort=self.effort, solver=self.solver)
        self.before: tuple[Move, ...] = ()
        start = question.position
        if start.must_pass:
            # Nothing can come before a pass that is due.
            start, self.before = start.play(PASS), (PASS,)
        self.start = start
        limits.on_tick = self._tick

    def _tick(self) -> None:
        control, result = self.limits.control, self.result
        if control.on_progress is not None:
            bounds = None
            if result.value is not None and result.bound is not None:
                bounds = min(result.value, result.bound), max(result.value, result.bound)
            best = None if result.value is None else str(result.value)
            control.on_progress(
                Progress(
                    self.effort.calls, 0, self.effort.conflicts, self.limits.seconds, bounds, best
                )
            )

    def formula(self, one_of_each: bool = True) -> ReachFormula:
        """The formula of the question, by default without answers that are images of others."""
        return ReachFormula(self.question, self.start, len(self.before), one_of_each)

    def _accept(self, made: ReachFormula, solver: Solver) -> Position:
        """The position of the solver's model, replayed through the rules and checked."""
        position, moves = self.start, list(self.before)
        for side, kind, cell in made.play_of(solver.model()):
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
        self.result.possible = True
        self.result.position, self.result.moves = position, tuple(moves)
        return position

    def _settled_at_start(self) -> bool:
        """Answer a question that allows no further piece, by looking."""
        if not self.start.is_finished and ReachFormula.most_steps(self.question, self.start) > 0:
            return False
        result = self.result
        result.possible = self.question.met_by(self.start, len(self.before))
        if result.possible:
            result.position, result.moves = self.start, self.before
        return True

    def _bound(self, side: str) -> int:
        """What a side's lead can be at most, with the argument for it."""
        steps = ReachFormula.most_steps(self.question, self.start)
        points = most_points(self.start, side, steps)
        other = self.start.score(opponent(side))
        self.result.arguments = (
            *self.result.arguments,
            f"{side} cannot have more than {points} points: no choice of cells for its "
            f"{min(steps, self.start.pieces_left(side))} further pieces holds more",
        )
        return points - other

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
        steps = ReachFormula.most_steps(question, self.start)
        for side, points in demands:
            if points > 0 and points > most_points(self.start, side, steps):
                self._bound(side)
                self.result.possible = False
                return True
        return False

    def decide(self) -> None:
        """Find one answer or that there is none."""
        if self._settled_at_start() or self._settled_by_points():
            return
        made = self.formula()
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            answer = solver.solve()
            if answer:
                self._accept(made, solver)
            elif answer is False:
                self.result.possible = False

    def optimise(self, objective: str, sign: int) -> None:
        """Find the largest (sign 1) or smallest (sign -1) number of pieces, margin or passes."""
        result = self.result
        result.objective, result.optimal = objective, False
        if self._settled_at_start():
            result.optimal = True
            if result.possible:
                result.value = result.bound = self._value(self.start, objective)
            return
        made = self.formula()

        def at_least(goal: int) -> int:
            """The literal that forces ``sign`` x the objective to be at least the goal."""
            if objective == MARGIN:
                return made.leads_by("Light" if sign > 0 else "Dark", goal)
            literal = made.pieces_at_least if objective == PIECES else made.passes_at_least
            return literal(goal) if sign > 0 else -literal(1 - goal)

        # Larger is better in what follows; the goals are part of the formula from the start.
        windows = len(self.start.board.windows)
        if objective == MARGIN:
            low, top = -windows, self._bound("Light" if sign > 0 else "Dark")
        elif sign > 0:
            low, top = 0, len(self.start.pieces) + made.steps + len(self.before)
        else:
            low, top = -(len(self.start.pieces) + made.steps + len(self.before)), 0
        result.bound = sign * top
        goals = {goal: at_least(goal) for goal in range(low, top + 2)}
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            answer = solver.solve()
            if not answer:
                result.possible = answer
                if answer is False:
                    result.optimal, result.bound = True, None
                return
            best = sign * self._value(self._accept(made, solver), objective)
            while True:
                result.value, result.bound = sign * best, sign * top
                if best >= top:
                    result.optimal = True
                    return
                answer = solver.solve([goals[best + 1]])
                if answer:
                    best = sign * self._value(self._accept(made, solver), objective)
                elif answer is False:
                    top = best
                else:
                    return

    def _value(self, position: Position, objective: str) -> int:
        if objective == PIECES:
            return len(position.pieces)
        return position.margin if objective == MARGIN else self.result.passes

    def _answers(self, made: ReachFormula, solver: Solver) -> Iterator[Position]:
        """Positions with different final pieces, until there is none or a limit comes."""
        while solver.solve():
            position = self._accept(made, solver)
            yield position
            solver.add(made.blocking(position))

    def list_all(self, limit: int | None) -> None:
        """Find every final set of pieces, up to a limit."""
        result = self.result
        result.count, result.complete = 0, False
        if self._settled_at_start():
            result.complete = True
            if result.possible:
                result.count, result.positions = 1, (self.start,)
            return
        made = self.formula(one_of_each=False)
        found: list[Position] = []
        first: tuple[Position, tuple[Move, ...]] | None = None
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
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

    def find_forced(self) -> None:
        """Find the pieces that every answer has and that none has, confirmed by the solver."""
        result = self.result
        result.asked_forced = True
        if self._settled_at_start():
            if result.possible:
                result.forced = result.never = ()
                result.forced_cells = result.never_cells = ()
            return
        made = self.formula(one_of_each=False)
        literals = made.literals()
        with Solver(made.formula, self.solver, self.limits, self.effort) as solver:
            answer = solver.solve()
            if not answer:
                result.possible = answer
                return
            self._accept(made, solver)
            model = solver.model()
            cells = {made.occupied(cell): made.board.cells[cell] for cell in made.empty}
            candidates = literals.keys() | cells.keys()
            always, never = candidates & model, candidates - model
            fresh = made.formula.variables
            while always or never:
                # Is there an answer that rules out another candidate?
                fresh += 1
                solver.add([-fresh, *(-literal for literal in always), *never])
                answer = solver.solve([fresh])
                if answer is None:
                    return
                if answer is False:
                    break
                model = solver.model()
                always &= model
                never -= model
        result.forced = tuple(sorted(literals[each] for each in always & literals.keys()))
        result.never = tuple(sorted(literals[each] for each in never & literals.keys()))
        result.forced_cells = tuple(sorted(cells[each] for each in always & cells.keys()))
        result.never_cells = tuple(sorted(cells[each] for each in never & cells.keys()))

    def write(self, dimacs: Path | None, proof: Path | None) -> None:
        """Write the formula, and the proof of an impossible answer."""
        why = self.result.arguments
        if self.start.is_finished or ReachFormula.most_steps(self.question, self.start) == 0:
            why = ("no further piece can come, so the position itself is the answer",)
        if why:
            for path in (dimacs, proof):
                if path is not None:
                    write_file(path, "".join(f"c {reason}\n" for reason in why))
                    self.result.written += (path,)
            self.result.notes = ("an argument decides: it was written instead of a formula",)
            return
        made = self.formula()
        if dimacs is not None:
            made.formula.write_dimacs(dimacs, self._header(made))
            self.result.written += (dimacs,)
        if proof is None:
            return
        lines = None
        if self.result.possible is False:
            name = self.solver if self.solver in PROOF_SOLVERS else DEFAULT_SOLVER
            with Solver(made.formula, name, self.limits, self.effort, with_proof=True) as solver:
                if solver.solve() is False:
                    lines = solver.proof()
        if lines is None:
            reason = (
                "the answer is not that it is impossible"
                if self.result.possible is not False
                else f"stopped by the {self.effort.stopped}"
            )
            self.result.notes = (f"no proof was written: {reason}",)
            return
        head = [
            "c A proof in the DRUP form, which every DRAT checker reads",
            "c that the formula written with it cannot hold",
            "c Check it with:  drat-trim FORMULA.cnf PROOF.drup",
        ]
        write_file(proof, "\n".join([*head, *lines, ""]))
        self.result.written += (proof,)

    def _header(self, made: ReachFormula) -> list[str]:
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


def sides_of(position: Position, moves: tuple[Move, ...]) -> list[str]:
    """Whose each move is."""
    sides = []
    for move in moves:
        sides.append(position.to_move)
        position = position.placed(move)
    return sides
