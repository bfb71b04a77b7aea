"""What the commands do, from Python.

Every function takes a position, or a game for the position after its moves, of any game; where
what it asks is for one game alone, its docstring says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from litstool import games
from litstool.errors import UsageError
from litstool.game import AnyRoom, Position, Record
from litstool.search.asking import (
    DECIDE,
    USUAL_MEANS,
    Forced,
    ListAll,
    Means,
    Optimise,
    ReachResult,
    Wish,
)
from litstool.search.conditions import Written
from litstool.search.control import Control

if TYPE_CHECKING:
    from litstool.lits.board import Pattern
    from litstool.lits.pattern.report import BalanceReport
    from litstool.search.analysis import Analysis
    from litstool.search.results import SearchResult
    from litstool.tasks.puzzles import Puzzle
    from litstool.tasks.review import Review

Conditions = Written
"""Conditions on a final position; see :func:`reach`."""

__all__ = [
    "Conditions",
    "Forced",
    "ListAll",
    "Means",
    "Optimise",
    "analyze",
    "check_pattern",
    "check_puzzle",
    "new_patterns",
    "new_puzzle",
    "reach",
    "review",
    "solve",
]


def _position(asked: Position | Record) -> tuple[AnyRoom, Position]:
    """A position with its game; a record's is that after its moves.

    :raises IllegalError: the record breaks the rules.
    """
    position = asked.position() if isinstance(asked, Record) else asked
    return games.named(asked.game), position


def solve(
    position: Position | Record,
    *,
    objective: Literal["score", "outcome"] = "score",
    all_moves: bool = False,
    control: Control | None = None,
    hash_mib: int = 256,
    threads: int = 1,
    use_book: bool = False,
    on_compile: Callable[[], None] | None = None,
) -> SearchResult:
    """The exact result of a position, or of a game after its moves.

    ``objective`` ``outcome`` asks only who wins, which is cheaper.  ``all_moves`` gives every
    legal move its value.  ``control`` limits the time, watches and stops.  The table of positions
    takes at most ``hash_mib`` MiB.  ``use_book`` believes the swap book where it knows the winner.
    ``on_compile`` is called before a wait of some seconds for compiled code.

    >>> import litstool
    >>> litstool.solve(litstool.load("4/4/4/4")).winner
    'O'

    :raises IllegalError: the game breaks the rules.
    """
    game, start = _position(position)
    return game.solver().solve(
        start,
        objective=objective,
        all_moves=all_moves,
        control=control,
        hash_mib=hash_mib,
        threads=threads,
        use_book=use_book,
        on_compile=on_compile,
    )


def analyze(
    position: Position | Record,
    *,
    time_limit: float = 10.0,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Analysis:
    """What the engine finds of a position in ``time_limit`` seconds: moves ranked, best first.

    >>> import litstool
    >>> found = litstool.analyze(litstool.load("endgame-3"), time_limit=1)
    >>> found.exact, found.choice == found.moves[0].move
    (True, True)

    :raises IllegalError: the game breaks the rules.
    """
    game, start = _position(position)
    return game.engine().analyze(
        start, time_limit=time_limit, seed=seed, control=control, on_compile=on_compile
    )


def review(
    game: Record,
    *,
    time_limit: float = 10.0,
    seed: int = 0,
    control: Control | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Review:
    """What each move of a game was worth, in about ``time_limit`` seconds for all of it.

    >>> import litstool
    >>> found = litstool.review(litstool.load("game-with-swap"), time_limit=2)
    >>> found.moves[-1].after.winner
    'O'

    :raises IllegalError: the game breaks the rules.
    """
    from litstool.tasks import review as reviews

    return reviews.review(
        game, time_limit=time_limit, seed=seed, control=control, on_compile=on_compile
    )


def reach(
    position: Position | Record,
    conditions: Conditions | None = None,
    wish: Wish = DECIDE,
    means: Means = USUAL_MEANS,
    *,
    control: Control | None = None,
) -> ReachResult[Any, Any, Any]:
    """Whether legal play can lead from a position to one that satisfies conditions.

    ``wish`` asks for more than yes or no: ``Optimise("pieces", -1)`` for the fewest,
    ``ListAll(limit)`` for every final set of pieces, ``Forced()`` for what all have in common.
    ``means`` says how to search and what to write, such as a proof.

    >>> import litstool
    >>> board = litstool.load("4/4/4/4")
    >>> litstool.reach(board, litstool.Conditions(finished=True, pieces=3)).possible
    True
    >>> finished = litstool.Conditions(finished=True)
    >>> litstool.reach(board, finished, litstool.Optimise("pieces", -1)).value
    2

    :raises IllegalError: the game breaks the rules.
    :raises UsageError: the question contradicts itself, or a condition is none of the game.
    """
    game, start = _position(position)
    if game.questions is None:
        raise UsageError(f"nobody can ask what can be reached in {game.title} yet")
    questions = game.questions()
    question, _ = questions.question(start, conditions or Conditions())
    return questions.reach(question, wish, means, control)


def new_patterns(
    number: int = 1,
    *,
    rows: int = 10,
    columns: int = 10,
    x: int | None = None,
    o: int | None = None,
    symmetry: Iterable[str] = (),
    seed: int = 0,
) -> list[Pattern]:
    """Random boards of Battle of LITS, ``rows`` x ``columns``, the same for the same seed.

    ``x`` and ``o`` are the numbers of symbols, about 30 % of the cells each where left out;
    ``symmetry`` names what exchanges X and O, such as ``half-turn``.

    >>> import litstool
    >>> pattern, = litstool.new_patterns(rows=6, columns=6, x=9, symmetry=["half-turn"], seed=1)
    >>> sum(row.count("X") for row in pattern.rows())
    9

    :raises UsageError: numbers out of range, or a symmetry that they cannot carry.
    """
    from litstool.grid import Outline
    from litstool.lits.pattern.recipe import make_recipe
    from litstool.lits.pattern.sample import Sampler

    recipe = make_recipe(Outline(rows, columns), x, o, symmetry)
    return list(Sampler(recipe).boards(seed, number))


def check_pattern(pattern: Pattern, *, games_played: int = 0, seed: int = 0) -> BalanceReport:
    """How fair a board of Battle of LITS is: its symmetries, how exposed X and O are, and with
    ``games_played`` how games on it ended.

    >>> import litstool
    >>> litstool.check_pattern(litstool.load("boxes").pattern).exchange_symmetries
    ('quarter-turn',)
    """
    from litstool.lits.pattern.measure import measure
    from litstool.lits.pattern.report import report_on
    from litstool.lits.playouts import PlayoutTables

    play = None
    if games_played:
        policies = {"random": games_played, "greedy": games_played}
        play = measure(PlayoutTables(pattern), policies, 0, seed)
    return report_on(pattern, play=play)


def new_puzzle(
    board: str = "boxes",
    *,
    plies: int = 5,
    winning: int = 1,
    seed: int = 0,
    control: Control | None = None,
) -> Puzzle | None:
    """A puzzle on an empty board: ``plies`` long, so many winning moves, none of them the
    greediest; ``to_document()`` is its file.

    >>> import litstool
    >>> puzzle = litstool.new_puzzle("stripes", plies=3, seed=5)
    >>> litstool.check_puzzle(puzzle)
    []

    :raises UsageError: the board is no empty one.
    :raises Undecided: the time limit of ``control`` came first.
    """
    from litstool.tasks.puzzle_making import Wanted, empty_board, made

    _, record = empty_board(board)
    return made(record, Wanted(plies, winning), seed, control=control)


def check_puzzle(puzzle: Puzzle | str, *, control: Control | None = None) -> list[str]:
    """Everything about a puzzle, or about that of a file, that is not as it claims; empty where it
    is sound.

    >>> import litstool
    >>> litstool.check_puzzle("puzzles/puzzle-01")
    []

    :raises IllegalError: the position breaks the rules.
    """
    from litstool.tasks import puzzle_check, puzzles

    asked = puzzles.load(puzzle)[1] if isinstance(puzzle, str) else puzzle
    return puzzle_check.check(asked, control=control)
