"""``litstool pattern``: the standard boards, balanced random ones, and a balance report."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    YES,
    group,
    note,
    position_argument,
    positive,
    print_json,
    progress_line,
    subcommand,
)
from litstool.cli.screen import ascii_option, drawn, showable
from litstool.errors import UsageError
from litstool.files import (
    DOCUMENT_ENDINGS,
    compress_rows,
    write_json,
    write_yaml,
)
from litstool.results import Control, Progress
from litstool.writing import check_outputs, make_folder, write_file


@group("pattern")
def command() -> None:
    """Standard boards, balanced random ones, and how fair a board is.

    \b
    Examples:
      litstool pattern list
      litstool pattern new --symmetry half-turn --exactly --seed 7
      litstool pattern new --even rows,columns --spread even -n 20 -o boards/
      litstool pattern check boxes -o boxes.svg
    """


seed_option = click.option(
    "--seed", type=click.IntRange(0, (1 << 62) - 1), metavar="N", help="Where chance begins."
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Play on N cores.",
)
band_option = click.option(
    "--band",
    type=float,
    default=0.05,
    show_default=True,
    metavar="D",
    help="A win rate is even within D of one half.",
)
limit_option = click.option(
    "--time-limit", type=float, callback=positive, metavar="S", help="Stop after S seconds."
)


def _check_band(band: float) -> None:
    if not 0 < band <= 0.5:
        raise UsageError(f"--band {band} is out of range: above 0, to 0.5")


# list and show


@subcommand("list")
def list_command(as_json: bool) -> None:
    """List the standard boards with their symbols and symmetries."""
    from litstool.lits.notation import pattern_named, pattern_names
    from litstool.lits.pattern.symmetry import exchange_names, self_names

    entries = []
    for name in pattern_names():
        pattern = pattern_named(name)
        assert pattern is not None
        entries.append(
            {
                "name": name,
                "rows": pattern.outline.rows,
                "columns": pattern.outline.columns,
                "symbols": {side: pattern.count(side) for side in "XO"},
                "symmetries": exchange_names(pattern),
                "self_symmetries": self_names(pattern),
            }
        )
    if as_json:
        print_json({"patterns": entries})
        return
    for entry in entries:
        symbols = entry["symbols"]
        assert isinstance(symbols, dict)
        names = entry["symmetries"]
        assert isinstance(names, list)
        click.echo(
            f"{entry['name']:<10} {entry['rows']} x {entry['columns']}   "
            f"X {symbols['X']}, O {symbols['O']}   exchanged by {', '.join(names) or 'nothing'}"
        )


@subcommand("show")
@ascii_option
@position_argument
def show_command(argument: str, as_json: bool) -> None:
    """Draw the symbols of a board, with their numbers and symmetries."""
    from litstool.draw import balance
    from litstool.lits.pattern.report import report_on

    pattern, name = _load(argument)
    report = report_on(pattern, name)
    if as_json:
        document = report.to_json()
        document["self_symmetries"] = document["metrics"]["self_symmetries"]
        del document["metrics"]
        print_json(document)
        return
    drawing = balance.picture(pattern, name, balance.facts(report))
    for line in drawn(drawing):
        click.echo(line)


def _load(argument: str) -> tuple[Any, str | None]:
    """The pattern that an argument names and its name."""
    source, game = games.load(argument)
    if game.game != games.LITS:
        raise UsageError("only Battle of LITS has patterns", source.name)
    if game.pattern.unknown:
        raise UsageError(
            "the symbols under the pieces are not known; give the board without pieces",
            source.name,
        )
    if game.all_pieces:
        note("note: the pieces on the board are left aside")
    return game.pattern, game.name


# check


@subcommand("check")
@ascii_option
@position_argument
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
@seed_option
@threads_option
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="A PNG or SVG picture."
)
def check_command(
    argument: str,
    number: int,
    strong_games: int,
    first_move_games: int,
    no_play: bool,
    band: float,
    seed: int | None,
    threads: int,
    output: Path | None,
    as_json: bool,
) -> int:
    """Report how fair a board is, and why.

    Symmetries; balance by row, column, quadrant and ring; clumping; exposure of the symbols;
    results of random, greedy and strong play (greedy, then perfect endgames); and how many first
    moves leave even chances, which is what counts under the pie rule.

    \b
    Examples:
      litstool pattern check boxes
      litstool pattern check board.txt --no-play --json
      litstool pattern check monogram --first-move-games 2000 -o monogram.png
    """
    from litstool.draw import balance
    from litstool.lits.pattern.report import report_on

    _check_band(band)
    if output is not None:
        from litstool.draw import balance_picture

        balance_picture.check(output)
        check_outputs({"-o": output}, [argument])
    pattern, name = _load(argument)
    play = None
    control = Control()
    if not no_play:
        from litstool.lits.pattern.measure import measure

        policies = {"random": number, "greedy": number, "strong": strong_games}
        with progress_line(lambda progress: f"playing {progress.best}") as on_progress:
            control.on_progress = on_progress
            play = measure(pattern, policies, first_move_games, seed or 0, band, control, threads)
    report = report_on(pattern, name, play)
    if output is not None:
        balance_picture.write(report, output)
    if as_json:
        print_json(report.to_json())
    else:
        drawing = balance.picture(pattern, name, balance.facts(report))
        for line in [*drawn(drawing), "", *map(showable, balance.lines(report))]:
            click.echo(line)
    if output is not None:
        note(f"wrote {output}")
    if control.interrupted:
        note("stopped early: what was played by then is shown")
        return INTERRUPTED
    return YES


# new


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
    help="A folder (ends with /), the beginning of files' names, or one .yaml, .json or .txt file.",
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
      litstool pattern new --fair --time-limit 60

    Exit status: 0 done, 1 no board is like that (proved by SAT), 3 neither found nor disproved,
    130 interrupted (the boards made so far are printed).
    """
    return _New(**options).run()


