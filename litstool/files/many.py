"""One text, several positions: where one ends and the next begins.

Told by the content, as everywhere.  Where the first lines are one-line positions, public game
lines or JSON lines, each line is a position, and lines of moves below it belong to it.  Otherwise
``---`` on a line of its own parts them, in YAML and in grids alike; in grids a key or a drawing's
column letters after a grid begin the next one too.

A stream is read line by line, and each position is given out as soon as its end is known.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import BinaryIO, NamedTuple

from litstool.errors import LitstoolError, SourceError
from litstool.files import drawn
from litstool.files.reading import MOST_BYTES, Source, form_of, unreadable

MOST_BYTES_AT_ONCE = 16 * 1024 * 1024
"""No run of lines without a ``---`` may be longer; each position is held to ``MOST_BYTES``."""

Found = Source | LitstoolError
"""A position's text, or why there is none in its place."""

LOG_WORDS = "Applying action"
"""How a line of a log of many games begins, which the game's own rules part."""

_ONE_LINE = re.compile(r"[^/;]*[/;]|[XO._-]{100}\s*$|[0-9a-e]{100},", re.IGNORECASE)
_CELLS = re.compile(r"[0-9XOLITSDP.#_/-]", re.IGNORECASE)
_MOVE_LINE = re.compile(
    r"(?:[0-9]{1,3}[.)](?:\.\.)?\s*)?"
    r"(?:[LITS?]\s*[:\[]|[LITS](?:\s+[0-9]{1,2}){8}|[LITS]\s+[a-p]\s?[0-9]"
    r"|[a-p][0-9]{1,2}[\s,]|[a-p]\s+[0-9]|(?:[a-z]|straight|diagonal|pusher|puller)\s*@"
    r"|(?:swap|pass|resign(?:s|ed)?|[XO] resign(?:s|ed)?)(?![^\s.;])|Applying action\b)",
    re.IGNORECASE,
)
_KEY_LINE = re.compile(r"(?:game|to[-_ ]move|supply|name|last|gaps|opening|offsets)\s*:", re.I)
_PARTING = re.compile(r"---(?=\s|$)")


class Line(NamedTuple):
    """A line of a source, counted from 1; ``fault`` says why it is no text."""

    number: int
    text: str
    fault: SourceError | None = None

    @property
    def is_content(self) -> bool:
        """Whether it is more than space or a comment."""
        stripped = self.text.strip()
        return self.fault is not None or bool(stripped and not stripped.startswith(";"))


def split(source: Source) -> list[Source]:
    """The positions of a text that is there already, one source for each.

    :raises SourceError: it is empty.
    """
    texts = enumerate(source.text.split("\n"), source.first_line)
    lines = (Line(number, text) for number, text in texts)
    found = []
    for each in parts(lines, source):
        if isinstance(each, LitstoolError):
            raise each
        found.append(each)
    return found


def read_stream(stream: BinaryIO, origin: Source) -> Iterator[Found]:
    """The positions of a file or of standard input, one after the other.

    ``origin`` is a source without its text: where it comes from.

    :raises SourceError: it cannot be read, is empty, or is no text.
    """
    return parts(_lines(stream, origin.name), origin)


def _lines(stream: BinaryIO, name: str) -> Iterator[Line]:
    number = blank = 0
    while raw := _read_line(stream, name):
        blank = 0 if raw.strip() else blank + len(raw)
        if blank > MOST_BYTES:
            raise _too_large(name)
        if number == 0:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise SourceError("is UTF-16 text; save it as UTF-8", name)
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if len(raw) > MOST_BYTES:
            raise _too_large(name)
        if b"\0" in raw:
            raise SourceError("is a binary file, not text", name)
        # Lines of old files end in a carriage return alone.
        for part in raw.removesuffix(b"\n").removesuffix(b"\r").split(b"\r"):
            number += 1
            yield _decoded(part, number, name)


