"""A picture as SVG: pieces as joined areas in the game's colours, hatched and lettered.

Colour is never the only sign: each shape has its letter and its own hatching, X and O their
forms, marks their own lines.  Letters are outlines (see ``letters``) and everything is plain
paths and circles, so browsers, pixel renderers and PDF writers draw the same.  Colours stand as
attributes beside class names: a page may restyle the classes, for a dark scheme say.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from unicodedata import bidirectional
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from litstool.draw.geometry import CELL, at, hatch, inner_lines, number, rounded, squares
from litstool.draw.letters import (
    BOLD,
    CAP_HEIGHT,
    REGULAR,
    known,
    outline,
    parts_by_font,
    width,
    wrapped,
)
from litstool.draw.picture import (
    FAULTY,
    MAY_PLACE,
    Picture,
    drawn_legend,
    number_text,
    region_parts,
    spoken,
)
from litstool.grid import Cell
from litstool.snapshot import Square

PIECES = {"L": "#ee7466", "I": "#f5d04e", "T": "#74c476", "S": "#6fb1ea"}
"""The usual colours of the four shapes: red, yellow, green and blue."""
SYMBOLS = {"X": "#b4460a", "O": "#1a5fa8"}
_HATCHES = {"L": "/", "T": "dots", "S": "\\"}
"""How each shape is hatched; I is plain, since its letter is a line itself."""
_COUNTERS = {"light": ("#f4e7ca", "#2a2118"), "dark": ("#5d4230", "#fff6e6")}
PAPER = "#f6f5f1"
"""What a picture with its texts stands on."""
_INK, _MUTED, _BOARD, _GRID = "#1f2430", "#5b6270", "#ffffff", "#d5d8de"
_HOLE, _WARNING = "#e2e1da", "#c01c28"
_MORE, _LESS = "#7c4ddb", "#d6780c"
"""The heat map's colours, for numbers above and below 0."""

LABELS = 28.0
"""Room for the row numbers and the column letters."""
_EDGE = 14.0
_LEAST_TEXT_WIDTH = 340.0
_FACT_SIZE, _LEGEND_SIZE, _TITLE_SIZE = 14.0, 12.5, 19.0
_FACT_COLUMN = 88.0


def drawing(picture: Picture, texts: bool = True, paper: str = PAPER) -> str:
    """The picture as an SVG document.

    With ``texts`` the title stands above the board and the facts and the legend below it, on a
    ground of the colour ``paper``; without, the board stands alone on whatever is behind it.
    """
    root = _root(picture.title or "A board", [picture])
    if not texts:
        wide, high = size(picture)
        _board(root, picture, 0.0, 0.0)
        return _document(root, wide, high)
    wide = _wide(picture)
    ground = add(root, "rect", "paper", width=wide, fill=paper)
    high = _titled(root, picture, wide)
    high = float(round(_legend(root, picture, wide - 2 * _EDGE, high) + _EDGE + 4))
    ground.set("height", number(high))
    return _document(root, wide, high)


def drawing_of_all(pictures: Sequence[Picture], columns: int, paper: str = PAPER) -> str:
    """Pictures, ``columns`` side by side, as one SVG document, the legend of all below them."""
    root = _root("Boards", pictures)
    ground = add(root, "rect", "paper", fill=paper)
    wides = [max(map(_wide, pictures[place::columns])) for place in range(columns)[: len(pictures)]]
    high = 0.0
    for start in range(0, len(pictures), columns):
        across, lowest = 0.0, high
        for picture, wide in zip(pictures[start : start + columns], wides, strict=False):
            place = add(root, "g", None, transform=f"translate({at(across, high)})")
            lowest = max(lowest, high + _titled(place, picture, wide))
            across += wide
        high = float(round(lowest + _EDGE))
    entries = dict.fromkeys(entry for picture in pictures for entry in picture.legend)
    everything = replace(pictures[0], legend=tuple(entries))
    high = float(round(_legend(root, everything, sum(wides) - 2 * _EDGE, high) + _EDGE))
    ground.set("width", number(sum(wides)))
    ground.set("height", number(high))
    return _document(root, sum(wides), high)


def _root(title: str, pictures: Iterable[Picture]) -> Element:
    """The document's element, with what it shows in words."""
    root = Element(
        "svg",
        {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "aria-label": clean(title)},
    )
    ElementTree.SubElement(root, "title").text = clean(title)
    words = [
        word
        for picture in pictures
        for word in (spoken(picture), *(fact.said for fact in picture.facts))
    ]
    ElementTree.SubElement(root, "desc").text = clean(" ".join(words))
    return root


