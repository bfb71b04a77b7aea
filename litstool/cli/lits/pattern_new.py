"""``litstool pattern new``: random boards that are balanced in the ways asked for."""

from __future__ import annotations

import os
import re
from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    UNDECIDED,
    YES,
    announce_compiling,
    note,
    print_json,
    progress_line,
    subcommand,
)
from litstool.cli.lits.pattern_common import (
    band_option,
    check_band,
    limit_option,
    seed_option,
    tell_left_aside,
    threads_option,
)
from litstool.errors import UsageError
from litstool.files.reading import exists
from litstool.files.writing import check_outputs, make_folder, write_file
from litstool.lits.board import FULL_SUPPLY
from litstool.lits.pattern.made import PICTURES, MadeBoard, Place, fair_text
from litstool.search.compiling import make_ready
from litstool.search.control import Control, Progress


@subcommand("new")
@click.option("--size", default=None, metavar="RxC", help="Rows x columns.  [default: 10x10]")
@click.option("--outline", metavar="POSITION", help="The outline of this board, holes included.")
@click.option("--symbols", type=int, metavar="N", help="X and O each.  [default: 30 % of cells]")
@click.option("--x", "x_count", type=int, metavar="N", help="How many X.")
@click.option("--o", "o_count", type=int, metavar="N", help="How many O.")
@click.option(
    "--symmetry",
    multiple=True,
    metavar="NAMES",
    help="X and O are exchanged by: half-turn, quarter-turn, mirror-lr, mirror-ud, diagonal, "
    "antidiagonal; several with commas.",
)
@click.option("--exactly", is_flag=True, help="No symmetry beyond those that follow from these.")
@click.option(
    "--even",
    multiple=True,
    metavar="AREAS",
    help="As many X as O in each of: rows, columns, quadrants; several with commas.",
)
@click.option(
    "--spread",
    metavar="LIMITS",
    help="How like symbols stand: even, apart, clumped, or LOW,HIGH for the z value of like joins.",
)
@click.option(
    "--reach-even",
    is_flag=False,
    flag_value="1",
    metavar="[PERCENT]",
    help="X and O equally exposed, to so many percent (1).",
)
@click.option(
    "--fair",
    is_flag=False,
    flag_value="first-moves",
    metavar="[MEASURE]",
    help="Search for fair play: first-moves (many even ones) or win-rate (X's near one half).",
)
@click.option(
    "--within",
    type=float,
    default=0.01,
    show_default=True,
    metavar="D",
    help="With --fair win-rate: near enough.",
)
@band_option
@click.option(
    "--effort",
    type=click.IntRange(10_000),
    metavar="GAMES",
    help="Games that a --fair search plays for a board.  [default: 8000000]",
)
@limit_option
@threads_option
@seed_option
@click.option(
    "-n",
    "--number",
    type=click.IntRange(1, 1_000_000),
    default=1,
    show_default=True,
    metavar="N",
    help="How many boards.",
)
@click.option(
    "-o",
    "--output",
    metavar="PLACE",
    help="A folder (ends with /) or a file: .txt, .yaml, .json, .svg or .png; several boards are "
    "numbered before the ending.",
)
def new_command(**options: Any) -> int:
    """Make random boards that are balanced in the ways asked for, which combine.

    Without any, every arrangement of the symbols is equally likely; how boards are drawn is told
    on standard error.  The same seed makes the same boards on every machine.  One board is printed
    as a grid, several one a line; both are read wherever a POSITION is.

    \b
    Examples:
      litstool pattern new --seed 7
      litstool pattern new --symmetry quarter-turn --exactly --symbols 28
      litstool pattern new --size 8x8 --even rows,columns --spread even --reach-even
      litstool pattern new -n 100 --symmetry half-turn -o boards/
      litstool pattern new -n 3 --seed 4 -o board.svg
      litstool pattern new --fair --time-limit 60

    Exit status: 0 done, 1 no board is like that (proved by SAT), 3 neither found nor disproved,
    or the time was up before all were made, 130 interrupted (the boards made so far are printed).
    """
    return _New(**options).run()


