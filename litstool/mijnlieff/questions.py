"""What can be asked about the positions that legal play can reach."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from litstool.errors import NotationError, UsageError
from litstool.files import reading as files
from litstool.files.reading import Source, TextForm
from litstool.grid import Cell, Outline, names
from litstool.mijnlieff import notation
from litstool.mijnlieff.board import KIND_LETTERS, SIDES
from litstool.mijnlieff.position import Piece, Placed, Position
from litstool.search import conditions
from litstool.search.conditions import Conditions, Written

LETTERS = "?+!Xx.#SDPLsdpl"
_LINE = re.compile(r"(mijnlieff\s+)?[0-9?+!Xx.#SDPLsdpl_/-]+(\s.*)?", re.IGNORECASE)
_OF_THE_GRID = ("game", "board", "offsets", "moves", "name", "source", "note", "puzzle")
WINNERS = (*SIDES, "draw")
_KIND_OF_LETTER = {letter: kind for kind, letter in KIND_LETTERS.items()}


@dataclass(frozen=True)
class Target:
    """What a final position must look like, cell by cell.

    ``occupied`` and ``empty`` are cells with and without a piece, ``sides`` cells with a piece of
    a side, ``pieces`` cells with just this piece.  Cells in none of them may be anything.
    """

    outline: Outline
    occupied: frozenset[Cell] = frozenset()
    empty: frozenset[Cell] = frozenset()
    sides: tuple[tuple[str, Cell], ...] = ()
    pieces: tuple[Placed, ...] = ()

    @classmethod
    def from_rows(cls, rows: Iterable[str]) -> Target:
        """A target from rows of ``? + ! . X x S D P L s d p l #``.

        ``?`` is any state, ``+`` any piece, ``!`` or ``.`` no piece, ``X`` any piece of Light,
        ``x`` any of Dark.

        :raises UsageError: another character, or rows of different lengths.
        """
        lines = list(rows)
        occupied, empty, gaps = set(), set(), set()
        sides, pieces = [], []
        for row, line in enumerate(lines):
            if len(line) != len(lines[0]):
                raise UsageError(
                    f"row {row + 1} of the target has {len(line)} cells, row 1 has {len(lines[0])}"
                )
            for column, letter in enumerate(line):
                cell = Cell(row, column)
                side = SIDES[0] if letter.isupper() else SIDES[1]
                if letter == "+":
                    occupied.add(cell)
                elif letter in "!.-_":
                    empty.add(cell)
                elif letter == "#":
                    gaps.add(cell)
                elif letter in "Xx":
                    sides.append((side, cell))
                elif letter.lower() in _KIND_OF_LETTER:
                    pieces.append(Placed(side, _KIND_OF_LETTER[letter.lower()], cell))
                elif letter != "?":
                    raise UsageError(
                        f"{letter!r} in row {row + 1} of the target is none of ? (any), "
                        "+ (a piece), ! . (none), X (Light) x (Dark), S D P L s d p l, # (gap)"
                    )
        outline = Outline(len(lines), len(lines[0]) if lines else 0, frozenset(gaps))
        return cls(outline, frozenset(occupied), frozenset(empty), tuple(sides), tuple(pieces))

    def met_by(self, position: Position) -> bool:
        """Whether a position looks so."""
        at = position.at
        return (
            all(cell in at for cell in self.occupied)
            and all(cell not in at for cell in self.empty)
            and all(cell in at and at[cell].side == side for side, cell in self.sides)
            and all(at.get(placed.cell) == placed for placed in self.pieces)
        )


def is_meant_as_line(argument: str) -> bool:
    """Whether a command's argument can be a one-line target."""
    return "/" in argument and _LINE.fullmatch(argument.strip()) is not None


def read_target(source: Source) -> Target:
    """A target from a grid, one line or, where it is YAML or JSON, from the position in it.

    What else may stand in a position says nothing: see :func:`left_aside`.

    :raises LitstoolError: the text is no target.
    """
    form = files.form_of(source.text)
    if form != "text":
        return Target.from_rows(
            notation.rows_of(notation.read_document(files.read_tree(source, form)))
        )
    parts = files.split_text(source, notation.TEXT_KEYS)
    rows = parts.rows
    if len(rows) == 1 and "/" in rows[0][1]:
        number, line = rows[0]
        words = line.split()
        if words[0].lower() == notation.WORD:
            words = words[1:]
        if not words:
            raise NotationError("there is no target", source.name)
        rows = tuple((number, row) for row in files.expand_line(words[0], source))
    return Target.from_rows(
        files.grid_rows(TextForm(source, parts.keys, rows), LETTERS, notation.check_size)
    )


