"""What takes long, as works in steps: analysis, the engine's move, questions, reviews, boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from litstool import games
from litstool.board.desk import place_of, position_of, record_of
from litstool.board.fields import Fields
from litstool.board.kinds import names, tools
from litstool.board.works import Part, Steps
from litstool.errors import UsageError
from litstool.files.reading import Source
from litstool.game import SEATS, AnyRoom, Position, text_of
from litstool.say import reached, results
from litstool.search.analysis import Analysis
from litstool.search.asking import Decide, Means, Optimise, Wish
from litstool.search.conditions import Written, whole_number
from litstool.search.control import Control, Progress
from litstool.tasks.play import ENGINE, LEVELS, Table
from litstool.toolbox import AIMS

FIRST_SECONDS, GROWTH, LONGEST_SECONDS = 0.1, 2.5, 40.0
"""The looks of a live analysis: each a little longer than the one before."""

CROWDED_SECONDS = 2.0
"""The longest look while others wait for a turn."""

MOST_SECONDS = 600.0
"""After which a live analysis rests."""

MOST_MOVES = 40
"""Moves of a ranking that are sent."""

_HASH_MIB = 64
_REACH_MIB = 1024


@dataclass(frozen=True)
class Job:
    """What a work is given: the message, how it is stopped, and whom it tells of its parts."""

    fields: Fields
    control: Control
    send: Callable[[Part], None]
    is_crowded: Callable[[], bool] = field(default=lambda: False)

    def compiling(self) -> None:
        """Tell that there is a wait for compiled code."""
        self.send({"compiling": True})

    def progress(self, progress: Progress) -> None:
        """Tell that it goes on."""
        self.send({"progress": f"{progress.seconds:.0f} s"})

    def place(self) -> tuple[AnyRoom, Position]:
        """The game and the position that the message names."""
        start, moves = place_of(self.fields)
        return games.of(record_of(start, moves)), position_of(start, moves)


# --- analysis ---------------------------------------------------------------------------------


def analyse(job: Job) -> Steps:
    """The live analysis of a position: looks that grow longer until all is proven or time is up."""
    game, position = job.place()
    engine = game.engine()
    engine.make_ready(position, job.compiling)
    seconds, spent, seed = FIRST_SECONDS, 0.0, 0
    while True:
        begun = monotonic()
        found = engine.analyze(
            position, time_limit=seconds, seed=seed, control=job.control.within(seconds)
        )
        spent += monotonic() - begun
        is_all = found.choice is None or _is_settled(found) or spent > MOST_SECONDS
        yield {**analysis_document(found, game), "final": is_all}
        if is_all:
            return
        seed += 1
        seconds = min(seconds * GROWTH, LONGEST_SECONDS)
        if job.is_crowded():
            seconds = min(seconds, CROWDED_SECONDS)


def _is_settled(found: Analysis) -> bool:
    """Whether the margin and every move are proven."""
    return found.margin is not None and all(each.margin is not None for each in found.moves)


def analysis_document(found: Analysis, game: AnyRoom) -> Part:
    """An analysis as the page shows it: numbers for the bar, words for people."""
    sides = game.sides
    return {
        "to_move": found.to_move,
        "choice": found.choice,
        "verdict": _verdict(found, game),
        "exact": found.exact,
        "margin": found.margin,
        "chance": _share(found, sides),
        "line": list(found.line),
        "note": found.note,
        "games": found.games,
        "nodes": found.nodes,
        "seconds": round(found.seconds, 2),
        "count": len(found.moves),
        "moves": [
            {
                "move": each.move,
                "exact": each.exact,
                "words": results.worth_of_move(each, sides, found.to_move),
                "rate": each.win_rate,
                "low": each.low,
                "high": each.high,
                "games": each.games,
            }
            for each in found.moves[:MOST_MOVES]
        ],
    }


def _share(found: Analysis, sides: tuple[str, str]) -> float | None:
    """The chance of the side named first, all or nothing where the winner is proven."""
    if found.winner is None:
        return found.chance
    return {sides[0]: 1.0, sides[1]: 0.0}.get(found.winner, 0.5)


# --- a game -----------------------------------------------------------------------------------


def reply(job: Job) -> Steps:
    """The engine's move at a level."""
    start, moves = place_of(job.fields)
    record = record_of(start, moves)
    level = job.fields.choice("level", LEVELS, "strong")
    seconds = job.fields.number("seconds", 0.05, 60, 1)
    table = Table(record, dict.fromkeys(SEATS, ENGINE), level, seconds)
    # The same game is not to be played twice, so chance comes from the page.
    table.seed = int(job.fields.number("seed", 0, 1 << 31, 0))
    if table.position.is_finished:
        raise UsageError("the game is over")
    table.engine.make_ready(table.position, job.compiling)
    move, found = table.think(job.control, job.compiling)
    yield {"move": move, "verdict": None if found is None else _verdict(found, table.game)}


def _verdict(found: Analysis, game: AnyRoom) -> str:
    return results.sentence(results.verdict(found, game.sides))


