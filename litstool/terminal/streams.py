"""Standard input, output and error of the command, in whatever state the shell leaves them.

Results on standard output are never lost in silence: where it is closed or full, that is an
error.  What stands on standard error is beside the result, so there a fault is passed over.  Data
for files and pipes is UTF-8; a terminal gets its own encoding.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import TypeVar

from litstool.errors import ReaderGone, WriteError
from litstool.terminal.screen import PLAIN_ERRORS

OUTPUT = "standard output"
"""Where its errors say that they are."""


class _Output(io.TextIOWrapper):
    """Standard output, which tells in our own words what is wrong with it."""

    def write(self, text: str, /) -> int:
        with _told():
            return super().write(text)

    def flush(self) -> None:
        with _told():
            super().flush()


class _Notes(io.TextIOWrapper):
    """Standard error, which nobody may be able to read."""

    def write(self, text: str, /) -> int:
        with contextlib.suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            super().flush()


_Stream = TypeVar("_Stream", _Output, _Notes)


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise ReaderGone("is no longer read", OUTPUT) from None
    except OSError as error:
        if error.errno == errno.EBADF:
            raise WriteError("is closed", OUTPUT) from None
        raise WriteError(f"cannot be written: {error.strerror}", OUTPUT) from None


def open_streams() -> None:
    """Set up the three streams of this process."""
    # A closed one must not become the number of a file that is opened later.  What takes its
    # place can only be used the wrong way round, so that using it is an error.
    _fill(0, os.O_WRONLY)
    _fill(1, os.O_RDONLY)
    _fill(2, os.O_WRONLY)
    sys.stdout = _wrapped(_Output, 1, getattr(sys.stdout, "encoding", "utf-8"))
    sys.stderr = _wrapped(_Notes, 2, getattr(sys.stderr, "encoding", "utf-8"))
    if isinstance(sys.stdin, io.TextIOWrapper):
        # What is no text is told where it is read, in the words of an error.
        encoding = sys.stdin.encoding if sys.stdin.isatty() else "utf-8"
        sys.stdin.reconfigure(encoding=encoding, errors="surrogateescape")


def discard_output() -> None:
    """Keep the interpreter from failing to write what is left when it exits."""
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)


def _fill(number: int, flags: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        null = os.open(os.devnull, flags)
        if null != number:
            os.dup2(null, number)
            os.close(null)


def _wrapped(kind: type[_Stream], number: int, encoding: str) -> _Stream:
    """A stream of our own on a number that the system knows."""
    terminal = os.isatty(number)
    # A terminal without a text's characters shows the nearest in ASCII instead.
    errors = PLAIN_ERRORS if terminal else "backslashreplace"
    encoding = encoding if terminal else "utf-8"
    buffer = open(number, "wb", closefd=False)  # noqa: SIM115
    return kind(buffer, encoding=encoding, errors=errors, line_buffering=terminal)
