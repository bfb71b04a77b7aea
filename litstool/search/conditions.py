"""The conditions of reach questions as they are written, and how their parts are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from litstool.errors import LitstoolError, UsageError
from litstool.files.reading import Source
from litstool.grid import Cell, Outline

Target = TypeVar("Target")


class Piece(Protocol):
    """A piece in its place."""

    @property
    def notation(self) -> str: ...
    def __hash__(self) -> int: ...


PieceT = TypeVar("PieceT", bound=Piece)

_MOST_DIGITS = 30
"""A longer number is beyond every board, as any of so many digits is."""
_SHOWN = 40
"""So many letters of a wrong word are shown."""


@dataclass(frozen=True)
class Written:
    """Conditions on a final position in the words of a user; all must hold together.

    ``pieces``, ``at_least`` and ``at_most`` count pieces on the board, ``margin`` is the least
    lead of the side named first, ``passes`` the least number of passes.  ``covered`` and
    ``uncovered`` name cells, ``include`` and ``exclude`` pieces, ``score`` both sides' points.
    """

    target: Source | None = None
    pieces: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    finished: bool | None = None
    winner: str | None = None
    margin: int | None = None
    score: str | None = None
    passes: int | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    covered: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()


class Final(Protocol):
    """A position that play has come to, of any game."""

    @property
    def pieces(self) -> Sequence[object]: ...
    @property
    def is_finished(self) -> bool: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def margin(self) -> int: ...
    def score(self, side: str) -> int: ...


@dataclass(frozen=True, kw_only=True)
class Conditions(Generic[PieceT]):
    """The conditions on a final position that every game has; all must hold together.

    ``pieces``, ``at_least`` and ``at_most`` count the pieces on the board, those at the start
    included.  ``finished`` True asks for the end of the game, False for a position before it,
    None for either; ``winner`` asks for the end too.  ``margin`` is the least margin of the side
    named first, ``score`` both sides' exact points, None where any will do.  ``covered`` and
    ``uncovered`` are sets of cells, as bits.
    """

    pieces: int | None = None
    at_least: int | None = None
    at_most: int | None = None
    finished: bool | None = None
    winner: str | None = None
    margin: int | None = None
    score: tuple[int | None, int | None] = (None, None)
    include: tuple[PieceT, ...] = ()
    exclude: tuple[PieceT, ...] = ()
    covered: int = 0
    uncovered: int = 0

    def check_counts(self) -> None:
        """Refuse numbers of pieces that no position can have at once.

        :raises UsageError: they contradict each other.
        """
        low = max(self.at_least or 0, self.pieces or 0)
        upper = [number for number in (self.at_most, self.pieces) if number is not None]
        if upper and low > min(upper):
            raise UsageError(
                f"at least {low} pieces and at most {min(upper)} contradict each other"
            )

    def check_pieces(self) -> None:
        """Refuse a piece that is to be on the board and not.

        :raises UsageError: there is one.
        """
        if both := set(self.include) & set(self.exclude):
            listed = ", ".join(sorted(piece.notation for piece in both))
            raise UsageError(f"included and excluded at once: {listed}")

    def are_met_by(self, position: Final, sides: Sequence[str]) -> bool:
        """Whether a position satisfies all that does not ask for pieces or cells."""
        number = len(position.pieces)
        return (
            (self.pieces is None or number == self.pieces)
            and (self.at_least is None or number >= self.at_least)
            and (self.at_most is None or number <= self.at_most)
            and (self.finished is None or position.is_finished == self.finished)
            and (self.winner is None or position.winner == self.winner)
            and (self.margin is None or position.margin >= self.margin)
            and all(
                wanted is None or position.score(side) == wanted
                for side, wanted in zip(sides, self.score, strict=True)
            )
        )


def read_conditions(
    written: Written,
    parse: Callable[[str], PieceT | str],
    outline: Outline,
    mask: Callable[[Iterable[Cell]], int],
    sides: Sequence[str],
    winners: Sequence[str],
) -> Conditions[PieceT]:
    """The conditions that every game has, from the words of a user.

    ``parse`` reads a move, a text if it is no piece; ``mask`` makes bits of cells.

    :raises UsageError: a condition that cannot be read.
    """
    return Conditions(
        pieces=written.pieces,
        at_least=written.at_least,
        at_most=written.at_most,
        finished=written.finished,
        winner=read_winner(written.winner, winners),
        margin=written.margin,
        score=read_score(written.score, sides),
        include=read_pieces(written.include, "--include", parse),
        exclude=read_pieces(written.exclude, "--exclude", parse),
        covered=mask(read_cells(written.covered, "--covered", outline)),
        uncovered=mask(read_cells(written.uncovered, "--uncovered", outline)),
    )


def whole_number(text: str) -> int | None:
    """A number of any length, None if it is none: what no board can have is impossible, not
    misspelt."""
    match = re.fullmatch(r"\s*([+-]?)([0-9]+)\s*", text, re.ASCII)
    return int(match[1] + match[2][:_MOST_DIGITS]) if match else None


def read_target(
    source: Source,
    read: Callable[[Source], Target],
    left_aside: Callable[[Source], list[str]],
) -> tuple[Target, list[str]]:
    """A target, and a note on what of its text says nothing.

    :raises LitstoolError: it cannot be read; the error says where.
    """
    try:
        target, aside = read(source), left_aside(source)
    except LitstoolError as error:
        error.where = error.where or source.name
        raise
    if not aside:
        return target, []
    return target, [f"{source.name}: of a target only the grid counts, not {', '.join(aside)}"]


def read_winner(text: str | None, winners: Sequence[str]) -> str | None:
    """Who is to win.

    :raises UsageError: none of the winners.
    """
    if text is None:
        return None
    for each in winners:
        if text.lower() == each.lower():
            return each
    raise UsageError(f"--winner {text!r} is no side; expected one of {', '.join(winners)}")


def read_score(text: str | None, sides: Sequence[str]) -> tuple[int | None, int | None]:
    """The scores that both sides are to have; None where any will do.

    :raises UsageError: it is no score.
    """
    if text is None:
        return None, None
    first, second = sides
    shown = " ".join(text.split())
    shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 1].rstrip()}…"
    wrong = UsageError(
        f"--score {shown!r} is no score; expected {first}'s and {second}'s as 3,2 or "
        f"{first}=3,{second}=2, or one of them: {first}=3"
    )
    parts = [part.strip() for part in text.split(",")]
    wanted: dict[str, int | None] = {}
    named = any("=" in part for part in parts)
    if len(parts) > 2 or (len(parts) == 1 and not named):
        raise wrong
    for side, part in zip(sides, parts, strict=False):
        name, _, number = part.rpartition("=")
        if named:
            side = next((each for each in sides if each.lower() == name.strip().lower()), "")
        if not side or side in wanted:
            raise wrong
        number = number.strip()
        if re.fullmatch("[0-9]+", number) is None and (named or number):
            raise wrong
        wanted[side] = whole_number(number) if number else None
    if all(number is None for number in wanted.values()):
        raise wrong
    return wanted.get(first), wanted.get(second)


def read_pieces(
    texts: Iterable[str], option: str, parse: Callable[[str], PieceT | str]
) -> tuple[PieceT, ...]:
    """The pieces that an option names; ``parse`` reads a move, a text if it is no piece.

    :raises UsageError: one that is no move, or a move that is no piece.
    """
    found = []
    for text in texts:
        try:
            move = parse(text)
        except LitstoolError as error:
            raise UsageError(f"{option}: {error.message}") from None
        if isinstance(move, str):
            raise UsageError(f"{option} takes a piece, not {move!r}")
        found.append(move)
    return tuple(found)


def read_cells(texts: Iterable[str], option: str, outline: Outline) -> list[Cell]:
    """The cells that an option names, separated by commas or spaces.

    :raises UsageError: a word that is no cell, no word at all, or a cell that is not on the board.
    """
    cells = []
    for text in texts:
        for word in re.findall(r"[^\s,]+", text) or [text]:
            cell = Cell.parse(word)
            if cell is None:
                raise UsageError(f"{option}: {word!r} is no cell; expected names such as e5,f5")
            if cell not in outline:
                raise UsageError(
                    f"{option}: {word} is not on the board "
                    f"({outline.rows} rows x {outline.columns} columns)"
                )
            cells.append(cell)
    return cells
