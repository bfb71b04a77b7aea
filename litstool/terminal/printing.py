"""What commands print: results, JSON documents, notes and errors; and their exit statuses."""

from __future__ import annotations

import sys
from typing import Any

import click

from litstool.errors import IllegalError, LitstoolError, printable
from litstool.files.reading import write_json

ASCII_WANTED = __name__
"""Where a command's context keeps whether it is to draw with ASCII alone."""

YES, NO, UNREADABLE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130


def print_json(document: Any) -> None:
    """One JSON document on standard output."""
    click.echo(json_text(document))


def json_text(document: Any) -> str:
    """A document as JSON that standard output can show."""
    text = write_json(document)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = write_json(document, ascii_only=True)
    return text


def report(error: LitstoolError, as_json: bool) -> int:
    """Tell the user of an error and return the exit status."""
    if as_json:
        print_json({"error": error_entry(error)})
    else:
        click.echo(f"litstool: {error}", err=True)
    return error.exit_status


def error_entry(error: LitstoolError) -> dict[str, Any]:
    """An error as JSON has it."""
    entry: dict[str, Any] = {"kind": error.kind, "message": error.message, "where": error.where}
    if isinstance(error, IllegalError):
        entry["violations"] = [each.to_json() for each in error.violations]
    return entry


def note(text: str) -> None:
    """A line on standard error, beside the result."""
    click.echo(printable(text), err=True)


def announce_compiling() -> None:
    """Say why nothing happens for some seconds: code is compiled apart by size of board."""
    note("compiling for boards of this size on this machine (some ten seconds) ...")
