"""Endgame puzzles: the side to move wins by one move and no other.

A puzzle is an ordinary game file with one more key, ``puzzle``, that says what is claimed:

    puzzle:
      winner: O             the side to move, which wins, or draw where a draw is all it can save
      winning: 1            how many moves win, or save the draw
      solution: ["T:…"]     those moves
      margin: -2            final margin under best play, of the side named first
      plies: 5              how long best play lasts: the length of the first line
      lines: ["T:… L:… …"]  the solution tree: an answer to every reply, line by line
      complete: true        whether every reply is answered down to the end, or only the first one
      measures: {…}         what the grade rests on
      grade: medium

All of it is checked exactly by :mod:`litstool.tasks.puzzle_check`, with the solver and with the
rules.

What makes a puzzle hard is measured: how many legal moves there are, how many of them bring more
points at once than the solution does, how long the win lasts, and how many ways there are to play
the next three moves.  How much each counts (:meth:`Measures.points`) is a judgement, not fitted to
the times of people, of which there are none.  Where a grade begins was set by the points of the
examples, made by ``litstool puzzle new --plies 3-9 -n 50 --seed 1`` and the commands in
``examples/puzzles/mijnlieff/README.md``: about a quarter of them is of each grade.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from litstool import games
from litstool.errors import LitstoolError, UsageError
from litstool.files.reading import Node, Source, form_of, read_tree
from litstool.game import DRAW, SWAP, Position, Puzzles, Record, text_of
from litstool.search.control import Control
from litstool.search.results import OUTCOME, SCORE, SearchResult

KEYS = (
    *("winner", "winning", "solution", "margin", "plies", "lines", "complete"),
    *("measures", "grade"),
)
GRADES = ("easy", "medium", "hard", "very hard")

SHOW_SECONDS = 3.0
"""What working out a solution may take that a file does not have, and a refutation."""

_HASH_MIB = 64
_PLIES_COUNTED = 3


class Undecided(LitstoolError):
    """A puzzle that the solver did not solve in the time given."""

    kind = "undecided"
    exit_status = 3


@dataclass(frozen=True)
class Measures:
    """What a grade rests on: ``moves`` legal ones, ``better`` those of a larger gain than the
    solution, ``plies`` of best play, ``ways`` to play the next three moves."""

    moves: int
    better: int
    plies: int
    ways: int

    @property
    def points(self) -> float:
        """One number for all: each doubling of what tempts counts like two plies."""
        return 0.6 * self.plies + 1.2 * math.log2(1 + self.better) + 0.8 * math.log10(self.ways)

    def grade(self, puzzles: Puzzles[Any, Any]) -> str:
        """The grade that the points make in a game."""
        starts = zip(GRADES, puzzles.GRADE_FROM, strict=True)
        return [name for name, least in starts if self.points >= least][-1]

    def to_json(self) -> dict[str, int]:
        """As the file holds them."""
        return asdict(self)


@dataclass(frozen=True)
class Claim:
    """What a puzzle file says of its position; see the module's text."""

    winner: str
    winning: int
    solution: tuple[str, ...]
    margin: int | None = None
    plies: int | None = None
    lines: tuple[tuple[str, ...], ...] = ()
    complete: bool = False
    measures: dict[str, int] | None = None
    grade: str | None = None


@dataclass(frozen=True)
class Puzzle:
    """A game whose last position is the puzzle, and what is claimed of it (None: nothing)."""

    record: Record
    claim: Claim | None = None

    @property
    def position(self) -> Position:
        """The position to be solved.

        :raises IllegalError: it breaks the rules.
        """
        return self.record.position()

    @property
    def of_game(self) -> Puzzles[Any, Any]:
        """What the game has for puzzles."""
        return puzzles_of(self.record)

    def to_document(self) -> dict[str, Any]:
        """The puzzle as its file holds it."""
        document = games.of(self.record).notation().write_document(self.record)
        claim = self.claim
        if claim is not None:
            document["puzzle"] = {
                "winner": claim.winner,
                "winning": claim.winning,
                "solution": list(claim.solution),
                "margin": claim.margin,
                "plies": claim.plies,
                "complete": claim.complete,
                "lines": [" ".join(line) for line in claim.lines],
                "measures": claim.measures,
                "grade": claim.grade,
            }
        return document


