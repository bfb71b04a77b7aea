"""The games, and which of them an input is of, so that one command serves all.

``GAMES`` is the whole list: nothing else above the games' own rooms knows how many there are.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from litstool.errors import (
    FormatError,
    IllegalError,
    LitstoolError,
    NotationError,
    SourceError,
    printable,
)
from litstool.files import many
from litstool.files.reading import (
    Node,
    Source,
    check_text,
    example,
    example_names,
    exists,
    form_of,
    nearest,
    open_file,
    read_file,
    read_tree,
    write_json,
    write_yaml,
)
from litstool.game import AnyRoom, Position, Record, Room
from litstool.lits import room as lits_room
from litstool.mijnlieff import room as mijnlieff_room

GAMES: list[Room[Any, Any]] = [lits_room.GAME, mijnlieff_room.GAME]
"""Every game; what does not say which it is of is of the first."""

_GAME_LINE = re.compile(r"^[ \t]*game[ \t]*:(.*)$", re.IGNORECASE | re.MULTILINE)


def named(name: str) -> AnyRoom:
    """The game of a name.

    :raises KeyError: there is none.
    """
    return {game.name: game for game in GAMES}[name]


def of(record: Record) -> AnyRoom:
    """The game that a record is of."""
    return named(record.game)


def boards() -> Mapping[str, Path]:
    """The files of the boards that have a name, such as ``boxes``, of all games."""
    return {name: path for game in GAMES for name, path in game.boards().items()}


def forms() -> list[many.TextForms]:
    """What the texts of each game look like."""
    return [game.forms for game in GAMES]


def load(argument: str) -> tuple[Source, Record]:
    """What a POSITION argument names: ``-``, a file, a standard board or a one-line position.

    :raises LitstoolError: it is none of these, what it names cannot be read, or it has several.
    """
    source = find(argument)
    return source, read(source)


def find(argument: str) -> Source:
    """The text that a POSITION argument stands for.

    :raises SourceError: nothing fits, or it has several positions; the message says which.
    """
    found = itertools.islice(parts(argument, folders=False), 2)
    first, second = next(found), next(found, None)
    if second is not None:
        raise FormatError(_SEVERAL, first.name)
    return first.source()


_SEVERAL = (
    "has more than one position, and here one is wanted; give one (show, validate, moves, "
    "solve, analyze and convert take several)"
)


@dataclass(frozen=True)
class Part:
    """One of the positions that an argument stands for.

    ``argument`` is as typed, or the path of the file in a folder; ``number`` counts from 1 within
    the file, and is None where the file has but one; ``name`` is the file's for messages.
    """

    argument: str
    name: str
    found: Source | LitstoolError
    number: int | None = None

    @property
    def label(self) -> str:
        """The name that a heading or a message gives it: ``games.txt, 3``, fit for a terminal."""
        return printable(self.name if self.number is None else f"{self.name}, {self.number}")

    def source(self) -> Source:
        """Its text.

        :raises LitstoolError: there is none; the error says why.
        """
        if isinstance(self.found, LitstoolError):
            raise self.found
        return self.found

    def read(self, ply: int | None = None) -> tuple[Source, Record]:
        """Its text, and the game record in it, cut at ``ply``.

        :raises LitstoolError: it cannot be read, or has not so many moves.
        """
        source = self.source()
        return source, _read_one(source).at(ply)


def parts(argument: str, *, folders: bool = True) -> Iterator[Part]:
    """The positions that an argument stands for, one after the other, as they are read.

    With ``folders`` the files in a folder are read in order (see :func:`files_in`).

    :raises SourceError: nothing fits; the message says what was tried.
    """
    if argument == "-":
        if sys.stdin is None:
            raise SourceError("is closed", "standard input")
        origin = Source("standard input", "", Path(), [Path("/dev/stdin")])
        yield from _numbered(argument, sys.stdin.buffer, origin)
        return
    if not argument.strip():
        raise SourceError("the argument is empty; expected a file, a board's name or one line")
    path = Path(argument)
    standard = boards()
    if not exists(path) and argument.lower() not in standard:
        path = example(argument) or path
    is_folder = exists(path) and path.is_dir()
    if exists(path) and not is_folder:
        yield from _parts_of_file(path, argument)
    elif argument.lower() in standard:
        yield Part(argument, argument, read_file(standard[argument.lower()], argument))
    elif is_folder:
        if not folders:
            raise SourceError("is a folder, not a file", argument)
        for each in files_in(path):
            try:
                yield from _parts_of_file(each, str(each))
            except LitstoolError as error:
                yield Part(str(each), str(each), error)
    elif _is_meant_as_line(argument):
        yield Part(argument, _shortened(argument), Source(_shortened(argument), argument))
    else:
        hint = nearest(argument, [*standard, *example_names()])
        hint = f"; {hint}" if hint.startswith("did") else ""
        raise SourceError(
            f"{_shortened(argument)} is neither a file, nor a standard board "
            f"({', '.join(standard)}), nor an example (litstool examples lists them), nor a "
            f"one-line position (rows joined by /){hint}"
        )


_BOOK = ".book.yaml"
POSITION_ENDINGS = (".yaml", ".yml", ".json", ".jsonl", ".txt", ".lits", ".tsv")
"""The endings of the files in a folder that are taken for positions."""


def files_in(folder: Path) -> list[Path]:
    """The files of positions in a folder by name, those in folders within it left out.

    :raises SourceError: there are none, or it cannot be read.
    """
    try:
        found = [path for path in folder.iterdir() if path.suffix.lower() in POSITION_ENDINGS]
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(folder)) from None
    found = [
        path
        for path in found
        if path.is_file() and not path.name.startswith(".") and not path.name.endswith(_BOOK)
    ]
    if not found:
        endings = ", ".join(POSITION_ENDINGS)
        raise SourceError(f"is a folder with no file of positions ({endings})", str(folder))
    return sorted(found)


def _parts_of_file(path: Path, name: str) -> Iterator[Part]:
    with open_file(path, name) as stream:
        yield from _numbered(name, stream, Source(name, "", path.parent, [path]))


def _numbered(argument: str, stream: BinaryIO, origin: Source) -> Iterator[Part]:
    """The positions of a stream; a number where there is more than one."""
    found = _each_game(many.read_stream(stream, origin, forms()))
    first = next(found)
    second = next(found, None)
    if second is None:
        yield Part(argument, origin.name, first)
        return
    for number, each in enumerate(itertools.chain((first, second), found), 1):
        yield Part(argument, origin.name, each, number)


def _is_meant_as_line(argument: str) -> bool:
    """Whether an argument is a one-line position or a game line, rightly written or not.

    Rows are joined by ``/`` like the parts of a path, so most of their letters must be cells.
    """
    if ";" in argument:
        return True
    is_path = re.search(r"^[.~]{0,2}/|\.(ya?ml|json|txt|lits|csv|md)$", argument.strip())
    for form in forms():
        rows = form.rows_in(argument)
        if form.long_row is not None and form.long_row.fullmatch(rows):
            return True
        if "/" in rows and not is_path and form.are_rows(rows):
            return True
    return False


def _shortened(argument: str) -> str:
    """An argument in quotes, as a name for messages."""
    argument = " ".join(argument.split())
    return f"'{argument}'" if len(argument) <= 60 else f"'{argument[:57]}...'"


def read(source: Source) -> Record:
    """The game record in a source, whatever its form and game.

    :raises LitstoolError: it cannot be read, or there are several.
    """
    first, *others = split(source)
    if others:
        raise FormatError(_SEVERAL, source.name)
    record = _read_one(first)
    source.files[:] = first.files
    return record


def read_all(source: Source) -> Iterator[Record]:
    """Every game record in a source, one after the other.

    :raises LitstoolError: one cannot be read.
    """
    for each in split(source):
        yield _read_one(each)


def split(source: Source) -> list[Source]:
    """The positions of a text, one source for each.

    :raises LitstoolError: it is empty, or one of them cannot be read.
    """
    found = []
    for each in _each_game(many.split(source, forms())):
        if isinstance(each, LitstoolError):
            raise each
        found.append(each)
    return found


def _each_game(found: Iterable[many.Found]) -> Iterator[many.Found]:
    """The same, with texts that only a game's rules can part, such as a log, parted."""
    splits = [game.split for game in GAMES if game.split is not None]
    for each in found:
        if isinstance(each, LitstoolError) or form_of(each.text) != "text":
            yield each
            continue
        try:
            pieces = [each]
            for split_text in splits:
                pieces = [part for piece in pieces for part in split_text(piece)]
            yield from pieces
        except LitstoolError as error:
            yield error


