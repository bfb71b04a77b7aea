"""``litstool board``: the analysis board, in the browser, on this machine."""

from __future__ import annotations

import os
import sys

import click

from litstool import games
from litstool.cli.common import complete_position, subcommand
from litstool.errors import UsageError
from litstool.terminal.printing import YES, note, print_json


@subcommand("board")
@click.argument("argument", metavar="[POSITION]", required=False, shell_complete=complete_position)
@click.option("--port", type=click.IntRange(1, 65535), metavar="N", help="Listen on this port.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
    help="Listen on this address.  Any other than this machine's own lets others in.",
)  # fmt: skip
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def command(
    argument: str | None, port: int | None, host: str, no_browser: bool, as_json: bool
) -> int:
    """Open the analysis board in the browser: play, analyse, set up, ask, solve puzzles.

    The page comes from a small server on this machine, which nobody else can reach and which asks
    no other host for anything.  It runs until Ctrl-C.  POSITION is what the board shows at first.
    It needs the extra "board": pip install 'litstool[board]'.

    \b
    Examples:
      litstool board
      litstool board game.yaml
      litstool board 'mijnlieff 4/4/4/4' --no-browser

    Exit status: 0 ended with Ctrl-C.
    """
    first = None
    if argument is not None:
        source = games.find(argument)
        games.read(source)
        first = source.text
    try:
        from litstool.board import serve
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in _OF_THE_EXTRA:
            raise
        raise UsageError(f"the board needs {missing}: pip install 'litstool[board]'") from None
    listening = serve.bound(host, port)
    if host not in ("127.0.0.1", "::1", "localhost"):
        note(f"warning: {host} lets other machines in; whoever has the whole address can use it")
    served = serve.Served(listening, first)

    def on_start() -> None:
        if as_json:
            print_json({"address": served.address, "port": served.port})
        else:
            click.echo(f"The board is at {served.address}")
            click.echo("Ctrl-C ends it.")
        sys.stdout.flush()
        if not no_browser:
            served.open_browser()

    ended = served.run(on_start)
    if not as_json:
        click.echo("The board has ended.")
    if not ended:
        # Not to wait for a thread that compiles.
        sys.stdout.flush()
        os._exit(YES)
    return YES


_OF_THE_EXTRA = ("starlette", "uvicorn", "websockets", "anyio", "h11")