def puzzles_of(record: Record, where: str | None = None) -> Puzzles[Any, Any]:
    """What a record's game has for puzzles.

    :raises UsageError: it has none; ``where`` is what the record was read from.
    """
    game = games.of(record)
    if game.puzzles is None:
        others = [each.title for each in games.GAMES if each.puzzles is not None]
        raise UsageError(f"puzzles are of {' and '.join(others)} only", where)
    return game.puzzles()


# Reading


def load(argument: str) -> tuple[Source, Puzzle]:
    """The puzzle that an argument names, like any POSITION.

    :raises LitstoolError: it cannot be read, or is no puzzle (see :func:`of`).
    """
    source = games.find(argument)
    return source, of(source, games.read(source))


def of(source: Source, record: Record) -> Puzzle:
    """The puzzle in a source whose record has been read.

    :raises LitstoolError: its game has no puzzles, or its ``puzzle`` key is not as it should be.
    """
    puzzles_of(record, source.name)
    claim = None
    if form_of(source.text) != "text":
        root = read_tree(source, form_of(source.text))
        assert isinstance(root.value, dict)
        if "puzzle" in root.value:
            claim = _read_claim(root.value["puzzle"], record)
    return Puzzle(record, claim)


def of_legal(source: Source, record: Record) -> Puzzle:
    """The puzzle that a record of a source is.

    :raises IllegalError: its position breaks the rules; the error names the source.
    """
    puzzle = of(source, record)
    games.legal_position(source, record)
    return puzzle


def _read_claim(node: Node, record: Record) -> Claim:
    keys = node.mapping("the puzzle", KEYS)
    for key in ("winner", "winning", "solution"):
        if key not in keys:
            node.fail(f"the puzzle has no {key!r}")
    measures = None
    if "measures" in keys:
        entries = keys["measures"].mapping("the measures", ("moves", "better", "plies", "ways"))
        measures = {name: _whole(entry, name) for name, entry in entries.items()}
    lines: list[tuple[str, ...]] = []
    for each in keys["lines"].items("lines") if "lines" in keys else ():
        lines.append(tuple(_move(word, each, record) for word in each.text("a line").split()))
    return Claim(
        winner=keys["winner"].choice("winner", puzzles_of(record).RESULTS),
        winning=_whole(keys["winning"], "winning"),
        solution=tuple(
            _move(each.text("a move"), each, record) for each in keys["solution"].items("it")
        ),
        margin=_whole(keys["margin"], "margin") if "margin" in keys else None,
        plies=_whole(keys["plies"], "plies") if "plies" in keys else None,
        lines=tuple(lines),
        complete="complete" in keys
        and keys["complete"].choice("answer", ("true", "false")) == "true",
        measures=measures,
        grade=keys["grade"].choice("grade", GRADES) if "grade" in keys else None,
    )


def _whole(node: Node, what: str) -> int:
    text = node.text(what)
    try:
        if len(text) > 12:
            raise ValueError
        return int(text)
    except ValueError:
        node.fail(f"{what} should be a whole number, not {text[:20]!r}")


def _move(text: str, node: Node, record: Record) -> str:
    """A move as it is written in full."""
    try:
        move = text_of(record.played(text).moves[-1])
    except LitstoolError as error:
        node.fail(error.message)
    if move == SWAP:
        node.fail("a swap is no move of a puzzle")
    return move


# What is true of a position


@dataclass(frozen=True)
class Solution:
    """What is best in a position: the ``result`` under best play (a side that wins, or ``draw``),
    every move that keeps it, the final margin and the line of best play."""

    result: str
    moves: tuple[str, ...]
    margin: int | None
    line: tuple[str, ...]


@dataclass(frozen=True)
class Refutation:
    """Why a move is none of the solution: its ``gain`` in points, the play that answers it to the
    end of the game, who wins then (or ``draw``), and the final margin."""

    move: str
    gain: int
    line: tuple[str, ...]
    winner: str
    margin: int


