"""``python -m litstool.cli.mijnlieff.table FILE``: the table of all arrangements of boards."""

from __future__ import annotations

from pathlib import Path

import click

from litstool.errors import LitstoolError
from litstool.mijnlieff.table import HASH_MIB, Entry, make
from litstool.search.control import Control


@click.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--time-limit", type=click.FloatRange(min=0), help="Seconds; default: no limit.")
@click.option("--hash", "hash_mib", type=click.IntRange(1), default=HASH_MIB, show_default=True)
def main(path: Path, time_limit: float | None, hash_mib: int) -> None:
    """Solve every arrangement of four 2x2 boards into FILE, going on with what is there.

    Exit status: 0 complete, 3 the time limit came first, 130 interrupted.
    """
    control = Control(time_limit)

    def tell(done: int, total: int, entry: Entry) -> None:
        click.echo(f"{done} of {total}: {entry.line().strip()}")

    try:
        complete = make(path, control, hash_mib=hash_mib, on_entry=tell)
    except LitstoolError as error:
        click.echo(f"litstool: {error}", err=True)
        raise SystemExit(error.exit_status) from None
    raise SystemExit(0 if complete else 130 if control.interrupted else 3)


if __name__ == "__main__":
    main()
