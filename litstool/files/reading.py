"""Reading and writing files: text grids, YAML and JSON, with the line of everything read.

Nothing here knows a game.  A document becomes a tree of :class:`Node` in which every value is
still text, so that ``no``, ``1.0`` or a date in a free field stays what was written; a text form
becomes its ``key: value`` lines and its rows.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import yaml

from litstool.errors import (
    FormatError,
    LitstoolError,
    NotationError,
    SourceError,
    UsageError,
    printable,
)

MOST_BYTES = 256 * 1024
"""No position or game needs a larger file; a larger one is refused before it is parsed."""

DOCUMENT_ENDINGS = (".yaml", ".yml", ".json")
"""The endings of a file that holds a document."""

_MOST_DEPTH = 12
_TREE_KEYS = ("pattern", "board", "moves", "pieces")
"""The keys that tell a YAML document from a text form."""
_YAML_KEYS = re.compile(rf"^[\"']?({'|'.join(_TREE_KEYS)})[\"']?[ \t]*:", re.MULTILINE)
_JSON_WIDE_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)((?:\\u[dD][89a-fA-F][0-9a-fA-F]{2})+)")
_KEY = re.compile(r"[A-Za-z][A-Za-z _-]*")


@dataclass(frozen=True)
class Source:
    """Text that a user gave: its name for messages, the text, the folder for relative paths.

    ``files`` are those that it was read from, and those that reading it led to: nothing may be
    written over them.  ``first_line`` is the line of the file where the text begins, from 1.
    """

    name: str
    text: str
    folder: Path | None = None
    files: list[Path] = field(default_factory=list, compare=False)
    first_line: int = 1

    def place(self, line: int | None = None) -> str:
        """The name, with a line of the text counted from 1, as errors say it."""
        return self.name if line is None else f"{self.name}, line {line + self.first_line - 1}"

    @property
    def where(self) -> str:
        """The place of the whole text, for errors: its first line where others come before."""
        return self.place(1 if self.first_line > 1 else None)


def read_file(path: Path, name: str | None = None) -> Source:
    """A file as a source.

    :raises SourceError: it cannot be read, is too large, or is not UTF-8 text.
    """
    name = name or str(path)
    with open_file(path, name) as file:
        try:
            data = file.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            raise unreadable(name, error) from None
    return Source(name, decode(data, name), path.parent, [path])


def open_file(path: Path, name: str) -> BinaryIO:
    """A file that is open for reading.

    :raises SourceError: it cannot be read, or is a folder.
    """
    if path.is_dir():
        raise SourceError("is a folder, not a file", name)
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None


def unreadable(name: str, error: Exception) -> SourceError:
    """The error of a file that the system does not give."""
    reason = getattr(error, "strerror", None) or str(error)
    return SourceError(f"cannot be read: {reason}", name)


def exists(path: str | Path) -> bool:
    """Whether something has this name; False also where nothing can have it."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*<(!doctype|html|svg|\?xml|!--)", re.IGNORECASE)


def check_no_page(beginning: bytes, name: str) -> None:
    """See that a text does not begin like a page or a drawing, such as ``show -o`` writes.

    :raises SourceError: it does.
    """
    if _PAGE.match(beginning):
        raise SourceError("is a page or a drawing for a browser; expected a position as text", name)


def decode(data: bytes, name: str) -> str:
    """Bytes as text with ``\\n`` line ends and no byte order mark.

    :raises SourceError: too large, empty, binary, a page, or not UTF-8.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise SourceError("is UTF-16 text; save it as UTF-8", name)
    check_no_page(data, name)
    if len(data) > MOST_BYTES:
        raise SourceError(f"is larger than {MOST_BYTES // 1024} KiB, so it is no position", name)
    if b"\0" in data:
        raise SourceError("is a binary file, not text", name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"is not UTF-8 text (byte 0x{data[error.start]:02x})", f"{name}, line {line}"
        ) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise SourceError("is empty", name)
    return text


def check_text(source: Source) -> None:
    """See that a text, such as an argument of the command, has no bytes that are no letters.

    :raises SourceError: it has.
    """
    try:
        source.text.encode()
    except UnicodeEncodeError as error:
        line = source.text.count("\n", 0, error.start) + 1
        byte = ord(source.text[error.start]) & 0xFF
        raise SourceError(f"is not UTF-8 text (byte 0x{byte:02x})", source.place(line)) from None


def form_of(text: str) -> str:
    """``json``, ``yaml`` or ``text``, told by the content."""
    if text.lstrip().startswith("{"):
        return "json"
    return "yaml" if _YAML_KEYS.search(text) else "text"


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of an error message: the nearest known word, or all of them."""
    known = list(known)
    lowered = {each.lower(): each for each in known}
    close = difflib.get_close_matches(word.lower(), lowered, 1, 0.6)
    if close:
        return f"did you mean {lowered[close[0]]!r}?"
    return "expected one of " + ", ".join(known)


