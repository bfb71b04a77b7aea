"""The satisfiability floor against truth tables, graphs gone through one by one, and proofs."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import rup_checker
from conftest import ROOT
from waiting import BUSY

from litstool.errors import UsageError, WriteError
from litstool.sat import (
    CONNECTIONS,
    PROOF_SOLVERS,
    SOLVERS,
    Effort,
    Formula,
    Limits,
    Solver,
    StoppedError,
    TooLargeError,
    connect,
    merge_tallies,
    more_than,
    separators,
    solve_connected,
    tally,
)
from litstool.search.control import Control


def assignments(formula: Formula, variables: list[int]) -> set[tuple[bool, ...]]:
    """The values of the variables in all models of a formula."""
    found = set()
    with Solver(formula, "minisat22", Limits()) as solver:
        for values in itertools.product((False, True), repeat=len(variables)):
            wanted = [
                each if value else -each for each, value in zip(variables, values, strict=True)
            ]
            if solver.solve(wanted):
                assert all(not solver.model().isdisjoint(clause) for clause in formula.clauses)
                found.add(values)
    return found


def pigeons(number: int) -> Formula:
    """So many pigeons in one hole fewer: impossible, and slowly so."""
    formula = Formula()
    sits = [[formula.new() for _ in range(number - 1)] for _ in range(number)]
    for holes in sits:
        formula.add(*holes)
    for hole in zip(*sits, strict=True):
        formula.at_most_one(hole)
    return formula


def test_constants_are_simplified() -> None:
    formula = Formula()
    one = formula.new()
    assert formula.either([]) == Formula.FALSE
    assert formula.both([]) == Formula.TRUE
    assert formula.either([one, Formula.FALSE]) == one
    assert formula.either([one, Formula.TRUE]) == Formula.TRUE
    before = len(formula.clauses)
    formula.add(one, Formula.TRUE)
    assert len(formula.clauses) == before
    formula.add(one, Formula.FALSE)
    assert formula.clauses[-1] == (one,)


def test_either_and_both() -> None:
    formula = Formula()
    variables = [formula.new() for _ in range(3)]
    outputs = [formula.either(variables), formula.both(variables)]
    values = assignments(formula, variables + outputs)
    assert values == {
        (*inputs, any(inputs), all(inputs)) for inputs in itertools.product((False, True), repeat=3)
    }


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("cap", [0, 1, 2, 3, 9])
def test_count_says_how_many_hold(number: int, cap: int) -> None:
    formula = Formula()
    variables = [formula.new() for _ in range(number)]
    outputs = tally(formula, [*variables, Formula.FALSE], cap)
    assert len(outputs) == min(number, cap)
    assert assignments(formula, variables + outputs) == {
        (*inputs, *(sum(inputs) > k for k in range(len(outputs))))
        for inputs in itertools.product((False, True), repeat=number)
    }


def test_count_of_constants() -> None:
    formula = Formula()
    one = formula.new()
    outputs = tally(formula, [Formula.TRUE, one, Formula.TRUE, Formula.FALSE], 5)
    with Solver(formula, "minisat22", Limits()) as solver:
        assert solver.solve([more_than(outputs, 1), -more_than(outputs, 2)])
        assert not solver.solve([-more_than(outputs, 1)])
        assert solver.solve([one, more_than(outputs, 2)])
        assert not solver.solve([one, -more_than(outputs, 2)])
    assert more_than(outputs, -1) == Formula.TRUE
    assert more_than(outputs, 3) == Formula.FALSE


@pytest.mark.parametrize("cap", [1, 2, 4, 7])
def test_merged_counts(cap: int) -> None:
    formula = Formula()
    variables = [formula.new() for _ in range(5)]
    one, other = tally(formula, variables[:2], cap), tally(formula, variables[2:], cap)
    outputs = merge_tallies(formula, one, other, cap)
    assert assignments(formula, variables + outputs) == {
        (*inputs, *(sum(inputs) > k for k in range(min(cap, 5))))
        for inputs in itertools.product((False, True), repeat=5)
    }


def test_memory_is_bounded_whatever_adds_clauses() -> None:
    formula = Formula()
    formula.either([formula.new() for _ in range(300)])
    literals = sum(map(len, formula.clauses))
    assert literals > 900
    formula = Formula(most_literals=literals)
    formula.either([formula.new() for _ in range(300)])
    small = Formula(most_literals=literals - 1)
    with pytest.raises(TooLargeError):
        small.either([small.new() for _ in range(300)])


def test_a_large_formula_is_not_made_longer_than_there_is_time() -> None:
    reasons = iter([None, "time limit"])
    formula = Formula(reason=lambda: next(reasons))
    with pytest.raises(StoppedError, match="time limit"):
        for _ in range(10):
            formula.either([formula.new() for _ in range(1000)])
    assert len(formula.clauses) < 10_000


def random_graph(chance: random.Random) -> tuple[int, list[tuple[int, int]]]:
    nodes = chance.randint(2, 7)
    pairs = list(itertools.combinations(range(nodes), 2))
    return nodes, chance.sample(pairs, chance.randint(0, min(len(pairs), nodes + 3)))


def is_connected(edges: list[tuple[int, int]], chosen: set[int], roots: set[int]) -> bool:
    """Whether every chosen node is joined to a root by chosen nodes."""
    reached = chosen & roots
    while True:
        more = {
            other
            for one, two in edges
            for here, other in ((one, two), (two, one))
            if here in reached and other in chosen
        }
        if more <= reached:
            return reached == chosen
        reached |= more


@pytest.mark.parametrize("way", CONNECTIONS)
def test_connected_choices_are_the_models(way: str) -> None:
    chance = random.Random(4)
    for _ in range(40):
        nodes, edges = random_graph(chance)
        roots = set(chance.sample(range(nodes), 1))
        formula = Formula()
        inside = {node: formula.new() for node in range(nodes)}
        root = {node: Formula.TRUE for node in roots}
        connect(formula, edges, inside, root, way)
        wanted = {
            values
            for values in itertools.product((False, True), repeat=nodes)
            if is_connected(edges, {n for n in range(nodes) if values[n]}, roots)
            and all(values[node] for node in roots)
        }
        # A root that is not chosen joins nothing, and the levels make a root chosen.
        got = {
            values
            for values in assignments(formula, list(inside.values()))
            if all(values[node] for node in roots)
        }
        assert got == wanted, (nodes, edges, roots)


def test_unknown_connectivity_encoding() -> None:
    with pytest.raises(UsageError, match="elimination, levels"):
        connect(Formula(), [], {}, {}, "magic")


@pytest.mark.parametrize("anchored", [False, True])
def test_separators_hold_of_connected_choices_and_of_no_disconnected_one(anchored: bool) -> None:
    chance = random.Random(7)
    broken = 0
    for _ in range(60):
        nodes, edges = random_graph(chance)
        inside = {node: node + 2 for node in range(nodes)}
        near = {node: [] for node in range(nodes)}
        for one, other in edges:
            near[one].append(other)
            near[other].append(one)
        roots = {0} if anchored else set()
        choices = [
            {node for node in range(nodes) if values[node]}
            for values in itertools.product((False, True), repeat=nodes)
            if not anchored or values[0]
        ]
        joined = [
            choice
            for choice in choices
            if not choice or is_connected(edges, choice, {0} if anchored else {min(choice)})
        ]
        for choice in choices:
            cuts = separators(near, inside, choice, roots)
            assert (choice in joined) == (not cuts)
            for cut in cuts:
                broken += 1
                for each, expected in [(choice, False), *((other, True) for other in joined)]:
                    true = {inside[n] if n in each else -inside[n] for n in range(nodes)}
                    assert (not true.isdisjoint(cut)) == expected
    assert broken > 1000


def test_cuts_lead_to_a_connected_choice() -> None:
    # A 5 x 5 grid with two opposite corners: the shortest way has nine nodes.
    cells = list(itertools.product(range(5), repeat=2))
    near = {
        (row, column): [
            (row + down, column + right)
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if (row + down, column + right) in set(cells)
        ]
        for row, column in cells
    }
    for most, answer in ((9, True), (8, False)):
        formula = Formula()
        inside = {cell: formula.new() for cell in cells}
        formula.add(inside[0, 0])
        formula.add(inside[4, 4])
        formula.add(-more_than(tally(formula, list(inside.values()), 10), most))

        def cuts(model: set[int], inside: dict[tuple[int, int], int] = inside) -> list[list[int]]:
            return separators(near, inside, {c for c in cells if inside[c] in model}, set())

        effort = Effort()
        with Solver(formula, "cadical153", Limits(), effort) as solver:
            assert solve_connected(solver, cuts) is answer
        assert effort.cuts > 0


@pytest.mark.parametrize("name", SOLVERS)
def test_every_solver_answers_and_keeps_to_its_time(name: str) -> None:
    with Solver(pigeons(5), name, Limits()) as solver:
        assert solver.solve() is False
    formula = Formula()
    one, two = formula.new(), formula.new()
    formula.add(one, two)
    with Solver(formula, name, Limits()) as solver:
        assert solver.solve([-one]) is True
        assert two in solver.model()
        solver.add([-two])
        assert solver.solve([-one]) is False
        assert solver.solve() is True
    began = time.monotonic()
    with Solver(pigeons(13), name, Limits(Control(time_limit=0.4))) as solver:
        assert solver.solve() is None
        assert solver.effort.stopped == "time limit"
    assert time.monotonic() - began < BUSY


@pytest.mark.parametrize("name", SOLVERS)
def test_conflicts_are_those_of_the_solver(name: str) -> None:
    """Not the budgets that it was given, and with those of the call that found the answer."""
    effort = Effort()
    with Solver(pigeons(7), name, Limits(), effort) as solver:
        assert solver.solve(most_conflicts=60) is None
        begun = effort.conflicts
        assert 0 < begun < 250  # some solvers look at the budget at restarts only
        assert solver.solve() is False
        assert effort.conflicts == solver._solver.accum_stats()["conflicts"] > begun


@pytest.mark.parametrize("name", ["cadical153", "glucose4"])
def test_stop_from_another_thread(name: str) -> None:
    control = Control()
    threading.Timer(0.3, control.stop).start()
    began = time.monotonic()
    with Solver(pigeons(13), name, Limits(control)) as solver:
        assert solver.solve() is None
        assert solver.effort.stopped == "interrupted"
    assert time.monotonic() - began < BUSY


# Ctrl-C while a solver works and while none does, in turn.
INTERRUPTED = """
import os, random, signal, subprocess, sys
sys.path.append("tests")
from test_sat import pigeons
from litstool.sat import Limits, Solver
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
chance = random.Random(7)
with Solver(pigeons(12), sys.argv[1], Limits()) as solver:
    for _ in range(3):
        # From outside, since no other thread may run while some solvers do.
        seconds = chance.uniform(0.005, 0.1)
        kill = subprocess.Popen(["sh", "-c", f"sleep {seconds}; kill -INT {os.getpid()}"])
        try:
            solver.solve()
            print("no interrupt came to the solver")
        except KeyboardInterrupt:
            pass
        kill.wait()
        try:
            os.kill(os.getpid(), signal.SIGINT)
            print("no interrupt came after it")
        except KeyboardInterrupt:
            pass
