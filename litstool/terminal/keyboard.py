"""What a person types, line by line, and the signals that end a conversation."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

import click

from litstool.errors import NotationError, printable
from litstool.files.typed import MOST_BYTES, read_line
from litstool.search.control import stop_everything


class EndOfInput(Exception):
    """Nothing more can be typed."""


def line_reader(words: Callable[[], list[str]]) -> Callable[[str], str]:
    """How a line is asked for: with editing and completion in a terminal, else plainly.

    ``words`` are the completions.  What is returned takes the prompt and raises EndOfInput, or
    NotationError where a line is no text or far too long; the next call then goes on after it.
    """
    if all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        return _edited(words)
    return _plain


def _edited(words: Callable[[], list[str]]) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    session: Any = PromptSession(
        completer=WordCompleter(words, sentence=True), complete_while_typing=False
    )

    def read(prompt: str) -> str:
        try:
            line = str(session.prompt(prompt))
        except (EOFError, OSError):
            raise EndOfInput from None
        if len(line) > MOST_BYTES:
            raise NotationError(f"the line is longer than {MOST_BYTES} letters")
        return line

    return read


def _plain(prompt: str) -> str:
    click.echo(prompt, nl=False, err=True)
    if sys.stdin is None:
        raise EndOfInput
    try:
        line = read_line(sys.stdin.buffer)
    except OSError:
        raise EndOfInput from None
    if line is None:
        raise EndOfInput
    # So that what is on the screen or in a log reads as it would at a keyboard.
    click.echo(printable(line.strip()), err=True)
    return line


class Endings:
    """While it is entered, Ctrl-C, the end of the terminal and a request to end are one: the first
    of them raises KeyboardInterrupt, and what follows within a second is that same wish.

    With ``deaf`` set none is heard: for what must be done to the end.  A signal that the caller
    had ignored (as ``nohup`` does) stays ignored.
    """

    _SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")

    def __init__(self) -> None:
        self.deaf = False
        self._heard: float | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Endings:
        if threading.current_thread() is threading.main_thread():
            for name in self._SIGNALS:
                number = getattr(signal, name, None)
                if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *error: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    @property
    def heard(self) -> bool:
        """Whether any has come."""
        return self._heard is not None

    def _hear(self, number: int, frame: FrameType | None) -> None:
        now = time.monotonic()
        if self.deaf or (self._heard is not None and now - self._heard < 1):
            return
        self._heard = now
        stop_everything()
        raise KeyboardInterrupt