# Trees


@dataclass(frozen=True)
class Node:
    """A value of a YAML or JSON document: a text, a list of nodes or a mapping to nodes.

    ``line`` counts from 1.  ``block_line`` is the line of the first line of the text itself,
    which for a block (``|``) is the next one.
    """

    value: str | list[Node] | dict[str, Node]
    source: Source
    line: int
    block_line: int
    plain: bool = False
    key_lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """The place of the value, for errors."""
        return self.source.place(self.line)

    def fail(self, message: str) -> NoReturn:
        """Raise a :class:`FormatError` at this value."""
        raise FormatError(message, self.where)

    def text(self, what: str) -> str:
        """The value as text.

        :raises FormatError: it is a list or a mapping.
        """
        if not isinstance(self.value, str):
            self.fail(f"{what} should be text, not a {self._kind()}")
        return self.value

    def items(self, what: str) -> list[Node]:
        """The value as a list; an entry left blank is the empty one.

        :raises FormatError: it is text or a mapping.
        """
        if self.plain and self.value == "":
            return []
        if not isinstance(self.value, list):
            self.fail(f"{what} should be a list, not a {self._kind()}")
        return self.value

    def mapping(self, what: str, known: Iterable[str]) -> dict[str, Node]:
        """The value as a mapping with none but the known keys.

        :raises FormatError: it is text or a list, or has an unknown key.
        """
        if not isinstance(self.value, dict):
            self.fail(f"{what} should be a mapping of keys to values, not a {self._kind()}")
        known = tuple(known)
        for key in self.value:
            if key not in known:
                raise FormatError(
                    f"unknown key {key!r} in {what}; {nearest(key, known)}",
                    self.source.place(self.key_lines[key]),
                )
        return self.value

    def choice(self, what: str, known: Iterable[str]) -> str:
        """The value as one of the known words, upper and lower case alike.

        :raises FormatError: it is none of them.
        """
        known = tuple(known)
        text = self.text(what)
        for word in known:
            if word.lower() == text.strip().lower():
                return word
        self.fail(f"{text!r} is no {what}; {nearest(text, known)}")

    def _kind(self) -> str:
        if isinstance(self.value, str):
            return f"text ({self.value!r})" if len(self.value) < 40 else "text"
        return "list" if isinstance(self.value, list) else "mapping"


