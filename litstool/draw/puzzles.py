"""Sheets of puzzles to print, or of their solutions: HTML or PDF."""

from __future__ import annotations

from dataclasses import dataclass, replace

from litstool import games
from litstool.draw import page
from litstool.draw.picture import Picture
from litstool.files.reading import check_ending
from litstool.files.writing import write_file
from litstool.game import Record
from litstool.say import puzzle as say
from litstool.say.position import snapshot_of
from litstool.snapshot import Snapshot
from litstool.tasks.puzzles import Puzzle, explained

ENDINGS = (".html", ".pdf")

_BRACKETS = "[ ]"
"""The mark of cells that cannot be covered: to see this is part of the puzzle."""


@dataclass(frozen=True)
class Sheet:
    """How a sheet looks: its title, who made it, the boards on a page (1, 2, 4 or 6)."""

    title: str
    author: str | None = None
    per_page: int = 2
    paper: str = "A4"


def write(output: str, puzzles: list[Puzzle], solutions: bool, sheet: Sheet) -> None:
    """Write a sheet of puzzles, or of their solutions; the file's ending says the form.

    :raises UsageError: it is another ending.
    :raises WriteError: the file cannot be written.
    :raises Undecided: a solution that a file does not have takes too long to work out.
    """
    ending = check_ending(output, ENDINGS)
    board = _solved if solutions else _task
    boards = [board(number, puzzle) for number, puzzle in enumerate(puzzles, 1)]
    if ending == ".pdf":
        from litstool.draw import pdf

        made: str | bytes = pdf.sheet(
            sheet.title, boards, sheet.per_page, sheet.paper, sheet.author
        )
    else:
        made = page.sheet(sheet.title, boards, sheet.per_page, sheet.paper, sheet.author)
    write_file(output, made)


def _task(number: int, puzzle: Puzzle) -> page.SheetBoard:
    shown = _unmarked(snapshot_of(puzzle.record, []))
    picture = Picture.of(shown)
    wanted = {"Score", *(label for label, _ in shown.after_score)}
    told = [f"{fact.label} {fact.words}." for fact in picture.facts if fact.label in wanted]
    return page.SheetBoard(picture, _heading(number, puzzle), " ".join([say.task(puzzle), *told]))


def _solved(number: int, puzzle: Puzzle) -> page.SheetBoard:
    claim, refutation = explained(puzzle)
    line = claim.lines[0] if claim.lines else ()
    # The pieces of the line alone are numbered, from 1.
    record: Record = games.of(puzzle.record).record_of(puzzle.position)
    for move in line:
        record = record.played(move)
    picture = Picture.of(_unmarked(snapshot_of(record, [], numbers=True)))
    told = ["Best play: " + " ".join(line) + "."]
    if refutation is not None:
        told.append(say.why_not_greed(refutation))
    return page.SheetBoard(picture, _heading(number, puzzle), " ".join(told))


def _heading(number: int, puzzle: Puzzle) -> str:
    return f"{number}. {puzzle.record.name or say.task(puzzle)}"


def _unmarked(shown: Snapshot) -> Snapshot:
    """A position for a sheet: without title, and without the marks that give something away."""
    squares = {cell: replace(square, bracketed=False) for cell, square in shown.squares.items()}
    legend = tuple(entry for entry in shown.legend if entry[0] != _BRACKETS)
    return replace(shown, name=None, squares=squares, legend=legend)