def _document(root: Element, wide: float, high: float) -> str:
    root.set("width", number(wide))
    root.set("height", number(high))
    root.set("viewBox", f"0 0 {number(wide)} {number(high)}")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _wide(picture: Picture) -> float:
    """How wide a picture with its texts is."""
    return max(size(picture)[0], _LEAST_TEXT_WIDTH)


def _titled(parent: Element, picture: Picture, wide: float) -> float:
    """Draw the title, the board and the facts into so wide a column; return where they end."""
    top = _title(parent, picture.title, wide - 2 * _EDGE) if picture.title else 0.0
    board_wide, board_high = size(picture)
    # Whole pixels, so that the board's lines fall on them.
    _board(parent, picture, float(round((wide - board_wide) / 2)), top)
    return _facts(parent, picture, wide - 2 * _EDGE, top + board_high)


def size(picture: Picture) -> tuple[float, float]:
    """Width and height of the board with its labels."""
    board = picture.outline
    return LABELS + board.columns * CELL + _EDGE, LABELS + board.rows * CELL + _EDGE


def size_of(drawing: str) -> tuple[float, float]:
    """Width and height of an SVG document of this module."""
    root = ElementTree.fromstring(drawing)
    return float(root.get("width", "0")), float(root.get("height", "0"))


def clean(text: str) -> str:
    """A text without what no XML document may hold, and without marks that turn writing round."""
    return "".join(
        character
        for character in text
        if (character >= " " or character in "\t\n")
        and not "\ud800" <= character <= "\udfff"
        and character not in "\ufffe\uffff"
        and bidirectional(character) not in _TURNING
    )


_TURNING = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
"""The classes of characters that set the direction of all that follows them."""


def add(parent: Element, tag: str, kind: str | None, **attributes: str | float) -> Element:
    """Add an element of a class; ``stroke_width=2.0`` becomes ``stroke-width="2"``."""
    element = ElementTree.SubElement(parent, tag)
    if kind:
        element.set("class", kind)
    for name, value in attributes.items():
        text = value if isinstance(value, str) else number(value)
        element.set(name.replace("_", "-"), text)
    return element


# Texts


def add_text(
    parent: Element,
    text: str,
    x: float,
    y: float,
    text_size: float,
    *,
    weight: str = REGULAR,
    fill: str = _INK,
    kind: str = "ink",
    anchor: str = "start",
) -> None:
    """Add a text as an outline, and what the font lacks in it as text in any font.

    ``anchor`` says what x is: the ``start``, ``middle`` or ``end``.  y is the base line.
    """
    text = clean(text)
    if anchor != "start":
        x -= width(text, text_size, weight) * (0.5 if anchor == "middle" else 1)
    for part in parts_by_font(text):
        if known(part):
            place = f"translate({at(x, y)})scale(.1)"
            path = outline(part, text_size, weight)
            add(parent, "path", kind, fill=fill, transform=place, d=path)
        else:
            element = add(parent, "text", kind, fill=fill, x=x, y=y, font_size=text_size)
            element.set("font-family", "sans-serif")
            if weight == BOLD:
                element.set("font-weight", "600")
            element.text = part
        x += width(part, text_size, weight)


def _add_centred(
    parent: Element, text: str, x: float, y: float, text_size: float, **style: str
) -> None:
    """Add a bold text whose capitals are centred on a point."""
    middle = y + text_size * CAP_HEIGHT / 2
    add_text(parent, text, x, middle, text_size, weight=BOLD, anchor="middle", **style)


def _title(root: Element, title: str, room: float) -> float:
    """Draw the title and return where it ends."""
    y = _EDGE + _TITLE_SIZE
    for line in wrapped(title, _TITLE_SIZE, room, BOLD):
        add_text(root, line, _EDGE, y, _TITLE_SIZE, weight=BOLD)
        y += _TITLE_SIZE * 1.3
    return float(round(y - _TITLE_SIZE * 0.9))


