"""``litstool play``: a game in the terminal."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import click

from litstool import games
from litstool.cli.common import (
    SEED,
    ascii_option,
    complete_position,
    positive,
    subcommand,
)
from litstool.errors import UsageError
from litstool.files.reading import exists
from litstool.game import SEATS
from litstool.say import table as words
from litstool.tasks.play import ENGINE, LEVELS, PERSON, Table, check_place
from litstool.terminal.game import converse
from litstool.terminal.keyboard import line_reader

DEFAULT_BOARD = "boxes"


@subcommand("play")
@ascii_option
@click.argument(
    "argument", metavar="[POSITION]", default=DEFAULT_BOARD, shell_complete=complete_position
)
@click.option(
    "--engine",
    "engine_seat",
    type=click.Choice([*SEATS, "both", "none"]),
    default="second",
    show_default=True,
    help="Which player the engine is; none for two people.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="strong",
    show_default=True,
    help="random: any move; greedy: most points at once; quick: 0.2 s; strong: --time.",
)
@click.option(
    "--time",
    "seconds",
    type=float,
    default=2.0,
    show_default=True,
    callback=positive,
    metavar="S",
    help="Seconds the engine may think about a move.",
)
@click.option(
    "--save",
    "path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Keep the game in FILE (.yaml or .json) after every move: a new one, or this game's.",
)
@click.option("--seed", type=SEED, help="Make the engine's choices repeatable.")
def command(
    argument: str,
    engine_seat: str,
    level: str,
    seconds: float,
    path: Path | None,
    seed: int | None,
    as_json: bool,
) -> int:
    """Play a game against the engine or another person, in the terminal.

    POSITION is where to begin: a standard board (boxes if left out), a game to go on with, or any
    position of Battle of LITS or Mijnlieff.  A move is typed in the notation or as its four cells;
    "help" lists the commands.  The first player has X until the pie rule's swap.

    Nothing is lost on Ctrl-C, at the end of the input, or whatever else ends the game: it is
    written to the --save file, or to a new file of the current folder (if that cannot be, at home
    or among the temporary files), and the command to go on with it is printed.

    \b
    Examples:
      litstool play
      litstool play stripes --engine first --level quick
      litstool play monogram --engine none --save evening.yaml
      litstool play evening.yaml --time 10

    With --json the conversation is on standard error, and the game is printed at the end.
    """
    source, record = games.load(argument)
    games.legal_position(source, record)
    if path is not None:
        _check_place(path, argument)
    seats = {"both": SEATS, "none": ()}.get(engine_seat, (engine_seat,))
    players = {seat: ENGINE if seat in seats else PERSON for seat in SEATS}
    chosen = int(time.time()) if seed is None else seed
    table = Table(record, players, level, seconds, chosen)
    return converse(table, path, as_json, line_reader(partial(words.completions, table)))


def _check_place(path: Path, argument: str) -> None:
    """See before the game that it can be kept in a file, and that nothing else is lost by it.

    :raises UsageError: another game or anything else is there.
    :raises WriteError: nothing can be written there.
    """
    if exists(path) and not (exists(argument) and path.samefile(argument)):
        raise UsageError(
            f"--save {path}: the file is there already; give a new name, or go on with that game: "
            f"litstool play {path} --save {path}"
        )
    check_place(path)
