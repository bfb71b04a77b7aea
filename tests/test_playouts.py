"""Playouts: legal by the plain rules, exact on a small board, and the measured facts of 10 x 10."""

from __future__ import annotations

from functools import cache
from math import sqrt

import numpy as np
import pytest

from litstool.grid import Outline
from litstool.lits import playouts
from litstool.lits.board import Pattern
from litstool.lits.kernels import MOST_PIECES
from litstool.lits.notation import pattern_named
from litstool.lits.position import Position
from litstool.search.control import Control

SMALL = Pattern.from_rows(["XO.X", ".XOO", "O..X", "XOXO"])
WITH_HOLES = Pattern.from_rows(["XO.X.#", ".XOO.O", "O.#XX.", "XOXO.X", "..O.XO"])


@cache
def board(name: str) -> playouts.Board:
    pattern = pattern_named(name)
    assert pattern is not None
    return playouts.PlayoutTables(pattern)


def one_lot(on: playouts.PlayoutTables, policy: str, seed: int) -> tuple[Position, playouts.Tally]:
    """One game twice: as a position, and as the tally that the kernel makes of it."""
    position = playouts.one_game(on, policy, playouts.seed_for(seed, 1, 0))
    return position, playouts.play(on, policy, 1, seed, with_cells=True)


@pytest.mark.parametrize("policy", [playouts.RANDOM, playouts.GREEDY])
@pytest.mark.parametrize("pattern", [pattern_named("boxes"), SMALL, WITH_HOLES])
def test_games_are_legal_and_added_up_right(pattern: Pattern, policy: str) -> None:
    on = playouts.PlayoutTables(pattern)
    for seed in range(12):
        end, tally = one_lot(on, policy, seed)
        position = Position.empty(pattern)
        for piece in end.pieces:
            if policy == playouts.GREEDY:
                best = max(position.gain(move) for move in position.moves())
                assert position.gain(piece) == best
            position = position.play(piece)
        assert position.is_finished
        assert tally.games == 1 and tally.lengths[len(end.pieces)] == 1
        assert tally.margin == position.margin and tally.squares == position.margin**2
        assert tally.x_wins == (position.winner == "X")
        assert (tally.x_ahead, tally.o_ahead) == (position.margin > 0, position.margin < 0)
        assert tally.covered is not None
        covered = [index for index, times in enumerate(tally.covered) if times]
        assert sum(1 << index for index in covered) == position.covered


def exact(position: Position, policy: str) -> tuple[float, np.ndarray]:
    """X's chance to win and the chance of each length, by the whole tree of play."""
    moves = list(position.moves())
    if not moves:
        lengths = np.zeros(MOST_PIECES)
        lengths[len(position.pieces)] = 1
        return float(position.winner == "X"), lengths
    if policy == playouts.GREEDY:
        best = max(position.gain(move) for move in moves)
        moves = [move for move in moves if position.gain(move) == best]
    parts = [exact(position.placed(move), policy) for move in moves]
    return (
        sum(part[0] for part in parts) / len(parts),
        sum(part[1] for part in parts) / len(parts),
    )


@pytest.mark.parametrize("policy", [playouts.RANDOM, playouts.GREEDY])
def test_chances_agree_with_the_whole_tree_of_a_small_board(policy: str) -> None:
    games = 200_000
    x_wins, lengths = exact(Position.empty(SMALL), policy)
    tally = playouts.play(playouts.PlayoutTables(SMALL), policy, games, 3)
    for measured, chance in [(tally.x_wins, x_wins), *zip(tally.lengths, lengths, strict=True)]:
        deviation = sqrt(games * chance * (1 - chance))
        assert abs(measured - games * chance) <= 4.5 * deviation + 1e-6


def test_chances_after_each_first_move_agree_with_the_tree() -> None:
    games = 20_000
    on = playouts.PlayoutTables(SMALL)
    wins, _ = playouts.play_after_each(on, playouts.RANDOM, games, 5)
    start = Position.empty(SMALL)
    assert len(wins) == 104
    for number in (0, 17, 40, 77, 103):
        chance, _ = exact(start.placed(start.placements.all[number]), playouts.RANDOM)
        deviation = sqrt(games * chance * (1 - chance))
        assert abs(wins[number] - games * chance) <= 4.5 * deviation + 1e-6
    some, _ = playouts.play_after_each(on, playouts.RANDOM, games, 5, firsts=[17, 103])
    assert some.tolist() == [wins[17], wins[103]]