def review(job: Job) -> Steps:
    """What each move of a game was worth, with the chart of the report."""
    from litstool.draw import chart, reviewed
    from litstool.draw.judged import filled_in
    from litstool.say import review as said
    from litstool.tasks import review as reviews

    start, moves = place_of(job.fields)
    record = record_of(start, moves)
    if not moves:
        raise UsageError("there is no move yet to review")
    seconds = job.fields.number("seconds", 1, 300, 10)
    found = reviews.review(
        record, time_limit=seconds, control=job.control.within(seconds), on_compile=job.compiling
    )
    shown = filled_in(reviewed.record(record), found)
    document = said.document(found)
    yield {
        "chart": chart.chart(shown),
        "analysis": shown.analysis,
        "moves": [
            {
                "number": number,
                "move": entry.move,
                "side": entry.side,
                "words": entry.value.words(shown.sides) if entry.value else "not known",
                "exact": bool(entry.value and entry.value.exact),
                "lost": entry.lost,
                "lost_chance": entry.lost_chance,
                "turned": entry.turned,
                "best": [each.move for each in entry.best] if entry.was_best is False else [],
                "remark": entry.remark,
            }
            for number, entry in enumerate(shown.moves, 1)
        ],
        "exact_from": document["exact_from"],
    }


# --- questions --------------------------------------------------------------------------------


def reach(job: Job) -> Steps:
    """Whether legal play leads to what is asked, with the play."""
    game, position = job.place()
    fields = job.fields
    said = fields.mapping("conditions")
    if game.questions is None:
        raise UsageError(f"no questions are asked of {game.title}")
    questions = game.questions()
    rows = fields.words("target", tools(game.name).most_side)
    target = None
    if any(set(row) - {"?", "#"} for row in rows):
        target = Source("the target", "\n".join(rows))
    question, asides = questions.question(position, _written(said, target))
    wish: Wish = Decide()
    if aim := said.get("aim"):
        if aim not in AIMS:
            raise UsageError(f"there is no aim {aim[:40]!r}")
        wish = Optimise(*AIMS[aim])
    seconds = fields.number("seconds", 1, 600, 30)
    result = questions.reach(
        question,
        wish,
        Means(most_mebibytes=_REACH_MIB),
        job.control.within(seconds),
    )
    yield {
        "possible": result.possible,
        "lines": [*reached.answer(questions, result, game.sides), *asides, *result.notes],
        "moves": [questions.move_text(move) for move in result.moves],
        "effort": reached.effort(result),
    }


def _written(said: dict[str, str], target: Source | None) -> Written:
    """The conditions of a form.

    :raises UsageError: a number is none.
    """
    finished = {"over": True, "not over": False}.get(said.get("finished", ""))
    return Written(
        target=target,
        at_least=_count(said, "at-least"),
        at_most=_count(said, "at-most"),
        finished=finished,
        winner=said.get("winner") or None,
        passes=_count(said, "passes"),
        include=tuple(said.get("include", "").split()),
        exclude=tuple(said.get("exclude", "").split()),
    )


def _count(said: dict[str, str], key: str) -> int | None:
    text = said.get(key, "").strip()
    if not text:
        return None
    number = whole_number(text)
    if number is None:
        raise UsageError(f"{key} should be a whole number, not {text[:20]!r}")
    return number


# --- boards -----------------------------------------------------------------------------------


def make(job: Job) -> Steps:
    """A board at random by a recipe."""
    game = games.named(job.fields.choice("game", names()))
    draw = tools(game.name).make
    if draw is None:
        raise UsageError(f"boards of {game.title} are not made")
    seed = int(job.fields.number("seed", 0, 1 << 31))
    job.send({"compiling": True})
    start = draw(job.fields.mapping("recipe"), seed, job.control.within(60.0))
    yield {"start": start, "game": game.name, "seed": seed}


# --- puzzles ----------------------------------------------------------------------------------


def judge(job: Job) -> Steps:
    """Whether a move keeps what the side to move can have, and the best reply to it."""
    game, position = job.place()
    text = job.fields.word("move")
    after = position.play(text)
    solver = game.solver()
    solver.make_ready(position, job.compiling)
    before = _winner(job, game, position)
    winner = _winner(job, game, after)
    answer = None
    if not after.is_finished:
        found = solver.solve(after, control=job.control.within(60.0), hash_mib=_HASH_MIB)
        answer = found.line[0] if found.line else text_of(next(after.moves()))
    yield {
        "right": winner == before or winner == position.to_move,
        "words": results.sentence(results.won(str(winner))),
        "reply": answer,
        "finished": after.is_finished,
    }


def _winner(job: Job, game: AnyRoom, position: Position) -> str | None:
    """Who wins with best play.

    :raises UsageError: it takes too long to say.
    """
    if position.is_finished:
        return position.winner
    control = job.control.within(60.0)
    found = game.solver().solve(position, objective="outcome", control=control, hash_mib=_HASH_MIB)
    if not found.solved:
        raise UsageError("this position is too early to be solved at once")
    return found.winner


def solution(job: Job) -> Steps:
    """Best play from a position to its end."""
    game, position = job.place()
    solver = game.solver()
    solver.make_ready(position, job.compiling)
    found = solver.solve(position, control=job.control.within(60.0), hash_mib=_HASH_MIB)
    if not found.solved:
        raise UsageError("this position is too early to be solved at once")
    yield {
        "line": list(found.line),
        "words": results.sentence(results.won(str(found.winner), found.margin)),
    }


def make_ready(start: str) -> None:
    """Have the kernels of a board loaded or compiled before they are asked for."""
    position = position_of(start)
    games.of(record_of(start)).engine().make_ready(position)


WORKS: dict[str, tuple[str, Callable[[Job], Steps]]] = {
    "analyse": ("turns", analyse),
    "reply": ("long", reply),
    "review": ("long", review),
    "reach": ("long", reach),
    "make": ("long", make),
    "judge": ("long", judge),
    "solution": ("long", solution),
}
"""What is worked on, by the lane it takes."""