def left_aside(source: Source) -> list[str]:
    """The keys of a target that say nothing, since only its grid counts.

    :raises UsageError: it is of another game.
    """
    keys = files.keys_of(source, notation.TEXT_KEYS)
    if files.form_of(source.text) != "text" and "game" not in keys:
        raise UsageError("the target is of another game than the position", source.name)
    aside = [key for key in keys if key not in _OF_THE_GRID]
    if files.form_of(source.text) == "text" and "/" in source.text:
        words = [word.split("=") for word in source.text.split() if "/" not in word]
        aside += [
            word[0] if len(word) > 1 else "to-move" for word in words if word[0] != "mijnlieff"
        ]
    return aside


@dataclass(frozen=True)
class Question(Conditions[Piece]):
    """The conditions on a position that play from ``position`` leads to; all hold together.

    The two sides play together, each move legal.  ``winner`` is Light, Dark or draw, ``passes``
    the least number of passes on the way.  ``include`` and ``exclude`` are pieces of either side;
    sets of cells are bits by cell number.
    """

    position: Position
    target: Target | None = None
    passes: int | None = None

    @property
    def symmetric(self) -> bool:
        """Whether every symmetry of the board leaves the question as it is."""
        names_cells = self.covered or self.uncovered or self.include or self.exclude
        return not names_cells and self.target is None and not self.position.pieces

    def check(self) -> None:
        """Refuse a question that makes no sense whatever the rules.

        :raises UsageError: a target of another outline, or conditions that contradict each other
            in words.
        """
        outline = self.position.outline
        if self.target is not None and self.target.outline != outline:
            theirs = self.target.outline
            if (theirs.rows, theirs.columns) != (outline.rows, outline.columns):
                raise UsageError(
                    f"the target is {theirs.rows} x {theirs.columns} cells, "
                    f"the board {outline.rows} x {outline.columns} (rows x columns)"
                )
            differ = names(theirs.holes ^ outline.holes)
            raise UsageError(f"the target and the board differ in their gaps: {differ}")
        self._check_numbers()
        for piece in (*self.include, *self.exclude):
            if piece.cell not in outline:
                raise UsageError(f"{piece.notation} is off the board")
        self.check_pieces()
        contradicted = self.covered & self.uncovered
        if contradicted:
            listed = names(self.position.board.cells_of(contradicted))
            raise UsageError(f"to be covered and uncovered at once: {listed}")

    def _check_numbers(self) -> None:
        for name, number in (
            ("pieces", self.pieces),
            ("at least", self.at_least),
            ("at most", self.at_most),
            ("passes", self.passes),
            ("score of Light", self.score[0]),
            ("score of Dark", self.score[1]),
        ):
            if number is not None and number < 0:
                raise UsageError(f"a number ({name}) cannot be negative: {number}")
        self.check_counts()
        if self.winner is not None:
            if self.winner not in WINNERS:
                raise UsageError(f"the winner is Light, Dark or draw, not {self.winner!r}")
            if self.finished is False:
                raise UsageError("only a finished game has a winner")
            if self.margin is not None and (
                (self.winner == "Dark" and self.margin >= 0)
                or (self.winner == "draw" and self.margin > 0)
            ):
                raise UsageError(
                    f"{self.winner} and a margin of Light of at least {self.margin} "
                    "contradict each other"
                )

    def met_by(self, position: Position, passes: int) -> bool:
        """Whether a position that play with so many passes reached satisfies every condition."""
        taken = position.board.all_cells & ~position.empty_cells
        on_board = {placed.piece for placed in position.pieces}
        return (
            (self.target is None or self.target.met_by(position))
            and self.are_met_by(position, SIDES)
            and (self.passes is None or passes >= self.passes)
            and on_board.issuperset(self.include)
            and on_board.isdisjoint(self.exclude)
            and self.covered & ~taken == 0
            and self.uncovered & taken == 0
        )


def read_question(position: Position, written: Written) -> tuple[Question, list[str]]:
    """The question that conditions in words make, and notes on what of them says nothing.

    :raises LitstoolError: a condition or the target cannot be read.
    """
    target = None
    notes: list[str] = []
    if written.target is not None:
        target, notes = conditions.read_target(written.target, read_target, left_aside)
    found = conditions.read_conditions(
        written, notation.parse_move, position.outline, position.board.mask, SIDES, WINNERS
    )
    return Question(position, target, passes=written.passes, **vars(found)), notes
