"""How wide the lines for people may be, and how long ones are broken."""

from __future__ import annotations

import shutil
import textwrap

USUAL_COLUMNS = 80
_FEWEST_COLUMNS = 40


def columns() -> int:
    """How many letters a line may have: the terminal's, or ``COLUMNS``, else 80."""
    return max(_FEWEST_COLUMNS, shutil.get_terminal_size((USUAL_COLUMNS, 24)).columns)


def wrapped(text: str, wide: int, indent: int = 0) -> list[str]:
    """A text in lines of at most so many letters, those after the first set in.

    A move is never broken, however narrow the line.
    """
    first = len(text) - len(text.lstrip(" "))
    lines: list[str] = textwrap.wrap(
        text.lstrip(" "),
        wide,
        initial_indent=" " * first,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines
