"""A picture as text for a terminal: walls round regions, in what the terminal can show."""

from __future__ import annotations

import textwrap
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from litstool.draw.picture import Picture, number_text
from litstool.errors import printable
from litstool.grid import Cell
from litstool.say.position import Fact
from litstool.snapshot import Square

Run = tuple[str, str | None]
"""A piece of a line and its style's name."""


@dataclass(frozen=True)
class Screen:
    """What a drawing may use: colours, other characters than ASCII, and how many columns.

    ``colors`` is one of ``STYLES``, None for none; ``width`` is None where lines may be long.
    """

    colors: str | None = None
    ascii_only: bool = False
    width: int | None = None


STYLES = {
    # Colours of the terminal's own: text on a ground of its own is black or white, whichever is
    # farther from it in the usual palettes.  Bright red is the one colour that can be read on
    # black and on white alike, so O keeps the terminal's own.  Bold black would be grey.
    "standard": {
        "L": "bright_white on red",
        "I": "black on yellow",
        "T": "black on green",
        "S": "bright_white on blue",
        "light": "black on white",
        "dark": "bright_white on black",
        "allowed": "bold",
        "X": "bright_red",
        "O": "bold",
    },
    # Any colour: those without a ground are as far from white as from black.
    "truecolor": {
        "L": "bold #000000 on #e0564a",
        "I": "bold #000000 on #f0c93a",
        "T": "bold #000000 on #58b95c",
        "S": "bold #000000 on #4f9fe0",
        "light": "bold #000000 on #f2e3c2",
        "dark": "bold #ffffff on #6b4a2f",
        "allowed": "bold #268644",
        "X": "bold #cb4d02",
        "O": "bold #2978ca",
    },
}
"""The styles of the fills by what colours a terminal has."""

# The wall character by its arms: up, down, left, right as 8, 4, 2, 1.
_CORNERS = " ╶╴─╷┌┐┬╵└┘┴│├┤┼"
_ACROSS, _UPRIGHT, _HOLE, _BRACKETS = "─", "│", "░", "[ ]"
_CELL_WIDE = 3
_LABEL_WIDE = 11
"""How wide the labels of facts are at least, with the gap behind them."""

_OUTSIDE = object()

PLAIN = {
    **dict.fromkeys("┌┐┬└┘┴├┤┼", "+"),
    **dict.fromkeys("╶╴─–−", "-"),
    **dict.fromkeys("╷╵│▏▎", "|"),
    **dict.fromkeys("█▉▊▋▌▍", "#"),
    **{"·": ".", "░": ":", "▒": "=", "▓": "%", "…": "...", "±": "+-", "×": "x", "\u00a0": " "},
}
"""What stands for the characters of drawings, bars and texts where there is only ASCII."""
_PLAIN_TABLE = str.maketrans(PLAIN)


def picture_lines(picture: Picture, screen: Screen = Screen()) -> list[str]:
    """The picture as lines of text, as this screen can show them.

    A board wider than the screen is drawn with narrow cells, and longer lines below it are broken
    between words.
    """
    form = _Form.of(picture, screen)
    runs = [[(form.text(text), style) for text, style in line] for line in _board(picture, form)]
    drawn = ["".join(text for text, _ in line).rstrip() for line in runs]
    if screen.colors is not None:
        styles = STYLES[screen.colors]
        drawn = [_colored(line, screen.colors, styles) for line in runs]
    head = [*_wrapped("", printable(picture.title), screen.width), ""] if picture.title else []
    facts = [
        line
        for label, words in _facts(picture.facts)
        for line in _wrapped(printable(label), printable(words), screen.width)
    ]
    legend = [
        line
        for mark, words in map(form.legend, picture.legend)
        for line in _wrapped(f"{mark:<3} ", words, screen.width)
    ]
    return [*head, *drawn, *(["", *facts] if facts else []), *(["", *legend] if legend else [])]


def _facts(facts: Sequence[Fact]) -> Iterator[tuple[str, str]]:
    """Each fact as what stands before its words, all of one width, and the words."""
    across = 2 + max((len(fact.label) for fact in facts), default=0)
    across = max(across, _LABEL_WIDE)
    for fact in facts:
        yield fact.label.ljust(across) if fact.label else "  " * fact.is_part, fact.words


def plain(text: str) -> str:
    """A text with ASCII for the characters of drawings and bars; letters stay as they are."""
    return text.translate(_PLAIN_TABLE)


