"""Satisfiability, knowing nothing of any game: formulas, counting, connectivity, solving, proofs.

A :class:`Formula` is a list of clauses over variables 1, 2, 3 …; a **literal** is a variable or
its negative.  Parts of a formula that recur are functions over it:

* :func:`tally` says of each k whether at least k of some literals hold (the totalizer of
  Bailleux and Boufkhad, CP 2003), up to a cap, in both directions;
* :func:`connect` makes the chosen nodes of a graph connected, in one formula without a loop
  around the solver.  Two ways: ``elimination`` gives every chosen node but the root a parent and
  forbids cycles by vertex elimination (Rankooh and Rintanen, AAAI 2022, arXiv 2105.12908);
  ``levels`` gives every chosen node a distance from the root, in unary, and a neighbour with a
  smaller one;
* :func:`separators` finds the clauses that a disconnected choice breaks, for the lazy way: solve,
  look, add cuts, solve again.

:class:`Solver` is one python-sat solver that keeps a time limit and stops when it is told to.
Solvers in C cannot all be interrupted, so it solves in slices of a few conflicts and looks at
the clock in between, where Ctrl-C too arrives as an ordinary KeyboardInterrupt.  For that
python-sat is kept from handling Ctrl-C itself, which it does by jumping out of the solver in the
middle of anything, its memory management included.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from litstool.errors import LitstoolError, UsageError
from litstool.files.writing import write_file

Node = TypeVar("Node", bound=Hashable)
Clause = tuple[int, ...]

SOLVERS = (
    "cadical153",
    "cadical195",
    "glucose3",
    "glucose4",
    "glucose42",
    "maplechrono",
    "maplecm",
    "maplesat",
    "minisat22",
)
"""The solvers of python-sat that can be stopped, so that every limit holds."""

PROOF_SOLVERS = ("cadical153", "cadical195", "glucose3", "maplechrono", "maplecm")
"""Those whose proofs a checker accepts as they are."""

CONNECTIONS = ("elimination", "levels")

_SLICE_SECONDS = 0.1
_FIRST_SLICE, _LEAST_SLICE, _MOST_SLICE = 100, 50, 100_000


class TooLargeError(LitstoolError):
    """A formula that would need more memory than allowed."""

    kind = "limit"
    exit_status = 3


class StoppedError(LitstoolError):
    """A formula that was not written out in the time; the message is the reason."""

    kind = "limit"
    exit_status = 3


_CLAUSES_BETWEEN_LOOKS = 4096
"""So many clauses take some milliseconds."""


class Formula:
    """Clauses over variables numbered from 1.

    Variable 1 is true, so that constants can be used as literals anywhere: ``Formula.TRUE`` and
    ``Formula.FALSE``.  Clauses with a true literal are left out and false literals are dropped.
    ``most_literals`` bounds the memory that the clauses take; ``reason`` is asked now and then
    whether to stop, as :meth:`Limits.reason` says it.
    """

    TRUE, FALSE = 1, -1

    def __init__(
        self,
        most_literals: int = 60_000_000,
        reason: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.clauses: list[Clause] = [(1,)]
        self.variables = 1
        self.most_literals = most_literals
        self.reason = reason
        self._literals = 1

    def new(self) -> int:
        """A variable that is not used yet."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """One of the literals must hold.

        :raises TooLargeError: the formula outgrows its memory.
        :raises StoppedError: there is a reason to stop.
        """
        if 1 in literals:
            return
        if -1 in literals:
            literals = tuple(literal for literal in literals if literal != -1)
        # What cannot hold is written without an empty clause, which not every reader takes.
        literals = literals or (Formula.FALSE,)
        self._literals += len(literals)
        if self._literals > self.most_literals:
            raise TooLargeError(
                f"the formula outgrew {self.most_literals:,} literals: ask a smaller question"
            )
        self.clauses.append(literals)
        if len(self.clauses) % _CLAUSES_BETWEEN_LOOKS == 0 and (reason := self.reason()):
            raise StoppedError(reason)

    def either(self, literals: Iterable[int]) -> int:
        """A literal that holds exactly if one of the literals does."""
        kept = dict.fromkeys(literal for literal in literals if literal != -1)
        if 1 in kept:
            return 1
        if not kept:
            return -1
        if len(kept) == 1:
            return int(next(iter(kept)))
        result: int = self.new()
        for literal in kept:
            self.add(result, -literal)
        self.add(-result, *kept)
        return result

    def both(self, literals: Iterable[int]) -> int:
        """A literal that holds exactly if all of the literals do."""
        return -self.either(-literal for literal in literals)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """No two of the literals hold, pair by pair."""
        for index, one in enumerate(literals):
            for other in literals[:index]:
                self.add(-one, -other)

    def write_dimacs(self, path: Path, header: Iterable[str] = ()) -> None:
        """Write the formula in the DIMACS form, with a header of comment lines.

        :raises WriteError: the file cannot be written.
        """
        lines = [f"c {line}" for line in header]
        lines.append(f"p cnf {self.variables} {len(self.clauses)}")
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        write_file(path, "\n".join([*lines, ""]))


# --- counting ---------------------------------------------------------------------------------


def tally(formula: Formula, literals: Sequence[int], cap: int) -> list[int]:
    """Literals u[0], u[1], … up to the cap: u[k] holds exactly if more than k of them hold."""
    sure = sum(literal == Formula.TRUE for literal in literals)
    open_ones = [[literal] for literal in literals if literal not in (Formula.TRUE, Formula.FALSE)]
    return tally_together(formula, [*open_ones, [Formula.TRUE] * sure], cap)


def tally_together(formula: Formula, counts: Sequence[Sequence[int]], cap: int) -> list[int]:
    """The count of several lots together, from the count of each (see :func:`tally`)."""
    level = [list(each) for each in counts if each]
    if cap <= 0 or not level:
        return []
    while len(level) > 1:
        halves = zip(level[::2], level[1::2], strict=False)
        merged = [merge_tallies(formula, one, other, cap) for one, other in halves]
        level = merged + level[len(level) & ~1 :]
    return level[0][:cap]


def merge_tallies(
    formula: Formula, one: Sequence[int], other: Sequence[int], cap: int
) -> list[int]:
    """The count of two lots together, from the count of each (see :func:`tally`)."""
    if not one or not other:
        return list(one or other)[:cap]
    size = min(cap, len(one) + len(other))
    total = [formula.new() for _ in range(size)]
    for i in range(len(one) + 1):
        for j in range(len(other) + 1):
            # i of the one and j of the other make i + j …
            if 1 <= i + j <= size:
                from_one = -one[i - 1] if i else Formula.FALSE
                from_other = -other[j - 1] if j else Formula.FALSE
                formula.add(from_one, from_other, total[i + j - 1])
            # … and without more than i and more than j there are no more than i + j.
            if i + j < size:
                from_one = one[i] if i < len(one) else Formula.FALSE
                from_other = other[j] if j < len(other) else Formula.FALSE
                formula.add(from_one, from_other, -total[i + j])
    for less, more in itertools.pairwise(total):
        formula.add(less, -more)
    return total


def more_than(counted: Sequence[int], number: int) -> int:
    """The literal of a count that says: more than this many."""
    if number < 0:
        return Formula.TRUE
    return counted[number] if number < len(counted) else Formula.FALSE


# --- connectivity -----------------------------------------------------------------------------


def connect(
    formula: Formula,
    edges: Iterable[tuple[Node, Node]],
    inside: Mapping[Node, int],
    root: Mapping[Node, int],
    way: str = "elimination",
    longest: int | None = None,
) -> None:
    """Make the nodes whose ``inside`` literal holds connected to those whose ``root`` does.

    The caller sees to it that the roots are connected among themselves, usually by having one.
    ``longest`` bounds the distances of the way ``levels``; without it the number of nodes does.

    :raises UsageError: another way than those of ``CONNECTIONS``.
    """
    if way == "elimination":
        _connect_by_elimination(formula, edges, inside, root)
    elif way == "levels":
        _connect_by_levels(formula, edges, inside, root, longest)
    else:
        raise UsageError(f"no connectivity encoding is called {way!r}: {', '.join(CONNECTIONS)}")


def _connect_by_elimination(
    formula: Formula,
    edges: Iterable[tuple[Node, Node]],
    inside: Mapping[Node, int],
    root: Mapping[Node, int],
) -> None:
    arcs: dict[Node, dict[Node, int]] = {node: {} for node in inside}
    for one, other in edges:
        for child, parent in ((one, other), (other, one)):
            if root.get(child, Formula.FALSE) != Formula.TRUE:
                arc = arcs[child][parent] = formula.new()
                formula.add(-arc, inside[child])
                formula.add(-arc, inside[parent])
    for node, parents in arcs.items():
        formula.add(-inside[node], root.get(node, Formula.FALSE), *parents.values())
    _forbid_cycles(formula, arcs)


def _forbid_cycles(formula: Formula, arcs: Mapping[Node, Mapping[Node, int]]) -> None:
    """Vertex elimination: take the nodes out one by one, joining what went through each.

    A cycle then shrinks to two arcs in opposite directions, which is forbidden.  Taking the node
    of least degree first keeps the number of new arcs small on graphs that are nearly flat.
    """
    out: dict[Node, dict[Node, int]] = {node: dict(ahead) for node, ahead in arcs.items()}
    back: dict[Node, dict[Node, int]] = {node: {} for node in arcs}
    for node, ahead in out.items():
        for parent, first in ahead.items():
            back[parent][node] = first
    left = set(out)
    order = {node: index for index, node in enumerate(out)}
    for node, ahead in out.items():
        for parent, forward in ahead.items():
            if node in out[parent] and order[node] < order[parent]:
                formula.add(-forward, -out[parent][node])
    while left:
        middle = min(
            left, key=lambda node: (len(out[node].keys() | back[node].keys()), order[node])
        )
        left.discard(middle)
        for before, into in back[middle].items():
            del out[before][middle]
            for after, onward in out[middle].items():
                if after == before:
                    continue
                arc = out[before].get(after)
                if arc is None:
                    arc = formula.new()
                    out[before][after] = back[after][before] = arc
                    if before in out[after]:
                        formula.add(-arc, -out[after][before])
                formula.add(-into, -onward, arc)
        for after in out[middle]:
            del back[after][middle]


def _connect_by_levels(
    formula: Formula,
    edges: Iterable[tuple[Node, Node]],
    inside: Mapping[Node, int],
    root: Mapping[Node, int],
    longest: int | None,
) -> None:
    longest = len(inside) if longest is None else min(longest, len(inside))
    near: dict[Node, list[Node]] = {node: [] for node in inside}
    for one, other in edges:
        near[one].append(other)
        near[other].append(one)
    # within[node] holds only if the node is inside and this close to a root.
    within = {node: root.get(node, Formula.FALSE) for node in inside}
    for node, literal in within.items():
        formula.add(-literal, inside[node])
    for _ in range(longest):
        further: dict[Node, int] = {}
        for node in inside:
            sources = [within[node], *(within[other] for other in near[node])]
            if within[node] == Formula.TRUE or all(each == Formula.FALSE for each in sources):
                further[node] = within[node]
                continue
            reached = further[node] = formula.new()
            formula.add(-reached, inside[node])
            formula.add(-reached, *sources)
        within = further
    for node, literal in inside.items():
        formula.add(-literal, within[node])


def separators(
    neighbours: Mapping[Node, Sequence[Node]],
    inside: Mapping[Node, int],
    chosen: set[Node],
    roots: set[Node],
) -> list[list[int]]:
    """Clauses that hold of every connected choice and that this disconnected one breaks.

    For a component K of the chosen nodes with a node a, and a chosen node b outside of it: not
    a, or not b, or some node next to K is chosen.  Only those nodes next to K count that b can
    get to without passing through another of them, and, the other way round, those next to b's
    side.  With ``roots``, nodes that are always inside and connected, b needs no mention.
    Empty where the choice is connected.
    """
    parts = _components(neighbours, chosen, roots)
    if len(parts) < 2:
        return []
    anchored = bool(roots)
    main = parts[0] if anchored else max(parts, key=len)
    clauses: list[list[int]] = []
    for part in parts:
        if part is main:
            continue
        end = min(part, key=lambda node: inside[node])
        start = min(main, key=lambda node: inside[node])
        ends = [-inside[end]] if anchored else [-inside[start], -inside[end]]
        for one, other in ((part, main), (main, part)):
            border = _near_border(neighbours, one, other)
            clauses.append(
                ends + [inside[node] for node in border if inside[node] != Formula.FALSE]
            )
    return [list(each) for each in {tuple(sorted(clause)) for clause in clauses}]


def _components(
    neighbours: Mapping[Node, Sequence[Node]], chosen: set[Node], roots: set[Node]
) -> list[set[Node]]:
    """The connected parts of the chosen nodes; the one with the roots first."""
    left = set(chosen) | roots
    found = []
    for first in [*roots, *chosen]:
        if first not in left:
            continue
        left.discard(first)
        part, waiting = {first}, [first]
        while waiting:
            for node in neighbours[waiting.pop()]:
                if node in left:
                    left.discard(node)
                    part.add(node)
                    waiting.append(node)
        found.append(part)
    return found


def _near_border(
    neighbours: Mapping[Node, Sequence[Node]], part: set[Node], target: set[Node]
) -> list[Node]:
    """The nodes next to a part from which a target can be reached without another of them."""
    border = {node for member in part for node in neighbours[member]} - part
    seen, waiting, found = set(target), list(target), set()
    while waiting:
        for node in neighbours[waiting.pop()]:
            if node in seen or node in part:
                continue
            seen.add(node)
            if node in border:
                found.add(node)
            else:
                waiting.append(node)
    return list(found | (border & target))


# --- solving ----------------------------------------------------------------------------------


@dataclass
class Effort:
    """What a search has spent, and why it stopped short if it did."""

    calls: int = 0
    cuts: int = 0
    conflicts: int = 0
    stopped: str | None = None

    def include(self, other: Effort) -> None:
        """Add what another part of the search has spent."""
        self.calls += other.calls
        self.cuts += other.cuts
        self.conflicts += other.conflicts


class Clock(Protocol):
    """What says how much time is left and whether to stop."""

    @property
    def left(self) -> float | None:
        """Seconds left; None without a limit."""

    @property
    def interrupted(self) -> bool:
        """Whether it was asked to stop."""


@dataclass
class Limits:
    """When to stop: the caller's wish, the clock, and memory.

    ``most_mebibytes`` bounds what the process takes beyond ``held_mebibytes``, what it held when
    these limits were made, where the system can tell.  ``on_tick`` is called many times a second
    while a solver runs.
    """

    clock: Clock | None = None
    most_mebibytes: int | None = 4096
    on_tick: Callable[[], None] | None = None
    held_mebibytes: float = field(default_factory=lambda: _resident_mebibytes())

    @property
    def left(self) -> float | None:
        """Seconds left; None without a limit."""
        return None if self.clock is None else self.clock.left

    def reason(self) -> str | None:
        """Why to stop now; None to go on."""
        if self.on_tick is not None:
            self.on_tick()
        if self.clock is not None and self.clock.interrupted:
            return "interrupted"
        if self.left is not None and self.left <= 0:
            return "time limit"
        if self.most_mebibytes is not None:
            taken = _resident_mebibytes() - self.held_mebibytes
            if taken > self.most_mebibytes:
                return "memory limit"
        return None


def _resident_mebibytes() -> float:
    """What this process holds in memory now; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * 4096 / 2**20


