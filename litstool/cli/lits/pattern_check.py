"""``litstool pattern check``: how fair a board is, and which of several is the fairest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litstool.cli.common import ascii_option, positions_argument, subcommand, time_limit_option
from litstool.cli.lits.pattern_common import (
    band_option,
    checked_pattern,
    seed_option,
    threads_option,
)
from litstool.errors import LitstoolError
from litstool.files.reading import Source, check_ending
from litstool.files.writing import check_outputs
from litstool.games import Part
from litstool.search.control import Control
from litstool.terminal.many import parts_of
from litstool.terminal.printing import (
    INTERRUPTED,
    UNDECIDED,
    YES,
    announce_compiling,
    error_entry,
    note,
    print_json,
    report,
)
from litstool.terminal.progress import progress_line
from litstool.terminal.screen import showable

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import GamesWanted
    from litstool.lits.pattern.report import BalanceReport

    Found = BalanceReport | LitstoolError


@subcommand("check")
@ascii_option
@positions_argument
@click.option(
    "--games", "number", type=click.IntRange(0, 100_000_000), default=100_000, show_default=True,
    metavar="N", help="Random and greedy games, N each.",
)  # fmt: skip
@click.option(
    "--strong-games", type=click.IntRange(0, 10_000_000), default=300, show_default=True,
    metavar="N", help="Games that end in perfect play.",
)  # fmt: skip
@click.option(
    "--first-move-games", type=click.IntRange(0, 10_000_000), default=400, show_default=True,
    metavar="N", help="Greedy games after each first move.",
)  # fmt: skip
@click.option("--no-play", is_flag=True, help="Only what needs no games.")
@band_option
@time_limit_option
@seed_option
@threads_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="A PNG or SVG picture."
)
def check_command(
    arguments: tuple[str, ...],
    number: int,
    strong_games: int,
    first_move_games: int,
    no_play: bool,
    band: float,
    time_limit: float | None,
    seed: int | None,
    threads: int,
    output: Path | None,
    as_json: bool,
) -> int:
    """Report how fair a board is, and why; compare several, the fairest first.

    Symmetries; balance by row, column, quadrant and ring; clumping; exposure of the symbols;
    results of random, greedy and strong play (greedy, then perfect endgames); and how many first
    moves leave even chances, which is what counts under the pie rule.  A file may hold many boards,
    and a folder many files.

    \b
    Examples:
      litstool pattern check boxes
      litstool pattern check boxes monogram boards/ --time-limit 20
      litstool pattern check board.txt --no-play --json
      litstool pattern check monogram --first-move-games 2000 -o monogram.png

    Exit status: 0 done, 2 a board cannot be read, 3 the time was up before all games were played,
    130 interrupted; what was played is shown.
    """
    parts = list(parts_of(arguments))
    control = Control(time_limit)
    if output is not None:
        _check_output(output, parts)
    wanted = None
    if not no_play:
        from litstool.lits.pattern.measure import GamesWanted

        wanted = GamesWanted(number, strong_games, first_move_games, seed or 0, band, threads)
    found = _reports(parts, wanted, control)
    reports = [each for each in found if not isinstance(each, LitstoolError)]
    if not reports and control.interrupted:
        raise KeyboardInterrupt
    status = max(_print(parts, found, reports, as_json), _ending(reports, control))
    if output is not None and reports:
        from litstool.draw.lits import balance
        from litstool.lits.pattern.report import rank

        balance.write(rank(reports) if len(parts) > 1 else reports, output)
        note(f"wrote {output}")
    return status


def _check_output(output: Path, parts: list[Part]) -> None:
    from litstool.draw.lits.balance import ENDINGS

    check_ending(output, ENDINGS)
    sources = [part.found for part in parts if isinstance(part.found, Source)]
    check_outputs({"-o": output}, [file for source in sources for file in source.files])


def _reports(parts: list[Part], wanted: GamesWanted | None, control: Control) -> list[Found]:
    """The reports on the boards, or why there is none, until the control stops it."""
    from litstool.say.lits.balance import progress

    found: list[Found] = []
    with progress_line(progress) as control.on_progress:
        for part in parts:
            try:
                found.append(_report_on(part, wanted, control, len(parts) - len(found)))
            except LitstoolError as error:
                if len(parts) == 1:
                    raise
                found.append(error)
            except KeyboardInterrupt:
                control.stop()
            if control.interrupted:
                break
    return found


def _report_on(
    part: Part, wanted: GamesWanted | None, control: Control, boards_left: int
) -> BalanceReport:
    from litstool.lits.pattern.report import report_on

    game = checked_pattern(*part.read())
    play = None
    if wanted is not None:
        from litstool.lits.pattern.measure import play_report

        play = play_report(
            game.pattern, game.supply, wanted, control, boards_left, announce_compiling
        )
    return report_on(game.pattern, game.name or part.label, play, game.supply)


def _print(
    parts: list[Part], found: list[Found], reports: list[BalanceReport], as_json: bool
) -> int:
    """Print the one report, or the comparison of several; the exit status of what is wrong."""
    from litstool.lits.pattern.report import rank
    from litstool.say.lits import balance, documents

    if len(parts) == 1:
        if as_json:
            print_json(documents.balance(reports[0]))
        else:
            click.echo("\n".join(map(showable, balance.listing(reports[0]))))
        return YES
    status = YES
    entries = []
    ranking = rank(reports)
    places = {id(each): place for place, each in enumerate(ranking.reports, 1)}
    for part, each in zip(parts, found, strict=False):
        entry: dict[str, Any] = {"source": part.argument}
        if part.number is not None:
            entry["number"] = part.number
        if isinstance(each, LitstoolError):
            status = max(status, each.exit_status)
            entries.append({**entry, "error": error_entry(each)})
            if not as_json:
                report(each, False)
        else:
            entries.append({**entry, "rank": places[id(each)], **documents.balance(each)})
    if as_json:
        print_json({"results": entries, "ranked": balance.ranked(ranking)})
    elif reports:
        click.echo("\n".join(map(showable, balance.comparison(ranking))))
    return status


def _ending(reports: list[BalanceReport], control: Control) -> int:
    if control.interrupted:
        note("stopped early: what was played by then is shown")
        return INTERRUPTED
    if all(each.play is None or each.play.complete for each in reports):
        return YES
    note("the time was up: fewer games were played than asked for")
    return UNDECIDED
