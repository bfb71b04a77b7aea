"""Whether any board fits a recipe at all, by SAT: a board, or a proof that there is none.

Two variables an orbit of cells say how it is filled; every limit of the recipe is encoded exactly,
so that an unsatisfiable formula proves that no board fits.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from litstool.grid import SYMMETRIES, Cell
from litstool.lits.board import Pattern
from litstool.lits.pattern.balance import neighbour_pairs
from litstool.lits.pattern.recipe import AreaLimit, ExposureLimit, JoinLimit, Recipe
from litstool.sat import Formula, Limits, Solver, StoppedError, TooLargeError, more_than, tally
from litstool.search.control import Control

SOLVER = "cadical153"
_MOST_SUMS = 20_000

Sums = list[tuple[int, int]]
"""Attainable sums above 0 in rising order, each with the literal that the sum is at least that."""


@dataclass(frozen=True)
class Decision:
    """``possible`` is None where a limit came first; ``pattern`` a board that fits."""

    possible: bool | None
    pattern: Pattern | None
    fill: tuple[int, ...] | None
    clauses: int
    stopped: str | None = None


def decide(
    recipe: Recipe, control: Control | None = None, prefer: Sequence[int] | None = None
) -> Decision:
    """Whether a board fits the recipe.

    ``prefer`` fills the orbits (0 blank, 1, 2) as the board should rather look, so that different
    wishes lead to different boards.
    """
    limits = Limits((control or Control(time_limit=60)).begin())
    formula = Formula(most_literals=20_000_000, reason=limits.reason)
    try:
        fills = _encode(recipe, formula)
    except (TooLargeError, StoppedError) as error:
        return Decision(None, None, None, len(formula.clauses), error.message)
    with Solver(formula, SOLVER, limits) as solver:
        if prefer is not None:
            solver.prefer(
                literal if fill == number else -literal
                for fill, literals in zip(prefer, fills, strict=True)
                for number, literal in enumerate(literals, 1)
            )
        answer = solver.solve()
        if answer is not True:
            return Decision(answer, None, None, len(formula.clauses), solver.effort.stopped)
        model = solver.model()
    fill = tuple(1 if one in model else 2 if two in model else 0 for one, two in fills)
    return Decision(True, pattern_of(recipe, fill), fill, len(formula.clauses))


def pattern_of(recipe: Recipe, fill: Iterable[int]) -> Pattern:
    """The board whose orbits are so filled."""
    cells: dict[int, list[Cell]] = {1: [], -1: []}
    for orbit, filled in zip(recipe.group.orbits, fill, strict=True):
        if filled:
            worth = 1 if filled == 1 else -1
            for cell, sign in zip(orbit.cells, orbit.signs, strict=True):
                cells[worth * sign].append(cell)
    return Pattern(recipe.outline, recipe.outline.mask(cells[1]), recipe.outline.mask(cells[-1]))


@dataclass(frozen=True)
class _Literals:
    """For each cell the literal that it bears X, and that it bears O."""

    x: dict[Cell, int]
    o: dict[Cell, int]


def _encode(recipe: Recipe, formula: Formula) -> list[tuple[int, int]]:
    fills = []
    literals = _Literals(
        dict.fromkeys(recipe.outline.cells, Formula.FALSE),
        dict.fromkeys(recipe.outline.cells, Formula.FALSE),
    )
    for orbit in recipe.group.orbits:
        one, two = formula.new(), formula.new()
        fills.append((one, two))
        formula.add(-one, -two)
        for cell, sign in zip(orbit.cells, orbit.signs, strict=True):
            literals.x[cell], literals.o[cell] = (one, two) if sign > 0 else (two, one)
    for side, number in ((literals.x, recipe.x), (literals.o, recipe.o)):
        counted = tally(formula, list(side.values()), number + 1)
        formula.add(more_than(counted, number - 1))
        formula.add(-more_than(counted, number))
    for area in recipe.areas:
        _limit_area(formula, literals, area)
    if recipe.joins:
        _limit_joins(formula, literals, recipe, recipe.joins)
    for exposure in recipe.exposures:
        _limit_exposure(formula, literals, recipe, exposure)
    if recipe.exactly:
        _forbid_more_symmetry(formula, literals, recipe)
    return fills


def _limit_area(formula: Formula, literals: _Literals, area: AreaLimit) -> None:
    size = len(area.cells)
    x = tally(formula, [literals.x[cell] for cell in area.cells], size)
    o = tally(formula, [literals.o[cell] for cell in area.cells], size)
    for number in range(-size, size + 1):
        # More than number + high X need more than number O; more than number - low O need
        # more than number X.
        formula.add(-more_than(x, number + area.high), more_than(o, number))
        formula.add(-more_than(o, number - area.low), more_than(x, number))


def _limit_joins(formula: Formula, literals: _Literals, recipe: Recipe, limit: JoinLimit) -> None:
    joins = []
    for one, other in neighbour_pairs(recipe.outline):
        both_x = formula.both([literals.x[one], literals.x[other]])
        both_o = formula.both([literals.o[one], literals.o[other]])
        joins.append(formula.either([both_x, both_o]))
    counted = tally(formula, joins, min(limit.high + 1, len(joins)))
    formula.add(more_than(counted, limit.low - 1))
    formula.add(-more_than(counted, limit.high))


def _limit_exposure(
    formula: Formula, literals: _Literals, recipe: Recipe, limit: ExposureLimit
) -> None:
    weights = dict(zip(recipe.outline.cells, limit.weights, strict=True))
    of_x = _sums(formula, literals.x, weights, recipe.x)
    of_o = _sums(formula, literals.o, weights, recipe.o)
    for one, factor, other, other_factor in (
        (of_x, recipe.o, of_o, recipe.x),
        (of_o, recipe.x, of_x, recipe.o),
    ):
        for value, literal in one:
            least = factor * value - limit.most  # what the other side's sum must come to
            if least <= 0:
                continue
            place = (
                bisect_left(other, -(-least // other_factor), key=lambda each: each[0])
                if other_factor
                else len(other)
            )
            formula.add(-literal, other[place][1] if place < len(other) else Formula.FALSE)


def _sums(formula: Formula, literals: dict[Cell, int], weights: dict[Cell, int], most: int) -> Sums:
    """The sum of the weights of the cells whose literal holds: a generalised totalizer (Joshi,
    Martins and Manquinho, CP 2015), cells of one weight counted first."""
    by_weight: dict[int, list[int]] = defaultdict(list)
    for cell, literal in literals.items():
        if weights[cell] and literal != Formula.FALSE:
            by_weight[weights[cell]].append(literal)
    nodes: list[Sums] = []
    for weight, members in sorted(by_weight.items()):
        counted = tally(formula, members, min(most, len(members)))
        nodes.append([(weight * number, each) for number, each in enumerate(counted, 1)])
    total: Sums = []
    for node in nodes:
        total = _merge_sums(formula, total, node)
    return total


def _merge_sums(formula: Formula, one: Sums, other: Sums) -> Sums:
    values = sorted({a + b for a, _ in [(0, 0), *one] for b, _ in [(0, 0), *other]} - {0})
    if len(values) > _MOST_SUMS:
        raise TooLargeError(f"more than {_MOST_SUMS:,} different sums of exposure")
    total = [(value, formula.new()) for value in values]
    for i, (a, is_a) in enumerate([(0, Formula.TRUE), *one]):
        over_a = one[i][1] if i < len(one) else Formula.FALSE
        for j, (b, is_b) in enumerate([(0, Formula.TRUE), *other]):
            over_b = other[j][1] if j < len(other) else Formula.FALSE
            place = bisect_right(values, a + b)
            if a + b:
                formula.add(-is_a, -is_b, total[place - 1][1])
            if place < len(total):
                formula.add(over_a, over_b, -total[place][1])
    for (_, less), (_, more) in pairwise(total):
        formula.add(less, -more)
    return total


def _forbid_more_symmetry(formula: Formula, literals: _Literals, recipe: Recipe) -> None:
    outline = recipe.outline
    present = set(recipe.group.members)
    for symmetry in SYMMETRIES:
        if symmetry.outline(outline) != outline:
            continue
        for sign in (1, -1):
            if (symmetry, sign) in present or (sign < 0 and recipe.x != recipe.o):
                continue
            image_x, image_o = (literals.x, literals.o) if sign > 0 else (literals.o, literals.x)
            differences = []
            for cell in outline.cells:
                image = symmetry.cell(cell, outline.rows, outline.columns)
                differences.append(formula.both([literals.x[cell], -image_x[image]]))
                differences.append(formula.both([literals.o[cell], -image_o[image]]))
            formula.add(formula.either(differences))
