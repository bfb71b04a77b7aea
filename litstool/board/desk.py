"""Positions for the page: read, shown, played on, set up, written; all of it by the library.

A place on the page is the text of a start and the moves from there, so the server keeps nothing:
a page that was closed, or a server that was started again, loses nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from litstool import games
from litstool.board.fields import Fields
from litstool.board.kinds import about, boards, names, notations, tools
from litstool.draw import svg
from litstool.draw.geometry import CELL
from litstool.draw.picture import Picture, drawn_legend, word_of
from litstool.errors import IllegalError, LitstoolError, UsageError, Violation
from litstool.files.reading import Source
from litstool.game import SWAP, Position, Record, text_of
from litstool.grid import Cell, Outline
from litstool.say.people import result_line
from litstool.say.position import snapshot_of
from litstool.snapshot import Square
from litstool.toolbox import Key, Toolbox

_MOST_OPENED = 500
"""Positions of one file that are offered."""


# --- reading ----------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def record_of(start: str, moves: tuple[str, ...] = ()) -> Record:
    """The game record of a start and moves from it.

    :raises LitstoolError: it cannot be read, or a move is none or not legal.
    """
    if not moves:
        return _read(start)
    position_of(start, moves)
    return record_of(start, moves[:-1]).played(moves[-1])


def _read(start: str) -> Record:
    """The record in a text, or of a board that a text names."""
    if start in games.boards():
        return games.load(start)[1]
    return games.read(Source("the position", start))


@lru_cache(maxsize=1024)
def position_of(start: str, moves: tuple[str, ...] = ()) -> Position:
    """The position of a start after moves.

    :raises LitstoolError: it cannot be read, or breaks the rules.
    """
    if not moves:
        return record_of(start).position()
    return position_of(start, moves[:-1]).play(moves[-1])


Place = tuple[str, tuple[str, ...]]
"""The text of a start, and the moves from there."""


def place_of(fields: Fields) -> Place:
    """The start and the moves that a message names."""
    return fields.text("start"), fields.words("moves")


def opened(fields: Fields) -> dict[str, Any]:
    """What is in a text that was opened, dropped or pasted: each with its start and its moves."""
    name = fields.word("name", "the text")
    text = fields.text("text").removeprefix("\ufeff")
    known = {board: start for game in names() for board, start in boards(game).items()}
    if (start := known.get(text.strip().lower())) is not None:
        # Its name or its line is all that an address needs to hold.
        return {"records": [{**entry_of(_read(start), name), "start": start}]}
    sources = games.split(Source(name, text))
    if len(sources) > _MOST_OPENED:
        raise UsageError(f"{name} has more than {_MOST_OPENED} positions")
    several = len(sources) > 1
    return {
        "records": [
            entry_of(games.read(source), f"{name}, {number}" if several else name)
            for number, source in enumerate(sources, 1)
        ]
    }


def entry_of(record: Record, label: str) -> dict[str, Any]:
    """A record as the page keeps it: the text of its start, and its moves.

    Moves from the first illegal one on are left out, and ``problem`` says why.
    """
    faults = [fault for fault in record.violations() if fault.move is not None]
    legal = min((int(fault.move or 1) - 1 for fault in faults), default=len(record.moves))
    return {
        "label": record.name or label,
        "game": record.game,
        "start": start_text(record),
        "moves": [text_of(move) for move in record.moves[:legal]],
        "problem": "; ".join(fault.message for fault in faults) or None,
    }


def start_text(record: Record) -> str:
    """The start of a record as a text: one line where that carries all of it, else JSON."""
    start = record.at(0)
    writer = games.of(record).notation()
    try:
        if not writer.losses(start, "line") and not record.name:
            line = writer.write_line(start)
            if games.read(Source("it", line)).all_pieces == start.all_pieces:
                return line
    except LitstoolError:
        pass
    return json.dumps(writer.write_document(start), ensure_ascii=False)


# --- showing ----------------------------------------------------------------------------------


def view(fields: Fields) -> dict[str, Any]:
    """All that the page shows of a place."""
    start, moves = place_of(fields)
    return view_of(start, moves, fields.maybe("heat"), fields.flag("numbers"))


def view_of(
    start: str, moves: tuple[str, ...], heat: str | None = None, numbers: bool = False
) -> dict[str, Any]:
    """The view of a start after moves: drawing, facts, legal moves."""
    record = record_of(start, moves)
    # Each move was legal when it was made, so that only the start can be wrong.
    faults = _faults(start)
    position = record.position_as_written() if faults else position_of(start, moves)
    picture = Picture.of(snapshot_of(record, faults, numbers=numbers, heat=heat))
    sides = games.of(record).sides
    shown = {
        "game": record.game,
        "name": record.name,
        **drawn(picture),
        "facts": [(fact.label, fact.words) for fact in picture.facts if fact.label],
        "violations": [each.to_json() for each in faults],
        "to_move": position.to_move,
        "finished": not faults and position.is_finished,
        "result": None if faults else result_line(record),
        "margin": position.margin,
        "scores": {side: position.score(side) for side in sides},
        "sides": sides,
        "swapped": position.swapped,
        "left": tools(record.game).left(position),
        "legal": [],
        "others": [],
    }
    if not faults and not position.is_finished:
        shown["legal"], shown["others"] = _legal(record.game, position)
    return shown


@lru_cache(maxsize=256)
def _faults(start: str) -> tuple[Violation, ...]:
    return tuple(record_of(start).violations())


def drawn(picture: Picture) -> dict[str, Any]:
    """A picture as the page shows it: the drawing, where its cells lie, and each in words."""
    wide, high = svg.size(picture)
    outline = picture.outline
    return {
        "svg": svg.drawing(picture, texts=False),
        "rows": outline.rows,
        "columns": outline.columns,
        "at": {"left": svg.LABELS, "top": svg.LABELS, "cell": CELL, "wide": wide, "high": high},
        "cells": {cell.name: word_of(square) for cell, square in picture.squares.items()},
        "legend": drawn_legend(picture),
    }


def _legal(game: str, position: Position) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The legal moves that lay a piece, and the others."""
    listing = games.named(game).listing()
    legal, others = [], []
    for each in listing.moves(position, None, ()):
        kind = each.details.get("shape") or each.details.get("kind")
        if each.cells:
            cells = [cell.name for cell in each.cells]
            legal.append({"move": each.move, "kind": kind, "cells": cells, "gain": each.gain})
        else:
            others.append({"move": each.move, "words": each.move.capitalize()})
    if position.can_swap:
        others.append({"move": SWAP, "words": SWAP.capitalize()})
    _, words = listing.beside(position)
    for other, said in zip(others, words, strict=False):
        # Such as "or swap: O takes over X and the piece just played".
        said = said.removeprefix("or ")
        other["words"] = f"{said[:1].upper()}{said[1:]}"
    return legal, others


