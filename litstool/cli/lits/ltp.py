"""``litstool ltp``: the engine over standard input and output."""

from __future__ import annotations

import sys
import textwrap
from typing import BinaryIO

import click

from litstool import __version__
from litstool.cli.common import CONTEXT, SEED
from litstool.errors import UsageError
from litstool.lits.protocol import ABOUT, COMMANDS, Engine
from litstool.search.control import Control
from litstool.terminal.printing import INTERRUPTED, YES, announce_compiling

_COLUMN = max(len(command.form) for command in COMMANDS.values()) + 2


def _commands() -> str:
    """The commands of the protocol in two columns."""
    return "\n".join(
        textwrap.fill(
            f"{command.form:<{_COLUMN}}{command.meaning}", 74, initial_indent="  ",
            subsequent_indent=" " * (_COLUMN + 2), break_on_hyphens=False,
        )
        for command in COMMANDS.values()
    )  # fmt: skip


_ABOUT = f"""Speak LTP, as LITS programs do: a command a line in, its answer and then "ok" out.

\b
Commands:
{_commands()}

{ABOUT}

\b
Example:
  printf 'newgame boxes\\nbestmove time 00:00:02\\nquit\\n' | litstool ltp
"""


@click.command("ltp", context_settings=CONTEXT, help=_ABOUT)
@click.option("--seed", type=SEED, default=0, help="Seed of the search.", show_default=True)
@click.option(
    "--no-swap", is_flag=True, help="Without the pie rule, for programs that do not know it."
)
@click.option("--json", "as_json", is_flag=True, hidden=True)
@click.option("--no-color", is_flag=True, hidden=True)
def command(seed: int, no_swap: bool, as_json: bool, no_color: bool) -> int:
    whole = click.get_current_context().find_root()
    if as_json or whole.params.get("as_json"):
        raise UsageError("ltp has a form of answer of its own; --json does not go with it")
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    engine = Engine(__version__, seed, swaps=not no_swap, on_compile=announce_compiling)
    for answer in engine.run(_unlocked(sys.stdin.buffer)):
        for line in answer:
            click.echo(line)
        if sys.stdout is not None:
            sys.stdout.flush()
        if Control().interrupted:
            return INTERRUPTED
    return YES


def _unlocked(stream: BinaryIO) -> BinaryIO:
    """The same input, for a thread that may still wait for it when the program ends.

    The interpreter fails where it then finds a standard stream of its own in use.
    """
    try:
        return open(stream.fileno(), "rb", closefd=False)
    except OSError:
        return stream
