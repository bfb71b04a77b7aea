"""Checks DRUP proofs by reverse unit propagation, as plainly as it can be done.

Every clause of a proof must follow from those before it by unit propagation alone: take all its
literals false, propagate, and meet a contradiction.  Nothing of litstool is used.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path


def read_dimacs(path: Path) -> tuple[int, list[tuple[int, ...]]]:
    """The number of variables and the clauses of a DIMACS file."""
    variables, clauses, announced = 0, [], -1
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("c") or not line.strip():
            continue
        if line.startswith("p"):
            _, form, first, second = line.split()
            assert form == "cnf"
            variables, announced = int(first), int(second)
            continue
        *literals, end = map(int, line.split())
        assert end == 0
        assert all(1 <= abs(literal) <= variables for literal in literals)
        clauses.append(tuple(literals))
    assert len(clauses) == announced
    return variables, clauses


def read_proof(path: Path) -> list[tuple[bool, tuple[int, ...]]]:
    """The steps of a proof: whether the clause is deleted, and the clause."""
    steps = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("c") or not line.strip():
            continue
        deleted = line.startswith("d ")
        *literals, end = map(int, line.removeprefix("d ").split())
        assert end == 0
        steps.append((deleted, tuple(literals)))
    return steps


class _Clauses:
    """Clauses with two watched literals each, and what follows from the units among them."""

    def __init__(self) -> None:
        self.true: set[int] = set()
        self.contradiction = False
        self._watching: defaultdict[int, list[list[int]]] = defaultdict(list)
        self._by_literals: defaultdict[tuple[int, ...], list[list[int]]] = defaultdict(list)

    def add(self, literals: tuple[int, ...]) -> None:
        clause = list(dict.fromkeys(literals))
        self._by_literals[tuple(sorted(clause))].append(clause)
        # Watch literals that are not false, so that later propagation sees the clause.
        clause.sort(key=lambda literal: -literal in self.true)
        for literal in clause[:2]:
            self._watching[literal].append(clause)
        open_ones = [literal for literal in clause if -literal not in self.true]
        if not open_ones:
            self.contradiction = True
        elif len(open_ones) == 1 and open_ones[0] not in self.true:
            self.contradiction |= not self.propagate([open_ones[0]])[0]

    def delete(self, literals: tuple[int, ...]) -> None:
        """Forget a clause; units stay, as proof checkers have it."""
        known = self._by_literals[tuple(sorted(set(literals)))]
        if len(set(literals)) > 1 and known:
            known.pop().clear()

    def propagate(self, literals: list[int]) -> tuple[bool, list[int]]:
        """Make literals true with all that follows: whether it fits, and what became true."""
        waiting, made = list(literals), []
        while waiting:
            literal = waiting.pop()
            if literal in self.true:
                continue
            if -literal in self.true:
                return False, made
            self.true.add(literal)
            made.append(literal)
            kept = []
            watching = self._watching[-literal]
            for index, clause in enumerate(watching):
                if not clause:
                    continue
                if clause[0] == -literal and len(clause) > 1:
                    clause[0], clause[1] = clause[1], clause[0]
                if clause[0] in self.true:
                    kept.append(clause)
                    continue
                for place in range(2, len(clause)):
                    if -clause[place] not in self.true:
                        clause[1], clause[place] = clause[place], clause[1]
                        self._watching[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if -clause[0] in self.true:
                        kept += watching[index + 1 :]
                        self._watching[-literal] = kept
                        return False, made
                    waiting.append(clause[0])
            self._watching[-literal] = kept
        return True, made

    def implies(self, literals: tuple[int, ...]) -> bool:
        """Whether a clause follows by unit propagation alone."""
        if self.contradiction:
            return True
        fits, made = self.propagate([-literal for literal in literals])
        self.true.difference_update(made)
        return not fits


def is_refutation(
    clauses: list[tuple[int, ...]], steps: list[tuple[bool, tuple[int, ...]]]
) -> bool:
    """Whether the proof shows that the clauses cannot all hold."""
    known = _Clauses()
    for clause in clauses:
        known.add(clause)
    for deleted, clause in steps:
        if deleted:
            known.delete(clause)
            continue
        if not known.implies(clause):
            return False
        known.add(clause)
        if known.contradiction:
            return True
    return known.contradiction
