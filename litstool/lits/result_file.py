"""The file of ``solve --all --results``: what was asked, then a line for each move's value.

Each line is a JSON document that ends in a checksum over itself and the first line, so a line
that was damaged, changed or comes from another file is noticed.  Nothing is believed before it
is checked: the winner and the margin of a move are those at the end of its line of play.

    first line  ``format``, ``pattern``, ``pieces``, ``to_move``, ``supply``, ``objective``
    other lines ``move``, ``winner``, ``margin`` (the final score of X minus that of O under best
                play; null where only the outcome was asked), ``line`` (play to the end of the
                game, the move first), ``nodes``
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from litstool.errors import FormatError, SourceError, WriteError
from litstool.files.reading import checksum, exists
from litstool.files.writing import locked, write_file
from litstool.lits.board import SIDES
from litstool.lits.position import Position
from litstool.search.results import SCORE

FORMAT = "litstool results 2"
_MOST_BYTES = 64 << 20
"""Several times what the longest games on the largest board take."""

_HEADER = ("format", "pattern", "pieces", "to_move", "supply", "objective", "check")
_RECORD = ("move", "winner", "margin", "line", "nodes", "check")


@dataclass(frozen=True)
class Record:
    """The value of one root move: ``line`` begins with it; ``last_mover`` plays its last move."""

    move: str
    winner: str
    margin: int | None
    line: tuple[str, ...]
    nodes: int
    last_mover: str


def record_of(position: Position, objective: str, line: tuple[str, ...], nodes: int) -> Record:
    """The record of a root move from the best play after it, to the end of the game.

    :raises ValueError: the line is not legal play to the end.
    """
    end = position
    for text in line:
        move = position.placements.written.get(text)
        if move is None or not end.is_legal(move):
            raise ValueError(f"{text!r} is no legal move there")
        end = end.placed(move)
    if not line or not end.is_finished or end.winner not in SIDES or end.last_mover is None:
        raise ValueError("the line does not go on to the end of the game")
    margin = end.margin if objective == SCORE else None
    return Record(line[0], end.winner, margin, line, nodes, end.last_mover)


class ResultFile:
    """A result file that this run alone reads and writes; without a path, nothing is kept."""

    def __init__(
        self, position: Position, objective: str, path: Path | None, on_note: Callable[[str], None]
    ) -> None:
        self.position = position
        self.objective = objective
        self.path = path
        self.name = str(path)
        self.on_note = on_note
        self.known: dict[str, Record] = {}
        self.waiting = ""
        self.size = 0
        self.header = _with_check(
            {
                "format": FORMAT,
                "pattern": "/".join(position.pattern.rows()),
                "pieces": sorted(piece.notation for piece in position.pieces),
                "to_move": position.to_move,
                "supply": list(position.supply),
                "objective": objective,
            }
        )

    @classmethod
    @contextlib.contextmanager
    def opened(
        cls,
        position: Position,
        objective: str,
        path: Path | None,
        on_note: Callable[[str], None] = lambda text: None,
    ) -> Iterator[ResultFile]:
        """The file with what it has already, checked.  ``on_note`` is told what was mended.

        :raises SourceError: it cannot be read.
        :raises FormatError: it is damaged, or of another position, objective or version.
        :raises WriteError: it cannot be written, or another run has it.
        """
        found = cls(position, objective, path, on_note)
        if path is None:
            yield found
            return
        with locked(path, wait=0):
            found._read(path)
            try:
                yield found
            finally:
                if found.waiting:
                    found._write_waiting()
                if found.waiting:
                    lines = found.waiting.count("\n")
                    on_note(f"{path}: {lines} results could not be written there")

    def add(self, record: Record) -> None:
        """Write a result so that it outlives an interruption; where that fails, try again with
        the next one."""
        self.known[record.move] = record
        if self.path is None:
            return
        self.waiting += self._line(record) + "\n"
        self._write_waiting()

    def _write_waiting(self) -> None:
        assert self.path is not None
        data = self.waiting.encode()
        try:
            with self.path.open("r+b") as file:
                try:
                    file.seek(self.size)
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                except OSError:
                    # Nothing half written stays between whole lines.
                    with contextlib.suppress(OSError):
                        os.truncate(self.path, self.size)
                    raise
        except OSError as error:
            if self.waiting.count("\n") == 1:
                self.on_note(
                    f"{self.path}: cannot be written: {error.strerror}; the search goes on"
                )
            return
        self.size += len(data)
        self.waiting = ""

    def _read(self, path: Path) -> None:
        if exists(path) and not path.is_file():
            raise WriteError("is no file that results can be kept in", self.name)
        try:
            data = b""
            if exists(path):
                with path.open("rb") as file:
                    data = file.read(_MOST_BYTES + 1)
        except OSError as error:
            raise SourceError(f"cannot be read: {error.strerror}", self.name) from None
        if len(data) > _MOST_BYTES:
            raise FormatError("is too large to be a result file of solve --all", self.name)
        if not data.strip():
            data = f"{self.header}\n".encode()
            write_file(path, data)
        whole = data[: data.rfind(b"\n") + 1]
        try:
            lines = whole.decode("utf-8").split("\n")[:-1]
        except UnicodeDecodeError:
            raise FormatError("this is no result file of solve --all", self.name) from None
        self._check_header(lines[0] if lines else "")
        for number, text in enumerate(lines[1:], 2):
            record = self._record(text, number)
            if record.move in self.known:
                self._fail(number, f"{record.move} was there before")
            self.known[record.move] = record
        if whole != data:
            write_file(path, whole)
            self.on_note(f"{path}: the last line was cut short and is left out")
        self.size = len(whole)

    def _check_header(self, text: str) -> None:
        if text == self.header:
            return
        found = _parsed(text)
        if found is None or not {"pattern", "pieces", "objective"} <= set(found):
            raise FormatError("this is no result file of solve --all", self.name)
        if found.get("format") != FORMAT:
            raise FormatError(
                "the results are in the form of another version of litstool; "
                "give another file to begin anew",
                self.name,
            )
        if tuple(found) != _HEADER or text != _with_check(found):
            self._fail(1, "the checksum does not match")
        raise FormatError("the results are of another position or objective", self.name)

    def _record(self, text: str, number: int) -> Record:
        found = _parsed(text)
        if found is None or tuple(found) != _RECORD:
            self._fail(number, "it is no result of solve --all")
        if text != _with_check(found, self.header):
            self._fail(number, "the checksum does not match")
        line, nodes = found["line"], found["nodes"]
        if (
            not isinstance(line, list)
            or not all(isinstance(each, str) for each in line)
            or type(nodes) is not int
            or not 0 <= nodes < 1 << 63
        ):
            self._fail(number, "it is no result of solve --all")
        try:
            record = record_of(self.position, self.objective, tuple(line), nodes)
        except ValueError as error:
            self._fail(number, str(error))
        if text != self._line(record):
            self._fail(number, "it says another result than its line of play has")
        return record

    def _line(self, record: Record) -> str:
        fields = {key: getattr(record, key) for key in _RECORD[:-1]}
        return _with_check(fields, self.header)

    def _fail(self, number: int, why: str) -> NoReturn:
        raise FormatError(
            f"the result is damaged: {why}; take the line out or give another file",
            f"{self.name}, line {number}",
        )


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _with_check(fields: dict[str, Any], before: str = "") -> str:
    """Fields as a line that ends in the checksum of itself and of what stands before it."""
    fields = {key: value for key, value in fields.items() if key != "check"}
    return json.dumps({**fields, "check": checksum(before + json.dumps(fields))})
