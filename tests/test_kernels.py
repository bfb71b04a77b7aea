"""The compiled move against the plain one, perft, and random play."""

from __future__ import annotations

import random

import pytest
from numba import njit

from litstool.grid import Cell, Outline, bits
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply
from litstool.lits.kernels import (
    legal_moves,
    lines_of,
    perft,
    place,
    set_of,
    stack_of,
    tables_of,
)
from litstool.lits.position import Position
from litstool.lits.rows import put
from litstool.search.chance import generator
from litstool.search.table import aligned_zeros


@njit
def write_legal(tables, stack, ply, moves, lines):  # type: ignore[no-untyped-def]
    """Rows live in compiled code only: write the legal moves to row 0 of an array."""
    put(moves, 0, legal_moves(tables, stack, ply, lines))


def blank(rows: int, columns: int, holes: int = 0, seed: int = 0) -> Pattern:
    """A board without symbols, with some holes at random."""
    cells = [Cell(row, column) for row in range(rows) for column in range(columns)]
    chosen = frozenset(random.Random(seed).sample(cells, holes))
    return Pattern(Outline(rows, columns, chosen), 0, 0)


BOARDS: list[tuple[Pattern, Supply, int]] = [
    (blank(4, 4), FULL_SUPPLY, 300),
    (blank(4, 16, 5, 1), FULL_SUPPLY, 1000),
    (blank(5, 5), (1, 0, 2, 20), 700),
    (blank(5, 5, 3, 2), FULL_SUPPLY, 600),
    (blank(6, 6), FULL_SUPPLY, 1000),
    (blank(7, 9, 8, 3), (2, 1, 1, 3), 1400),
    (blank(10, 10), FULL_SUPPLY, 2500),
    (blank(10, 10, 12, 4), (20, 20, 20, 20), 1500),
    (blank(13, 8, 6, 5), (0, 5, 3, 1), 800),
    (blank(16, 16, 20, 6), (7, 5, 20, 5), 200),
]


@pytest.mark.parametrize(("pattern", "supply", "count"), BOARDS)
def test_moves_like_plain_python(pattern: Pattern, supply: Supply, count: int) -> None:
    """Alive, reach and legal moves are equal after every move of random games, to their ends."""
    chance = random.Random(str(pattern.outline))
    tables = tables_of(pattern.outline)
    lines = lines_of(tables)
    moves = aligned_zeros((1, tables.covering.shape[1]))
    position = Position.empty(pattern, supply)
    stack = stack_of(position)
    ply = games = 0
    for _ in range(count):
        write_legal(tables, stack, ply, moves, lines)
        assert set_of(moves[0]) == position.legal
        assert set_of(stack.alive[ply]) == position.alive
        if position.pieces:
            assert set_of(stack.reach[ply]) == position.reach
        assert tuple(stack.supply[ply]) == position.supply_left
        if position.is_finished:
            games += 1
            position = Position.empty(pattern, supply)
            stack = stack_of(position)
            ply = 0
            continue
        number = chance.choice(list(bits(position.legal)))
        place(tables, stack, ply, number, not position.pieces, lines)
        position = position.placed(position.placements.all[number])
        ply += 1
        if chance.random() < 0.2:
            # From pieces on the board the state is the same as from the moves.
            again = stack_of(position, 1)
            for name in ("alive", "reach", "nibbles", "supply"):
                assert (getattr(again, name)[0] == getattr(stack, name)[ply]).all()
    assert games > 5


PERFT = [
    (4, (104, 688, 304, 0)),
    (5, (212, 4_768, 42_176, 48_624, 0)),
    (6, (356, 13_648, 398_304, 6_389_664)),
    (10, (1_292, 89_808, 8_192_896)),
]


@pytest.mark.parametrize(("side", "counts"), PERFT)
def test_perft(side: int, counts: tuple[int, ...]) -> None:
    position = Position.empty(blank(side, side))
    assert tuple(perft(position, plies) for plies in range(1, len(counts) + 1)) == counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("side", "plies", "count"),
    [(6, 5, 34_451_568), (6, 6, 22_378_304), (6, 7, 0), (10, 4, 844_692_944)],
)
def test_deep_perft(side: int, plies: int, count: int) -> None:
    assert perft(Position.empty(blank(side, side)), plies) == count


def test_perft_of_no_move_is_one() -> None:
    assert perft(Position.empty(blank(4, 4)), 0) == 1


def test_generators_differ_by_seed_and_repeat() -> None:
    assert generator(1)[0] != generator(2)[0]
    assert generator(3)[0] == generator(3)[0]