TIES = {"monogram": 0.074, "diagonals": 0.115}


@pytest.mark.parametrize("name", ["boxes", "diagonals", "monogram", "stripes"])
def test_random_games_of_the_standard_boards(name: str) -> None:
    tally = playouts.play(board(name), playouts.RANDOM, 40_000, 11)
    assert abs(tally.mean_length - 13.82) < 0.03
    assert tally.lengths.argmax() == 14
    seen = np.flatnonzero(tally.lengths)
    assert 9 <= seen[0] <= 11 and 16 <= seen[-1] <= 18
    ties = tally.ties / tally.games
    assert abs(ties - TIES[name]) < 0.006 if name in TIES else 0.074 < ties < 0.115
    assert abs(tally.margin / tally.games) < 0.1


GREEDY_AHEAD = {"boxes": (0.62, 0.69), "monogram": (0.62, 0.68), "stripes": (0.62, 0.68)}


@pytest.mark.parametrize("name", ["boxes", "diagonals", "monogram", "stripes"])
def test_greedy_games_of_the_standard_boards(name: str) -> None:
    tally = playouts.play(board(name), playouts.GREEDY, 40_000, 11)
    low, high = GREEDY_AHEAD.get(name, (0.43, 0.47))
    assert low < tally.x_ahead / tally.games < high
    assert 0.11 < tally.ties / tally.games < 0.19


def test_the_sums_do_not_depend_on_the_number_of_threads() -> None:
    one = playouts.play(board("boxes"), playouts.GREEDY, 20_000, 4, with_cells=True)
    two = playouts.play(board("boxes"), playouts.GREEDY, 20_000, 4, with_cells=True, threads=3)
    assert one.games == two.games == 20_000
    assert (one.x_wins, one.margin, one.squares) == (two.x_wins, two.margin, two.squares)
    assert one.lengths.tolist() == two.lengths.tolist()
    assert one.covered is not None and two.covered is not None
    assert one.covered.tolist() == two.covered.tolist()
    other = playouts.play(board("boxes"), playouts.GREEDY, 20_000, 5)
    assert other.margin != one.margin


def test_the_same_seed_gives_the_same_games_on_every_machine() -> None:
    tally = playouts.play(board("stripes"), playouts.RANDOM, 1000, 2026)
    # Only here to notice a change: nothing but the seed decides these sums.
    assert (tally.x_wins, tally.x_ahead, tally.margin, tally.pieces) == (500, 440, -91, 13796)


def test_a_stopped_control_ends_the_games_between_two_lots() -> None:
    control = Control()
    control.stop()
    assert playouts.play(board("boxes"), playouts.RANDOM, 50_000, 1, control=control).games == 0
    assert playouts.play_after_each(board("boxes"), "random", 4, 1, control=control).games == 0


def test_ctrl_c_keeps_what_was_played() -> None:
    done = []

    def one(lot: int) -> int:
        if lot == 3:
            raise KeyboardInterrupt
        done.append(lot)
        return lot

    control = Control()
    assert playouts.run_lots(one, range(10), control=control) == [0, 1, 2] == done
    assert control.interrupted


def test_strong_play_ends_in_perfect_play(monkeypatch: pytest.MonkeyPatch) -> None:
    from litstool.lits.pattern import measure
    from litstool.lits.solver import solve

    monkeypatch.setattr(measure, "STRONG_FROM", 104)
    tally = measure.strong_play(playouts.PlayoutTables(SMALL), 5, 1)
    result = solve(Position.empty(SMALL))
    assert tally.games == 5
    assert tally.margin == 5 * result.margin and tally.x_wins == 5 * (result.winner == "X")


def test_boards_without_room_for_a_piece() -> None:
    every_other = frozenset(cell for cell in Outline(4, 4).cells if sum(cell) % 2)
    blank = Pattern(Outline(4, 4, every_other), 0, 0)
    tally = playouts.play(playouts.PlayoutTables(blank), playouts.GREEDY, 100, 1)
    assert tally.games == 100 and tally.pieces == 0 and tally.ties == 100
