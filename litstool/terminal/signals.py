"""What Ctrl-C does to a command."""

from __future__ import annotations

import os
import signal
import sys
import time

from litstool.search.control import stop_everything
from litstool.terminal.printing import INTERRUPTED

_ONE_WISH_SECONDS = 0.5
_signals: list[float] = []
"""When this process was sent interrupts."""


def _on_interrupt(signum: int, frame: object) -> None:
    now = time.monotonic()
    if _signals and now - _signals[-1] < _ONE_WISH_SECONDS:
        # A key that is held down, or a shell and a terminal that both pass it on: what the first
        # one ends is not to be broken off by the next.
        return
    _signals.append(now)
    if len(_signals) > 2:
        os._exit(INTERRUPTED)
    stop_everything()
    raise KeyboardInterrupt


def _on_unraisable(problem: sys.UnraisableHookArgs) -> None:
    """Ctrl-C within a destructor or an import's callback raises nothing, but it has been heard."""
    if not isinstance(problem.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(problem)


def listen() -> None:
    """Hear Ctrl-C from now on."""
    signal.signal(signal.SIGINT, _on_interrupt)
    sys.unraisablehook = _on_unraisable


def heard() -> bool:
    """Whether this process was sent an interrupt."""
    return bool(_signals)
