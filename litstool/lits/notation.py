"""Battle of LITS in text: moves, grids, one line, YAML trees, and the public engines' game line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from litstool.errors import LitstoolError, NotationError
from litstool.files import drawn
from litstool.files.reading import (
    Node,
    Source,
    TextForm,
    compress_rows,
    data_folder,
    expand_line,
    form_of,
    grid_rows,
    read_file,
    read_tree,
    split_text,
)
from litstool.game import SEATS, SWAP, text_of
from litstool.grid import Cell, connected_parts
from litstool.lits import others
from litstool.lits.board import FULL_SUPPLY, SIDES, Pattern, Supply, check_size, supply_of
from litstool.lits.forms import FORMS, LOG_WORDS
from litstool.lits.game import Game, Move, legal_order
from litstool.lits.placements import MOST_SUPPLY, SHAPES, SUPPLY_EACH, Placement, shape_of

TEXT_KEYS = FORMS.keys
TREE_KEYS = (
    *("game", "pattern", "board", "moves", "pieces", "to-move", "supply"),
    # What a puzzle claims is read by ``puzzles`` alone.
    *("players", "name", "source", "note", "puzzle"),
)
MOST_MOVES = MOST_SUPPLY * len(SHAPES) + 1
"""The largest supply and the swap; judging many more moves would only take time."""

_ENGINE_MOVE = re.compile(r"([LITS])\s*\[\s*(\d\d(?:[\s,]+\d\d)*)\s*\]", re.IGNORECASE | re.ASCII)
_ENGINE_PATTERN = re.compile(r"[XO._-]+", re.IGNORECASE)
_ENGINE_SIDE = 10
_EXAMPLE = "expected a shape and four different cells, such as L:a1,b1,c1,a2"
_ENGINE_EXAMPLE = (
    "expected a shape and four different cells, row and column from 0, such as L[00,01,02,10]"
)


# Moves


def parse_move(text: str) -> Move:
    """A move from text: ``L:a1,b1,c1,a2``, ``L a1 b1 c1 a2``, ``a1 b1 c1 a2``, ``L[00,01,02,10]``
    or ``swap``, or in a notation of another program (see :mod:`litstool.lits.others`).

    Where the shape is left out and the cells form none, the shape is ``?``.

    :raises NotationError: the text is not four different cells.
    """
    stripped = text.strip()
    if stripped.lower() == SWAP:
        return SWAP
    if (logged := others.logged_move(stripped)) is not None:
        return logged
    engine = _ENGINE_MOVE.fullmatch(stripped)
    if engine is None and "[" in stripped:
        raise NotationError(f"{text!r} is not a move: {_ENGINE_EXAMPLE}")
    shape: str | None
    if engine:
        shape = engine[1].upper()
        cells = [Cell(int(pair[0]), int(pair[1])) for pair in re.findall(r"\d\d", engine[2])]
    elif (other := others.row_column_move(stripped)) is not None:
        shape, cells = other
    else:
        stripped = others.joined_cells(stripped)
        head, colon, tail = stripped.partition(":")
        if not colon and head[:1].upper() in SHAPES and head[1:2].isspace():
            head, colon, tail = head[0], " ", head[1:]
        shape = head.strip().upper() if colon else None
        if shape is not None and shape not in (*SHAPES, "?"):
            raise NotationError(
                f"{text!r} is not a move: {head.strip()!r} is no shape (L, I, T or S); {_EXAMPLE}"
            )
        cells = []
        for word in re.split(r"[\s,]+", (tail if colon else stripped).strip(", \t\n")):
            cell = Cell.parse(word)
            if cell is None:
                raise NotationError(f"{text!r} is not a move: {word!r} is no cell; {_EXAMPLE}")
            cells.append(cell)
    if len(cells) != 4 or len(set(cells)) != 4:
        count = len(set(cells))
        raise NotationError(
            f"{text!r} is not a move: it has {count} different cell{'s' * (count != 1)}; "
            f"{_ENGINE_EXAMPLE if engine else _EXAMPLE}"
        )
    ordered = tuple(sorted(cells))
    if shape in (None, "?"):
        shape = shape_of(ordered) or "?"
    return Placement(str(shape), ordered)


def engine_move(move: Move) -> str:
    """A move as the public engines write it, ``L[00,01,02,10]``: row and column from 0."""
    if isinstance(move, str):
        return move
    return f"{move.shape}[{','.join(f'{cell.row}{cell.column}' for cell in move.cells)}]"


def parse_supply(text: str) -> Supply:
    """A supply from text such as ``L5 I5 T4 S5``; a shape left out means 5.

    :raises NotationError: an unknown or repeated shape, or a count outside 0 to 20.
    """
    counts: dict[str, int] = {}
    # Also as it is shown: L 2, I 2, T 3, S 4.
    text = re.sub(r"(?<![A-Za-z0-9])([A-Za-z])\s+(?=[0-9])", r"\1", text)
    for word in re.split(r"\s*,\s*|\s+", text.strip()):
        match = re.fullmatch(r"([LITS])(-?[0-9]{1,6})", word, re.IGNORECASE | re.ASCII)
        if match is None:
            raise NotationError(f"{word!r} is no part of a supply such as L5 I5 T4 S5")
        shape = match[1].upper()
        if shape in counts:
            raise NotationError(f"the supply names {shape} twice")
        counts[shape] = int(match[2])
    return _checked_supply(counts)


def _checked_supply(counts: dict[str, int]) -> Supply:
    try:
        return supply_of(counts)
    except LitstoolError as error:
        raise NotationError(error.message) from None


def write_supply(supply: Supply, between: str = " ") -> str:
    """A supply as text, ``L5 I5 T4 S5``."""
    return between.join(f"{shape}{count}" for shape, count in zip(SHAPES, supply, strict=True))


# Text forms


def read_text(source: Source, first_line: int = 1) -> Game:
    """A game from a text form: a grid, a one-line position, the public engines' game line, a
    drawing or a standard board's name; and moves below it, if any.

    :raises NotationError: the text is none of these, with the line.
    """
    source = replace(source, first_line=source.first_line + first_line - 1)
    if (drawing := drawn.read(source)) is not None:
        return others.read_drawing(drawing)
    board, lines = others.split_moves(source.text)
    if not lines:
        return _read_position(source)
    if not board.strip():
        raise NotationError(
            "there are moves and no board; put the board, or a standard board's name, above them",
            source.where,
        )
    start = _read_position(replace(source, text=board), or_name=True)
    moves, resigned = others.read_moves(lines, source, parse_move)
    if len(moves) > MOST_MOVES:
        raise _too_many(len(moves), source.where)
    return others.with_moves(start, moves, resigned)


def split_text_of_many(source: Source) -> list[Source]:
    """The games of a log, each with the board above it: one begins where one is over.

    A text that is no log is left whole.
    """
    lines = source.text.split("\n")
    first = next((n for n, line in enumerate(lines) if line.startswith(LOG_WORDS)), None)
    if not first:
        return [source]
    head = lines[:first]
    start = _read_position(replace(source, text="\n".join(head)), or_name=True).position()
    found, position, begun = [], start, first
    for index, line in enumerate(lines[first:], first):
        move = others.logged_move(line)
        if move in position.placements.number:
            position = position.placed(move)
        if position.is_finished or index == len(lines) - 1:
            game = lines[begun : index + 1]
            if any(each.strip() for each in game):
                place = source.first_line + begun - first
                found.append(replace(source, text="\n".join(head + game), first_line=place))
            begun, position = index + 1, start
    return found


def _read_position(source: Source, *, or_name: bool = False) -> Game:
    """The board of a text without moves; with ``or_name`` also a standard board's name."""
    form = split_text(source, FORMS.keys)
    line = form.rows[0][1] if len(form.rows) == 1 else ""
    if line and not form.keys:
        if others.is_digits(line):
            return others.read_digits(line, source)
        if "/" in line:
            return read_line(line, source)
        if ";" in line or (len(line) > 26 and _ENGINE_PATTERN.fullmatch(line)):
            return read_engine_line(line, source)
    named = pattern_named(line) if or_name else None
    game = Game(named) if named is not None else _game_of_rows(_rows_of_form(form))
    supply = FULL_SUPPLY
    if "supply" in form.keys:
        text, number = form.keys["supply"]
        supply = _at(source.place(number), lambda: parse_supply(text))
    return replace(
        game,
        supply=supply,
        to_move=form.choice("to-move", SIDES),
        name=form.keys["name"][0] if "name" in form.keys else None,
    )


