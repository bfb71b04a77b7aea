"""The table of all boards: every arrangement of four 2x2 boards with its value.

``python -m litstool.cli.mijnlieff.table FILE`` solves one arrangement after the other under the
official rules and writes each value as soon as it is proved.  Started again on the same file, it
goes on where it stopped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Set
from dataclasses import dataclass
from pathlib import Path

from litstool.files.reading import Node, checksum, exists, read_file, read_tree
from litstool.files.writing import locked, write_file
from litstool.mijnlieff.board import KINDS, Offset, arrangements, board_of, outline_of_offsets
from litstool.mijnlieff.position import Position
from litstool.search.control import Control

HASH_MIB = 1024
_HEADER = """\
# Mijnlieff on every arrangement of four 2x2 boards that are connected by edges, one of each up to
# turns and reflections: {total} in all.  Official rules (a gap blocks Straight and Diagonal, the
# first piece on an outside cell).  Made by: python -m litstool.cli.mijnlieff.table FILE
#
# offsets      top-left row and column of each 2x2 board, from 0
# symmetries   turns and reflections that leave the board as it is, the identity included
# margin       Light's score minus Dark's under best play
# winning, drawing   how many of Light's first moves win and draw
# first-moves  margin: how many of Light's first moves lead to it
checksum: "{checksum}"
arrangements:
"""
_KEYS = ("offsets", "symmetries", "margin", "winning", "drawing", "first-moves")
_MARGINS = tuple(str(margin) for margin in range(-99, 100))


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
    """The entries of a table's file, each checked; none where there is no file yet.

    :raises SourceError: the file cannot be read.
    :raises FormatError: it is no such table, or was damaged or changed.
    """
    if not exists(path):
        return []
    root = read_tree(read_file(path), "yaml")
    keys = root.mapping("a table of arrangements", ("checksum", "arrangements"))
    if "arrangements" not in keys:
        root.fail("a table of arrangements has the key arrangements")
    known = set(arrangements())
    entries: list[Entry] = []
    for node in keys["arrangements"].items("arrangements"):
        entry = _entry(node, known)
        known.remove(entry.offsets)
        entries.append(entry)
    # Tables once had none.
    if "checksum" in keys and keys["checksum"].text("checksum") != _checksum(entries):
        keys["checksum"].fail("the checksum does not match: the table was damaged or changed")
    return entries


def _entry(node: Node, known: Set[tuple[Offset, ...]]) -> Entry:
    """An entry of a file, for one of the arrangements that are still to come.

    :raises FormatError: it has not the form of an entry, or cannot be true of its board.
    """
    parts = node.mapping("an entry", _KEYS)
    for key in _KEYS:
        if key not in parts:
            node.fail(f"an entry has the key {key}")
    offsets = []
    for pair in parts["offsets"].items("offsets"):
        place = tuple(_number(each, "an offset") for each in pair.items("an offset"))
        if len(place) != 2:
            pair.fail("an offset should be a row and a column")
        offsets.append(place)
    if tuple(offsets) not in known:
        node.fail("the offsets are of no arrangement, or of one that was there before")
    moves = parts["first-moves"]
    first_moves = {}
    for key, count in moves.mapping("first-moves", _MARGINS).items():
        first_moves[int(key)] = _number(count, "a number of first moves")
    entry = Entry(
        tuple(offsets),
        _number(parts["symmetries"], "symmetries"),
        _number(parts["margin"], "margin"),
        first_moves,
    )
    board = board_of(outline_of_offsets(entry.offsets))
    if (
        entry.symmetries != len(board.symmetries)
        or any(count < 1 for count in first_moves.values())
        or sum(first_moves.values()) != len(KINDS) * board.outside.bit_count()
        or max(first_moves) != entry.margin
        or entry.winning != _number(parts["winning"], "winning")
        or entry.drawing != _number(parts["drawing"], "drawing")
    ):
        node.fail("the numbers of the entry contradict each other or its board")
    return entry


def _number(node: Node, what: str) -> int:
    text = node.text(what)
    if not re.fullmatch(r"-?[0-9]{1,4}", text, re.ASCII):
        node.fail(f"{what} should be a whole number, not {text!r}")
    return int(text)


def _checksum(entries: list[Entry]) -> str:
    return checksum("".join(each.line() for each in entries))


def write(path: Path, entries: list[Entry]) -> None:
    """Write a table whole, so that a stop in between leaves the old one.

    :raises WriteError: the file cannot be written.
    """
    header = _HEADER.format(total=len(arrangements()), checksum=_checksum(entries))
    write_file(path, header + "".join(each.line() for each in entries))


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
    control = (control or Control()).begin()
    done = {entry.offsets: entry for entry in read(path)}
    total = arrangements()
    for offsets in total:
        if offsets in done:
            continue
        if control.left == 0:
            return False
        entry = entry_of(offsets, control.within(None), hash_mib)
        if entry is None:
            return False
        with locked(path):
            # Another may work on the file too.
            done = {each.offsets: each for each in read(path)}
            done[offsets] = entry
            write(path, [done[each] for each in total if each in done])
        if on_entry is not None:
            on_entry(len(done), len(total), entry)
        if control.interrupted:
            break
    return all(offsets in done for offsets in total)
