"""Long work of many tabs at once, each with a fair share of the cores, stopped when asked.

A work is an iterator: each step computes for a while and gives a part of the answer.  Steps of
different works take turns on as many threads as there are cores, so that twenty analyses all go
on; the compiled searches leave the interpreter's lock free meanwhile.  Work that cannot be cut
into steps has threads of its own, so that it holds up none that can.
"""

from __future__ import annotations

import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from litstool.errors import IllegalError, LitstoolError, MemoryLimitError
from litstool.search.control import Control

Part = dict[str, Any]
Steps = Iterator[Part]
Tell = Callable[[str, Part], None]
"""Told of ``part``, ``done`` or ``error`` with what there is to say; may be called anywhere."""

_NICE = 5
"""How far long work stands back from answers that are waited for."""

MOST_WAITING = 256
"""Works of all tabs together; more are refused."""


@dataclass
class Work:
    """One long piece of work: its steps, who is told, and how it is stopped."""

    steps: Steps
    tell: Tell
    control: Control
    last: Part = field(default_factory=dict)

    def stop(self) -> None:
        """Ask it to end; nothing more is told of it."""
        self.control.stop()


class Busy(LitstoolError):
    """There is more work than the server takes on."""

    kind = "busy"
    exit_status = 3


class Lane:
    """Threads that take turns at works, a step each."""

    def __init__(self, name: str, threads: int) -> None:
        self.waiting: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self.count = 0
        self._lock = threading.Lock()
        self.threads = [
            threading.Thread(target=self._run, name=f"{name}-{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self.threads:
            thread.start()

    def add(self, work: Work) -> None:
        """Take on a work.

        :raises Busy: there are too many.
        """
        with self._lock:
            if self.count >= MOST_WAITING:
                raise Busy("too much is being worked out already; close some pages")
            self.count += 1
        self.waiting.put(work)

    @property
    def is_crowded(self) -> bool:
        """Whether works wait for a thread."""
        return self.count > len(self.threads)

    def close(self, seconds: float) -> bool:
        """End the threads after what they are at; whether all ended in so many seconds."""
        for _ in self.threads:
            self.waiting.put(None)
        end = time.monotonic() + seconds
        for thread in self.threads:
            thread.join(max(0.0, end - time.monotonic()))
        return not any(thread.is_alive() for thread in self.threads)

    def _run(self) -> None:
        if sys.platform == "linux":
            # What is asked meanwhile goes first, on whatever else the machine has to do.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while (work := self.waiting.get()) is not None:
            if self._step(work):
                self.waiting.put(work)
            else:
                with self._lock:
                    self.count -= 1

    def _step(self, work: Work) -> bool:
        """Take one step of a work and tell of it; whether there is more."""
        if work.control.interrupted:
            return False
        try:
            part = next(work.steps, None)
        except BaseException as error:
            if not work.control.interrupted:
                work.tell("error", error_document(error))
            return False
        if work.control.interrupted:
            return False
        if part is None:
            work.tell("done", work.last)
            return False
        work.last = part
        work.tell("part", part)
        return True


class Bench:
    """The two lanes: ``turns`` for work in steps, ``long`` for work that cannot be cut."""

    def __init__(self, cores: int | None = None) -> None:
        cores = cores or os.cpu_count() or 1
        self.turns = Lane("turns", cores)
        self.long = Lane("long", cores)

    def close(self, seconds: float = 2.0) -> bool:
        """End all threads; whether they ended in time."""
        return all([self.turns.close(seconds), self.long.close(seconds)])


def error_document(error: BaseException) -> Part:
    """What the page is told of an error."""
    if isinstance(error, IllegalError):
        return {
            "kind": error.kind,
            "message": str(error),
            "violations": [
                {
                    "rule": each.rule,
                    "message": each.message,
                    "cells": [cell.name for cell in each.cells],
                }
                for each in error.violations
            ],
        }
    if isinstance(error, LitstoolError):
        return {"kind": error.kind, "message": str(error)}
    if isinstance(error, MemoryError):
        return {"kind": MemoryLimitError.kind, "message": "there is not enough memory for this"}
    if isinstance(error, RecursionError):
        return {"kind": "usage", "message": "the input is nested too deeply"}
    logging.getLogger("litstool").error("a fault in the board", exc_info=error)
    return {"kind": "fault", "message": "this went wrong in the program; it is written in the log"}
