"""The seam: what the rest of the house needs of a game.

A game is a folder of its own, its room, that offers one :class:`Room`.  The rest of the house
knows positions, records and modules of a game by the protocols here and by nothing else.  Modules
are given as functions that import them, so that a command loads only what it uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, runtime_checkable

from litstool.toolbox import Toolbox

if TYPE_CHECKING:
    from random import Random

    from litstool.errors import Violation
    from litstool.files.many import TextForms
    from litstool.files.reading import Node, Source
    from litstool.grid import Cell, Outline
    from litstool.search.analysis import Analysis
    from litstool.search.asking import Questions
    from litstool.search.control import Control
    from litstool.search.results import SearchResult
    from litstool.snapshot import Snapshot

SWAP = "swap"
"""The pie rule's entry in a game, as it is written in every game that has it."""

SEATS = ("first", "second")
"""The keys of the players in a game's file: who begins, and who answers."""

DRAW = "draw"
"""The winner of a game that nobody has won."""


class PlacedPiece(Protocol):
    """A move that places a piece."""

    @property
    def notation(self) -> str:
        """The move as it is written."""


Move = PlacedPiece | str
"""An entry of a game: a piece in its place, or a word such as ``swap`` or ``pass``."""


def text_of(move: Move) -> str:
    """A move as it is written."""
    return move if isinstance(move, str) else move.notation


class Position(Protocol):
    """An immutable position.  Scores and margins are whole numbers; the margin is the score of
    the side named first less the other's."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def outline(self) -> Outline:
        """The board's cells."""

    @property
    def pieces(self) -> Sequence[object]:
        """The pieces on the board."""

    @property
    def to_move(self) -> str:
        """The side to move."""

    @property
    def is_finished(self) -> bool:
        """Whether the game is over."""

    @property
    def winner(self) -> str | None:
        """The winning side of a finished game, or ``draw``; None while it goes on."""

    @property
    def margin(self) -> int:
        """The margin as it stands."""

    @property
    def can_swap(self) -> bool:
        """Whether the pie rule's swap is possible now."""

    @property
    def will_be_swapped(self) -> bool:
        """Whether the next move is the one after which the other player may swap."""

    @property
    def swapped(self) -> bool:
        """Whether the two people have changed sides."""

    def score(self, side: str) -> int:
        """A side's score as it stands."""

    def moves(self) -> Iterator[Move]:
        """The legal moves, a swap left out."""

    def play(self, move: str) -> Self:
        """The position after a move or a swap as it is written.

        :raises NotationError: the text is no move.
        :raises IllegalError: with every rule that it breaks.
        """


@runtime_checkable
class Record(Protocol):
    """What a user wrote: a position, or a game of moves in order, legal or not."""

    @property
    def game(self) -> str:
        """The name of the game."""

    @property
    def name(self) -> str | None: ...

    @property
    def source(self) -> str | None: ...

    @property
    def note(self) -> str | None: ...

    @property
    def players(self) -> Mapping[str, str]:
        """The names of the players, by seat."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves in order; empty of a position."""

    @property
    def all_pieces(self) -> tuple[Any, ...]:
        """Every piece of the start and the moves."""

    def at(self, ply: int | None) -> Self:
        """The game cut after its first ``ply`` moves; whole for None.

        :raises UsageError: there are not so many.
        """

    def violations(self) -> list[Violation]:
        """Every rule broken; empty where it is legal."""

    def position(self, ply: int | None = None) -> Position:
        """The position after the moves, or after the first ``ply`` of them.

        :raises IllegalError: with every rule broken on the way there.
        """

    def position_as_written(self) -> Position:
        """The position after the moves, legal or not."""

    def replay(self) -> Sequence[Position]:
        """The position before the first move and after each.

        :raises IllegalError: with every rule broken on the way.
        """

    def played(self, move: str) -> Self:
        """The game with one more move, legal or not.

        :raises NotationError: the text is no move.
        """

    def named(self, players: Mapping[str, str]) -> Self:
        """The same game of these players, by seat."""


_R = TypeVar("_R", bound=Record)
_P = TypeVar("_P", bound=Position)
_InP = TypeVar("_InP", bound=Position, contravariant=True)
_InR = TypeVar("_InR", bound=Record, contravariant=True)


class Notation(Protocol[_R]):
    """How a game is read and written; every reader raises :class:`LitstoolError` with a place."""

    def read_text(self, source: Source, /) -> _R:
        """The game in a text: a grid, one line, a drawing."""

    def read_document(self, root: Node, /) -> _R:
        """The game in a YAML or JSON tree."""

    def write_text(self, game: _R, /) -> str:
        """The position after the moves as a grid with its keys above."""

    def write_line(self, game: _R, /) -> str:
        """The position after the moves on one line."""

    def write_document(self, game: _R, /) -> dict[str, Any]:
        """The whole game as the mapping that YAML and JSON files hold."""

    def losses(self, game: _R, target: str, /) -> list[str]:
        """What a notation cannot carry of a game."""


class Drawing(Protocol[_InR]):
    """What a game's positions show."""

    @property
    def HEATS(self) -> Mapping[str, str]:
        """The heat maps by name, and what their numbers mean."""

    def snapshot(
        self,
        game: _InR,
        violations: Sequence[Violation],
        *,
        numbers: bool = False,
        heat: str | None = None,
    ) -> Snapshot:
        """A game's position after its moves, with the rules that it is said to break.

        ``numbers`` numbers the pieces by the move that placed them, as ``--ply`` counts;
        ``heat`` is one of ``HEATS``.
        """


@dataclass(frozen=True)
class ListedMove:
    """A legal move as it is listed: what it gains for the side to move (points of the margin), the
    cells that it covers, and what documents say of it."""

    move: str
    gain: int
    cells: tuple[Cell, ...]
    details: Mapping[str, object]


