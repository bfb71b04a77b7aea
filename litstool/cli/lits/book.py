"""``litstool book``: which first moves to swap, and what to answer to the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from litstool.cli.common import (
    SEED,
    complete_board,
    complete_file,
    group,
    positive,
    subcommand,
    threads_option,
    time_limit_option,
)
from litstool.errors import UsageError
from litstool.files.writing import check_outputs, check_writable
from litstool.search.control import Control
from litstool.search.workers import Crew, CrewLost, cluster_crew, process_crew
from litstool.terminal.printing import INTERRUPTED, NO, UNDECIDED, YES, note, print_json
from litstool.terminal.progress import progress_line

if TYPE_CHECKING:
    from litstool.lits.book import Book

_SAMPLE = 5

_board_argument = click.argument("board", shell_complete=complete_board)
_file_option = click.option(
    "--file", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="Another book's file than the one kept with the standard boards.",
)  # fmt: skip
_threads_option = threads_option("Search on N cores.")
_scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS",
    help="Hand the searches to the Dask cluster at this address instead.",
)  # fmt: skip
_hash_option = click.option(
    "--hash", "hash_mib", type=click.IntRange(1, 1 << 20), default=512, show_default=True,
    metavar="MIB", help="Memory for each search's transposition table.",
)  # fmt: skip


@group("book")
def command() -> None:
    """Who wins after each first move of a standard board, so whether to swap.

    \b
    Examples:
      litstool book show boxes
      litstool book make boxes --time-limit 3600 --threads 2
      litstool book check boxes
    """


@subcommand("show")
@_board_argument
@click.option("--list", "as_list", is_flag=True, help="Every first move and O's reply.")
@click.option(
    "-o", "--output", metavar="FILE", shell_complete=complete_file,
    help="Write a picture (.svg, .png, .pdf) or a page (.html) instead.",
)  # fmt: skip
@_file_option
def show(board: str, as_list: bool, output: str | None, file: Path | None, as_json: bool) -> int:
    """Draw which first moves of BOARD to swap, which to leave, and which are not known yet.

    \b
    Examples:
      litstool book show boxes
      litstool book show boxes --list
      litstool book show boxes -o book.png
    """
    from litstool.lits import book
    from litstool.say.lits import book as say

    name = board.lower()
    if output is not None:
        from litstool.draw import output as files
        from litstool.draw.lits.book import pictures
        from litstool.files.reading import check_ending

        check_ending(output, files.ENDINGS)
    known, path = book.opened(board, file)
    if output is not None:
        check_outputs({"-o": output}, [path])
        files.write(output, pictures(known, name))
        note(f"wrote {output}")
    if as_json:
        print_json(say.document(known, name))
    elif as_list or output is None:
        for line in say.listing(known) if as_list else say.text(known, name):
            click.echo(line)
    return YES


@subcommand("make")
@_board_argument
@time_limit_option
@click.option(
    "--each", type=float, callback=positive, metavar="S", help="Give up one first move after S s."
)
@_threads_option
@_scheduler_option
@_hash_option
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="The book's file; else the one kept with the standard boards.",
)  # fmt: skip
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
    from litstool.lits import book
    from litstool.say.lits import book as say

    name = board.lower()
    known, path = book.opened(board, output)
    check_writable(path)
    control = Control(time_limit)

    def keep(more: Book) -> Book:
        return book.update(path, more, name)

    def search(crew: Crew) -> None:
        nonlocal known
        for more in book.make(known, crew, control, each, hash_mib, keep):
            known = more

    _search(search, control, threads, scheduler)
    if as_json:
        print_json(say.made_document(known, name, path))
    else:
        note(say.made(known, path))
    if control.interrupted:
        return INTERRUPTED
    return UNDECIDED if known.tally.unknown or known.without_reply else YES


def _search(
    search: Callable[[Crew], None], control: Control, threads: int, scheduler: str | None
) -> None:
    """Search with processes of this machine or a cluster; what stops it leaves what is found."""
    from litstool.say.lits.book import progress

    with progress_line(progress) as control.on_progress:
        try:
            with process_crew(threads) if scheduler is None else cluster_crew(scheduler) as crew:
                search(crew)
        except CrewLost as error:
            note(str(error))
        except KeyboardInterrupt:
            control.stop()


@subcommand("check")
@_board_argument
@click.option(
    "--sample", type=click.IntRange(1), metavar="N",
    help=f"How many entries, drawn by seed.  [default: {_SAMPLE}]",
)  # fmt: skip
@click.option("--all", "every", is_flag=True, help="Every entry.")
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N")
@time_limit_option
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
    from litstool.lits import book
    from litstool.say.lits import book as say

    if every and sample is not None:
        raise UsageError("--sample and --all contradict each other")
    known, path = book.opened(board, file)
    wanted = None if every else sample or _SAMPLE
    control, audit = Control(time_limit), book.Audit.of(known, wanted)

    def search(crew: Crew) -> None:
        for each in book.check(known, crew, control, wanted, seed, hash_mib):
            audit.found.append(each)
            if not as_json:
                click.echo(say.checked(each))

    _search(search, control, threads, scheduler)
    if as_json:
        print_json(say.audit_document(audit, board.lower(), path))
    else:
        click.echo(say.audited(audit, path))
    if audit.wrong:
        return NO
    if control.interrupted:
        return INTERRUPTED
    return YES if len(audit.right) == audit.asked else UNDECIDED


for _each in (show, make, check):
    command.add_command(_each)
