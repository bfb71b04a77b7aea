"""The swap book: which side wins after each first move, so whether to use the pie rule.

After the first piece the second player may take over X and that piece.  So a first move after
which X wins should be swapped, and one after which O wins should be left.  Every entry is the
result of a finished search; a first move that has not been searched is absent.  Where O wins,
the book keeps a reply of O that wins: what to play, and a shorter way to check the entry.

First moves that a symmetry of the pattern maps onto each other have the same winner and mapped
replies, so one of each class is searched.  (Symmetries that *exchange* X and O do not help: they
map a first move of X onto one of O.)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from litstool.errors import FormatError, UsageError
from litstool.files.reading import (
    Node,
    checksum,
    compress_rows,
    data_folder,
    exists,
    nearest,
    read_file,
    read_tree,
)
from litstool.files.writing import locked, write_file
from litstool.grid import Cell
from litstool.lits.board import FULL_SUPPLY, Pattern
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.placements import SHAPES, Placement, placements_of
from litstool.lits.position import Position
from litstool.search.control import Control, Progress
from litstool.search.results import OUTCOME
from litstool.search.workers import Crew, Task, spread

_UNKNOWN = "?"
_LINE = 72


@dataclass(frozen=True)
class Tally:
    """First moves by who wins after them: X (swap), O (leave), nobody known."""

    swap: int
    leave: int
    unknown: int

    @classmethod
    def of(cls, winners: str) -> Tally:
        """Of a letter for each, as in :class:`Book`."""
        return cls(winners.count("X"), winners.count("O"), winners.count(_UNKNOWN))

    @property
    def share(self) -> float | None:
        """The share, 0 to 1, of the known ones to swap after; None where none is known."""
        known = self.swap + self.leave
        return self.swap / known if known else None


@dataclass(frozen=True)
class Book:
    """The winners after the first moves of a pattern, and O's winning replies.

    ``winners`` has a letter for each placement by number: ``X``, ``O`` or ``?`` for not known.
    ``replies`` has for each the number of a reply with which O wins, None where none is known.
    """

    pattern: Pattern
    winners: str
    replies: tuple[int | None, ...]

    @classmethod
    def blank(cls, pattern: Pattern) -> Book:
        """A book in which nothing is known."""
        count = len(placements_of(pattern.outline))
        return cls(pattern, _UNKNOWN * count, (None,) * count)

    def winner(self, first: Placement) -> str | None:
        """Who wins after a first move; None where it is not known.

        :raises KeyError: the move is no placement of the board.
        """
        letter = self.winners[placements_of(self.pattern.outline).number[first]]
        return None if letter == _UNKNOWN else letter

    def reply(self, first: Placement) -> Placement | None:
        """A move with which O wins after a first move; None where none is known.

        :raises KeyError: the first move is no placement of the board.
        """
        tables = placements_of(self.pattern.outline)
        number = self.replies[tables.number[first]]
        return None if number is None else tables.all[number]

    def should_swap(self, first: Placement) -> bool | None:
        """Whether the second player should take over X after this first move."""
        winner = self.winner(first)
        return None if winner is None else winner == "X"

    @property
    def tally(self) -> Tally:
        """All its first moves by who wins after them."""
        return Tally.of(self.winners)

    @property
    def without_reply(self) -> int:
        """After how many first moves O wins by a reply that is not known."""
        return sum(
            letter == "O" and reply is None
            for letter, reply in zip(self.winners, self.replies, strict=True)
        )

    def by_cell(self, shape: str) -> dict[Cell, Tally]:
        """For each cell of the board the first moves of a shape that cover it."""
        letters: dict[Cell, str] = dict.fromkeys(self.pattern.outline.cells, "")
        for number, placement in enumerate(placements_of(self.pattern.outline).all):
            if placement.shape == shape:
                for cell in placement.cells:
                    letters[cell] += self.winners[number]
        return {cell: Tally.of(text) for cell, text in letters.items()}

    def of_shape(self, shape: str) -> Tally:
        """The first moves of a shape."""
        every = placements_of(self.pattern.outline).all
        pairs = zip(every, self.winners, strict=True)
        return Tally.of("".join(letter for each, letter in pairs if each.shape == shape))

    def with_winner(
        self, numbers: tuple[int, ...], winner: str, reply: Placement | None = None
    ) -> Book:
        """The book with more known of one class of first moves; ``reply`` is O's after its first.

        :raises FormatError: the book says that the other side wins.
        """
        tables = placements_of(self.pattern.outline)
        letters, replies = list(self.winners), list(self.replies)
        for number in numbers:
            if letters[number] not in (winner, _UNKNOWN):
                raise _contradiction(tables.all[number], letters[number], winner)
            letters[number] = winner
        if reply is not None:
            _note_reply(self.pattern, replies, numbers[0], tables.number[reply])
        return Book(self.pattern, "".join(letters), tuple(replies))

    def merged(self, other: Book) -> Book:
        """What either of two books of one pattern knows.

        :raises FormatError: they contradict each other.
        """
        letters = []
        for number, pair in enumerate(zip(self.winners, other.winners, strict=True)):
            if set(pair) == {"X", "O"}:
                first = placements_of(self.pattern.outline).all[number]
                raise _contradiction(first, *pair)
            letters.append(pair[0] if pair[0] != _UNKNOWN else pair[1])
        replies = tuple(
            mine if mine is not None else theirs
            for mine, theirs in zip(self.replies, other.replies, strict=True)
        )
        return Book(self.pattern, "".join(letters), replies)


def _contradiction(first: Placement, one: str, other: str) -> FormatError:
    return FormatError(
        f"after {first.notation} one search says that {one} wins and another {other}: "
        "one of them is wrong, so neither is kept"
    )


@lru_cache(maxsize=8)
def _images(pattern: Pattern) -> tuple[tuple[int, ...], ...]:
    """For each symmetry of the pattern, the identity first, where each placement goes."""
    tables = placements_of(pattern.outline)
    rows, columns = pattern.outline.rows, pattern.outline.columns
    found = [tuple(range(len(tables)))]
    for symmetry in pattern.self_symmetries():
        image = []
        for each in tables.all:
            cells = [symmetry.cell(cell, rows, columns) for cell in each.cells]
            image.append(tables.number[Placement.of(each.shape, cells)])
        found.append(tuple(image))
    return tuple(found)


@lru_cache(maxsize=8)
def classes(pattern: Pattern) -> tuple[tuple[int, ...], ...]:
    """The first moves by number, those that the pattern's own symmetries join in one class."""
    images = _images(pattern)
    found = {tuple(sorted({image[number] for image in images})) for number in images[0]}
    return tuple(sorted(found))


