"""``litstool ltp``: the engine over standard input and output."""

from __future__ import annotations

import sys

import click

from litstool import __version__
from litstool.cli.common import CONTEXT
from litstool.errors import UsageError

_HELP = """Speak LTP, as LITS programs do: a command a line in, its answer and then "ok" out.

    \b
    Commands:
      info                             id NAME vVERSION
      newgame [GAME]                   start from a game line or a board's name
                                       (without one: a blank board)
      play MOVE                        play a move such as L[00,01,02,10], or swap
      swap                             the pie rule's swap
      undo                             take back the last move or swap
      bestmove [depth N|time HH:MM:SS] the best move found (without a limit: 5 s)
      validmoves                       how many legal moves, then the moves
      score                            X's uncovered symbols minus O's
      pv                               the play that the last bestmove expects
      options, help                    the engine's options (none), these commands
      quit                             end

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


@click.command("ltp", context_settings=CONTEXT, help=_HELP)
@click.option("--seed", type=int, default=0, help="Seed of the search.", show_default=True)
@click.option("--json", "as_json", is_flag=True, hidden=True)
@click.option("--no-color", is_flag=True, hidden=True)
def command(seed: int, as_json: bool, no_color: bool) -> int:
    from litstool.lits.protocol import Engine

    if as_json:
        raise UsageError("ltp has a form of answer of its own; --json does not go with it")
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    engine = Engine(__version__, seed)
    # Not "for line in sys.stdin": it may wait for more than a line.
    for answer in engine.run(iter(sys.stdin.readline, "")):
        for line in answer:
            click.echo(line)
        sys.stdout.flush()
    return 0
