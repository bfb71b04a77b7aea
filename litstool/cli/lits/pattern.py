"""``litstool pattern``: the standard boards, balanced random ones, and a balance report."""

from __future__ import annotations

import click

from litstool import games
from litstool.cli.common import group, position_argument, print_json, subcommand
from litstool.cli.lits.pattern_check import check_command
from litstool.cli.lits.pattern_common import checked_pattern
from litstool.cli.lits.pattern_new import new_command
from litstool.cli.screen import ascii_option, drawn


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


# list and show


@subcommand("list")
def list_command(as_json: bool) -> None:
    """List the standard boards with their symbols and symmetries."""
    from litstool.lits.notation import pattern_named, pattern_names
    from litstool.lits.pattern.symmetry import exchange_names, self_names

    entries = []
    for name in pattern_names():
        pattern = pattern_named(name)
        assert pattern is not None
        entries.append(
            {
                "name": name,
                "rows": pattern.outline.rows,
                "columns": pattern.outline.columns,
                "symbols": {side: pattern.count(side) for side in "XO"},
                "symmetries": exchange_names(pattern),
                "self_symmetries": self_names(pattern),
            }
        )
    if as_json:
        print_json({"patterns": entries})
        return
    for entry in entries:
        symbols = entry["symbols"]
        assert isinstance(symbols, dict)
        names = entry["symmetries"]
        assert isinstance(names, list)
        click.echo(
            f"{entry['name']:<10} {entry['rows']} x {entry['columns']}   "
            f"X {symbols['X']}, O {symbols['O']}   exchanged by {', '.join(names) or 'nothing'}"
        )


@subcommand("show")
@ascii_option
@position_argument
def show_command(argument: str, as_json: bool) -> None:
    """Draw the symbols of a board, with their numbers and symmetries."""
    from litstool.draw.lits import balance
    from litstool.lits.pattern.report import report_on

    game = checked_pattern(*games.load(argument))
    report = report_on(game.pattern, game.name, supply=game.supply)
    if as_json:
        document = report.to_json()
        document["self_symmetries"] = document["metrics"]["self_symmetries"]
        del document["metrics"]
        print_json(document)
        return
    drawing = balance.picture(game.pattern, game.name, balance.facts(report))
    for line in drawn(drawing):
        click.echo(line)


command.add_command(list_command)
command.add_command(show_command)
command.add_command(check_command)
command.add_command(new_command)
