"""How a long computation is steered: its one clock, its stop and its reports of progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

MOST_SECONDS = 1e9
"""Some thirty years: a longer limit is none, and more than timers take."""

PROGRESS_SECONDS = 0.2
"""How long between two reports of progress."""


class Stopped(Exception):
    """The computation was asked to stop, or its time is up."""


@dataclass(frozen=True)
class Progress:
    """How far a search is: root moves done of all, nodes, seconds, proven bounds, best so far."""

    done: int
    total: int
    nodes: int
    seconds: float
    bounds: tuple[int, int] | None = None
    best: str | None = None


# A plain flag: a handler may break into itself, where a lock would wait for ever.
_is_everything_stopped = False


def stop_everything(stop: bool = True) -> None:
    """Stop every computation of this process as :meth:`Control.stop` does one; False: no more.

    For a signal handler, whose exception a compiler or a callback may swallow.
    """
    global _is_everything_stopped
    _is_everything_stopped = stop


@dataclass
class _Common:
    """What a control and those of the parts of its work have in common."""

    is_stopped: bool = False
    reported: float = field(default_factory=time.monotonic)
    """When there was a report of progress, or the work began."""


@dataclass
class Control:
    """How a caller steers a long computation.

    ``time_limit`` is in seconds of wall time, None for no limit; it counts from the start of the
    computation that is given the control, and not while something is compiled.  ``on_progress``
    is called a few times a second.  ``stop()`` may be called from any thread or signal handler:
    the computation then ends soon with what it knows and ``interrupted`` tells why.
    """

    time_limit: float | None = None
    on_progress: Callable[[Progress], None] | None = None
    _common: _Common = field(default_factory=_Common, init=False, repr=False)
    _begun: float = field(default_factory=time.monotonic, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.time_limit is not None:
            self.time_limit = min(self.time_limit, MOST_SECONDS)

    # -- the clock -----------------------------------------------------------------------------

    @property
    def seconds(self) -> float:
        """Seconds since the clock began."""
        return time.monotonic() - self._begun

    @property
    def left(self) -> float | None:
        """Seconds left of the time limit, never below 0; None without a limit."""
        if self.time_limit is None:
            return None
        return max(0.0, self.time_limit - self.seconds)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While it is entered, as for compiling, the clock stands."""
        started = time.monotonic()
        try:
            yield
        finally:
            self._begun += time.monotonic() - started

    # -- the stop ------------------------------------------------------------------------------

    @property
    def interrupted(self) -> bool:
        """Whether :meth:`stop` was called, or :func:`stop_everything`."""
        return self._common.is_stopped or _is_everything_stopped

    @property
    def is_over(self) -> bool:
        """Whether the computation should end now: stopped, or out of time."""
        return self.interrupted or self.left == 0

    def stop(self) -> None:
        """Ask the computation to end with what it knows."""
        self._common.is_stopped = True

    # -- progress ------------------------------------------------------------------------------

    def report(self, progress: Callable[[], Progress]) -> None:
        """Tell of the progress, where someone wants to know and was not told a moment ago."""
        now = time.monotonic()
        if self.on_progress is not None and now - self._common.reported >= PROGRESS_SECONDS:
            self._common.reported = now
            self.on_progress(progress())

    # -- parts of the work ---------------------------------------------------------------------

    def begin(self, time_limit: float | None = None) -> Control:
        """The control of the computation it was given to, which begins now.

        The limit counts from here; with a second limit the shorter one holds.
        """
        limits = [each for each in (self.time_limit, time_limit) if each is not None]
        return self._part(min(limits, default=None))

    def within(self, seconds: float | None) -> Control:
        """The control of a part of the work that begins now, with a time limit of its own beside
        what is left for the whole.

        Whoever stops the part or the whole stops both.
        """
        limits = [each for each in (self.left, seconds) if each is not None]
        return self._part(min(limits, default=None))

    def share(self, parts: float) -> Control:
        """The control of the next of so many like parts of the work, with its share of the time
        left."""
        return self.within(None if self.left is None else self.left / parts)

    def _part(self, time_limit: float | None) -> Control:
        part = Control(time_limit, self.on_progress)
        part._common = self._common
        return part