def known_winner(position: Position) -> str | None:
    """Who wins a position with one piece down, by the book; None where no book says."""
    if len(position.pieces) != 1 or position.supply != FULL_SUPPLY:
        return None
    book = _book_under(position)
    return None if book is None else book.winner(position.pieces[0])


def known_reply(position: Position) -> Placement | None:
    """A move with which O wins a position with one piece down, by the book; None without one."""
    if known_winner(position) != "O":
        return None
    book = _book_under(position)
    return None if book is None else book.reply(position.pieces[0])


def _book_under(position: Position) -> Book | None:
    """The book of the board that a position stands on.

    What its pieces cover need not be known: a grid shows no symbols there, and none counts.
    """
    covered, pattern = position.covered, position.pattern
    for known in _patterns_with_books():
        differ = (known.x_cells ^ pattern.x_cells) | (known.o_cells ^ pattern.o_cells)
        if known.outline == pattern.outline and not differ & ~covered:
            return book_of(known)
    return None


@lru_cache(maxsize=1)
def _patterns_with_books() -> tuple[Pattern, ...]:
    paths = sorted(data_folder("patterns").glob("*.book.yaml"))
    found = (pattern_named(path.name.split(".")[0]) for path in paths)
    return tuple(pattern for pattern in found if pattern is not None)


