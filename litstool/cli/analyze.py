"""``litstool analyze``: the best moves of a position, or the review of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from litstool import games
from litstool.cli.common import (
    SEED,
    ascii_option,
    complete_file,
    json_lines_option,
    ply_option,
    positions_argument,
    positive,
    subcommand,
)
from litstool.errors import UsageError
from litstool.files.reading import check_ending
from litstool.files.writing import check_outputs
from litstool.game import Record
from litstool.say.layout import columns
from litstool.search.control import Control, Progress
from litstool.terminal.many import Answer, Asked, answer_each
from litstool.terminal.printing import INTERRUPTED, YES, announce_compiling
from litstool.terminal.progress import progress_line
from litstool.terminal.screen import showable

if TYPE_CHECKING:
    from litstool.tasks.review import Review


@subcommand("analyze")
@ascii_option
@positions_argument
@ply_option
@json_lines_option
@click.option(
    "--time-limit", type=float, default=10.0, show_default=True, callback=positive, metavar="S",
    help="Seconds to think, for a game for all of it.",
)  # fmt: skip
@click.option(
    "--moves", "shown", type=click.IntRange(1), default=10, show_default=True, metavar="N",
    help="How many moves to list.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of the search.")
@click.option(
    "-o", "--output", metavar="FILE.html", shell_complete=complete_file,
    help="Write the report of a game, one page by itself.",
)  # fmt: skip
def command(
    arguments: tuple[str, ...],
    ply: int | None,
    time_limit: float,
    shown: int,
    seed: int,
    output: str | None,
    as_json: bool,
    as_json_lines: bool,
) -> int:
    """Find the best moves of each POSITION in the time given, or review a whole game.

    Of a position: the moves ranked, each with the share of games won in the search and its 95 %
    interval, and the line to expect; exact results as soon as the solver has them, and marked as
    such.  Of a file with moves: what each move was worth, the better move, whether the swap was
    right and where the game turned.  --ply N takes one position of a game, after N moves.  Of
    several positions, each is given the whole --time-limit.

    \b
    Examples:
      litstool analyze boxes --time-limit 5
      litstool analyze examples/game-with-swap.yaml
      litstool analyze examples/game-with-swap.yaml --ply 4
      litstool analyze game.yaml --time-limit 60 -o report.html

    Exit status: 0 done, 1 the position is not legal, 130 interrupted (what is known is printed).
    """
    if output is not None:
        check_ending(output, (".html",))

    def answer(asked: Asked) -> Answer:
        record = asked.record
        position = games.legal_position(asked.source, record)
        whole_game = ply is None and bool(record.moves)
        if output is not None:
            if not asked.alone:
                raise UsageError("-o is for the report of one game: give one POSITION")
            if not whole_game:
                raise UsageError(
                    "-o is for the report of a game: give a file with moves, and no --ply"
                )
            check_outputs({"-o": output}, asked.source.files)
        with progress_line(_progress) as on_progress:
            control = Control(on_progress=on_progress)
            effort: dict[str, Any] = {
                "time_limit": time_limit,
                "seed": seed,
                "control": control,
                "on_compile": announce_compiling,
            }
            if whole_game:
                from litstool.say import review as of_review
                from litstool.tasks import review as reviews

                review = reviews.review(record, **effort)
                document = of_review.document(review)
                lines = of_review.review_lines(record, review, columns())
            else:
                from litstool.say import analysis as of_position

                game = games.of(record)
                found = game.engine().analyze(position, **effort)
                document = found.to_json()
                lines = of_position.analysis_lines(found, position, game.sides, shown, columns())
        notes = []
        if output is not None:
            _write_report(record, review, output)
            notes.append(f"{output}: the report, for a browser")
        status = INTERRUPTED if control.interrupted else YES
        return Answer(document, map(showable, lines), status, notes)

    return answer_each(arguments, answer, as_json=as_json, as_json_lines=as_json_lines, ply=ply)


def _progress(progress: Progress) -> str:
    text = f"{progress.seconds:.0f} s, {progress.nodes:,} " + (
        "nodes" if progress.total else "games"
    )
    return text + (f", best {progress.best}" if progress.best else "")


def _write_report(record: Record, review: Review, output: str) -> None:
    from litstool.draw import page, reviewed
    from litstool.draw.judged import filled_in
    from litstool.files.writing import write_file

    shown = filled_in(reviewed.record(record), review)
    write_file(output, page.report(shown))