class Solver:
    """A solver over a formula, to be used in a ``with`` statement.

    ``solve`` answers True, False, or None where a limit came first (``effort.stopped`` says
    which).  Clauses added later hold from then on.

    :raises UsageError: the name is not one of ``SOLVERS``.
    """

    def __init__(
        self,
        formula: Formula,
        name: str,
        limits: Limits,
        effort: Effort | None = None,
        with_proof: bool = False,
    ) -> None:
        known = PROOF_SOLVERS if with_proof else SOLVERS
        if name not in known:
            raise UsageError(f"no solver {name!r} here: choose from {', '.join(known)}")
        self.name = name
        self.limits = limits
        self.effort = effort if effort is not None else Effort()
        # Imported only here, since it takes a while and most of what names a solver needs none.
        from pysat.solvers import Solver as PysatSolver

        self._solver: Any = PysatSolver(name=name, with_proof=with_proof)
        self._slice = _FIRST_SLICE
        self._conflicts = 0
        self._can_interrupt = not name.startswith("cadical")
        self._thread: ThreadPoolExecutor | None = None
        self._solver.append_formula(formula.clauses)

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give its memory back."""
        if self._thread is not None:
            self._thread.shutdown()
        self._solver.delete()

    def add(self, clause: Iterable[int]) -> None:
        """Add a clause."""
        self._solver.add_clause(list(clause))

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these literals first when deciding, where the solver can be told."""
        with contextlib.suppress(NotImplementedError):
            self._solver.set_phases(list(literals))

    def solve(
        self, assumptions: Sequence[int] = (), most_conflicts: int | None = None
    ) -> bool | None:
        """Whether the formula can hold, with every assumption.

        None where a limit came first, ``most_conflicts`` of this call included (which sets no
        reason in ``effort.stopped``).
        """
        self.effort.calls += 1
        spent = 0
        while True:
            reason = self.limits.reason()
            if reason is not None:
                self.effort.stopped = reason
                return None
            if most_conflicts is not None and spent >= most_conflicts:
                return None
            size = self._slice
            if most_conflicts is not None:
                size = min(size, most_conflicts - spent)
            began = time.monotonic()
            answer = self._solve_slice(list(assumptions), size)
            took = time.monotonic() - began
            # A slice without a single conflict is work too.
            spent += max(1, self._count_conflicts())
            if answer is not None:
                return answer
            # A slice should take about a tenth of a second, whatever the formula and solver.
            factor = min(4.0, max(0.25, _SLICE_SECONDS / max(took, 1e-6)))
            self._slice = int(min(_MOST_SLICE, max(_LEAST_SLICE, self._slice * factor)))

    def _count_conflicts(self) -> int:
        """The conflicts since the last look, which are added to the effort."""
        total: int = self._solver.accum_stats()["conflicts"]
        fresh, self._conflicts = total - self._conflicts, total
        self.effort.conflicts += fresh
        return fresh

    def _solve_slice(self, assumptions: list[int], conflicts: int) -> bool | None:
        self._solver.conf_budget(conflicts)
        if not self._can_interrupt:
            return self._answer_aside(assumptions)
        # Where the solver can be interrupted, a timer backs up the count of conflicts.
        left = self.limits.left
        timer = threading.Timer(max(0.05, left), self._solver.interrupt) if left else None
        if timer is not None and left is not None and left < 2:
            timer.start()
        try:
            return self._answer(assumptions)
        finally:
            if timer is not None:
                timer.cancel()
            self._solver.clear_interrupt()

    def _answer(self, assumptions: list[int]) -> bool | None:
        answer: bool | None = self._solver.solve_limited(assumptions, expect_interrupt=True)
        return answer

    def _answer_aside(self, assumptions: list[int]) -> bool | None:
        """Solve in another thread than the main one, where python-sat leaves Ctrl-C alone."""
        if threading.current_thread() is not threading.main_thread():
            return self._answer(assumptions)
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1)
        future = self._thread.submit(self._answer, assumptions)
        try:
            return future.result()
        except BaseException:
            # The solver may be deleted only once it has come back.
            wait([future])
            raise

    def model(self) -> set[int]:
        """The true literals of the last answer True."""
        return set(self._solver.get_model())

    def proof(self) -> list[str]:
        """The proof of the last answer False, line by line in the DRUP form.

        Only of a formula solved without assumptions and without clauses added later.
        """
        return [str(line) for line in self._solver.get_proof() or ()]


def solve_connected(
    solver: Solver,
    find_cuts: Callable[[set[int]], list[list[int]]],
    assumptions: Sequence[int] = (),
    most_conflicts: int | None = None,
) -> bool | None:
    """The lazy way: solve, add the cuts that the model breaks, until it breaks none.

    ``most_conflicts`` bounds those of all the calls together.
    """
    begun = solver.effort.conflicts
    while True:
        left = None
        if most_conflicts is not None:
            left = most_conflicts - (solver.effort.conflicts - begun)
        answer = solver.solve(assumptions, left)
        if answer is not True:
            return answer
        cuts = find_cuts(solver.model())
        if not cuts:
            return True
        solver.effort.cuts += len(cuts)
        for cut in cuts:
            solver.add(cut)
