"""A picture as text for a terminal: box-drawing walls round regions, colour where wanted."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from litstool.draw.picture import Picture, Square, number_text
from litstool.grid import Cell

Run = tuple[str, str | None]
"""A piece of a line and its rich style."""

_STYLES = {
    "L": "bold black on #e0564a",
    "I": "bold black on #f0c93a",
    "T": "bold black on #58b95c",
    "S": "bold black on #4f9fe0",
    "light": "bold black on #f2e3c2",
    "dark": "bold white on #6b4a2f",
    "allowed": "bold #58b95c",
    "X": "bold #ff9d5c",
    "O": "bold #6cc7ff",
}
_OUTSIDE = object()
# The wall character by its arms: up, down, left, right as 8, 4, 2, 1.
_CORNERS = " ╶╴─╷┌┐┬╵└┘┴│├┤┼"


def lines(picture: Picture, color: bool) -> list[str]:
    """The picture as lines of text, with terminal colour codes if ``color``."""
    runs = [*_board(picture)]
    plain = ["".join(text for text, _ in line).rstrip() for line in runs]
    if color:
        plain = [_colored(line) for line in runs]
    title = "".join(each if each.isprintable() else " " for each in picture.title or "")
    head = [title, ""] if title else []
    tail = ["", *picture.facts] if picture.facts else []
    return [*head, *plain, *tail, *(["", *picture.legend] if picture.legend else [])]


def _colored(line: list[Run]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(force_terminal=True, color_system="truecolor", width=200)
    text = Text.assemble(*((part, style or "") for part, style in line))
    with console.capture() as capture:
        console.print(text, end="")
    return capture.get().rstrip("\n")


def _board(picture: Picture) -> Iterator[list[Run]]:
    rows, columns = picture.outline.rows, picture.outline.columns
    margin = len(str(rows)) + 1
    letters = "".join(f" {chr(ord('a') + column)}  " for column in range(columns))
    yield [(" " * (margin + 1) + letters, "dim")]
    for row in range(rows + 1):
        yield [(" " * margin, None), *_wall_line(picture, row)]
        if row < rows:
            yield [(f"{row + 1:>{margin - 1}} ", "dim"), *_cell_line(picture, row)]


def _region(picture: Picture, row: int, column: int) -> Hashable:
    square = picture.squares.get(Cell(row, column))
    return _OUTSIDE if square is None else square.region


def _fill(picture: Picture, first: Cell, second: Cell) -> str | None:
    """The style between two cells: that of the region they share."""
    one, other = picture.squares.get(first), picture.squares.get(second)
    if one is None or other is None or one.region is None or one.region != other.region:
        return None
    return _STYLES.get(one.fill or "")


def _wall_line(picture: Picture, row: int) -> list[Run]:
    runs: list[Run] = []
    columns = picture.outline.columns

    def across(column: int) -> bool:
        """Whether a wall runs along the top of this cell."""
        return _region(picture, row - 1, column) != _region(picture, row, column)

    def down(row: int, column: int) -> bool:
        """Whether a wall runs along the left of this cell."""
        return _region(picture, row, column - 1) != _region(picture, row, column)

    for column in range(columns + 1):
        arms = (
            8 * down(row - 1, column)
            + 4 * down(row, column)
            + 2 * across(column - 1)
            + across(column)
        )
        runs.append((_CORNERS[arms], None))
        if column < columns:
            style = _fill(picture, Cell(row - 1, column), Cell(row, column))
            runs.append(("───" if across(column) else "   ", style))
    return runs


def _cell_line(picture: Picture, row: int) -> list[Run]:
    runs: list[Run] = []
    columns = picture.outline.columns
    numbers = picture.numbered()
    for column in range(columns + 1):
        wall = _region(picture, row, column - 1) != _region(picture, row, column)
        style = _fill(picture, Cell(row, column - 1), Cell(row, column))
        runs.append(("│" if wall else " ", style))
        if column == columns:
            break
        square = picture.squares.get(Cell(row, column))
        if square is None:
            runs.append(("░░░", "dim"))
            continue
        text = _text(square, numbers.get(Cell(row, column)))
        style = _STYLES.get(square.fill or "")
        if square.faint:
            style = f"dim {style or ''}".strip()
        runs.append((text, style))
    return runs


def _text(square: Square, number: int | None) -> str:
    """What stands in a cell, three characters wide: a move's or a heat map's number first."""
    if number is not None:
        return str(number).center(3)
    if square.heat is not None:
        return number_text(square.heat)[:3].center(3)
    return f"[{square.text}]" if square.bracketed else square.text.center(3)
