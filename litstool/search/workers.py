"""Long work by many processes or machines: tasks handed out a few at a time, results as they come.

A crew is who does the work: processes of this machine, or a Dask cluster, whose client has an
executor of ``concurrent.futures`` too, so that there is one code path.  Dask does the tasks of a
lost worker again on another one.  Every wait for another process or machine is bounded: what
goes wrong there ends the work with one line, and what is known so far stays known.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass
from typing import Any, TypeVar

from litstool import __version__
from litstool.errors import LitstoolError, SourceError, UsageError
from litstool.search.control import Control
from litstool.search.threads import aside

CONNECT_SECONDS = 10.0
"""How long to wait for a scheduler, and for its workers, to answer."""

_LOOK_SECONDS = 0.2
_ASK_SECONDS = 5.0
"""How often a cluster is asked whether it is still there."""

_Key = TypeVar("_Key")
_Answer = TypeVar("_Answer")
Task = tuple[_Key, Callable[..., Any], tuple[Any, ...]]
"""A key to tell it by, a function that any process can import, and its arguments."""


class CrewLost(LitstoolError):
    """The workers are gone, or cannot do the work; what they had found stays known."""

    kind = "workers"
    exit_status = 3


@dataclass(frozen=True)
class Crew:
    """Who does the work.

    ``at_once`` says how many tasks it is to have at a time, ``look`` raises :class:`CrewLost`
    where it can no longer answer, and ``explain`` says in words what an error of a task means,
    None where it is a fault of the task itself.
    """

    executor: Executor
    at_once: Callable[[], int]
    look: Callable[[], None] = lambda: None
    explain: Callable[[BaseException], str | None] = lambda error: None

    @classmethod
    def of(cls, executor: Executor, at_once: int = 1) -> Crew:
        """Any executor of ``concurrent.futures``."""
        return cls(executor, lambda: at_once)


def spread(
    tasks: Iterator[Task[_Key]], crew: Crew, control: Control, on_look: Callable[[], None]
) -> Iterator[tuple[_Key, Any]]:
    """Have a crew do tasks, each taken when there is somebody to do it; yields keys and results.

    Ends when all are done, or soon after the control says so: the rest is left then to whoever
    ends the crew.  ``on_look`` is called a few times a second.

    :raises CrewLost: they cannot be done any more.
    """
    running: dict[Future[Any], _Key] = {}
    while not control.is_over:
        crew.look()
        try:
            while len(running) < crew.at_once() and (task := next(tasks, None)) is not None:
                key, function, arguments = task
                with _without_interrupt():
                    future = crew.executor.submit(checked, __version__, function, *arguments)
                running[future] = key
        except BrokenExecutor as error:
            raise CrewLost(str(crew.explain(error) or error)) from None
        if not running:
            return
        for future in wait(running, _LOOK_SECONDS, FIRST_COMPLETED).done:
            key = running.pop(future)
            failure = CancelledError() if future.cancelled() else future.exception()
            if failure is not None:
                words = crew.explain(failure)
                if words is None:
                    raise failure
                raise CrewLost(words) from None
            yield key, future.result()
        on_look()


# Processes of this machine


@contextlib.contextmanager
def process_crew(processes: int) -> Iterator[Crew]:
    """Worker processes; on leaving they are ended, and they end with this process in any case.

    Ctrl-C reaches the whole process group; the parent alone answers it.
    """
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(processes, initializer=_begin)
    try:
        yield Crew(pool, lambda: processes, explain=_explain_process)
    finally:
        # Not to cancel what they still do: the pool's own thread fails on a cancelled task.
        for worker in list((pool._processes or {}).values()):
            worker.kill()
        pool.shutdown()


@contextlib.contextmanager
def _without_interrupt() -> Iterator[None]:
    """Hold back Ctrl-C from this thread, and from the processes that it starts until they can
    ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    """What a worker process does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # Handlers of the parent, which a forked process has too, are not for the worker.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process as soon as its parent is gone, however that ended."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait as wait_for

    parent = parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


def _explain_process(error: BaseException) -> str | None:
    if isinstance(error, BrokenExecutor):
        return (
            "a worker process was ended from outside, perhaps for want of memory "
            "(less --hash or fewer --threads take less)"
        )
    if isinstance(error, MemoryError):
        return "a worker process has not enough memory (less --hash or fewer --threads take less)"
    return None


# Machines


@contextlib.contextmanager
def cluster_crew(address: str) -> Iterator[Crew]:
    """The workers of the Dask cluster whose scheduler is at an address.

    :raises UsageError: Dask is not installed.
    :raises SourceError: nothing answers at the address, or a worker has not this litstool.
    """
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise UsageError("a cluster needs Dask: pip install 'litstool[cluster]'") from None
    _silence("distributed")

    # One that could not connect would try to close itself, for twenty seconds and in many lines.
    client_type = type("Client", (distributed.Client,), {"__del__": lambda self: None})

    def connect() -> Any:
        return client_type(address, timeout=CONNECT_SECONDS, set_as_default=False)

    try:
        client = _within(CONNECT_SECONDS + 5, connect)
    except Exception as error:
        # Besides what sockets raise, each kind of address has errors of its own.
        raise SourceError(f"no Dask scheduler answers at {address}: {_first_line(error)}") from None
    try:
        cluster = _Cluster(client, address)
        cluster.check()
        executor = client.get_executor(pure=False)
        yield Crew(executor, cluster.at_once, cluster.look, cluster.explain)
    finally:
        # This also cancels what is still to do.
        with contextlib.suppress(Exception):
            _within(CONNECT_SECONDS, lambda: client.close(timeout=2))


def _silence(name: str) -> None:
    """Keep a library's own complaints, many lines each, from among the results.

    For good: its threads go on complaining after the work.
    """
    for key in list(logging.root.manager.loggerDict):
        if key.partition(".")[0] == name:
            logging.getLogger(key).setLevel(logging.CRITICAL + 1)


class _Cluster:
    """What is known of a cluster's workers, asked for at most every few seconds."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        self.threads: dict[str, int] = {}
        self.asked = 0.0
        self.seen = time.monotonic()

    def at_once(self) -> int:
        """Two tasks for each thread: one to do, one to go on with."""
        return 2 * sum(self.threads.values())

    def ask(self) -> None:
        """See which workers there are.

        :raises CrewLost: the scheduler does not answer.
        """
        try:
            if self.client.status != "running":
                raise ConnectionError(f"the connection is {self.client.status}")
            self.threads = dict(_within(CONNECT_SECONDS, self.client.nthreads))
        except Exception as error:
            raise CrewLost(
                f"the Dask scheduler at {self.address} does not answer any more"
                + (f" ({_first_line(error)})" if str(error) else "")
            ) from None
        self.asked = time.monotonic()
        if self.threads:
            self.seen = self.asked

    def look(self) -> None:
        """Notice where the scheduler or every worker is gone.

        :raises CrewLost: one of that.
        """
        if time.monotonic() - self.asked >= _ASK_SECONDS:
            self.ask()
        if self.asked - self.seen > CONNECT_SECONDS:
            raise CrewLost(f"the Dask cluster at {self.address} has lost all its workers")

    def check(self) -> None:
        """See before the work that every worker has this version of litstool.

        :raises SourceError: there is no worker, or one has not.
        """
        while not self.threads and time.monotonic() - self.seen < CONNECT_SECONDS:
            self.ask()
            time.sleep(0 if self.threads else _LOOK_SECONDS)
        if not self.threads:
            raise SourceError(f"the Dask cluster at {self.address} has no workers")

        # Inside a function, so that it is sent whole and not by name: a worker may lack litstool.
        def version() -> str:
            import litstool

            return litstool.__version__

        try:
            found = _within(CONNECT_SECONDS, lambda: self.client.run(version, on_error="return"))
        except Exception as error:
            raise SourceError(
                f"the workers of the Dask cluster at {self.address} do not answer: "
                f"{_first_line(error)}"
            ) from None
        for worker, answer in found.items():
            if isinstance(answer, BaseException):
                raise SourceError(
                    f"the Dask worker {worker} has no litstool that works "
                    f"({_first_line(answer)}); every worker needs litstool {__version__}"
                )
            if answer != __version__:
                raise SourceError(
                    f"the Dask worker {worker} has litstool {answer}, this is {__version__}; "
                    "every worker needs the same"
                )

    def explain(self, error: BaseException) -> str:
        """Why a task failed there."""
        if isinstance(error, OtherVersion):
            return error.message
        if isinstance(error, CancelledError):
            # So it is where the scheduler is gone, too.
            try:
                self.ask()
            except CrewLost as lost:
                return lost.message
            return f"the Dask cluster at {self.address} has dropped the work"
        return (
            f"the cluster at {self.address} cannot do it ({_first_line(error)}); the scheduler "
            f"and every worker need litstool {__version__}"
        )


class OtherVersion(LitstoolError):
    """A worker's litstool is not that of whoever gave it the task."""


def checked(version: str, function: Callable[..., _Answer], *arguments: Any) -> _Answer:
    """A task for a worker that may have come later: do it only with the same litstool.

    :raises OtherVersion: it has another version.
    """
    if version != __version__:
        raise OtherVersion(f"a Dask worker has litstool {__version__}, this is {version}")
    return function(*arguments)


def _within(seconds: float, function: Callable[[], _Answer]) -> _Answer:
    """What a function returns, if it does so in time.

    :raises TimeoutError: it does not; it is left to itself then.
    """
    try:
        return aside(function).result(seconds)
    except TimeoutError:
        raise TimeoutError(f"no answer within {seconds:.0f} s") from None


def _first_line(error: BaseException) -> str:
    text = " ".join(str(error).split())[:200]
    return text or type(error).__name__
