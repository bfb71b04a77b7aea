"""Exact solving against brute force, a plain search, symmetries and known endgames."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from endgames import (
    ENDGAMES,
    balanced_pattern,
    check_line,
    endgame,
    played,
    random_endgame,
    random_pattern,
)
from waiting import BUSY

import litstool
from litstool.grid import SYMMETRIES, Symmetry
from litstool.lits import solver
from litstool.lits.board import FULL_SUPPLY, Pattern, Supply, opponent
from litstool.lits.kernel.state import (
    ALL_TECHNIQUES,
    BOUNDS,
    CLAIMS,
    HASTE,
    KEY,
    NO_MOVE,
    ORDER,
    PRICED,
    REPLY,
)
from litstool.lits.placements import Placement
from litstool.lits.position import Position
from litstool.lits.reference_search import brute_force, plain_search, value_of
from litstool.lits.searcher import NO_LIMIT, Searcher
from litstool.lits.solver import Solving, solve
from litstool.search.control import Control, Progress
from litstool.search.results import OUTCOME, SCORE


def result_of_value(position: Position, value: int) -> tuple[str, int, str]:
    """Winner, X's margin, last mover for a value to the side to move."""
    now = position.margin if position.to_move == "X" else -position.margin
    last_is_mover = value % 3 == 1
    margin = now + (value - (1 if last_is_mover else -1)) // 3
    last = position.to_move if last_is_mover else opponent(position.to_move)
    leader = position.to_move if margin > 0 else opponent(position.to_move)
    return (
        leader if margin else last,
        margin if position.to_move == "X" else -margin,
        last,
    )


def check_against_brute_force(position: Position, known: dict[object, int]) -> None:
    """Everything that ``solve`` says about a position that is not finished."""
    values = {
        move.notation: 3 * position.gain(move) - brute_force(position.placed(move), known)
        for move in position.moves()
    }
    value = max(values.values())
    expected = result_of_value(position, value)
    result = solve(position, hash_mib=1)
    assert (result.winner, result.margin, result.last_mover) == expected
    assert len(result.best) == 1
    assert values[result.best[0]] == value
    check_line(position, result)

    outcome = solve(position, objective=OUTCOME, hash_mib=1)
    assert (outcome.winner, outcome.margin) == (expected[0], None)
    assert result_of_value(position, values[outcome.best[0]])[0] == expected[0]
    check_line(position, outcome)

    whole = solve(position, all_moves=True, hash_mib=1)
    assert whole.moves is not None
    assert {each.move: (each.winner, each.margin) for each in whole.moves} == {
        move: result_of_value(position, each)[:2] for move, each in values.items()
    }
    assert set(whole.best) == {move for move, each in values.items() if each == value}
    check_line(position, whole)
    winners = solve(position, objective=OUTCOME, all_moves=True, hash_mib=1)
    assert winners.moves is not None
    assert {each.move: each.winner for each in winners.moves} == {
        move: result_of_value(position, each)[0] for move, each in values.items()
    }


SMALL: list[tuple[int, int, int, Supply]] = [
    (4, 4, 0, FULL_SUPPLY),
    (5, 5, 0, FULL_SUPPLY),
    (5, 5, 0, (1, 1, 1, 1)),
    (5, 5, 2, FULL_SUPPLY),
    (4, 7, 3, (2, 0, 1, 5)),
    (6, 5, 3, (3, 1, 2, 1)),
    (4, 4, 1, (0, 0, 1, 0)),
]


@pytest.mark.parametrize(("rows", "columns", "holes", "supply"), SMALL)
def test_small_games_by_brute_force(rows: int, columns: int, holes: int, supply: Supply) -> None:
    """Outcome, margin, best moves, every move's value: all positions of random games."""
    chance = random.Random(f"{rows} {columns} {holes} {supply}")
    for _ in range(8):
        position = Position.empty(random_pattern(chance, rows, columns, holes), supply)
        known: dict[object, int] = {}
        for number in range(40):
            if position.is_finished:
                break
            # Whole games by brute force are for the smallest boards.
            if rows * columns == 16 or number > (1 if rows * columns == 25 else 2):
                check_against_brute_force(position, known)
            position = position.placed(chance.choice(list(position.moves())))


