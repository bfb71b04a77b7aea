"""Where files go that are numbered: a folder, one file, or a file for each of several."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from litstool.errors import UsageError
from litstool.files.reading import check_ending, exists
from litstool.files.writing import check_outputs, make_folder


@dataclass(frozen=True)
class Place:
    """Where so many files go: their folder and beginning, ending and digits of the number."""

    number: int
    start: Path
    ending: str
    suffix: str
    digits: int

    @classmethod
    def named(cls, output: str, number: int, stem: str, endings: Sequence[str]) -> Place:
        """The place that a name stands for: a folder, a file, or a file for each of several.

        With the stem ``board`` the files of a folder are ``board-1.txt`` and so on, with the first
        of the endings; several for one file have their number before its ending, ``my-1.svg``; a
        name without an ending means the first one.

        :raises UsageError: the ending is none of these, or there is no name.
        """
        path = Path(output)
        digits = len(str(number))
        usual = endings[0]
        if output.endswith(("/", os.sep)) or os.path.isdir(output):
            return cls(number, path / stem, usual, usual, digits)
        if path.name in ("", ".."):
            raise UsageError(f"{output!r} names no file; a folder ends with /")
        ending = check_ending(path, endings) if path.suffix else usual
        start = path.with_suffix("") if path.suffix else path
        return cls(number, start, ending, path.suffix or usual, digits if number > 1 else 0)

    def file(self, number: int) -> Path:
        """One of the files, counted from 1."""
        numbered = f"-{number:0{self.digits}}" if self.digits else ""
        return self.start.with_name(f"{self.start.name}{numbered}{self.suffix}")

    def prepare(self, source: str | None) -> None:
        """Make the folder, and see that no file is lost: not ``source``, which is read.

        :raises UsageError: a file is the source, or is there and has a name that nobody typed.
        :raises WriteError: the folder or the first file cannot be written.
        """
        make_folder(self.file(1).parent)
        check_outputs({"-o": self.file(1)}, [source])
        files = [self.file(number) for number in range(1, self.number + 1)]
        there = [file for file in files if exists(file)] if self.digits else []
        if source is not None and exists(source):
            for file in there:
                check_outputs({"-o": file}, [source])
        if there:
            # Nobody typed these names, so nobody knows what they would replace.
            raise UsageError(f"{there[0]} is there already; give another folder or name")