def _facts(root: Element, picture: Picture, room: float, y: float) -> float:
    """Draw the facts from y down and return where they end."""
    step = _FACT_SIZE * 1.5
    y += 6
    for fact in picture.facts:
        indent = _EDGE + (12 if fact.is_part else 0)
        if fact.label:
            style = {"weight": BOLD, "fill": _MUTED, "kind": "muted"}
            add_text(root, fact.label, _EDGE, y + step, _FACT_SIZE, **style)
            indent += _FACT_COLUMN
        for line in wrapped(fact.words, _FACT_SIZE, room + _EDGE - indent):
            y += step
            add_text(root, line, indent, y, _FACT_SIZE)
    return y


def _legend(root: Element, picture: Picture, room: float, y: float) -> float:
    """Draw the legend from y down and return where it ends."""
    y += 8 if picture.legend else 0
    for mark, text in drawn_legend(picture):
        for place, line in enumerate(wrapped(text, _LEGEND_SIZE, room - 24)):
            y += _LEGEND_SIZE * 1.5
            if place == 0 and "░" in mark:
                side = _LEGEND_SIZE
                add(
                    root,
                    "rect",
                    "hole",
                    x=_EDGE,
                    y=y - side * 0.86,
                    width=side,
                    height=side,
                    fill=_HOLE,
                    stroke="#8b8f99",
                )
            elif place == 0 and mark == FAULTY:
                style = {"fill": "none", "stroke": _WARNING}
                side = _LEGEND_SIZE - 2
                add(
                    root, "rect", "faulty-mark", x=_EDGE + 1, y=y - side * 0.92, width=side,
                    height=side, rx=2.0, stroke_width=2.5, **style,
                )  # fmt: skip
            elif place == 0 and mark == MAY_PLACE:
                _allowed(root, _EDGE + 6, y - _LEGEND_SIZE * CAP_HEIGHT / 2, 5.0)
            elif place == 0:
                style = {"fill": _MUTED, "kind": "muted", "weight": BOLD}
                add_text(root, mark, _EDGE, y, _LEGEND_SIZE, **style)
            add_text(root, line, _EDGE + 24, y, _LEGEND_SIZE, fill=_MUTED, kind="muted")
    return y


# The board


def _board(root: Element, picture: Picture, left: float, top: float) -> None:
    x, y = left + LABELS, top + LABELS
    board = add(root, "g", "board")
    cells = sorted(picture.squares)
    holes = sorted(picture.outline.holes)
    if holes:
        add(board, "path", "hole", fill=_HOLE, d=squares(holes, x, y))
    add(board, "path", "cells", fill=_BOARD, d=rounded(cells, x, y, 0, 0))
    _heat(board, picture, x, y)
    lines = inner_lines(cells, x, y)
    add(board, "path", "grid", fill="none", stroke=_GRID, stroke_width=1.0, d=lines)
    wall = rounded(cells, x, y, -1, 3)
    add(board, "path", "wall", fill="none", stroke=_INK, stroke_width=2.0, d=wall)
    _labels(board, picture, x, y)
    for cell in cells:
        if picture.squares[cell].region is None:
            _open_square(board, cell, picture.squares[cell], x, y)
    parts = [part for _, part in region_parts(picture)]
    # The last move goes last, so that its heavier outline lies on top of its neighbours.
    for part in sorted(parts, key=lambda part: any(picture.squares[cell].last for cell in part)):
        _piece(board, picture, part, x, y)
    if faulty := [cell for cell in cells if picture.squares[cell].faulty]:
        names = " ".join(cell.name for cell in faulty)
        style = {"fill": "none", "stroke": _WARNING, "stroke_linejoin": "round"}
        edge = rounded(faulty, x, y, 0, 5)
        # A light edge sets it off from the pieces.
        add(board, "path", "faulty-edge", d=edge, stroke_width=7.0, **style | {"stroke": _BOARD})
        add(board, "path", "faulty", d=edge, stroke_width=3.5, data_cells=names, **style)


def _centre(cell: Cell, x: float, y: float) -> tuple[float, float]:
    return x + (cell.column + 0.5) * CELL, y + (cell.row + 0.5) * CELL


def _labels(board: Element, picture: Picture, x: float, y: float) -> None:
    style = {"fill": _MUTED, "kind": "label"}
    for column in range(picture.outline.columns):
        letter = chr(ord("a") + column)
        across = x + (column + 0.5) * CELL
        add_text(board, letter, across, y - 10, 12.5, anchor="middle", **style)
    for row in range(picture.outline.rows):
        down = y + (row + 0.5) * CELL + 12.5 * CAP_HEIGHT / 2
        add_text(board, str(row + 1), x - 9, down, 12.5, anchor="end", **style)


