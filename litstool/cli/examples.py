"""``litstool examples``: what there is to try, and copies of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from litstool import games
from litstool.cli.common import subcommand
from litstool.errors import LitstoolError, SourceError, UsageError, printable
from litstool.files.reading import example, example_names, exists, nearest, read_file
from litstool.files.writing import make_folder, write_file
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
        written = _copy(wanted, output)
        if as_json:
            print_json({"written": [str(path) for path in written]})
        else:
            for path in written:
                note(f"wrote {path}")
        return YES
    listed = [
        {"name": name, "about": about}
        for name in example_names()
        if (about := _about(name)) is not None
    ]
    if as_json:
        print_json({"examples": listed})
        return YES
    width = max(len(each["name"]) for each in listed)
    for each in listed:
        click.echo(f"{each['name']:<{width}}  {printable(each['about'])}")
    return YES


def _about(name: str) -> str | None:
    """What an example is, in a line; None where it holds no position."""
    path = example(name)
    assert path is not None
    try:
        source = read_file(path)
        record: Any = games.read(source)
    except LitstoolError:
        return None
    note = " ".join((getattr(record, "note", None) or "").split())
    if source.text.startswith(";"):
        note = source.text.partition("\n")[0].lstrip("; ")
    return str(record.name or note or "")


def _copy(wanted: tuple[str, ...], folder: Path) -> list[Path]:
    """Copy examples.

    :raises SourceError: there is no example of a name.
    :raises UsageError: a file is there already.
    :raises WriteError: one cannot be written.
    """
    copies: dict[Path, Path] = {}
    for name in wanted:
        found = example(name) or example(f"examples/{name}")
        if found is None:
            hint = nearest(name, example_names())
            hint = hint if hint.startswith("did") else "litstool examples lists them"
            raise SourceError(f"{name!r} is no example; {hint}")
        inside = sorted(path for path in found.rglob("*") if path.is_file())
        for path in inside if found.is_dir() else [found]:
            copies[folder / path.relative_to(found.parent)] = path
    for path in copies:
        if exists(path):
            raise UsageError(f"{path} is there already; give another folder with -o")
    for path, original in copies.items():
        make_folder(path.parent)
        write_file(path, original.read_bytes())
    return list(copies)
