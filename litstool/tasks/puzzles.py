"""Endgame puzzles of Battle of LITS: the side to move wins by one move and no other.

A puzzle is an ordinary game file with one more key, ``puzzle``, that says what is claimed:

    puzzle:
      winner: O             the side to move, which wins
      winning: 1            how many moves win
      solution: ["T:…"]     those moves
      margin: -2            X's final margin under best play
      plies: 5              how long best play lasts: the length of the first line
      lines: ["T:… L:… …"]  the solution tree: an answer to every reply, line by line
      complete: true        whether every reply is answered down to the end, or only the first one
      measures: {…}         what the grade rests on
      grade: medium

All of it is checked exactly by :func:`check`, with the solver and with the rules.

What makes a puzzle hard is measured, not guessed: how many legal moves there are, how many of them
bring more points at once than the solution does, how long the win lasts, and how many ways there
are to play the next three moves.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from litstool import games
from litstool.errors import LitstoolError, UsageError
from litstool.files.reading import Node, Source, form_of, read_tree
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply
from litstool.lits.game import Game
from litstool.lits.notation import parse_move, write_document
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.search.control import Control
from litstool.search.results import OUTCOME, SCORE

KEYS = (
    *("winner", "winning", "solution", "margin", "plies", "lines", "complete"),
    *("measures", "grade"),
)
GRADES = ("easy", "medium", "hard", "very hard")
GRADE_FROM = (0.0, 8.0, 10.0, 12.0)
"""The least :meth:`Measures.points` of each grade."""

LEAST_PLIES, MOST_PLIES = 1, 12
MOST_LINES = 60
"""Lines of a solution tree; a larger one stops after the answers to the first replies."""

_HASH_MIB = 64
_PLIES_COUNTED = 3
_LOOKED_AT = 8
"""Moves that are tried one by one before the whole position is solved."""

_MOST_LEFT = 4
"""How many moves more or less than a puzzle's length may have been played on in a given game."""


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

    @property
    def grade(self) -> str:
        """The grade that the points make."""
        return [
            name for name, least in zip(GRADES, GRADE_FROM, strict=True) if self.points >= least
        ][-1]

    def to_json(self) -> dict[str, int]:
        """As the file holds them."""
        return {
            "moves": self.moves,
            "better": self.better,
            "plies": self.plies,
            "ways": self.ways,
        }


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

    game: Game
    claim: Claim | None = None

    @property
    def position(self) -> Position:
        """The position to be solved."""
        return self.game.position()

    def to_document(self) -> dict[str, Any]:
        """The puzzle as its file holds it."""
        document = write_document(self.game)
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


# Reading


def load(argument: str) -> tuple[Source, Puzzle]:
    """The puzzle that an argument names, like any POSITION.

    :raises LitstoolError: it cannot be read, or is no puzzle (see :func:`of`).
    """
    source = games.find(argument)
    return source, of(source, games.read(source))


def of(source: Source, game: Any) -> Puzzle:
    """The puzzle in a source whose game has been read.

    :raises LitstoolError: it is no Battle of LITS position, or its ``puzzle`` key is not as it
        should be.
    """
    if not isinstance(game, Game):
        raise UsageError("puzzles are of Battle of LITS only", source.name)
    claim = None
    if form_of(source.text) != "text":
        root = read_tree(source, form_of(source.text))
        assert isinstance(root.value, dict)
        if "puzzle" in root.value:
            claim = _read_claim(root.value["puzzle"])
    return Puzzle(game, claim)