def _heat(board: Element, picture: Picture, x: float, y: float) -> None:
    heats = {
        cell: square.heat for cell, square in picture.squares.items() if square.heat is not None
    }
    most = max((abs(heat) for heat in heats.values()), default=0) or 1
    for cell in sorted(heats):
        heat = heats[cell]
        if heat:
            # Pale enough at most for figures and symbols to stay readable, on a dark board too.
            cover = 0.08 + 0.32 * abs(heat) / most
            tone = _MORE if heat > 0 else _LESS
            place = squares([cell], x, y)
            add(board, "path", "heat", fill=tone, fill_opacity=cover, d=place)


def _open_square(board: Element, cell: Cell, square: Square, x: float, y: float) -> None:
    across, down = _centre(cell, x, y)
    text = square.text.strip(" ·")
    scale = 1.0
    if square.bracketed:
        arm, high = 5.0, 25.0
        left, right, top = across - 9.5, across + 9.5, down - high / 2
        brackets = (
            f"M{at(left, top)}h-{number(arm)}v{number(high)}h{number(arm)}"
            f"M{at(right, top)}h{number(arm)}v{number(high)}h-{number(arm)}"
        )
        add(board, "path", "safe", fill="none", stroke="#7a8190", stroke_width=1.8, d=brackets)
        scale = 0.8
    if square.heat is not None:
        label = number_text(square.heat)
        style = {"weight": BOLD, "kind": "heat-number", "anchor": "end"}
        add_text(board, label, across + 16.5, down + 16, 11.5, **style)
        scale, across, down = 0.62, across - 8.5, down - 8
    if square.fill in _COUNTERS and text:
        _counter(board, cell, square, x, y)
    elif text in SYMBOLS:
        _symbol(board, cell, text, across, down, scale)
    elif square.fill == "allowed":
        _allowed(board, across, down, 6.0).set("data-cell", cell.name)
    elif text:
        _add_centred(board, text, across, down, 18)


def _allowed(parent: Element, across: float, down: float, radius: float) -> Element:
    """The sign of a cell where a piece may be placed."""
    green: dict[str, str | float] = {"fill": "#d8f0d9", "stroke": "#2f8a3a"}
    return add(parent, "circle", "allowed", cx=across, cy=down, r=radius, **green, stroke_width=2.0)


def _symbol(
    board: Element, cell: Cell, symbol: str, across: float, down: float, scale: float
) -> None:
    element = add(
        board,
        "path" if symbol == "X" else "circle",
        f"symbol {symbol}",
        data_cell=cell.name,
        fill="none",
        stroke=SYMBOLS[symbol],
        stroke_width=4 * (0.4 + 0.6 * scale),
    )
    if symbol == "X":
        arm = 8.5 * scale
        wide = number(2 * arm)
        element.set("stroke-linecap", "round")
        start = at(across - arm, down - arm)
        element.set("d", f"M{start}l{wide} {wide}m-{wide} 0l{wide} -{wide}")
    else:
        element.set("cx", number(across))
        element.set("cy", number(down))
        element.set("r", number(9.2 * scale))


def _counter(board: Element, cell: Cell, square: Square, x: float, y: float) -> None:
    """Draw a round piece of one cell, with its letter and the sign of its kind."""
    across, down = _centre(cell, x, y)
    face, ink = _COUNTERS[square.fill or ""]
    edge = 3.6 if square.last else 1.6
    group = add(board, "g", f"counter {square.fill}", data_cell=cell.name)
    if square.last:
        group.set("data-last", "true")
    around = {"cx": across, "cy": down}
    add(group, "circle", "face", **around, r=17.0, fill=face)
    add(group, "circle", "edge", **around, r=17.0, fill="none", stroke=_INK, stroke_width=edge)
    letter = square.text.strip().upper()
    signs = {
        "S": f"M{at(across - 4.5, down - 7)}h9m-4.5 -4.5v9",
        "D": f"M{at(across - 3.5, down - 10.5)}l7 7m-7 0l7 -7",
    }
    if letter in signs:
        add(group, "path", "sign", fill="none", stroke=ink, stroke_width=1.8, d=signs[letter])
    elif letter in ("P", "L"):
        filled = ink if letter == "P" else "none"
        sign = {"fill": filled, "stroke": ink}
        add(group, "circle", "sign", cx=across, cy=down - 7, r=3.6, stroke_width=1.8, **sign)
    add_text(
        group, letter, across, down + 11, 13, weight=BOLD, fill=ink, kind="letter", anchor="middle"
    )
    if square.number is not None:
        # Apart from the letter, with which it would read like a cell's name.
        place = {"cx": across + 12.5, "cy": down - 12.5}
        add(group, "circle", "number", **place, r=7.0, fill=_BOARD, stroke=_INK, stroke_width=1.2)
        add_text(
            group, str(square.number), across + 12.5, down - 12.5 + 9 * CAP_HEIGHT / 2, 9,
            weight=BOLD, kind="number", anchor="middle",
        )  # fmt: skip


