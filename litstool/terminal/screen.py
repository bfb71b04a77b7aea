"""What the terminal can show, and how drawings for it adapt: colours, lines and width."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
from typing import Any

import click

from litstool.draw.picture import Picture
from litstool.draw.terminal import PLAIN, Screen, picture_lines, plain
from litstool.terminal.printing import ASCII_WANTED

PLAIN_ERRORS = "litstool-plain"
"""The way of encoding errors that writes ASCII for what a stream cannot show, else ``?``."""


def _encode_plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join(PLAIN.get(letter, "?") for letter in text), error.end


codecs.register_error(PLAIN_ERRORS, _encode_plain)


def screen_of(stream: Any = None) -> Screen:
    """What a stream, standard output by default, can show."""
    stream = sys.stdout if stream is None else stream
    if stream is None:
        return Screen()
    width = shutil.get_terminal_size().columns if stream.isatty() else None
    return Screen(_colors(stream), _only_ascii(stream), width)


def drawn(picture: Picture, stream: Any = None) -> list[str]:
    """A picture as lines of text for a stream."""
    screen = screen_of(stream)
    context = click.get_current_context(silent=True)
    if screen.colors is not None and context is not None:
        # Forced colours, too, are to pass where there is no terminal.
        context.color = True
    return picture_lines(picture, screen)


def showable(text: str, stream: Any = None) -> str:
    """A text with bars or other signs, as a stream can show it."""
    return plain(text) if screen_of(stream).ascii_only else text


def _only_ascii(stream: Any) -> bool:
    """Whether lines and bars cannot be shown, or are not wanted."""
    context = click.get_current_context(silent=True)
    if context is not None and context.meta.get(ASCII_WANTED):
        return True
    try:
        "─│┌░█▒·".encode(stream.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def _colors(stream: Any) -> str | None:
    """The colours for a stream: none but on a terminal, unless ``FORCE_COLOR`` says so.

    The sixteen colours that every terminal has, and any where ``COLORTERM`` tells of them.
    ``NO_COLOR``, as ``--no-color`` sets it, goes before all.
    """
    forced = os.environ.get("FORCE_COLOR", "")
    if os.environ.get("NO_COLOR") or forced == "0":
        return None
    if not forced and (not stream.isatty() or os.environ.get("TERM") == "dumb"):
        return None
    wide = os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    return "truecolor" if wide else "standard"
