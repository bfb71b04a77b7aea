"""The swap book: classes of first moves, resuming, and agreement with direct searches."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Run, random_play, random_symbols

import litstool
from litstool.draw.lits.book import pictures
from litstool.errors import FormatError
from litstool.lits import book, engine
from litstool.lits import solver as solver_room
from litstool.lits.board import Pattern
from litstool.lits.book import book_of, known_reply
from litstool.lits.game import Game
from litstool.lits.notation import parse_move, pattern_named, pattern_names, write_line
from litstool.lits.placements import placements_of
from litstool.lits.position import Position
from litstool.lits.solver import solve
from litstool.say import solution
from litstool.search.control import Control
from litstool.search.results import OUTCOME
from litstool.search.workers import Crew, CrewLost

HALF_TURNED = Pattern.from_rows(["XO..X", ".X.O.", "O.X.O", ".O.X.", "X..OX"])
CROOKED = Pattern.from_rows(["XO..", "..XO", "O..X", ".XO."])
SQUARE = Pattern.from_rows(["XOOX", "O..O", "O..O", "XOOX"])


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
        *_, last = book.make(book.Book.blank(pattern), Crew.of(executor, 2), Control(), hash_mib=16)
    return last


@pytest.mark.parametrize("pattern", [CROOKED, HALF_TURNED, SQUARE], ids=["4x4", "5x5", "eightfold"])
def test_every_entry_agrees_with_a_direct_search(pattern: Pattern) -> None:
    found = whole(pattern)
    assert found.tally.unknown == 0 and found.without_reply == 0
    start = Position.empty(pattern)
    every = placements_of(pattern.outline).all
    for first in random.Random(1).sample(every, min(40, len(every))):
        assert found.winner(first) == litstool.solve(start.play(first)).winner
        assert found.should_swap(first) is (found.winner(first) == "X")
        reply = found.reply(first)
        assert (reply is not None) == (found.winner(first) == "O")
        if reply is not None:
            assert litstool.solve(start.play(first).play(reply)).winner == "O"


def test_a_book_without_replies_is_read_and_the_replies_are_found(tmp_path: Path) -> None:
    complete, path = whole(HALF_TURNED), tmp_path / "small.book.yaml"
    book.write(replace(complete, replies=(None,) * len(complete.replies)), path, "small")
    # As it was kept before there were replies.
    path.write_text(re.sub("checksum.*\n", "", path.read_text()))
    known = book.read(path, HALF_TURNED)
    assert known.winners == complete.winners and known.without_reply == known.tally.leave > 0
    with ThreadPoolExecutor(1) as executor:
        *_, last = book.make(known, Crew.of(executor), Control(), hash_mib=16)
    assert last.without_reply == 0
    for first in placements_of(HALF_TURNED.outline).all:
        assert (last.reply(first) is not None) == (last.winner(first) == "O")


@pytest.mark.parametrize("pattern", [CROOKED, HALF_TURNED, SQUARE])
def test_a_book_is_read_as_it_was_written(tmp_path: Path, pattern: Pattern) -> None:
    complete, path = whole(pattern), tmp_path / "small.book.yaml"
    book.write(complete, path, "small")
    assert book.read(path, pattern) == complete


def damaged(text: str) -> Iterator[str]:
    """A book's text with one change that a hand or a disk may make."""
    winner = re.search("[XO]", text[text.index("winners:") :])
    assert winner is not None
    at = text.index("winners:") + winner.start()
    yield text[:at] + {"X": "O", "O": "X"}[text[at]] + text[at + 1 :]
    yield text[:at] + "Z" + text[at + 1 :]
    yield text[:at] + text[at + 1 :]
    replies = text.index("replies:\n") + len("replies:\n")
    line = text[replies : text.index("\n", replies) + 1]
    first, reply = line.strip().split(": ")
    yield text[:replies] + text[replies + len(line) :]
    yield text.replace(line, line + line)
    yield text.replace(line, f"  {first}: {first}\n")
    yield text.replace(line, f"  {first}: swap\n")
    yield text.replace(line, f"  {first}: [{reply}]\n")
    yield text.replace(line, f"  L:z1,z2,z3,z4: {reply}\n")
    yield text[:replies]
    yield re.sub("checksum.*\n", "", text)
    yield re.sub("checksum.*\n", "checksum: 0123456789abcdef\n", text)


