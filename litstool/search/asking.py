"""What can be asked of the positions that play can reach, by what means, and what is answered.

A question (of a game's own type) holds the conditions; a :data:`Wish` says what is wanted of the
positions that satisfy them, :class:`Means` how to search, :class:`ReachResult` what came out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from litstool.errors import UsageError
from litstool.grid import Cell
from litstool.sat import PROOF_SOLVERS, SOLVERS, Effort
from litstool.search.conditions import Written
from litstool.search.control import Control, Progress

DEFAULT_SOLVER = "cadical153"
"""A solver of python-sat that can be limited, proves, and is quick on these questions."""

COUNTING_SOLVER = "minisat22"
"""One that is quick where it is asked very many easy questions in a row."""


# --- what is wanted ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Decide:
    """Whether there is an answer, and one of them."""


@dataclass(frozen=True)
class Optimise:
    """The largest (``sign`` 1) or the smallest (``sign`` -1) value of an objective."""

    objective: str
    sign: int


@dataclass(frozen=True)
class ListAll:
    """The different final sets of pieces, up to ``limit`` of them.

    :raises UsageError: a limit below 1.
    """

    limit: int | None = None

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"a limit of {self.limit} answers is out of range: at least 1")


@dataclass(frozen=True)
class Forced:
    """The pieces and cells that all answers have, and those that none has."""


Wish = Decide | Optimise | ListAll | Forced


@dataclass(frozen=True)
class Means:
    """How to search, and what to write.

    ``method`` is the way to connect pieces, of a game that has several; ``solver`` one of
    ``SOLVERS``; ``seed`` changes the order of the search.  ``threads`` is how many solvers work at
    once where one answer is wanted.  ``most_mebibytes`` bounds what the
    process takes beyond what it holds when it is asked.  ``dimacs`` and ``proof`` are files to
    write: the formula, and the proof that there is no answer, none better or none other.
    """

    method: str | None = None
    solver: str | None = None
    seed: int = 0
    threads: int = 1
    most_mebibytes: int | None = 4096
    dimacs: Path | None = None
    proof: Path | None = None

    @property
    def writes(self) -> bool:
        """Whether a formula or a proof is to be written."""
        return self.dimacs is not None or self.proof is not None

    def solver_for(self, wish: Wish) -> str:
        """The solver that was named, or the one that suits."""
        many = isinstance(wish, ListAll | Forced)
        return self.solver or (COUNTING_SOLVER if many else DEFAULT_SOLVER)

    def check(self, wish: Wish, objectives: Sequence[str], methods: Sequence[str]) -> None:
        """Refuse a wish or means that a game with these objectives and methods does not know.

        :raises UsageError: an objective, a method or a solver that is not known, or one that
            proves nothing.
        """
        if isinstance(wish, Optimise) and wish.objective not in objectives:
            raise UsageError(
                f"no objective {wish.objective!r}: choose from {', '.join(objectives)}"
            )
        if self.method is not None and not methods:
            raise UsageError("a method is only for games whose pieces must be connected")
        if self.method is not None and self.method not in methods:
            raise UsageError(f"no method {self.method!r}: choose from {', '.join(methods)}")
        if self.threads < 1:
            raise UsageError(f"{self.threads} threads are out of range: at least 1")
        known = PROOF_SOLVERS if self.proof else SOLVERS
        if self.solver is not None and self.solver not in known:
            raise UsageError(f"no solver {self.solver!r} here: choose from {', '.join(known)}")


DECIDE, USUAL_MEANS = Decide(), Means()

# --- what is answered -------------------------------------------------------------------------

PositionT = TypeVar("PositionT")
MoveT = TypeVar("MoveT")
PieceT = TypeVar("PieceT")


@dataclass
class ReachResult(Generic[PositionT, MoveT, PieceT]):
    """The answer to a reach question.

    ``possible`` is None where a limit came first.  ``moves`` is legal play from the start to
    ``position``.  ``arguments`` are reasons in words: why it is impossible, or what narrowed the
    search.  ``value`` is the best found and ``bound`` the proven limit on it, equal where
    ``optimal``; there may be a bound where nothing was found yet.  ``count`` and ``positions`` are
    the different final sets of pieces found, all there are where ``complete``.  ``forced`` and
    ``never`` are the pieces, and ``forced_cells``
    and ``never_cells`` the cells, that every and that no answer has, those of the start left out;
    None where they were not asked for or a limit came first.  ``written`` are the files made, a
    formula or a proof.  ``method`` is how connectivity was put to the solver, where pieces must
    be connected.  ``seconds`` is wall time.
    """

    wish: Wish
    possible: bool | None = None
    position: PositionT | None = None
    moves: tuple[MoveT, ...] = ()
    arguments: tuple[str, ...] = ()
    value: int | None = None
    bound: int | None = None
    optimal: bool | None = None
    count: int | None = None
    complete: bool | None = None
    positions: tuple[PositionT, ...] = ()
    forced: tuple[PieceT, ...] | None = None
    never: tuple[PieceT, ...] | None = None
    forced_cells: tuple[Cell, ...] | None = None
    never_cells: tuple[Cell, ...] | None = None
    notes: tuple[str, ...] = ()
    written: tuple[Path, ...] = ()
    effort: Effort = field(default_factory=Effort)
    method: str | None = None
    solver: str = DEFAULT_SOLVER
    seconds: float = 0.0

    @property
    def decided(self) -> bool:
        """Whether everything that was asked is answered; a limit on a list is no lack."""
        if self.possible is None:
            return False
        if self.optimal is not None:
            return self.optimal
        if isinstance(self.wish, Forced) and self.possible:
            return self.forced is not None
        return self.count is None or self.effort.stopped is None


@dataclass(frozen=True)
class ReachProgress(Progress):
    """How far a reach question is: ``done`` solver calls, ``nodes`` conflicts, cuts and sets."""

    cuts: int = 0
    found: int = 0


# --- the seam ---------------------------------------------------------------------------------

QuestionT = TypeVar("QuestionT")


class Questions(Protocol[PositionT, QuestionT, MoveT, PieceT]):
    """What the house needs of a game to have questions of it asked, answered and told.

    ``objectives`` are what can be largest or smallest; ``methods`` the ways to connect pieces,
    none where they need not be connected.
    """

    @property
    def objectives(self) -> Sequence[str]: ...

    @property
    def methods(self) -> Sequence[str]: ...

    def is_target_line(self, argument: str) -> bool:
        """Whether an argument can be meant as a target in one line."""

    def question(self, position: PositionT, written: Written) -> tuple[QuestionT, list[str]]:
        """The question that the conditions make, and notes on what of them says nothing.

        :raises UsageError: a condition that is none of the game, or no word for one.
        :raises LitstoolError: the target cannot be read.
        """

    def reach(
        self,
        question: QuestionT,
        wish: Wish,
        means: Means,
        control: Control | None = None,
    ) -> ReachResult[PositionT, MoveT, PieceT]:
        """Answer a question.

        :raises UsageError: the question contradicts itself, or the means do not serve it.
        :raises WriteError: a file cannot be written.
        :raises TooLargeError: the formula would outgrow its memory.
        """

    def move_text(self, move: MoveT) -> str:
        """A move as it is written."""

    def piece_text(self, piece: PieceT) -> str:
        """A piece of a final set, and whose it is where that matters."""

    def position_line(self, position: PositionT) -> str:
        """A position in one line."""