def _rows_of_form(form: TextForm) -> list[str]:
    upper = TextForm(form.source, form.keys, tuple((n, _upper(line)) for n, line in form.rows))
    return grid_rows(upper, "XO.#" + SHAPES, check_size)


def _too_many(moves: int, where: str) -> NotationError:
    return NotationError(f"there are {moves} moves, more than any game has ({MOST_MOVES})", where)


def _upper(text: str) -> str:
    """Text in upper case, but for letters beyond ASCII that would become others (ß, ı, ſ)."""
    return text.upper() if text.isascii() else text


def _at(where: str, read: Callable[[], Any]) -> Any:
    """What a reader returns; its error gets a place."""
    try:
        return read()
    except LitstoolError as error:
        raise type(error)(error.message, error.where or where) from None


def _game_of_rows(rows: list[str]) -> Game:
    """A board with pieces from its rows; neighbouring cells with one letter are one piece."""
    by_shape: dict[str, list[Cell]] = {shape: [] for shape in SHAPES}
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter in by_shape:
                by_shape[letter].append(Cell(row, column))
    pieces = tuple(
        Placement(shape, part) for shape in SHAPES for part in connected_parts(by_shape[shape])
    )
    pattern = Pattern.from_rows(re.sub(f"[{SHAPES}]", "?", line) for line in rows)
    return Game(pattern=pattern, pieces=pieces)


