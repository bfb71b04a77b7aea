"""Boards whose X and O a symmetry exchanges.

Symmetries that exchange the symbols generate a *signed group*: each member is one of the eight
symmetries of the square with the sign -1 (it maps X onto O) or +1 (it maps X onto X).  The cells
fall into *orbits*, which are filled as one: the symbol of one cell decides those of the others.
A cell that some exchange leaves in place would have to be X and O at once, so it stays blank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from litstool.errors import UsageError
from litstool.files.reading import nearest
from litstool.grid import (
    ANTIDIAGONAL,
    DIAGONAL,
    HALF_TURN,
    IDENTITY,
    MIRROR_LR,
    MIRROR_UD,
    QUARTER_TURN,
    SYMMETRIES,
    THREE_QUARTER_TURN,
    Cell,
    Outline,
    Symmetry,
)
from litstool.lits.board import Pattern

NAMED = (HALF_TURN, QUARTER_TURN, MIRROR_LR, MIRROR_UD, DIAGONAL, ANTIDIAGONAL)
"""The symmetries that users name.  Three quarters of a turn go with the quarter turn."""

Signed = tuple[Symmetry, int]


def symmetry_named(name: str) -> Symmetry:
    """A symmetry by its name, upper and lower case alike.

    :raises UsageError: there is none of that name.
    """
    for symmetry in NAMED:
        if symmetry.name == name.strip().lower():
            return symmetry
    known = [symmetry.name for symmetry in NAMED]
    raise UsageError(f"{name!r} is no symmetry; {nearest(name, known)}")


def exchange_names(pattern: Pattern) -> list[str]:
    """The names of the symmetries that exchange X and O on a pattern."""
    return [each.name for each, sign in signed_symmetries(pattern) if sign < 0 and each in NAMED]


def self_names(pattern: Pattern) -> list[str]:
    """The names of the symmetries that leave a pattern as it is."""
    return [each.name for each, sign in signed_symmetries(pattern) if sign > 0 and each in NAMED]


_EXCHANGED = str.maketrans("XO", "OX")


def signed_symmetries(pattern: Pattern) -> list[Signed]:
    """Every symmetry of a pattern but the identity as it is: -1 exchanges X and O, +1 keeps them.

    The same as :meth:`Pattern.exchange_symmetries` and :meth:`Pattern.self_symmetries`, fast
    enough for thousands of boards.
    """
    symbols = "".join(pattern.rows())
    exchanged = symbols.translate(_EXCHANGED)
    found = []
    for symmetry, moved in _movers(pattern.outline.rows, pattern.outline.columns):
        image = "".join(moved(symbols))
        if image == symbols and symmetry != IDENTITY:
            found.append((symmetry, 1))
        if image == exchanged:
            found.append((symmetry, -1))
    return found


@lru_cache(maxsize=32)
def _movers(rows: int, columns: int) -> list[tuple[Symmetry, Callable[[str], tuple[str, ...]]]]:
    """For each symmetry that keeps the sides, what puts the cells' symbols in their new order."""
    movers: list[tuple[Symmetry, Callable[[str], tuple[str, ...]]]] = []
    for symmetry in (*NAMED, IDENTITY, THREE_QUARTER_TURN):
        if symmetry.size(rows, columns) != (rows, columns):
            continue
        order = [0] * (rows * columns)
        for index in range(rows * columns):
            image = symmetry.cell(Cell(*divmod(index, columns)), rows, columns)
            order[image.row * columns + image.column] = index
        movers.append((symmetry, itemgetter(*order)))
    return movers


@dataclass(frozen=True)
class Orbit:
    """Cells that are filled as one: each with +1 or -1, equal cells bearing equal symbols."""

    cells: tuple[Cell, ...]
    signs: tuple[int, ...]

    @property
    def half(self) -> int:
        """How many X, and how many O, a filled orbit of an exchange has."""
        return len(self.cells) // 2


@dataclass(frozen=True)
class SignedGroup:
    """The signed group of some exchanges on an outline, and the orbits of its cells.

    ``blank`` are the cells that have to stay blank.  Without exchanges every cell is an orbit.
    """

    members: tuple[Signed, ...]
    orbits: tuple[Orbit, ...]
    blank: tuple[Cell, ...]
    exchanges: tuple[Symmetry, ...]

    @property
    def exchanging(self) -> bool:
        """Whether there is an exchange at all."""
        return len(self.members) > 1

    def is_exact(self, pattern: Pattern) -> bool:
        """Whether a pattern of the group has no further symmetry of either kind."""
        return len(signed_symmetries(pattern)) == len(self.members) - 1


