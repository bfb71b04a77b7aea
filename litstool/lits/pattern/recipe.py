"""What a board shall be like: a recipe, with every limit in whole numbers.

A recipe is only the question.  Whole numbers keep the answer the same on every machine and let
the same limits be put to SAT.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt

from litstool.errors import LitstoolError, UsageError
from litstool.files.reading import nearest
from litstool.grid import SYMMETRIES, Cell, Outline, Symmetry
from litstool.lits.board import Pattern, check_size
from litstool.lits.pattern.balance import (
    AREAS,
    count_joins,
    counts_in,
    join_moments,
    placement_exposure,
)
from litstool.lits.pattern.symmetry import (
    SignedGroup,
    check_count,
    possible_counts,
    signed_group,
    symmetry_named,
)
from litstool.search.control import Control

EVEN_AREAS = ("rows", "columns", "quadrants")

SPREADS = {"even": (-1.0, 1.0), "apart": (None, -2.0), "clumped": (2.0, None)}
"""Limits on the z value of like joins, by name."""

UNLIMITED_JOINS = 1024
"""More than the pairs of neighbours of the largest board."""

USUAL_SHARE = 0.3
"""The share of the cells that each side's symbols take where no number is given."""

PLAY_GAMES, PLAY_SEED = 65_536, 5
"""The random games from which a recipe takes how often play covers a cell."""


_weights: dict[Outline, tuple[int, ...]] = {}
"""What :func:`play_weights` has worked out."""


class ImpossibleError(LitstoolError):
    """No board is like that; SAT has proved it."""

    kind = "impossible"
    exit_status = 1


class UndecidedError(LitstoolError):
    """No board was found within the limits, and none proved impossible."""

    kind = "undecided"
    exit_status = 3


@dataclass(frozen=True)
class AreaLimit:
    """X less O on some cells is from ``low`` to ``high``."""

    name: str
    cells: tuple[Cell, ...]
    low: int
    high: int


@dataclass(frozen=True)
class JoinLimit:
    """The pairs of neighbouring equal symbols are from ``low`` to ``high``."""

    low: int
    high: int


@dataclass(frozen=True)
class ExposureLimit:
    """``|o * (sum over X) - x * (sum over O)|`` of the weights of their cells is at most ``most``.

    That is the difference of the mean weights, times the numbers x and o of symbols.
    """

    name: str
    weights: tuple[int, ...]  # in the order of outline.cells
    most: int


