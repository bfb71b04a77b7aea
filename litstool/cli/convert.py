"""``litstool convert``: a position or game in another notation."""

from __future__ import annotations

import click

from litstool import games
from litstool.cli.common import NO, load_at, note, ply_option, position_argument, subcommand
from litstool.cli.common import print_json as print_document
from litstool.errors import LitstoolError
from litstool.files import write_json, write_yaml

TARGETS = ("text", "line", "yaml", "json", "ltp")


class _CannotCarry(LitstoolError):
    kind = "notation"
    exit_status = NO


@subcommand("convert")
@position_argument
@click.option("--to", "target", type=click.Choice(TARGETS), required=True, help="The notation.")
@ply_option
def command(argument: str, target: str, ply: int | None, as_json: bool) -> None:
    """Print POSITION in another notation.

    What the notation cannot carry is told on standard error.  ltp is the game line of the public
    engines: 100 pattern characters, then each move.

    \b
    Examples:
      litstool convert game.yaml --to line --ply 6
      litstool convert position.txt --to yaml > game.yaml
      litstool convert game.yaml --to ltp
    """
    source, game = load_at(argument, ply)
    writer = games.room(game.game, "notation")
    try:
        if target == "ltp":
            if game.game != games.LITS:
                raise LitstoolError("LTP is a notation of Battle of LITS only")
            text = writer.write_engine_line(game)
        elif target == "line":
            text = writer.write_line(game)
        elif target == "text":
            text = writer.write_text(game).rstrip("\n")
        else:
            document = writer.write_document(game)
            text = write_json(document) if target == "json" else write_yaml(document).rstrip("\n")
    except LitstoolError as error:
        raise _CannotCarry(error.message, error.where or source.name) from None
    lost = writer.losses(game, target)
    violations = game.violations()
    if as_json:
        print_document({"notation": target, "text": text, "lost": lost, "legal": not violations})
        return
    click.echo(text)
    if lost:
        note(f"note: not carried over: {'; '.join(lost)}")
    if violations:
        note(f"note: the position is not legal (see litstool validate {argument})")
