"""One text, several positions: where one ends and the next begins.

Told by the content, as everywhere; ``forms`` say what the texts of each game look like.  Where the
first lines are one-line positions, public game lines or JSON lines, each line is a position, and
lines of moves below it belong to it.  Otherwise ``---`` on a line of its own parts them, in YAML
and in grids alike; in grids a key or a drawing's column letters after a grid begin the next too.

A stream is read line by line, and each position is given out as soon as its end is known.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO, NamedTuple

from litstool.errors import LitstoolError, SourceError
from litstool.files import drawn
from litstool.files.reading import MOST_BYTES, Source, check_no_page, form_of, unreadable

MOST_BYTES_AT_ONCE = 16 * 1024 * 1024
"""No run of lines without a ``---`` may be longer; each position is held to ``MOST_BYTES``."""

Found = Source | LitstoolError
"""A position's text, or why there is none in its place."""

_PARTING = re.compile(r"---(?=\s|$)")


_BEYOND = re.compile(r"[^/;]*[/;]")


@dataclass(frozen=True)
class TextForms:
    """By what the texts of a game are told from those of others, and their parts from each other.

    ``cells`` are the letters of cells in a row.  ``keys`` stand above a grid.  ``word`` begins a
    one-line position, None where nothing does.  ``whole`` matches the rows of a position on one
    line that have no ``/``, ``long_row`` such rows, whole or not, that are no name of a file,
    ``moves`` the beginning of a line of moves below a board, ``drawn`` a line that only this
    game's drawings have; ``log`` begins the lines of a log that only the game's rules part.
    """

    cells: str
    keys: tuple[str, ...]
    word: str | None = None
    whole: re.Pattern[str] | None = None
    long_row: re.Pattern[str] | None = None
    moves: re.Pattern[str] | None = None
    drawn: re.Pattern[str] | None = None
    log: str | None = None

    def rows_in(self, line: str) -> str:
        """The words of a line where the rows of a position would stand, up to a ``;``."""
        first, *words = line.split(None, 2)
        if self.word is not None and first.isascii() and first.lower() == self.word:
            first = "".join(words[:1])
        return first.partition(";")[0]

    def are_rows(self, rows: str) -> bool:
        """Whether a word looks like the rows of a position, rightly written or not.

        Rows are joined by ``/`` like the parts of a path, so most of their letters must be cells.
        """
        if self.whole is not None and self.whole.match(rows):
            return True
        cells = {*self.cells.upper(), *self.cells.lower()}
        return 3 * sum(letter in cells for letter in rows) > 2 * len(rows)


Forms = Collection[TextForms]
"""The forms of all games that a text may be of."""


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


def split(source: Source, forms: Forms) -> list[Source]:
    """The positions of a text that is there already, one source for each.

    :raises SourceError: it is empty.
    """
    texts = enumerate(source.text.split("\n"), source.first_line)
    lines = (Line(number, text) for number, text in texts)
    found = []
    for each in parts(lines, source, forms):
        if isinstance(each, LitstoolError):
            raise each
        found.append(each)
    return found


def read_stream(stream: BinaryIO, origin: Source, forms: Forms) -> Iterator[Found]:
    """The positions of a file or of standard input, one after the other.

    ``origin`` is a source without its text: where it comes from.

    :raises SourceError: it cannot be read, is empty, or is no text.
    """
    return parts(_lines(stream, origin.name), origin, forms)


def _lines(stream: BinaryIO, name: str) -> Iterator[Line]:
    number = blank = 0
    is_all_blank = True
    while raw := _read_line(stream, name):
        blank = 0 if raw.strip() else blank + len(raw)
        if blank > MOST_BYTES:
            raise _too_large(name)
        if number == 0:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise SourceError("is UTF-16 text; save it as UTF-8", name)
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if is_all_blank:
            check_no_page(raw, name)
            is_all_blank = not raw.strip()
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


def parts(lines: Iterator[Line], origin: Source, forms: Forms) -> Iterator[Found]:
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
    if any(is_one_line(line.text, forms) for line in content) or (
        len(content) == 2 and _is_json_line(content[0].text)
    ):
        found = _by_line(everything, origin, forms)
    else:
        found = _documents(everything, origin, forms)
    first = next(found, None)
    if first is None:
        raise SourceError("holds no position: there is no grid", origin.name)
    yield first
    yield from found


def is_one_line(text: str, forms: Forms) -> bool:
    """Whether a line looks like a whole position: a one-line position or a public game line."""
    line = text.strip()
    if not line or text[:1].isspace():
        return False
    return any(_is_whole(line, form) for form in forms)