class Listing(Protocol[_InP]):
    """The legal moves of a position for people."""

    def moves(
        self, position: _InP, kind: str | None, covers: Iterable[Cell], /
    ) -> list[ListedMove]:
        """The legal moves, only those of a kind of piece and over some cells where asked for.

        :raises UsageError: there is no such kind.
        """

    def beside(self, position: _InP, /) -> tuple[dict[str, object], list[str]]:
        """What else may be done, in documents and in words, such as a swap."""


class Solver(Protocol[_InP]):
    """Exact search."""

    def solve(
        self,
        position: _InP,
        *,
        objective: str = "score",
        all_moves: bool = False,
        control: Control | None = None,
        hash_mib: int = 256,
        threads: int = 1,
        use_book: bool = False,
        on_compile: Callable[[], None] | None = None,
    ) -> SearchResult:
        """See :func:`litstool.solve`."""

    def make_ready(self, position: _InP, on_compile: Callable[[], None] | None = None) -> None:
        """Have what it runs compiled or loaded before a clock starts."""


class SpreadSolver(Protocol[_InP]):
    """Exact search by many processes or machines, each move's value kept in a file."""

    def solve_all(
        self,
        position: _InP,
        crew: Any,
        result_file: Path | None = None,
        *,
        objective: str = "score",
        control: Control | None = None,
        hash_mib: int = 256,
        on_note: Callable[[str], None] = ...,
    ) -> SearchResult:
        """The value of every move, by a crew of workers."""

    def solve_all_distributed(
        self,
        position: _InP,
        scheduler: str,
        result_file: Path | None = None,
        *,
        objective: str = "score",
        control: Control | None = None,
        hash_mib: int = 256,
        on_note: Callable[[str], None] = ...,
    ) -> SearchResult:
        """The same by the Dask cluster whose scheduler is at an address."""


class Engine(Protocol[_InP]):
    """Play where a position is too far from its end to be solved."""

    @property
    def BEST(self) -> Any:
        """The settings that it plays by, a dataclass with ``use_solver``."""

    def make_ready(
        self, position: _InP, on_compile: Callable[[], None] | None = None, whole_game: bool = False
    ) -> None:
        """Have what it runs compiled or loaded before a clock starts."""

    def analyze(
        self,
        position: _InP,
        *,
        time_limit: float | None = None,
        every_move: bool = True,
        seed: int = 0,
        control: Control | None = None,
        on_compile: Callable[[], None] | None = None,
    ) -> Analysis:
        """What it finds of a position, every move valued where there is time."""

    def choose(
        self,
        position: _InP,
        *,
        time_limit: float | None = None,
        seed: int = 0,
        control: Control | None = None,
        on_compile: Callable[[], None] | None = None,
        settings: Any = ...,
    ) -> Analysis:
        """The move that it would play."""

    def greedy(self, position: _InP, seed: int = 0) -> str:
        """A move that scores most at once."""

    def random_move(self, position: _InP, seed: int = 0) -> str:
        """Any legal move."""

    def known_winner(self, position: _InP) -> str | None:
        """Who wins, where a book knows it."""


class Puzzles(Protocol[_R, _InP]):
    """What making puzzles needs of a game beside its solver."""

    @property
    def GRADE_FROM(self) -> tuple[float, float, float, float]:
        """From how many points on a puzzle is of each grade, the easiest first."""

    @property
    def RESULTS(self) -> tuple[str, ...]:
        """What best play may come to: a side that wins, and ``draw`` where there are draws."""

    def boards(self) -> Mapping[str, _R]:
        """The empty boards that puzzles are made on in turn, by name."""

    def played(self, board: _R, chance: Random, /) -> _R:
        """A whole game on an empty board, mostly greedy: its later positions may be puzzles."""

    def ways(self, position: _InP, plies: int, /) -> int:
        """In how many ways so many moves can be played; 0 where the game is over sooner."""

    def titled(self, record: _R, name: str, note: str, /) -> _R:
        """The same record with a name and a note."""


def _no_boards() -> Mapping[str, Path]:
    return {}


def _no_advice(position: Any) -> str | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Room(Generic[_R, _P]):
    """A game, as the house knows it.

    ``name`` is the word in files, ``title`` the name for people; ``sides`` the two sides, the one
    that begins first; ``kinds`` the kinds of pieces.  ``boards`` are the files of the boards that
    have a name, ``split`` parts a text that only the game's rules can part.  ``notations`` are
    those beside text, line, yaml and json.  ``typed`` is what can be typed at the table in this
    game alone, with what it does.  ``advice`` is what a book says of a position in a few words.
    What is None a game does not have.
    ``toolbox`` is what the board in the browser needs.
    """

    name: str
    title: str
    sides: tuple[str, str]
    kinds: tuple[str, ...]
    forms: TextForms
    notation: Callable[[], Notation[_R]]
    drawing: Callable[[], Drawing[_R]]
    listing: Callable[[], Listing[_P]]
    solver: Callable[[], Solver[_P]]
    engine: Callable[[], Engine[_P]]
    record_of: Callable[[_P], _R]
    questions: Callable[[], Questions[_P, Any, Any, Any]] | None = None
    spread_solver: Callable[[], SpreadSolver[_P]] | None = None
    puzzles: Callable[[], Puzzles[_R, _P]] | None = None
    boards: Callable[[], Mapping[str, Path]] = _no_boards
    split: Callable[[Source], list[Source]] | None = None
    notations: Mapping[str, Callable[[_R], str]] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=dict)
    advice: Callable[[_P], str | None] = _no_advice
    toolbox: Callable[[], Toolbox] = Toolbox


AnyRoom = Room[Record, Position]
"""Any of the games."""
