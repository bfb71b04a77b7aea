"""``litstool solve``: the exact result of a position."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from litstool import games
from litstool.cli.common import (
    json_lines_option,
    ply_option,
    positions_argument,
    subcommand,
    threads_option,
    time_limit_option,
)
from litstool.errors import UsageError
from litstool.files.writing import check_outputs
from litstool.say import solution
from litstool.say.layout import columns
from litstool.search.control import Control
from litstool.search.results import OBJECTIVES
from litstool.search.workers import process_crew
from litstool.terminal.many import Answer, Asked, answer_each
from litstool.terminal.printing import INTERRUPTED, UNDECIDED, YES, announce_compiling, note
from litstool.terminal.progress import progress_line


@subcommand("solve")
@positions_argument
@ply_option
@json_lines_option
@click.option(
    "--objective",
    type=click.Choice(OBJECTIVES),
    default=OBJECTIVES[0],
    show_default=True,
    help="The exact margin, or only who wins (faster).",
)
@click.option("--all", "all_moves", is_flag=True, help="The value of every move, and all the best.")
@time_limit_option
@threads_option("Search on N cores.")
@click.option(
    "--hash",
    "hash_mib",
    type=click.IntRange(1, 1 << 20),
    default=256,
    show_default=True,
    metavar="MIB",
    help="Memory for the transposition table.",
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="With --all: hand the moves to the Dask cluster at this address.",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --all: keep each move's value here as it comes, and go on from there.",
)
def command(
    arguments: tuple[str, ...],
    ply: int | None,
    objective: str,
    all_moves: bool,
    time_limit: float | None,
    threads: int,
    hash_mib: int,
    scheduler: str | None,
    results: Path | None,
    as_json: bool,
    as_json_lines: bool,
) -> int:
    """Say who wins each POSITION under best play, by how much, with which move and which line.

    Each side wants the largest final margin and, among equal margins, to place the last piece,
    which decides a tie.  The pie rule's swap is left aside: the symbols are valued as they stand.
    Of several positions, each is given the whole --time-limit.

    \b
    Examples:
      litstool solve examples/endgame-5.yaml
      litstool solve game.yaml --ply 8 --all
      litstool solve boxes --objective outcome --threads 2 --time-limit 60
      litstool solve game.yaml --ply 3 --all --results all.jsonl --scheduler HOST:8786

    Exit status: 0 solved, 1 the position is not legal, 3 the time limit came first,
    130 interrupted (what is known is printed).
    """
    spread = scheduler is not None or results is not None
    if spread and not all_moves:
        raise UsageError("--scheduler and --results need --all: they work move by move")

    def answer(asked: Asked) -> Answer:
        position = games.legal_position(asked.source, asked.record)
        if not asked.alone and results is not None:
            raise UsageError("--results keeps the moves of one position: give one POSITION")
        check_outputs({"--results": results}, asked.source.files)
        game = games.of(asked.record)
        spread_solver = game.spread_solver
        if spread and spread_solver is None:
            raise UsageError(f"--scheduler and --results: there is no such search of {game.title}")
        label = "" if asked.alone else asked.label
        with progress_line(partial(solution.progress, label, game.sides)) as show:
            control = Control(time_limit, show)
            if scheduler is not None and spread_solver is not None:
                result = spread_solver().solve_all_distributed(
                    position,
                    scheduler,
                    results,
                    objective=objective,
                    control=control,
                    hash_mib=hash_mib,
                    on_note=note,
                )
            elif spread and spread_solver is not None:
                with process_crew(threads) as crew:
                    result = spread_solver().solve_all(
                        position,
                        crew,
                        results,
                        objective=objective,
                        control=control,
                        hash_mib=hash_mib,
                        on_note=note,
                    )
            else:
                result = game.solver().solve(
                    position,
                    objective=objective,
                    all_moves=all_moves,
                    control=control,
                    hash_mib=hash_mib,
                    threads=threads,
                    use_book=True,
                    on_compile=announce_compiling,
                )
        lines = solution.solution_lines(result, asked.record, control.interrupted, columns())
        notes = []
        if advice := game.advice(position):
            notes.append(f"swap book: {advice}")
        status = INTERRUPTED if control.interrupted else UNDECIDED
        return Answer(result.to_json(), lines, YES if result.solved else status, notes)

    return answer_each(arguments, answer, as_json=as_json, as_json_lines=as_json_lines, ply=ply)
