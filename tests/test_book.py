"""The swap book: classes of first moves, resuming, and agreement with direct searches."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import litstool
from litstool.errors import FormatError
from litstool.lits import book
from litstool.lits.board import Pattern
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.placements import placements_of
from litstool.lits.position import Position
from litstool.results import Control

HALF_TURNED = Pattern.from_rows(["XO..X", ".X.O.", "O.X.O", ".O.X.", "X..OX"])
CROOKED = Pattern.from_rows(["XO..", "..XO", "O..X", ".XO."])


@pytest.mark.parametrize(
    ("name", "count"), [("boxes", 646), ("stripes", 646), ("diagonals", 646), ("monogram", 1292)]
)
def test_the_boards_own_symmetries_join_first_moves(name: str, count: int) -> None:
    """One symmetry of its own halves a board's first moves, since no piece lies on itself."""
    pattern = pattern_named(name)
    assert pattern is not None
    found = book.classes(pattern)
    assert sorted(number for members in found for number in members) == list(range(1292))
    assert len(found) == count


def whole(pattern: Pattern) -> book.Book:
    with ThreadPoolExecutor(2) as executor:
        *_, last = book.make(book.Book.blank(pattern), executor, 2, Control(), hash_mib=16)
    return last


@pytest.mark.parametrize("pattern", [CROOKED, HALF_TURNED], ids=["4x4", "5x5"])
def test_every_entry_agrees_with_a_direct_search(pattern: Pattern) -> None:
    found = whole(pattern)
    assert found.count("?") == 0
    start = Position.empty(pattern)
    for first in random.Random(1).sample(placements_of(pattern.outline).all, 40):
        assert found.winner(first) == litstool.solve(start.play(first)).winner
        assert found.should_swap(first) is (found.winner(first) == "X")


def test_a_book_is_written_read_and_carried_on(tmp_path: Path) -> None:
    path = tmp_path / "small.book.yaml"
    complete = whole(CROOKED)
    half = book.Book.blank(CROOKED)
    for members in book.classes(CROOKED)[::2]:
        half = half.with_winner(members, complete.winners[members[0]])
    book.write(half, path, "small")
    known = book.read(path, CROOKED)
    assert known == half and 0 < known.count("?") < len(known.winners)
    with ThreadPoolExecutor(1) as executor:
        searched = list(book.make(known, executor, 1, Control(), hash_mib=16))
    assert searched[-1] == complete
    # Only what was not known has been searched.
    assert len(searched) == len(book.classes(CROOKED)) - len(book.classes(CROOKED)[::2])


def test_a_search_that_is_given_up_stays_unknown() -> None:
    boxes = pattern_named("boxes")
    assert boxes is not None
    with ThreadPoolExecutor(1) as executor:
        made = list(book.make(book.Book.blank(boxes), executor, 1, Control(0.5), 0.1, 16))
    assert made == []


def test_a_book_of_another_pattern_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.book.yaml"
    book.write(book.Book.blank(CROOKED), path, "small")
    with pytest.raises(FormatError, match="another pattern"):
        book.read(path, HALF_TURNED)


def test_the_books_kept_with_the_boards_are_of_those_boards() -> None:
    for name in pattern_names():
        if book.path_of(name).exists():
            pattern = pattern_named(name)
            assert pattern is not None
            known = book.read(book.path_of(name), pattern)
            for members in book.classes(pattern):
                assert len({known.winners[number] for number in members}) == 1


@pytest.mark.slow
def test_entries_of_the_kept_books_agree_with_direct_searches() -> None:
    for name in pattern_names():
        if not book.path_of(name).exists():
            continue
        pattern = pattern_named(name)
        assert pattern is not None
        known = book.read(book.path_of(name), pattern)
        start = Position.empty(pattern)
        moves = [each for each in start.placements.all if known.winner(each)]
        for first in random.Random(7).sample(moves, min(5, len(moves))):
            assert (
                known.winner(first) == litstool.solve(start.play(first), objective="outcome").winner
            )