def read_tree(source: Source, form: str) -> Node:
    """The document of a source as a tree.

    YAML anchors, aliases and tags are refused: no position needs them, and they are how a small
    file becomes a large one or more than data.

    :raises FormatError: a syntax error, a repeated key, or one of those.
    """
    check_text(source)
    text = source.text
    if form == "json":
        _check_json(source)
        # Valid JSON has tabs and line ends only between values, and is YAML but for the tabs and
        # for some characters beyond ASCII, such as other line ends, which are safe as escapes.
        text = _JSON_WIDE_ESCAPE.sub(_wide_character, text.replace("\t", " "))
        text = re.sub(r"[^\n -~]", lambda found: f"\\U{ord(found[0]):08x}", text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        events = iter(yaml.parse(text, Loader=loader))
        if not any(isinstance(event, yaml.DocumentStartEvent) for event in events):
            raise FormatError("has no content", source.where)
        root = _node(next(events), events, source, 0)
        next(events)
        if not isinstance(next(events), yaml.StreamEndEvent):
            raise FormatError("has more than one YAML document; give one", source.where)
        return root
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "it cannot be read"
        if mark and "".join(text.split("\n")[mark.line : mark.line + 1])[mark.column :][:1] == "\t":
            problem = "a tab stands where YAML wants spaces"
        raise FormatError(
            f"is not valid YAML: {problem}", source.place(mark.line + 1 if mark else None)
        ) from None
    except yaml.YAMLError as error:
        raise FormatError(
            f"is not valid YAML: {' '.join(str(error).split())}", source.where
        ) from None


def _wide_character(match: re.Match[str]) -> str:
    """JSON writes a character beyond 16 bits as two escapes, which YAML does not know."""
    units = bytes.fromhex(match[2].replace("\\u", ""))
    return match[1] + units.decode("utf-16-be", "replace")


def _check_json(source: Source) -> None:
    try:
        json.loads(source.text)
    except json.JSONDecodeError as error:
        raise FormatError(f"is not valid JSON: {error.msg}", source.place(error.lineno)) from None
    except (RecursionError, ValueError):
        raise FormatError("is nested too deeply to be a position", source.where) from None


def _node(event: Any, events: Iterator[Any], source: Source, depth: int) -> Node:
    line = event.start_mark.line + 1
    if isinstance(event, yaml.AliasEvent) or event.anchor is not None:
        raise FormatError(
            "YAML anchors and aliases (& and *) are not read; write the value out",
            source.place(line),
        )
    if event.tag is not None and event.tag != "!":
        raise FormatError(f"YAML tags ({event.tag}) are not read; leave it out", source.place(line))
    if depth > _MOST_DEPTH:
        raise FormatError("is nested too deeply to be a position", source.place(line))
    if isinstance(event, yaml.ScalarEvent):
        in_block = event.style in ("|", ">")
        plain = event.style not in ("'", '"', "|", ">")
        return Node(event.value, source, line, line + in_block, plain)
    if isinstance(event, yaml.SequenceStartEvent):
        entries = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            entries.append(_node(event, events, source, depth + 1))
        return Node(entries, source, line, line)
    values: dict[str, Node] = {}
    lines: dict[str, int] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _node(event, events, source, depth + 1)
        if not isinstance(key.value, str):
            key.fail('a key should be a word; quote moves such as "T:f3,e4,f4,g4"')
        if key.value in values:
            key.fail(f"the key {key.value!r} is given twice (first on line {lines[key.value]})")
        values[key.value] = _node(next(events), events, source, depth + 1)
        lines[key.value] = key.line
    return Node(values, source, line, line, key_lines=lines)


class _Block(str):
    """Text that YAML writes as a block, such as a grid."""


class _Quoted(str):
    """Text that YAML writes in quotes, such as a move."""


class _Flow(dict):  # type: ignore[type-arg]
    """A mapping that YAML writes on one line."""


class _Writer(yaml.SafeDumper):
    """Writes keys in the order given, grids as blocks and moves in quotes."""


_Writer.add_representer(
    _Block, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
)
_Writer.add_representer(
    _Quoted, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)
_Writer.add_representer(
    _Flow,
    lambda dumper, mapping: dumper.represent_mapping(
        "tag:yaml.org,2002:map", mapping, flow_style=True
    ),
)


def write_yaml(document: Mapping[str, Any]) -> str:
    """A document as YAML: texts of several lines as blocks, lists of texts quoted."""

    def styled(value: Any, in_list: bool = False) -> Any:
        if isinstance(value, str):
            if any(printable(line) != line for line in value.split("\n")):
                # Other line ends, and what would steer a terminal: only quotes have escapes.
                return _Quoted(value)
            if "\n" in value:
                return _Block(value)
            return _Quoted(value) if in_list else value
        if isinstance(value, Mapping):
            short = all(isinstance(each, int) for each in value.values())
            made = {key: styled(each) for key, each in value.items()}
            return _Flow(made) if short else made
        if isinstance(value, (list, tuple)):
            return [styled(each, in_list=True) for each in value]
        return value

    text = yaml.dump(
        styled(document), Dumper=_Writer, sort_keys=False, allow_unicode=True, width=100
    )
    # Within quotes, where alone there is any such letter, its escape means the same.
    return "\n".join(printable(line) for line in text.split("\n"))


def write_json(document: Any, ascii_only: bool = False) -> str:
    """A document as JSON, indented, characters as they are or as escapes.

    A letter that would steer a terminal is always an escape, which means the same to a reader.
    """
    text = json.dumps(document, indent=2, ensure_ascii=ascii_only)
    return "".join(
        letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1]
        for letter in text
    )


