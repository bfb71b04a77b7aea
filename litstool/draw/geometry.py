"""Outlines of sets of cells, and the lines and dots that hatch them, as SVG path data.

Everything is plain paths: no pattern, clip or style sheet, so that every program that knows paths
draws the same picture.  y grows downwards, and a cell is ``CELL`` units wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from litstool.grid import Cell

CELL = 40.0
Point = tuple[float, float]


def number(value: float) -> str:
    """A coordinate in as few characters as two places after the point allow."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0", value == 0)


def at(x: float, y: float) -> str:
    """A point as path data."""
    return f"{number(x)} {number(y)}"


def loops(cells: Iterable[Cell]) -> list[list[Point]]:
    """The boundary of a set of cells as closed loops of corners, the cells to the right.

    Corners are in cells: (column, row).  Where two cells meet only at a corner, the loops stay
    apart.
    """
    inside = set(cells)
    # Each edge of the boundary by its start: clockwise round the cells as they are seen.
    leaving: dict[Point, list[Point]] = {}
    for row, column in sorted(inside):
        corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
        sides = [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]
        for place, side in enumerate(sides):
            if side not in inside:
                leaving.setdefault(corners[place], []).append(corners[(place + 1) % 4])
    found = []
    while leaving:
        start = min(leaving)
        here, loop = start, []
        step = (0.0, 0.0)
        while True:
            ways = leaving[here]
            # Turning right first keeps cells that meet at a corner in loops of their own.
            right = (here[0] - step[1], here[1] + step[0])
            there = right if right in ways else ways[0]
            ways.remove(there)
            if not ways:
                del leaving[here]
            if (there[0] - here[0], there[1] - here[1]) != step:
                loop.append(here)
            step = (there[0] - here[0], there[1] - here[1])
            here = there
            if here == start:
                break
        found.append(loop if _turns(loop, 0) else loop[1:])
    return found


def _turns(loop: list[Point], place: int) -> bool:
    (ax, ay), (bx, by), (cx, cy) = loop[place - 1], loop[place], loop[(place + 1) % len(loop)]
    return (bx - ax) * (cy - by) != (by - ay) * (cx - bx)


def _direction(start: Point, end: Point) -> Point:
    (ax, ay), (bx, by) = start, end
    length = abs(bx - ax) + abs(by - ay)
    return (bx - ax) / length, (by - ay) / length


def rounded(cells: Iterable[Cell], x: float, y: float, inset: float, radius: float) -> str:
    """The boundary of a set of cells, drawn ``inset`` inside it with rounded corners.

    x and y are where the grid's top left corner is.
    """
    parts = []
    for loop in loops(cells):
        corners = []
        for place, corner in enumerate(loop):
            before = _direction(loop[place - 1], corner)
            after = _direction(corner, loop[(place + 1) % len(loop)])
            # The inward normal of a direction (dx, dy) with the cells to its right is (-dy, dx).
            along = (
                x + corner[0] * CELL - (before[1] + after[1]) * inset,
                y + corner[1] * CELL + (before[0] + after[0]) * inset,
            )
            corners.append((along, before, after))
        if not radius:
            parts.append("M" + "L".join(at(*along) for along, _, _ in corners) + "Z")
            continue
        commands: list[str] = []
        for (px, py), before, after in corners:
            commands.append(
                f"{'L' if commands else 'M'}{at(px - before[0] * radius, py - before[1] * radius)}"
                f"Q{at(px, py)} {at(px + after[0] * radius, py + after[1] * radius)}"
            )
        parts.append("".join(commands) + "Z")
    return "".join(parts)


def squares(cells: Iterable[Cell], x: float, y: float) -> str:
    """Each cell as a square."""
    side = number(CELL)
    return "".join(
        f"M{at(x + cell.column * CELL, y + cell.row * CELL)}h{side}v{side}h-{side}z"
        for cell in cells
    )


def inner_lines(cells: Iterable[Cell], x: float, y: float) -> str:
    """The lines between cells that share an edge, each as long as it runs straight on."""
    inside = set(cells)
    across: dict[int, list[int]] = {}
    upright: dict[int, list[int]] = {}
    for row, column in sorted(inside):
        if (row + 1, column) in inside:
            across.setdefault(row + 1, []).append(column)
        if (row, column + 1) in inside:
            upright.setdefault(column + 1, []).append(row)
    parts = []
    for row, columns in across.items():
        for start, length in _runs(columns):
            parts.append(f"M{at(x + start * CELL, y + row * CELL)}h{number(length * CELL)}")
    for column, rows in upright.items():
        for start, length in _runs(rows):
            parts.append(f"M{at(x + column * CELL, y + start * CELL)}v{number(length * CELL)}")
    return "".join(parts)


def _runs(values: list[int]) -> Iterator[tuple[int, int]]:
    """Runs of consecutive numbers in a rising list, each as its start and its length."""
    start = 0
    for place in range(1, len(values) + 1):
        if place == len(values) or values[place] != values[place - 1] + 1:
            yield values[start], place - start
            start = place


def hatch(style: str, cells: Iterable[Cell], x: float, y: float, gap: float, margin: float) -> str:
    """Lines ``/`` or ``\\``, or ``dots``, ``gap`` units apart, over a set of cells.

    They keep ``margin`` units from the boundary and run on from cell to cell.  Dots are lines of
    no length: draw them with round caps.
    """
    inside = set(cells)
    parts: list[str] = []
    for row, column in sorted(inside):
        left = x + column * CELL + (0 if (row, column - 1) in inside else margin)
        right = x + (column + 1) * CELL - (0 if (row, column + 1) in inside else margin)
        top = y + row * CELL + (0 if (row - 1, column) in inside else margin)
        bottom = y + (row + 1) * CELL - (0 if (row + 1, column) in inside else margin)
        parts += _STYLES[style](left - x, right - x, top - y, bottom - y, gap, x, y)
    return "".join(parts)


def _multiples(low: float, high: float, gap: float) -> Iterator[float]:
    """The numbers halfway between multiples of ``gap`` from low to high."""
    step = int((low - gap / 2) // gap)
    while (value := step * gap + gap / 2) <= high:
        if value >= low:
            yield value
        step += 1


def _rising(
    left: float, right: float, top: float, bottom: float, gap: float, x: float, y: float
) -> Iterator[str]:
    for total in _multiples(left + top, right + bottom, gap * 2**0.5):
        start, end = max(left, total - bottom), min(right, total - top)
        if end - start > 0.5:
            yield f"M{at(x + start, y + total - start)}L{at(x + end, y + total - end)}"


def _falling(
    left: float, right: float, top: float, bottom: float, gap: float, x: float, y: float
) -> Iterator[str]:
    for total in _multiples(left - bottom, right - top, gap * 2**0.5):
        start, end = max(left, total + top), min(right, total + bottom)
        if end - start > 0.5:
            yield f"M{at(x + start, y + start - total)}L{at(x + end, y + end - total)}"


def _dots(
    left: float, right: float, top: float, bottom: float, gap: float, x: float, y: float
) -> Iterator[str]:
    for down in _multiples(top, bottom, gap):
        for across in _multiples(left, right, gap):
            yield f"M{at(x + across, y + down)}h.01"


_STYLES = {"/": _rising, "\\": _falling, "dots": _dots}
