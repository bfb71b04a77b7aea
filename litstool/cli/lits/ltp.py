"""``litstool ltp``: the engine over standard input and output."""

from __future__ import annotations

import sys
import textwrap

import click

from litstool import __version__
from litstool.cli.common import CONTEXT, SEED, announce_compiling
from litstool.errors import UsageError
from litstool.lits.protocol import HELP, Engine

_COLUMN = max(len(form) for form in HELP) + 2


def _commands() -> str:
    """The commands of the protocol in two columns."""
    return "\n".join(
        textwrap.fill(
            f"{form:<{_COLUMN}}{meaning}", 74, initial_indent="  ",
            subsequent_indent=" " * (_COLUMN + 2), break_on_hyphens=False,
        )
        for form, meaning in HELP.items()
    )  # fmt: skip


_ABOUT = f"""Speak LTP, as LITS programs do: a command a line in, its answer and then "ok" out.

\b
Commands:
{_commands()}

newgame, play, swap and undo answer with the game line: the 100 characters of the pattern, then
"; " and each move, cells as row and column from 0.  An error is "err", a message and "ok", and
the game stays as it was.

After swap the symbols stay as they are and O is to move.  (One known engine turns the symbols
instead and keeps X to move.)  Any 10 x 10 pattern is accepted.  On equal scores the side that
placed the last piece wins.

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
    if as_json:
        raise UsageError("ltp has a form of answer of its own; --json does not go with it")
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    engine = Engine(__version__, seed, swaps=not no_swap, on_compile=announce_compiling)
    for answer in engine.run(sys.stdin.buffer):
        for line in answer:
            click.echo(line)
        if sys.stdout is not None:
            sys.stdout.flush()
    return 0