def test_a_damaged_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.book.yaml"
    book.write(whole(HALF_TURNED), path, "small")
    text = path.read_text()
    changed = list(damaged(text))
    assert text not in changed and len(changed) == 12
    for each in changed:
        path.write_text(each)
        with pytest.raises(FormatError):
            book.read(path, HALF_TURNED)


def part(complete: book.Book, some: Iterable[tuple[int, ...]]) -> book.Book:
    """What a book knows of some classes of first moves."""
    made = book.Book.blank(complete.pattern)
    for members in some:
        first = placements_of(complete.pattern.outline).all[members[0]]
        made = made.with_winner(members, complete.winners[members[0]], complete.reply(first))
    return made


def test_what_others_have_found_is_kept(tmp_path: Path) -> None:
    complete, path = whole(CROOKED), tmp_path / "small.book.yaml"
    every = book.classes(CROOKED)
    book.write(part(complete, every[::2]), path, "small")
    assert book.update(path, part(complete, every[1::2]), "small") == complete
    assert book.read(path, CROOKED) == complete
    other = {"X": "O", "O": "X"}[complete.winners[0]]
    with pytest.raises(FormatError, match="one of them is wrong"):
        book.update(path, book.Book.blank(CROOKED).with_winner(every[0], other), "small")
    assert book.read(path, CROOKED) == complete


def test_two_that_write_one_file_keep_both_their_answers(tmp_path: Path) -> None:
    complete, path = whole(CROOKED), tmp_path / "small.book.yaml"
    every = book.classes(CROOKED)[:24]

    def add(some: tuple[tuple[int, ...], ...]) -> None:
        for members in some:
            book.update(path, part(complete, [members]), "small")

    with ThreadPoolExecutor(2) as executor:
        for work in [executor.submit(add, every[start::2]) for start in (0, 1)]:
            work.result()
    assert book.read(path, CROOKED) == part(complete, every)
    assert {each.name for each in tmp_path.iterdir()} == {path.name, f".{path.name}.lock"}


def test_a_search_does_not_do_what_another_has_done() -> None:
    complete = whole(CROOKED)
    with ThreadPoolExecutor(1) as executor:
        searched = list(
            book.make(
                book.Book.blank(CROOKED), Crew.of(executor), Control(), hash_mib=1,
                keep=complete.merged,
            )
        )  # fmt: skip
    assert len(searched) == 1


# --- showing ----------------------------------------------------------------------------------


def test_the_book_is_shown_with_a_title_and_a_legend(run: Run) -> None:
    out = run("book", "show", "boxes").out
    first, *rows = out.splitlines()
    assert first.startswith("The swap book of boxes")
    assert "0 to 9" in out and "Swap     after 158 first moves" in out
    assert rows[1] == "L   a b c d e f g h i j      I   a b c d e f g h i j"


def test_the_book_says_after_how_many_first_moves_a_reply_is_known(run: Run) -> None:
    for name in ("boxes", "monogram"):
        told = run("book", "show", name, "--json").json
        replies = sum(each["reply"] is not None for each in told["first_moves"])
        (line,) = (row for row in run("book", "show", name).out.splitlines() if "Replies" in row)
        assert f"known after {replies or 'none'} of these {told['leave']}" in line


def test_an_empty_book_says_so_in_words(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "path_of", lambda name: Path("none.yaml"))
    result = run("book", "show", "diagonals")
    assert result.status == 0 and "nothing is known yet" in result.out
    assert "litstool book make diagonals" in result.out and len(result.out.splitlines()) == 2


