"""Lines that a person or a program types, one at a time, of any length and of any bytes."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from queue import Empty, Queue
from typing import BinaryIO, NamedTuple

from litstool.errors import NotationError

MOST_BYTES = 4096
"""No command and no game line is longer."""


def read_line(stream: BinaryIO) -> str | None:
    """The next line without its end; None at the end of the input.

    Memory is bounded whatever comes in.  After an error the next call goes on with the next line.

    :raises NotationError: the line is longer than ``MOST_BYTES`` or not UTF-8 text.
    """
    data = stream.readline(MOST_BYTES + 2)
    if not data:
        return None
    line = data.removesuffix(b"\n").removesuffix(b"\r")
    if len(line) > MOST_BYTES:
        while data and not data.endswith(b"\n"):
            data = stream.readline(64 * 1024)
        raise NotationError(f"the line is longer than {MOST_BYTES} bytes")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise NotationError(f"the line is not UTF-8 text (byte 0x{byte:02x})") from None


class Typed(NamedTuple):
    """A line with its number, counted from 1, or what is wrong with it."""

    number: int
    line: str | NotationError


_MOST_AHEAD = 1000


class ReadAhead:
    """Lines that are read while others are still being worked at.

    A thread reads them, and ``hear`` is called there with each as it comes; where it says False,
    that is the last one.  The thread ends no later than the program.
    """

    def __init__(self, stream: BinaryIO, hear: Callable[[Typed], bool]) -> None:
        self._stream = stream
        self._hear = hear
        self._waiting: Queue[Typed | Exception | None] = Queue(_MOST_AHEAD)
        threading.Thread(target=self._read, name="read ahead", daemon=True).start()

    def next(self) -> Typed | None:
        """The next line; None at the end of the input.

        :raises OSError: the input cannot be read.
        """
        while True:
            # Some systems hear no Ctrl-C while a thread waits without end.
            with contextlib.suppress(Empty):
                found = self._waiting.get(timeout=1.0)
                break
        if isinstance(found, Exception):
            raise found
        return found

    def _read(self) -> None:
        number = 0
        try:
            while True:
                number += 1
                try:
                    line = read_line(self._stream)
                except NotationError as error:
                    self._waiting.put(Typed(number, error))
                    continue
                if line is None:
                    break
                typed = Typed(number, line)
                goes_on = self._hear(typed)
                self._waiting.put(typed)
                if not goes_on:
                    break
            self._waiting.put(None)
        except Exception as error:
            self._waiting.put(error)
