"""Boards drawn at random by a recipe.

Three ways, chosen by the recipe and told by :attr:`Sampler.sampling`:

* **direct**: numbers and symmetries only.  Cells, or orbits of cells, are drawn without
  replacement; every board is exactly as likely as any other.
* **rejection**: where a fair share of direct boards keeps the limits, others are thrown away;
  again every board is exactly as likely as any other.
* **walk**: elsewhere each board starts as a direct one and takes a long random walk whose every
  fitting board is equally likely in the long run (see ``chain``).  A walk of finite length is
  close to that, not exactly it; the tests measure how close on a small board.

Where a walk finds no board, SAT decides whether there is one.

A board depends on the seed and on its own number only.  Python's Mersenne Twister is used through
``getrandbits`` alone, and the walk through whole numbers alone, so it is the same everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cached_property
from math import comb
from typing import Any

from litstool.grid import Outline
from litstool.lits.board import Pattern
from litstool.lits.pattern.recipe import (
    UNLIMITED_JOINS,
    ImpossibleError,
    JoinLimit,
    Recipe,
    UndecidedError,
    make_recipe,
)
from litstool.lits.pattern.symmetry import SignedGroup
from litstool.search.control import Control

DIRECT, REJECTION, WALK = "direct", "rejection", "walk"

PILOT, LEAST_SHARE = 256, 8
"""Rejection is used where at least 1 in 8 of 256 direct boards keeps the limits."""

STEPS_AN_ORBIT = 60
"""The length of a walk by the number of orbits (cells, without a symmetry)."""

_TRIES = 24  # walks before SAT is asked


def below(source: random.Random, limit: int) -> int:
    """A random number from 0 to ``limit`` - 1, from random bits only."""
    bits = (limit - 1).bit_length()
    while True:
        number = source.getrandbits(bits) if bits else 0
        if number < limit:
            return number


def draw(source: random.Random, items: list[Any], number: int) -> list[Any]:
    """So many of the items in random order; the list is shuffled on the way."""
    for place in range(number):
        other = place + below(source, len(items) - place)
        items[place], items[other] = items[other], items[place]
    return items[:number]


SAT_SECONDS = 60.0
"""How long SAT may take where no time limit was given."""


def ready(outline: Outline, plays: bool) -> None:
    """Have what drawing boards, or with ``plays`` playing on them, needs compiled or loaded."""
    if plays:
        from litstool.lits.playouts import GREEDY, PlayoutTables, play, play_after_each

        board = PlayoutTables(Pattern(outline, 0, 0))
        play(board, GREEDY, 1, 0, with_cells=True)
        if len(board.firsts):
            play_after_each(board, GREEDY, 1, 0, board.firsts[:1].tolist())
    sampler = Sampler(make_recipe(outline, 0, spread=(None, None)))
    sampler.neighbour(
        sampler.pattern_of([0] * len(sampler.recipe.group.orbits)), random.Random(), 1
    )


class Sampler:
    """Draws boards by a recipe, until the control stops it."""

    def __init__(self, recipe: Recipe, control: Control | None = None) -> None:
        self.recipe = recipe
        self.control = control or Control()

    @cached_property
    def way(self) -> str:
        """``direct``, ``rejection`` or ``walk``."""
        if self.recipe.is_plain:
            return DIRECT
        source = random.Random("pilot")
        fitting = sum(self.recipe.fits(self.pattern_of(self.direct(source))) for _ in range(PILOT))
        return REJECTION if fitting * LEAST_SHARE >= PILOT else WALK

    @property
    def sampling(self) -> str:
        """How the boards are drawn, for the user."""
        if self.way == WALK:
            return (
                "each board ends a random walk of its own whose long run makes every fitting "
                "board equally likely; its finite length leaves a small bias"
            )
        return "every fitting board is equally likely"

    def boards(self, seed: int, number: int, first: int = 0) -> Iterator[Pattern]:
        """Boards ``first``, ``first`` + 1 … of a seed.

        :raises ImpossibleError: there is no such board.
        :raises UndecidedError: it was not found out whether there is.
        """
        for index in range(first, first + number):
            yield self.board(seed, index)

    def board(self, seed: int, index: int = 0) -> Pattern:
        """The board of a number of a seed; see :meth:`boards`."""
        source = random.Random(f"{seed}:{index}")
        if self.way == DIRECT:
            return self.pattern_of(self.direct(source))
        if self.way == REJECTION:
            while True:
                self._check_time()
                pattern = self.pattern_of(self.direct(source))
                if self.recipe.fits(pattern):
                    return pattern
        return self._walked(source)

    def direct(self, source: random.Random) -> list[int]:
        """How the orbits of a random board without limits are filled: 0 blank, 1 or 2."""
        recipe = self.recipe
        orbits = recipe.group.orbits
        fill = [0] * len(orbits)
        if not recipe.group.exchanging:
            chosen = draw(source, list(range(len(orbits))), recipe.x + recipe.o)
            for place, orbit in enumerate(chosen):
                fill[orbit] = 1 if place < recipe.x else 2
            return fill
        by_half = _by_half(recipe.group)
        for half, number in self._draw_numbers(source).items():
            for orbit in draw(source, list(by_half[half]), number):
                fill[orbit] = 1 + source.getrandbits(1)
        return fill

    def _draw_numbers(self, source: random.Random) -> dict[int, int]:
        """How many orbits of each size to fill, weighed by how many boards there are of each."""
        number = below(source, self._ways[-1][self.recipe.x])
        left = self.recipe.x
        numbers = {}
        for place in range(len(self._sizes) - 1, -1, -1):
            half, available = self._sizes[place]
            for used in range(min(available, left // half) + 1):
                ways = comb(available, used) << used
                here = ways * self._ways[place][left - used * half]
                if number < here:
                    break
                number -= here
            number //= ways
            numbers[half] = used
            left -= used * half
        return numbers

    @cached_property
    def _sizes(self) -> list[tuple[int, int]]:
        return [(half, len(orbits)) for half, orbits in sorted(_by_half(self.recipe.group).items())]

    @cached_property
    def _ways(self) -> list[list[int]]:
        """By number of sizes used, then by symbols: in how many ways the orbits can be filled."""
        table = [[1] + [0] * self.recipe.x]
        for half, available in self._sizes:
            row = [
                sum(
                    (comb(available, used) << used) * table[-1][symbols - used * half]
                    for used in range(min(available, symbols // half) + 1)
                )
                for symbols in range(self.recipe.x + 1)
            ]
            table.append(row)
        return table

    def pattern_of(self, fill: list[int]) -> Pattern:
        """The board whose orbits are so filled."""
        x = o = 0
        for filled, (plus, minus) in zip(fill, self._masks, strict=True):
            if filled == 1:
                x |= plus
                o |= minus
            elif filled == 2:
                x |= minus
                o |= plus
        return Pattern(self.recipe.outline, x, o)

    @cached_property
    def _masks(self) -> list[tuple[int, int]]:
        """For each orbit, its cells of either sign as sets of cells."""
        outline = self.recipe.outline
        return [
            (
                outline.mask(c for c, sign in zip(each.cells, each.signs, strict=True) if sign > 0),
                outline.mask(c for c, sign in zip(each.cells, each.signs, strict=True) if sign < 0),
            )
            for each in self.recipe.group.orbits
        ]

    # The walk

    @cached_property
    def _layout(self) -> Any:
        from litstool.lits.pattern.chain import layout_of

        return layout_of(self.recipe)

    def _walked(self, source: random.Random) -> Pattern:
        if self._first is not None:
            return self._walk_from(source, self._first)
        for _ in range(_TRIES):
            self._check_time()
            found = self._walk(source, self.direct(source))
            if found is not None:
                return found
        self.__dict__["_first"] = self._decide()
        return self._walk_from(source, self.__dict__["_first"])

    _first: tuple[int, ...] | None = None
    """A board by SAT to start from, where walks find none by themselves."""

    def _walk_from(self, source: random.Random, fill: tuple[int, ...]) -> Pattern:
        for _ in range(_TRIES):
            self._check_time()
            found = self._walk(source, list(fill))
            if found is not None:
                return found
        return self.pattern_of(list(fill))

    def _walk(self, source: random.Random, fill: list[int]) -> Pattern | None:
        """Where a walk ends, if that fits: the moment is fixed beforehand, not the first that
        fits, which would favour boards that are quickly reached."""
        import numpy as np

        from litstool.lits.pattern import chain

        state = chain.state_of(self._layout, np.array(fill, dtype=np.int64))
        steps = STEPS_AN_ORBIT * len(fill)
        for _ in range(4):
            if chain.walk(self._layout, state, source.getrandbits(62), steps, False) == 0:
                pattern = self.pattern_of(state.fill.tolist())
                if not self.recipe.exactly or self.recipe.group.is_exact(pattern):
                    return pattern
        return None

    def neighbour(self, pattern: Pattern, source: random.Random, steps: int) -> Pattern | None:
        """A fitting board some steps of the walk away; None where there came none."""
        import numpy as np

        from litstool.lits.pattern import chain

        state = chain.state_of(self._layout, np.array(self.fill_of(pattern), dtype=np.int64))
        chain.walk(self._layout, state, source.getrandbits(62), steps, False)
        if chain.walk(self._layout, state, source.getrandbits(62), 4000, True) > 0:
            return None
        found = self.pattern_of(state.fill.tolist())
        return found if self.recipe.fits(found) else None

    def fill_of(self, pattern: Pattern) -> list[int]:
        """How the orbits of a board of the recipe's symmetries are filled."""
        fill = []
        for plus, minus in self._masks:
            bearing_x = (plus & pattern.x_cells) or (minus & pattern.o_cells)
            bearing_o = (plus & pattern.o_cells) or (minus & pattern.x_cells)
            fill.append(1 if bearing_x else 2 if bearing_o else 0)
        return fill

    def _check_time(self) -> None:
        if self.control.is_over:
            why = "interrupted" if self.control.interrupted else "time limit"
            raise UndecidedError(f"no board was found, nor proved impossible ({why})")

    def _decide(self) -> tuple[int, ...]:
        from litstool.lits.pattern.prove import decide

        left = self.control.left
        decision = decide(self.recipe, self.control.within(SAT_SECONDS if left is None else left))
        if decision.fill is not None:
            return decision.fill
        what = describe(self.recipe)
        if decision.possible is None:
            raise UndecidedError(
                f"no board was found, nor proved impossible ({decision.stopped}): {what}"
            )
        raise ImpossibleError(
            f"no board is like that: {what} (proved by SAT: {decision.clauses:,} clauses "
            "cannot hold together)"
        )


