"""Pictures and pages as files: the ending of the file's name says the format."""

from __future__ import annotations

import math
from collections.abc import Sequence

from litstool.draw import page, svg
from litstool.draw.picture import Picture
from litstool.draw.reviewed import ReviewedGame
from litstool.files.reading import check_ending
from litstool.files.writing import write_file

ENDINGS = (".svg", ".png", ".pdf", ".html")


def write(
    path: str,
    pictures: Sequence[Picture],
    *,
    review: ReviewedGame | None = None,
    scale: float | None = None,
) -> None:
    """Write a picture, or several side by side, to a file: .svg, .png, .pdf or .html.

    With ``review`` an .html file is the report of that game.  ``scale`` is the pixels of a .png
    to a unit, of which a cell has 40.

    :raises UsageError: another ending, or a .png too large.
    :raises WriteError: the file cannot be written.
    """
    ending = check_ending(path, ENDINGS)
    data: str | bytes
    if ending == ".html":
        data = page.report(review) if review is not None else page.picture_page(*pictures)
    elif ending == ".pdf":
        from litstool.draw import pdf

        data = pdf.pictures(pictures)
    elif len(pictures) == 1:
        data = svg.drawing(pictures[0])
    else:
        data = svg.drawing_of_all(pictures, _columns(len(pictures)))
    if ending == ".png":
        from litstool.draw import png

        data = png.render(str(data), scale or png.DEFAULT_SCALE)
    write_file(path, data)


def _columns(count: int) -> int:
    """How many of so many pictures stand side by side: about a square of them, at most four."""
    return min(4, math.ceil(math.sqrt(count)))
