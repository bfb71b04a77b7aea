"""The exact solver of Mijnlieff: brute force, symmetries, the known values, stopping."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from plain_mijnlieff import PlainGame
from test_mijnlieff_rules import plain_of, plain_pieces, random_game

from litstool.grid import Cell, Outline
from litstool.mijnlieff import kernels
from litstool.mijnlieff.board import (
    KINDS,
    SIDES,
    Board,
    arrangements,
    board_of,
    opponent,
    outline_of_offsets,
    standard_board,
)
from litstool.mijnlieff.notation import parse_move
from litstool.mijnlieff.position import Piece, Placed, Position
from litstool.mijnlieff.solver import Searcher, solve, state_of, tables_of
from litstool.search.control import Control
from litstool.search.results import OUTCOME, SearchResult

SQUARE = standard_board()
SHAPES = {
    "S": ((0, 1), (0, 3), (2, 0), (2, 2)),
    "T": ((0, 0), (0, 2), (0, 4), (2, 2)),
    "L": ((0, 0), (2, 0), (4, 0), (4, 2)),
    "ring": ((0, 1), (1, 3), (3, 2), (2, 0)),
}
SMALL_HASH = 32


@lru_cache(maxsize=1)
def square_solved() -> SearchResult:
    return solve(Position.empty(SQUARE), all_moves=True)


def plain_value(plain: PlainGame, position: Position) -> int:
    last = position.last and (position.last.kind, tuple(position.last.cell))
    return plain.value(plain_pieces(position), SIDES.index(position.to_move), last)


def check_line(position: Position, result: SearchResult) -> None:
    """The line is legal to the end and its score is what was promised."""
    for text in result.line:
        position = position.play(parse_move(text))
    assert position.is_finished
    assert result.final_score == {side: position.score(side) for side in SIDES}
    assert position.margin == result.margin
    assert position.winner == result.winner


# The known values


def test_the_square_is_won_by_dark_by_one() -> None:
    result = square_solved()
    assert result.solved and result.winner == "Dark" and result.margin == -1
    check_line(Position.empty(SQUARE), result)


def test_each_first_move_on_the_square() -> None:
    moves = square_solved().moves
    assert moves is not None and len(moves) == 48
    worse = {each.move for each in moves if each.margin != -1}
    assert worse == {f"diagonal@{corner}" for corner in ("a1", "d1", "a4", "d4")}
    assert {each.margin for each in moves if each.move in worse} == {-2}
    assert set(square_solved().best) == {each.move for each in moves} - worse


@pytest.mark.slow
def test_the_free_opening_is_won_by_a_pusher_in_the_centre() -> None:
    result = solve(Position.empty(standard_board(opening="free")), all_moves=True)
    assert result.margin == 1
    assert set(result.best) == {f"pusher@{cell}" for cell in ("b2", "c2", "b3", "c3")}
    values = {each.move: each.margin for each in result.moves or ()}
    assert values["straight@b2"] == 0
    assert values["diagonal@b2"] == values["puller@b2"] == -1


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "margin"), [("S", 0), ("T", 0), ("L", 1), ("ring", 0)])
def test_other_shapes(shape: str, margin: int) -> None:
    position = Position.empty(board_of(outline_of_offsets(SHAPES[shape])))
    result = solve(position)
    assert result.margin == margin
    check_line(position, result)


# Brute force


def test_equal_to_brute_force_near_the_end_on_every_arrangement() -> None:
    chance = random.Random(11)
    compared = 0
    for number, offsets in enumerate(arrangements()):
        board = board_of(outline_of_offsets(offsets), ("block", "ignore")[number % 2])
        plain, searcher = plain_of(board), Searcher(board, 1)
        for _ in range(7):
            for position in random_game(board, chance):
                if position.empty_cells.bit_count() > 4 or position.is_finished:
                    continue
                now = position.margin
                sign = 1 if position.to_move == "Light" else -1
                expected = plain_value(plain, position)
                assert now + sign * searcher.value(position) == expected
                for move in position.moves():
                    after = plain_value(plain, position.play(move))
                    assert now + sign * searcher.worth(position, move) == after
                    compared += 1
    assert compared > 3000


# Small games, from the start: boards with one piece of a kind, or of fewer kinds in play.
SMALL_GAMES = {
    "2x4": Board(Outline(2, 4), each_kind=1),
    "3x3 less a corner": Board(Outline(3, 3, frozenset({Cell(0, 0)})), each_kind=1),
    "3x3 round a gap": Board(Outline(3, 3, frozenset({Cell(1, 1)})), each_kind=1, opening="free"),
    "gap in a row": Board(
        Outline(3, 4, frozenset({Cell(1, 1), Cell(0, 3), Cell(2, 3)})), "ignore", each_kind=1
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        "2x4",
        "3x3 round a gap",
        pytest.param("3x3 less a corner", marks=pytest.mark.slow),
        pytest.param("gap in a row", marks=pytest.mark.slow),
    ],
)
def test_small_games_from_the_start(name: str) -> None:
    board = SMALL_GAMES[name]
    plain = plain_of(board)
    result = solve(Position.empty(board), all_moves=True, hash_mib=SMALL_HASH)
    assert result.margin == plain_value(plain, Position.empty(board))
    for each in result.moves or ():
        after = Position.empty(board).play(parse_move(each.move))
        assert each.margin == plain_value(plain, after)
    check_line(Position.empty(board), result)


@pytest.mark.slow
def test_the_3x3_game_from_the_start() -> None:
    board = Board(Outline(3, 3), each_kind=1)
    plain = plain_of(board)
    result = solve(Position.empty(board), all_moves=True, hash_mib=SMALL_HASH)
    for each in result.moves or ():
        after = Position.empty(board).play(parse_move(each.move))
        assert each.margin == plain_value(plain, after)


@pytest.mark.slow
def test_equal_to_brute_force_six_cells_before_the_end() -> None:
    chance = random.Random(12)
    for offsets in arrangements()[::7]:
        board = board_of(outline_of_offsets(offsets))
        plain, searcher = plain_of(board), Searcher(board, 4)
        for _ in range(6):
            for position in random_game(board, chance):
                if position.empty_cells.bit_count() == 6 and not position.is_finished:
                    sign = 1 if position.to_move == "Light" else -1
                    value = position.margin + sign * searcher.value(position)
                    assert value == plain_value(plain, position)


def test_a_table_too_small_changes_no_value() -> None:
    chance = random.Random(13)
    small, large = Searcher(SQUARE, 1), Searcher(SQUARE, 64)
    for _ in range(4):
        for position in random_game(SQUARE, chance)[5:9]:
            assert small.value(position) == large.value(position)


# Symmetries and the exchange of colours


def moved(position: Position, images: tuple[int, ...]) -> Position:
    """A position after a symmetry of its board."""
    board = position.board

    def image(cell: Cell) -> Cell:
        return board.cells[images[board.number[cell]]]

    pieces = tuple(Placed(each.side, each.kind, image(each.cell)) for each in position.pieces)
    last = position.last and Piece(position.last.kind, image(position.last.cell))
    return Position(board, pieces, position.to_move, last)


def exchanged(position: Position) -> Position:
    """A position with Light and Dark exchanged."""
    pieces = tuple(Placed(opponent(each.side), each.kind, each.cell) for each in position.pieces)
    return Position(position.board, pieces, opponent(position.to_move), position.last)


@pytest.mark.parametrize("shape", ["square", "S", "ring"])
def test_values_keep_under_symmetries_and_turn_with_the_colours(shape: str) -> None:
    board = SQUARE if shape == "square" else board_of(outline_of_offsets(SHAPES[shape]))
    chance = random.Random(14)
    assert len(board.symmetries) > 1
    for _ in range(3):
        for position in random_game(board, chance)[6:]:
            if position.is_finished:
                continue
            margin = solve(position, hash_mib=SMALL_HASH).margin
            assert margin is not None
            for images in board.symmetries[1:]:
                assert solve(moved(position, images), hash_mib=SMALL_HASH).margin == margin
            assert solve(exchanged(position), hash_mib=SMALL_HASH).margin == -margin


def test_the_images_of_a_position_have_one_key() -> None:
    chance = random.Random(15)
    for board in (SQUARE, board_of(outline_of_offsets(SHAPES["ring"]))):
        tables = tables_of(board)
        for position in random_game(board, chance):
            firsts = set()
            for images in board.symmetries:
                own, other, empty, allowed, _ = state_of(moved(position, images))
                firsts.add(
                    kernels.first_image(tables, len(board.symmetries), own, other, empty, allowed)
                )
            assert len(firsts) == 1


# The tables of the kernel against the plain rules


def test_kinds_restrict_alike_where_the_tables_say_so() -> None:
    chance = random.Random(16)
    for offsets in arrangements()[::5]:
        board = board_of(outline_of_offsets(offsets))
        tables = tables_of(board)
        for _ in range(200):
            empty = 0
            for cell in chance.sample(range(16), chance.randint(1, 6)):
                empty |= 1 << cell
            code = int(tables[kernels.REPRESENTATIVES + empty])
            for number, kind in enumerate(KINDS):
                alike = [
                    first
                    for first, other in enumerate(KINDS[: number + 1])
                    if all(
                        board.allowed[kind][cell] & empty == board.allowed[other][cell] & empty
                        for cell in range(16)
                        if empty >> cell & 1
                    )
                ]
                assert code >> (2 * number) & 3 == alike[0]


def test_keys_tell_all_states_apart() -> None:
    chance = random.Random(17)
    states: dict[int, tuple[int, ...]] = {}
    for _ in range(20_000):
        own = other = empty = allowed = 0
        for cell in range(16):
            kind = chance.randrange(5)
            own |= (kind == 0) << cell
            other |= (kind == 1) << cell
            empty |= (kind >= 3) << cell
            allowed |= (kind == 4) << cell
        supplies = sum(chance.randrange(3) << shift for shift in range(0, 16, 2))
        state = (own, other, empty, allowed, supplies)
        key = int(kernels.key_of(*state))
        assert states.setdefault(key, state) == state
        # The key can be read back, so no two states share one.
        first, second, third = key & 0xFFFF, key >> 16 & 0xFFFF, key >> 32 & 0xFFFF
        assert first & ~second == own and second & ~first == other
        assert third == allowed and key >> 48 == supplies
        assert 0xFFFF & ~(first | second) == empty


def test_the_gain_is_the_number_of_windows_completed() -> None:
    chance = random.Random(18)
    for offsets in arrangements()[::4]:
        board = board_of(outline_of_offsets(offsets))
        tables = tables_of(board)
        for position in random_game(board, chance):
            for move in position.moves():
                if isinstance(move, str):
                    continue
                side = position.to_move
                gain = position.play(move).score(side) - position.score(side)
                own = position.cells_of(side)
                assert kernels.gain_of(tables, own, board.number[move.cell]) == gain


def test_counting_bits() -> None:
    chance = random.Random(19)
    for _ in range(1000):
        cells = chance.getrandbits(32)
        assert kernels.count(np.int64(cells)) == cells.bit_count()


# What a result says


def midgames(count: int, empty: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        for position in random_game(SQUARE, chance):
            if position.empty_cells.bit_count() == empty and not position.is_finished:
                found.append(position)
    return found


def test_all_moves_have_their_values_and_the_best_ones_are_named() -> None:
    for position in midgames(6, 7, 20):
        single = solve(position, hash_mib=SMALL_HASH)
        every = solve(position, all_moves=True, hash_mib=SMALL_HASH)
        assert every.moves is not None
        assert single.margin == every.margin and single.winner == every.winner
        assert {each.move for each in every.moves} == {
            move if isinstance(move, str) else move.notation for move in position.moves()
        }
        pick = max if position.to_move == "Light" else min
        best = pick(each.margin for each in every.moves if each.margin is not None)
        assert best == every.margin
        assert set(every.best) == {each.move for each in every.moves if each.margin == best}
        assert single.best[0] in every.best
        check_line(position, single)
        check_line(position, every)


def test_the_outcome_agrees_with_the_score() -> None:
    winners = Counter()
    for position in midgames(20, 7, 21):
        score = solve(position, hash_mib=SMALL_HASH)
        for all_moves in (False, True):
            outcome = solve(position, objective=OUTCOME, all_moves=all_moves, hash_mib=SMALL_HASH)
            assert outcome.solved and outcome.winner == score.winner
            assert outcome.margin is None and outcome.final_score is None
            end = position
            for text in outcome.line:
                end = end.play(parse_move(text))
            assert end.is_finished and end.winner == score.winner
            if all_moves:
                exact = solve(position, all_moves=True, hash_mib=SMALL_HASH)
                assert {each.move: each.winner for each in outcome.moves or ()} == {
                    each.move: each.winner for each in exact.moves or ()
                }
        winners[score.winner] += 1
    assert winners["Light"] and winners["Dark"] and winners["draw"]


def test_a_finished_game_needs_no_search() -> None:
    end = random_game(SQUARE, random.Random(22))[-1]
    result = solve(end, all_moves=True)
    assert result.solved and result.margin == end.margin and result.winner == end.winner
    assert result.best == result.line == result.moves == ()


def test_a_forced_pass_is_the_best_move() -> None:
    chance = random.Random(23)
    position = next(
        position
        for _ in range(100)
        for position in random_game(SQUARE, chance)
        if position.must_pass and position.empty_cells.bit_count() > 3
    )
    result = solve(position, all_moves=True, hash_mib=SMALL_HASH)
    assert result.best == ("pass",) and result.line[0] == "pass"
    check_line(position, result)


# Stopping


def test_a_time_limit_leaves_proven_bounds() -> None:
    control = Control(time_limit=0.2)
    result = solve(Position.empty(SQUARE), control=control)
    assert not result.solved and result.margin is None and not control.interrupted
    assert result.bounds is not None and result.bounds[0] <= -1 <= result.bounds[1]
    assert len(result.best) == 1


def test_stop_ends_a_search_soon_from_another_thread() -> None:
    control = Control()
    timer = threading.Timer(0.3, control.stop)
    timer.start()
    started = time.monotonic()
    result = solve(Position.empty(SQUARE), control=control)
    assert not result.solved and control.interrupted
    assert result.nodes > 0
    assert time.monotonic() - started < 30


def test_progress_is_reported() -> None:
    seen = []
    control = Control(time_limit=1.0, on_progress=seen.append)
    solve(Position.empty(SQUARE), control=control)
    assert seen and seen[-1].nodes > 0 and seen[-1].bounds is not None


def test_ctrl_c_gives_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(progress: object) -> None:
        raise KeyboardInterrupt

    control = Control(on_progress=interrupt)
    result = solve(Position.empty(SQUARE), control=control)
    assert control.interrupted and not result.solved
    assert result.bounds is not None and result.bounds[0] <= -1 <= result.bounds[1]
