"""``litstool pattern new``: random boards that are balanced in the ways asked for."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import click

from litstool import games
from litstool.cli.common import subcommand, time_limit_option
from litstool.cli.lits.pattern_common import (
    band_option,
    seed_option,
    tell_left_aside,
    threads_option,
)
from litstool.errors import UsageError
from litstool.files.numbered import Place
from litstool.files.reading import DOCUMENT_ENDINGS
from litstool.files.writing import write_file
from litstool.lits.board import FULL_SUPPLY
from litstool.lits.game import Game
from litstool.search.control import Control
from litstool.terminal.printing import (
    INTERRUPTED,
    UNDECIDED,
    YES,
    announce_compiling,
    note,
    print_json,
)
from litstool.terminal.progress import progress_line

if TYPE_CHECKING:
    from litstool.grid import Outline
    from litstool.lits.pattern.made import MadeBoard

_PICTURES = (".svg", ".png")
_ENDINGS = (".txt", *DOCUMENT_ENDINGS, *_PICTURES)


def _words(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> Any:
    """The words of an option that may be repeated or have several with commas."""
    words = [word.strip() for value in values for word in value.split(",")]
    return list(dict.fromkeys(word for word in words if word))


def _percent(context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    if text is None:
        return None
    try:
        percent = float(text.rstrip("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise UsageError(f"--reach-even {text}: expected a percentage from 0 to 100")
    return percent


def _spread(context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    from litstool.lits.pattern.recipe import parse_spread

    return None if text is None else parse_spread(text)


def _within(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not 0 < value <= 0.5:
        raise UsageError(f"--within {value} is out of range: above 0, to 0.5")
    return value


@subcommand("new")
@click.option("--size", default=None, metavar="RxC", help="Rows x columns.  [default: 10x10]")
@click.option("--outline", metavar="POSITION", help="The outline of this board, holes included.")
@click.option("--symbols", type=int, metavar="N", help="X and O each.  [default: 30 % of cells]")
@click.option("--x", "x_count", type=int, metavar="N", help="How many X.")
@click.option("--o", "o_count", type=int, metavar="N", help="How many O.")
@click.option(
    "--symmetry", multiple=True, callback=_words, metavar="NAMES",
    help="X and O are exchanged by: half-turn, quarter-turn, mirror-lr, mirror-ud, diagonal, "
    "antidiagonal; several with commas.",
)  # fmt: skip
@click.option("--exactly", is_flag=True, help="No symmetry beyond those that follow from these.")
@click.option(
    "--even", multiple=True, callback=_words, metavar="AREAS",
    help="As many X as O in each of: rows, columns, quadrants; several with commas.",
)  # fmt: skip
@click.option(
    "--spread", callback=_spread, metavar="LIMITS",
    help="How like symbols stand: even, apart, clumped, or LOW,HIGH for the z value of like joins.",
)  # fmt: skip
@click.option(
    "--reach-even", is_flag=False, flag_value="1", callback=_percent, metavar="[PERCENT]",
    help="X and O equally exposed, to so many percent (1).",
)  # fmt: skip
@click.option(
    "--fair", is_flag=False, flag_value="first-moves", metavar="[MEASURE]",
    help="Search for fair play: first-moves (many even ones) or win-rate (X's near one half).",
)  # fmt: skip
@click.option(
    "--within", type=float, default=0.01, show_default=True, callback=_within, metavar="D",
    help="With --fair win-rate: near enough.",
)  # fmt: skip
@band_option
@click.option(
    "--effort", type=click.IntRange(10_000), metavar="GAMES",
    help="Games that a --fair search plays for a board.  [default: 8000000]",
)  # fmt: skip
@time_limit_option
@threads_option
@seed_option
@click.option(
    "-n", "--number", type=click.IntRange(1, 1_000_000), default=1, show_default=True, metavar="N",
    help="How many boards.",
)  # fmt: skip
@click.option(
    "-o", "--output", metavar="PLACE",
    help="A folder (ends with /) or a file: .txt, .yaml, .json, .svg or .png; several boards are "
    "numbered before the ending.",
)  # fmt: skip
def new_command(
    size: str | None,
    outline: str | None,
    fair: str | None,
    within: float,
    band: float,
    effort: int | None,
    time_limit: float | None,
    threads: int,
    seed: int | None,
    number: int,
    output: str | None,
    as_json: bool,
    **limits: Any,
) -> int:
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
    from litstool.lits.pattern import made
    from litstool.lits.pattern.recipe import UndecidedError, make_recipe
    from litstool.lits.pattern.sample import Sampler
    from litstool.say.lits import made as say

    control = Control(time_limit)
    place = None if output is None else Place.named(output, number, "board", _ENDINGS)
    cells = _outline(size, outline)
    if place is not None:
        place.prepare(outline)
    x, o = _symbols(limits["symbols"], limits["x_count"], limits["o_count"])
    settings = None if fair is None else made.FairSettings(fair, within, band, effort, threads)
    start = seed if seed is not None else int.from_bytes(os.urandom(4), "big")
    boards: list[MadeBoard] = []
    shown: list[Any] = []
    """How the boards are printed, worked out as they are made: that takes time too."""
    try:
        plays = settings is not None or limits["reach_even"] is not None
        made.prepare(cells, plays, control, announce_compiling)
        recipe = make_recipe(
            cells, x, o, limits["symmetry"], limits["exactly"], limits["even"], limits["spread"],
            limits["reach_even"], control,
        )  # fmt: skip
        sampler = Sampler(recipe, control)
        with progress_line(say.progress) as control.on_progress:
            for board in made.make(sampler, start, number, settings, control):
                if place is not None:
                    _write(board, place)
                if as_json:
                    shown.append(say.document(board))
                elif place is None:
                    shown.append(say.grid(board) if number == 1 else say.line(board) + "\n")
                boards.append(board)
    except KeyboardInterrupt:
        control.stop()
    except UndecidedError:
        if not boards:
            raise
    if not boards:
        raise KeyboardInterrupt
    if place is not None:
        last = f" to {place.file(len(boards))}" if len(boards) > 1 else ""
        note(f"wrote {place.file(1)}{last}")
    if as_json:
        print_json(say.documents(shown, sampler, start, settings is not None))
    elif place is None:
        click.echo("".join(shown), nl=False)
    if seed is None:
        note(f"seed {start}")
    note(f"sampling: {say.sampling(sampler, settings is not None)}")
    for board in boards:
        if board.fair is not None:
            note(f"{board.name}: {say.fair(board.fair)}")
    return _ending(boards, number, control)


def _ending(boards: list[MadeBoard], number: int, control: Control) -> int:
    """The exit status, and a word on what is missing."""
    made = f"{len(boards):,} of {number:,} boards"
    if control.interrupted:
        note(f"interrupted after {made}")
        return INTERRUPTED
    if len(boards) < number:
        note(f"the time was up after {made}")
        return UNDECIDED
    if any(board.fair is not None and board.fair.value is None for board in boards):
        note("the time was up before it was measured how fair the board plays")
        return UNDECIDED
    return YES


def _write(board: MadeBoard, place: Place) -> None:
    from litstool.say.lits.made import file_text

    file = place.file(board.number)
    if place.ending in _PICTURES:
        from litstool.draw.lits.balance import write_board

        write_board(board.pattern, board.name, file)
    else:
        write_file(file, file_text(board, place.ending))


def _symbols(both: int | None, x: int | None, o: int | None) -> tuple[int | None, int | None]:
    """How many X and O; None for the usual numbers."""
    if both is not None and (x is not None or o is not None):
        raise UsageError("--symbols gives both numbers; leave out --x and --o")
    if (x is None) != (o is None):
        raise UsageError("--x and --o go together; --symbols gives both the same number")
    return (both, both) if x is None else (x, o)


def _outline(size: str | None, argument: str | None) -> Outline:
    from litstool.grid import Outline

    if argument is not None:
        if size is not None:
            raise UsageError("--size and --outline exclude each other: an outline has its size")
        source, game = games.load(argument)
        if not isinstance(game, Game):
            raise UsageError("only Battle of LITS has patterns", source.name)
        tell_left_aside(source, game, "outline", *(["supply"] * (game.supply != FULL_SUPPLY)))
        found: Outline = game.pattern.outline
        return found
    match = re.fullmatch(r"\s*(\d{1,3})\s*[xX×*]\s*(\d{1,3})\s*", size or "10x10")
    if match is None:
        raise UsageError(f"--size {size}: expected rows x columns, such as 10x10")
    return Outline(int(match[1]), int(match[2]))