def read_line(line: str, source: Source) -> Game:
    """A game from a one-line position: ``4OO4/… O supply=L5,I5,T4,S5``.

    :raises NotationError: a word that does not fit.
    """
    rows, *words = line.split()
    text = "\n".join(expand_line(_upper(rows), source))
    form = TextForm(source, {}, tuple((1, row) for row in text.split("\n")))
    game = _game_of_rows(grid_rows(form, "XO.#" + SHAPES, check_size))
    to_move: str | None = None
    supply: Supply | None = None
    for word in words:
        key, equals, value = word.partition("=")
        if not equals and word.upper() in SIDES and to_move is None:
            to_move = word.upper()
        elif equals and key.lower() == "supply" and supply is None:
            supply = _at(source.where, partial(parse_supply, value))
        else:
            raise NotationError(
                f"{word!r} does not fit after the rows of a one-line position; "
                "expected the side to move (X or O), then supply=L5,I5,T4,S5",
                source.where,
            )
    return Game(
        pattern=game.pattern, pieces=game.pieces, to_move=to_move, supply=supply or FULL_SUPPLY
    )


def read_engine_line(line: str, source: Source) -> Game:
    """A game from the public engines' line: 100 pattern characters, then ``; `` and each move.

    :raises NotationError: not 100 characters of X, O and blank, or an entry that is no move.
    """
    symbols, *entries = (part.strip() for part in line.split(";"))
    cells = _ENGINE_SIDE * _ENGINE_SIDE
    if len(symbols) != cells or not _ENGINE_PATTERN.fullmatch(symbols):
        raise NotationError(
            f"the pattern of a game line is {cells} characters X, O and . (10 x 10); "
            f"this one has {len(symbols)}",
            source.where,
        )
    symbols = re.sub(r"[_-]", ".", symbols.upper())
    rows = [symbols[start : start + _ENGINE_SIDE] for start in range(0, cells, _ENGINE_SIDE)]
    if len(entries) > MOST_MOVES:
        raise _too_many(len(entries), source.where)
    moves = tuple(_at(source.where, partial(parse_move, text)) for text in entries if text)
    return Game(pattern=Pattern.from_rows(rows), moves=moves, ordered=True)


