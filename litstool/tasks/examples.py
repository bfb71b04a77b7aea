"""The examples that come with litstool: what they are, and copies of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litstool import games
from litstool.errors import LitstoolError, SourceError, UsageError
from litstool.files.reading import example, example_names, exists, nearest, read_file
from litstool.files.writing import make_folder, write_file


def listed() -> dict[str, str]:
    """Every example that holds a position: what it is, in a line, by its name."""
    found = {name: _about(name) for name in example_names()}
    return {name: about for name, about in found.items() if about is not None}


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


def copy(wanted: tuple[str, ...], folder: Path) -> list[Path]:
    """Copy examples, or folders of them, and return the files written.

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