@dataclass(frozen=True)
class Recipe:
    """A board's outline, numbers of symbols, symmetries and limits.

    ``exactly`` forbids symmetries beyond those of the group.
    """

    outline: Outline
    x: int
    o: int
    group: SignedGroup
    exactly: bool = False
    areas: tuple[AreaLimit, ...] = ()
    joins: JoinLimit | None = None
    exposures: tuple[ExposureLimit, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether there are no limits beyond the numbers and symmetries asked for."""
        return not (self.exactly or self.areas or self.joins or self.exposures)

    def fits(self, pattern: Pattern) -> bool:
        """Whether a board of the right numbers and symmetries keeps every limit."""
        for area in self.areas:
            x, o = counts_in(pattern, area.cells)
            if not area.low <= x - o <= area.high:
                return False
        for exposure in self.exposures:
            if abs(self.exposure_difference(pattern, exposure)) > exposure.most:
                return False
        if self.joins and not self.joins.low <= count_joins(pattern)["like"] <= self.joins.high:
            return False
        return not self.exactly or self.group.is_exact(pattern)

    def exposure_difference(self, pattern: Pattern, limit: ExposureLimit) -> int:
        """What an exposure limit bounds, with its sign: above 0 where X is more exposed."""
        total = 0
        for cell, weight in zip(self.outline.cells, limit.weights, strict=True):
            bit = self.outline.bit(cell)
            if pattern.x_cells & bit:
                total += self.o * weight
            elif pattern.o_cells & bit:
                total -= self.x * weight
        return total


def make_recipe(
    outline: Outline,
    x: int | None = None,
    o: int | None = None,
    symmetry: Iterable[str] = (),
    exactly: bool = False,
    even: Iterable[str] = (),
    spread: tuple[float | None, float | None] | None = None,
    reach_even: float | None = None,
    control: Control | None = None,
) -> Recipe:
    """A recipe from what a user asks for.

    ``x`` and ``o`` are the numbers of symbols, about 30 % of the cells each where left out.
    ``symmetry`` names exchanges, ``even`` areas that shall have equally many X and O, ``spread``
    bounds the z value of like joins, ``reach_even`` the difference in exposure of X and O in
    percent of their mean, among all placements and among those of random play.

    :raises UsageError: numbers out of range, or symmetries that the outline or the numbers
        cannot carry; the message says why.
    :raises UndecidedError: the control stopped the random play.
    """
    check_size(outline.rows, outline.columns)
    group = signed_group(outline, [symmetry_named(name) for name in symmetry])
    cells = len(outline.cells)
    if x is None and o is None:
        x = o = _usual_count(group, cells)
    x = o if x is None else x
    o = x if o is None else o
    assert x is not None and o is not None
    if x < 0 or o < 0:
        raise UsageError(f"{min(x, o)} symbols are too few: it may be none, not fewer")
    if x + o > cells:
        raise UsageError(f"{x} X and {o} O do not fit on a board of {cells} cells")
    if group.exchanging:
        if x != o:
            raise UsageError(
                f"a board with {x} X and {o} O cannot have the symmetry "
                f"{', '.join(each.name for each in group.exchanges)}: it exchanges X and O, so "
                "their numbers are equal"
            )
        check_count(group, x, cells)
    return Recipe(
        outline,
        x,
        o,
        group,
        exactly,
        tuple(limit for name in even for limit in _area_limits(outline, name, x - o)),
        None if spread is None else _join_limit(outline, x, o, spread),
        () if reach_even is None else _exposure_limits(outline, x, o, reach_even, control),
    )


def _usual_count(group: SignedGroup, cells: int) -> int:
    usual = round(USUAL_SHARE * cells)
    if not group.exchanging:
        return usual
    return min(possible_counts(group), key=lambda each: (abs(each - usual), each))


def _area_limits(outline: Outline, name: str, surplus: int) -> list[AreaLimit]:
    if name not in EVEN_AREAS:
        raise UsageError(f"{name!r} is nothing to make even; {nearest(name, EVEN_AREAS)}")
    areas = [(area, cells) for area, cells in AREAS[name](outline) if cells]
    # A surplus of one side is shared out as evenly as whole numbers allow.
    low, over = divmod(surplus, len(areas))
    what = name.removesuffix("s")
    return [AreaLimit(f"{what} {area}", cells, low, low + (over > 0)) for area, cells in areas]


def parse_spread(text: str) -> tuple[float | None, float | None]:
    """Limits on the z value of like joins: a name, or ``LOW,HIGH`` of which one may be left out.

    :raises UsageError: it is neither.
    """
    word = text.strip().lower()
    if word in SPREADS:
        return SPREADS[word]
    low, comma, high = word.partition(",")
    try:
        limits = tuple(float(part) if part.strip() else None for part in (low, high))
    except ValueError:
        limits = ()
    if not comma or not limits or not all(each is None or abs(each) <= 1000 for each in limits):
        raise UsageError(
            f"--spread {text}: expected {', '.join(SPREADS)}, or LOW,HIGH for the z value of like "
            "joins, such as -1,1"
        )
    if None not in limits and limits[0] > limits[1]:  # type: ignore[operator]
        raise UsageError(f"--spread {text}: the lower limit is above the upper one")
    return limits  # type: ignore[return-value]


def _join_limit(
    outline: Outline, x: int, o: int, spread: tuple[float | None, float | None]
) -> JoinLimit:
    expected, variance = join_moments(outline, x, o)["like"]
    deviation = sqrt(variance)
    low, high = spread
    return JoinLimit(
        0 if low is None else max(0, ceil(float(expected) + low * deviation)),
        UNLIMITED_JOINS if high is None else floor(float(expected) + high * deviation),
    )


def _exposure_limits(
    outline: Outline, x: int, o: int, percent: float, control: Control | None
) -> tuple[ExposureLimit, ...]:
    covering = placement_exposure(outline)
    found = []
    for name, by_cell in (
        ("all placements", [covering[cell] for cell in outline.cells]),
        ("random play", list(play_weights(outline, control))),
    ):
        mean = sum(by_cell) / max(1, len(by_cell))
        found.append(ExposureLimit(name, tuple(by_cell), floor(percent / 100 * mean * x * o)))
    return tuple(found)


def play_weights(outline: Outline, control: Control | None = None) -> Sequence[int]:
    """For each cell, how many of 1,000 random games cover it, the same for cells that a symmetry
    of the outline maps onto each other.

    :raises UndecidedError: the control stopped the games.
    """
    from litstool.lits import playouts

    if outline in _weights:
        return _weights[outline]
    board = playouts.PlayoutTables(Pattern(outline, 0, 0))
    tally = playouts.play(
        board, playouts.RANDOM, PLAY_GAMES, PLAY_SEED, with_cells=True, control=control
    )
    if tally.games < PLAY_GAMES or tally.covered is None:
        raise UndecidedError("the time was up before it was known how play covers the cells")
    counts = {
        cell: int(tally.covered[cell.row * outline.columns + cell.column]) for cell in outline.cells
    }
    weights = []
    for cell in outline.cells:
        images = [
            symmetry.cell(cell, outline.rows, outline.columns)
            for symmetry in symmetries_of(outline)
        ]
        total = sum(counts[image] for image in images)
        weights.append(1000 * total // (len(images) * tally.games))
    if len(_weights) >= 8:
        _weights.clear()
    _weights[outline] = tuple(weights)
    return _weights[outline]


def symmetries_of(outline: Outline) -> list[Symmetry]:
    """The symmetries that map an outline onto itself, the identity among them."""
    return [symmetry for symmetry in SYMMETRIES if symmetry.outline(outline) == outline]
