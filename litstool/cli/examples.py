"""``litstool examples``: what there is to try, and copies of it."""

from __future__ import annotations

from pathlib import Path

import click
from click.shell_completion import CompletionItem

from litstool.cli.common import subcommand
from litstool.errors import printable
from litstool.files.reading import example_names
from litstool.tasks import examples
from litstool.terminal.printing import YES, note, print_json


def _complete(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    return [CompletionItem(name) for name in example_names() if name.startswith(incomplete)]


@subcommand("examples")
@click.argument("wanted", metavar="[NAME]...", nargs=-1, shell_complete=_complete)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FOLDER", default=Path(),
    help="Where to put the copies (default: the current folder).",
)  # fmt: skip
def command(wanted: tuple[str, ...], output: Path, as_json: bool) -> int:
    """List the examples that come with litstool, or copy those named.

    Every command finds an example by its name, so a copy is needed only to change it.  A folder,
    such as puzzles, is copied whole.  Nothing is written over.

    \b
    Examples:
      litstool examples
      litstool show endgame-5
      litstool examples endgame-5
      litstool examples puzzles -o my-games
    """
    if wanted:
        written = examples.copy(wanted, output)
        if as_json:
            print_json({"written": [str(path) for path in written]})
        else:
            for path in written:
                note(f"wrote {path}")
        return YES
    listed = examples.listed()
    if as_json:
        print_json({"examples": [{"name": name, "about": listed[name]} for name in listed]})
        return YES
    width = max(map(len, listed))
    for name, about in listed.items():
        click.echo(f"{name:<{width}}  {printable(about)}")
    return YES
