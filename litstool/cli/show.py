"""``litstool show``: the board, scores, supply, side to move and result."""

from __future__ import annotations

from typing import Any

import click

from litstool import games
from litstool.cli.common import (
    NO,
    YES,
    complete_file,
    complete_from,
    load_at,
    note,
    ply_option,
    position_argument,
    positive,
    print_json,
    subcommand,
)
from litstool.cli.screen import ascii_option, drawn
from litstool.errors import UsageError


@subcommand("show")
@ascii_option
@position_argument
@ply_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write a picture (.svg, .png) or a page (.html; of a game, one to step through).",
)
@click.option("--numbers", is_flag=True, help="Number the pieces by the move that placed them.")
@click.option(
    "--heat",
    metavar="MAP",
    shell_complete=complete_from("moves", "gain"),
    help="Numbers in the open cells: moves (how many legal moves cover the cell) or gain (the "
    "best gain of one that does); of Battle of LITS.",
)
@click.option(
    "--scale",
    type=float,
    callback=positive,
    metavar="F",
    help="Size of a .png: F pixels to a unit, 40 units to a cell (default 2).",
)
def command(
    argument: str,
    ply: int | None,
    output: str | None,
    numbers: bool,
    heat: str | None,
    scale: float | None,
    as_json: bool,
) -> int:
    """Draw POSITION with the scores, the supply, the side to move and the result.

    Pieces are joined areas with their letter.  Symbols in brackets, such as [X], are safe: no
    piece can ever cover them.

    \b
    Examples:
      litstool show boxes
      litstool show game.yaml --ply 6
      litstool show game.yaml --numbers -o final.png
      litstool show game.yaml -o game.html
      litstool show game.yaml --ply 4 --heat gain
      litstool show '4OO4/10/10/10/10/10/10/10/10/10'
    """
    if output is not None:
        from litstool.draw import output as files
        from litstool.files import check_ending
        from litstool.writing import check_outputs

        ending = check_ending(output, files.ENDINGS)
    if scale is not None and (output is None or ending != ".png"):
        raise UsageError("--scale is for pictures in pixels: give -o a name that ends in .png")
    source, game = load_at(argument, ply)
    if output is not None:
        check_outputs({"-o": output}, source.files)
    violations = game.violations()
    drawing = games.drawing(game.game)
    style = _style(drawing, game.game, numbers, heat)
    picture = drawing.picture(game, violations, **style)
    if output is not None:
        review = None
        if ending == ".html" and game.moves:
            from litstool.draw.reviewed import record

            review = record(game, drawing, **style)
        files.write(output, picture, review=review, scale=scale)
        note(f"wrote {output}")
    if as_json:
        print_json(_document(game, violations))
    elif output is None:
        for line in drawn(picture):
            click.echo(line)
    return NO if violations else YES


def _style(drawing: Any, game: str, numbers: bool, heat: str | None) -> dict[str, Any]:
    """The options of a game's ``picture`` that were asked for."""
    style: dict[str, Any] = {}
    if numbers:
        style["numbers"] = True
    if heat is not None:
        maps = getattr(drawing, "HEATS", {})
        if not maps:
            raise UsageError(f"--heat: there is no heat map of {game}")
        if heat not in maps:
            from litstool.files import nearest

            raise UsageError(f"--heat {heat}: there is no such heat map; {nearest(heat, maps)}")
        style["heat"] = heat
    return style


def _document(game: Any, violations: list[Any]) -> dict[str, Any]:
    document: dict[str, Any] = games.drawing(game.game).document(game, violations)
    document["legal"] = not violations
    document["violations"] = [each.to_json() for each in violations]
    return document
