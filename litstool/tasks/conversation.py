"""A game at the table as a conversation: what is typed is done, and what happens is told.

What happens is told as values, the events, so that nothing here reads a keyboard, prints or knows
the words for it: a :class:`Front` hears and shows, ``say/table`` words.  Whatever ends the game,
:meth:`Conversation.keep` sees to it that its moves are not lost.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from litstool.errors import IllegalError, LitstoolError, NotationError, UsageError, printable
from litstool.files.reading import exists, nearest
from litstool.grid import Cell
from litstool.search.analysis import Analysis
from litstool.search.control import Control
from litstool.tasks.play import LEVELS, Table

# --- what can happen --------------------------------------------------------------------------


@dataclass(frozen=True)
class Begun:
    """The game begins, or goes on."""


@dataclass(frozen=True)
class BoardAsked:
    """The board is to be seen."""


@dataclass(frozen=True)
class HelpAsked:
    """What can be typed is to be told."""


@dataclass(frozen=True)
class MovesAsked:
    """The legal moves are to be listed, all or the best, of a kind of piece, over some cells."""

    kind: str | None
    cells: tuple[Cell, ...]
    all: bool


@dataclass(frozen=True)
class Played:
    """A side has moved; of the engine with its seat, and with what it found where it looked."""

    side: str
    move: str
    engine: str | None = None
    found: Analysis | None = None


@dataclass(frozen=True)
class Undone:
    """So many moves were taken back."""

    moves: int


@dataclass(frozen=True)
class Hinted:
    """What the engine would do."""

    found: Analysis


@dataclass(frozen=True)
class LevelSet:
    """The engine plays at another level."""

    level: str


@dataclass(frozen=True)
class Saved:
    """The game was written where the person asked for it."""

    path: Path


@dataclass(frozen=True)
class NoMove:
    """What was typed is neither a command nor a move; ``word`` is the first of it."""

    word: str
    error: NotationError


@dataclass(frozen=True)
class NotLegal:
    """The move breaks rules."""

    error: IllegalError


@dataclass(frozen=True)
class Refused:
    """A command cannot be done."""

    error: LitstoolError


@dataclass(frozen=True)
class Over:
    """The game is over; ``seat`` is the winner's, None of a draw."""

    side: str
    seat: str | None


@dataclass(frozen=True)
class NotSaved:
    """The game could not be written."""

    error: Exception


@dataclass(frozen=True)
class Kept:
    """At the end: the file that has the game."""

    path: Path


@dataclass(frozen=True)
class NotKept:
    """At the end: the game as a document, which no file has."""

    document: dict[str, Any]


Event = (
    Begun | BoardAsked | HelpAsked | MovesAsked | Played | Undone | Hinted | LevelSet | Saved
    | NoMove | NotLegal | Refused | Over | NotSaved | Kept | NotKept
)  # fmt: skip


class Leave(Exception):
    """The person wants to stop."""


class Front(Protocol):
    """Where the people are."""

    def ask(self) -> str:
        """What a person types.

        :raises Leave: nothing more can be typed.
        :raises NotationError: it is no text.
        """

    def tell(self, event: Event) -> None:
        """Show what happens.

        :raises LitstoolError: what was asked for cannot be shown.
        """

    def thinking(self) -> AbstractContextManager[Control]:
        """The control of an engine that thinks while it is entered."""

    def compiling(self) -> None:
        """Say that the engine is not ready yet."""


# --- the conversation -------------------------------------------------------------------------


