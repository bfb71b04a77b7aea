"""Reach questions against CP-SAT (ortools) and clingo, on the same questions in the same run.

    python benchmarks/reach.py [--limit SECONDS] [--only TEXT] [--seeds N] [--threads N]

The other two get the rules in the form that suits them.  CP-SAT: one 0-1 variable a placement,
cells as linear sums, counts as linear sums, connectivity by separator cuts added between solves
(the form that was fastest of those tried), two workers.  clingo: a logic program in which
reachability is recursion.  Neither gets litstool's counting arguments; litstool gets no table in
advance.  Times are wall time from the question to the answer, and processor time of the process
(of all its threads), since other programs may share the machine.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median

from litstool.grid import Cell, bits
from litstool.lits.board import Pattern
from litstool.lits.notation import pattern_named
from litstool.lits.placements import SHAPES
from litstool.lits.position import Position
from litstool.lits.questions import Question, Target, scope_of
from litstool.lits.reach import order_of_play, reach
from litstool.sat import separators
from litstool.search.asking import Means
from litstool.search.control import Control

Answer = bool | None


def blank(side: int) -> Position:
    return Position.empty(Pattern.from_rows(["." * side] * side))


def board(name: str) -> Position:
    pattern = pattern_named(name)
    assert pattern is not None
    return Position.empty(pattern)


def played(start: Position, moves: int, seed: int) -> Position:
    chance = random.Random(seed)
    for _ in range(moves):
        start = start.play(chance.choice(list(start.moves())))
    return start


def questions() -> dict[str, Question]:
    """The five questions of the first measurements and fifteen more, tight and loose."""
    ten = blank(10)
    outline = ten.pattern.outline

    def cells(text: str) -> int:
        return outline.mask(cell for word in text.split() if (cell := Cell.parse(word)))

    corners = cells("a1 j1 a10 j10")
    rim = outline.mask(cell for cell in outline.cells if {cell.row, cell.column} & {0, 9})
    sample = played(ten, 13, 5)
    cells_only = Target(outline, sample.covered, outline.mask(outline.cells) & ~sample.covered)
    half = outline.mask(cell for cell in outline.cells if cell.row < 5)
    half_known = Target(outline, sample.covered & half, half & ~sample.covered)
    middle = played(board("stripes"), 6, 3)
    return {
        "15 pieces over the 4 corners": Question(ten, pieces=15, covered=corners),
        "6 pieces over 2 opposite corners": Question(ten, pieces=6, covered=cells("a1 j10")),
        "5 pieces over 2 opposite corners": Question(ten, pieces=5, covered=cells("a1 j10")),
        "8 pieces over the 4 corners": Question(ten, pieces=8, covered=corners),
        "7 pieces over the 4 corners": Question(ten, pieces=7, covered=corners),
        "6 pieces over the 4 corners": Question(ten, pieces=6, covered=corners),
        "9 pieces over the 4 corners and e5": Question(
            ten, pieces=9, covered=corners | cells("e5")
        ),
        "19 pieces": Question(ten, pieces=19),
        "18 pieces": Question(ten, pieces=18),
        "18 pieces, finished": Question(ten, pieces=18, finished=True),
        "14 pieces, finished": Question(ten, pieces=14, finished=True),
        "10 pieces, finished": Question(ten, pieces=10, finished=True),
        "11 pieces off the rim": Question(ten, pieces=11, uncovered=rim),
        "cells of a 13-piece position": Question(ten, target=cells_only),
        "half of such cells, 16 pieces": Question(ten, target=half_known, pieces=16),
        "boxes, O wins with 13 pieces": Question(board("boxes"), pieces=13, winner="O"),
        "boxes, margin 20, finished": Question(board("boxes"), margin=20, finished=True),
        "stripes after 6, finished at 11": Question(middle, pieces=11, finished=True),
        "7x7, finished by 3": Question(blank(7), pieces=3, finished=True),
        "8x8, finished by 6": Question(blank(8), pieces=6, finished=True),
    }


def by_litstool(question: Question, limit: float, seed: int, threads: int = 1) -> Answer:
    means = Means(seed=seed, threads=threads)
    return reach(question, means=means, control=Control(limit)).possible


def checked(question: Question, numbers: list[int]) -> bool:
    """An answer of another solver, replayed through the rules like our own."""
    further = [question.position.placements.all[number] for number in numbers]
    position, _ = order_of_play(question.position, further)
    assert question.met_by(position)
    return True


# --- CP-SAT -----------------------------------------------------------------------------------


def by_cp_sat(question: Question, limit: float, seed: int) -> Answer:
    from ortools.sat.python import cp_model

    scope = scope_of(question)
    if scope.impossible:
        return False
    tables, start = scope.tables, scope.start
    outline = tables.outline
    model = cp_model.CpModel()
    placed = {number: model.new_bool_var("") for number in bits(scope.candidates)}
    over: dict[tuple[Cell, str], list] = {
        (cell, shape): [] for cell in outline.cells for shape in SHAPES
    }
    for number, variable in placed.items():
        for cell in tables.all[number].cells:
            over[cell, tables.all[number].shape].append(variable)
    covered, shaped = {}, {}
    for cell in outline.cells:
        covered[cell] = model.new_bool_var("")
        if start.covered & outline.bit(cell):
            model.add(covered[cell] == 1)
            continue
        for shape in SHAPES:
            shaped[cell, shape] = model.new_bool_var("")
            model.add(shaped[cell, shape] == sum(over[cell, shape]))
        model.add(covered[cell] == sum(shaped[cell, shape] for shape in SHAPES))
        if scope.required & outline.bit(cell):
            model.add(covered[cell] == 1)
    around = {
        number: [
            near
            for near in {n for cell in tables.all[number].cells for n in cell.edge_neighbours()}
            if near in covered and near not in tables.all[number].cells
        ]
        for number in bits(start.alive)
    }
    for number, variable in placed.items():
        shape = tables.all[number].shape
        for near in around[number]:
            if (near, shape) in shaped:
                model.add_at_most_one(variable, shaped[near, shape])
    for block in outline.blocks():
        model.add(sum(covered[cell] for cell in block) <= 3)
    total = sum(placed.values())
    model.add_linear_constraint(total, scope.fewest, scope.most)
    counts = {}
    for shape, left in zip(SHAPES, start.supply_left, strict=True):
        counts[shape] = sum(
            variable for number, variable in placed.items() if tables.all[number].shape == shape
        )
        model.add(counts[shape] <= left)
    for number in bits(scope.forced):
        model.add(placed[number] == 1)
    alone = not start.pieces and scope.fewest < 2
    if not alone:
        for number, variable in placed.items():
            model.add_bool_or(variable.Not(), *(covered[near] for near in around[number]))
    if scope.finished:
        used_up = {}
        for shape, left in zip(SHAPES, start.supply_left, strict=True):
            used_up[shape] = model.new_bool_var("")
            model.add(counts[shape] >= left).only_enforce_if(used_up[shape])
        filled = {}
        for number in bits(start.alive):
            placement = tables.all[number]
            blocked = [used_up[placement.shape], *(covered[cell] for cell in placement.cells)]
            blocked += [
                shaped[near, placement.shape]
                for near in around[number]
                if (near, placement.shape) in shaped
            ]
            for block in tables.blocks[number]:
                rest = frozenset(outline.cells_of(block & ~tables.cell_masks[number]))
                if rest not in filled:
                    filled[rest] = model.new_bool_var("")
                    model.add_bool_and(*(covered[cell] for cell in rest)).only_enforce_if(
                        filled[rest]
                    )
                blocked.append(filled[rest])
            for near in around[number]:
                model.add_bool_or(covered[near].Not(), *blocked)
    if question.margin is not None or question.winner is not None:
        pattern = start.pattern
        margin = sum(1 - covered[cell] for cell in outline.cells_of(pattern.x_cells)) - sum(
            1 - covered[cell] for cell in outline.cells_of(pattern.o_cells)
        )
        if question.margin is not None:
            model.add(margin >= question.margin)
        if question.winner is not None:
            assert question.pieces is not None, "the parity is known in these questions"
            on_ties = question.winner == ("X" if question.pieces % 2 else "O")
            sign = 1 if question.winner == "X" else -1
            model.add(sign * margin >= (0 if on_ties else 1))
    inside = {cell: variable.index + 2 for cell, variable in covered.items()}
    by_literal = {inside[cell]: variable for cell, variable in covered.items()}
    near_of = {
        cell: tuple(near for near in cell.edge_neighbours() if near in covered) for cell in covered
    }
    began = time.monotonic()
    while (left := limit - (time.monotonic() - began)) > 0:
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 2
        solver.parameters.random_seed = seed
        solver.parameters.max_time_in_seconds = left
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return False
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return None
        chosen = {cell for cell, variable in covered.items() if solver.value(variable)}
        roots = set(outline.cells_of(start.covered))
        cuts = separators(near_of, inside, chosen, roots)
        if not cuts:
            return checked(question, [n for n, each in placed.items() if solver.value(each)])
        for cut in cuts:
            model.add_bool_or(
                by_literal[each] if each > 0 else by_literal[-each].Not() for each in cut
            )
    return None


# --- clingo -----------------------------------------------------------------------------------

PROGRAM = """
{ placed(P) : candidate(P) }.
on(C,S) :- placed(P), cell(P,C), shape(P,S).
covered(C) :- on(C,_).
covered(C) :- start(C).
:- on(C,S), on(C,T), S < T.
:- placed(P), placed(Q), P < Q, cell(P,C), cell(Q,C).
:- placed(P), shape(P,S), around(P,C), on(C,S).
:- block(A,B,C,D), covered(A), covered(B), covered(C), covered(D).
:- supply(S,N), N+1 { placed(P) : shape(P,S) }.
:- fewest(N), not N { placed(P) : candidate(P) }.
:- most(N), N+1 { placed(P) : candidate(P) }.
:- required(C), not covered(C).
:- forced(P), not placed(P).
root(C) :- start(C).
{ root(C) : board(C) } 1 :- not some_start.
some_start :- start(_).
:- root(C), not covered(C).
joined(C) :- root(C).
joined(C) :- joined(D), near(D,C), covered(C).
:- covered(C), not joined(C).
"""
FINISHED = """
used_up(S) :- supply(S,N), N { placed(P) : shape(P,S) }.
blocked(P) :- alive(P), shape(P,S), used_up(S).
blocked(P) :- alive(P), cell(P,C), covered(C).
blocked(P) :- alive(P), shape(P,S), around(P,C), on(C,S).
blocked(P) :- alive(P), rest(P,R), filled(R).
filled(R) :- rest(_,R), covered(C) : in_rest(R,C).
touched(P) :- alive(P), around(P,C), covered(C).
:- alive(P), touched(P), not blocked(P).
"""
MARGIN = """
:- #sum { 1,C : x(C), not covered(C); -1,C : o(C), not covered(C) } < LEAST.
"""
MARGIN_OF_O = """
:- #sum { -1,C : x(C), not covered(C); 1,C : o(C), not covered(C) } < LEAST.
"""


def facts(question: Question) -> Iterator[str]:
    scope = scope_of(question)
    tables, start = scope.tables, scope.start
    outline = tables.outline
    number_of = {cell: index for index, cell in enumerate(outline.cells)}
    for cell, index in number_of.items():
        yield f"board({index})."
        if start.covered & outline.bit(cell):
            yield f"start({index})."
        for near in cell.edge_neighbours():
            if near in number_of:
                yield f"near({index},{number_of[near]})."
    for block in outline.blocks():
        yield f"block({','.join(str(number_of[cell]) for cell in block)})."
    for number in bits(start.alive):
        placement = tables.all[number]
        yield f"shape({number},{placement.shape.lower()})."
        if scope.candidates >> number & 1:
            yield f"candidate({number})."
        if scope.finished:
            yield f"alive({number})."
            for block in tables.blocks[number]:
                rest = outline.cells_of(block & ~tables.cell_masks[number])
                name = "r(" + ",".join(str(number_of[cell]) for cell in rest) + ")"
                yield f"rest({number},{name})."
                for cell in rest:
                    yield f"in_rest({name},{number_of[cell]})."
        for cell in placement.cells:
            yield f"cell({number},{number_of[cell]})."
            for near in cell.edge_neighbours():
                if near in number_of and near not in placement.cells:
                    yield f"around({number},{number_of[near]})."
    for shape, left in zip(SHAPES, start.supply_left, strict=True):
        yield f"supply({shape.lower()},{left})."
    yield f"fewest({scope.fewest}). most({scope.most})."
    for cell in outline.cells_of(scope.required):
        yield f"required({number_of[cell]})."
    for number in bits(scope.forced):
        yield f"forced({number})."
    if question.margin is not None or question.winner is not None:
        for cell in outline.cells_of(start.pattern.x_cells):
            yield f"x({number_of[cell]})."
        for cell in outline.cells_of(start.pattern.o_cells):
            yield f"o({number_of[cell]})."
    if question.margin is not None:
        yield MARGIN.replace("LEAST", str(question.margin))
    if question.winner is not None:
        assert question.pieces is not None
        on_ties = question.winner == ("X" if question.pieces % 2 else "O")
        program = MARGIN if question.winner == "X" else MARGIN_OF_O
        yield program.replace("LEAST", "0" if on_ties else "1")
    if scope.finished:
        yield FINISHED


def by_clingo(question: Question, limit: float, seed: int) -> Answer:
    import clingo

    if scope_of(question).impossible:
        return False
    began = time.monotonic()
    control = clingo.Control(["--warn=none", f"--seed={seed}", "1"])
    control.add("base", [], PROGRAM + "\n".join(facts(question)))
    control.ground([("base", [])])
    found: list[int] = []

    def keep(model: clingo.Model) -> None:
        found.extend(
            atom.arguments[0].number for atom in model.symbols(atoms=True) if atom.name == "placed"
        )

    with control.solve(on_model=keep, async_=True) as handle:  # type: ignore[union-attr]
        if not handle.wait(max(0.1, limit - (time.monotonic() - began))):
            handle.cancel()
            return None
        if handle.get().satisfiable:
            return checked(question, found)
        return False


# --- the run ----------------------------------------------------------------------------------

Way = Callable[[Question, float, int], Answer]
WAYS: dict[str, Way] = {
    "litstool": by_litstool,
    "CP-SAT": by_cp_sat,
    "clingo": by_clingo,
}
NEVER = float("inf")


@dataclass
class Times:
    """Seconds of one way for one question, a run a seed; ``NEVER`` for a run without an answer."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def is_hopeless(self, runs: int) -> bool:
        """Whether so many runs had no answer that the median of all has none."""
        return 2 * self.wall.count(NEVER) > runs

    def told(self, seconds: list[float], runs: int) -> str:
        if self.is_hopeless(runs):
            return f"{'-':>7} {'-':>7}"
        return f"{shown(median(seconds)):>7} {shown(max(seconds)):>7}"


