"""The table of all boards: every arrangement of four 2x2 boards with its value.

``python -m litstool.mijnlieff.table FILE`` solves one arrangement after the other under the
official rules and writes each value as soon as it is proved.  Started again on the same file, it
goes on where it stopped.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import yaml

from litstool.errors import FormatError, LitstoolError, SourceError
from litstool.mijnlieff.board import Offset, arrangements, board_of, outline_of_offsets
from litstool.mijnlieff.position import Position
from litstool.results import Control, Progress
from litstool.writing import write_file

HASH_MIB = 1024
_HEADER = """\
# Mijnlieff on every arrangement of four 2x2 boards that are connected by edges, one of each up to
# turns and reflections: {total} in all.  Official rules (a gap blocks Straight and Diagonal, the
# first piece on an outside cell).  Made by: python -m litstool.mijnlieff.table FILE
#
# offsets      top-left row and column of each 2x2 board, from 0
# symmetries   turns and reflections that leave the board as it is, the identity included
# margin       Light's score minus Dark's under best play
# winning, drawing   how many of Light's first moves win and draw
# first-moves  margin: how many of Light's first moves lead to it
arrangements:
"""


@dataclass(frozen=True)
class Entry:
    """One board of the table.  ``first_moves``: margin -> how many first moves have it."""

    offsets: tuple[Offset, ...]
    symmetries: int
    margin: int
    first_moves: dict[int, int]

    @property
    def winning(self) -> int:
        """How many of Light's first moves win."""
        return sum(count for margin, count in self.first_moves.items() if margin > 0)

    @property
    def drawing(self) -> int:
        """How many of Light's first moves draw."""
        return self.first_moves.get(0, 0)

    def line(self) -> str:
        """The entry as a line of YAML."""
        offsets = ", ".join(f"[{row}, {column}]" for row, column in self.offsets)
        moves = ", ".join(
            f"{margin}: {self.first_moves[margin]}"
            for margin in sorted(self.first_moves, reverse=True)
        )
        return (
            f"- {{offsets: [{offsets}], symmetries: {self.symmetries}, margin: {self.margin}, "
            f"winning: {self.winning}, drawing: {self.drawing}, first-moves: {{{moves}}}}}\n"
        )


def read(path: Path) -> list[Entry]:
    """The entries of a table's file; none where there is no file yet.

    :raises SourceError: the file cannot be read.
    :raises FormatError: it is no such table.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read: {error}", str(path)) from None
    try:
        document: Any = yaml.safe_load(text)
        return [
            Entry(
                tuple((int(row), int(column)) for row, column in entry["offsets"]),
                int(entry["symmetries"]),
                int(entry["margin"]),
                {int(margin): int(count) for margin, count in entry["first-moves"].items()},
            )
            for entry in document["arrangements"] or ()
        ]
    except (yaml.YAMLError, TypeError, KeyError, ValueError, AttributeError) as error:
        problem = " ".join(str(error).split())
        raise FormatError(f"is no table of arrangements: {problem}", str(path)) from None


def write(path: Path, entries: list[Entry]) -> None:
    """Write a table whole, so that a stop in between leaves the old one.

    :raises WriteError: the file cannot be written.
    """
    text = _HEADER.format(total=len(arrangements())) + "".join(each.line() for each in entries)
    write_file(path, text)


def entry_of(offsets: tuple[Offset, ...], control: Control, hash_mib: int) -> Entry | None:
    """Solve one arrangement; None where the control stopped it."""
    from litstool.mijnlieff.solver import solve

    board = board_of(outline_of_offsets(offsets))
    result = solve(Position.empty(board), all_moves=True, control=control, hash_mib=hash_mib)
    if not result.solved:
        return None
    assert result.margin is not None and result.moves is not None
    counts = Counter(each.margin for each in result.moves if each.margin is not None)
    return Entry(offsets, len(board.symmetries), result.margin, dict(counts))


def make(
    path: Path,
    control: Control | None = None,
    *,
    hash_mib: int = HASH_MIB,
    on_entry: Callable[[int, int, Entry], None] | None = None,
) -> bool:
    """Solve the arrangements that a file has no value of yet; whether all are there now.

    ``on_entry`` is called with how many are done, of how many, and the newest.

    :raises LitstoolError: the file cannot be read or written.
    """
    control = control or Control()
    started = time.monotonic()
    done = {entry.offsets: entry for entry in read(path)}
    total = arrangements()
    for offsets in total:
        if offsets in done:
            continue
        left = None
        if control.time_limit is not None:
            left = control.time_limit - (time.monotonic() - started)
            if left <= 0:
                return False
        inner = _linked(control, left)
        entry = entry_of(offsets, inner, hash_mib)
        if inner.interrupted:
            control.stop()
        if entry is None:
            return False
        done[offsets] = entry
        write(path, [done[each] for each in total if each in done])
        if on_entry is not None:
            on_entry(len(done), len(total), entry)
        if control.interrupted:
            break
    return all(offsets in done for offsets in total)


def _linked(control: Control, time_limit: float | None) -> Control:
    """A control for one board that hears when the whole is told to stop."""

    def tick(progress: Progress) -> None:
        if control.interrupted:
            inner.stop()
        if control.on_progress is not None:
            control.on_progress(progress)

    inner = Control(time_limit, tick)
    return inner


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--time-limit", type=click.FloatRange(min=0), help="Seconds; default: no limit.")
@click.option("--hash", "hash_mib", type=click.IntRange(1), default=HASH_MIB, show_default=True)
def main(path: Path, time_limit: float | None, hash_mib: int) -> None:
    """Solve every arrangement of four 2x2 boards into FILE, going on with what is there.

    Exit status: 0 complete, 3 the time limit came first, 130 interrupted.
    """
    control = Control(time_limit)

    def report(done: int, total: int, entry: Entry) -> None:
        click.echo(f"{done} of {total}: {entry.line().strip()}")

    try:
        complete = make(path, control, hash_mib=hash_mib, on_entry=report)
    except LitstoolError as error:
        click.echo(f"litstool: {error}", err=True)
        raise SystemExit(error.exit_status) from None
    raise SystemExit(0 if complete else 130 if control.interrupted else 3)


if __name__ == "__main__":
    main()
