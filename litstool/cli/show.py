"""``litstool show``: the board, scores, supply, side to move and result."""

from __future__ import annotations

from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    NO,
    YES,
    load_at,
    ply_option,
    position_argument,
    print_json,
    subcommand,
    use_color,
)


@subcommand("show")
@position_argument
@ply_option
def command(argument: str, ply: int | None, as_json: bool) -> int:
    """Draw POSITION with the scores, the supply, the side to move and the result.

    Pieces are joined areas with their letter.  Symbols in brackets, such as [X], are safe: no
    piece can ever cover them.

    \b
    Examples:
      litstool show boxes
      litstool show game.yaml --ply 6
      litstool show '4OO4/10/10/10/10/10/10/10/10/10'
    """
    _, game = load_at(argument, ply)
    violations = game.violations()
    if as_json:
        print_json(_document(game, violations))
    else:
        from litstool.draw import terminal

        drawing = games.drawing(game.game)
        for line in terminal.lines(drawing.picture(game, violations), use_color()):
            click.echo(line)
    return NO if violations else YES


def _document(game: Any, violations: list[Any]) -> dict[str, Any]:
    document: dict[str, Any] = games.drawing(game.game).document(game, violations)
    document["legal"] = not violations
    document["violations"] = [each.to_json() for each in violations]
    return document