def signed_group(outline: Outline, exchanges: Iterable[Symmetry]) -> SignedGroup:
    """The group that exchanges generate on an outline.

    :raises UsageError: the outline cannot carry them, or they contradict each other; says why.
    """
    exchanges = tuple(dict.fromkeys(exchanges))
    for symmetry in exchanges:
        _check_carries(outline, symmetry)
    members = _generate(exchanges)
    orbits: list[Orbit] = []
    blank: list[Cell] = []
    seen: set[Cell] = set()
    for cell in outline.cells:
        if cell in seen:
            continue
        signs: dict[Cell, int] = {}
        torn = False
        for symmetry, sign in members:
            image = symmetry.cell(cell, outline.rows, outline.columns)
            torn = torn or signs.setdefault(image, sign) != sign
        seen.update(signs)
        cells = tuple(sorted(signs))
        if torn:
            blank += cells
        else:
            orbits.append(Orbit(cells, tuple(signs[each] for each in cells)))
    return SignedGroup(members, tuple(orbits), tuple(sorted(blank)), exchanges)


def _check_carries(outline: Outline, symmetry: Symmetry) -> None:
    rows, columns = outline.rows, outline.columns
    if symmetry.turns_sides and rows != columns:
        raise UsageError(
            f"a board of {rows} x {columns} cells cannot have the symmetry {symmetry.name}: "
            "it needs as many rows as columns"
        )
    for hole in sorted(outline.holes):
        image = symmetry.cell(hole, rows, columns)
        if image not in outline.holes:
            raise UsageError(
                f"the outline cannot have the symmetry {symmetry.name}: "
                f"{hole.name} is a hole and its image {image.name} is not"
            )


_PROBE = (9, 9, Cell(1, 3))  # a cell that no two of the eight symmetries send to the same place


def _compose(first: Symmetry, then: Symmetry) -> Symmetry:
    rows, columns, cell = _PROBE
    image = then.cell(first.cell(cell, rows, columns), rows, columns)
    return next(each for each in SYMMETRIES if each.cell(cell, rows, columns) == image)


def _generate(exchanges: tuple[Symmetry, ...]) -> tuple[Signed, ...]:
    signs = {IDENTITY: 1}
    waiting = [IDENTITY]
    while waiting:
        one = waiting.pop()
        for exchange in exchanges:
            made, sign = _compose(one, exchange), -signs[one]
            if made not in signs:
                signs[made] = sign
                waiting.append(made)
            elif signs[made] != sign:
                given = ", ".join(each.name for each in exchanges)
                raise UsageError(
                    f"X and O cannot be exchanged by all of {given}: together they would have "
                    f"to map a board onto itself by the symmetry {made.name} both with and "
                    "without an exchange, so every symbol would be X and O at once"
                )
    return tuple((symmetry, signs[symmetry]) for symmetry in SYMMETRIES if symmetry in signs)


def check_count(group: SignedGroup, count: int, cells: int) -> None:
    """Refuse a number of symbols of each side that no board of the group has.

    :raises UsageError: says why: too many for the cells that are not blank, or no sum of orbits.
    """
    names = ", ".join(symmetry.name for symmetry in group.exchanges)
    most = sum(orbit.half for orbit in group.orbits)
    if count > most:
        reason = f"the board has {cells} cells"
        if group.blank:
            reason += (
                f" and {len(group.blank)} of them stay blank, since an exchange leaves them "
                f"in place ({_some(group.blank)})"
            )
        raise UsageError(
            f"{count} symbols of each side do not fit with the symmetry {names}: {reason}, "
            f"so {most} of each is the most"
        )
    if count not in possible_counts(group):
        sizes = Counter(orbit.half for orbit in group.orbits)
        parts = " and ".join(f"{half} at a time ({number} times)" for half, number in sizes.items())
        near = min(possible_counts(group), key=lambda each: (abs(each - count), each))
        raise UsageError(
            f"{count} symbols of each side cannot have the symmetry {names}: it fills cells "
            f"together, {parts} for each side; the nearest number that can is {near}"
        )


def _some(cells: tuple[Cell, ...]) -> str:
    shown = ", ".join(cell.name for cell in cells[:4])
    return shown + (", …" if len(cells) > 4 else "")


def possible_counts(group: SignedGroup) -> set[int]:
    """The numbers of symbols of each side that a board of an exchanging group may have."""
    sums = {0}
    for half, number in Counter(orbit.half for orbit in group.orbits).items():
        sums = {total + half * used for total in sums for used in range(number + 1)}
    return sums