def advice(position: Position) -> str | None:
    """What the book says of a position with one piece down, in words; None if nothing."""
    winner = known_winner(position)
    if winner is None:
        return None
    reply = known_reply(position)
    words = f"{winner} wins from here" + (f" with {reply.notation}" if reply is not None else "")
    if not position.can_swap:
        return words
    return f"swap: {words}" if winner == "X" else f"do not swap: {words}"


def path_of(name: str) -> Path:
    """Where the book of a standard board is kept."""
    return data_folder("patterns") / f"{name.lower()}.book.yaml"


def opened(name: str, path: Path | None = None) -> tuple[Book, Path]:
    """The book of a standard board, blank where there is none yet, and where it is kept.

    :raises UsageError: there is no such board.
    :raises LitstoolError: the book cannot be read, see :func:`read`.
    """
    pattern = pattern_named(name)
    if pattern is None:
        raise UsageError(f"{name!r} is no standard board; {nearest(name, pattern_names())}")
    path = path or path_of(name)
    return read(path, pattern) if exists(path) else Book.blank(pattern), path


@lru_cache(maxsize=8)
def book_of(pattern: Pattern) -> Book | None:
    """The book of a pattern that has one among the standard boards."""
    for path in sorted(data_folder("patterns").glob("*.book.yaml")):
        if pattern_named(path.name.split(".")[0]) == pattern:
            return read(path, pattern)
    return None


def read(path: Path, pattern: Pattern) -> Book:
    """A book from its file, every entry checked.

    :raises SourceError: the file cannot be read.
    :raises FormatError: it is no book of this pattern, or was changed by something else.
    """
    root = read_tree(read_file(path), "yaml")
    keys = root.mapping("a swap book", ("pattern", "checksum", "winners", "replies"))
    if not {"pattern", "winners"} <= set(keys):
        root.fail("a swap book has the keys pattern and winners")
    if keys["pattern"].text("pattern") != compress_rows(pattern.rows()):
        keys["pattern"].fail("the book is of another pattern")
    tables = placements_of(pattern.outline)
    parts = keys["winners"].mapping("winners", SHAPES)
    letters = "".join(_letters(parts[shape], shape) for shape in SHAPES if shape in parts)
    if len(letters) != len(tables):
        raise FormatError(
            f"the book has {len(letters)} entries, the board {len(tables)} first moves", str(path)
        )
    book = Book(pattern, letters, (None,) * len(letters))
    for members in classes(pattern):
        if len({letters[number] for number in members}) > 1:
            first, other = (tables.all[number].notation for number in members[:2])
            root.fail(f"{first} and {other} are mirror images and have different entries")
    if "replies" in keys:
        book = _with_replies(book, keys["replies"])
    if "checksum" not in keys:
        # Books were once kept without replies and without a checksum.
        if "replies" in keys:
            root.fail("a swap book with replies has a checksum; this one has lost it")
    elif keys["checksum"].text("checksum") != _checksum(book):
        keys["checksum"].fail("the checksum does not match: the book was damaged or changed")
    return book


def _letters(node: Node, shape: str) -> str:
    letters = "".join(node.text(f"the winners after {shape}").split())
    if set(letters) - set("XO?"):
        node.fail("a winner is X, O or ?")
    return letters


def _with_replies(book: Book, node: Node) -> Book:
    tables = placements_of(book.pattern.outline)
    start = Position.empty(book.pattern)
    number = {text: tables.number[each] for text, each in tables.written.items()}
    members_of = {members[0]: members for members in classes(book.pattern)}
    replies: list[int | None] = [None] * len(tables)
    for text, value in node.mapping("replies", number).items():
        first, reply = number[text], number.get(value.text("a reply"))
        if first not in members_of:
            value.fail(f"{text} is the mirror image of another first move, which has the reply")
        if book.winners[first] != "O":
            value.fail(f"O does not win after {text}, so there is no winning reply")
        if reply is None or not start.placed(tables.all[first]).is_legal(tables.all[reply]):
            value.fail(f"{value.text('a reply')} is no legal reply to {text}")
        _note_reply(book.pattern, replies, first, reply)
    return Book(book.pattern, book.winners, tuple(replies))


