"""How fast Mijnlieff is solved: ``python benchmarks/mijnlieff.py``.

The empty 4x4 board from scratch, after compiling, and the same search against a plain one on the
same smaller positions in the same run.  The plain search is alpha-beta over the full window,
compiled by numba like ours, with a table as large, whose key is the position itself: pieces by
colour, supplies, the side to move and the allowed cells.  It has no other technique: no symmetry,
no dead colours or merged kinds, no bounds, moves by cell and kind.
"""

from __future__ import annotations

import random
import time

import click
import numpy as np

from litstool.mijnlieff import kernels
from litstool.mijnlieff.board import standard_board
from litstool.mijnlieff.position import Position
from litstool.mijnlieff.solver import Searcher, solve, state_of, tables_of
from litstool.search.compiling import kernel
from litstool.search.table import new_table


@kernel
def plain_search(tables, memory, counters, own, other, empty, allowed, supplies, low, high):
    """The future margin of the side to move, exact inside the window (fail-soft)."""
    counters[0] += 1
    if tables[kernels.PIECES + (supplies & 255)] == 0:
        return 0
    swapped = (supplies >> 8) | ((supplies & 255) << 8)
    if allowed == 0:
        if tables[kernels.PIECES + (supplies >> 8)] == 0:
            return 0
        return -plain_search(
            tables, memory, counters, other, own, empty, empty, swapped, -high, -low
        )
    key = kernels.key_of(own, other, empty, allowed, supplies)
    slot = kernels.slot_of(memory, key)
    if slot >= 0:
        datum = np.int64(memory[slot + 1])
        least = (datum & 127) - kernels.VALUE_OFFSET
        most = ((datum >> 7) & 127) - kernels.VALUE_OFFSET
        if least >= high or least == most:
            return least
        if most <= low:
            return most
    before = counters[0]
    best = -1000
    window_low = low
    for cell in range(16):
        if not (allowed >> cell) & 1:
            continue
        gain = kernels.gain_of(tables, own, cell)
        after = empty ^ (1 << cell)
        for kind in range(4):
            if (supplies >> (2 * kind)) & 3 == 0:
                continue
            reply = tables[kernels.ALLOWED + kind * 16 + cell] & after
            left = supplies - (1 << (2 * kind))
            left = (left >> 8) | ((left & 255) << 8)
            value = gain - plain_search(
                tables, memory, counters, other, own | (1 << cell), after, reply, left,
                gain - high, gain - window_low,
            )  # fmt: skip
            best = max(best, value)
            window_low = max(window_low, best)
            if best >= high:
                break
        if best >= high:
            break
    least = best if best > low else kernels.LEAST_VALUE
    most = best if best < high else kernels.MOST_VALUE
    kernels.store(memory, key, least, most, kernels.NO_MOVE, counters[0] - before)
    return best


def positions(empty: int, count: int) -> list[Position]:
    """Positions with so many empty cells, out of random games."""
    chance = random.Random(empty)
    found: list[Position] = []
    while len(found) < count:
        position = Position.empty(standard_board())
        while position.empty_cells.bit_count() > empty and not position.is_finished:
            position = position.play(chance.choice(list(position.moves())))
        if not position.is_finished:
            found.append(position)
    return found


def compare(empty: int, count: int, hash_mib: int) -> None:
    """Ours and the plain search on the same positions, each with a fresh table."""
    board = standard_board()
    tables = tables_of(board)
    plain_seconds = our_seconds = 0.0
    plain_nodes = our_nodes = 0
    for position in positions(empty, count):
        memory, counters = new_table(hash_mib).reshape(-1), np.zeros(1, dtype=np.int64)
        started = time.process_time()
        expected = plain_search(tables, memory, counters, *state_of(position), -60, 60)
        plain_seconds += time.process_time() - started
        plain_nodes += int(counters[0])
        searcher = Searcher(board, hash_mib)
        started = time.process_time()
        value = searcher.value(position)
        our_seconds += time.process_time() - started
        our_nodes += searcher.nodes
        if value != expected:
            raise SystemExit(f"the two searches differ on {position}")
    click.echo(
        f"{empty:>5}  {count:>9}  {plain_seconds:>9.3f}  {our_seconds:>8.3f}  "
        f"{plain_seconds / our_seconds:>6.1f}  {plain_nodes / our_nodes:>6.1f}"
    )


@click.command()
@click.option("--hash", "hash_mib", default=256, show_default=True, help="Table in MiB.")
@click.option("--most-empty", default=12, show_default=True, help="Largest comparison.")
def main(hash_mib: int, most_empty: int) -> None:
    """Solve the empty 4x4 board, and compare with a plain search on smaller positions."""
    board = standard_board()
    first = positions(5, 1)[0]
    memory, counters = new_table(1).reshape(-1), np.zeros(1, dtype=np.int64)
    plain_search(tables_of(board), memory, counters, *state_of(first), -60, 60)
    solve(first, hash_mib=1)

    for all_moves in (False, True):
        started = time.process_time()
        result = solve(Position.empty(board), all_moves=all_moves, hash_mib=hash_mib)
        seconds = time.process_time() - started
        what = "with the value of every first move" if all_moves else "margin, best move and line"
        click.echo(
            f"empty 4x4, {what}: margin {result.margin}, {seconds:.2f} s of one core "
            f"({result.seconds:.2f} s by the clock), {result.nodes:,} nodes"
        )

    click.echo("\nempty  positions  plain (s)  ours (s)   ratio   nodes")
    for empty in range(8, most_empty + 1):
        compare(empty, 10 if empty < 11 else 5, min(hash_mib, 128))


if __name__ == "__main__":
    main()
