"""Notations of other programs, and texts of several lines: moves below a board, drawings, logs.

========================================  ===================================================
``L 7 4 7 5 7 6 8 6``                     a move, rows and columns from 0
``A 1 B 1 C 1 D 1``                       a move, column letters and rows from 1
``0a50…,4555,X``                          a position: a digit a cell for symbol and piece, the
                                          pieces left of L, I, T and S, and the side to move
``Applying action 736) 47, S, None, …``   a log: the place of a box, and how the piece lies in it
``1. T:f3,e4,f4,g4 2. swap 3. …``         moves with numbers, to the end or to ``resign``
========================================  ===================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from litstool.errors import NotationError
from litstool.files import drawn, many
from litstool.files.reading import Source
from litstool.game import SWAP
from litstool.grid import Cell, connected_parts
from litstool.lits.board import FULL_SUPPLY, SIDES, Pattern, Supply
from litstool.lits.forms import FORMS, LOG_WORDS
from litstool.lits.game import Game, Move
from litstool.lits.placements import SHAPES, Placement

SIDE = 10
"""The rows and columns of the boards that these programs know."""

_RESIGN = re.compile(r"(?:[XO] )?resign(?:s|ed)?[.!]?", re.IGNORECASE)
_DIGITS = re.compile(r"([0-9a-e]{100}),([0-9]{4})(?:,([xo]))?", re.IGNORECASE)
_ROW_COLUMN = re.compile(r"([LITS])((?:\s+[0-9]{1,2})+)", re.IGNORECASE)
_LETTER_NUMBER = re.compile(r"\b([a-z])[ \t]+(?=[0-9])", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<!\S)[0-9]{1,3}[.)](?:\.\.)?")
_ACTION = re.compile(
    r"Applying action (?:[0-9]+\) )?([0-9]{1,2}), ([LITS]), "
    r"(None|Quarter|Half|ThreeQuarters), (None|Flipped)[.\s]*"
)
_BOXED = {
    "L": ((0, 0), (1, 0), (2, 0), (2, 1)),
    "T": ((0, 0), (0, 1), (0, 2), (1, 1)),
    "S": ((0, 1), (0, 2), (1, 0), (1, 1)),
}
"""How a piece lies in its box of 3 x 3 cells, unturned: rows and columns from 0."""

_TURNS = ("None", "Quarter", "Half", "ThreeQuarters")


# Moves


def row_column_move(text: str) -> tuple[str, list[Cell]] | None:
    """The shape and the cells of a move such as ``L 7 4 7 5 7 6 8 6``; None where it is none.

    :raises NotationError: it has that form but not four pairs of numbers.
    """
    match = _ROW_COLUMN.fullmatch(text)
    if match is None:
        return None
    numbers = [int(number) for number in match[2].split()]
    if len(numbers) != 8:
        raise NotationError(
            f"{text!r} is not a move: expected a shape and four times row and column from 0, "
            "such as L 0 0 0 1 0 2 1 0"
        )
    return match[1].upper(), [Cell(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]


def joined_cells(text: str) -> str:
    """A text with ``A 1`` as ``A1``."""
    return _LETTER_NUMBER.sub(r"\1", text)


def logged_move(text: str) -> Placement | None:
    """The move of a log's line, ``Applying action 736) 47, S, None, Flipped...``."""
    match = _ACTION.fullmatch(text.strip())
    if match is None:
        return None
    row, column = divmod(int(match[1]), SIDE)
    shape, turns = match[2], _TURNS.index(match[3])
    if shape == "I":
        places = [(0, step) if turns % 2 else (step, 0) for step in range(4)]
    else:
        places = list(_BOXED[shape])
        for _ in range(turns):
            places = [(2 - right, down) for down, right in places]
        if match[4] == "Flipped":
            places = [(down, 2 - right) for down, right in places]
    return Placement(
        shape, tuple(sorted(Cell(row + down, column + right) for down, right in places))
    )


# Texts of several lines


