"""What the commands share: options, exit statuses, printing and progress."""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from litstool.errors import IllegalError, LitstoolError, UsageError, printable
from litstool.files.reading import Source, write_json

if TYPE_CHECKING:
    from litstool.search.control import Progress

YES, NO, UNREADABLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130

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


def legal_position(source: Source, game: Any) -> Any:
    """The position of a game.

    :raises IllegalError: it breaks the rules; the error names the source.
    """
    try:
        return game.position()
    except IllegalError as error:
        raise IllegalError(error.violations, source.name) from None


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json_text(document))


def json_text(document: Any) -> str:
    """A document as JSON that standard output can show."""
    text = write_json(document)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = write_json(document, ascii_only=True)
    return text


def report(error: LitstoolError, as_json: bool) -> int:
    """Tell the user of an error and return the exit status."""
    if as_json:
        print_json({"error": error_entry(error)})
    else:
        click.echo(f"litstool: {error}", err=True)
    return error.exit_status


def error_entry(error: LitstoolError) -> dict[str, Any]:
    """An error as JSON has it."""
    entry: dict[str, Any] = {"kind": error.kind, "message": error.message, "where": error.where}
    if isinstance(error, IllegalError):
        entry["violations"] = [each.to_json() for each in error.violations]
    return entry


def note(text: str) -> None:
    """A line on standard error, beside the result."""
    click.echo(printable(text), err=True)


def announce_compiling() -> None:
    """Say why nothing happens for some seconds: code is compiled apart by size of board."""
    note("compiling for boards of this size on this machine (some ten seconds) ...")


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


@contextmanager
def progress_line(text: Callable[[Progress], str]) -> Iterator[Callable[[Progress], None]]:
    """A line on standard error that tells how far a long computation is, after a second.

    Only on a terminal; the line goes away at the end.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    status = console.status("")
    started = time.monotonic()
    running = False

    def show(progress: Progress) -> None:
        nonlocal running
        if not running and time.monotonic() - started > 1:
            running = True
            status.start()
        # One line, with room for the ^C that the terminal writes: a line more would stay behind.
        status.update(escape(shortened(text(progress), console.width - 6)))

    try:
        yield show
    finally:
        if running:
            status.stop()


def shortened(text: str, width: int) -> str:
    """A text in one line of so many columns, at least ten; what is left out is marked."""
    width = max(10, width)
    text = " ".join(text.split())
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
