"""Commands that take any number of positions: one driver for all of them.

A command gives a function from a position to an :class:`Answer`.  One position is answered as a
command with one argument answers it; several get a heading each, or an entry each of one JSON
document, or a JSON line each as soon as it is done.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import click

from litstool import games
from litstool.errors import LitstoolError, WriteError
from litstool.files.reading import Source
from litstool.games import Part
from litstool.terminal.printing import INTERRUPTED, error_entry, json_text, note, print_json, report


@dataclass(frozen=True)
class Answer:
    """What a command says of one position: as JSON, as lines of text, and its exit status.

    ``lines`` and ``notes``, which go to standard error, are printed only where text is wanted.
    """

    document: dict[str, Any]
    lines: Iterable[str]
    status: int = 0
    notes: Iterable[str] = field(default=())


@dataclass(frozen=True)
class Asked:
    """A position that a command is asked about.

    ``argument`` is as typed; ``label`` is its name for people, with its number where its file has
    several; ``alone`` says that there is no other.
    """

    argument: str
    source: Source
    record: Any
    label: str
    alone: bool


def usual_heading(label: str) -> list[str]:
    return [f"{label}:"]


def answer_each(
    arguments: Iterable[str],
    answer: Callable[[Asked], Answer],
    *,
    as_json: bool = False,
    as_json_lines: bool = False,
    ply: int | None = None,
    heading: Callable[[str], list[str]] = usual_heading,
    always_listed: bool = False,
    errors_listed: bool = False,
) -> int:
    """Answer for every position of the arguments and return the highest exit status of any.

    ``always_listed`` makes one position's JSON a list of results as well, ``errors_listed`` also
    where it is an error.

    :raises LitstoolError: the only position cannot be read or answered.
    """
    found = parts_of(arguments)
    first, second = next(found), next(found, None)
    alone = second is None
    out: _Printer = _Text(heading, alone)
    if as_json_lines:
        out = _Lines()
    elif as_json:
        out = _One() if alone and not always_listed else _List()
    parts: Iterator[Part] = itertools.chain([first] if second is None else [first, second], found)
    status = 0
    try:
        for part in parts:
            try:
                source, record = part.read(ply)
                given = answer(Asked(part.argument, source, record, part.label, alone))
                out.add(part, given)
                status = max(status, given.status)
            except WriteError:
                # No other answer could be printed either.
                raise
            except LitstoolError as error:
                if alone and not as_json_lines and not errors_listed:
                    raise
                if error.where in (None, part.name) and error is not part.found:
                    error.where = part.label
                status = max(status, error.exit_status)
                out.fail(part, error)
            except KeyboardInterrupt:
                if alone:
                    raise
                note(f"{part.label}: interrupted")
                status = INTERRUPTED
            if status == INTERRUPTED:
                break
    finally:
        out.end()
    return status


def parts_of(arguments: Iterable[str]) -> Iterator[Part]:
    """The positions of all arguments; an argument that names nothing is one that has an error."""
    for argument in arguments:
        try:
            yield from games.parts(argument)
        except LitstoolError as error:
            yield Part(argument, argument, error)


class _Printer(Protocol):
    """A way of printing answers and errors as they come."""

    def add(self, part: Part, answer: Answer) -> None: ...

    def fail(self, part: Part, error: LitstoolError) -> None: ...

    def end(self) -> None: ...


class _Text:
    """Answers for people, each under its heading where there are several."""

    def __init__(self, heading: Callable[[str], list[str]], alone: bool) -> None:
        self.heading = heading
        self.alone = alone
        self.gap = False

    def add(self, part: Part, answer: Answer) -> None:
        if not self.alone:
            if self.gap and self.heading is usual_heading:
                click.echo()
            self.gap = True
            for line in self.heading(part.label):
                click.echo(line)
        for line in answer.lines:
            click.echo(line)
        for line in answer.notes:
            note(line)

    def fail(self, part: Part, error: LitstoolError) -> None:
        report(error, False)

    def end(self) -> None:
        pass


class _One:
    """The one JSON document of the only position."""

    def add(self, part: Part, answer: Answer) -> None:
        print_json(answer.document)

    def fail(self, part: Part, error: LitstoolError) -> None:
        raise error

    def end(self) -> None:
        pass


class _List:
    """One JSON document with an entry for each position, printed as they come."""

    def __init__(self) -> None:
        self.begun = False

    def add(self, part: Part, answer: Answer) -> None:
        self._print(part, answer.document)

    def fail(self, part: Part, error: LitstoolError) -> None:
        self._print(part, {"error": error_entry(error)})

    def _print(self, part: Part, entry: dict[str, Any]) -> None:
        place: dict[str, Any] = {"source": part.argument}
        if part.number is not None:
            place["number"] = part.number
        entry = place | entry
        click.echo(",\n" if self.begun else '{\n  "results": [\n', nl=False)
        self.begun = True
        text = "\n".join(f"    {line}" for line in json_text(entry).split("\n"))
        click.echo(text, nl=False)

    def end(self) -> None:
        if self.begun:
            click.echo("\n  ]\n}")


class _Lines:
    """A JSON line for each position."""

    def add(self, part: Part, answer: Answer) -> None:
        self._print(part, answer.document)

    def fail(self, part: Part, error: LitstoolError) -> None:
        self._print(part, {"error": error_entry(error)})

    def _print(self, part: Part, entry: dict[str, Any]) -> None:
        place = {"source": part.argument, "number": part.number or 1}
        click.echo(json.dumps(place | entry))

    def end(self) -> None:
        pass
