"""Pictures and pages as files: the ending of the file's name says the format."""

from __future__ import annotations

from litstool.draw import page, svg
from litstool.draw.picture import Picture
from litstool.draw.reviewed import ReviewedGame
from litstool.files import check_ending
from litstool.writing import write_file

ENDINGS = (".svg", ".png", ".html")


def write(
    path: str, picture: Picture, *, review: ReviewedGame | None = None, scale: float | None = None
) -> None:
    """Write a picture to a file: .svg, .png or .html.

    With ``review`` an .html file is the report of that game.  ``scale`` is the pixels of a .png
    to a unit, of which a cell has 40.

    :raises UsageError: another ending, or a .png too large.
    :raises WriteError: the file cannot be written.
    """
    ending = check_ending(path, ENDINGS)
    if ending == ".html":
        text = page.report(review) if review is not None else page.picture_page(picture)
    else:
        text = svg.drawing(picture)
    if ending == ".png":
        from litstool.draw import png

        write_file(path, png.render(text, scale or png.DEFAULT_SCALE))
    else:
        write_file(path, text)