@dataclass(frozen=True)
class _Form:
    """How wide cells are, whether they have room for brackets, and in which characters."""

    wide: int
    narrow: bool
    heated: bool
    ascii_only: bool

    @classmethod
    def of(cls, picture: Picture, screen: Screen) -> _Form:
        heats = [square.heat for square in picture.squares.values() if square.heat is not None]
        numbers = picture.numbered().values()
        # A symbol, and its number beside it; or the number of a move alone.
        needed = max(
            max((1 + len(number_text(heat)) for heat in heats), default=1),
            max((len(str(number)) for number in numbers), default=1),
        )
        needed += any(square.faulty for square in picture.squares.values())
        wide = max(_CELL_WIDE, needed)
        columns = _margin(picture) + 1 + picture.outline.columns * (wide + 1)
        narrow = screen.width is not None and columns > screen.width and needed < wide
        return cls(needed if narrow else wide, narrow, bool(heats), screen.ascii_only)

    def text(self, text: str) -> str:
        """A part of the board in this form's characters."""
        return plain(text.replace(_HOLE, "#")) if self.ascii_only else text

    def legend(self, entry: tuple[str, str]) -> tuple[str, str]:
        """A mark and its words, for this form's marks."""
        mark, words = entry
        if self.narrow and mark == _BRACKETS:
            mark, words = "x o", f"{words}, nor one left empty"
        return self.text(mark), self.text(words)

    def cell(self, square: Square, number: int | None) -> str:
        """What stands in a cell: a move's number alone, or the mark and a heat map's number."""
        if number is not None or square.faulty:
            shown = square.text if number is None else str(number)
            return f"{shown}{'!' * square.faulty}".center(self.wide)
        mark = square.text
        if square.heat is not None:
            return mark + number_text(square.heat).rjust(self.wide - 1)
        if self.narrow or (self.heated and square.region is None and not square.bracketed):
            return (mark.lower() if square.bracketed else mark).ljust(self.wide)
        return (f"[{mark}]" if square.bracketed else mark.center(_CELL_WIDE)).center(self.wide)


def _wrapped(head: str, words: str, width: int | None) -> list[str]:
    """Words after their head, in lines no longer than ``width`` that are set in like the first."""
    if width is None or len(head + words) <= width:
        return [head + words]
    return textwrap.wrap(
        words,
        max(width, len(head) + 10),
        initial_indent=head,
        subsequent_indent=" " * len(head),
    )


def _colored(line: list[Run], colors: str, styles: dict[str, str]) -> str:
    from rich.console import Console
    from rich.text import Text

    console = Console(force_terminal=True, color_system=colors, no_color=False, width=1000)  # type: ignore[arg-type]
    text = Text()
    for part, style in line:
        text.append(part, styles.get(style or "", style))
    with console.capture() as capture:
        console.print(text, end="")
    return capture.get().rstrip("\n")


def _margin(picture: Picture) -> int:
    return len(str(picture.outline.rows)) + 1


def _board(picture: Picture, form: _Form) -> Iterator[list[Run]]:
    rows, columns = picture.outline.rows, picture.outline.columns
    margin = _margin(picture)
    letters = " ".join(chr(ord("a") + column).center(form.wide) for column in range(columns))
    yield [(" " * (margin + 1) + letters, "dim")]
    for row in range(rows + 1):
        yield [(" " * margin, None), *_wall_line(picture, row, form)]
        if row < rows:
            yield [(f"{row + 1:>{margin - 1}} ", "dim"), *_cell_line(picture, row, form)]


def _region(picture: Picture, row: int, column: int) -> Hashable:
    square = picture.squares.get(Cell(row, column))
    return _OUTSIDE if square is None else square.region


def _fill(picture: Picture, first: Cell, second: Cell) -> str | None:
    """The fill between two cells: that of the region they share."""
    one, other = picture.squares.get(first), picture.squares.get(second)
    if one is None or other is None or one.region is None or one.region != other.region:
        return None
    return one.fill


def _wall_line(picture: Picture, row: int, form: _Form) -> list[Run]:
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
            fill = _fill(picture, Cell(row - 1, column), Cell(row, column))
            runs.append(((_ACROSS if across(column) else " ") * form.wide, fill))
    return runs


def _cell_line(picture: Picture, row: int, form: _Form) -> list[Run]:
    runs: list[Run] = []
    columns = picture.outline.columns
    numbers = picture.numbered()
    for column in range(columns + 1):
        wall = _region(picture, row, column - 1) != _region(picture, row, column)
        fill = _fill(picture, Cell(row, column - 1), Cell(row, column))
        runs.append((_UPRIGHT if wall else " ", fill))
        if column == columns:
            break
        square = picture.squares.get(Cell(row, column))
        if square is None:
            runs.append((_HOLE * form.wide, "dim"))
            continue
        style = "dim" if square.faint else square.fill
        runs.append((form.cell(square, numbers.get(Cell(row, column))), style))
    return runs