def document_text(document: Mapping[str, Any], path: str | Path) -> str:
    """A document as the ending of a file's name asks for it.

    :raises UsageError: the ending is none of ``DOCUMENT_ENDINGS``.
    """
    if check_ending(path, DOCUMENT_ENDINGS) == ".json":
        return write_json(document) + "\n"
    return write_yaml(document)


def check_ending(path: str | Path, endings: Collection[str]) -> str:
    """The ending of a file to write, in lower case.

    :raises UsageError: it is none of ``endings``; the message names them.
    """
    ending = Path(path).suffix.lower()
    if ending not in endings:
        *some, last = endings
        known = f"{', '.join(some)} or {last}" if some else last
        raise UsageError(f"{str(path) or 'no name'}: the name of the file should end in {known}")
    return ending


# Text forms


@dataclass(frozen=True)
class TextForm:
    """A text form: its ``key: value`` lines and the lines of its grid, each with its number."""

    source: Source
    keys: Mapping[str, tuple[str, int]]
    rows: tuple[tuple[int, str], ...]

    def choice(self, key: str, known: Iterable[str]) -> str | None:
        """The value of a key as one of the known words; None where the key is not given.

        :raises NotationError: it is none of them.
        """
        if key not in self.keys:
            return None
        value, line = self.keys[key]
        known = tuple(known)
        for word in known:
            if word.lower() == value.lower():
                return word
        raise NotationError(
            f"{value!r} is no {key}; {nearest(value, known)}", self.source.place(line)
        )


def keys_of(source: Source, known_keys: Iterable[str]) -> list[str]:
    """The keys of a document, or of a text form, that are given.

    :raises FormatError: the document cannot be read.
    :raises NotationError: the text has an unknown or repeated key.
    """
    form = form_of(source.text)
    if form == "text":
        return list(split_text(source, known_keys).keys)
    root = read_tree(source, form).value
    return list(root) if isinstance(root, dict) else []


def split_text(source: Source, known_keys: Iterable[str], first_line: int = 1) -> TextForm:
    """Split a text into its key lines, in lower case, and its grid lines.

    Blank lines and lines that start with ``;`` are left out.  ``first_line`` is the number of
    the text's first line where it stands inside another file.

    :raises NotationError: an unknown or repeated key, or a key below the grid.
    """
    known = tuple(known_keys)
    keys: dict[str, tuple[str, int]] = {}
    rows: list[tuple[int, str]] = []
    for number, raw in enumerate(source.text.split("\n"), first_line):
        line = raw.strip().replace("\t", " ")
        if not line or line.startswith(";"):
            continue
        word, colon, value = line.partition(":")
        word = word.rstrip()
        if not colon or _KEY.fullmatch(word) is None:
            rows.append((number, line))
            continue
        key = word.lower().replace("_", "-").replace(" ", "-")
        place = source.place(number)
        if key not in known:
            hint = nearest(key, (*known, *_TREE_KEYS))
            raise NotationError(f"unknown key {word!r}; {hint}", place)
        if key in keys:
            raise NotationError(
                f"the key {key!r} is given twice (first on line {keys[key][1]})", place
            )
        if rows:
            raise NotationError(f"the key {key!r} belongs above the grid", place)
        keys[key] = (value.strip(), number)
    return TextForm(source, keys, tuple(rows))


def grid_rows(
    form: TextForm,
    letters: str,
    check_size: Callable[[int, int], None],
    blanks: str = "-_",
) -> list[str]:
    """The grid of a text form: equally long rows of the given letters.

    Spaces, row labels and column labels are left out, ``-`` and ``_`` become ``.``.

    :raises NotationError: no grid, a letter that is none, ragged rows, a size out of range.
    """
    rows: list[tuple[int, str]] = []
    for number, line in form.rows:
        cells = "".join(line.split())
        if _is_column_label(cells):
            continue
        cells = cells.strip("0123456789")
        for blank in blanks:
            cells = cells.replace(blank, ".")
        rows.append((number, cells))
    if not rows:
        raise NotationError("there is no grid", form.source.where)
    width = len(rows[0][1])
    if len(rows) > 64 or width > 64:
        _check_size(form, check_size, len(rows), width)
    for row, (number, cells) in enumerate(rows, 1):
        for cell in cells:
            if cell not in letters:
                raise NotationError(
                    f"unknown letter {cell!r} in row {row} ({_shortened(cells)}); "
                    f"a cell is one of {' '.join(letters)}",
                    form.source.place(number),
                )
    _check_spaces(form, blanks)
    for row, (number, cells) in enumerate(rows, 1):
        if len(cells) != width:
            raise NotationError(
                f"the grid is ragged: row {row} ({_shortened(cells)}) has {len(cells)} cells, "
                f"row 1 has {width}",
                form.source.place(number),
            )
    _check_size(form, check_size, len(rows), width)
    return [cells for _, cells in rows]