# Trees


def read_document(root: Node) -> Game:
    """A game from a YAML or JSON tree.

    :raises FormatError: an unknown key, a wrong type or a bad value, with its line.
    :raises NotationError: a grid or move that cannot be read.
    """
    keys = root.mapping("a Battle of LITS file", TREE_KEYS)
    if "pattern" in keys and "board" in keys:
        keys["board"].fail("give either a pattern or a board, not both")
    if "moves" in keys and "pieces" in keys:
        keys["pieces"].fail("give either moves (order known) or pieces (order unknown), not both")
    if "board" in keys:
        start = _read_board(keys["board"])
    elif "pattern" in keys:
        start = Game(pattern=_read_pattern(keys["pattern"]))
    else:
        root.fail("there is no pattern and no board; give one of them")
    supply = _read_supply(keys["supply"]) if "supply" in keys else start.supply
    to_move = keys["to-move"].choice("side to move", SIDES) if "to-move" in keys else None
    if to_move and start.to_move and to_move != start.to_move:
        keys["to-move"].fail(f"to-move is {to_move}, but the board says {start.to_move}")
    pieces = [] if "pieces" not in keys else _read_moves(keys["pieces"], "pieces")
    for piece, node in zip(pieces, keys["pieces"].items("pieces") if pieces else [], strict=True):
        if isinstance(piece, str):
            node.fail("a swap is no piece; it belongs among moves")
    return Game(
        pattern=start.pattern,
        supply=supply,
        pieces=start.pieces + tuple(piece for piece in pieces if not isinstance(piece, str)),
        moves=tuple(_read_moves(keys["moves"], "moves")) if "moves" in keys else (),
        ordered="moves" in keys,
        to_move=to_move or start.to_move,
        to_move_at_start="board" in keys or "moves" not in keys,
        name=keys["name"].text("name") if "name" in keys else start.name,
        source=keys["source"].text("source") if "source" in keys else None,
        note=keys["note"].text("note") if "note" in keys else None,
        players=_read_players(keys["players"]) if "players" in keys else {},
        has_puzzle="puzzle" in keys,
    )


def _text_source(node: Node, text: str) -> Source:
    return replace(node.source, text=text)


def _read_board(node: Node) -> Game:
    text = node.text("board")
    if not text.strip():
        node.fail("the board is empty; expected a grid")
    if "\n" not in text.strip() and "/" in text:
        return _at(node.where, lambda: read_line(text.strip(), _text_source(node, text)))  # type: ignore[no-any-return]
    return _at(node.where, lambda: read_text(_text_source(node, text), node.block_line))  # type: ignore[no-any-return]


def _read_pattern(node: Node) -> Pattern:
    text = node.text("pattern").strip("\n")
    if "\n" in text:
        game = read_text(_text_source(node, text), node.block_line)
        return _bare_pattern(game, node)
    if (named := pattern_named(text.strip())) is not None:
        return named
    path = (node.source.folder or Path()) / text.strip()
    if text.strip() and _is_file(path):
        source = read_file(path, str(path))
        node.source.files.append(path)
        if form_of(source.text) == "text":
            return _bare_pattern(read_text(source), node)
        return _bare_pattern(_pattern_document(read_tree(source, form_of(source.text)), node), node)
    if "/" in text and re.fullmatch(r"[XO.#_0-9/-]+", text.strip(), re.IGNORECASE):
        game = _at(node.where, lambda: read_line(text.strip(), _text_source(node, text)))
        return _bare_pattern(game, node)
    node.fail(
        f"{text!r} is no pattern: not a standard board ({', '.join(pattern_names())}), "
        "no file of that path, and no grid or one-line pattern"
    )


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # Such as a name that is too long.
        return False


