"""``litstool play``: a game in the terminal."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click

from litstool import games
from litstool.cli.common import (
    INTERRUPTED,
    SEED,
    YES,
    announce_compiling,
    complete_position,
    legal_position,
    positive,
    print_json,
    progress_line,
    subcommand,
)
from litstool.cli.keyboard import Endings, EndOfInput, line_reader
from litstool.cli.screen import ascii_option, drawn, screen_of, showable
from litstool.draw.picture import Picture
from litstool.errors import UsageError
from litstool.files.reading import exists
from litstool.game import SEATS
from litstool.say import table as words
from litstool.say.position import snapshot_of
from litstool.search.control import Control
from litstool.tasks.conversation import BoardAsked, Conversation, Event, Leave
from litstool.tasks.play import ENGINE, LEVELS, PERSON, Table, check_place

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
    legal_position(source, record)
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


def converse(table: Table, path: Path | None, as_json: bool, read: Callable[[str], str]) -> int:
    """Play to the end or until the person leaves, in the terminal; the exit status.

    Whatever ends it, the game is kept.
    """
    terminal = _Terminal(table, as_json, read)
    conversation = Conversation(table, terminal, path)
    status = YES
    with Endings() as endings:
        try:
            conversation.play()
        except KeyboardInterrupt:
            status = INTERRUPTED
        except Exception:
            if not endings.heard:
                raise
            # What was broken off says so in its own words.
            status = INTERRUPTED
        finally:
            endings.deaf = True
            for event in conversation.keep():
                terminal.leave_word(words.told(event, table))
        if as_json:
            print_json(words.document(table))
    return status


class _Terminal:
    """Where the people are: a terminal, or input and output without one."""

    def __init__(self, table: Table, as_json: bool, read: Callable[[str], str]) -> None:
        self.table = table
        self.as_json = as_json
        self.read = read
        self.compiling = announce_compiling

    def ask(self) -> str:
        """What a person types."""
        try:
            return self.read(words.question(self.table))
        except EndOfInput:
            raise Leave from None

    def tell(self, event: Event) -> None:
        """Show what happens."""
        stream = sys.stderr if self.as_json else sys.stdout
        if isinstance(event, BoardAsked):
            picture = Picture.of(snapshot_of(self.table.record, []))
            for text in ("", *drawn(picture, stream), ""):
                click.echo(showable(text, stream), file=stream)
        for line in words.told(event, self.table):
            for text in _broken(line, screen_of(stream).width):
                click.echo(showable(text, stream), file=stream)

    @contextmanager
    def thinking(self) -> Iterator[Control]:
        """The control of an engine that thinks."""
        with progress_line(words.thinking) as on_progress:
            yield Control(on_progress=on_progress)

    def leave_word(self, lines: Iterable[words.Line]) -> None:
        """Print lines at the end of the game to whatever can still be written to."""
        told = list(lines)
        streams = [sys.stdout, sys.stderr]
        for stream in reversed(streams) if self.as_json else streams:
            try:
                if stream is not None:
                    for line in told:
                        click.echo(line.text, file=stream)
                    return
            except (OSError, ValueError):
                continue


def _broken(line: words.Line, width: int | None) -> list[str]:
    """A line as it is or, where the terminal is narrower, broken between its words."""
    if width is None or line.indent is None:
        return [line.text]
    return textwrap.wrap(
        line.text, max(width - 1, line.indent + 20), subsequent_indent=" " * line.indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
