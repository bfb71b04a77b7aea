"""Sheets of boards as PDF, drawn from the same SVG by fpdf2."""

from __future__ import annotations

import io
import logging
from datetime import UTC, datetime
from typing import Any

from litstool.draw import svg
from litstool.draw.letters import BOLD, REGULAR, font_file
from litstool.draw.page import PAPERS, SheetBoard, sheet_legend

_MARGIN = 12.0
_MUTED, _INK = (91, 98, 112), (31, 36, 48)


def sheet(title: str, boards: list[SheetBoard], per_page: int, paper: str = "A4") -> bytes:
    """A sheet to print, ``per_page`` boards to a page (1, 2 or 6), as a PDF file.

    The same boards make the same file.
    """
    from fpdf import FPDF

    # The drawing's own title and description have no place in a PDF; no need to warn of it.
    logging.getLogger("fpdf.svg").setLevel(logging.ERROR)
    wide, high = PAPERS[paper]
    document = FPDF(unit="mm", format=(wide, high))
    document.set_creation_date(datetime(2000, 1, 1, tzinfo=UTC))
    document.set_title(title)
    document.set_auto_page_break(False)
    document.set_margin(_MARGIN)
    for style, weight in (("", REGULAR), ("B", BOLD)):
        document.add_font("Inter", style, font_file(weight))
    across = 2 if per_page == 6 else 1
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
            _write(document, title, _MARGIN, _MARGIN, wide - 2 * _MARGIN, 15, "B")
            document.set_text_color(*_MUTED)
            document.set_font("Inter", size=8)
            document.set_xy(_MARGIN, high - _MARGIN - 3)
            number = f"Page {place // per_page + 1} of {pages}"
            document.cell(wide - 2 * _MARGIN, 3, number, align="R")
            document.set_xy(_MARGIN, high - _MARGIN - 3)
            document.cell(wide - 2 * _MARGIN - 25, 3, sheet_legend(boards))
        _board(
            document,
            board,
            _MARGIN + column * (room_wide + gap),
            top + row * room_high,
            room_wide,
            room_high,
            9 if per_page == 6 else 11,
        )
    return bytes(document.output())


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