def _read_one(source: Source) -> Record:
    check_text(source)
    form = form_of(source.text)
    if form != "text":
        root = read_tree(source, form)
        return _game_of_tree(root).notation().read_document(root)
    return _game_of_text(source).notation().read_text(source)


def _game_of_text(source: Source) -> AnyRoom:
    if match := _GAME_LINE.search(source.text):
        line = source.text.count("\n", 0, match.start(1)) + 1
        return _known_game(match[1].strip(), source, line)
    first = source.text.split(None, 1)[0].lower()
    for game in GAMES:
        drawn = game.forms.drawn
        if first == game.forms.word or (drawn is not None and drawn.search(source.text)):
            return game
    return GAMES[0]


def _game_of_tree(root: Node) -> AnyRoom:
    if isinstance(root.value, dict) and "game" in root.value:
        return named(root.value["game"].choice("game", [game.name for game in GAMES]))
    return GAMES[0]


def _known_game(word: str, source: Source, line: int) -> AnyRoom:
    names = [game.name for game in GAMES]
    if word.lower() not in names:
        raise NotationError(f"{word!r} is no game; {nearest(word, names)}", source.place(line))
    return named(word.lower())


# --- writing ----------------------------------------------------------------------------------

NOTATIONS = ("text", "line", "yaml", "json")
"""The notations of every game; some games have more."""


