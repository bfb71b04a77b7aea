"""``litstool convert``: a position or game in another notation."""

from __future__ import annotations

import sys

import click

from litstool import games
from litstool.cli.common import json_lines_option, ply_option, positions_argument, subcommand
from litstool.errors import printable
from litstool.terminal.many import Answer, Asked, answer_each


def _known_targets() -> list[str]:
    return [*games.NOTATIONS, *(name for game in games.GAMES for name in game.notations)]


@subcommand("convert")
@positions_argument
@click.option(
    "--to", "target", type=click.Choice(_known_targets()), required=True, help="The notation."
)
@ply_option
@json_lines_option
def command(
    arguments: tuple[str, ...], target: str, ply: int | None, as_json: bool, as_json_lines: bool
) -> int:
    """Print each POSITION in another notation.

    What the notation cannot carry is told on standard error.  ltp is the game line of the public
    engines: 100 pattern characters, then each move.  Several positions are printed as they can be
    read again: one a line, or parted by lines of ---.

    \b
    Read, each told by its form:
      a grid, a one-line position, YAML, JSON, what litstool show draws
      100 characters X, O and . with the moves behind ; or below (public engines)
      105 or 107 characters: a digit a cell, the pieces left, the side to move
      a board, or a standard board's name, with moves below it, one a line or
        1. T:f3,e4,f4,g4 2. swap 3. ...  to the end or to "resign"
      moves as  L:a1,b1,c1,a2   L[00,01,02,10]   L 0 0 0 1 0 2 1 0
                A1 B1 C1 A2   A 1 B 1 C 1 A 2
      lines of a log  Applying action 736) 47, S, None, Flipped  (put the board's
        name above them; where a game is over the next one begins)

    \b
    Examples:
      litstool convert game.yaml --to line --ply 6
      litstool convert position.txt --to yaml > game.yaml
      litstool convert game.yaml --to ltp
      litstool show boxes | litstool convert - --to line
      (echo stripes; cat log.txt) | litstool convert - --to ltp
    """

    def heading(label: str) -> list[str]:
        return {"text": ["---", f"; {label}"], "yaml": ["---", f"# {label}"]}.get(target, [])

    return answer_each(
        arguments,
        lambda asked: _converted(asked, target),
        as_json=as_json,
        as_json_lines=as_json_lines,
        ply=ply,
        heading=heading,
    )


def _converted(asked: Asked, target: str) -> Answer:
    made = games.converted(asked.record, target, asked.source.name, on_one_line=not asked.alone)
    place = "" if asked.alone else f"{asked.label}: "
    notes = [f"note: {place}not carried over: {'; '.join(made.lost)}"] if made.lost else []
    if not made.legal:
        notes.append(
            f"note: {place}the position is not legal (see litstool validate {asked.argument})"
        )
    document = {"notation": target, "text": made.text, "lost": made.lost, "legal": made.legal}
    lines = made.text.split("\n")
    if sys.stdout is not None and sys.stdout.isatty():
        # What is read by people only need not be read back.
        lines = [printable(line) for line in lines]
    return Answer(document, lines, notes=notes)
