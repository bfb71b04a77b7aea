"""Reading a board as ``litstool show`` draws it: walls, marks, and what stands below it.

Lines or ASCII, wide or narrow, with numbers or without, whatever the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from litstool.errors import NotationError, Violation
from litstool.files.reading import Source
from litstool.grid import Cell

HOLE, NUMBER, BLANK = "#", "0", "."
"""The marks of a hole, of a cell that shows a number alone, and of an empty cell."""

NOT_LEGAL = "Not legal:"
"""The label above the broken rules."""

_LETTERS = re.compile(r"\s+a( +)b\1c(?:\1[d-z])*\s*")
_WALLS = re.compile(r"\s*[┌┬─╶+-][┌┐└┘├┤┬┴┼─│╶╴╷╵+| -]*")
_ANY_WALLS = re.compile(r"[┌┐└┘├┤┬┴┼─│╶╴╷╵+| -]*")
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_ROW = re.compile(r"\s*([0-9]{1,2}) ")


def begins(lines: Sequence[str], index: int) -> bool:
    """Whether the board of a drawing begins at this line: column letters with walls below."""
    if not _LETTERS.fullmatch(_COLOR.sub("", lines[index])) or index + 1 == len(lines):
        return False
    below = _COLOR.sub("", lines[index + 1])
    return _WALLS.fullmatch(below) is not None


@dataclass(frozen=True)
class Drawing:
    """What a drawing says: the mark of each cell, the walls, the title and the facts.

    A mark is the letter in the cell, or ``HOLE``, ``NUMBER`` or ``BLANK``.  ``walls`` are the
    pairs of neighbouring cells with a wall between, the upper or left one first.  ``facts`` are
    the words after each label, ``faults`` the broken rules.
    """

    source: Source
    rows: tuple[tuple[str, ...], ...]
    walls: frozenset[tuple[Cell, Cell]]
    title: str | None
    facts: dict[str, str]
    faults: tuple[str, ...]
    line_of_row: tuple[int, ...]

    def fail(self, cell: Cell, message: str) -> NotationError:
        """An error at a cell."""
        where = self.source.place(self.line_of_row[cell.row])
        return NotationError(f"{cell.name}: {message}", where)

    def check_faults(self, violations: Iterable[Violation]) -> None:
        """See that what was read breaks the rules that the drawing says are broken.

        :raises NotationError: it does not, such as where only the order of the moves was wrong.
        """
        told = {fault.partition(":")[0] for fault in self.faults}
        missing = told - {each.rule for each in violations}
        if missing:
            raise NotationError(
                f"the drawing is of a position that is not legal ({', '.join(sorted(missing))}), "
                "and does not show why; give the file that it was drawn from",
                self.source.where,
            )

    def cells(self) -> dict[Cell, str]:
        """Every cell with its mark."""
        return {
            Cell(row, column): mark
            for row, marks in enumerate(self.rows)
            for column, mark in enumerate(marks)
        }

    def joined(self, cells: set[Cell]) -> list[tuple[Cell, ...]]:
        """Some cells in parts that no wall divides, each sorted, the parts by their first cell."""
        parts, left = [], set(cells)
        for first in sorted(cells):
            if first not in left:
                continue
            left.discard(first)
            part, waiting = [first], [first]
            while waiting:
                here = waiting.pop()
                for near in here.edge_neighbours():
                    pair = (min(here, near), max(here, near))
                    if near in left and pair not in self.walls:
                        left.discard(near)
                        part.append(near)
                        waiting.append(near)
            parts.append(tuple(sorted(part)))
        return parts


def read(source: Source) -> Drawing | None:
    """The drawing in a text; None where there is none.

    :raises NotationError: its lines do not fit together.
    """
    lines = [_COLOR.sub("", line).rstrip() for line in source.text.split("\n")]
    start = next((index for index in range(len(lines)) if begins(lines, index)), None)
    if start is None:
        return None
    above = [line.strip() for line in lines[:start] if line.strip()]
    centers = [place for place, letter in enumerate(lines[start]) if letter != " "]
    span = centers[1] - centers[0] - 1
    rows: list[tuple[str, ...]] = []
    places: list[int] = []
    walls: set[tuple[Cell, Cell]] = set()
    index = start + 1
    while index < len(lines) and _ANY_WALLS.fullmatch(lines[index]):
        if rows:
            _add_walls(lines[index], len(rows), centers, walls)
        row = _ROW.match(lines[index + 1]) if index + 1 < len(lines) else None
        if row is None:
            break
        if int(row[1]) != len(rows) + 1:
            raise NotationError(
                f"the drawing's row {row[1]} stands where row {len(rows) + 1} belongs",
                source.place(index + 2),
            )
        line = lines[index + 1].ljust(centers[-1] + span + 2)
        marks = []
        for column, center in enumerate(centers):
            left = center - span // 2
            marks.append(_mark(line[left : left + span]))
            if column and line[left - 1] != " ":
                walls.add((Cell(len(rows), column - 1), Cell(len(rows), column)))
        rows.append(tuple(marks))
        places.append(index + 2)
        index += 2
    if not rows:
        raise NotationError("the drawing has no rows", source.place(start + 1))
    facts, faults = _facts(lines[index:])
    title = above[-1] if above else None
    return Drawing(source, tuple(rows), frozenset(walls), title, facts, faults, tuple(places))


def _add_walls(line: str, row: int, centers: list[int], walls: set[tuple[Cell, Cell]]) -> None:
    """Note the walls between a row and the one above it."""
    line = line.ljust(centers[-1] + 1)
    for column, center in enumerate(centers):
        if line[center] != " ":
            walls.add((Cell(row - 1, column), Cell(row, column)))


def _mark(text: str) -> str:
    inside = text.strip().strip("[]").strip()
    if not inside or inside[0] in "·.":
        return BLANK
    if inside[0] in "░#":
        return HOLE
    return NUMBER if inside.isdigit() else inside[0]


def _facts(lines: list[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The lines below a board: the words after each label, and the broken rules.

    Lines that were broken for a narrow screen are put together again.
    """
    facts: dict[str, str] = {}
    faults: list[str] = []
    label = ""
    for line in lines:
        if line.startswith("  "):
            if label == NOT_LEGAL and re.match(r"  [a-z0-9-]+: ", line):
                faults.append(line.strip())
            elif label:
                facts[label] += f" {line.strip()}"
            continue
        label, _, words = line.partition("  ")
        facts[label] = words.strip()
    return facts, tuple(faults)
