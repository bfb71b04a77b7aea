"""How far long work is, in a line on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from litstool.search.control import Progress


@contextmanager
def progress_line(text: Callable[[Progress], str]) -> Iterator[Callable[[Progress], None]]:
    """A line on standard error that tells how far a long computation is, after a second.

    Only on a terminal; the line goes away at the end.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    status = console.status("")
    started = time.monotonic()
    running = False

    def show(progress: Progress) -> None:
        nonlocal running
        if not running and time.monotonic() - started > 1:
            running = True
            status.start()
        # One line, with room for the ^C that the terminal writes: a line more would stay behind.
        status.update(escape(shortened(text(progress), console.width - 6)))

    try:
        yield show
    finally:
        if running:
            status.stop()


def shortened(text: str, width: int) -> str:
    """A text in one line of so many columns, at least ten; what is left out is marked."""
    width = max(10, width)
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
