"""What can go wrong, each with its place in the input.

Every error that a user can cause is a :class:`LitstoolError`, so that a caller needs to catch
only one class.  ``kind`` is the word that ``--json`` prints, ``exit_status`` what the shell gets.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from litstool.grid import Cell

_LONGEST_MESSAGE = 600


def printable(text: str) -> str:
    """A text as it may go to a terminal: on one line, with no letter that steers it.

    Control characters, the marks that turn the direction of writing and halves of characters
    are written as escapes such as ``\\x1b``.
    """
    if text.isprintable():
        return text
    return "".join(
        letter
        if letter.isprintable() or unicodedata.category(letter) == "Zs"
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


class LitstoolError(ValueError):
    """An input that cannot be used, or an output that cannot be written.

    ``message`` is one line that any terminal may be given; ``where`` names the place as it is,
    such as ``game.yaml, line 3``.  As text both are fit for a terminal.
    """

    kind = "error"
    exit_status = 2

    def __init__(self, message: str, where: str | None = None) -> None:
        if len(message) > _LONGEST_MESSAGE:
            # It quotes an input that is far too long.
            message = f"{message[:300]} ... {message[-200:]}"
        message = printable(message)
        super().__init__(message)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        if not self.where:
            return self.message
        where = self.where
        if len(where) > _LONGEST_MESSAGE:
            where = f"{where[:300]} ... {where[-200:]}"
        return f"{printable(where)}: {self.message}"


class NotationError(LitstoolError):
    """Text that is not a cell, a move, a grid or a one-line position."""

    kind = "notation"


class FormatError(LitstoolError):
    """A YAML or JSON document with a wrong key, type or value, or that is neither."""

    kind = "format"


class SourceError(LitstoolError):
    """A file that cannot be read, or an argument that names nothing."""

    kind = "source"


class WriteError(LitstoolError):
    """A file, a folder or standard output that cannot be written; ``where`` says which."""

    kind = "output"


class ReaderGone(WriteError):
    """Whoever read standard output, such as ``head``, has had enough: no failure."""

    exit_status = 0


class UsageError(LitstoolError):
    """Options that are out of range or contradict each other."""

    kind = "usage"


class MemoryLimitError(LitstoolError):
    """More memory was asked for than there is."""

    kind = "memory"


class LibraryError(LitstoolError):
    """A library that is needed is missing or broken."""

    kind = "library"


class Interruption(LitstoolError):
    """Ctrl-C came before there was any answer."""

    kind = "interrupted"
    exit_status = 130


@dataclass(frozen=True)
class Violation:
    """One broken rule: its name in the interface, where, and in a game by which move.

    ``move`` counts the entries of the game from 1, a swap or a pass included; it is None where
    the order of the pieces is unknown.
    """

    rule: str
    message: str
    cells: tuple[Cell, ...] = ()
    move: int | None = None

    def to_json(self) -> dict[str, object]:
        """The entry that ``validate --json`` prints."""
        entry: dict[str, object] = {
            "rule": self.rule,
            "message": self.message,
            "cells": [cell.name for cell in self.cells],
        }
        if self.move is not None:
            entry["move"] = self.move
        return entry


class IllegalError(LitstoolError):
    """A readable position or game that breaks the rules; ``violations`` has every one."""

    kind = "illegal"
    exit_status = 1

    def __init__(self, violations: Iterable[Violation], where: str | None = None) -> None:
        self.violations = tuple(violations)
        super().__init__("", where)
        # The one message of several lines: a line for each rule broken.
        lines = "".join(f"\n  {each.rule}: {printable(each.message)}" for each in self.violations)
        self.message = f"the position is not legal:{lines}"
        self.args = (self.message,)