def _read_line(stream: BinaryIO, name: str) -> bytes:
    try:
        return stream.readline(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None


def _decoded(raw: bytes, number: int, name: str) -> Line:
    try:
        return Line(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        told = f"is not UTF-8 text (byte 0x{raw[error.start]:02x})"
        return Line(number, "", SourceError(told, f"{name}, line {number}"))


def _too_large(name: str) -> SourceError:
    return SourceError(f"is larger than {MOST_BYTES // 1024} KiB, so it is no position", name)


def parts(lines: Iterator[Line], origin: Source) -> Iterator[Found]:
    """The positions in lines of text.

    :raises SourceError: there is nothing in them.
    """
    head: list[Line] = []
    content: list[Line] = []
    for line in lines:
        head.append(line)
        content += [line] if line.is_content and not _PARTING.match(line.text) else []
        if len(content) == 2:
            break
    everything = itertools.chain(head, lines)
    if not any(line.fault or line.text.strip() for line in head):
        raise SourceError("is empty", origin.name)
    if any(is_one_line(line.text) for line in content) or (
        len(content) == 2 and _is_json_line(content[0].text)
    ):
        found = _by_line(everything, origin)
    else:
        found = _documents(everything, origin)
    first = next(found, None)
    if first is None:
        raise SourceError("holds no position: there is no grid", origin.name)
    yield first
    yield from found


def is_one_line(text: str) -> bool:
    """Whether a line looks like a whole position: a one-line position or a public game line."""
    line = text.strip()
    if text[:1].isspace() or not _ONE_LINE.match(line):
        return False
    # Rows are joined like the parts of a path, so most letters must be cells.
    first, *words = line.split(None, 2)
    rows = first if first.isascii() and first.lower() != "mijnlieff" else "".join(words[:1])
    rows = rows.partition(";")[0]
    return (len(rows) > 4 and 3 * len(_CELLS.findall(rows)) > 2 * len(rows)) or "," in rows[100:101]


def _is_json_line(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def is_move_line(text: str) -> bool:
    """Whether a line below a board holds moves rather than a row of the board."""
    return _MOVE_LINE.match(text.strip()) is not None


def _by_line(lines: Iterable[Line], origin: Source) -> Iterator[Found]:
    record: list[Line] = []
    for line in lines:
        if not line.is_content or _PARTING.match(line.text):
            continue
        is_move = is_move_line(line.text) and not is_one_line(line.text)
        if record and line.fault is None and is_move:
            record.append(line)
            continue
        if record:
            yield _source(record, origin)
        record = []
        if line.fault is not None:
            yield line.fault
        else:
            record = [line]
    if record:
        yield _source(record, origin)


def _source(lines: list[Line], origin: Source) -> Found:
    fault = next((line.fault for line in lines if line.fault is not None), None)
    if fault is not None:
        return fault
    # Lines left out stay as empty ones, so that those below keep their numbers.
    texts = [""] * (lines[-1].number - lines[0].number + 1)
    for line in lines:
        texts[line.number - lines[0].number] = line.text
    text = "\n".join(texts)
    if len(text) > MOST_BYTES and not any(line.text.startswith(LOG_WORDS) for line in lines):
        return _too_large(origin.name)
    files = list(origin.files)
    return replace(origin, text=text, files=files, first_line=lines[0].number)


def _documents(lines: Iterable[Line], origin: Source) -> Iterator[Found]:
    record: list[Line] = []
    size = 0
    for line in lines:
        if line.fault is None and _PARTING.match(line.text):
            yield from _sources(record, origin)
            record, size = [], 0
            line = Line(line.number, "   " + line.text[3:])
        record.append(line)
        size += len(line.text) + 1
        if size > MOST_BYTES_AT_ONCE:
            raise _too_large(origin.name)
    yield from _sources(record, origin)


def _sources(record: list[Line], origin: Source) -> Iterator[Found]:
    """The positions between two partings."""
    content = [line for line in record if line.is_content]
    if not content or all(line.text.startswith("%") for line in content):
        return
    texts = "".join(line.text for line in content)
    if all(line.text.startswith("#") for line in content) and re.search("[a-z]", texts):
        return
    whole = "\n".join(line.text for line in record)
    form = form_of(whole)
    starts = _beginnings(record) if form == "text" else []
    if form == "json":
        starts = [
            index
            for index in range(1, len(record))
            if record[index].text.startswith("{") and record[index - 1].text.strip() == "}"
        ]
    for start, end in itertools.pairwise([0, *starts, len(record)]):
        yield _source(record[start:end], origin)


def _beginnings(record: list[Line]) -> list[int]:
    """Where in lines of grids or drawings the second, third … begins."""
    starts = []
    seen_board = seen_rows = False
    last_row = max((index for index, line in enumerate(record) if _is_row(line)), default=0)
    texts = [line.text for line in record]
    for index, line in enumerate(record):
        if drawn.begins(texts, index):
            if seen_board:
                starts.append(_title_line(record, index))
            seen_board = True
        elif not seen_board and line.is_content:
            is_key = _KEY_LINE.match(line.text.strip()) is not None
            if is_key and seen_rows and index < last_row:
                starts.append(index)
            seen_rows = not is_key
    return starts


def _is_row(line: Line) -> bool:
    return line.is_content and not _KEY_LINE.match(line.text.strip())


def _title_line(record: list[Line], letters: int) -> int:
    """The first line of a drawing: its title, with an empty line between, or its letters."""
    if letters > 1 and not record[letters - 1].text.strip() and record[letters - 2].text.strip():
        return letters - 2
    return letters