def _read_claim(node: Node) -> Claim:
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
        lines.append(tuple(_move(word, each) for word in each.text("a line").split()))
    return Claim(
        winner=keys["winner"].choice("winner", ("X", "O")),
        winning=_whole(keys["winning"], "winning"),
        solution=tuple(_move(each.text("a move"), each) for each in keys["solution"].items("it")),
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


def _move(text: str, node: Node) -> str:
    try:
        move = parse_move(text)
    except LitstoolError as error:
        node.fail(error.message)
    if not isinstance(move, Placement):
        node.fail("a swap is no move of a puzzle")
    return move.notation


# What is true of a position


def _solve(position: Position, control: Control, **options: Any) -> Any:
    """The solver's answer in the time that the control has left.

    :raises Undecided: the time came first.
    :raises KeyboardInterrupt: the control was stopped.
    """
    from litstool.lits.solver import solve

    found = solve(position, hash_mib=_HASH_MIB, control=control.within(control.left), **options)
    if not found.solved:
        if control.interrupted:
            raise KeyboardInterrupt
        raise Undecided(f"not solved within {control.time_limit:g} s")
    return found


def _make_ready(position: Position, control: Control) -> None:
    """Have the solver compiled for a board, which takes none of the control's time."""
    from litstool.lits.solver import make_ready

    with control.paused():
        make_ready(position)


def winning_moves(
    position: Position, control: Control | None = None
) -> tuple[tuple[str, ...], int | None, tuple[str, ...]]:
    """Every move that wins for the side to move, X's margin under best play, and its line.

    :raises Undecided: the time limit of ``control`` came first.
    """
    found = _solve(position, control or Control(), objective=SCORE, all_moves=True)
    wins = tuple(each.move for each in found.moves if each.winner == position.to_move)
    return wins, found.margin, found.line


@dataclass(frozen=True)
class Refutation:
    """Why a move is none of the solution: its ``gain`` in points, the play that answers it to the
    end of the game, who wins then, and X's margin."""

    move: str
    gain: int
    line: tuple[str, ...]
    winner: str
    margin: int


def refutation_of_greed(position: Position, control: Control | None = None) -> Refutation | None:
    """What happens after the move that brings the most points at once; None where it wins.

    :raises Undecided: the time limit of ``control`` came first.
    """
    move = max(position.moves(), key=position.gain)
    after = position.play(move)
    line: tuple[str, ...] = ()
    if not after.is_finished:
        line = _solve(after, control or Control(), objective=SCORE).line
    end = after
    for text in line:
        end = _played(end, text)
    if end.winner == position.to_move:
        return None
    return Refutation(move.notation, position.gain(move), line, str(end.winner), end.margin)


def measures_of(position: Position, solution: Sequence[str], plies: int) -> Measures:
    """The measures of a position with its winning moves."""
    from litstool.lits.kernels import perft

    gains = {move.notation: position.gain(move) for move in position.moves()}
    least = max(gains[text] for text in solution)
    return Measures(
        moves=len(gains),
        better=sum(gain > least for gain in gains.values()),
        plies=plies,
        # A game that ends sooner has no way to play three moves.
        ways=next(
            ways for ways in (perft(position, ply) for ply in range(_PLIES_COUNTED, -1, -1)) if ways
        ),
    )


def is_greedy(position: Position, solution: Sequence[str]) -> bool:
    """Whether one of these moves has the largest gain, so that looking at points finds it."""
    gains = {move.notation: position.gain(move) for move in position.moves()}
    return any(gains[text] == max(gains.values()) for text in solution)


def _played(position: Position, text: str) -> Position:
    move = parse_move(text)
    assert isinstance(move, Placement)
    return position.play(move)


def solution_lines(
    position: Position, first: str, line: tuple[str, ...], control: Control
) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """The solution tree as lines to the end, the given one first; and whether it is complete.

    Complete: every reply of the other side is answered, down to the end.  Else every first reply is
    answered once, and only the given line goes on to the end.
    """
    winner = position.to_move
    start = _played(position, first)
    try:
        lines = list(_lines(start, (first,), winner, True, control))
        complete = True
    except _TooMany:
        lines = list(_lines(start, (first,), winner, False, control))
        complete = False
    # The line of best play stands first, even where the tree takes another way to win.
    others = [each for each in lines if each != line[: len(each)]]
    return (line, *others), complete


class _TooMany(Exception):
    """A solution tree has more lines than are written down."""


def _lines(
    position: Position, before: tuple[str, ...], winner: str, whole: bool, control: Control
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
        if position.to_move == winner:
            best = _solve(position, control, objective=OUTCOME).best[0]
            waiting.append((_played(position, best), (*before, best)))
            continue
        replies = [move.notation for move in position.moves()]
        if whole and count + len(waiting) + len(replies) > MOST_LINES:
            raise _TooMany
        for reply in replies:
            after = _played(position, reply)
            if whole:
                waiting.append((after, (*before, reply)))
            else:
                answer: tuple[str, ...] = ()
                if not after.is_finished:
                    answer = _solve(after, control, objective=OUTCOME).best[:1]
                yield (*before, reply, *answer)


# Making


def board_names() -> list[str]:
    """The boards that puzzles are made on."""
    from litstool.lits.notation import pattern_names

    return pattern_names()


def made(
    pattern: Pattern,
    plies: int,
    winning: int,
    seed: int,
    *,
    supply: Supply = FULL_SUPPLY,
    side: str | None = None,
    grade: str | None = None,
    supplied: Sequence[Game] = (),
    control: Control | None = None,
    on_try: Callable[[int], None] | None = None,
) -> Puzzle | None:
    """The first puzzle found: ``plies`` long, so many winning moves, none of the greediest.

    Positions are those of greedy games with a few random moves, drawn by the seed, or of the
    ``supplied`` games.  ``side`` is who shall win, ``grade`` one of GRADES.  None where the
    supplied games have no such position.

    :raises Undecided: the time limit of ``control`` came first.
    :raises KeyboardInterrupt: the control was stopped.
    """
    control = control or Control()
    _make_ready(Position.empty(pattern, supply), control)
    number = 0
    for game in _candidates(pattern, supply, plies, seed, supplied):
        if control.interrupted:
            raise KeyboardInterrupt
        if control.left == 0:
            raise Undecided(f"no such puzzle among {_count(number, 'position')} in the time")
        if game is None:
            continue
        if on_try is not None:
            on_try(number)
        number += 1
        position = game.position_as_written()
        if side in (None, position.to_move):
            puzzle = puzzle_of(game, position, plies, winning, control)
            claim = None if puzzle is None else puzzle.claim
            if claim is not None and grade in (None, claim.grade):
                return puzzle
    return None


def _candidates(
    pattern: Pattern, supply: Supply, plies: int, seed: int, supplied: Sequence[Game]
) -> Iterator[Game | None]:
    """Positions that may be puzzles; None after each game, so that one who waits can look up.

    On a small board no game may be long enough.
    """
    if supplied:
        for game in supplied:
            # Much earlier positions are too long, and hard to solve.
            for ply in range(len(game.moves)):
                if abs(len(game.moves) - ply - plies) <= _MOST_LEFT:
                    yield game.at(ply)
        return
    chance = random.Random(seed)
    while True:
        position = Position.empty(pattern, supply)
        while not position.is_finished:
            moves = list(position.moves())
            if chance.random() < 0.85:
                gains = [position.gain(move) for move in moves]
                top = max(gains)
                moves = [each for each, gain in zip(moves, gains, strict=True) if gain == top]
            position = position.placed(chance.choice(moves))
        # Best play need not be as long as this game was, so try a ply more and less as well.
        for count in (plies, plies + 1, plies - 1):
            if 0 < count < len(position.pieces):
                pieces = position.pieces[: len(position.pieces) - count]
                yield Game(pattern=pattern, supply=supply, moves=pieces, ordered=True)
        yield None


def puzzle_of(
    game: Game, position: Position, plies: int, winning: int, control: Control
) -> Puzzle | None:
    """The position of a game as a puzzle; None where it is not one of that kind."""
    mover = position.to_move
    if position.is_finished or not position.pieces:
        return None
    # The cheap questions first: a greedy move that wins settles it, and so do more winning moves
    # than wanted among those that look best, a lost position, or best play of another length.
    moves = sorted(position.moves(), key=lambda move: -position.gain(move))
    top = position.gain(moves[0])
    if len(moves) < 2 * winning + 1 or position.gain(moves[-1]) == top:
        return None
    found = 0
    for number, move in enumerate(moves):
        is_top = position.gain(move) == top
        if not is_top and number >= _LOOKED_AT:
            break
        if _solve(position.placed(move), control, objective=OUTCOME).winner == mover:
            found += 1
            if is_top or found > winning:
                return None
    if _solve(position, control, objective=OUTCOME).winner != mover:
        return None
    if len(_solve(position, control, objective=SCORE).line) != plies:
        return None
    wins, margin, line = winning_moves(position, control)
    if len(wins) != winning or len(line) != plies or is_greedy(position, wins):
        return None
    lines, complete = solution_lines(position, line[0], line, control)
    measures = measures_of(position, wins, plies)
    claim = Claim(
        mover, winning, wins, margin, plies, lines, complete, measures.to_json(), measures.grade
    )
    return Puzzle(game, claim)


# Checking


def check(puzzle: Puzzle, winning: int = 1, control: Control | None = None) -> list[str]:
    """Everything about a puzzle that is not as it should be; empty where it is sound.

    A file that claims nothing should have ``winning`` winning moves, none of the greediest.  The
    time limit of ``control`` is for all of it.

    :raises IllegalError: the position breaks the rules.
    :raises Undecided: the time limit came first.
    """
    position, claim = puzzle.position, puzzle.claim
    if position.is_finished:
        return ["the game is over, so there is nothing to solve"]
    control = control or Control()
    _make_ready(position, control)
    wins, margin, _ = winning_moves(position, control)
    wanted = winning if claim is None else claim.winning
    found = []
    if not wins:
        return [f"{position.to_move} is to move and has no winning move"]
    if len(wins) != wanted:
        found.append(f"{_count(len(wins), 'move')} win instead of {wanted}: {', '.join(wins)}")
    if is_greedy(position, wins):
        found.append("a winning move has the largest gain, so looking at points finds it")
    if claim is None:
        return found
    if claim.winner != position.to_move:
        found.append(f"winner is {claim.winner}, but {position.to_move} is to move and wins")
    if set(claim.solution) != set(wins):
        found.append(
            f"the solution is {', '.join(wins)}, not {', '.join(claim.solution) or 'nothing'}"
        )
    if claim.margin is not None and claim.margin != margin:
        found.append(f"the margin under best play is {margin:+d}, not {claim.margin:+d}")
    if claim.lines:
        found += _faults_of_lines(position, claim, wins, margin, control)
    if claim.measures is not None and claim.plies is not None:
        measures = measures_of(position, wins, claim.plies)
        for name, value in measures.to_json().items():
            if claim.measures.get(name) != value:
                found.append(f"the measure {name!r} is {value}, not {claim.measures.get(name)}")
        if claim.grade is not None and claim.grade != measures.grade:
            found.append(f"the grade is {measures.grade!r}, not {claim.grade!r}")
    return found


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _faults_of_lines(
    position: Position, claim: Claim, wins: tuple[str, ...], margin: int | None, control: Control
) -> list[str]:
    """What is wrong with the solution tree; empty where nothing is."""
    winner = position.to_move
    found: list[str] = []
    answered: dict[tuple[str, ...], set[str]] = {}
    judged: dict[tuple[str, ...], bool] = {}
    for number, line in enumerate(claim.lines, 1):
        at = position
        for ply, text in enumerate(line):
            try:
                after = _played(at, text)
            except LitstoolError:
                found.append(f"line {number}: move {ply + 1}, {text}, is not legal")
                break
            path = line[: ply + 1]
            if at.to_move == winner:
                if path not in judged:
                    judged[path] = _solve(after, control, objective=OUTCOME).winner == winner
                    if not judged[path]:
                        found.append(f"line {number}: {text} gives the win away")
            else:
                answered.setdefault(line[:ply], set()).add(text)
            at = after
        else:
            if not at.is_finished:
                if claim.complete or number == 1:
                    found.append(f"line {number} stops before the end of the game")
                elif at.to_move == winner:
                    found.append(f"line {number} stops without an answer")
            elif at.winner != winner:
                found.append(f"line {number} does not end in a win of {winner}")
            elif number == 1 and at.margin != margin:
                found.append(f"line 1 ends at a margin of {at.margin:+d}, not {margin:+d}")
    if claim.plies is not None and len(claim.lines[0]) != claim.plies:
        found.append(f"line 1 is {_count(len(claim.lines[0]), 'ply')}, not {claim.plies}")
    if found:
        return found
    firsts = {line[0] for line in claim.lines}
    for path in sorted(answered, key=len):
        if path[0] not in wins or (not claim.complete and len(path) > 1):
            continue
        at = position
        for text in path:
            at = _played(at, text)
        # Where the line of best play leaves the tree, the tree answers for it.
        missing = {move.notation for move in at.moves()} - answered[path]
        if missing and not _is_beside(path, claim.lines):
            found.append(f"no answer to {sorted(missing)[0]} after {' '.join(path)}")
    if not firsts <= set(wins):
        found.append("a line begins with a move that does not win")
    return found


def _is_beside(path: tuple[str, ...], lines: tuple[tuple[str, ...], ...]) -> bool:
    """Whether only the line of best play goes this way, another answer standing in the tree."""
    return len(path) > 1 and all(each[: len(path)] != path for each in lines[1:])


def named(puzzle: Puzzle, name: str, note: str) -> Puzzle:
    """A puzzle with its name and a note on how it was made."""
    return replace(puzzle, game=replace(puzzle.game, name=name, note=note))