# --- playing ----------------------------------------------------------------------------------


def play(fields: Fields) -> dict[str, Any]:
    """The move that was tried: as it is written where it is legal, else every rule it breaks.

    It is given as ``move``, in any notation, or as ``cells`` with the ``kind`` of piece, which
    may be missing where the cells tell it.
    """
    start, moves = place_of(fields)
    position, record = position_of(start, moves), record_of(start, moves)
    text = fields.maybe("move")
    if text is None:
        cells = fields.words("cells")
        if not cells:
            raise UsageError("a move needs cells")
        text = tools(record.game).tried(fields.maybe("kind"), cells)
    try:
        position.play(text)
    except IllegalError as error:
        return {"illegal": [each.to_json() for each in error.violations]}
    return {"move": text_of(record.played(text).moves[-1])}


# --- setting up -------------------------------------------------------------------------------


def grid(fields: Fields) -> dict[str, Any]:
    """A place as a grid to be edited: its rows of letters and what else it says.

    :raises LitstoolError: no grid shows it.
    """
    start, moves = place_of(fields)
    record = record_of(start, moves)
    known = {key.key: key for key in tools(record.game).keys}
    keys = {}
    lines = games.of(record).notation().write_text(record).rstrip("\n").split("\n")
    rows = lines[-record.position_as_written().outline.rows :]
    for line in lines:
        name, _, value = line.partition(":")
        if name in known and value and not (_may_be_left_out(known[name], record, lines, line)):
            keys[name] = value.strip()
    return {"game": record.game, "rows": rows, "keys": keys}