@pytest.mark.parametrize("ending", ["svg", "png", "pdf", "html"])
def test_the_book_as_a_picture(run: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"book.{ending}"
    result = run("book", "show", "boxes", "-o", path)
    assert result.status == 0 and not result.out and path.stat().st_size > 10_000
    if ending == "svg":
        assert path.read_text().count('class="board"') == 4
    assert run("book", "show", "boxes", "-o", path.with_suffix(".txt")).status == 2


def test_the_picture_counts_what_is_known() -> None:
    known = part(whole(HALF_TURNED), book.classes(HALF_TURNED)[::9])
    for shape, picture in zip("LITS", pictures(known, "small"), strict=True):
        every, cells = known.of_shape(shape), known.by_cell(shape)
        moves = [each for each in placements_of(HALF_TURNED.outline).all if each.shape == shape]
        assert every.swap + every.leave + every.unknown == len(moves)
        for cell, square in picture.squares.items():
            won = [w for each in moves if cell in each.cells and (w := known.winner(each))]
            if won:
                assert square.heat == round(100 * won.count("X") / len(won))
                assert cells[cell].leave == won.count("O")
            else:
                assert square.text == "?" and square.heat is None


# --- checking ---------------------------------------------------------------------------------


def test_every_entry_is_searched_again() -> None:
    complete = whole(HALF_TURNED)
    with ThreadPoolExecutor(1) as executor:
        found = list(book.check(complete, Crew.of(executor), Control(), hash_mib=1))
        assert len(found) == len(book.classes(HALF_TURNED)) and all(each.right for each in found)
        few = list(book.check(complete, Crew.of(executor), Control(), 3, seed=4, hash_mib=1))
        again = list(book.check(complete, Crew.of(executor), Control(), 3, seed=4, hash_mib=1))
    assert len(few) == 3 and few == again
    assert {each.reply is None for each in found} == {True, False}


def test_the_command_finds_a_wrong_entry(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "small.book.yaml"
    monkeypatch.setattr("litstool.lits.book.pattern_named", lambda name: HALF_TURNED)
    complete = whole(HALF_TURNED)
    start = Position.empty(HALF_TURNED)
    words = ("book", "check", "small", "--file", path, "--hash", 1)
    book.write(complete, path, "small")
    result = run(*words)
    assert result.status == 0 and result.out.count(" wins with ") == 3
    assert "5 right (3 by the reply" in result.out and "0 wrong" in result.out
    wrong = next(
        (members, reply)
        for members in book.classes(HALF_TURNED)
        if complete.winners[members[0]] == "O"
        for after in [start.placed(start.placements.all[members[0]])]
        for reply in after.moves()
        if litstool.solve(after.play(reply)).winner == "X"
    )
    book.write(complete.with_winner(wrong[0], "O", wrong[1]), path, "small")
    result = run(*words, "--all", "--json")
    assert result.status == 1 and result.json["wrong"] == 1
    entry = next(each for each in result.json["checked"] if each["right"] is False)
    assert entry["reply"] == wrong[1].notation and entry["found"] == "X"
    assert run(*words, "--all", "--time-limit", "1e-9").status == 3
    assert run(*words, "--all", "--sample", 3).status == 2


@pytest.mark.parametrize("words", [("make",), ("check", "--sample", "1")])
def test_lost_workers_are_told_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def gone(*given: object) -> Iterator[object]:
        raise CrewLost("the workers are gone")
        yield

    monkeypatch.setattr(book, "spread", gone)
    path = tmp_path / "boxes.book.yaml"
    boxes = pattern_named("boxes")
    assert boxes is not None
    known = book.read(book.path_of("boxes"), boxes)
    book.write(replace(known, replies=(None,) * len(known.replies)), path, "boxes")
    command, *options = words
    name = "-o" if command == "make" else "--file"
    result = run("book", command, "boxes", *options, name, path, "--json")
    assert result.status == 3 and result.err == "the workers are gone\n" and result.json


def test_the_winning_reply_is_shown_and_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = pattern_named("boxes")
    assert boxes is not None
    start = Position.empty(boxes)
    known = book.read(book.path_of("boxes"), boxes)
    members = next(each for each in book.classes(boxes) if known.winners[each[0]] == "O")
    first = start.placements.all[members[1]]
    image = next(iter(start.placed(start.placements.all[members[0]]).moves()))
    made = known.with_winner(members, "O", image)
    reply = made.reply(first)
    assert reply is not None and start.play(first).is_legal(reply) and reply != image
    monkeypatch.setattr(book, "book_of", lambda pattern: made)
    position = start.play(first)
    assert book.advice(position) == f"do not swap: O wins from here with {reply.notation}"
    assert book.advice(position.swap()) == f"O wins from here with {reply.notation}"
    found = engine.choose(position, time_limit=5)
    assert found.choice == reply.notation and found.winner == "O" and found.seconds < 3
    assert reply.notation in str(found.note)
    assert engine.choose(position.swap(), time_limit=5).choice == reply.notation
    assert engine.at_depth(position, 2)[0] == reply.notation
    monkeypatch.setattr(book, "read", lambda path, pattern: made)
    entry = next(
        each
        for each in run("book", "show", "boxes", "--json").json["first_moves"]
        if each["move"] == first.notation
    )
    assert entry == {"move": first.notation, "winner": "O", "reply": reply.notation}
    assert (
        f"{first.notation}  O wins with {reply.notation}"
        in run("book", "show", "boxes", "--list").out
    )


def test_a_book_is_written_read_and_carried_on(tmp_path: Path) -> None:
    path = tmp_path / "small.book.yaml"
    complete = whole(CROOKED)
    half = part(complete, book.classes(CROOKED)[::2])
    book.write(half, path, "small")
    known = book.read(path, CROOKED)
    assert known == half and 0 < known.tally.unknown < len(known.winners)
    with ThreadPoolExecutor(1) as executor:
        searched = list(book.make(known, Crew.of(executor), Control(), hash_mib=16))
    assert searched[-1] == complete
    # Only what was not known has been searched.
    assert len(searched) == len(book.classes(CROOKED)) - len(book.classes(CROOKED)[::2])


def test_a_search_that_is_given_up_stays_unknown() -> None:
    boxes = pattern_named("boxes")
    assert boxes is not None
    with ThreadPoolExecutor(1) as executor:
        made = list(book.make(book.Book.blank(boxes), Crew.of(executor), Control(0.5), 0.1, 16))
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


# What solve makes of the book


def after_first(letter: str, *, with_reply: bool) -> Position:
    """A position of Monogram with one piece down of which the book knows the winner."""
    empty = litstool.load("monogram").position()
    book = book_of(empty.pattern)
    assert book is not None
    first = next(
        move
        for move, winner in zip(empty.placements.all, book.winners, strict=True)
        if winner == letter and (book.reply(move) is not None) == with_reply
    )
    return empty.placed(first)


@pytest.mark.parametrize(("letter", "with_reply"), [("O", True), ("O", False), ("X", False)])
def test_the_outcome_is_answered_from_the_book(letter: str, with_reply: bool) -> None:
    position = after_first(letter, with_reply=with_reply)
    found = solve(position, objective=OUTCOME, use_book=True)
    assert (found.solved, found.winner, found.nodes) == (True, letter, 0)
    assert found.by_book and found.to_json()["book"]
    if with_reply:
        reply = known_reply(position)
        assert reply is not None and found.best == (reply.notation,)
    else:
        # Where every move loses any is a best one; which one wins is not known without a reply.
        assert len(found.best) == (letter == "X")


@pytest.mark.parametrize(("letter", "with_reply"), [("O", True), ("O", False), ("X", False)])
def test_a_search_for_the_margin_starts_from_the_book(letter: str, with_reply: bool) -> None:
    position = after_first(letter, with_reply=with_reply)
    limit = Control(0.05)
    assert solve(position, control=limit).winner is None
    found = solve(position, control=limit, use_book=True)
    assert not found.solved and found.winner == letter and found.bounds is not None
    assert found.bounds[0] == 0 if letter == "X" else found.bounds[1] == 0
    if with_reply:
        assert found.best == (str(known_reply(position).notation),)
    told = solution.solution_lines(found, Game.of_position(position), False, 80)
    assert told[0].startswith(f"{letter} wins (swap book)")
    assert any(line.startswith(f"Proven: {letter} wins by at most") for line in told)


def test_a_believed_winner_leaves_the_margin_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(6):
        pattern = random_symbols(["....."] * 5, random.Random(seed))
        position = list(random_play(Position.empty(pattern), random.Random(seed), 1))[-1]
        plain = solve(position)
        monkeypatch.setattr(solver_room, "known_winner", lambda _, winner=plain.winner: winner)
        monkeypatch.setattr(solver_room, "known_reply", lambda _: None)
        told = solve(position, use_book=True)
        assert (told.winner, told.margin, told.solved) == (plain.winner, plain.margin, True)
        kept = solve(position.play(parse_move(told.best[0])))
        assert kept.margin == plain.margin and not told.by_book


def test_solve_takes_the_book_and_all_moves_do_not(run: Run) -> None:
    position = after_first("X", with_reply=False)
    line = write_line(Game.of_position(position))
    done = run("solve", line, "--objective", "outcome", "--json")
    assert done.status == 0 and done.json["nodes"] == 0 and done.json["winner"] == "X"
    done = run("solve", line, "--objective", "outcome", "--all", "--time-limit", 0.05, "--json")
    assert done.status == 3 and "book" not in done.json
