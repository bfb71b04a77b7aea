"""What a user is told of an exception that nothing else has put in words."""

from __future__ import annotations

import os

import click

from litstool.errors import (
    Interruption,
    LibraryError,
    LitstoolError,
    MemoryLimitError,
    SourceError,
    UsageError,
)
from litstool.terminal import signals


def error_of(problem: BaseException) -> LitstoolError | None:
    """What a user is told of an exception; None where it is a fault of the program."""
    if isinstance(problem, LitstoolError):
        return problem
    if isinstance(problem, click.exceptions.NoSuchOption):
        hint = f"; did you mean {problem.possibilities[0]}?" if problem.possibilities else ""
        return UsageError(f"there is no option {problem.option_name}{hint}")
    if isinstance(problem, click.ClickException):
        text = " ".join(problem.format_message().split())
        text = text[:1].lower() + text[1:].rstrip(".")
        context = getattr(problem, "ctx", None)
        if context is not None:
            text += f" (see {context.command_path} --help)"
        return UsageError(text)
    if signals.heard() or isinstance(problem, (KeyboardInterrupt, click.Abort)):
        # A compiler or an import that Ctrl-C has broken off says so in words of its own.
        return Interruption("interrupted before there was an answer")
    if isinstance(problem, ImportError) or (isinstance(problem, OSError) and not problem.errno):
        # The loader of shared libraries gives no number.
        return _of_library(problem)
    if isinstance(problem, OSError):
        # Every file that is read or written has words of its own; this is what is left.
        name = "" if problem.filename is None else str(problem.filename)
        name = name if len(name) <= 60 else f"{name[:57]}..."
        return SourceError(problem.strerror or str(problem) or type(problem).__name__, name or None)
    if isinstance(problem, SystemExit):
        # From click, where a pipe to another program breaks that is not standard output.
        return SourceError("another program that is needed has ended")
    if isinstance(problem, MemoryError):
        return MemoryLimitError("there is not enough memory for this")
    if isinstance(problem, RecursionError):
        return UsageError("the input is nested too deeply")
    if isinstance(problem, SystemError):
        # An import that ran out of memory in the interpreter itself.
        return _of_library(problem)
    if isinstance(problem, RuntimeError) and "start new thread" in str(problem):
        return MemoryLimitError("the system starts no more threads for this program")
    if _raised_by(problem).partition(".")[0] in _COMPILERS:
        # Settings of the environment, such as NUMBA_DISABLE_JIT, under which it cannot work.
        return _of_library(problem)
    return None


_COMPILERS = ("numba", "llvmlite")


def _raised_by(problem: BaseException) -> str:
    """The name of the module that raised an exception."""
    place = problem.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return "" if place is None else str(place.tb_frame.f_globals.get("__name__", ""))


def _of_library(problem: BaseException) -> LibraryError:
    """What is said where a library cannot be loaded: what the first error was."""
    while problem.__cause__ is not None:
        problem = problem.__cause__
    reason = " ".join(str(problem).split())
    module = _raised_by(problem).partition(".")[0]
    if module not in _COMPILERS:
        return LibraryError(f"a library that is needed cannot be loaded: {reason}")
    settings = f" (set: {', '.join(_settings())})" if _settings() else ""
    return LibraryError(f"{module} cannot work here{settings}: {reason}")


def _settings() -> list[str]:
    """The environment's settings of the compiler."""
    return sorted(name for name in os.environ if name.startswith("NUMBA_"))