@pytest.mark.slow
def test_many_small_games_by_brute_force() -> None:
    chance = random.Random(11)
    for number in range(150):
        rows, columns, holes, supply = SMALL[number % len(SMALL)]
        position = Position.empty(random_pattern(chance, rows, columns, holes), supply)
        position = position.placed(chance.choice(list(position.moves())))
        known: dict[object, int] = {}
        while not position.is_finished:
            if len(position.pieces) > 1 or rows * columns <= 25:
                check_against_brute_force(position, known)
            position = position.placed(chance.choice(list(position.moves())))


def test_empty_board_by_brute_force() -> None:
    """The first piece may go anywhere; it is the one move at which nothing is in reach yet."""
    chance = random.Random(5)
    for _ in range(2):
        position = Position.empty(random_pattern(chance, 4, 5, 4))
        check_against_brute_force(position, {})


def test_finished_positions() -> None:
    chance = random.Random(3)
    position = Position.empty(balanced_pattern(chance))
    while not position.is_finished:
        position = position.placed(chance.choice(list(position.moves())))
    result = solve(position)
    assert result.solved
    assert (result.best, result.line) == ((), ())
    assert (result.winner, result.margin) == (position.winner, position.margin)
    assert result.last_mover == position.last_mover
    assert solve(position, all_moves=True).moves == ()
    assert solve(position, objective=OUTCOME).margin is None


@pytest.mark.parametrize(("symbols", "winner"), [("X.O.", "draw"), ("X...", "X"), ("OOX.", "O")])
def test_no_move_and_no_piece(symbols: str, winner: str) -> None:
    position = Position.empty(Pattern.from_rows([symbols, "....", "....", "...."]), (0, 0, 0, 0))
    result = solve(position)
    assert result.solved
    assert (result.winner, result.last_mover) == (winner, None)


def with_pieces(position: Position, symmetry: Symmetry) -> Position:
    """A position after one of the eight symmetries."""
    rows, columns = position.pattern.outline.rows, position.pattern.outline.columns
    moved = Position.empty(position.pattern.transformed(symmetry), position.supply)
    return moved.placed_all(
        Placement.of(piece.shape, [symmetry.cell(cell, rows, columns) for cell in piece.cells])
        for piece in position.pieces
    )


def test_symmetries_change_nothing() -> None:
    chance = random.Random(21)
    for _ in range(4):
        position = random_endgame(chance, 8)
        results = [solve(with_pieces(position, each)) for each in SYMMETRIES]
        assert len({(each.winner, each.margin, each.last_mover) for each in results}) == 1


def exchanged(position: Position) -> Position:
    """X and O exchanged everywhere, the side to move too."""
    return replace(
        position, pattern=position.pattern.exchanged(), to_move=opponent(position.to_move)
    )


def test_exchange_of_sides_negates() -> None:
    chance = random.Random(22)
    for _ in range(12):
        position = random_endgame(chance, 8)
        result, other = solve(position), solve(exchanged(position))
        assert (result.margin, result.winner) == (-other.margin, opponent(other.winner))
        assert solve(exchanged(position), objective=OUTCOME).winner == other.winner


def check_against_plain_search(position: Position, best_moves: bool) -> None:
    value = plain_search(position, SCORE, 16).value
    result = solve(position)
    assert value_of(position, result.margin, result.last_mover) == value
    outcome = solve(position, objective=OUTCOME)
    assert outcome.winner == result.winner
    level = -3 * (position.margin if position.to_move == "X" else -position.margin)
    plain_wins = plain_search(position, OUTCOME, 16).value > level
    assert (outcome.winner == position.to_move) == plain_wins
    if best_moves:
        best = set()
        for move in position.moves():
            after = position.placed(move)
            reply = -1 if after.is_finished else plain_search(after, SCORE, 1).value
            if 3 * position.gain(move) - reply == value:
                best.add(move.notation)
        assert set(solve(position, all_moves=True).best) == best


def test_like_plain_search() -> None:
    chance = random.Random(31)
    for number in range(40):
        check_against_plain_search(random_endgame(chance, 9 + number % 4), number % 4 == 0)


@pytest.mark.slow
def test_like_plain_search_on_many() -> None:
    """2,000 positions with 9 and more pieces down, 300 with 8."""
    chance = random.Random(32)
    for number in range(2_000):
        check_against_plain_search(random_endgame(chance, 9 + number % 4), True)
    for _ in range(300):
        check_against_plain_search(random_endgame(chance, 8), True)


