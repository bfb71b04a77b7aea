"""A game at the table: who sits where, moves, taking back, hints, saving; the same for every game.

Nothing here reads a keyboard or prints: ``cli/play`` does.  The record of the game is an ordinary
game record, so a saved game is an ordinary file that every command reads.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litstool import games
from litstool.errors import UsageError, WriteError
from litstool.files.reading import (
    DOCUMENT_ENDINGS,
    check_ending,
    document_text,
    exists,
)
from litstool.files.writing import check_writable, create_file, write_file
from litstool.game import SEATS, Record, text_of
from litstool.search.analysis import Analysis
from litstool.search.control import Control

PERSON, ENGINE = "person", "engine"
LEVELS = ("random", "greedy", "quick", "strong")
"""How strong the engine is: any move, the most points at once, a moment's thought, its time."""

QUICK_SECONDS = 0.2


def check_place(path: Path) -> None:
    """See that a game can be written to a file.

    :raises UsageError: the name does not end in .yaml, .yml or .json.
    :raises WriteError: it cannot be.
    """
    check_ending(path, DOCUMENT_ENDINGS)
    check_writable(path)


@dataclass
class Table:
    """A game in progress.

    ``record`` is the game so far, ``players`` who sits in the seats ``first`` and ``second``
    (PERSON or ENGINE), ``level`` and ``seconds`` how the engine plays.
    """

    record: Record
    players: dict[str, str]
    level: str = "strong"
    seconds: float = 2.0
    seed: int = 0

    def __post_init__(self) -> None:
        self.game = games.of(self.record)
        self.engine = self.game.engine()
        self.position = self.record.position()

    @property
    def seat(self) -> str:
        """The seat that is to move."""
        return next(seat for seat in SEATS if self.sides[seat] == self.position.to_move)

    @property
    def sides(self) -> dict[str, str]:
        """Which side each seat plays; after a swap the seats have changed sides."""
        sides = reversed(self.game.sides) if self.position.swapped else iter(self.game.sides)
        return dict(zip(SEATS, sides, strict=True))

    def moves(self) -> Iterator[str]:
        """The legal moves as they are written, a swap left out."""
        return map(text_of, self.position.moves())

    @property
    def is_engines_turn(self) -> bool:
        """Whether the engine is to move."""
        return self.players[self.seat] == ENGINE

    def play(self, text: str) -> str:
        """Play a move, or swap, written in the notation; returns it as the record has it.

        :raises LitstoolError: it is no move, or it is not legal; nothing has changed then.
        """
        record = self.record.played(text)
        played = text_of(record.moves[-1])
        self.position = self.position.play(played)
        self.record = record
        return played

    def undo(self) -> int:
        """Take back to where a person was last to move; how many moves that were.

        :raises UsageError: there is no such move.
        """
        count = len(self.record.moves)
        for ply in range(count - 1, -1, -1):
            earlier = Table(self.record.at(ply), self.players, self.level, self.seconds)
            if not earlier.is_engines_turn or ENGINE not in self.players.values():
                self.record, self.position = earlier.record, earlier.position
                return count - ply
        raise UsageError("there is no move to take back")

    def think(
        self, control: Control, on_compile: Callable[[], None] | None = None
    ) -> tuple[str, Analysis | None]:
        """The engine's move at its level, and what it found where it looked."""
        seed = self.seed + 7919 * len(self.record.moves)
        if self.level == "random":
            return self.engine.random_move(self.position, seed), None
        if self.level == "greedy":
            return self.engine.greedy(self.position, seed), None
        seconds = QUICK_SECONDS if self.level == "quick" else self.seconds
        found: Analysis = self.engine.choose(
            self.position, time_limit=seconds, seed=seed, control=control, on_compile=on_compile
        )
        assert found.choice is not None
        return found.choice, found

    def hint(self, control: Control, on_compile: Callable[[], None] | None = None) -> Analysis:
        """What the engine would do at full strength, whatever its level."""
        found: Analysis = self.engine.choose(
            self.position, time_limit=self.seconds, seed=self.seed, control=control,
            on_compile=on_compile,
        )  # fmt: skip
        return found

    @property
    def winner(self) -> tuple[str, str | None] | None:
        """Of a finished game the winning side (or ``draw``) and the winning seat."""
        if not self.position.is_finished:
            return None
        side = str(self.position.winner)
        return side, next((seat for seat in SEATS if self.sides[seat] == side), None)

    def document(self) -> dict[str, Any]:
        """The game as a file holds it."""
        named = dict(self.record.players) or {
            seat: f"litstool ({self.level})" if self.players[seat] == ENGINE else PERSON
            for seat in SEATS
        }
        record = self.record.named(named)
        return self.game.notation().write_document(record)

    def save(self, path: Path, *, new: bool = False) -> None:
        """Write the game to a file, whole; over one that is there already only if not ``new``.

        :raises UsageError: the name does not end in .yaml, .yml or .json.
        :raises WriteError: it cannot be written, or is there already.
        """
        text = document_text(self.document(), path)
        if new:
            create_file(path, text)
        else:
            write_file(path, text)

    def save_somewhere(self) -> Path:
        """Write the game to a new file of this folder, else at home, else among temporary files.

        :raises WriteError: it can be written to none of them; the message is that of this folder.
        """
        stamp = time.strftime("litstool-%Y%m%d-%H%M%S")
        errors = []
        for folder in _folders():
            for number in range(1, _MOST_AT_ONCE):
                path = folder / f"{stamp}{f'-{number}' if number > 1 else ''}.yaml"
                try:
                    self.save(path, new=True)
                    return path
                except WriteError as error:
                    errors.append(error)
                    if not exists(path):
                        break
        raise errors[0]


_MOST_AT_ONCE = 100
"""Games that may end in one second and still find a name each in one folder."""


def _folders() -> Iterator[Path]:
    """Where a game may be kept: here first, then where a program may write if anywhere."""
    yield Path()
    with contextlib.suppress(RuntimeError):
        yield Path.home()
    with contextlib.suppress(OSError):
        yield Path(tempfile.gettempdir())