def _is_whole(line: str, form: TextForms) -> bool:
    rows = form.rows_in(line)
    if form.whole is not None and form.whole.fullmatch(rows):
        return True
    return _BEYOND.match(line) is not None and len(rows) > 4 and form.are_rows(rows)


def _is_json_line(text: str) -> bool:
    if not text.startswith("{"):
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def is_move_line(text: str, forms: Forms) -> bool:
    """Whether a line below a board holds moves rather than a row of the board."""
    line = text.strip()
    return any(form.moves is not None and form.moves.match(line) for form in forms)


def _by_line(lines: Iterable[Line], origin: Source, forms: Forms) -> Iterator[Found]:
    record: list[Line] = []
    for line in lines:
        if not line.is_content or _PARTING.match(line.text):
            continue
        is_move = is_move_line(line.text, forms) and not is_one_line(line.text, forms)
        if record and line.fault is None and is_move:
            record.append(line)
            continue
        if record:
            yield _source(record, origin, forms)
        record = []
        if line.fault is not None:
            yield line.fault
        else:
            record = [line]
    if record:
        yield _source(record, origin, forms)


def _source(lines: list[Line], origin: Source, forms: Forms) -> Found:
    fault = next((line.fault for line in lines if line.fault is not None), None)
    if fault is not None:
        return fault
    # Lines left out stay as empty ones, so that those below keep their numbers.
    texts = [""] * (lines[-1].number - lines[0].number + 1)
    for line in lines:
        texts[line.number - lines[0].number] = line.text
    text = "\n".join(texts)
    if len(text) > MOST_BYTES and not any(_is_logged(line.text, forms) for line in lines):
        return _too_large(origin.name)
    files = list(origin.files)
    return replace(origin, text=text, files=files, first_line=lines[0].number)


def _is_logged(text: str, forms: Forms) -> bool:
    return any(form.log is not None and text.startswith(form.log) for form in forms)


def _documents(lines: Iterable[Line], origin: Source, forms: Forms) -> Iterator[Found]:
    record: list[Line] = []
    size = 0
    for line in lines:
        if line.fault is None and _PARTING.match(line.text):
            yield from _sources(record, origin, forms)
            record, size = [], 0
            line = Line(line.number, "   " + line.text[3:])
        record.append(line)
        size += len(line.text) + 1
        if size > MOST_BYTES_AT_ONCE:
            raise _too_large(origin.name)
    yield from _sources(record, origin, forms)


def _sources(record: list[Line], origin: Source, forms: Forms) -> Iterator[Found]:
    """The positions between two partings."""
    content = [line for line in record if line.is_content]
    if not content or all(line.text.startswith("%") for line in content):
        return
    texts = "".join(line.text for line in content)
    if all(line.text.startswith("#") for line in content) and re.search("[a-z]", texts):
        return
    whole = "\n".join(line.text for line in record)
    form = form_of(whole)
    starts = _beginnings(record, _key_line(forms)) if form == "text" else []
    if form == "json":
        starts = [
            index
            for index in range(1, len(record))
            if record[index].text.startswith("{") and record[index - 1].text.strip() == "}"
        ]
    for start, end in itertools.pairwise([0, *starts, len(record)]):
        yield _source(record[start:end], origin, forms)


def _beginnings(record: list[Line], key_line: re.Pattern[str]) -> list[int]:
    """Where in lines of grids or drawings the second, third … begins."""
    starts = []
    seen_board = seen_rows = False
    last_row = max(
        (index for index, line in enumerate(record) if _is_row(line, key_line)), default=0
    )
    texts = [line.text for line in record]
    for index, line in enumerate(record):
        if drawn.begins(texts, index):
            if seen_board:
                starts.append(_title_line(record, index))
            seen_board = True
        elif not seen_board and line.is_content:
            is_key = key_line.match(line.text.strip()) is not None
            if is_key and seen_rows and index < last_row:
                starts.append(index)
            seen_rows = not is_key
    return starts


def _key_line(forms: Forms) -> re.Pattern[str]:
    """What a line with a key begins with."""
    keys = {key.replace("-", "[-_ ]") for form in forms for key in form.keys}
    return re.compile(rf"(?:{'|'.join(sorted(keys))})\s*:", re.IGNORECASE)


def _is_row(line: Line, key_line: re.Pattern[str]) -> bool:
    return line.is_content and not key_line.match(line.text.strip())


def _title_line(record: list[Line], letters: int) -> int:
    """The first line of a drawing: its title, with an empty line between, or its letters."""
    if letters > 1 and not record[letters - 1].text.strip() and record[letters - 2].text.strip():
        return letters - 2
    return letters