def _may_be_left_out(key: Key, record: Record, lines: Sequence[str], line: str) -> bool:
    """Whether the grid alone says the same, so that it goes on doing so as it is edited."""
    if "" not in key.choices:
        return False
    again = games.read(Source("it", "\n".join(each for each in lines if each != line)))
    return again.position_as_written().to_move == record.position_as_written().to_move


def set_up(fields: Fields) -> dict[str, Any]:
    """What a grid that is being edited comes to: its start where it can be read, and its faults.

    A grid that is not yet a position is drawn as it stands, with what is wrong as ``problem``.
    """
    name = fields.choice("game", names())
    game = tools(name)
    rows = fields.words("rows", game.most_side)
    keys = fields.mapping("keys")
    named = {key.key: key for key in game.keys}
    lines = [f"game: {name}"]
    for key, value in keys.items():
        if key not in named:
            raise UsageError(f"a position has no {key[:40]!r}")
        if value.strip():
            lines.append(f"{key}: {' '.join(value.split())}")
    text = "\n".join([*lines, *rows])
    try:
        record = games.read(Source("the position", text))
        start = start_text(record)
        return {"start": start, "problem": None, **view_of(start, ())}
    except LitstoolError as error:
        picture = _plain(rows, game)
        return {
            **drawn(picture),
            "game": name,
            "start": None,
            "problem": str(error),
            "facts": [],
            "violations": [],
        }


def _plain(rows: Sequence[str], game: Toolbox) -> Picture:
    """A grid of letters as it stands.

    :raises UsageError: it is no grid of the game's letters.
    """
    known = {each.letter: each for each in game.letters}
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise UsageError("the rows should be of one length")
    if len(rows[0]) > game.most_side:
        raise UsageError(f"a row has at most {game.most_side} cells")
    single = all(len(way) == 1 for kind in game.kinds for way in kind.ways)
    squares, holes = {}, set()
    for row, letters in enumerate(rows):
        for column, each in enumerate(letters):
            cell = Cell(row, column)
            if each not in known:
                raise UsageError(f"{each!r} is no letter of a grid of this game")
            letter = known[each]
            if each == "#":
                holes.add(cell)
            elif letter.is_piece:
                squares[cell] = Square(each, region=cell if single else each, fill=letter.fill)
            elif letter.fill:
                squares[cell] = Square(each, fill=letter.fill)
            else:
                squares[cell] = Square("·", faint=True)
    return Picture(Outline(len(rows), len(rows[0]), frozenset(holes)), squares)


# --- writing ----------------------------------------------------------------------------------


def write(fields: Fields) -> dict[str, Any]:
    """A place in a notation, and what that cannot carry."""
    start, moves = place_of(fields)
    record = record_of(start, moves)
    game = games.of(record)
    target = fields.choice("to", notations(game))
    lost = game.notation().losses(record, target)
    return {"text": games.written(record, target), "lost": lost}


def picture(fields: Fields) -> dict[str, Any]:
    """A place as a picture file, SVG or PNG, in base 64."""
    start, moves = place_of(fields)
    record = record_of(start, moves)
    ending = fields.choice("to", ("svg", "png"))
    data = svg.drawing(Picture.of(snapshot_of(record))).encode()
    if ending == "png":
        from litstool.draw.png import render

        data = render(data.decode())
    return {"data": base64.b64encode(data).decode(), "name": f"board.{ending}"}


def hello(first: str | None) -> dict[str, Any]:
    """What the page is told at first: the games, and what the command was given to show."""
    return {
        "games": [about(game) for game in games.GAMES],
        "first": None if first is None else opened(Fields({"text": first}))["records"][0],
    }


def report(fields: Fields) -> dict[str, Any]:
    """How balanced the board of a place is, as labels and words."""
    start, moves = place_of(fields)
    record = record_of(start, moves)
    tell = tools(record.game).report
    return {"report": [] if tell is None else tell(record)}
