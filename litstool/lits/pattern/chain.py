"""A compiled random walk among boards: the Metropolis algorithm (Metropolis et al. 1953).

A state fills each orbit of cells (see ``symmetry``) with 0 (blank), 1 or 2; the numbers of X and O
never change.  A step proposes one of three changes, each as likely as its reverse:

* two orbits of one size exchange their states;
* one orbit of an exchange changes X and O;
* three orbits of different sizes are filled anew, if the numbers come out the same.

A board's *excess* is by how much it breaks the limits of its recipe, summed over the limits.  A
step that raises it by d is taken with the chance 16**-d, so a board of excess e has the weight
16**-e in the long run, and **boards of excess 0 are all equally likely**.
"""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from litstool.lits.kernels import geometry_of
from litstool.lits.pattern.recipe import Recipe
from litstool.search.chance import below, generator, next_random
from litstool.search.compiling import kernel

_WIDEST = 8  # cells in an orbit


class Layout(NamedTuple):
    """A recipe as arrays (k orbits, n cells of the rectangle, a areas, w exposure limits).

    ``cells`` and ``signs``  k x 8, the cells of each orbit and +1 or -1 for each; -1 for none
    ``half``        k, symbols of each side in a filled orbit (0 without an exchange)
    ``areas``       n x kinds of area, the areas of each cell, -1 for none
    ``low, high``   a, limits on X less O
    ``neighbours``  n x 4, -1 for none; n x 0 where nothing limits the joins
    ``joins``       2, limits on like joins
    ``weights``     w x n
    ``most``        w, limits; ``unit`` w, by how much a limit is broken for an excess of one more
    ``counts``      2, the numbers of X and O
    ``mixed``       1 where orbits have different sizes
    """

    cells: np.ndarray
    signs: np.ndarray
    half: np.ndarray
    areas: np.ndarray
    low: np.ndarray
    high: np.ndarray
    neighbours: np.ndarray
    joins: np.ndarray
    weights: np.ndarray
    most: np.ndarray
    unit: np.ndarray
    counts: np.ndarray
    mixed: np.ndarray


class State(NamedTuple):
    """A board on the walk: ``fill`` of the orbits, ``value`` of the cells (+1 X, -1 O), and what
    follows from it: X less O by area, the sum of how far these are out of their limits, like joins
    (0 where nothing limits them), the exposure differences."""

    fill: np.ndarray
    value: np.ndarray
    surplus: np.ndarray
    broken: np.ndarray
    joins: np.ndarray
    exposure: np.ndarray