def check_endgame(entry: dict) -> None:  # type: ignore[type-arg]
    position = endgame(entry)
    result = solve(position)
    assert (result.winner, result.margin, result.last_mover) == (
        entry["winner"],
        entry["margin"],
        entry["last_mover"],
    )
    check_line(position, result)
    outcome = solve(position, objective=OUTCOME)
    assert outcome.winner == entry["winner"]
    check_line(position, outcome)


@pytest.mark.parametrize("pieces", [9, 8, 7, 6])
def test_known_endgames(pieces: int) -> None:
    entries = [entry for entry in ENDGAMES if entry["pieces_down"] == pieces]
    assert entries
    for entry in entries:
        check_endgame(entry)


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [5, 4])
def test_known_long_endgames(pieces: int) -> None:
    for entry in ENDGAMES:
        if entry["pieces_down"] == pieces:
            check_endgame(entry)


def test_every_technique_off_keeps_the_answer() -> None:
    entries = [entry for entry in ENDGAMES if entry["pieces_down"] == 8][:6]
    for entry in entries:
        for flag in (BOUNDS, PRICED, REPLY, ORDER, KEY, HASTE, ALL_TECHNIQUES):
            solving = Solving(endgame(entry), SCORE, False, 8, 1)
            solving.searcher.techniques = ALL_TECHNIQUES & ~flag
            solving.run()
            assert solving.result().margin == entry["margin"]


def audit(position: Position, objective: str) -> int:
    """Check every bound that a search relied on against brute force; how many there were."""
    solving = Solving(position, objective, False, 1, 1)
    claims = np.zeros((200_000, 4 + 70), dtype=np.int64)
    solving.searcher.shared = solving.searcher.shared._replace(claims=claims)
    if objective == OUTCOME:
        solving.ask(solving.level)
    else:
        solving.close_in()
    count = int(solving.searcher.controls[0, CLAIMS])
    assert count < len(claims)
    known: dict[object, int] = {}
    every = position.placements.all
    for bound, is_lower, move, plies, *line in claims[:count].tolist():
        at = position
        for each in line[:plies]:
            at = at.play(every[solving.searcher.numbers[each]])
        if move == NO_MOVE:
            value = brute_force(at, known)
        else:
            piece = every[solving.searcher.numbers[move]]
            value = 3 * at.gain(piece) - brute_force(at.play(piece), known)
        assert value >= bound if is_lower else value <= bound
    return count


def test_audit_of_bounds() -> None:
    """Each cut of the search, by bounds, replies or table, against the exact value."""
    chance = random.Random(41)
    audited = 0
    for rows, columns, holes, pieces in ((5, 5, 0, 1), (5, 6, 2, 2), (6, 6, 0, 3), (10, 10, 0, 10)):
        for number in range(10):
            position = played(
                Position.empty(
                    balanced_pattern(chance)
                    if rows == 10
                    else random_pattern(chance, rows, columns, holes),
                    FULL_SUPPLY if number % 2 else (2, 1, 2, 2) if rows < 10 else (3, 3, 3, 3),
                ),
                chance,
                pieces,
            )
            if position is not None:
                audited += audit(position, OUTCOME) + audit(position, SCORE)
    assert audited > 2_500


LONG = next(
    entry
    for entry in ENDGAMES
    if entry["pieces_down"] == 4 and entry["reference"]["score_nodes"] > 900_000
)


def test_time_limit_tells_what_is_known() -> None:
    position = endgame(LONG)
    solve(position, control=Control(time_limit=0.0))
    started = time.perf_counter()
    result = solve(position, control=Control(time_limit=0.15))
    assert time.perf_counter() - started < BUSY
    assert not result.solved
    assert result.margin is None
    assert result.bounds is not None
    low, high = result.bounds
    assert low <= LONG["margin"] <= high
    assert result.best
    assert {move.notation for move in position.moves()}.issuperset(result.best)
    assert result.to_json()["bounds"] == [low, high]


def test_bounds_close_in_with_time() -> None:
    """Whatever the moment of the stop, the bounds hold."""
    entry = next(entry for entry in ENDGAMES if entry["pieces_down"] == 5)
    position = endgame(entry)
    for limit in (0.001, 0.01, 0.03, 0.06):
        for all_moves in (False, True):
            control = Control(time_limit=limit)
            result = solve(position, all_moves=all_moves, control=control)
            low, high = result.bounds or (result.margin, result.margin)
            assert low is not None and high is not None
            assert low <= entry["margin"] <= high
            assert result.best and result.solved == (result.margin is not None)


