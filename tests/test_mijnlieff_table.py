"""The table of all boards: complete, right where the values are known, and resumable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import EXAMPLES

from litstool.errors import FormatError
from litstool.mijnlieff import table
from litstool.mijnlieff.board import (
    Offset,
    arrangement_of,
    arrangements,
    board_of,
    outline_of_offsets,
)
from litstool.search.control import Control

TABLE = EXAMPLES / "mijnlieff" / "arrangements.yaml"

# The boards whose values are known from elsewhere.
KNOWN: dict[tuple[Offset, ...], int] = {
    ((0, 0), (0, 2), (2, 0), (2, 2)): -1,
    ((0, 1), (0, 3), (2, 0), (2, 2)): 0,
    ((0, 0), (0, 2), (0, 4), (2, 2)): 0,
    ((0, 0), (2, 0), (4, 0), (4, 2)): 1,
    ((0, 1), (1, 3), (3, 2), (2, 0)): 0,
}


def entries() -> dict[tuple[Offset, ...], table.Entry]:
    return {entry.offsets: entry for entry in table.read(TABLE)}


def test_the_table_has_every_arrangement_once() -> None:
    assert [entry.offsets for entry in table.read(TABLE)] == list(arrangements())


def test_the_table_agrees_with_the_known_values() -> None:
    for offsets, margin in KNOWN.items():
        board = board_of(outline_of_offsets(offsets))
        assert entries()[arrangement_of(board)].margin == margin
    square = entries()[((0, 0), (0, 2), (2, 0), (2, 2))]
    assert square.first_moves == {-1: 44, -2: 4}


def test_each_entry_fits_its_board() -> None:
    for offsets, entry in entries().items():
        board = board_of(outline_of_offsets(offsets))
        assert entry.symmetries == len(board.symmetries)
        # Four kinds on each outside cell, and the best of them is the value.
        assert sum(entry.first_moves.values()) == 4 * board.outside.bit_count()
        assert max(entry.first_moves) == entry.margin
        assert entry.winning == sum(n for margin, n in entry.first_moves.items() if margin > 0)


def test_a_written_table_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    assert table.read(path) == []
    table.write(path, table.read(TABLE))
    assert path.read_text() == TABLE.read_text()
    assert not path.with_name("table.yaml.new").exists()


def wrong_tables() -> Iterator[str]:
    """Texts that are no table, and the table with one thing changed."""
    yield from ("moves: []", "- 1", "arrangements: [{offsets: 3}]", "a: [", "arrangements: 1")
    yield "arrangements: " + 100_000 * "["
    yield "arrangements: [{offsets: " + 9 * "[" + 9 * "]" + "}]"
    text = TABLE.read_text()
    line = "- {offsets: [[0, 0], [0, 2], [0, 4], [0, 6]], symmetries: 4, margin: 0, winning: 0, "
    assert line in text
    for old, new in (
        ("offsets: [[0, 0]", "offsets: [[.inf, 0]"),
        ("offsets: [[0, 0]", "offsets: [[0, 0, 0]"),
        ("offsets: [[0, 0]", "offsets: [[0, 1]"),
        ("offsets: [[0, 0], ", "offsets: ["),
        ("symmetries: 4", "symmetries: 5"),
        ("margin: 0", "margin: 1"),
        ("margin: 0", "margin: .nan"),
        ("winning: 0", "winning: 1"),
        ("winning: 0, ", ""),
        ("winning: 0", "winning: " + 5000 * "1"),
    ):
        assert old in line
        yield text.replace(line, line.replace(old, new))
    yield text.replace("{0: 56, -1: 8}", "{0: 56, -1: 9}")
    yield text.replace("{0: 56, -1: 8}", "{0: 56, -1: 9, -2: -1}")
    yield text.replace("{0: 56, -1: 8}", "[56, 8]")
    # What could be true of the board, but is not what was written.
    yield text.replace("{0: 56, -1: 8}", "{0: 56, -1: 7, -2: 1}")
    yield text[: text.rindex("- {")]
    rows = text.splitlines(keepends=True)
    yield "".join([*rows, rows[-1]])


def test_what_is_no_table_is_said(tmp_path: Path) -> None:
    path, good = tmp_path / "table.yaml", TABLE.read_text()
    texts = list(wrong_tables())
    assert len(texts) == 23 and good not in texts
    for text in texts:
        path.write_text(text)
        with pytest.raises(FormatError, match="table"):
            table.read(path)
    # Tables once had no checksum.
    path.write_text("".join(line for line in good.splitlines(True) if "checksum" not in line))
    assert table.read(path) == table.read(TABLE)


def test_a_limit_stops_it_and_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    known = table.read(TABLE)
    assert len(known) == len(arrangements())
    table.write(path, known[:-1])
    assert table.make(path, Control(time_limit=0.2), hash_mib=16) is False
    assert table.read(path) == known[:-1]
    table.write(path, known)
    assert table.make(path, hash_mib=16) is True


@pytest.mark.slow
def test_entries_are_found_again(tmp_path: Path) -> None:
    path = tmp_path / "table.yaml"
    known = table.read(TABLE)
    missing = known[-1], known[len(known) // 2]
    table.write(path, [entry for entry in known if entry not in missing])
    seen = []
    assert table.make(path, on_entry=lambda done, total, entry: seen.append(entry))
    assert seen == [known[len(known) // 2], known[-1]]
    assert path.read_text() == TABLE.read_text()