class _New:
    """One call of ``pattern new``."""

    def __init__(self, *, as_json: bool, seed: int | None, **options: Any) -> None:
        from litstool.lits.pattern.sample import Sampler

        self.options = options
        self.as_json = as_json
        self.given_seed = seed is not None
        self.seed = seed if seed is not None else int.from_bytes(os.urandom(4), "big")
        self.sampler = Sampler(_recipe(options), options["time_limit"] or 60)
        _check_band(options["band"])
        if not 0 < options["within"] <= 0.5:
            raise UsageError(f"--within {options['within']} is out of range: above 0, to 0.5")
        output = options["output"]
        self.place = (
            None if output is None else _Place(output, options["number"], options["outline"])
        )
        self.control = Control(options["time_limit"])
        self.started = time.monotonic()

    def run(self) -> int:
        number = self.options["number"]
        boards: list[dict[str, Any]] = []
        try:
            with progress_line(self._progress) as on_progress:
                self.control.on_progress = on_progress
                for index in range(number):
                    boards.append(self._board(index))
                    if self.control.interrupted:
                        break
                    on_progress(Progress(index + 1, number, 0, 0.0))
        except KeyboardInterrupt:
            self.control.stop()
        self._write(boards)
        if self.control.interrupted:
            note(f"interrupted after {len(boards)} of {number} boards")
            return INTERRUPTED
        return YES

    def _progress(self, progress: Progress) -> str:
        if progress.best is None:
            return f"{progress.done:,} of {progress.total:,} boards"
        return (
            f"generation {progress.nodes}, {progress.done:,} of {progress.total:,} games, "
            f"best so far: {progress.best}"
        )

    def _board(self, index: int) -> dict[str, Any]:
        if self.options["fair"] is None:
            pattern = self.sampler.board(self.seed, index)
            return self._entry(index, pattern)
        from litstool.lits.pattern import fair

        control = Control(self._time_for(index), self.control.on_progress)
        search = fair.FairSearch(
            self.sampler,
            self.options["fair"],
            self.seed,
            index,
            self.options["effort"] or fair.EFFORT,
            self.options["within"],
            self.options["band"],
            self.options["threads"],
            control,
        )
        found = search.run()
        if control.interrupted:
            self.control.stop()
        return {**self._entry(index, found.pattern), "fair": found.to_json()}

    def _time_for(self, index: int) -> float | None:
        limit: float | None = self.options["time_limit"]
        if limit is None:
            return None
        left = limit - (time.monotonic() - self.started)
        return max(0.0, left) / int(self.options["number"] - index)

    def _entry(self, index: int, pattern: Any) -> dict[str, Any]:
        from litstool.lits.pattern.symmetry import exchange_names

        rows = list(pattern.rows())
        return {
            "name": f"board {index + 1} of seed {self.seed}",
            "pattern": rows,
            "line": f"{compress_rows(rows)} X",
            "symbols": {side: pattern.count(side) for side in "XO"},
            "symmetries": exchange_names(pattern),
        }

    def _write(self, boards: list[dict[str, Any]]) -> None:
        document = self._document(boards)
        if self.place is not None:
            note(f"wrote {self.place.write(boards, document)}")
        if self.as_json:
            print_json(document)
        elif self.place is None and len(boards) == 1:
            click.echo(_text(boards[0]), nl=False)
        elif self.place is None:
            for board in boards:
                click.echo(board["line"])
        if not self.given_seed:
            note(f"seed {self.seed}")
        note(f"sampling: {document['sampling']}")
        for board in boards:
            if "fair" in board:
                note(f"{board['name']}: {_fair_text(board['fair'])}")

    def _document(self, boards: list[dict[str, Any]]) -> dict[str, Any]:
        sampling = self.sampler.sampling
        if self.options["fair"] is not None:
            sampling = f"a search for fair play, from boards of which {sampling}"
        from litstool.lits.pattern.sample import describe

        return {
            "seed": self.seed,
            "recipe": describe(self.sampler.recipe),
            "sampling": sampling,
            "boards": boards,
        }