def written(record: Record, notation: str, *, on_one_line: bool = False) -> str:
    """A game in a notation, as a file of it would be; JSON on one line where asked for.

    :raises LitstoolError: the notation cannot carry it, or is of other games.
    """
    game = of(record)
    writer = game.notation()
    if notation in game.notations:
        return game.notations[notation](record)
    if notation == "line":
        return writer.write_line(record)
    if notation == "text":
        return writer.write_text(record)
    if notation not in NOTATIONS:
        known = " and ".join(each.title for each in GAMES if notation in each.notations)
        raise LitstoolError(f"{notation.upper()} is a notation of {known} only")
    document = writer.write_document(record)
    if notation == "yaml":
        return write_yaml(document)
    return json.dumps(document, ensure_ascii=False) if on_one_line else write_json(document)


class CannotCarry(LitstoolError):
    """A notation in which a position cannot be written, or not as it is."""

    kind = "notation"
    exit_status = 1


@dataclass(frozen=True)
class Converted:
    """A game in another notation: its text, what that leaves out, and whether it is legal."""

    text: str
    lost: list[str]
    legal: bool


def converted(record: Record, notation: str, where: str, *, on_one_line: bool = False) -> Converted:
    """A game in a notation that carries what matters of it, what is wrong with it too.

    :raises CannotCarry: it does not; the error names ``where`` the game is from.
    """
    try:
        text = written(record, notation, on_one_line=on_one_line).rstrip("\n")
    except LitstoolError as error:
        raise CannotCarry(error.message, error.where or where) from None
    rules = sorted({each.rule for each in record.violations()})
    if rules:
        _check_carried(record, rules, text, notation, where)
    return Converted(text, of(record).notation().losses(record, notation), not rules)


def _check_carried(game: Record, rules: list[str], text: str, target: str, where: str) -> None:
    """See that what is wrong with a position is still wrong with it in another notation.

    :raises CannotCarry: it would be legal, or wrong in another way, such as where touching
        pieces of one shape become one piece.
    """
    again = read(Source("it", text))
    broken = sorted({each.rule for each in again.violations()})
    if broken != rules or set(again.all_pieces) != set(game.all_pieces):
        found = f"it would break {', '.join(broken)}" if broken else "it would be legal"
        raise CannotCarry(
            f"{target} cannot carry what is wrong with the position ({', '.join(rules)}): {found}",
            where,
        )


def legal_position(source: Source, record: Record) -> Position:
    """The position of a record.

    :raises IllegalError: it breaks the rules; the error names the source.
    """
    try:
        return record.position()
    except IllegalError as error:
        raise IllegalError(error.violations, source.name) from None
