"""``litstool moves``: the legal moves of a position."""

from __future__ import annotations

import click

from litstool import games
from litstool.cli.common import (
    complete_from,
    json_lines_option,
    ply_option,
    positions_argument,
    subcommand,
)
from litstool.say.moves import SORTS, listed
from litstool.search.conditions import read_cells
from litstool.terminal.many import Answer, Asked, answer_each


@subcommand("moves")
@positions_argument
@ply_option
@json_lines_option
@click.option(
    "--shape", metavar="KIND", help="Only moves with this kind of piece.",
    shell_complete=complete_from(*(kind for game in games.GAMES for kind in game.kinds)),
)  # fmt: skip
@click.option("--covers", metavar="CELLS", multiple=True, help="Only moves that cover these cells.")
@click.option("--sort", type=click.Choice(list(SORTS)), help="Order: best gain first, or by cells.")
@click.option("--count", "only_count", is_flag=True, help="Print only how many there are.")
def command(
    arguments: tuple[str, ...],
    ply: int | None,
    shape: str | None,
    covers: tuple[str, ...],
    sort: str | None,
    only_count: bool,
    as_json: bool,
    as_json_lines: bool,
) -> int:
    """List the legal moves of each POSITION with their gain for the side to move.

    The gain of a placement is the number of the opponent's symbols that it covers less the
    mover's own.  The pie rule's swap is never in the list; it is told where it is possible.

    \b
    Examples:
      litstool moves boxes --count
      litstool moves game.yaml --ply 5 --shape T --sort gain
      litstool moves position.txt --covers e5
    """

    def answer(asked: Asked) -> Answer:
        position = games.legal_position(asked.source, asked.record)
        cells = read_cells(covers, "--covers", position.outline)
        _, document, lines = listed(games.of(asked.record), position, shape, cells, sort)
        if only_count:
            document["moves"] = []
            lines = [str(document["count"])]
        return Answer(document, lines)

    return answer_each(arguments, answer, as_json=as_json, as_json_lines=as_json_lines, ply=ply)
