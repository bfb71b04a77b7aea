"""Mijnlieff in text: moves, grids, one line, and YAML trees."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from litstool.errors import LitstoolError, NotationError
from litstool.files import drawn
from litstool.files.reading import (
    Node,
    Source,
    TextForm,
    compress_rows,
    expand_line,
    grid_rows,
    nearest,
    split_text,
)
from litstool.game import SEATS, text_of
from litstool.grid import Cell, Outline
from litstool.mijnlieff.board import (
    BLOCK,
    GAP_RULES,
    KIND_LETTERS,
    KINDS,
    MOST_SIDE,
    OPENING_RULES,
    OUTSIDE,
    SIDES,
    Board,
    board_of,
    outline_of_offsets,
)
from litstool.mijnlieff.forms import FORMS
from litstool.mijnlieff.game import Game
from litstool.mijnlieff.position import PASS, Move, Piece, Placed

TEXT_KEYS = FORMS.keys
WORD = FORMS.word
TREE_KEYS = (
    *("game", "board", "offsets", "moves", "to-move", "last", "gaps", "opening"),
    # What a puzzle claims is read by ``tasks.puzzles`` alone.
    *("players", "name", "source", "note", "puzzle"),
)
LETTERS = ".#SDPLsdpl"
_MAY_PLACE = "+"
"""The mark, in a drawing, of the cells that the side to move may use."""
_KIND_OF_LETTER = {letter: kind for kind, letter in KIND_LETTERS.items()}
_EXAMPLE = "expected a kind and a cell, such as straight@b3, or pass"
_NEEDS_SIDE = "to-move is missing: with pieces on the board it must say Light or Dark"
_Read = TypeVar("_Read")


# Moves


def parse_kind(text: str) -> str | None:
    """A kind from its name or letter, upper or lower case; None where the text is neither."""
    word = text.strip().lower()
    return word if word in KINDS else _KIND_OF_LETTER.get(word)


def parse_move(text: str) -> Move:
    """A move from text: ``straight@b3``, ``s@b3``, ``s b3`` or ``pass``, upper or lower case.

    :raises NotationError: the text is none of these.
    """
    stripped = text.strip()
    if stripped.lower() == PASS:
        return PASS
    head, at, tail = stripped.partition("@")
    words = stripped.split()
    if not at and len(words) == 2 and parse_kind(words[0]) is not None:
        head, at, tail = words[0], "@", words[1]
    if not at:
        raise NotationError(f"{text!r} is not a move: {_EXAMPLE}")
    kind = parse_kind(head)
    if kind is None:
        raise NotationError(
            f"{text!r} is not a move: {head.strip()!r} is no kind of piece; "
            f"{nearest(head.strip(), KINDS)}"
        )
    cell = Cell.parse(tail)
    if cell is None:
        raise NotationError(f"{text!r} is not a move: {tail.strip()!r} is no cell; {_EXAMPLE}")
    return Piece(kind, cell)


def parse_piece(text: str) -> Piece:
    """The piece that ``last`` names.

    :raises NotationError: the text is no kind with a cell.
    """
    move = parse_move(text)
    if isinstance(move, str):
        raise NotationError("last is the piece whose restriction is in force; leave it out after "
                            "a pass")  # fmt: skip
    return move


def parse_offsets(text: str) -> Outline:
    """The outline of 2x2 boards from their top-left rows and columns: ``0,1 0,3 2,0 2,2``.

    :raises NotationError: not four pairs of numbers, or boards that overlap.
    """
    numbers = re.findall(r"-?[0-9]+", text)
    rest = re.sub(r"-?[0-9]+|[\s,;()\[\]]", "", text)
    if rest or len(numbers) != 8 or any(len(number) > 3 for number in numbers):
        raise NotationError(
            f"{text!r} are no offsets: expected row,column of the top-left cells of four 2x2 "
            "boards, such as 0,0 0,2 2,0 2,2"
        )
    pairs = [(int(row), int(column)) for row, column in zip(*[iter(numbers)] * 2, strict=True)]
    try:
        return outline_of_offsets(pairs)
    except LitstoolError as error:
        raise NotationError(error.message) from None


def _at(where: str, read: Callable[[], _Read]) -> _Read:
    """What a reader returns; its error gets a place and is one of notation."""
    try:
        return read()
    except LitstoolError as error:
        kind = type(error) if type(error) is not LitstoolError else NotationError
        raise kind(error.message, error.where or where) from None


# Text forms


def read_text(source: Source, first_line: int = 1) -> Game:
    """A game from a text form: a grid, a one-line position or a drawing.

    :raises NotationError: the text is none of these, with the line.
    """
    if (drawing := drawn.read(source)) is not None:
        return read_drawing(drawing)
    game = _read_text(source, first_line)
    if game.pieces and game.to_move is None:
        raise NotationError(_NEEDS_SIDE, source.where)
    return game


def _read_text(source: Source, first_line: int = 1) -> Game:
    form = split_text(source, FORMS.keys, first_line)
    if len(form.rows) == 1 and not form.keys and "/" in form.rows[0][1]:
        return _read_line(form.rows[0][1], source)
    return _read_grid(form)


def _read_grid(form: TextForm) -> Game:
    gaps = form.choice("gaps", GAP_RULES) or BLOCK
    opening = form.choice("opening", OPENING_RULES) or OUTSIDE
    if "offsets" in form.keys:
        text, line = form.keys["offsets"]
        where = form.source.place(line)
        if form.rows:
            raise NotationError("give either offsets or a grid, not both", where)
        game = Game(_at(where, lambda: board_of(parse_offsets(text), gaps, opening)))
    else:
        rows = grid_rows(form, LETTERS, check_size)
        game = _at(form.source.where, lambda: _game_of_rows(rows, gaps, opening))
    last = None
    if "last" in form.keys:
        text, line = form.keys["last"]
        last = _at(form.source.place(line), lambda: parse_piece(text))
    return replace(
        game,
        to_move=form.choice("to-move", SIDES),
        last=last,
        name=form.keys["name"][0] if "name" in form.keys else None,
    )


def read_drawing(drawing: drawn.Drawing) -> Game:
    """The position that a drawing shows.

    :raises NotationError: a mark that none has.
    """
    rows = []
    for row, marks in enumerate(drawing.rows):
        for column, mark in enumerate(marks):
            if mark not in LETTERS + _MAY_PLACE:
                told = f"{mark!r} is no mark of a drawing of Mijnlieff"
                if mark == drawn.NUMBER:
                    told = "a number hides the piece; draw the board without --numbers"
                raise drawing.fail(Cell(row, column), told)
        rows.append("".join(marks).replace(_MAY_PLACE, "."))
    facts = drawing.facts
    rules = facts.get("Rules", "")
    gaps = next((rule for rule in GAP_RULES if f"gaps {rule}" in rules), BLOCK)
    opening = next((rule for rule in OPENING_RULES if f"opening {rule}" in rules), OUTSIDE)
    game = _game_of_rows(rows, gaps, opening)
    to_move, _, restriction = facts.get("To move", "").partition(", ")
    words = re.search(r"([a-z]+@[a-z][0-9]+) allows", restriction)
    last = parse_piece(words[1]) if words else None
    if to_move not in SIDES:
        to_move = _side_at_the_end(game, facts.get("Last move", "")) if game.pieces else ""
    game = replace(game, to_move=to_move or None, last=last, name=drawing.title)
    drawing.check_faults(game.violations())
    return game


def _side_at_the_end(game: Game, last_move: str) -> str:
    """Who is to move where that is not said: not who moved last, or who has no piece left."""
    moved = re.match(r"[a-z]+@([a-z][0-9]+)", last_move)
    for each in game.pieces:
        if moved and each.cell == Cell.parse(moved[1]):
            return SIDES[each.side == SIDES[0]]
    placed = {side: sum(each.side == side for each in game.pieces) for side in SIDES}
    return max(SIDES, key=lambda side: placed[side])


def check_size(rows: int, columns: int) -> None:
    """Refuse a grid that is far too large.

    :raises LitstoolError: a side longer than 16 cells.
    """
    if rows > MOST_SIDE or columns > MOST_SIDE:
        raise LitstoolError(
            f"the grid is {rows} x {columns} cells (rows x columns): "
            f"a side may be at most {MOST_SIDE} long"
        )


def _game_of_rows(rows: list[str], gaps: str, opening: str) -> Game:
    gap_cells = set()
    pieces = []
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter == "#":
                gap_cells.add(Cell(row, column))
            elif letter != ".":
                side = SIDES[0] if letter.isupper() else SIDES[1]
                pieces.append(Placed(side, _KIND_OF_LETTER[letter.lower()], Cell(row, column)))
    outline = Outline(len(rows), len(rows[0]), frozenset(gap_cells))
    return Game(board_of(outline, gaps, opening), tuple(pieces))


def read_line(line: str, source: Source) -> Game:
    """A game from one line: ``mijnlieff 4/1S2/4/4 Dark last=straight@b2 gaps=ignore``.

    :raises NotationError: a word that does not fit, or no side to move where there are pieces.
    """
    game = _read_line(line, source)
    if game.pieces and game.to_move is None:
        raise NotationError(_NEEDS_SIDE, source.where)
    return game


def _read_line(line: str, source: Source) -> Game:
    words = line.split()
    if words and words[0].lower() == FORMS.word:
        words = words[1:]
    if not words:
        raise NotationError("there is no board", source.where)
    rows, *words = words
    keys: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        key = key.lower()
        if not equals:
            key, value = "to-move", word
            if word.lower() not in (side.lower() for side in SIDES):
                raise NotationError(
                    f"{word!r} fits nowhere on the line: after the board come Light or Dark, "
                    "then last=straight@b2, gaps=ignore or opening=free",
                    source.where,
                )
        elif key not in ("last", "gaps", "opening"):
            known = nearest(key, ("last", "gaps", "opening"))
            raise NotationError(f"unknown key {key!r}; {known}", source.where)
        if key in keys:
            raise NotationError(f"{key} is given twice", source.where)
        keys[key] = value
    grid = tuple((1, row) for row in expand_line(rows, source))
    return _read_grid(TextForm(source, {key: (value, 1) for key, value in keys.items()}, grid))


# Trees


def read_document(root: Node) -> Game:
    """A game from a YAML or JSON tree.  Without a board it is played on the 4x4 square.

    :raises FormatError: an unknown key, a wrong type or a bad value, with its line.
    :raises NotationError: a grid or move that cannot be read.
    """
    keys = root.mapping("a Mijnlieff file", TREE_KEYS)
    if "board" in keys and "offsets" in keys:
        keys["offsets"].fail("give either a board or offsets, not both")
    if "board" in keys:
        start = _read_board(keys["board"])
    elif "offsets" in keys:
        node = keys["offsets"]
        text = " ".join(_numbers(node))
        start = Game(_at(node.where, lambda: board_of(parse_offsets(text))))
    else:
        start = Game(board_of(Outline(4, 4)))
    board = start.board
    gaps = _rule(keys, "gaps", GAP_RULES, board.gaps, BLOCK)
    opening = _rule(keys, "opening", OPENING_RULES, board.opening, OUTSIDE)
    to_move = keys["to-move"].choice("side to move", SIDES) if "to-move" in keys else None
    if to_move and start.to_move and to_move != start.to_move:
        keys["to-move"].fail(f"to-move is {to_move}, but the board says {start.to_move}")
    last = None
    if "last" in keys:
        node = keys["last"]
        last = _at(node.where, lambda: parse_piece(node.text("last")))
        if start.last and last != start.last:
            node.fail(f"last is {last.notation}, but the board says {start.last.notation}")
    game = replace(
        start,
        board=board_of(board.outline, gaps, opening),
        to_move=to_move or start.to_move,
        last=last or start.last,
        moves=tuple(_read_moves(keys["moves"])) if "moves" in keys else (),
        ordered="moves" in keys,
        name=keys["name"].text("name") if "name" in keys else start.name,
        source=keys["source"].text("source") if "source" in keys else None,
        note=keys["note"].text("note") if "note" in keys else None,
        players=_read_players(keys["players"]) if "players" in keys else {},
        has_puzzle="puzzle" in keys,
    )
    if game.pieces and game.to_move is None:
        keys["board"].fail(_NEEDS_SIDE)
    return game


def _numbers(node: Node) -> list[str]:
    """The texts in a list of lists, or the text itself."""
    if isinstance(node.value, str):
        return [node.value]
    return [text for item in node.items("offsets") for text in _numbers(item)]


def _rule(
    keys: dict[str, Node], key: str, known: tuple[str, ...], of_board: str, default: str
) -> str:
    """A house rule from the document, else as the board's own text has it."""
    if key not in keys:
        return of_board
    value = keys[key].choice(key, known)
    if of_board not in (default, value):
        keys[key].fail(f"{key} is {value}, but the board says {of_board}")
    return value