_SPACED = re.compile(r"\S(?:(\s+)\S(?:\1\S)*)?")


def _check_spaces(form: TextForm, blanks: str) -> None:
    """Refuse a grid with spaces that may be blank cells: it would be read too narrow.

    They only separate cells where blank cells are written out, or where they are the same between
    all cells.

    :raises NotationError: neither is so.
    """
    separators = set()
    for _, line in form.rows:
        if any(blank in line for blank in "." + blanks):
            return
        cells = line.strip("0123456789 ")
        if cells and not _is_column_label("".join(cells.split())):
            match = _SPACED.fullmatch(cells)
            between = "uneven" if " " in cells else ""
            separators.add((match[1] or "") if match else between)
    if len(separators) > 1 or "uneven" in separators:
        raise NotationError(
            "the spaces may be blank cells or only stand between cells; "
            "write . for each blank cell",
            form.source.place(form.rows[0][0]),
        )


def _check_size(
    form: TextForm, check_size: Callable[[int, int], None], rows: int, columns: int
) -> None:
    try:
        check_size(rows, columns)
    except LitstoolError as error:
        raise NotationError(error.message, form.source.where) from None


def _is_column_label(cells: str) -> bool:
    if cells.isascii() and cells.isdigit():
        return True
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    return len(cells) >= 4 and cells.lower() == alphabet[: len(cells)]


def _shortened(text: str) -> str:
    return text if len(text) <= 24 else text[:21] + "..."


def expand_line(line: str, source: Source) -> list[str]:
    """The rows of a one-line position: ``/`` between rows, a run of digits for so many blanks.

    :raises NotationError: a run of more cells than any board has.
    """

    def blanks(match: re.Match[str]) -> str:
        if len(match[0]) > 3 or int(match[0]) > 64:
            number = _shortened(match[0])
            raise NotationError(f"{number} blank cells in a row are too many", source.where)
        return "." * int(match[0])

    return [re.sub(r"[0-9]+", blanks, row) for row in line.split("/")]


def compress_rows(rows: Iterable[str]) -> str:
    """The rows of a grid on one line: the inverse of :func:`expand_line`."""
    return "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)


def checksum(text: str) -> str:
    """Sixteen letters by which a change of a text is noticed."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def data_folder(name: str) -> Path:
    """The folder of data files that travels with the package: ``patterns`` or ``examples``."""
    package = Path(__file__).parents[1]
    return package / name if (package / name).is_dir() else package.parent / name


_EXAMPLE_ENDINGS = (".yaml", ".txt")


def example_names() -> list[str]:
    """The names of the examples: their paths in the folder of examples, without the endings."""
    folder = data_folder("examples")
    found = (path for path in folder.rglob("*") if path.suffix in _EXAMPLE_ENDINGS)
    return sorted(path.relative_to(folder).with_suffix("").as_posix() for path in found)


def example(name: str) -> Path | None:
    """The example of a name such as ``endgame-5`` or ``puzzles/puzzle-01``; None for no such.

    Read too: the ending, and ``examples/`` before it, which also makes a folder's name one.
    """
    words = Path(name).parts
    in_full = words[:1] == ("examples",)
    inside = words[in_full:]
    if not inside or ".." in inside or Path(name).is_absolute():
        return None
    path = data_folder("examples").joinpath(*inside)
    for ending in ("", *_EXAMPLE_ENDINGS):
        found = path.with_name(path.name + ending)
        if exists(found) and (in_full or found.is_file()):
            return found
    return None