def _piece(board: Element, picture: Picture, part: tuple[Cell, ...], x: float, y: float) -> None:
    """Draw one joined area."""
    fill = next((picture.squares[cell].fill for cell in part if picture.squares[cell].fill), "")
    if fill in _COUNTERS:
        for cell in part:
            _counter(board, cell, picture.squares[cell], x, y)
        return
    last = any(picture.squares[cell].last for cell in part)
    names = " ".join(cell.name for cell in part)
    group = add(board, "g", f"piece {fill}".strip(), data_cells=names)
    if last:
        group.set("data-last", "true")
    tile = rounded(part, x, y, 1.5, 6)
    add(group, "path", "tile", fill=PIECES.get(fill or "", "#c9ccd3"), d=tile)
    if fill in _HATCHES:
        style = _HATCHES[fill]
        dots = style == "dots"
        lines = hatch(style, part, x, y, 8 if dots else 20 / 3, 3)
        element = add(group, "path", "hatch", fill="none", stroke="#000000", d=lines)
        element.set("stroke-opacity", "0.2")
        element.set("stroke-width", "2.6" if dots else "1.3")
        if dots:
            element.set("stroke-linecap", "round")
    line = {"fill": "none", "stroke": _INK, "stroke_linejoin": "round"}
    if last:
        add(group, "path", "edge", stroke_width=3.6, d=rounded(part, x, y, 2, 6), **line)
        line["stroke"] = "#ffffff"
        add(group, "path", "last", stroke_width=2.0, d=rounded(part, x, y, 4.8, 4), **line)
    else:
        add(group, "path", "edge", stroke_width=1.6, d=tile, **line)
    _piece_texts(group, picture, part, x, y)


def _piece_texts(
    group: Element, picture: Picture, part: tuple[Cell, ...], x: float, y: float
) -> None:
    """Draw a piece's number, its letter, and a warning where it overlaps another."""
    row = sum(cell.row for cell in part) / len(part)
    column = sum(cell.column for cell in part) / len(part)
    # The cell nearest the middle has the number or else the letter, the next one the letter.
    order = sorted(
        part, key=lambda cell: ((cell.row - row) ** 2 + (cell.column - column) ** 2, cell)
    )
    free = [cell for cell in order if picture.squares[cell].text != "!"]
    move = picture.squares[part[0]].number
    if move is not None and free:
        across, down = _centre(free.pop(0), x, y)
        disc = {"fill": "#ffffff", "stroke": _INK}
        add(group, "circle", "disc", cx=across, cy=down, r=13.0, stroke_width=1.4, **disc)
        _add_centred(group, str(move), across, down, 14 if move < 100 else 11, kind="number")
    if free:
        across, down = _centre(free[0], x, y)
        letter = picture.squares[free[0]].text
        _add_centred(group, letter, across, down, 20, kind="letter")
        if letter == "I":
            # Serifs, or it would pass for a line.
            bars = f"M{at(across - 5, down - 6.3)}h10M{at(across - 5, down + 6.3)}h10"
            add(group, "path", "letter", fill="none", stroke=_INK, stroke_width=2.2, d=bars)
    for cell in part:
        if picture.squares[cell].text != "!":
            continue
        across, down = _centre(cell, x, y)
        disc = {"fill": "#ffffff", "stroke": _WARNING}
        element = add(group, "circle", "warning", cx=across, cy=down, r=13.0, **disc)
        element.set("stroke-width", "3")
        element.set("data-cell", cell.name)
        _add_centred(group, "!", across, down, 19, fill=_WARNING, kind="warning-mark")