def layout_of(recipe: Recipe) -> Layout:
    """The arrays of a recipe."""
    outline, orbits = recipe.outline, recipe.group.orbits
    size = outline.rows * outline.columns
    signed = recipe.group.exchanging

    def number(cell) -> int:
        return cell.row * outline.columns + cell.column

    cells = np.full((len(orbits), _WIDEST), -1, dtype=np.int64)
    signs = np.zeros((len(orbits), _WIDEST), dtype=np.int64)
    for index, orbit in enumerate(orbits):
        cells[index, : len(orbit.cells)] = [number(cell) for cell in orbit.cells]
        signs[index, : len(orbit.cells)] = orbit.signs
    half = np.array([orbit.half if signed else 0 for orbit in orbits], dtype=np.int64)
    kinds = len({area.name.split()[0] for area in recipe.areas})
    areas = np.full((size, kinds), -1, dtype=np.int64)
    for index, area in enumerate(recipe.areas):
        for cell in area.cells:
            row = areas[number(cell)]
            row[np.argmax(row < 0)] = index
    weights = np.zeros((len(recipe.exposures), size), dtype=np.int64)
    for index, exposure in enumerate(recipe.exposures):
        for cell, weight in zip(outline.cells, exposure.weights, strict=True):
            weights[index, number(cell)] = weight
    units = [
        max(1, (max(each.weights) - min(each.weights)) * max(recipe.x, recipe.o) // 8)
        for each in recipe.exposures
    ]
    joins = (recipe.joins.low, recipe.joins.high) if recipe.joins else (0, 4 * size)
    return Layout(
        cells,
        signs,
        half,
        areas,
        np.array([area.low for area in recipe.areas], dtype=np.int64),
        np.array([area.high for area in recipe.areas], dtype=np.int64),
        geometry_of(outline).neighbours if recipe.joins else np.zeros((size, 0), dtype=np.int64),
        np.array(joins, dtype=np.int64),
        weights,
        np.array([exposure.most for exposure in recipe.exposures], dtype=np.int64),
        np.array(units, dtype=np.int64),
        np.array([recipe.x, recipe.o], dtype=np.int64),
        np.array([len(set(half.tolist())) > 1], dtype=np.int64),
    )


def state_of(layout: Layout, fill: np.ndarray) -> State:
    """The state with so filled orbits."""
    state = State(
        np.zeros(len(fill), dtype=np.int64),
        np.zeros(len(layout.areas), dtype=np.int64),
        np.zeros(len(layout.low), dtype=np.int64),
        np.array([_at_zero(layout)], dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.zeros(len(layout.most), dtype=np.int64),
    )
    set_orbits(layout, state, fill)
    return state


def _at_zero(layout: Layout) -> int:
    """How far the areas of a blank board are out of their limits."""
    return int(np.maximum(0, np.maximum(layout.low, -layout.high)).sum())


@kernel
def set_orbits(layout, state, fill):
    """Fill all orbits."""
    for orbit in range(len(fill)):
        set_orbit(layout, state, orbit, fill[orbit])


@kernel
def set_orbit(layout, state, orbit, filled):
    """Fill an orbit anew and keep everything that follows from it."""
    if state.fill[orbit] == filled:
        return
    state.fill[orbit] = filled
    worth = 0
    if filled == 1:
        worth = 1
    elif filled == 2:
        worth = -1
    for index in range(8):
        cell = layout.cells[orbit, index]
        if cell < 0:
            break
        before = state.value[cell]
        after = worth * layout.signs[orbit, index]
        if before == after:
            continue
        for side in range(layout.neighbours.shape[1]):
            neighbour = layout.neighbours[cell, side]
            if neighbour >= 0 and state.value[neighbour] != 0:
                if state.value[neighbour] == before:
                    state.joins[0] -= 1
                elif state.value[neighbour] == after:
                    state.joins[0] += 1
        state.value[cell] = after
        for place in range(layout.areas.shape[1]):
            area = layout.areas[cell, place]
            if area < 0:
                break
            state.broken[0] -= _outside(state.surplus[area], layout.low[area], layout.high[area])
            state.surplus[area] += after - before
            state.broken[0] += _outside(state.surplus[area], layout.low[area], layout.high[area])
        for index_of_weight in range(len(layout.most)):
            weight = layout.weights[index_of_weight, cell]
            change = _signed_count(layout, after) - _signed_count(layout, before)
            state.exposure[index_of_weight] += weight * change


@kernel
def _signed_count(layout, value):
    """What a symbol of this value counts in an exposure difference, per weight."""
    if value > 0:
        return layout.counts[1]
    return -layout.counts[0] if value < 0 else 0


@kernel
def _outside(number, low, high):
    """How far a number is from an interval."""
    return max(0, low - number, number - high)


@kernel
def excess(layout, state):
    """By how much a board breaks its limits."""
    total = state.broken[0] + _outside(state.joins[0], layout.joins[0], layout.joins[1])
    for index in range(len(layout.most)):
        over = abs(state.exposure[index]) - layout.most[index]
        if over > 0:
            total += 1 + over // layout.unit[index]
    return total


@kernel
def _accepts(random, before, after):
    rise = after - before
    if rise <= 0:
        return True
    if rise >= 15:
        return False
    return next_random(random) >> np.uint64(64 - 4 * rise) == 0


@kernel
def walk(layout, state, seed, steps, stop_at_once):
    """Take so many steps, or with ``stop_at_once`` fewer if the excess becomes 0.

    Returns the excess at the end.
    """
    random = generator(seed)
    orbits = len(state.fill)
    now = excess(layout, state)
    signed = layout.half[0] > 0
    for _ in range(steps):
        if stop_at_once and now == 0:
            break
        kind = below(random, 3)
        if kind == 0 and signed:
            orbit = below(random, orbits)
            filled = state.fill[orbit]
            if filled == 0:
                continue
            set_orbit(layout, state, orbit, 3 - filled)
            then = excess(layout, state)
            if _accepts(random, now, then):
                now = then
            else:
                set_orbit(layout, state, orbit, filled)
        elif kind == 1 and layout.mixed[0] == 1:
            one, two, three = below(random, orbits), below(random, orbits), below(random, orbits)
            if one in (two, three) or two == three:
                continue
            was_one, was_two, was_three = state.fill[one], state.fill[two], state.fill[three]
            is_one, is_two, is_three = below(random, 3), below(random, 3), below(random, 3)
            change = layout.half[one] * ((is_one > 0) - (was_one > 0))
            change += layout.half[two] * ((is_two > 0) - (was_two > 0))
            change += layout.half[three] * ((is_three > 0) - (was_three > 0))
            if change != 0:
                continue
            set_orbit(layout, state, one, is_one)
            set_orbit(layout, state, two, is_two)
            set_orbit(layout, state, three, is_three)
            then = excess(layout, state)
            if _accepts(random, now, then):
                now = then
            else:
                set_orbit(layout, state, one, was_one)
                set_orbit(layout, state, two, was_two)
                set_orbit(layout, state, three, was_three)
        else:
            one, two = below(random, orbits), below(random, orbits)
            was_one, was_two = state.fill[one], state.fill[two]
            if was_one == was_two or layout.half[one] != layout.half[two]:
                continue
            set_orbit(layout, state, one, was_two)
            set_orbit(layout, state, two, was_one)
            then = excess(layout, state)
            if _accepts(random, now, then):
                now = then
            else:
                set_orbit(layout, state, one, was_one)
                set_orbit(layout, state, two, was_two)
    return now
