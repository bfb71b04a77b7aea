"""``litstool validate``: legal or not, and every rule broken."""

from __future__ import annotations

from typing import Any

import click

from litstool import games
from litstool.cli.common import NO, UNREADABLE, YES, complete_position, note, print_json, subcommand
from litstool.errors import LitstoolError
from litstool.grid import names
from litstool.say.results import won


@subcommand("validate")
@click.argument(
    "arguments", metavar="POSITION...", nargs=-1, required=True, shell_complete=complete_position
)
def command(arguments: tuple[str, ...], as_json: bool) -> int:
    """Say whether each POSITION is legal, and name every rule that it breaks.

    \b
    Examples:
      litstool validate game.yaml
      litstool validate examples/illegal/*
      litstool validate 'T3/TTL1/T1L1/IIII'

    Exit status: 0 all legal, 1 one is not, 2 one cannot be read.
    """
    status = YES
    results = []
    for argument in arguments:
        try:
            entry = _judge(argument, as_json)
            if not entry["legal"]:
                status = max(status, NO)
        except LitstoolError as error:
            status = UNREADABLE
            if len(arguments) == 1 and as_json:
                raise
            entry = {
                "source": argument,
                "error": {"kind": error.kind, "message": error.message, "where": error.where},
            }
            if not as_json:
                note(f"litstool: {error}")
        results.append(entry)
    if as_json:
        print_json({"results": results})
    return status


def _judge(argument: str, as_json: bool) -> dict[str, Any]:
    source, game = games.load(argument)
    violations = game.violations()
    position = game.position_as_written()
    entry = {
        "source": argument,
        "legal": not violations,
        "violations": [each.to_json() for each in violations],
        "pieces": len(game.all_pieces),
        "to_move": position.to_move,
        "finished": position.is_finished,
    }
    if not as_json:
        count = entry["pieces"]
        state = (
            f"finished, {won(str(position.winner), position.margin)}"
            if position.is_finished
            else f"{position.to_move} to move"
        )
        verdict = "legal" if not violations else "not legal"
        click.echo(f"{source.name}: {verdict}, {count} piece{'s' * (count != 1)}, {state}")
        for each in violations:
            cells = f" [{names(each.cells)}]" if each.cells else ""
            click.echo(f"  {each.rule}: {each.message}{cells}")
    return entry