class Examiner:
    """Answers about positions of one game, in the time of a control.

    Every method that searches raises :class:`Undecided` where the time limit comes first, and
    KeyboardInterrupt where the control was stopped.
    """

    def __init__(self, record: Record, control: Control | None = None) -> None:
        self.game = games.of(record)
        self.puzzles = puzzles_of(record)
        self.control = control or Control()

    def make_ready(self, position: Position) -> None:
        """Have what answers compiled for a board, which takes none of the control's time."""
        with self.control.paused():
            self.game.solver().make_ready(position)
            self.puzzles.ways(position, 1)

    def solve(
        self, position: Position, objective: str = OUTCOME, all_moves: bool = False
    ) -> SearchResult:
        """The solver's answer, finished."""
        found = self.game.solver().solve(
            position,
            objective=objective,
            all_moves=all_moves,
            hash_mib=_HASH_MIB,
            control=self.control.within(None),
        )
        if not found.solved:
            if self.control.interrupted:
                raise KeyboardInterrupt
            raise Undecided(f"not solved within {self.control.time_limit:g} s")
        return found

    def gains(self, position: Position) -> dict[str, int]:
        """What each legal move, as it is written, gains at once."""
        listed = self.game.listing().moves(position, None, ())
        return {each.move: each.gain for each in listed}

    def keeps(self, result: str, position: Position, mover: str) -> bool:
        """Whether a position is at least as good for the mover as a result."""
        return self.solve(position).winner in (result, mover)

    def solution(self, position: Position) -> Solution:
        """What is best in a position; no moves where its mover loses."""
        found = self.solve(position, SCORE, all_moves=True)
        result = str(found.winner)
        lost = result not in (position.to_move, DRAW)
        moves = [] if lost else [each.move for each in found.moves or () if each.winner == result]
        return Solution(result, tuple(moves), found.margin, found.line)

    def refutation_of_greed(self, position: Position, result: str) -> Refutation | None:
        """What happens after the move that brings the most points at once; None where it comes to
        the ``result`` of best play."""
        gains = self.gains(position)
        move = max(gains, key=gains.__getitem__)
        end = after = position.play(move)
        line = () if after.is_finished else self.solve(after, SCORE).line
        for text in line:
            end = end.play(text)
        if end.winner in (result, position.to_move):
            return None
        return Refutation(move, gains[move], line, str(end.winner), end.margin)

    def measures(self, position: Position, solution: Sequence[str], plies: int) -> Measures:
        """The measures of a position with the moves of its solution."""
        gains = self.gains(position)
        least = max(gains[text] for text in solution)
        # A game that ends sooner has no way to play three moves.
        ways = (self.puzzles.ways(position, ply) for ply in range(_PLIES_COUNTED, -1, -1))
        return Measures(
            moves=len(gains),
            better=sum(gain > least for gain in gains.values()),
            plies=plies,
            ways=next(number for number in ways if number),
        )

    def is_greedy(self, position: Position, solution: Sequence[str]) -> bool:
        """Whether one of these moves has the largest gain, so that looking at points finds it."""
        gains = self.gains(position)
        return any(gains[text] == max(gains.values()) for text in solution)


def explained(puzzle: Puzzle) -> tuple[Claim, Refutation | None]:
    """A puzzle's solution, worked out where its file has none, and why the greedy move fails.

    No refutation where it takes too long to find.

    :raises Undecided: the solution takes too long to work out.
    """
    position, claim = puzzle.position, puzzle.claim
    if claim is None or not claim.lines:
        found = Examiner(puzzle.record, Control(SHOW_SECONDS)).solution(position)
        lines = (found.line,) if found.moves else ()
        claim = Claim(found.result, len(found.moves), found.moves, found.margin, lines=lines)
    refutation = None
    if claim.solution:
        with suppress(Undecided):
            examiner = Examiner(puzzle.record, Control(SHOW_SECONDS))
            refutation = examiner.refutation_of_greed(position, claim.winner)
    return claim, refutation
