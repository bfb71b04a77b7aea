"""What the swap books say: as text for a terminal, as lists and as JSON documents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from litstool.errors import printable
from litstool.lits.book import Audit, Book, Checked
from litstool.lits.placements import SHAPES, Placement, placements_of
from litstool.search.control import Progress

_ADVICE = {"X": "swap", "O": "leave", None: "?"}


def document(book: Book, name: str) -> dict[str, Any]:
    """The document of ``book show --json``."""
    return {
        "board": name,
        "swap": book.tally.swap,
        "leave": book.tally.leave,
        "unknown": book.tally.unknown,
        "without_reply": book.without_reply,
        "first_moves": [
            {
                "move": each.notation,
                "winner": book.winner(each),
                "reply": _notation(book.reply(each)),
            }
            for each in placements_of(book.pattern.outline).all
        ],
    }


def listing(book: Book) -> Iterator[str]:
    """Every first move, what to do after it, and O's reply where it is known."""
    for each in placements_of(book.pattern.outline).all:
        reply = book.reply(each)
        answer = "" if reply is None else f"  O wins with {reply.notation}"
        yield f"{_ADVICE[book.winner(each)]:<6}{each.notation}{answer}"


def text(book: Book, name: str) -> list[str]:
    """The book for a terminal: a map for each shape, and how much is known."""
    tally = book.tally
    if not tally.leave and not tally.swap:
        return [
            f"The swap book of {name}: nothing is known yet.",
            f"Its first moves are searched by: litstool book make {name}",
        ]
    return [
        f"The swap book of {name}: after which first moves X wins, so that one should swap",
        "",
        *_map(book),
        "0 to 9   tenths of the first moves of that shape, of those that cover the cell and are",
        "         known, after which X wins; * all of them",
        "?        no first move that covers the cell is known",
        "",
        f"Swap     after {tally.swap} first moves, since X wins",
        f"Leave    after {tally.leave}, since O wins",
        f"Replies  {_replies(book)}",
        f"Unknown  {tally.unknown or 'none'}",
    ]


def _replies(book: Book) -> str:
    leave = book.tally.leave
    known = leave - book.without_reply
    if not known:
        return f"with which O wins: known after none of these {leave} yet"
    return f"with which O wins: known after {known} of these {leave} (--list)"


def in_a_line(book: Book) -> str:
    """After how many first moves to swap."""
    tally = book.tally
    said = f"swap after {tally.swap:,} first moves, leave {tally.leave:,}"
    return said + (f", {tally.unknown:,} not known" if tally.unknown else "")


def _notation(move: Placement | None) -> str | None:
    return None if move is None else move.notation


def _map(book: Book) -> list[str]:
    """A grid for each shape, two side by side."""
    outline = book.pattern.outline
    letters = " ".join(chr(ord("a") + column) for column in range(outline.columns))
    grids = []
    for shape in SHAPES:
        cells = book.by_cell(shape)
        marks = {(cell.row, cell.column): _tenths(tally.share) for cell, tally in cells.items()}
        rows = [f"{shape}   {letters}"]
        for row in range(outline.rows):
            line = " ".join(marks.get((row, column), "#") for column in range(outline.columns))
            rows.append(f"{row + 1:>2}  {line}")
        grids.append(rows)
    wide = max(len(row) for row in grids[0]) + 6
    lines = []
    for pair in (grids[:2], grids[2:]):
        lines += [f"{left:<{wide}}{right}" for left, right in zip(*pair, strict=True)]
        lines.append("")
    return lines


def _tenths(share: float | None) -> str:
    if share is None:
        return "?"
    return "*" if share == 1 else str(int(10 * share))


# Searching


def progress(found: Progress) -> str:
    """How far a search of first moves is."""
    return f"{found.done} of {found.total} first moves searched, {found.seconds:,.0f} s"


def made_document(book: Book, name: str, path: Path) -> dict[str, Any]:
    """The document of ``book make --json``."""
    return {
        "board": name,
        "file": str(path),
        "unknown": book.tally.unknown,
        "without_reply": book.without_reply,
    }


def made(book: Book, path: Path) -> str:
    """What a book lacks after its first moves were searched."""
    return (
        f"{path}: {book.tally.unknown} of {len(book.winners)} first moves are not known yet, "
        f"and {book.without_reply} of O's winning replies"
    )


def checked(entry: Checked) -> str:
    """An entry that was searched again."""
    told = f"{entry.first.notation}: {entry.winner} wins"
    if entry.reply is not None:
        told += f" with {entry.reply.notation}"
    if entry.right is None:
        return f"{told}: not finished"
    return f"{told}: right" if entry.right else f"{told}: WRONG, {entry.found} wins"


def audit_document(audit: Audit, name: str, path: Path) -> dict[str, Any]:
    """The document of ``book check --json``."""
    return {
        "board": name,
        "file": str(path),
        "entries": audit.entries,
        "asked": audit.asked,
        "right": len(audit.right),
        "wrong": len(audit.wrong),
        "checked": [
            {
                "move": each.first.notation,
                "winner": each.winner,
                "reply": _notation(each.reply),
                "found": each.found,
                "right": each.right,
            }
            for each in audit.found
        ],
    }


def audited(audit: Audit, path: Path) -> str:
    """What searching entries again came to."""
    if not audit.entries:
        return f"{printable(str(path))}: nothing is known yet, so there is nothing to check"
    right, wrong = len(audit.right), len(audit.wrong)
    by_reply = sum(each.reply is not None for each in audit.right)
    return (
        f"{printable(str(path))}: its form and checksum are right; of {audit.entries} entries "
        f"{audit.asked} {'was' if audit.asked == 1 else 'were'} to be searched again: "
        f"{right} right ({by_reply} by the reply, {right - by_reply} by a whole search), "
        f"{wrong} wrong, {audit.asked - right - wrong} not finished"
    )