def shown(seconds: float) -> str:
    return "-" if seconds == NEVER else f"{seconds:.2f}"


def measure(
    question: Question, limit: float, first: int, runs: int, ways: dict[str, Way]
) -> dict[str, Times]:
    """All ways in turn for each seed, so that other work on the machine troubles all of them.

    A way whose median will be no answer is not tried further.
    """
    times = {name: Times() for name in ways}
    answers: set[Answer] = set()
    for seed in range(first, first + runs):
        for name, way in ways.items():
            if times[name].is_hopeless(runs):
                continue
            wall, processor = time.perf_counter(), time.process_time()
            answer = way(replace(question), limit, seed)
            found = answer is not None
            times[name].wall.append(time.perf_counter() - wall if found else NEVER)
            times[name].processor.append(time.process_time() - processor if found else NEVER)
            answers |= {answer} - {None}
    assert len(answers) <= 1, "the solvers disagree"
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each answer")
    parser.add_argument("--only", default="", help="only questions whose name has this text")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--seeds", type=int, default=10, help="how many seeds")
    parser.add_argument("--threads", type=int, default=1, help="of litstool")
    options = parser.parse_args()
    ways = {**WAYS, "litstool": partial(by_litstool, threads=options.threads)}
    chosen = {name: each for name, each in questions().items() if options.only in name}
    for question in chosen.values():
        # The tables of placements are shared by all three and made beforehand.
        tables = question.position.placements
        assert tables.conflicts and tables.touches and tables.blocks
    print(f"median and worst of {options.seeds} seeds, seconds: wall; processor")
    print(f"{'':<36} " + " | ".join(f"{name:<33}" for name in ways))
    below = dict.fromkeys(("wall", "processor"), 0)
    for name, question in chosen.items():
        times = measure(question, options.limit, options.seed, options.seeds, ways)
        print(
            f"{name:<36} "
            + " | ".join(
                f"{each.told(each.wall, options.seeds)} ; "
                f"{each.told(each.processor, options.seeds)}"
                for each in times.values()
            ),
            flush=True,
        )
        for kind in below:
            ours, *others = (
                NEVER if each.is_hopeless(options.seeds) else median(getattr(each, kind))
                for each in times.values()
            )
            worst = max(getattr(times["litstool"], kind))
            below[kind] += ours < NEVER and worst < min(others)
    for kind, number in below.items():
        print(f"our worst below the better median of theirs, {kind}: {number} of {len(chosen)}")


if __name__ == "__main__":
    main()
