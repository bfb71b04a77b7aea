"""``litstool pattern check``: how fair a board is, and which of several is the fairest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from litstool.cli.common import (
    INTERRUPTED,
    UNDECIDED,
    YES,
    announce_compiling,
    error_entry,
    note,
    print_json,
    progress_line,
    report,
    subcommand,
)
from litstool.cli.lits.pattern_common import (
    band_option,
    check_band,
    checked_pattern,
    limit_option,
    seed_option,
    threads_option,
)
from litstool.cli.many import parts_of, positions_argument
from litstool.cli.screen import ascii_option, showable
from litstool.errors import LitstoolError
from litstool.files.reading import Source, check_ending
from litstool.files.writing import check_outputs
from litstool.games import Part
from litstool.search.compiling import make_ready
from litstool.search.control import Control

if TYPE_CHECKING:
    from litstool.lits.pattern.measure import PlayReport
    from litstool.lits.pattern.report import BalanceReport


@subcommand("check")
@ascii_option
@positions_argument
@click.option(
    "--games",
    "number",
    type=click.IntRange(0, 100_000_000),
    default=100_000,
    show_default=True,
    metavar="N",
    help="Random and greedy games, N each.",
)
@click.option(
    "--strong-games",
    type=click.IntRange(0, 10_000_000),
    default=300,
    show_default=True,
    metavar="N",
    help="Games that end in perfect play.",
)
@click.option(
    "--first-move-games",
    type=click.IntRange(0, 10_000_000),
    default=400,
    show_default=True,
    metavar="N",
    help="Greedy games after each first move.",
)
@click.option("--no-play", is_flag=True, help="Only what needs no games.")
@band_option
@limit_option
@seed_option
@threads_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="A PNG or SVG picture."
)
def check_command(arguments: tuple[str, ...], as_json: bool, **options: Any) -> int:
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
    return _Check(arguments, as_json, **options).run()


class _Check:
    """One call of ``pattern check``."""

    def __init__(
        self, arguments: tuple[str, ...], as_json: bool, *, output: Path | None, **options: Any
    ) -> None:
        check_band(options["band"])
        self.parts = list(parts_of(arguments))
        self.as_json = as_json
        self.output = output
        self.options = options
        self.control = Control(options["time_limit"])
        if output is not None:
            from litstool.draw.lits import balance_picture

            check_ending(output, balance_picture.ENDINGS)
            read = [part.found for part in self.parts]
            files = [file for each in read if isinstance(each, Source) for file in each.files]
            check_outputs({"-o": output}, files)

    def run(self) -> int:
        found: list[BalanceReport | LitstoolError] = []
        with progress_line(lambda progress: f"playing {progress.best}") as on_progress:
            self.control.on_progress = on_progress
            for part in self.parts:
                try:
                    found.append(self._report_on(part, len(self.parts) - len(found)))
                except LitstoolError as error:
                    if len(self.parts) == 1:
                        raise
                    found.append(error)
                except KeyboardInterrupt:
                    self.control.stop()
                if self.control.interrupted:
                    break
        reports = [each for each in found if not isinstance(each, LitstoolError)]
        if not reports and self.control.interrupted:
            raise KeyboardInterrupt
        status = max(self._print(found, reports), self._ending(reports))
        if self.output is not None and reports:
            from litstool.draw.lits import balance_picture
            from litstool.lits.pattern.report import rank

            shown = rank(reports) if len(self.parts) > 1 else reports
            balance_picture.write(shown, self.output)
            note(f"wrote {self.output}")
        return status

    def _report_on(self, part: Part, boards_left: int) -> BalanceReport:
        from litstool.lits.pattern.report import report_on

        game = checked_pattern(*part.read())
        play = None
        if not self.options["no_play"]:
            play = self._play(game, boards_left)
        return report_on(game.pattern, game.name or part.label, play, game.supply)

    def _play(self, game: Any, boards_left: int) -> PlayReport | None:
        from litstool.lits.pattern.measure import measure, ready
        from litstool.lits.playouts import Board

        options = self.options
        policies = {
            "random": options["number"],
            "greedy": options["number"],
            "strong": options["strong_games"],
        }
        # What is compiled or loaded does not count.
        with self.control.paused():
            board = Board(game.pattern, game.supply)
            make_ready(("measure", board.lines), lambda: ready(board), announce_compiling)
        return measure(
            board, policies, options["first_move_games"], options["seed"] or 0, options["band"],
            self.control.share(boards_left), options["threads"],
        )  # fmt: skip

    def _print(
        self, found: list[BalanceReport | LitstoolError], reports: list[BalanceReport]
    ) -> int:
        from litstool.draw.lits import balance
        from litstool.lits.pattern.report import rank

        if len(self.parts) == 1:
            if self.as_json:
                print_json(reports[0].to_json())
            else:
                click.echo("\n".join(map(showable, balance.lines(reports[0]))))
            return YES
        status = YES
        entries = []
        ranking = rank(reports)
        places = {id(each): place for place, each in enumerate(ranking.reports, 1)}
        for part, each in zip(self.parts, found, strict=False):
            entry: dict[str, Any] = {"source": part.argument}
            if part.number is not None:
                entry["number"] = part.number
            if isinstance(each, LitstoolError):
                status = max(status, each.exit_status)
                entries.append({**entry, "error": error_entry(each)})
                if not self.as_json:
                    report(each, False)
            else:
                entries.append({**entry, "rank": places[id(each)], **each.to_json()})
        if self.as_json:
            print_json({"results": entries, "ranked": ranking.by})
        elif reports:
            click.echo("\n".join(map(showable, balance.comparison(ranking))))
        return status

    def _ending(self, reports: list[BalanceReport]) -> int:
        if self.control.interrupted:
            note("stopped early: what was played by then is shown")
            return INTERRUPTED
        if all(each.play is None or each.play.complete for each in reports):
            return YES
        note("the time was up: fewer games were played than asked for")
        return UNDECIDED
