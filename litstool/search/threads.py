"""Threads: how many pay, work beside the thread that waits for it, and searches watched there."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from litstool.search.control import Control, Progress, Stopped

_Answer = TypeVar("_Answer")

_LOOK_SECONDS = 0.02
"""How long a search may go on once its time is up, besides what it takes to hear of it."""


def cores() -> int:
    """The cores that this process may use: more threads that compute only cost time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def aside(function: Callable[[], _Answer]) -> Future[_Answer]:
    """Have a function run in a thread of its own, which does not keep the process from ending."""
    future: Future[_Answer] = Future()

    def run() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def watch(
    search: Callable[[], _Answer],
    stop: Callable[[], None],
    control: Control,
    progress: Callable[[], Progress] | None = None,
) -> _Answer | None:
    """Run a search aside, and from here watch the clock, tell its progress and hear Ctrl-C.

    ``stop`` has it end soon, by itself or with :class:`Stopped`; then the answer is None.
    Ctrl-C counts as :meth:`Control.stop`.  Whatever else ends the wait, such as a fault of
    ``on_progress``, ends the search first and is raised.
    """
    if control.is_over:
        stop()
    running = aside(search)
    try:
        while not running.done():
            try:
                wait([running], _LOOK_SECONDS)
                if control.is_over:
                    stop()
                if progress is not None:
                    control.report(progress)
            except KeyboardInterrupt:
                control.stop()
    except BaseException:
        stop()
        wait([running])
        raise
    try:
        return running.result()
    except Stopped:
        return None
