"""``litstool book``: which first moves to swap, and what to answer to the others."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import click

from litstool.cli.common import (
    INTERRUPTED,
    NO,
    SEED,
    UNDECIDED,
    YES,
    complete_board,
    complete_file,
    group,
    note,
    positive,
    print_json,
    progress_line,
    subcommand,
)
from litstool.errors import UsageError, printable
from litstool.files.reading import exists, nearest
from litstool.files.writing import check_outputs, check_writable
from litstool.search.control import Control, Progress
from litstool.search.workers import Crew, CrewLost, cluster_crew, process_crew

_SAMPLE = 5


@group("book")
def command() -> None:
    """Who wins after each first move of a standard board, so whether to swap.

    \b
    Examples:
      litstool book show boxes
      litstool book make boxes --time-limit 3600 --threads 2
      litstool book check boxes
    """


def _open(board: str, file: Path | None) -> tuple[Any, Any, Path]:
    from litstool.lits import book
    from litstool.lits.notation import pattern_named, pattern_names

    pattern = pattern_named(board)
    if pattern is None:
        raise UsageError(f"{board!r} is no standard board; {nearest(board, pattern_names())}")
    path = file or book.path_of(board)
    known = book.read(path, pattern) if exists(path) else book.Book.blank(pattern)
    return book, known, path


_file_option = click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Another book's file than the one kept with the standard boards.",
)


@subcommand("show")
@click.argument("board", shell_complete=complete_board)
@click.option("--list", "as_list", is_flag=True, help="Every first move and O's reply.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=complete_file,
    help="Write a picture (.svg, .png, .pdf) or a page (.html) instead.",
)
@_file_option
def show(board: str, as_list: bool, output: str | None, file: Path | None, as_json: bool) -> int:
    """Draw which first moves of BOARD to swap, which to leave, and which are not known yet.

    \b
    Examples:
      litstool book show boxes
      litstool book show boxes --list
      litstool book show boxes -o book.png
    """
    if output is not None:
        from litstool.draw import output as files
        from litstool.files.reading import check_ending

        check_ending(output, files.ENDINGS)
    _, known, path = _open(board, file)
    name = board.lower()
    if output is not None:
        from litstool.draw.lits.book import pictures

        check_outputs({"-o": output}, [path])
        files.write(output, pictures(known, name))
        note(f"wrote {output}")
    if as_json:
        print_json(_document(known, name))
    elif as_list:
        from litstool.lits.placements import placements_of

        words = {"X": "swap", "O": "leave", None: "?"}
        for each in placements_of(known.pattern.outline).all:
            reply = _notation(known.reply(each))
            answer = "" if reply is None else f"  O wins with {reply}"
            click.echo(f"{words[known.winner(each)]:<6}{each.notation}{answer}")
    elif output is None:
        for line in _text(known, name):
            click.echo(line)
    return YES


def _document(known: Any, name: str) -> dict[str, Any]:
    from litstool.lits.placements import placements_of

    return {
        "board": name,
        "swap": known.count("X"),
        "leave": known.count("O"),
        "unknown": known.count("?"),
        "without_reply": known.without_reply,
        "first_moves": [
            {
                "move": each.notation,
                "winner": known.winner(each),
                "reply": _notation(known.reply(each)),
            }
            for each in placements_of(known.pattern.outline).all
        ],
    }


def _text(known: Any, name: str) -> list[str]:
    """The book for a terminal."""
    left = known.count("O")
    if not left and not known.count("X"):
        return [
            f"The swap book of {name}: nothing is known yet.",
            f"Its first moves are searched by: litstool book make {name}",
        ]
    return [
        f"The swap book of {name}: after which first moves X wins, so that one should swap",
        "",
        *_map(known),
        "0 to 9   tenths of the first moves of that shape, of those that cover the cell and are",
        "         known, after which X wins; * all of them",
        "?        no first move that covers the cell is known",
        "",
        f"Swap     after {known.count('X')} first moves, since X wins",
        f"Leave    after {left}, since O wins; the winning reply is known after "
        f"{left - known.without_reply} (--list)",
        f"Unknown  {known.count('?') or 'none'}",
    ]


def _notation(move: Any) -> str | None:
    return None if move is None else move.notation


def _map(known: Any) -> list[str]:
    """A grid for each shape, two side by side."""
    from litstool.draw.lits.book import tallies
    from litstool.lits.placements import SHAPES

    outline = known.pattern.outline
    letters = " ".join(chr(ord("a") + column) for column in range(outline.columns))
    grids = []
    for shape in SHAPES:
        _, cells = tallies(known, shape)
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


_threads_option = click.option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N"
)
_scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Hand the searches to the Dask cluster at this address instead.",
)
_hash_option = click.option(
    "--hash",
    "hash_mib",
    type=click.IntRange(1, 1 << 20),
    default=512,
    show_default=True,
    metavar="MIB",
    help="Memory for each search's transposition table.",
)
_time_option = click.option(
    "--time-limit", type=float, callback=positive, metavar="S", help="Stop after S s."
)


@subcommand("make")
@click.argument("board", shell_complete=complete_board)
@_time_option
@click.option(
    "--each", type=float, callback=positive, metavar="S", help="Give up one first move after S s."
)
@_threads_option
@_scheduler_option
@_hash_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The book's file; else the one kept with the standard boards.",
)
def make(
    board: str,
    time_limit: float | None,
    each: float | None,
    threads: int,
    scheduler: str | None,
    hash_mib: int,
    output: Path | None,
    as_json: bool,
) -> int:
    """Search the first moves of BOARD that are not known yet, and save each as it is proved.

    Then those where O wins by a reply that is not known.  Run it again to carry on; Ctrl-C loses
    only the searches under way.  Several may work on one file.

    \b
    Example:
      litstool book make boxes --time-limit 3600 --threads 2 -o boxes.book.yaml

    Exit status: 0 complete, 3 some first moves or replies are still not known, 130 interrupted.
    """
    book, known, path = _open(board, output)
    check_writable(path)
    control = Control(time_limit)

    def keep(more: Any) -> Any:
        return book.update(path, more, board.lower())

    with progress_line(_progress_text) as control.on_progress:
        try:
            with _crew(threads, scheduler) as crew:
                for more in book.make(known, crew, control, each, hash_mib, keep):
                    known = more
        except CrewLost as error:
            note(str(error))
        except KeyboardInterrupt:
            control.stop()
    left, without_reply = known.count("?"), known.without_reply
    if as_json:
        print_json(
            {
                "board": board.lower(),
                "file": str(path),
                "unknown": left,
                "without_reply": without_reply,
            }
        )
    else:
        note(
            f"{path}: {left} of {len(known.winners)} first moves are not known yet, "
            f"and {without_reply} of O's winning replies"
        )
    if control.interrupted:
        return INTERRUPTED
    return UNDECIDED if left or without_reply else YES


def _crew(threads: int, scheduler: str | None) -> AbstractContextManager[Crew]:
    return process_crew(threads) if scheduler is None else cluster_crew(scheduler)


def _progress_text(progress: Progress) -> str:
    return f"{progress.done} of {progress.total} first moves searched, {progress.seconds:,.0f} s"


@subcommand("check")
@click.argument("board", shell_complete=complete_board)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help=f"How many entries, drawn by seed.  [default: {_SAMPLE}]",
)
@click.option("--all", "every", is_flag=True, help="Every entry.")
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N")
@_time_option
@_threads_option
@_scheduler_option
@_hash_option
@_file_option
def check(
    board: str,
    sample: int | None,
    every: bool,
    seed: int,
    time_limit: float | None,
    threads: int,
    scheduler: str | None,
    hash_mib: int,
    file: Path | None,
    as_json: bool,
) -> int:
    """Search entries of BOARD's book again, and say whether they are right.

    Where O wins by a reply in the book, the position after it is searched, which is shorter;
    elsewhere the position after the first move.  Mirror images count as one entry.

    \b
    Examples:
      litstool book check boxes
      litstool book check boxes --all --threads 2 --time-limit 3600

    Exit status: 0 every entry searched is right, 1 one is wrong, 3 the time limit came first,
    130 interrupted.
    """
    if every and sample is not None:
        raise UsageError("--sample and --all contradict each other")
    book, known, path = _open(board, file)
    wanted = None if every else sample or _SAMPLE
    control = Control(time_limit)
    found = []
    with progress_line(_progress_text) as control.on_progress:
        try:
            with _crew(threads, scheduler) as crew:
                for each in book.check(known, crew, control, wanted, seed, hash_mib):
                    found.append(each)
                    if not as_json:
                        click.echo(_checked_line(each))
        except CrewLost as error:
            note(str(error))
        except KeyboardInterrupt:
            control.stop()
    entries = sum(known.winners[members[0]] != "?" for members in book.classes(known.pattern))
    asked = entries if wanted is None else min(wanted, entries)
    right = [each for each in found if each.right]
    wrong = [each for each in found if each.right is False]
    if as_json:
        print_json(
            {
                "board": board.lower(),
                "file": str(path),
                "entries": entries,
                "asked": asked,
                "right": len(right),
                "wrong": len(wrong),
                "checked": [
                    {
                        "move": each.first.notation,
                        "winner": each.winner,
                        "reply": _notation(each.reply),
                        "found": each.found,
                        "right": each.right,
                    }
                    for each in found
                ],
            }
        )
    elif not entries:
        click.echo(f"{printable(str(path))}: nothing is known yet, so there is nothing to check")
    else:
        by_reply = sum(each.reply is not None for each in right)
        click.echo(
            f"{printable(str(path))}: its form and checksum are right; of {entries} entries "
            f"{asked} {'was' if asked == 1 else 'were'} to be searched again: "
            f"{len(right)} right ({by_reply} by the reply, "
            f"{len(right) - by_reply} by a whole search), {len(wrong)} wrong, "
            f"{asked - len(right) - len(wrong)} not finished"
        )
    if wrong:
        return NO
    if control.interrupted:
        return INTERRUPTED
    return YES if len(right) == asked else UNDECIDED


def _checked_line(each: Any) -> str:
    entry = f"{each.first.notation}: {each.winner} wins"
    if each.reply is not None:
        entry += f" with {each.reply.notation}"
    if each.right is None:
        return f"{entry}: not finished"
    return f"{entry}: right" if each.right else f"{entry}: WRONG, {each.found} wins"


command.add_command(show)
command.add_command(make)
command.add_command(check)
