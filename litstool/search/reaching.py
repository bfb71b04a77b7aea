"""Answering reach questions with a SAT solver: the same steps for every game.

A game gives a formula of its question, reads positions out of models and replays them through the
rules; the :class:`Search` asks the solver for one answer, for better and better ones, for all of
them or for what they share, and writes formulas and proofs.  The result is kept up to date, so
that whatever ends the search early leaves what is known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from litstool.files.writing import write_file
from litstool.sat import PROOF_SOLVERS, Effort, Formula, Limits, Solver, StoppedError
from litstool.search.asking import (
    DEFAULT_SOLVER,
    Forced,
    ListAll,
    Means,
    MoveT,
    Optimise,
    PieceT,
    PositionT,
    ReachProgress,
    ReachResult,
    Wish,
)
from litstool.search.control import Control
from litstool.search.race import Race, Runner

RIVALS = ("glucose4", "cadical195")
"""Kinds of solvers unlike each other, tried beside the usual one."""
SHARE_OF_RIVALS = 0.5
"""Of the conflicts that the usual one gets."""
_PATIENCE = 20_000
"""Conflicts spent on the leap to a much better value before trying the next better one."""


class Encoding(Protocol):
    """A formula of a question: its models are the positions that satisfy the conditions."""

    formula: Formula


EncodingT = TypeVar("EncodingT", bound=Encoding)


@dataclass(frozen=True)
class Draft(Generic[EncodingT]):
    """A formula to write: how long to look for its proof, and the arguments that are part of it."""

    made: EncodingT
    most_conflicts: int | None = None
    narrowed_by: Sequence[str] = ()


@dataclass(frozen=True)
class Ladder:
    """What an objective is raised by: literals that demand a value, all larger-is-better.

    ``top`` is the most that it can be by an argument; ``at_least(goal)`` is a literal of the
    formula that holds only where the value is the goal or more.
    """

    top: int
    at_least: Callable[[int], int]


class Search(ABC, Generic[EncodingT, PositionT, MoveT, PieceT]):
    """One question being answered."""

    def __init__(
        self,
        wish: Wish,
        means: Means,
        control: Control | None,
        result: ReachResult[PositionT, MoveT, PieceT],
    ) -> None:
        self.wish = wish
        self.means = means
        self.control = (control or Control()).begin()
        self.result = result
        self.result.solver = means.solver_for(wish)
        self.effort = Effort()
        self.result.effort = self.effort
        self._efforts: list[Effort] = []
        self.limits = Limits(
            self.control, means.most_mebibytes, lambda: self.control.report(self._progress)
        )

    # --- what a game says --------------------------------------------------------------------

    @abstractmethod
    def settled(self) -> bool:
        """Whether an argument answers the question; then the result has the answer."""

    @abstractmethod
    def encoding(self, limits: Limits) -> EncodingT:
        """The formula of the question, for the wish, made as long as the limits allow."""

    @abstractmethod
    def accept(self, made: EncodingT, model: set[int]) -> tuple[PositionT, tuple[MoveT, ...]]:
        """The position of a model and the play to it, replayed through the rules and checked."""

    @abstractmethod
    def value(self, objective: str) -> int:
        """The value of the result's position."""

    @abstractmethod
    def ladder(self, made: EncodingT, objective: str, sign: int) -> Ladder:
        """How ``sign`` times an objective is raised; the formula then has all it takes."""

    @abstractmethod
    def bound(self, objective: str, sign: int) -> int:
        """The limit of an objective by an argument, which the result's arguments then tell."""

    @abstractmethod
    def blocking(self, made: EncodingT, position: PositionT) -> list[int]:
        """A clause that excludes one final set of pieces and no other."""

    @abstractmethod
    def candidates(self, made: EncodingT) -> set[int]:
        """The literals of pieces and cells that some answers may have and others not."""

    @abstractmethod
    def tell_forced(self, made: EncodingT, always: set[int], never: set[int]) -> None:
        """Put what all answers share into the result: of the candidates those always true, and
        those never."""

    def solve(
        self,
        made: EncodingT,
        solver: Solver,
        assumptions: Sequence[int] = (),
        most_conflicts: int | None = None,
    ) -> bool | None:
        """One call of the solver, or of several until the model is an answer."""
        return solver.solve(assumptions, most_conflicts)

    # --- the steps ---------------------------------------------------------------------------

    def run(self) -> ReachResult[PositionT, MoveT, PieceT]:
        """Answer what was asked; Ctrl-C and limits leave what is known.

        :raises WriteError: a file cannot be written.
        :raises TooLargeError: the formula would outgrow its memory.
        """
        try:
            if isinstance(self.wish, Optimise):
                self._optimise(self.wish)
            elif isinstance(self.wish, ListAll):
                self._list_all(self.wish.limit)
            elif isinstance(self.wish, Forced):
                self._find_forced()
            else:
                self._decide()
        except KeyboardInterrupt:
            self.control.stop()
            self.effort.stopped = "interrupted"
        except StoppedError as stop:
            self.effort.stopped = stop.message
        for each in self._efforts:
            self.effort.include(each)
        self._efforts = []
        if self.means.writes:
            self._write()
        self.result.seconds = self.control.seconds
        return self.result

    def _progress(self) -> ReachProgress:
        result, bounds = self.result, None
        if result.value is not None and result.bound is not None:
            bounds = min(result.value, result.bound), max(result.value, result.bound)
        effort = Effort()
        for each in (self.effort, *self._efforts):
            effort.include(each)
        return ReachProgress(
            effort.calls,
            0,
            effort.conflicts,
            self.control.seconds,
            bounds,
            None if result.value is None else str(result.value),
            effort.cuts,
            result.count or 0,
        )

    def solver(self, made: EncodingT) -> Solver:
        """A solver that has the formula."""
        return Solver(made.formula, self.result.solver, self.limits, self.effort)

    def runner(self, number: int, limits: Limits, effort: Effort) -> Runner[EncodingT] | None:
        """The next of the solvers that search for one answer, from 0; None where there are enough.

        By default another kind of solver each, only one where it was named.
        """
        others = [name for name in RIVALS if name != self.result.solver]
        names = [self.result.solver, *([] if self.means.solver else others)]
        if number >= len(names):
            return None
        made = self.encoding(limits)
        runner = self.plain_runner(made, Solver(made.formula, names[number], limits, effort))
        return runner if number == 0 else replace(runner, share=SHARE_OF_RIVALS)

    def plain_runner(self, made: EncodingT, solver: Solver) -> Runner[EncodingT]:
        """One that does nothing but solve."""
        return Runner(made, solver, lambda conflicts: self.solve(made, solver, (), conflicts))

    def _accept(self, made: EncodingT, solver: Solver) -> PositionT:
        position, moves = self.accept(made, solver.model())
        self.result.possible = True
        self.result.position, self.result.moves = position, moves
        return position

    def _decide(self) -> None:
        if self.settled():
            return
        race = Race(self.limits, self.runner, self.means.threads)
        self._efforts = race.efforts
        try:
            answer = race.run()
            if race.winner is not None and answer:
                self._accept(race.winner.made, race.winner.solver)
            elif answer is False:
                self.result.possible = False
        finally:
            self.effort.stopped = None if self.result.possible is not None else race.stopped
            race.close()

    # --- the best answer ---------------------------------------------------------------------

    def _optimise(self, wish: Optimise) -> None:
        result, objective, sign = self.result, wish.objective, wish.sign
        result.optimal = False
        if self.settled():
            result.optimal = True
            if result.possible:
                result.value = result.bound = self.value(objective)
            return
        result.bound = self.bound(objective, sign)
        made = self.encoding(self.limits)
        ladder = self.ladder(made, objective, sign)
        # Larger is better in what follows.
        top = ladder.top
        with self.solver(made) as solver:

            def improved(goal: int, most_conflicts: int) -> bool | None:
                answer = self.solve(made, solver, [ladder.at_least(goal)], most_conflicts)
                if answer:
                    self._accept(made, solver)
                return answer

            answer = self.solve(made, solver)
            if not answer:
                result.possible = answer
                if answer is False:
                    result.optimal, result.bound = True, None
                return
            self._accept(made, solver)
            stride, patience = 1, _PATIENCE
            while True:
                best = sign * self.value(objective)
                result.value, result.bound = best * sign, top * sign
                if best >= top:
                    result.optimal = True
                    return
                goal = min(best + stride, top)
                answer = improved(goal, patience)
                if answer:
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
                    answer = improved(top, patience)
                    if answer is False:
                        top -= 1
                    elif answer is None and self.effort.stopped:
                        return
                    elif answer is None:
                        patience *= 2

    # --- all answers -------------------------------------------------------------------------

    def _answers(self, made: EncodingT, solver: Solver) -> Iterator[PositionT]:
        """Positions with different final pieces, until there is none or a limit comes."""
        while self.solve(made, solver):
            position, moves = self.accept(made, solver.model())
            if self.result.position is None:
                self.result.position, self.result.moves = position, moves
            yield position
            solver.add(self.blocking(made, position))

    def _list_all(self, limit: int | None) -> None:
        result = self.result
        result.count, result.complete = 0, False
        if self.settled():
            result.complete = True
            if result.possible and result.position is not None:
                result.count, result.positions = 1, (result.position,)
            return
        made = self.encoding(self.limits)
        found: list[PositionT] = []
        with self.solver(made) as solver:
            try:
                for position in self._answers(made, solver):
                    if limit is not None and len(found) == limit:
                        break
                    found.append(position)
                    result.count, result.possible = len(found), True
                else:
                    result.complete = self.effort.stopped is None
            finally:
                # A Ctrl-C also keeps what was found.
                result.positions = tuple(found)
            if result.complete and not found:
                result.possible = False

    # --- what all answers share --------------------------------------------------------------

    def _find_forced(self) -> None:
        """Find what every answer has and what none has, each confirmed by the solver.

        Every model rules out candidates of both kinds; then the solver is asked for one that
        rules out another, until there is none.
        """
        result = self.result
        if self.settled():
            if result.possible:
                result.forced = result.never = ()
                result.forced_cells = result.never_cells = ()
            return
        made = self.encoding(self.limits)
        candidates = self.candidates(made)
        with self.solver(made) as solver:
            answer = self.solve(made, solver)
            if not answer:
                result.possible = answer
                return
            self._accept(made, solver)
            model = solver.model()
            always, never = candidates & model, candidates - model
            fresh = made.formula.variables
            while always or never:
                fresh += 1
                solver.add([-fresh, *(-literal for literal in always), *never])
                answer = self.solve(made, solver, [fresh])
                if answer is None:
                    return
                if answer is False:
                    break
                model = solver.model()
                always &= model
                never -= model
        self.tell_forced(made, always, never)

    # --- files -------------------------------------------------------------------------------

    @abstractmethod
    def argument(self) -> Sequence[str]:
        """Why the answer needs no solver, in words; nothing where it does."""

    @abstractmethod
    def drafts(self) -> Iterator[Draft[EncodingT]]:
        """Formulas of the question to prove a no with, the most plain one first."""

    @abstractmethod
    def header(self, made: EncodingT) -> list[str]:
        """What a formula says and what its variables mean, in lines."""

    @abstractmethod
    def difference(self, made: EncodingT) -> list[int]:
        """A clause: an answer is unlike what the result says that all answers share."""

    def _write(self) -> None:
        """Write the formula, and the proof that there is no other answer than those found.

        Where an argument decided, it is written into both, and instead of them where there is no
        proof that is found soon.
        """
        reasons = self.argument()
        draft, claim, lines = None, None, None
        for draft in self.drafts():
            claim = self._close(draft.made) if self.means.proof is not None else None
            if claim is None:
                break
            lines = self._prove(draft.made, draft.most_conflicts)
            if lines is not None or self.limits.reason() is not None:
                break
        if reasons and lines is None:
            for path in (self.means.dimacs, self.means.proof):
                if path is not None:
                    write_file(path, "".join(f"c {reason}\n" for reason in reasons))
                    self.result.written += (path,)
            self.result.notes += ("an argument decides: it was written instead of a formula",)
            return
        if reasons:
            self.result.notes += ("an argument decides: it was written beside a proof",)
        assert draft is not None
        if self.means.dimacs is not None:
            header = [*reasons, *self.header(draft.made), *([f"Added: {claim}."] if claim else [])]
            if draft.narrowed_by:
                header.append("Part of the formula is what follows from these arguments:")
                header += [f"  {reason}" for reason in draft.narrowed_by]
            draft.made.formula.write_dimacs(self.means.dimacs, header)
            self.result.written += (self.means.dimacs,)
        if self.means.proof is None:
            return
        if lines is None:
            reason = (
                f"stopped by the {self.effort.stopped}"
                if self.effort.stopped
                else "the answer is not that it is impossible"
            )
            self.result.notes += (f"no proof was written: {reason}",)
            return
        head = [
            *(f"c {reason}" for reason in reasons),
            "c A proof in the DRUP form, which every DRAT checker reads",
            "c that the formula written with it cannot hold",
            "c Check it with:  drat-trim FORMULA.cnf PROOF.drup",
        ]
        write_file(self.means.proof, "\n".join([*head, *lines, ""]))
        self.result.written += (self.means.proof,)

    def _close(self, made: EncodingT) -> str | None:
        """Demand of a formula an answer beyond those found, of which there is none.

        Returns what was demanded, in words, empty where nothing was; None where another answer
        may exist.
        """
        result, wish, formula = self.result, self.wish, made.formula
        if result.possible is False:
            return ""
        if not result.possible or not result.decided or self.effort.stopped:
            return None
        if isinstance(wish, Optimise) and result.value is not None:
            beyond = result.value + wish.sign
            formula.add(self.ladder(made, wish.objective, wish.sign).at_least(wish.sign * beyond))
            least = "at least" if wish.sign > 0 else "at most"
            return f"{wish.objective} {least} {beyond}"
        if isinstance(wish, ListAll) and result.complete:
            for position in result.positions:
                formula.add(*self.blocking(made, position))
            return f"none of the {len(result.positions)} sets of pieces that were found"
        if isinstance(wish, Forced):
            formula.add(*self.difference(made))
            return "not all that every answer has, or something that none has"
        return None

    def _prove(self, made: EncodingT, most_conflicts: int | None) -> list[str] | None:
        """The lines of a proof that a formula cannot hold; None where a limit came first."""
        name = self.result.solver if self.result.solver in PROOF_SOLVERS else DEFAULT_SOLVER
        with Solver(made.formula, name, self.limits, self.effort, with_proof=True) as solver:
            if solver.solve(most_conflicts=most_conflicts) is False:
                return solver.proof()
        return None