class Watched(Solving):
    """Notes the bounds before each question."""

    def __init__(self, position: Position) -> None:
        super().__init__(position, SCORE, False, 8)
        self.seen: list[tuple[int, int]] = []

    def ask(self, alpha: int, most_nodes: int = NO_LIMIT) -> bool:
        self.seen.append(self._bounds())
        return super().ask(alpha, most_nodes)


def test_both_bounds_close_in_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """With turns so short that a question seldom is answered in its first one."""
    monkeypatch.setattr(solver, "_NODES_A_TURN", 5)
    for pieces, number in ((8, 8), (7, 5), (6, 2)):
        entries = [entry for entry in ENDGAMES if entry["pieces_down"] == pieces]
        for entry in entries[:number]:
            solving = Watched(endgame(entry))
            solving.run()
            result = solving.result()
            assert (result.margin, result.last_mover) == (entry["margin"], entry["last_mover"])
            check_line(endgame(entry), result)
            lows, highs = zip(*solving.seen, strict=True)
            assert max(lows) <= entry["margin"] <= min(highs)
            assert list(lows) == sorted(lows) and list(highs) == sorted(highs, reverse=True)
            # Both have come nearer where the search was not over at once.
            assert pieces > 6 or (lows[0] < lows[-1] and highs[-1] < highs[0])


def test_an_answer_may_take_no_more_nodes_than_given() -> None:
    searcher = Searcher(endgame(LONG), 64)
    searcher.reset()
    assert searcher.ask_within(5_000, 0) is None
    assert 5_000 < searcher.nodes < 8_000
    whole = Searcher(endgame(LONG), 64)
    whole.reset()
    known = whole.ask(0)
    # What was found is not lost, and the limit is not kept.
    assert (searcher.ask(0)[0] > 0) == (known[0] > 0)
    assert searcher.nodes < 1.5 * whole.nodes + 5_000


def test_stop_from_another_thread_and_progress() -> None:
    position = litstool.load("boxes").position()  # for which hours would be too short
    solve(position, control=Control(time_limit=0.0))
    seen: list[Progress] = []
    control = Control(on_progress=seen.append)
    timer = threading.Timer(1.0, control.stop)
    started = time.perf_counter()
    timer.start()
    result = solve(position, control=control, hash_mib=16)
    timer.join()
    assert 1 <= time.perf_counter() - started < 1 + BUSY
    assert control.interrupted and not result.solved
    assert result.margin is None and result.bounds is not None
    assert seen and 0 < seen[-1].nodes <= result.nodes and seen[-1].total > 0


def test_small_table_costs_only_time() -> None:
    for entry in [entry for entry in ENDGAMES if entry["pieces_down"] == 6][:4]:
        result = solve(endgame(entry), hash_mib=1)
        assert (result.margin, result.last_mover) == (entry["margin"], entry["last_mover"])


def test_hash_size_is_kept_to() -> None:
    position = endgame(ENDGAMES[0])
    for mebibytes in (1, 3, 64, 100):
        table = Solving(position, SCORE, False, mebibytes, 1).searcher.shared.table
        assert mebibytes << 19 < table.nbytes <= mebibytes << 20


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_value(threads: int) -> None:
    for pieces, number in ((6, 4), (5, 2)):
        entries = [entry for entry in ENDGAMES if entry["pieces_down"] == pieces]
        for entry in entries[:number]:
            position = endgame(entry)
            result = solve(position, threads=threads, hash_mib=32)
            assert (result.margin, result.last_mover) == (entry["margin"], entry["last_mover"])
            check_line(position, result)
            outcome = solve(position, objective=OUTCOME, threads=threads, hash_mib=32)
            assert outcome.winner == entry["winner"]


def test_all_moves_cost_less_than_a_solve_each() -> None:
    position = endgame(next(entry for entry in ENDGAMES if entry["pieces_down"] == 6))
    alone = solve(position)
    whole = solve(position, all_moves=True)
    assert whole.moves is not None
    assert whole.nodes < alone.nodes * len(whole.moves) / 2
    assert whole.margin == alone.margin


def test_large_board_late_in_the_game() -> None:
    """16x16 with few pieces in the supply, against the plain search."""
    chance = random.Random(51)
    pattern = random_pattern(chance, 16, 16, 90)
    position = played(Position.empty(pattern, (1, 1, 1, 1)), chance, 2)
    assert position is not None
    result = solve(position)
    value = plain_search(position, SCORE, 16).value
    assert value_of(position, result.margin, result.last_mover) == value
    check_line(position, result)