def _read_board(node: Node) -> Game:
    text = node.text("board")
    if not text.strip():
        node.fail("the board is empty; expected a grid")
    source = replace(node.source, text=text)
    return _at(node.where, lambda: _read_text(source, node.block_line))


def _read_moves(node: Node) -> list[Move]:
    moves = []
    for item in node.items("moves"):
        if not isinstance(item.value, str):
            item.fail('a move should be quoted text, such as "straight@b3"')
        moves.append(_at(item.where, lambda item=item: parse_move(item.value)))  # type: ignore[misc]
    return moves


def _read_players(node: Node) -> dict[str, str]:
    return {
        key: value.text(f"the {key} player")
        for key, value in node.mapping("players", SEATS).items()
    }


# Writing


def rows_of(game: Game) -> list[str]:
    """The grid of a game after its moves.

    :raises LitstoolError: a piece is off the board or on another, so no grid shows it.
    """
    position = game.start
    rows = [list(row) for row in game.board.rows()]
    for placed in position.pieces:
        rows[placed.cell.row][placed.cell.column] = placed.letter
    for move in game.moves:
        if not isinstance(move, str):
            if move.cell not in game.board.outline or move.cell in position.at:
                raise LitstoolError(f"a grid cannot show the piece {move.notation}")
            placed = Placed(position.to_move, move.kind, move.cell)
            rows[move.cell.row][move.cell.column] = placed.letter
        position = position.placed(move)
    return ["".join(row) for row in rows]


