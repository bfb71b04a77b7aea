"""The ``litstool`` command: finds the subcommand's file, and turns every error into one line."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from typing import Any

import click

from litstool import __version__
from litstool.cli.common import output_options
from litstool.errors import (
    LitstoolError,
    ReaderGone,
    SourceError,
    WriteError,
)
from litstool.search.memory import check_address_space
from litstool.terminal import signals
from litstool.terminal.faults import error_of
from litstool.terminal.printing import INTERRUPTED, report
from litstool.terminal.streams import OUTPUT, discard_output, open_streams

COMMANDS = {
    "show": "The board, scores, supply, side to move and result.",
    "validate": "Whether positions are legal, and every rule broken.",
    "moves": "The legal moves.",
    "solve": "Who wins, by how much, with which move, and the line of play.",
    "analyze": "The best moves of a position, or what each move of a game lost.",
    "play": "A game against the engine or another person, in the terminal.",
    "board": "The analysis board in the browser: play, analyse, set up, solve puzzles.",
    "puzzle": "Endgame puzzles with one winning move.",
    "reach": "Whether legal play can lead to a position that satisfies conditions.",
    "book": "Which first moves of a standard board to swap.",
    "pattern": "The standard boards, balanced random ones, a balance report.",
    "convert": "A position or game in another notation.",
    "examples": "What there is to try, and copies of it.",
    "ltp": "The engine over standard input and output, as LITS programs speak.",
}

_OF_ONE_GAME = {"book": "lits", "pattern": "lits", "ltp": "lits"}
"""The commands that serve one game alone, and whose room of commands they are in."""

_COMPILED = ("solve", "analyze", "play", "board", "puzzle", "book", "ltp")
"""The commands that run compiled code."""


def module_of(name: str) -> str:
    """The name of the module that has a command."""
    room = f"{_OF_ONE_GAME[name]}." if name in _OF_ONE_GAME else ""
    return f"litstool.cli.{room}{name}"


class LazyGroup(click.Group):
    """Imports the file of a command only when that command is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        if name in _COMPILED:
            check_address_space()
        module = importlib.import_module(module_of(name))
        command: click.Command = module.command
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from litstool.files.reading import nearest

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(
                f"there is no command {args[0]!r}; {nearest(args[0], COMMANDS)}", context
            )
        return super().resolve_command(context, args)

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except EOFError as error:
            # Said here, since click takes it for the wish to end.
            raise SourceError(f"what was read ended too early ({error})") from error

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="litstool", message="%(prog)s %(version)s")
@output_options
@click.pass_context
def cli(context: click.Context, as_json: bool, no_color: bool) -> None:
    """Rules, exact solutions and SAT answers for Battle of LITS and Mijnlieff.

    A POSITION is a file, a standard board's name (boxes, diagonals, monogram, stripes), an
    example's name, a one-line position, or - for standard input.

    \b
    Begin with:
      litstool show boxes
      litstool moves boxes --sort gain
      litstool solve endgame-5
      litstool examples
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status; no error leaves as a traceback."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        return _run(arguments)
    except BaseException as problem:
        error = error_of(problem)
        if error is None:
            raise
    try:
        return _tell(error, "--json" in arguments)
    except WriteError:
        # The place of the error's document cannot be written.
        discard_output()
        return _tell(error, False)


def _run(arguments: list[str]) -> int:
    try:
        status: Any = cli.main(arguments, prog_name="litstool", standalone_mode=False)
    except click.exceptions.Exit as exit_:
        status = exit_.exit_code
    except click.exceptions.NoArgsIsHelpError as help_:
        click.echo(help_.message)
        status = 0
    if sys.stdout is not None:
        sys.stdout.flush()
    return status if isinstance(status, int) else 0


def _tell(error: LitstoolError, as_json: bool) -> int:
    """Tell of an error; one of standard output has to be told on standard error."""
    if isinstance(error, WriteError) and error.where == OUTPUT:
        discard_output()
        as_json = False
    if isinstance(error, ReaderGone):
        discard_output()
        return error.exit_status
    return report(error, as_json)


def run() -> None:
    """The entry point of the installed command."""
    signals.listen()
    open_streams()
    status = main()
    if status == INTERRUPTED and threading.active_count() > 1:
        # Not to wait for a thread that compiles.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
