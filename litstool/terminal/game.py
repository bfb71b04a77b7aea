"""A game at the table of ``litstool play``, in a terminal or without one."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from litstool.draw.picture import Picture
from litstool.say import table as words
from litstool.say.position import snapshot_of
from litstool.search.control import Control
from litstool.tasks.conversation import BoardAsked, Conversation, Event, Leave
from litstool.tasks.play import Table
from litstool.terminal.keyboard import Endings, EndOfInput
from litstool.terminal.printing import INTERRUPTED, YES, announce_compiling, print_json
from litstool.terminal.progress import progress_line
from litstool.terminal.screen import drawn, screen_of, showable


def converse(table: Table, path: Path | None, as_json: bool, read: Callable[[str], str]) -> int:
    """Play to the end or until the person leaves, in the terminal; the exit status.

    Whatever ends it, the game is kept.
    """
    terminal = _Terminal(table, as_json, read)
    conversation = Conversation(table, terminal, path)
    status = YES
    with Endings() as endings:
        try:
            conversation.play()
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Exception:
            if not endings.heard:
                raise
            # What was broken off says so in its own words.
            status = INTERRUPTED
        finally:
            endings.deaf = True
            for event in conversation.keep():
                terminal.leave_word(words.told(event, table))
        if as_json:
            print_json(words.document(table))
    return status


class _Terminal:
    """Where the people are: a terminal, or input and output without one."""

    def __init__(self, table: Table, as_json: bool, read: Callable[[str], str]) -> None:
        self.table = table
        self.as_json = as_json
        self.read = read
        self.compiling = announce_compiling

    def ask(self) -> str:
        """What a person types."""
        try:
            return self.read(words.question(self.table))
        except EndOfInput:
            raise Leave from None

    def tell(self, event: Event) -> None:
        """Show what happens."""
        stream = sys.stderr if self.as_json else sys.stdout
        if isinstance(event, BoardAsked):
            picture = Picture.of(snapshot_of(self.table.record, []))
            for text in ("", *drawn(picture, stream), ""):
                click.echo(showable(text, stream), file=stream)
        for line in words.told(event, self.table):
            for text in _broken(line, screen_of(stream).width):
                click.echo(showable(text, stream), file=stream)

    @contextmanager
    def thinking(self) -> Iterator[Control]:
        """The control of an engine that thinks."""
        with progress_line(words.thinking) as on_progress:
            yield Control(on_progress=on_progress)

    def leave_word(self, lines: Iterable[words.Line]) -> None:
        """Print lines at the end of the game to whatever can still be written to."""
        told = list(lines)
        streams = [sys.stdout, sys.stderr]
        for stream in reversed(streams) if self.as_json else streams:
            try:
                if stream is not None:
                    for line in told:
                        click.echo(line.text, file=stream)
                    return
            except (OSError, ValueError):
                continue


def _broken(line: words.Line, width: int | None) -> list[str]:
    """A line as it is or, where the terminal is narrower, broken between its words."""
    if width is None or line.indent is None:
        return [line.text]
    return textwrap.wrap(
        line.text, max(width - 1, line.indent + 20), subsequent_indent=" " * line.indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