def _state(game: Game) -> tuple[str, Piece | None]:
    """The side to move and the restriction after the moves, as written."""
    position = game.position_as_written()
    return position.to_move, position.last if game.moves else game.last


def write_text(game: Game) -> str:
    """The position after the moves as a grid with its keys above."""
    to_move, last = _state(game)
    lines = [f"name: {' '.join(game.name.split())}"] if game.name else []
    lines += [f"game: {game.game}", f"to-move: {to_move}"]
    if last is not None:
        lines.append(f"last: {last.notation}")
    if game.board.gaps != BLOCK:
        lines.append(f"gaps: {game.board.gaps}")
    if game.board.opening != OUTSIDE:
        lines.append(f"opening: {game.board.opening}")
    return "\n".join(lines + rows_of(game)) + "\n"


def write_line(game: Game) -> str:
    """The position after the moves on one line."""
    to_move, last = _state(game)
    words = [game.game, compress_rows(rows_of(game)), to_move]
    if last is not None:
        words.append(f"last={last.notation}")
    if game.board.gaps != BLOCK:
        words.append(f"gaps={game.board.gaps}")
    if game.board.opening != OUTSIDE:
        words.append(f"opening={game.board.opening}")
    return " ".join(words)


def write_document(game: Game) -> dict[str, Any]:
    """The whole game as the mapping that YAML and JSON files hold."""
    document: dict[str, Any] = {"game": game.game}
    for key in ("name", "source", "note"):
        if getattr(game, key):
            document[key] = getattr(game, key)
    if game.players:
        document["players"] = dict(game.players)
    document["board"] = "\n".join(rows_of(game.at(0))) + "\n"
    if game.to_move:
        document["to-move"] = game.to_move
    if game.last is not None:
        document["last"] = game.last.notation
    if game.board.gaps != BLOCK:
        document["gaps"] = game.board.gaps
    if game.board.opening != OUTSIDE:
        document["opening"] = game.board.opening
    if game.ordered:
        document["moves"] = [text_of(move) for move in game.moves]
    return document


def losses(game: Game, target: str) -> list[str]:
    """What a target notation (text, line, yaml, json) cannot carry of a game."""
    lost = []
    if target in ("text", "line"):
        if game.moves:
            lost.append("the order of the moves")
        if target == "line" and game.name:
            lost.append("the name")
        lost += [key for key in ("source", "note", "players") if getattr(game, key)]
    if game.has_puzzle:
        lost.append("what the puzzle claims")
    return lost


def game_of(board: Board, moves: tuple[Move, ...] = ()) -> Game:
    """A game from the empty board."""
    return Game(board, moves=moves, ordered=True)
