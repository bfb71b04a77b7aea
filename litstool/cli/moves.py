"""``litstool moves``: the legal moves of a position."""

from __future__ import annotations

import click

from litstool import games
from litstool.cli.common import (
    command,
    legal_position,
    load_at,
    ply_option,
    position_argument,
    print_json,
)
from litstool.errors import UsageError
from litstool.grid import Cell


@command("moves")
@position_argument
@ply_option
@click.option("--shape", help="Only moves with this piece: L, I, T or S; Mijnlieff: its kind.")
@click.option("--covers", metavar="CELL", multiple=True, help="Only moves that cover this cell.")
@click.option(
    "--sort", type=click.Choice(["gain", "cells"]), help="Order: best gain first, or by cells."
)
@click.option("--count", "only_count", is_flag=True, help="Print only how many there are.")
def command(  # type: ignore[no-redef]
    argument: str,
    ply: int | None,
    shape: str | None,
    covers: tuple[str, ...],
    sort: str | None,
    only_count: bool,
    as_json: bool,
) -> None:
    """List the legal moves of POSITION with their gain for the side to move.

    The gain of a placement is the number of the opponent's symbols that it covers less the
    mover's own.  The pie rule's swap is never in the list; it is told where it is possible.

    \b
    Examples:
      litstool moves boxes --count
      litstool moves game.yaml --ply 5 --shape T --sort gain
      litstool moves position.txt --covers e5
    """
    source, game = load_at(argument, ply)
    position = legal_position(source, game)
    cells = [_cell(text, position) for text in covers]
    if game.game != games.LITS:
        listing = games.room(game.game, "listing")
        document, lines = listing.moves(position, shape, cells, sort)
    else:
        document, lines = _lits_moves(position, shape, cells, sort)
    if as_json:
        print_json(document)
        return
    if only_count:
        click.echo(document["count"])
        return
    for line in lines:
        click.echo(line)


def _cell(text: str, position: object) -> Cell:
    cell = Cell.parse(text)
    outline = position.pattern.outline if hasattr(position, "pattern") else position.board.outline  # type: ignore[attr-defined]
    if cell is None:
        raise UsageError(f"--covers {text}: {text!r} is no cell; expected a name such as e5")
    if cell not in outline:
        raise UsageError(
            f"--covers {text}: the cell is not on the board "
            f"({outline.rows} rows x {outline.columns} columns)"
        )
    return cell


def _lits_moves(position, shape, cells, sort):  # type: ignore[no-untyped-def]
    from litstool.lits.placements import SHAPES

    if shape is not None:
        shape = shape.upper()
        if shape not in SHAPES or len(shape) != 1:
            raise UsageError(f"--shape {shape} is no shape; expected L, I, T or S")
    moves = [
        (move, position.gain(move))
        for move in position.moves()
        if (shape is None or move.shape == shape) and set(cells) <= set(move.cells)
    ]
    if sort == "gain":
        moves.sort(key=lambda entry: -entry[1])
    elif sort == "cells":
        moves.sort(key=lambda entry: entry[0].cells)
    document = {
        "to_move": position.to_move,
        "count": len(moves),
        "swap": position.can_swap,
        "moves": [
            {
                "move": move.notation,
                "shape": move.shape,
                "cells": [cell.name for cell in move.cells],
                "gain": gain,
            }
            for move, gain in moves
        ],
    }
    lines = [f"{gain:+d}  {move.notation}" if gain else f" 0  {move.notation}" for move, gain in moves]
    count = len(moves)
    lines.append(f"{count} move{'s' * (count != 1)} for {position.to_move}")
    if position.can_swap:
        lines.append("or swap: O takes over X and the piece just played")
    return document, lines
