"""``litstool book``: which first moves to swap."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from litstool.cli.common import (
    CONTEXT,
    INTERRUPTED,
    UNDECIDED,
    YES,
    complete_board,
    note,
    positive,
    print_json,
    process_pool,
    progress_line,
    subcommand,
)
from litstool.errors import UsageError
from litstool.files import nearest
from litstool.results import Control, Progress
from litstool.writing import check_writable


@click.group("book", context_settings=CONTEXT)
def command() -> None:
    """Who wins after each first move of a standard board, so whether to swap.

    \b
    Examples:
      litstool book show boxes
      litstool book make boxes --time-limit 3600 --threads 2
    """


def _open(board: str, file: Path | None) -> tuple[Any, Any, Path]:
    from litstool.lits import book
    from litstool.lits.notation import pattern_named, pattern_names

    pattern = pattern_named(board)
    if pattern is None:
        raise UsageError(f"{board!r} is no standard board; {nearest(board, pattern_names())}")
    path = file or book.path_of(board)
    known = book.read(path, pattern) if path.exists() else book.Book.blank(pattern)
    return book, known, path


@subcommand("show")
@click.argument("board", shell_complete=complete_board)
@click.option("--list", "as_list", is_flag=True, help="Every first move with its winner.")
def show(board: str, as_list: bool, as_json: bool) -> int:
    """Draw which first moves of BOARD to swap, which to leave, and which are not known yet.

    For each shape and cell: of the known first moves that cover the cell, how many tenths X
    wins, so should be swapped; . where none is known.

    \b
    Examples:
      litstool book show boxes
      litstool book show boxes --list
    """
    from litstool.lits.placements import placements_of

    _, known, _ = _open(board, None)
    placements = placements_of(known.pattern.outline).all
    if as_json:
        print_json(
            {
                "board": board.lower(),
                "swap": known.count("X"),
                "leave": known.count("O"),
                "unknown": known.count("?"),
                "first_moves": [
                    {"move": each.notation, "winner": known.winner(each)} for each in placements
                ],
            }
        )
        return YES
    if as_list:
        words = {"X": "swap", "O": "leave", None: "?"}
        for each in placements:
            click.echo(f"{words[known.winner(each)]:<6}{each.notation}")
    else:
        for line in _map(known, placements):
            click.echo(line)
    click.echo(
        f"{board.lower()}: swap after {known.count('X')} first moves, leave {known.count('O')}, "
        f"not known yet {known.count('?')}"
    )
    return YES


def _map(known: Any, placements: tuple[Any, ...]) -> list[str]:
    from litstool.lits.placements import SHAPES

    outline = known.pattern.outline
    lines = []
    for pair in (SHAPES[:2], SHAPES[2:]):
        grids = []
        for shape in pair:
            tally = {cell: [0, 0] for cell in outline.cells}
            for each in placements:
                winner = known.winner(each)
                if each.shape == shape and winner is not None:
                    for cell in each.cells:
                        tally[cell][winner == "X"] += 1
            letters = " ".join(chr(ord("a") + column) for column in range(outline.columns))
            rows = [f"{shape}   {letters}"]
            for row in range(outline.rows):
                marks = [
                    _tenths(tally[cell]) if (cell := _cell(row, column)) in tally else "#"
                    for column in range(outline.columns)
                ]
                rows.append(f"{row + 1:>2}  {' '.join(marks)}")
            grids.append(rows)
        width = max(len(row) for row in grids[0]) + 6
        lines += [f"{left:<{width}}{right}" for left, right in zip(*grids, strict=True)]
        lines.append("")
    lines.append("0 to 9, and * for all: tenths of the known first moves here that X wins (swap)")
    return lines


def _cell(row: int, column: int) -> Any:
    from litstool.grid import Cell

    return Cell(row, column)


def _tenths(tally: list[int]) -> str:
    total = sum(tally)
    if not total:
        return "."
    return "*" if tally[1] == total else str(10 * tally[1] // total)


@subcommand("make")
@click.argument("board", shell_complete=complete_board)
@click.option("--time-limit", type=float, callback=positive, metavar="S", help="Stop after S s.")
@click.option(
    "--each", type=float, callback=positive, metavar="S", help="Give up one first move after S s."
)
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N")
@click.option(
    "--hash",
    "hash_mib",
    type=click.IntRange(1, 1 << 20),
    default=512,
    show_default=True,
    metavar="MIB",
    help="Memory for each search's transposition table.",
)
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
    hash_mib: int,
    output: Path | None,
    as_json: bool,
) -> int:
    """Search the first moves of BOARD that are not known yet, and save each as it is proved.

    Run it again to carry on; Ctrl-C loses only the searches under way.

    \b
    Example:
      litstool book make boxes --time-limit 3600 --threads 2 -o boxes.book.yaml

    Exit status: 0 complete, 3 some first moves are still not known, 130 interrupted.
    """
    book, known, path = _open(board, output)
    check_writable(path)
    control = Control(time_limit)
    with progress_line(_progress_text) as control.on_progress:
        try:
            with process_pool(threads) as pool:
                for more in book.make(known, pool, threads, control, each, hash_mib):
                    known = more
                    book.write(known, path, board.lower())
        except KeyboardInterrupt:
            control.stop()
    left = known.count("?")
    if as_json:
        print_json({"board": board.lower(), "file": str(path), "unknown": left})
    else:
        note(f"{path}: {left} of {len(known.winners)} first moves are not known yet")
    if control.interrupted:
        return INTERRUPTED
    return UNDECIDED if left else YES


def _progress_text(progress: Progress) -> str:
    return f"{progress.done} of {progress.total} first moves searched, {progress.seconds:,.0f} s"


command.add_command(show)
command.add_command(make)