def _pattern_document(root: Node, asked: Node) -> Game:
    keys = root.mapping("a pattern file", TREE_KEYS)
    if "pattern" not in keys or "\n" not in keys["pattern"].text("pattern").strip():
        # A file that names another file could name itself.
        asked.fail("a pattern file should hold the grid itself")
    return read_text(
        _text_source(keys["pattern"], keys["pattern"].text("pattern")), keys["pattern"].block_line
    )


def _bare_pattern(game: Game, node: Node) -> Pattern:
    if game.pieces or game.moves:
        node.fail("a pattern has no pieces; give a board instead, or moves beside the pattern")
    return game.pattern


def _read_moves(node: Node, what: str) -> list[Move]:
    moves = []
    items = node.items(what)
    if len(items) > MOST_MOVES:
        node.fail(f"there are {len(items)} {what}, more than any game has ({MOST_MOVES})")
    for item in items:
        if not isinstance(item.value, str):
            item.fail('a move should be quoted text, such as "L:a1,b1,c1,a2"')
        try:
            moves.append(parse_move(item.value))
        except NotationError as error:
            hint = '; quote each move, as in ["T:f3,e4,f4,g4", swap]' if item.plain else ""
            raise NotationError(error.message + hint, item.where) from None
    return moves


def _read_supply(node: Node) -> Supply:
    if isinstance(node.value, str) and node.value.strip():
        return _at(node.where, lambda: parse_supply(node.text("supply")))  # type: ignore[no-any-return]
    counts = {}
    for shape, value in node.mapping("the supply", SHAPES).items():
        text = value.text(f"the supply of {shape}")
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            value.fail(f"the supply of {shape} should be a whole number, not {text!r}")
        counts[shape] = int(text)
    return _at(node.where, lambda: _checked_supply(counts))  # type: ignore[no-any-return]


def _read_players(node: Node) -> dict[str, str]:
    return {
        key: value.text(f"the {key} player")
        for key, value in node.mapping("players", SEATS).items()
    }


# Patterns by name


def pattern_names() -> list[str]:
    """The names of the standard boards."""
    return sorted(path.stem for path in data_folder("patterns").glob("*.txt"))


def pattern_named(name: str) -> Pattern | None:
    """A standard board by its name, upper and lower case alike; None where there is none."""
    if name.lower() not in pattern_names():
        return None
    return read_text(read_file(data_folder("patterns") / f"{name.lower()}.txt")).pattern


# Writing


def rows_of(game: Game) -> list[str]:
    """The grid of a game after its moves: symbols, and letters where pieces are.

    :raises LitstoolError: pieces overlap or are off the board, so no grid shows them.
    """
    rows = [list(row) for row in game.pattern.rows()]
    filled: set[Cell] = set()
    for piece in game.all_pieces:
        for cell in piece.cells:
            if cell in filled or cell not in game.pattern.outline or piece.shape not in SHAPES:
                raise LitstoolError(f"a grid cannot show the piece {piece.notation}")
            filled.add(cell)
            rows[cell.row][cell.column] = piece.shape
    return ["".join(row).replace("?", ".") for row in rows]