def _by_half(group: SignedGroup) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for index, orbit in enumerate(group.orbits):
        found.setdefault(orbit.half, []).append(index)
    return found


def describe(recipe: Recipe) -> str:
    """A recipe in words."""
    outline = recipe.outline
    parts = [f"{outline.rows} x {outline.columns} cells"]
    if outline.holes:
        parts[0] += f" less {len(outline.holes)} holes"
    parts.append(f"{recipe.x} X and {recipe.o} O")
    if recipe.group.exchanges:
        names = ", ".join(each.name for each in recipe.group.exchanges)
        only = ", and no other symmetry" if recipe.exactly else ""
        parts.append(f"X and O exchanged by {names}{only}")
    elif recipe.exactly:
        parts.append("no symmetry")
    areas = list(dict.fromkeys(area.name.split()[0] + "s" for area in recipe.areas))
    if areas:
        parts.append(f"even {' and '.join(areas)}")
    if recipe.joins:
        parts.append(f"{_joins_in_words(recipe.joins)} like joins")
    if recipe.exposures:
        parts.append("X and O equally exposed")
    return ", ".join(parts)


def _joins_in_words(joins: JoinLimit) -> str:
    if joins.high < 0:
        return "fewer than no"
    if joins.high >= UNLIMITED_JOINS:
        return f"{joins.low} or more"
    return f"{joins.low} to {joins.high}"
