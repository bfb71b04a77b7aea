"""Making endgame puzzles: positions of games, kept where they are puzzles of the kind wanted."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from litstool import games
from litstool.errors import FormatError, LitstoolError, UsageError
from litstool.game import DRAW, Position, Record, text_of
from litstool.search.control import Control
from litstool.search.results import SCORE
from litstool.tasks.puzzles import Claim, Examiner, Puzzle, Undecided, load, puzzles_of

LEAST_PLIES, MOST_PLIES = 1, 12
MOST_LINES = 60
"""Lines of a solution tree; a larger one stops after the answers to the first replies."""

_IN_A_ROW = 4
"""Puzzles of a set for one side before it is the other's turn."""

_LOOKED_AT = 8
"""Moves that are tried one by one before the whole position is solved."""

_MOST_LEFT = 4
"""How many moves more or less than a puzzle's length may have been played on in a given game."""


@dataclass(frozen=True)
class Wanted:
    """The kind of puzzle that is looked for: how many ``plies`` best play lasts, how many moves
    win, which side is to find them and of which grade (None: any)."""

    plies: int
    winning: int = 1
    side: str | None = None
    grade: str | None = None


@dataclass(frozen=True)
class PuzzleSet:
    """A set of puzzles, each made alone: so many, numbered from ``first``, on empty boards by
    turns or from games that are given, of ``plies`` from the first number up to the second."""

    boards: Mapping[str, Record]
    supplied: Sequence[Record]
    plies: tuple[int, int]
    winning: int = 1
    grade: str | None = None
    number: int = 1
    first: int = 1
    seed: int = 0

    @property
    def numbers(self) -> range:
        """The puzzles' numbers."""
        return range(self.first, self.first + self.number)

    def board_of(self, number: int) -> str:
        """The name of the board that a puzzle is made on."""
        names = list(self.boards)
        return names[(number - 1) % len(names)]

    def make(self, number: int, control: Control) -> Puzzle | None:
        """The puzzle of a number; None where the games given have none.

        :raises Undecided: the time limit of ``control`` came first.
        :raises KeyboardInterrupt: the control was stopped.
        """
        low, high = self.plies
        board = self.boards[self.board_of(number)]
        side = None
        if self.number > 1:
            # Both sides win in turn on each board, and before long where there are many.
            in_a_row = min(len(self.boards), _IN_A_ROW)
            side = games.of(board).sides[(number - 1) // in_a_row % 2]
        plies = low + (number - self.first) * (high - low + 1) // self.number
        wanted = Wanted(plies, self.winning, side, self.grade)
        return made(board, wanted, self.seed * 10_007 + number - 1, self.supplied, control)


def usual_boards(game: str | None, supplied: Sequence[Record] = ()) -> Mapping[str, Record]:
    """The empty boards that puzzles are made on, by name: of a game, or of what is supplied, or
    else of the first game.

    :raises UsageError: the games supplied are of different kinds.
    """
    names = {record.game for record in supplied}
    names |= set() if game is None and names else {game or games.GAMES[0].name}
    if len(names) > 1:
        raise UsageError(f"--from takes games of one kind, not of {' and '.join(sorted(names))}")
    puzzles = games.named(names.pop()).puzzles
    return {} if puzzles is None else puzzles().boards()


def empty_board(argument: str) -> tuple[str, Record]:
    """The name and the record of an empty board to make puzzles on.

    :raises UsageError: it is no empty board, or its game has no puzzles.
    """
    source, record = games.load(argument)
    puzzles_of(record, source.name)
    position = record.position()
    begins = games.of(record).sides[0]
    if position.pieces or position.to_move != begins or position.is_finished:
        raise UsageError(
            f"--board wants an empty board with {begins} to move; positions of a game are --from",
            source.name,
        )
    return record.name or Path(source.name).stem, record


def played_game(argument: str) -> Record:
    """A legal game to take positions from.

    :raises LitstoolError: it cannot be read, is not legal, or its game has no puzzles.
    """
    source, record = games.load(argument)
    puzzles_of(record, source.name)
    record.position()
    return record


def is_there(path: Path) -> bool:
    """Whether a puzzle is in its file already; an empty file, as a full disk leaves it, has none.

    :raises LitstoolError: something else is there.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return False
    try:
        _, there = load(str(path))
        if there.claim is None:
            raise FormatError("is no puzzle", str(path))
    except LitstoolError as error:
        again = f"{error.message}; remove it to have it made again"
        raise FormatError(again, error.where or str(path)) from None
    return True


def made(
    board: Record,
    wanted: Wanted,
    seed: int,
    supplied: Sequence[Record] = (),
    control: Control | None = None,
) -> Puzzle | None:
    """The first puzzle found, none of whose solutions is the greediest move.

    Positions are those of games on the empty ``board``, drawn by the seed, or of the ``supplied``
    games.  None where the supplied games have no such position.

    :raises Undecided: the time limit of ``control`` came first.
    :raises KeyboardInterrupt: the control was stopped.
    """
    control = control or Control()
    examiner = Examiner(board, control)
    examiner.make_ready(board.position())
    number = 0
    for record in _candidates(board, wanted.plies, seed, supplied):
        if control.interrupted:
            raise KeyboardInterrupt
        if control.left == 0:
            among = f"{number} position{'s' * (number != 1)}"
            raise Undecided(f"no such puzzle among {among} in the time")
        if record is None:
            continue
        number += 1
        position = record.position_as_written()
        if wanted.side in (None, position.to_move):
            puzzle = puzzle_of(record, position, wanted, examiner)
            claim = None if puzzle is None else puzzle.claim
            if claim is not None and wanted.grade in (None, claim.grade):
                return puzzle
    return None


def _candidates(
    board: Record, plies: int, seed: int, supplied: Sequence[Record]
) -> Iterator[Record | None]:
    """Positions that may be puzzles; None after each game, so that one who waits can look up.

    On a small board no game may be long enough.
    """
    if supplied:
        for record in supplied:
            # Much earlier positions are too long, and hard to solve.
            for ply in range(len(record.moves)):
                if abs(len(record.moves) - ply - plies) <= _MOST_LEFT:
                    yield record.at(ply)
        return
    chance = random.Random(seed)
    puzzles = puzzles_of(board)
    while True:
        game = puzzles.played(board, chance)
        # Best play need not be as long as this game was, so try a ply more and less as well.
        for count in (plies, plies + 1, plies - 1):
            if 0 < count < len(game.moves):
                yield game.at(len(game.moves) - count)
        yield None


def puzzle_of(
    record: Record, position: Position, wanted: Wanted, examiner: Examiner
) -> Puzzle | None:
    """The position of a record as a puzzle; None where it is not of the kind wanted."""
    mover = position.to_move
    if position.is_finished or not position.pieces:
        return None
    # The cheap questions first: a greedy move that is as good as any settles it, and so do more
    # solutions than wanted among the moves that look best, a lost position, or best play of
    # another length.
    gains = examiner.gains(position)
    moves = sorted(gains, key=lambda move: -gains[move])
    top = gains[moves[0]]
    if len(moves) < 2 * wanted.winning + 1 or gains[moves[-1]] == top:
        return None
    goal = mover
    if DRAW in examiner.puzzles.RESULTS:
        goal = str(examiner.solve(position).winner)
        if goal not in (mover, DRAW):
            return None
    found = 0
    for number, move in enumerate(moves):
        is_top = gains[move] == top
        if not is_top and number >= _LOOKED_AT:
            break
        if examiner.keeps(goal, position.play(move), mover):
            found += 1
            if is_top or found > wanted.winning:
                return None
    if examiner.solve(position).winner != goal:
        return None
    if len(examiner.solve(position, SCORE).line) != wanted.plies:
        return None
    best = examiner.solution(position)
    if (
        len(best.moves) != wanted.winning
        or len(best.line) != wanted.plies
        or examiner.is_greedy(position, best.moves)
    ):
        return None
    lines, complete = solution_lines(position, best.line, examiner)
    measures = examiner.measures(position, best.moves, wanted.plies)
    claim = Claim(
        best.result, wanted.winning, best.moves, best.margin, wanted.plies, lines, complete,
        measures.to_json(), measures.grade(examiner.puzzles),
    )  # fmt: skip
    return Puzzle(record, claim)


# The solution tree


def solution_lines(
    position: Position, line: tuple[str, ...], examiner: Examiner
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """The solution tree as lines to the end, the given one first; and whether it is complete.

    Complete: every reply of the other side is answered, down to the end.  Else every first reply is
    answered once, and only the given line goes on to the end.
    """
    mover = position.to_move
    start = position.play(line[0])
    try:
        lines = list(_lines(start, line[:1], mover, True, examiner))
        complete = True
    except _TooMany:
        lines = list(_lines(start, line[:1], mover, False, examiner))
        complete = False
    # The line of best play stands first, even where the tree takes another way to win.
    others = [each for each in lines if each != line[: len(each)]]
    return (line, *others), complete


class _TooMany(Exception):
    """A solution tree has more lines than are written down."""


def _lines(
    position: Position, before: tuple[str, ...], mover: str, whole: bool, examiner: Examiner
) -> Iterator[tuple[str, ...]]:
    count = 0
    waiting = [(position, before)]
    while waiting:
        position, before = waiting.pop()
        if position.is_finished:
            count += 1
            if whole and count > MOST_LINES:
                raise _TooMany
            yield before
            continue
        if position.to_move == mover:
            best = examiner.solve(position).best[0]
            waiting.append((position.play(best), (*before, best)))
            continue
        replies = [text_of(move) for move in position.moves()]
        if whole and count + len(waiting) + len(replies) > MOST_LINES:
            raise _TooMany
        for reply in replies:
            after = position.play(reply)
            if whole:
                waiting.append((after, (*before, reply)))
            else:
                answer: tuple[str, ...] = ()
                if not after.is_finished:
                    answer = examiner.solve(after).best[:1]
                yield (*before, reply, *answer)