def _recipe(options: dict[str, Any]) -> Any:
    from litstool.lits.pattern.recipe import make_recipe, parse_spread

    symbols, x, o = options["symbols"], options["x_count"], options["o_count"]
    if symbols is not None and (x is not None or o is not None):
        raise UsageError("--symbols gives both numbers; leave out --x and --o")
    if (x is None) != (o is None):
        raise UsageError("--x and --o go together; --symbols gives both the same number")
    spread = options["spread"]
    return make_recipe(
        _outline(options["size"], options["outline"]),
        symbols if x is None else x,
        symbols if o is None else o,
        _words(options["symmetry"]),
        options["exactly"],
        _words(options["even"]),
        None if spread is None else parse_spread(spread),
        _percent(options["reach_even"]),
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
        return game.pattern.outline
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX×*]\s*(\d{1,3})\s*", size or "10x10")
    if match is None:
        raise UsageError(f"--size {size}: expected rows x columns, such as 10x10")
    return Outline(int(match[1]), int(match[2]))


def _text(board: dict[str, Any]) -> str:
    return "\n".join([f"name: {board['name']}", *board["pattern"]]) + "\n"


def _fair_text(fair: dict[str, Any]) -> str:
    value = f"{100 * fair['value']:.1f} %"
    if fair["measure"] == "win-rate":
        low, high = fair["interval"]
        value = f"X wins {value} ({100 * low:.1f} % to {100 * high:.1f} %) of greedy games"
    else:
        value = f"{value} of the first moves are even"
    ends = {
        "reached": "near enough",
        "effort": "the games set for it are played",
        "exhausted": "there are no other boards near",
        "time limit": "the time is up",
        "interrupted": "interrupted",
    }
    return f"{value}; {fair['games']:,} games, search ended: {ends[fair['stopped']]}"


class _Place:
    """The place that ``-o`` names: one file, or a file for each board.

    :raises WriteError: nothing can be written there.
    """

    def __init__(self, output: str, number: int, outline: str | None) -> None:
        path = Path(output)
        self.ending = path.suffix.lower()
        if self.ending in DOCUMENT_ENDINGS or (self.ending == ".txt" and number == 1):
            self.files = [path]
        else:
            self.ending = ".txt"
            is_folder = output.endswith(("/", os.sep)) or path.is_dir()
            start = path / "board-" if is_folder else path.with_name(path.name + "-")
            digits = len(str(number))
            self.files = [Path(f"{start}{each:0{digits}}.txt") for each in range(1, number + 1)]
        make_folder(self.files[0].parent)
        for file in self.files:
            check_outputs({"-o": file}, [outline])

    def write(self, boards: list[dict[str, Any]], document: dict[str, Any]) -> str:
        """Write boards, and say where they are."""
        if self.ending in DOCUMENT_ENDINGS:
            write_file(self.files[0], _document_text(document, self.ending))
            return str(self.files[0])
        for file, board in zip(self.files, boards, strict=False):
            write_file(file, _text(board))
        if not boards:
            return "nothing"
        last = f" to {self.files[len(boards) - 1]}" if len(boards) > 1 else ""
        return f"{self.files[0]}{last}"


def _document_text(document: dict[str, Any], suffix: str) -> str:
    if suffix == ".json":
        return write_json(document) + "\n"
    boards = [
        {
            **{key: value for key, value in board.items() if key != "line"},
            "pattern": "\n".join(board["pattern"]) + "\n",
        }
        for board in document["boards"]
    ]
    return write_yaml({**document, "boards": boards})


for _each in (list_command, show_command, new_command, check_command):
    command.add_command(_each)