def _note_reply(pattern: Pattern, replies: list[int | None], first: int, reply: int) -> None:
    """Enter a reply to the first of a class, and its images for the others."""
    # The identity comes last, so that the first's own reply stays as it is given also where a
    # symmetry leaves the first move in place.
    for image in reversed(_images(pattern)):
        replies[image[first]] = image[reply]


def _reply_lines(book: Book) -> list[str]:
    """The reply to the first of each class, as the file has it."""
    every = placements_of(book.pattern.outline).all
    lines = []
    for members in classes(book.pattern):
        if (reply := book.replies[members[0]]) is not None:
            lines.append(f"{every[members[0]].notation}: {every[reply].notation}")
    return lines


def _checksum(book: Book) -> str:
    return checksum("\n".join([*book.pattern.rows(), book.winners, *_reply_lines(book)]))


def update(path: Path, book: Book, name: str) -> Book:
    """Add what a book knows to its file, with what others have added; returns the whole.

    :raises SourceError: the file cannot be read.
    :raises WriteError: it cannot be written.
    :raises FormatError: the file is no book of this pattern, or contradicts this one.
    """
    with locked(path):
        if exists(path):
            book = read(path, book.pattern).merged(book)
        write(book, path, name)
    return book


def write(book: Book, path: Path, name: str) -> None:
    """Write a book, whole or not at all."""
    tables = placements_of(book.pattern.outline)
    lines = [
        f"# Who wins {name} after each first move, symbols as they stand: X (then swap), O (then",
        "# do not), ? not known yet.  Every X and O is a finished search.  The letters are in the",
        "# order of the first moves by shape, then by cells (litstool moves NAME --shape L).  The",
        "# replies are moves with which O wins; those to mirror images are the mirror images.",
        f"# Made and carried on by: litstool book make {name}",
        f"pattern: {compress_rows(book.pattern.rows())}",
        f'checksum: "{_checksum(book)}"',
        "winners:",
    ]
    for shape in SHAPES:
        letters = "".join(
            book.winners[number]
            for number, placement in enumerate(tables.all)
            if placement.shape == shape
        )
        lines.append(f"  {shape}: |")
        lines += [f"    {letters[at : at + _LINE]}" for at in range(0, len(letters), _LINE)]
    if replies := _reply_lines(book):
        lines += ["replies:", *(f"  {line}" for line in replies)]
    write_file(path, "\n".join([*lines, ""]))


Verdict = tuple[str, Placement | None]
"""Who wins, and the move with which O, to move, does."""


def verdict_of(position: Position, seconds: float | None, hash_mib: int) -> Verdict | None:
    """Who wins a position, by search; None where the time came first.  Runs in any process."""
    from litstool.lits.solver import solve

    result = solve(position, objective=OUTCOME, control=Control(seconds), hash_mib=hash_mib)
    if not result.solved or result.winner is None:
        return None
    if result.winner != "O" or position.to_move != "O":
        return result.winner, None
    return "O", next((each for each in position.moves() if each.notation in result.best), None)


