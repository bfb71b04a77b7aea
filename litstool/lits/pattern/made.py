"""Boards that ``litstool pattern new`` has made, and the files that they are written to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litstool.errors import UsageError
from litstool.files.reading import DOCUMENT_ENDINGS, check_ending, document_text
from litstool.lits import notation
from litstool.lits.board import SIDES, Pattern
from litstool.lits.game import Game
from litstool.lits.pattern.symmetry import exchange_names

if TYPE_CHECKING:
    from litstool.lits.pattern.fair import FairBoard

PICTURES = (".svg", ".png")
ENDINGS = (".txt", *DOCUMENT_ENDINGS, *PICTURES)


@dataclass(frozen=True)
class MadeBoard:
    """A board, the seed and the number (from 1) that it was made with, and how fair it was found
    to be where that was searched for."""

    pattern: Pattern
    seed: int
    number: int
    fair: FairBoard | None = None

    @property
    def name(self) -> str:
        """What the board is called."""
        return f"board {self.number} of seed {self.seed}"

    @property
    def game(self) -> Game:
        """The empty board as it is written to a file."""
        return Game(
            self.pattern, name=self.name, note=None if self.fair is None else fair_text(self.fair)
        )

    @property
    def line(self) -> str:
        """The board as a one-line position."""
        return notation.write_line(Game(self.pattern))

    @property
    def text(self) -> str:
        """The board as a grid with its name."""
        return "\n".join([f"name: {self.name}", *self.pattern.rows()]) + "\n"

    def to_json(self) -> dict[str, Any]:
        """The entry of ``pattern new --json``."""
        entry: dict[str, Any] = {
            "name": self.name,
            "pattern": list(self.pattern.rows()),
            "line": self.line,
            "symbols": {side: self.pattern.count(side) for side in SIDES},
            "symmetries": exchange_names(self.pattern),
        }
        if self.fair is not None:
            entry["fair"] = self.fair.to_json()
        return entry

    def file_text(self, ending: str) -> str:
        """What a file with this ending holds, of those that are no picture."""
        if ending == ".txt":
            return self.text
        return document_text(notation.write_document(self.game), f"board{ending}")


_ENDS = {
    "reached": "near enough",
    "effort": "the games set for it are played",
    "exhausted": "there are no other boards near",
    "time limit": "the time is up",
    "interrupted": "interrupted",
}


def fair_text(fair: FairBoard) -> str:
    """What a search for fair play came to, in words."""
    if fair.value is None:
        found = "how fair it plays was not measured"
    elif fair.interval is not None:
        low, high = fair.interval
        found = (
            f"X wins {100 * fair.value:.1f} % ({100 * low:.1f} % to {100 * high:.1f} %) "
            "of greedy games"
        )
    else:
        found = f"{100 * fair.value:.1f} % of the first moves are even"
    return f"{found}; {fair.games:,} games, search ended: {_ENDS[fair.stopped]}"


@dataclass(frozen=True)
class Place:
    """Where boards go that are written to files: their ending and their names, by number."""

    start: Path
    ending: str
    suffix: str
    digits: int

    @classmethod
    def named(cls, output: str, number: int) -> Place:
        """The place that a name stands for: a folder, a file, or a file for each of several.

        In a folder the files are ``board-1.txt`` and so on; several boards for one file have
        their number before its ending, ``my-1.svg``; a name without an ending means .txt.

        :raises UsageError: the ending is none of ``ENDINGS``, or there is no name.
        """
        path = Path(output)
        digits = len(str(number))
        if output.endswith(("/", os.sep)) or os.path.isdir(output):
            return cls(path / "board", ".txt", ".txt", digits)
        if path.name in ("", ".."):
            raise UsageError(f"{output!r} names no file; a folder ends with /")
        ending = check_ending(path, ENDINGS) if path.suffix else ".txt"
        start = path.with_suffix("") if path.suffix else path
        return cls(start, ending, path.suffix or ".txt", digits if number > 1 else 0)

    def file(self, number: int) -> Path:
        """The file of a board, counted from 1."""
        numbered = f"-{number:0{self.digits}}" if self.digits else ""
        return self.start.with_name(f"{self.start.name}{numbered}{self.suffix}")