with Solver(pigeons(6), sys.argv[1], Limits()) as solver:
    print(solver.solve())
"""


@pytest.mark.parametrize("name", SOLVERS)
def test_ctrl_c_leaves_a_solver_whole(name: str) -> None:
    outcome = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, name],
        capture_output=True, text=True, timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip
    assert (outcome.returncode, outcome.stdout) == (0, "False\n"), outcome.stderr


def test_limits_on_conflicts_and_memory() -> None:
    with Solver(pigeons(13), "cadical153", Limits()) as solver:
        assert solver.solve(most_conflicts=100) is None
        assert solver.effort.stopped is None
    with Solver(pigeons(13), "cadical153", Limits(most_mebibytes=1, held_mebibytes=0)) as solver:
        assert solver.solve() is None
        assert solver.effort.stopped == "memory limit"
    formula = Formula(most_literals=10)
    with pytest.raises(TooLargeError, match="10 literals"):
        for _ in range(10):
            formula.add(formula.new(), formula.new())


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell")
def test_memory_that_was_held_before_does_not_count() -> None:
    ballast = [bytearray(b"x") * (256 << 20)]
    limits = Limits(most_mebibytes=128)
    assert limits.reason() is None
    ballast.append(bytearray(b"x") * (256 << 20))
    assert limits.reason() == "memory limit"
    del ballast


def test_unknown_solver() -> None:
    with pytest.raises(UsageError, match="cadical153"):
        Solver(Formula(), "lingeling", Limits())
    with pytest.raises(UsageError, match="glucose3"):
        Solver(Formula(), "glucose4", Limits(), with_proof=True)


@pytest.mark.parametrize("name", PROOF_SOLVERS)
def test_proofs_are_accepted(name: str, tmp_path: Path) -> None:
    formula = pigeons(6)
    with Solver(formula, name, Limits(), with_proof=True) as solver:
        assert solver.solve() is False
        proof = solver.proof()
    cnf, drup = tmp_path / "pigeons.cnf", tmp_path / "pigeons.drup"
    formula.write_dimacs(cnf, ["six pigeons"])
    drup.write_text("\n".join(proof) + "\n", encoding="utf-8")
    variables, clauses = rup_checker.read_dimacs(cnf)
    assert variables == formula.variables
    assert clauses == formula.clauses
    steps = rup_checker.read_proof(drup)
    assert rup_checker.is_refutation(clauses, steps)
    # The checker is no rubber stamp: one pigeon fewer has no proof.
    fits = [clause for clause in clauses if clause != formula.clauses[1]]
    assert not rup_checker.is_refutation(fits, steps)


def test_proof_by_a_public_checker(tmp_path: Path) -> None:
    checker = shutil.which("drat-trim")
    if checker is None:
        pytest.skip("drat-trim is not installed")
    formula = pigeons(6)
    with Solver(formula, "cadical153", Limits(), with_proof=True) as solver:
        assert solver.solve() is False
        proof = solver.proof()
    cnf, drup = tmp_path / "pigeons.cnf", tmp_path / "pigeons.drup"
    formula.write_dimacs(cnf)
    drup.write_text("\n".join(proof) + "\n", encoding="utf-8")
    answer = subprocess.run([checker, cnf, drup], capture_output=True, text=True, check=False)
    assert "s VERIFIED" in answer.stdout


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot be written"):
        Formula().write_dimacs(tmp_path / "missing" / "formula.cnf")