def make(
    book: Book,
    crew: Crew,
    control: Control,
    seconds_each: float | None = None,
    hash_mib: int = 512,
    keep: Callable[[Book], Book] = lambda book: book,
) -> Iterator[Book]:
    """Search the first moves that are not known yet, then for the winning replies that are not;
    yields the book after each that is solved.

    A search is given up after ``seconds_each`` and stays unknown.  The control's time limit
    bounds the whole.  ``keep`` is given each new book and returns it with what others have found
    meanwhile, which is not searched again.

    :raises FormatError: a search contradicts the book.
    :raises CrewLost: the workers are gone.
    """
    start = Position.empty(book.pattern)
    todo = [each for each in classes(book.pattern) if _lacks(book, each[0])]
    # In any order, so that an unfinished book knows something of every part of the board and
    # two that work on one book seldom search the same.
    random.shuffle(todo)
    todo.sort(key=lambda members: book.winners[members[0]] != _UNKNOWN)

    control = control.begin()
    searches = _Searches(control, len(todo))

    def tasks() -> Iterator[Task[tuple[int, ...]]]:
        for members in todo:
            if _lacks(book, members[0]):
                position = start.placed(start.placements.all[members[0]])
                seconds = control.within(seconds_each).time_limit
                yield members, verdict_of, (position, seconds, hash_mib)

    for members, verdict in spread(tasks(), crew, control, searches.report):
        searches.done += 1
        if verdict is not None:
            book = keep(book.with_winner(members, *verdict))
            yield book


def _lacks(book: Book, number: int) -> bool:
    letter = book.winners[number]
    return letter == _UNKNOWN or (letter == "O" and book.replies[number] is None)


@dataclass(frozen=True)
class Checked:
    """An entry searched again: ``found`` is who wins by the search, None where the time came
    first.  With a reply in the book, what was searched is the position after it."""

    first: Placement
    winner: str
    reply: Placement | None
    found: str | None

    @property
    def right(self) -> bool | None:
        """Whether the search agrees with the book; None where it was not finished."""
        return None if self.found is None else self.found == self.winner


@dataclass
class Audit:
    """How searching entries again went: of so many ``entries``, mirror images counted once, so
    many were to be searched, and these were ``found``."""

    entries: int
    asked: int
    found: list[Checked] = field(default_factory=list)

    @classmethod
    def of(cls, book: Book, sample: int | None) -> Audit:
        """One that has not begun, of so many entries or of all."""
        entries = len(_known_firsts(book))
        return cls(entries, entries if sample is None else min(sample, entries))

    @property
    def right(self) -> list[Checked]:
        """The entries that the search agrees with."""
        return [each for each in self.found if each.right]

    @property
    def wrong(self) -> list[Checked]:
        """The entries that it contradicts."""
        return [each for each in self.found if each.right is False]


def _known_firsts(book: Book) -> list[int]:
    """The first of each class of first moves that has an entry."""
    return [each[0] for each in classes(book.pattern) if book.winners[each[0]] != _UNKNOWN]


def check(
    book: Book,
    crew: Crew,
    control: Control,
    sample: int | None = None,
    seed: int = 0,
    hash_mib: int = 512,
) -> Iterator[Checked]:
    """Search entries of the book again, one of each class: so many drawn by seed, or all.

    :raises CrewLost: the workers are gone.
    """
    start = Position.empty(book.pattern)
    known = _known_firsts(book)
    if sample is not None:
        known = sorted(random.Random(seed).sample(known, min(sample, len(known))))

    control = control.begin()
    searches = _Searches(control, len(known))

    def tasks() -> Iterator[Task[int]]:
        for number in known:
            position = start.placed(start.placements.all[number])
            if (reply := book.replies[number]) is not None:
                position = position.placed(start.placements.all[reply])
            yield number, verdict_of, (position, control.left, hash_mib)

    for number, verdict in spread(tasks(), crew, control, searches.report):
        searches.done += 1
        first = start.placements.all[number]
        found = None if verdict is None else verdict[0]
        yield Checked(first, book.winners[number], book.reply(first), found)


class _Searches:
    """How far the searches of a book are."""

    def __init__(self, control: Control, total: int) -> None:
        self.control = control
        self.total = total
        self.done = 0

    def report(self) -> None:
        """Tell the control."""
        self.control.report(lambda: Progress(self.done, self.total, 0, self.control.seconds))