def write_text(game: Game) -> str:
    """The position after the moves as a grid with its keys above."""
    lines = [f"name: {_one_line(game.name)}"] if game.name else []
    if game.supply != FULL_SUPPLY:
        lines.append(f"supply: {write_supply(game.supply)}")
    lines.append(f"to-move: {game.side_to_move}")
    return "\n".join(lines + rows_of(game)) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def write_line(game: Game) -> str:
    """The position after the moves on one line."""
    words = [compress_rows(rows_of(game)), game.side_to_move]
    if game.supply != FULL_SUPPLY:
        words.append("supply=" + write_supply(game.supply, ","))
    return " ".join(words)


def write_document(game: Game) -> dict[str, Any]:
    """The whole game as the mapping that YAML and JSON files hold."""
    document: dict[str, Any] = {"game": game.game}
    for key in ("name", "source", "note"):
        if getattr(game, key):
            document[key] = getattr(game, key)
    if game.players:
        document["players"] = dict(game.players)
    unknown = game.pattern.unknown and (game.ordered or _grid_shows(game))
    if unknown or (game.ordered and game.to_move and game.to_move_at_start):
        # The side to move belongs to the board as it was before the moves.
        document["board"] = "\n".join(rows_of(game.at(0))) + "\n"
    else:
        document["pattern"] = "\n".join(game.pattern.rows()).replace("?", ".") + "\n"
        if game.pieces and not game.ordered:
            document["pieces"] = [piece.notation for piece in game.pieces]
        elif game.pieces:
            document["board"] = "\n".join(rows_of(game.at(0))) + "\n"
            del document["pattern"]
    if game.ordered:
        document["moves"] = [text_of(move) for move in game.moves]
    if game.to_move:
        document["to-move"] = game.to_move
    if game.supply != FULL_SUPPLY:
        document["supply"] = dict(zip(SHAPES, game.supply, strict=True))
    return document


def _grid_shows(game: Game) -> bool:
    """Whether a grid keeps the pieces apart: touching ones of one shape run together in it."""
    try:
        return set(_game_of_rows(rows_of(game)).pieces) == set(game.pieces)
    except LitstoolError:
        return False


def write_engine_line(game: Game) -> str:
    """The game as the public engines write it.

    :raises IllegalError: the pieces have no legal order.
    :raises LitstoolError: the board is not 10 x 10 without holes, or the supply not 5 of each.
    """
    outline = game.pattern.outline
    if (outline.rows, outline.columns) != (_ENGINE_SIDE, _ENGINE_SIDE) or outline.holes:
        raise LitstoolError("LTP carries only 10 x 10 boards without holes")
    if game.supply != FULL_SUPPLY:
        raise LitstoolError(f"LTP carries only a supply of {SUPPLY_EACH} of each shape")
    symbols = "".join(game.pattern.rows()).replace("?", ".")
    for piece in game.all_pieces:
        if not piece.is_formed() or any(cell not in outline for cell in piece.cells):
            raise LitstoolError(f"LTP cannot carry {piece.notation}, which is no placement")
    entries: tuple[Move, ...] = (*legal_order(game.pieces), *game.moves)
    return "; ".join([symbols, *(engine_move(move) for move in entries)])


def losses(game: Game, target: str) -> list[str]:
    """What a target notation (text, line, yaml, json, ltp) cannot carry of a game."""
    lost = []
    if target in ("text", "line"):
        if game.moves:
            lost.append("the order of the moves")
            if SWAP in game.moves:
                lost.append("the swap")
        hidden = any(
            game.pattern.symbol(cell) in SIDES for piece in game.all_pieces for cell in piece.cells
        )
        if hidden:
            lost.append("the symbols under the pieces")
    if target in ("line", "ltp") and game.name:
        lost.append("the name")
    if target in ("text", "line", "ltp"):
        lost += [key for key in ("source", "note", "players") if getattr(game, key)]
    if game.has_puzzle:
        lost.append("what the puzzle claims")
    if target == "ltp" and game.pieces:
        lost.append("that the order of the pieces is not known (one was made up)")
    if target == "ltp" and game.pattern.unknown:
        lost.append("which symbols the pieces cover (written as blank)")
    return lost
