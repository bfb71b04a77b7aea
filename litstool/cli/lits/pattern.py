"""``litstool pattern``: the standard boards, balanced random ones, and a balance report."""

from __future__ import annotations

import click

from litstool import games
from litstool.cli.common import ascii_option, group, position_argument, subcommand
from litstool.cli.lits.pattern_check import check_command
from litstool.cli.lits.pattern_common import checked_pattern
from litstool.cli.lits.pattern_new import new_command
from litstool.terminal.printing import print_json
from litstool.terminal.screen import drawn


@group("pattern")
def command() -> None:
    """Standard boards, balanced random ones, and how fair a board is.

    \b
    Examples:
      litstool pattern list
      litstool pattern new --symmetry half-turn --exactly --seed 7
      litstool pattern new --even rows,columns --spread even -n 20 -o boards/
      litstool pattern check boxes -o boxes.svg
    """


@subcommand("list")
def list_command(as_json: bool) -> None:
    """List the standard boards with their symbols and symmetries."""
    from litstool.lits.notation import pattern_named, pattern_names
    from litstool.say.lits import balance, documents

    boards = {name: pattern for name in pattern_names() if (pattern := pattern_named(name))}
    if as_json:
        print_json({"patterns": [documents.standard(*each) for each in boards.items()]})
        return
    for each in boards.items():
        click.echo(balance.standard(*each))


@subcommand("show")
@ascii_option
@position_argument
def show_command(argument: str, as_json: bool) -> None:
    """Draw the symbols of a board, with their numbers and symmetries."""
    from litstool.lits.pattern.report import report_on
    from litstool.say.lits import balance, documents

    game = checked_pattern(*games.load(argument))
    report = report_on(game.pattern, game.name, supply=game.supply)
    if as_json:
        print_json(documents.shown(report))
        return
    from litstool.draw.lits.balance import board_picture

    for line in drawn(board_picture(game.pattern, game.name, balance.facts(report))):
        click.echo(line)


for _each in (list_command, show_command, check_command, new_command):
    command.add_command(_each)
