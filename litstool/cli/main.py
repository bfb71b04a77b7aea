"""The ``litstool`` command: finds the subcommand's file, and turns every error into one line."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import signal
import sys
import threading
from typing import Any

import click

from litstool import __version__
from litstool.cli.common import INTERRUPTED, report
from litstool.cli.screen import PLAIN_ERRORS
from litstool.errors import Interruption, LitstoolError, UsageError
from litstool.results import stop_everything

COMMANDS = {
    "show": "The board, scores, supply, side to move and result.",
    "validate": "Whether positions are legal, and every rule broken.",
    "moves": "The legal moves.",
    "solve": "Who wins, by how much, with which move, and the line of play.",
    "analyze": "The best moves of a position, or what each move of a game lost.",
    "play": "A game against the engine or another person, in the terminal.",
    "puzzle": "Endgame puzzles with one winning move.",
    "reach": "Whether legal play can lead to a position that satisfies conditions.",
    "book": "Which first moves of a standard board to swap.",
    "pattern": "The standard boards, balanced random ones, a balance report.",
    "convert": "A position or game in another notation.",
    "ltp": "The engine over standard input and output, as LITS programs speak.",
}


_NO_ANSWER = "interrupted before there was an answer"


class LazyGroup(click.Group):
    """Imports the file of a command only when that command is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"litstool.cli.{name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from litstool.files import nearest

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(
                f"there is no command {args[0]!r}; {nearest(args[0], COMMANDS)}", context
            )
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="litstool", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Rules, exact solutions and SAT answers for Battle of LITS and Mijnlieff.

    A POSITION is a file, a standard board's name (boxes, diagonals, monogram, stripes), a
    one-line position, or - for standard input.

    \b
    Begin with:
      litstool show boxes
      litstool moves boxes --sort gain
      litstool solve examples/endgame-5.yaml
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status; no error leaves as a traceback."""
    arguments = sys.argv[1:] if arguments is None else arguments
    as_json = "--json" in arguments
    try:
        status: Any = cli.main(arguments, prog_name="litstool", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except LitstoolError as error:
        return report(error, as_json)
    except click.exceptions.NoSuchOption as error:
        hint = f"; did you mean {error.possibilities[0]}?" if error.possibilities else ""
        return report(UsageError(f"there is no option {error.option_name}{hint}"), as_json)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.message)
        return 0
    except click.ClickException as error:
        text = " ".join(error.format_message().split())
        text = text[:1].lower() + text[1:].rstrip(".")
        context = getattr(error, "ctx", None)
        if context is not None:
            text += f" (see {context.command_path} --help)"
        return report(UsageError(text), as_json)
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (KeyboardInterrupt, click.Abort):
        return report(Interruption(_NO_ANSWER), as_json)
    except (BrokenPipeError, SystemExit):
        # The reader, such as head, has had enough (click itself exits then).
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return report(UsageError(f"the output cannot be written: {error.strerror}"), False)
    except RecursionError:
        return report(UsageError("the input is nested too deeply"), as_json)
    except Exception:
        if _signals:
            # A compiler that Ctrl-C has broken off says so in its own words.
            return report(Interruption(_NO_ANSWER), as_json)
        raise


def _discard_output() -> None:
    """Keep the interpreter from failing to write what is left when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())  # type: ignore[union-attr]


_signals: list[int] = []
"""The interrupts that this process was sent."""


def _on_interrupt(signum: int, frame: object) -> None:
    _signals.append(signum)
    if len(_signals) > 2:
        os._exit(INTERRUPTED)
    stop_everything()
    raise KeyboardInterrupt


def run() -> None:
    """The entry point of the installed command."""
    signal.signal(signal.SIGINT, _on_interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without a text's characters shows the nearest in ASCII instead.
            stream.reconfigure(errors=PLAIN_ERRORS)
    status = main()
    if _signals and threading.active_count() > 1:
        # Not to wait for a thread that compiles.
        with contextlib.suppress(OSError, ValueError, AttributeError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