class _New:
    """One call of ``pattern new``."""

    def __init__(self, *, as_json: bool, seed: int | None, **options: Any) -> None:
        self.options = options
        self.as_json = as_json
        self.given_seed = seed is not None
        self.seed = seed if seed is not None else int.from_bytes(os.urandom(4), "big")
        self.number: int = options["number"]
        self.control = Control(options["time_limit"])
        check_band(options["band"])
        if not 0 < options["within"] <= 0.5:
            raise UsageError(f"--within {options['within']} is out of range: above 0, to 0.5")
        self.place = None
        if options["output"] is not None:
            self.place = Place.named(options["output"], self.number)
        self.outline = _outline(options["size"], options["outline"])
        self._check_place()
        self.boards: list[MadeBoard] = []
        self.shown: list[Any] = []
        """How the boards are printed, worked out as they are made: that takes time too."""

    def _check_place(self) -> None:
        if self.place is not None:
            outline = self.options["outline"]
            make_folder(self.place.file(1).parent)
            check_outputs({"-o": self.place.file(1)}, [outline])
            if outline is not None and exists(outline):
                for number in range(2, self.number + 1):
                    file = self.place.file(number)
                    if exists(file):
                        check_outputs({"-o": file}, [outline])
            if self.place.digits:
                # Nobody typed these names, so nobody knows what they would replace.
                files = [self.place.file(number) for number in range(1, self.number + 1)]
                if there := next((file for file in files if exists(file)), None):
                    raise UsageError(f"{there} is there already; give another folder or name")

    def run(self) -> int:
        from litstool.lits.pattern.recipe import UndecidedError
        from litstool.lits.pattern.sample import Sampler

        try:
            self._compile()
            self.sampler = Sampler(_recipe(self.options, self.outline, self.control), self.control)
            with progress_line(self._progress) as on_progress:
                self.control.on_progress = on_progress
                for index in range(self.number):
                    # One board at least: it may be quicker than the clock.
                    if index and self.control.is_over:
                        break
                    self._add(self._board(index))
                    on_progress(Progress(index + 1, self.number, 0, 0.0))
        except KeyboardInterrupt:
            self.control.stop()
        except UndecidedError:
            if not self.boards:
                raise
        if not self.boards:
            raise KeyboardInterrupt
        self._tell()
        return self._ending()

    def _compile(self) -> None:
        """Have what is needed compiled, or loaded, which does not count as time."""
        from litstool.lits.pattern.sample import ready

        plays = self.options["fair"] is not None or self.options["reach_even"] is not None
        key = ("sample", self.outline, plays)
        with self.control.paused():
            make_ready(key, lambda: ready(self.outline, plays), announce_compiling)

    def _progress(self, progress: Progress) -> str:
        if progress.best is None:
            return f"{progress.done:,} of {progress.total:,} boards"
        return (
            f"generation {progress.nodes}, {progress.done:,} of {progress.total:,} games, "
            f"best so far: {progress.best}"
        )

    def _board(self, index: int) -> MadeBoard:
        if self.options["fair"] is None:
            return MadeBoard(self.sampler.board(self.seed, index), self.seed, index + 1)
        from litstool.lits.pattern import fair

        search = fair.FairSearch(
            self.sampler,
            self.options["fair"],
            self.seed,
            index,
            self.options["effort"] or fair.EFFORT,
            self.options["within"],
            self.options["band"],
            self.options["threads"],
            self.control.share(self.number - index),
        )
        found = search.run()
        return MadeBoard(found.pattern, self.seed, index + 1, found)

    def _add(self, board: MadeBoard) -> None:
        """Keep a board, and write it at once where it has a file."""
        if self.place is not None:
            file = self.place.file(board.number)
            if self.place.ending in PICTURES:
                from litstool.draw import output
                from litstool.draw.lits import balance
                from litstool.lits.pattern.report import report_on

                facts = balance.facts(report_on(board.pattern))
                output.write(str(file), [balance.picture(board.pattern, board.name, facts)])
            else:
                write_file(file, board.file_text(self.place.ending))
        if self.as_json:
            self.shown.append(board.to_json())
        elif self.place is None:
            self.shown.append(board.text if self.number == 1 else board.line + "\n")
        self.boards.append(board)

    def _tell(self) -> None:
        if self.place is not None:
            last = f" to {self.place.file(len(self.boards))}" if len(self.boards) > 1 else ""
            note(f"wrote {self.place.file(1)}{last}")
        document = self._document()
        if self.as_json:
            print_json(document)
        elif self.place is None:
            click.echo("".join(self.shown), nl=False)
        if not self.given_seed:
            note(f"seed {self.seed}")
        note(f"sampling: {document['sampling']}")
        for board in self.boards:
            if board.fair is not None:
                note(f"{board.name}: {fair_text(board.fair)}")

    def _document(self) -> dict[str, Any]:
        from litstool.lits.pattern.sample import describe

        sampling = self.sampler.sampling
        if self.options["fair"] is not None:
            sampling = f"a search for fair play, from boards of which {sampling}"
        return {
            "seed": self.seed,
            "recipe": describe(self.sampler.recipe),
            "sampling": sampling,
            "boards": self.shown,
        }

    def _ending(self) -> int:
        made = f"{len(self.boards):,} of {self.number:,} boards"
        if self.control.interrupted:
            note(f"interrupted after {made}")
            return INTERRUPTED
        if len(self.boards) < self.number:
            note(f"the time was up after {made}")
            return UNDECIDED
        if any(board.fair is not None and board.fair.value is None for board in self.boards):
            note("the time was up before it was measured how fair the board plays")
            return UNDECIDED
        return YES


def _recipe(options: dict[str, Any], outline: Any, control: Control) -> Any:
    from litstool.lits.pattern.recipe import make_recipe, parse_spread

    symbols, x, o = options["symbols"], options["x_count"], options["o_count"]
    if symbols is not None and (x is not None or o is not None):
        raise UsageError("--symbols gives both numbers; leave out --x and --o")
    if (x is None) != (o is None):
        raise UsageError("--x and --o go together; --symbols gives both the same number")
    spread = options["spread"]
    return make_recipe(
        outline,
        symbols if x is None else x,
        symbols if o is None else o,
        _words(options["symmetry"]),
        options["exactly"],
        _words(options["even"]),
        None if spread is None else parse_spread(spread),
        _percent(options["reach_even"]),
        control,
    )


def _words(values: tuple[str, ...]) -> list[str]:
    """The words of an option that may be repeated or have several with commas."""
    words = [word.strip() for value in values for word in value.split(",")]
    return list(dict.fromkeys(word for word in words if word))


def _percent(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        percent = float(text.rstrip("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise UsageError(f"--reach-even {text}: expected a percentage from 0 to 100")
    return percent


def _outline(size: str | None, argument: str | None) -> Any:
    from litstool.grid import Outline

    if argument is not None:
        if size is not None:
            raise UsageError("--size and --outline exclude each other: an outline has its size")
        source, game = games.load(argument)
        if game.game != games.LITS:
            raise UsageError("only Battle of LITS has patterns", source.name)
        tell_left_aside(source, game, "outline", *(["supply"] * (game.supply != FULL_SUPPLY)))
        return game.pattern.outline
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX×*]\s*(\d{1,3})\s*", size or "10x10")
    if match is None:
        raise UsageError(f"--size {size}: expected rows x columns, such as 10x10")
    return Outline(int(match[1]), int(match[2]))