@dataclass
class Conversation:
    """A game being played; ``path`` is where it is kept after every move, if anywhere.

    ``kept`` are the moves that some file has, ``kept_in`` the file that this conversation wrote
    them to.  Only the files of this game, ``own``, are ever written over.
    """

    table: Table
    front: Front
    path: Path | None = None
    kept: tuple[object, ...] = field(init=False)
    kept_in: Path | None = None
    own: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.kept = self.table.record.moves
        if self.path is not None and exists(self.path):
            self.own.add(self.path)

    def play(self) -> None:
        """Play until the game is over or the person leaves.

        :raises KeyboardInterrupt: the engine was interrupted.
        """
        table = self.table
        try:
            self.front.tell(Begun())
            self.front.tell(BoardAsked())
            while not table.position.is_finished:
                if table.is_engines_turn:
                    self._engine_moves()
                else:
                    self._person_moves()
        except Leave:
            return
        won = table.winner
        assert won is not None
        self.front.tell(Over(*won))

    def _engine_moves(self) -> None:
        side, seat = self.table.position.to_move, self.table.seat
        with self.front.thinking() as control:
            text, found = self.table.think(control, self.front.compiling)
        if control.interrupted:
            raise KeyboardInterrupt
        self.front.tell(Played(side, self.table.play(text), seat, found))
        self._after_move()

    def _person_moves(self) -> None:
        side, word = self.table.position.to_move, ""
        try:
            line = " ".join(self.front.ask().split())
            word, _, rest = line.partition(" ")
            if line and not self._obey(word.lower(), rest):
                self.front.tell(Played(side, self.table.play(line)))
                self._after_move()
        except NotationError as error:
            self.front.tell(NoMove(word, error))
        except IllegalError as error:
            self.front.tell(NotLegal(error))
        except LitstoolError as error:
            self.front.tell(Refused(error))

    def _after_move(self) -> None:
        if self.path is not None:
            try:
                self.save(self.path)
            except LitstoolError as error:
                self.front.tell(NotSaved(error))
        if not self.table.is_engines_turn or self.table.position.is_finished:
            self.front.tell(BoardAsked())

    # -- commands ------------------------------------------------------------------------------

    def _obey(self, word: str, rest: str) -> bool:
        """Do what a command says; False where the words are none."""
        if word in _ALONE and not rest:
            _ALONE[word](self)
        elif word in _WITH_MORE:
            _WITH_MORE[word](self, rest)
        else:
            return False
        return True

    def _show(self) -> None:
        self.front.tell(BoardAsked())

    def _undo(self) -> None:
        self.front.tell(Undone(self.table.undo()))
        self._after_move()

    def _hint(self) -> None:
        with self.front.thinking() as control:
            found = self.table.hint(control, self.front.compiling)
        if control.interrupted:
            raise KeyboardInterrupt
        self.front.tell(Hinted(found))

    def _help(self, rest: str) -> None:
        self.front.tell(HelpAsked())

    def _quit(self, rest: str) -> None:
        raise Leave

    def _moves(self, rest: str) -> None:
        kind: str | None = None
        everything, cells = False, []
        for word in rest.split():
            cell = Cell.parse(word)
            if word.lower() == "all":
                everything = True
            elif cell is not None and cell not in self.table.position.outline:
                raise UsageError(f"{word!r} is no cell of this board")
            elif cell is not None:
                cells.append(cell)
            elif kind is not None:
                raise UsageError(f"{word!r} is one too many: moves takes one shape, and cells")
            else:
                kind = word
        self.front.tell(MovesAsked(kind, tuple(cells), everything))

    def _save(self, rest: str) -> None:
        path = Path(rest) if rest else self.path
        if path is None:
            raise UsageError("save where? Give a file, such as: save game.yaml")
        self.save(path)
        self.front.tell(Saved(path))

    def _level(self, rest: str) -> None:
        if rest.lower() not in LEVELS:
            raise UsageError(printable(f"{rest!r} is no level; {nearest(rest, LEVELS)}"))
        self.table.level = rest.lower()
        self.front.tell(LevelSet(self.table.level))

    # -- files ---------------------------------------------------------------------------------

    def save(self, path: Path) -> Path:
        """Write the game to a file of its own: a new one, or one that it was written to before.

        :raises LitstoolError: it cannot be written, or something else is there.
        """
        self.table.save(path, new=path not in self.own)
        self.own.add(path)
        moves = self.table.record.moves
        if self.kept_in is None or self.kept != moves:
            self.kept, self.kept_in = moves, path
        return path

    def keep(self) -> list[Event]:
        """Lose nothing at the end: save what no file has yet.  What is to be told of it."""
        told: list[Event] = []
        if self.table.record.moves and self.table.record.moves != self.kept:
            places = [self.table.save_somewhere]
            if self.path is not None:
                places.insert(0, partial(self.save, self.path))
            for place in places:
                try:
                    self.kept_in = place()
                    break
                except Exception as error:
                    told.append(NotSaved(error))
            else:
                return [*told, NotKept(self.table.document())]
        return told if self.kept_in is None else [*told, Kept(self.kept_in)]


_ALONE: dict[str, Callable[[Conversation], None]] = {
    "show": Conversation._show,
    "undo": Conversation._undo,
    "hint": Conversation._hint,
}
"""The commands that are one word."""

_WITH_MORE: dict[str, Callable[[Conversation, str], None]] = {
    **dict.fromkeys(("quit", "exit", "q"), Conversation._quit),
    **dict.fromkeys(("help", "?"), Conversation._help),
    "moves": Conversation._moves,
    "save": Conversation._save,
    "level": Conversation._level,
}
"""The commands that more words may follow."""
