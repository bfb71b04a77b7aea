"""What the commands share: options, arguments, and how a POSITION is read."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from litstool.errors import UsageError
from litstool.files.reading import Source
from litstool.terminal.printing import ASCII_WANTED

if TYPE_CHECKING:
    pass

SEED = click.IntRange(0, (1 << 62) - 1)
"""The numbers that chance may begin from, the same for every command."""

CONTEXT = {"help_option_names": ["-h", "--help"]}


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command, which may also stand before the command's name."""
    for option in (
        click.option("--no-color", is_flag=True, help="Print without colour."),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
    ):
        function = option(function)
    return function


def subcommand(name: str, **settings: Any) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the options that every command has: ``--json`` and ``--no-color``."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def run(*args: Any, as_json: bool, no_color: bool, **options: Any) -> Any:
            context: click.Context | None = click.get_current_context().parent
            while context is not None:
                as_json |= context.params.get("as_json", False)
                no_color |= context.params.get("no_color", False)
                context = context.parent
            if no_color:
                os.environ["NO_COLOR"] = "1"
            return function(*args, as_json=as_json, **options)

        made: click.Command = click.command(name, context_settings=CONTEXT, **settings)(  # type: ignore[no-untyped-call]
            output_options(run)
        )
        return made

    return decorate


def group(name: str) -> Callable[[Callable[[], None]], click.Group]:
    """A command that has commands, with the options that these have."""

    def decorate(function: Callable[[], None]) -> click.Group:
        @functools.wraps(function)
        def run(**options: Any) -> None:
            function()

        return click.group(name, context_settings=CONTEXT)(output_options(run))

    return decorate


def complete_position(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What the shell offers for a POSITION: the standard boards that fit, else files."""
    boards = complete_board(context, parameter, incomplete) if incomplete else []
    return boards or complete_file(context, parameter, incomplete)


def complete_board(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The standard boards."""
    from litstool import games

    return [CompletionItem(name) for name in games.boards() if name.startswith(incomplete)]


def complete_file(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Files: left to the shell."""
    return [CompletionItem(incomplete, type="file")]


def complete_from(*words: str) -> Callable[..., list[CompletionItem]]:
    """The words of a list that fit, for an option that says more of a wrong word than click."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]

    return complete


position_argument = click.argument("argument", metavar="POSITION", shell_complete=complete_position)

ply_option = click.option(
    "--ply", type=int, metavar="N", help="Take the position after N moves of a game."
)


def load_at(argument: str, ply: int | None) -> tuple[Source, Any]:
    """The game that a POSITION argument names, cut at ``--ply``.

    :raises LitstoolError: it cannot be read, or has not so many moves.
    """
    from litstool import games

    source, game = games.load(argument)
    return source, game.at(ply)


def positive(context: click.Context, parameter: click.Parameter, value: float | None) -> Any:
    """A click callback: the number must be above 0 and finite."""
    if value is not None and not 0 < value < float("inf"):
        raise UsageError(
            f"{parameter.opts[-1]} {value} is out of range: it should be a finite number above 0"
        )
    return value


time_limit_option = click.option(
    "--time-limit", type=float, callback=positive, metavar="S", help="Stop after S seconds."
)


def threads_option(meaning: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option ``--threads``: what so many of them do."""
    return click.option(
        "--threads",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        metavar="N",
        help=meaning,
    )


def _remember_ascii(context: click.Context, parameter: click.Parameter, value: bool) -> None:
    context.meta[ASCII_WANTED] = value


ascii_option = click.option(
    "--ascii",
    is_flag=True,
    expose_value=False,
    callback=_remember_ascii,
    help="Draw with ASCII characters alone.",
)

positions_argument = click.argument(
    "arguments", metavar="POSITION...", nargs=-1, required=True, shell_complete=complete_position
)
json_lines_option = click.option(
    "--jsonl",
    "as_json_lines",
    is_flag=True,
    help="Print a JSON line for each position, as it is done.",
)
