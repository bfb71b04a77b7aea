"""Pictures and sheets of boards as PDF, drawn from the same SVG by fpdf2."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from litstool.draw import svg
from litstool.draw.letters import BOLD, REGULAR, font_file, in_font
from litstool.draw.page import PAPERS, SheetBoard, sheet_legend
from litstool.draw.picture import Picture

_MARGIN = 12.0
_WHITE = "#ffffff"
_MILLIMETRES = 0.25
"""How many a unit of a drawing is at most."""
_MUTED, _INK = (91, 98, 112), (31, 36, 48)


def pictures(found: Sequence[Picture]) -> bytes:
    """One picture as a page of its size, a cell 10 mm wide; several as A4 pages of four each.

    Characters that the font lacks are shown as ? (see :func:`unknown`).  The same pictures
    make the same file.
    """
    found = [_in_font(each) for each in found]
    if len(found) == 1:
        drawing = svg.drawing(found[0], paper=_WHITE)
        wide, high = (side * _MILLIMETRES for side in svg.size_of(drawing))
        document = _document(found[0].title or "A board", (wide, high))
        document.add_page()
        document.image(io.BytesIO(drawing.encode()), 0, 0, wide, high)
        return bytes(document.output())
    paper_wide, paper_high = PAPERS["A4"]
    document = _document("Boards", PAPERS["A4"])
    for start in range(0, len(found), 4):
        drawing = svg.drawing_of_all(found[start : start + 4], 2, _WHITE)
        wide, high = svg.size_of(drawing)
        scale = min(
            _MILLIMETRES, (paper_wide - 2 * _MARGIN) / wide, (paper_high - 2 * _MARGIN) / high
        )
        left = (paper_wide - wide * scale) / 2
        document.add_page()
        image = io.BytesIO(drawing.encode())
        document.image(image, left, _MARGIN, wide * scale, high * scale)
    return bytes(document.output())


def unknown(found: Iterable[Picture]) -> str:
    """The characters of these pictures' texts that a PDF shows as ?."""
    texts = "".join(
        text for each in found for text in (each.title or "", *(fact.said for fact in each.facts))
    )
    return "".join(dict.fromkeys(each for each in svg.clean(texts) if in_font(each) != each))


def _in_font(picture: Picture) -> Picture:
    """A picture with texts that need no other font than the one that travels with this package."""
    title = in_font(svg.clean(picture.title or ""))
    facts = tuple(fact._replace(words=in_font(svg.clean(fact.words))) for fact in picture.facts)
    return replace(picture, title=title, facts=facts)


def sheet(
    title: str,
    boards: list[SheetBoard],
    per_page: int,
    paper: str = "A4",
    author: str | None = None,
) -> bytes:
    """A sheet to print, ``per_page`` boards to a page (1, 2, 4 or 6), as a PDF file.

    The same boards make the same file.
    """
    wide, high = PAPERS[paper]
    document = _document(title, (wide, high))
    if author:
        document.set_author(author)
    for style, weight in (("", REGULAR), ("B", BOLD)):
        document.add_font("Inter", style, font_file(weight))
    across = 2 if per_page >= 4 else 1
    down = per_page // across
    pages = -(-len(boards) // per_page)
    gap = 8.0
    room_wide = (wide - 2 * _MARGIN - (across - 1) * gap) / across
    top, bottom = _MARGIN + 11, high - _MARGIN - 6
    room_high = (bottom - top) / down
    for place, board in enumerate(boards):
        row, column = divmod(place % per_page, across)
        if row == column == 0:
            document.add_page()
            _write(document, in_font(title), _MARGIN, _MARGIN, wide - 2 * _MARGIN, 15, "B")
            document.set_text_color(*_MUTED)
            if author:
                document.set_font("Inter", size=10)
                document.set_xy(_MARGIN, _MARGIN)
                document.cell(wide - 2 * _MARGIN, 7.5, in_font(author), align="R")
            document.set_font("Inter", size=8)
            document.set_xy(_MARGIN, high - _MARGIN - 3)
            number = f"Page {place // per_page + 1} of {pages}"
            document.cell(wide - 2 * _MARGIN, 3, number, align="R")
            document.set_xy(_MARGIN, high - _MARGIN - 3)
            legend, room = sheet_legend(boards), wide - 2 * _MARGIN - 25
            document.set_font(
                "Inter", size=min(8, 8 * room / (document.get_string_width(legend) + 3))
            )
            document.cell(room, 3, legend)
        _board(
            document,
            board,
            _MARGIN + column * (room_wide + gap),
            top + row * room_high,
            room_wide,
            room_high,
            9 if per_page >= 4 else 11,
        )
    return bytes(document.output())


def _document(title: str, paper: tuple[float, float]) -> Any:
    """An empty document of pages so wide and high, in millimetres."""
    from fpdf import FPDF

    # The drawing's own title and description have no place in a PDF; no need to warn of it.
    logging.getLogger("fpdf.svg").setLevel(logging.ERROR)
    document = FPDF(unit="mm", format=paper)
    document.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    document.set_title(title)
    document.set_auto_page_break(False)
    document.set_margin(_MARGIN)
    return document


def _board(
    document: Any, board: SheetBoard, x: float, y: float, wide: float, high: float, size: float
) -> None:
    """Draw a board with what stands above and below it into a box of the page."""
    line = size * 0.5
    _write(document, board.heading, x, y, wide, size, "B")
    unscaled = svg.size(board.picture)
    # Two lines of text at least fit below.
    scale = min(wide / unscaled[0], (high - 4.6 * line - 2) / unscaled[1])
    drawn_wide, drawn_high = unscaled[0] * scale, unscaled[1] * scale
    picture = svg.drawing(board.picture, texts=False).encode()
    left = x if size < 10 else x + (wide - drawn_wide) / 2
    document.image(
        io.BytesIO(picture), left, y + line * 1.4, drawn_wide, drawn_high, title=board.heading
    )
    _write(document, board.text, x, y + line * 1.6 + drawn_high, wide, size - 1)


def _write(
    document: Any, text: str, x: float, y: float, wide: float, size: float, style: str = ""
) -> None:
    document.set_text_color(*_INK)
    document.set_font("Inter", style, size)
    document.set_xy(x, y)
    document.multi_cell(wide, size * 0.5, text, align="L")
