"""Checking proofs that a formula cannot hold, knowing nothing of how they were made.

A proof is a list of clauses in the DRUP form: each must follow from the formula and the clauses
before it by unit propagation alone, and in the end nothing is left that could hold.  Only the
propagation of a solver is used, which is told no assumption but the clause's opposite.  Lines
that delete a clause are passed over, which proofs of this form allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from litstool.errors import FormatError
from litstool.files.reading import open_file

_MOST_VARIABLES = 100_000_000
_PROPAGATOR = "minisat22"
_LINES_BETWEEN_LOOKS = 1000


@dataclass(frozen=True)
class Verdict:
    """Whether a proof shows that its formula cannot hold.

    ``steps`` are the clauses that were found to follow; ``line`` is the line of the proof that
    does not, None where every one does but they do not come to a contradiction.
    """

    holds: bool
    steps: int
    line: int | None = None


def check_proof(formula: Path, proof: Path) -> Verdict:
    """Check a proof against a formula in the DIMACS form.

    :raises SourceError: a file cannot be read.
    :raises FormatError: a file is no formula, or no proof of the textual form.
    """
    from pysat.solvers import Solver

    steps = 0
    with Solver(name=_PROPAGATOR) as solver:
        variables = 0
        for clause in read_dimacs(formula):
            solver.add_clause(clause)
            variables = max(variables, *map(abs, clause), 0)
        for number, clause in _read_proof(proof):
            can_hold, _ = solver.propagate([-literal for literal in clause])
            if can_hold:
                return Verdict(False, steps, number)
            steps += 1
            if not clause:
                return Verdict(True, steps)
            solver.add_clause(clause)
        can_hold, _ = solver.propagate()
    return Verdict(not can_hold, steps)


def read_dimacs(path: Path) -> Iterator[list[int]]:
    """The clauses of a formula in the DIMACS form.

    :raises SourceError: the file cannot be read.
    :raises FormatError: it is no such formula; the error says the line.
    """
    variables, expected, found = 0, None, 0
    waiting: list[int] = []
    for number, words in _lines_of(path):
        if words[0] == "p":
            if expected is not None or words[1:2] != ["cnf"] or len(words) != 4:
                raise _wrong(path, number, "expected one line such as 'p cnf 20 91' at the top")
            variables, expected = _numbers(path, number, words[2:])
            if not (0 <= variables <= _MOST_VARIABLES and expected >= 0):
                raise _wrong(path, number, "the numbers of variables and clauses are out of range")
            continue
        if expected is None:
            raise _wrong(path, number, "expected a line such as 'p cnf 20 91' before the clauses")
        for literal in _numbers(path, number, words):
            if abs(literal) > variables:
                raise _wrong(path, number, f"there is no variable {abs(literal)} of {variables}")
            if literal:
                waiting.append(literal)
                continue
            yield waiting
            waiting, found = [], found + 1
    if expected is None:
        raise FormatError("has no line such as 'p cnf 20 91': it is no formula", str(path))
    if waiting:
        raise FormatError("ends within a clause: a 0 is missing", str(path))
    if found != expected:
        raise FormatError(f"has {found:,} clauses, and {expected:,} were announced", str(path))


def _read_proof(path: Path) -> Iterator[tuple[int, list[int]]]:
    """The clauses that a proof adds, each with its line."""
    for number, words in _lines_of(path):
        is_deleted = words[0] == "d"
        literals = _numbers(path, number, words[1:] if is_deleted else words)
        if not literals or literals[-1] != 0 or 0 in literals[:-1]:
            raise _wrong(path, number, "expected one clause that ends in 0")
        if max(map(abs, literals)) > _MOST_VARIABLES:
            raise _wrong(path, number, "the number of a variable is out of range")
        if not is_deleted:
            yield number, literals[:-1]


def _lines_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The words of each line but comments and empty ones, with its number."""
    with open_file(path, str(path)) as stream:
        try:
            for number, line in enumerate(stream, 1):
                words = line.decode("ascii", "replace").split()
                if words and not words[0].startswith("c"):
                    yield number, words
        except OSError as error:
            raise FormatError(f"cannot be read: {error.strerror}", str(path)) from None


def _numbers(path: Path, line: int, words: list[str]) -> list[int]:
    try:
        return [int(word) for word in words]
    except ValueError:
        raise _wrong(path, line, "expected whole numbers") from None


def _wrong(path: Path, line: int, message: str) -> FormatError:
    return FormatError(message, f"{path}, line {line}")
