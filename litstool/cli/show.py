"""``litstool show``: the board, scores, supply, side to move and result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from litstool.cli.common import (
    ascii_option,
    complete_file,
    complete_from,
    json_lines_option,
    ply_option,
    positions_argument,
    positive,
    subcommand,
)
from litstool.draw.picture import Picture
from litstool.errors import UsageError, printable
from litstool.say.position import document, snapshot_of
from litstool.terminal.many import Answer, Asked, answer_each, usual_heading
from litstool.terminal.printing import NO, YES, note
from litstool.terminal.screen import drawn


@subcommand("show")
@ascii_option
@positions_argument
@json_lines_option
@ply_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write a picture (.svg, .png, .pdf) or a page (.html; of a game, one to step through); "
    "several positions stand side by side.",
)
@click.option("--numbers", is_flag=True, help="Number the pieces by the move that placed them.")
@click.option(
    "--heat",
    metavar="MAP",
    shell_complete=complete_from("moves", "gain"),
    help="Numbers in the open cells: moves (how many legal moves cover the cell) or gain (the "
    "best gain of one that does); where the game has them.",
)
@click.option(
    "--scale",
    type=float,
    callback=positive,
    metavar="F",
    help="Size of a .png: F pixels to a unit, 40 units to a cell (default 2).",
)
def command(
    arguments: tuple[str, ...],
    ply: int | None,
    output: str | None,
    numbers: bool,
    heat: str | None,
    scale: float | None,
    as_json: bool,
    as_json_lines: bool,
) -> int:
    """Draw each POSITION with the scores, the supply, the side to move and the result.

    Pieces are joined areas with their letter.  Symbols in brackets, such as [X], are safe: no
    piece can ever cover them.

    \b
    Examples:
      litstool show boxes
      litstool show game.yaml --ply 6
      litstool show game.yaml --numbers -o final.png
      litstool show game.yaml -o game.html
      litstool show boxes stripes monogram -o boards.pdf
      litstool show game.yaml --ply 4 --heat gain
      litstool show '4OO4/10/10/10/10/10/10/10/10/10'
    """
    if output is not None:
        from litstool.draw import output as files
        from litstool.files.reading import check_ending
        from litstool.files.writing import check_outputs

        ending = check_ending(output, files.ENDINGS)
    if scale is not None and (output is None or ending != ".png"):
        raise UsageError("--scale is for pictures in pixels: give -o a name that ends in .png")
    shown: list[Asked] = []
    pictures: list[Picture] = []
    if output is not None:
        check_outputs({"-o": output}, arguments)

    def answer(asked: Asked) -> Answer:
        snapshot = snapshot_of(asked.record, numbers=numbers, heat=heat)
        picture = Picture.of(snapshot)
        if output is not None:
            shown.append(asked)
            if not asked.alone and not picture.title:
                picture = replace(picture, title=_caption(asked))
            pictures.append(picture)
        lines = [] if output is not None else drawn(picture)
        return Answer(document(snapshot), lines, NO if snapshot.violations else YES)

    status = answer_each(
        arguments,
        answer,
        as_json=as_json,
        as_json_lines=as_json_lines,
        ply=ply,
        heading=(lambda label: []) if output is not None else usual_heading,
    )
    if output is not None and pictures:
        check_outputs({"-o": output}, [path for each in shown for path in each.source.files])
        review = None
        if ending == ".html" and shown[0].alone and shown[0].record.moves:
            from litstool.draw.reviewed import record

            review = record(shown[0].record, numbers=numbers, heat=heat)
        files.write(output, pictures, review=review, scale=scale)
        if ending == ".pdf":
            from litstool.draw import pdf

            if missing := pdf.unknown(pictures):
                note(f"the letters of a PDF have no {printable(missing)}: shown as ?")
        note(f"wrote {output}")
    return status


def _caption(asked: Asked) -> str:
    """What stands above a board without a name: its file, without the folders, and its number."""
    if not asked.source.files:
        return asked.label
    return asked.label.removeprefix(f"{Path(asked.argument).parent}/")