def split_moves(text: str) -> tuple[str, list[tuple[int, str]]]:
    """A text as what describes the board, and the lines of moves below it with their numbers."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if many.is_move_line(line, (FORMS,)):
            below = enumerate(lines[index:], index + 1)
            moves = [(n, each) for n, each in below if each.strip() and each.strip()[0] != ";"]
            return "\n".join(lines[:index]), moves
    return text, []


def read_moves(
    lines: list[tuple[int, str]], source: Source, parse_move: Callable[[str], Move]
) -> tuple[list[Move], bool]:
    """The moves of lines in any notation, and whether the game ended by resignation.

    A line holds one move, or several with numbers before them, ``;`` or spaces between them.

    :raises NotationError: an entry is no move, with its line.
    """
    moves: list[Move] = []
    resigned = False
    for number, line in lines:
        for entry in _entries(line, parse_move):
            if resigned:
                raise NotationError("nothing may follow a resignation", source.place(number))
            resigned = _RESIGN.fullmatch(entry) is not None
            try:
                moves += [] if resigned else [parse_move(entry)]
            except NotationError as error:
                raise NotationError(error.message, source.place(number)) from None
    return moves, resigned


def _entries(line: str, parse_move: Callable[[str], Move]) -> Iterator[str]:
    if line.strip().startswith(LOG_WORDS):
        yield line.strip()
        return
    for part in re.split(";", _NUMBERED.sub(";", line)):
        entry = part.strip()
        words = entry.split()
        if len(words) > 1 and all(_is_move(word, parse_move) for word in words):
            yield from words
        elif entry:
            yield entry


def _is_move(word: str, parse_move: Callable[[str], Move]) -> bool:
    try:
        parse_move(word)
    except NotationError:
        return _RESIGN.fullmatch(word) is not None
    return True


def with_moves(game: Game, moves: list[Move], resigned: bool) -> Game:
    """A game whose board was read, with the moves below it."""
    if game.moves or game.ordered:
        moves = [*game.moves, *moves]
    played = replace(game, moves=tuple(moves), ordered=True)
    if resigned:
        told = f"{played.side_to_move} resigned."
        played = replace(played, note=f"{game.note}\n{told}" if game.note else told)
    return played


# Positions


def is_digits(line: str) -> bool:
    """Whether a line is a position of the older engine: a hundred digits, the pieces left."""
    return _DIGITS.fullmatch(line.strip()) is not None


def read_digits(line: str, source: Source) -> Game:
    """A position of a hundred digits, the pieces left and the side to move.

    A digit is five times the symbol (blank, X, O) and the piece on it (none, L, I, T, S).

    :raises NotationError: the pieces left are more than five.
    """
    match = _DIGITS.fullmatch(line.strip())
    assert match is not None
    values = [divmod(int(digit, 16), 5) for digit in match[1]]
    symbols = "".join(".XO"[symbol] for symbol, _ in values)
    rows = [symbols[start : start + SIDE] for start in range(0, SIDE * SIDE, SIDE)]
    pieces = tuple(
        Placement(shape, part)
        for number, shape in enumerate(SHAPES, 1)
        for part in connected_parts(
            Cell(*divmod(index, SIDE)) for index, (_, on) in enumerate(values) if on == number
        )
    )
    left = [int(digit) for digit in match[2]]
    if max(left) > max(FULL_SUPPLY):
        raise NotationError(
            f"{match[2]} pieces left of L, I, T and S: at most 5 each", source.where
        )
    return Game(
        Pattern.from_rows(rows),
        _supply(left, pieces),
        pieces,
        to_move=match[3].upper() if match[3] else None,
    )


def _supply(left: list[int], pieces: tuple[Placement, ...]) -> Supply:
    """The supply of the whole game from the pieces that are left of each shape."""
    used = [piece.shape for piece in pieces]
    total = [here + used.count(shape) for shape, here in zip(SHAPES, left, strict=True)]
    return total[0], total[1], total[2], total[3]


# Drawings


def read_drawing(drawing: drawn.Drawing) -> Game:
    """The position that a drawing shows.  Which symbols its pieces cover is not known.

    :raises NotationError: a mark that none has, or pieces that overlap.
    """
    marks = drawing.cells()
    on_board: set[Cell] = set()
    symbols: list[list[str]] = [["."] * len(row) for row in drawing.rows]
    for cell, mark in marks.items():
        if mark == "!":
            raise drawing.fail(cell, "two pieces overlap, and a drawing does not say which")
        if mark in (*SHAPES, drawn.NUMBER):
            on_board.add(cell)
            symbols[cell.row][cell.column] = "?"
        elif mark.upper() in SIDES or mark in (drawn.HOLE, drawn.BLANK):
            symbols[cell.row][cell.column] = mark.upper()
        else:
            raise drawing.fail(cell, f"{mark!r} is no mark of a drawing of Battle of LITS")
    pieces = tuple(_drawn_piece(drawing, part, marks) for part in drawing.joined(on_board))
    pattern = Pattern.from_rows("".join(row) for row in symbols)
    supply = FULL_SUPPLY
    if found := re.match(r"L (\d+), I (\d+), T (\d+), S (\d+)\b", drawing.facts.get("Supply", "")):
        supply = _supply([int(count) for count in found.groups()], pieces)
    to_move = drawing.facts.get("To move", "")[:1]
    if told := re.search(r"to-move: ([XO]) is to move", "\n".join(drawing.faults)):
        to_move = told[1]
    swapped = drawing.facts.get("Last move", "").startswith(SWAP) and len(pieces) == 1
    game = Game(
        pattern,
        supply,
        pieces=() if swapped else pieces,
        moves=(pieces[0], SWAP) if swapped else (),
        ordered=swapped,
        to_move=to_move if to_move in SIDES and not swapped else None,
        name=drawing.title,
    )
    drawing.check_faults(game.violations())
    return game


def _drawn_piece(
    drawing: drawn.Drawing, cells: tuple[Cell, ...], marks: dict[Cell, str]
) -> Placement:
    shapes = {marks[cell] for cell in cells} - {drawn.NUMBER}
    if len(shapes) != 1:
        raise drawing.fail(cells[0], "a piece should have one letter, L, I, T or S")
    return Placement(shapes.pop(), cells)
