"""Mijnlieff's engine: its compiled games against the plain rules, its estimates, its answers."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from waiting import BUSY

from litstool.game import text_of
from litstool.mijnlieff import engine
from litstool.mijnlieff.board import arrangements, board_of, outline_of_offsets, standard_board
from litstool.mijnlieff.engine_kernel import MOST_PLIES, play_on
from litstool.mijnlieff.position import PASS, Position
from litstool.mijnlieff.solver import Solving, solve, state_of, tables_of
from litstool.search.chance import generator
from litstool.search.control import Control, Progress
from litstool.search.results import SCORE, SearchResult
from litstool.search.tree_kernel import GAMES

EMPTY = Position.empty(standard_board())
BOARDS = [
    EMPTY.board,
    standard_board(opening="free"),
    *(board_of(outline_of_offsets(arrangements()[number])) for number in (0, 9, 23, 45, 56, 59)),
    board_of(outline_of_offsets(arrangements()[56]), gaps="ignore"),
]


def played_at_random(board: object, seed: int, plies: int) -> Position:
    """A position after so many random moves, or the game's end before."""
    chance, position = random.Random(seed), Position.empty(board)
    for _ in range(plies):
        moves = list(position.moves())
        if not moves:
            break
        position = position.placed(chance.choice(moves))
    return position


def searched(position: Position, games: int, seed: int = 3) -> engine._Search:
    search = engine._Search(position, seed, engine.BEST, 400_000)
    search.passes(games)
    return search


# The kernel


@pytest.mark.parametrize("noise", [256, engine.BEST.noise, 0])
def test_compiled_games_keep_the_rules_and_end_as_they_say(noise: int) -> None:
    """Each from a position after some random moves on, on several boards under both rules."""
    state = generator(noise)
    played = np.zeros(MOST_PLIES, dtype=np.int64)
    positions = passes = forfeits = draws = 0
    for board in BOARDS:
        tables = tables_of(board)
        for number in range(30):
            position = played_at_random(board, number, number % 8)
            mover = position.to_move
            length, margin = play_on(tables, *state_of(position), state, noise, played)
            for code in played[:length]:
                move = engine.move_of(position, int(code))
                assert position.is_legal(move), (position, move)
                passes += move == PASS
                position = position.placed(move)
                forfeits += move == PASS and position.is_finished
                positions += 1
            assert position.is_finished
            assert margin == (position.margin if mover == "Light" else -position.margin)
            draws += margin == 0
    assert positions > 2000
    # What is easily wrong has been met.
    assert passes and draws
    assert forfeits or noise == 0


def test_random_games_make_every_legal_move() -> None:
    position = played_at_random(EMPTY.board, 4, 6)
    state, tables = generator(1), tables_of(position.board)
    played = np.zeros(MOST_PLIES, dtype=np.int64)
    seen = set()
    for _ in range(2000):
        play_on(tables, *state_of(position), state, 256, played)
        seen.add(engine.move_of(position, int(played[0])))
    assert seen == set(position.moves())


# The tree


@pytest.mark.parametrize("board", BOARDS)
def test_the_tree_has_the_legal_moves(board: object) -> None:
    """Down the most played moves, to the end of the game."""
    search = searched(played_at_random(board, 1, 8), 4_000)
    position, node = search.position, 0
    while search.tree.size[node]:
        numbers = [int(search.tree.move[child]) for child in search.children(node)]
        assert [engine.move_of(position, number) for number in numbers] == list(position.moves())
        node = max(search.children(node), key=search.order)
        position = position.play(engine.move_of(position, int(search.tree.move[node])))
    assert search.tree.visits[node] < 8 or position.is_finished


def test_the_tree_counts_each_game_once_in_every_node_of_its_walk() -> None:
    search = searched(EMPTY, 5_000)
    tree = search.tree
    assert tree.control[GAMES] == tree.visits[0] == 5_000
    assert sum(int(tree.visits[node]) for node in search.children()) == 5_000
    assert (tree.wins <= tree.visits).all() and (tree.wins >= 0).all()
    assert (tree.wins % 1 == 0.5).any()
    # What the mover wins is not won by the side whose move led to the root.
    assert sum(float(tree.wins[node]) for node in search.children()) == 5_000 - tree.wins[0]


def test_the_same_seed_plays_the_same_games() -> None:
    first, second, other = searched(EMPTY, 2_000), searched(EMPTY, 2_000), searched(EMPTY, 2_000, 4)
    assert (first.tree.visits == second.tree.visits).all()
    assert (first.tree.wins == second.tree.wins).all()
    assert (first.tree.visits != other.tree.visits).any()


@pytest.mark.parametrize("board", BOARDS)
def test_a_tree_left_to_grow_chooses_what_the_solver_chooses(board: object) -> None:
    """With few cells left the estimates come down to the exact result."""
    for seed in range(6):
        position = played_at_random(board, seed, 10)
        if position.is_finished:
            continue
        exact = solve(position, all_moves=True)
        search = searched(position, 20_000)
        choice = search.text(max(search.children(), key=search.order))
        values = {each.move: each.winner for each in exact.moves or ()}
        assert values[choice] == exact.winner
        wanted = {position.to_move: 1.0, "draw": 0.5}.get(str(exact.winner), 0.0)
        assert search.mover_rate() == pytest.approx(wanted, abs=0.15)


def test_a_clear_win_near_the_end_is_seen_as_one() -> None:
    tree_only = replace(engine.BEST, use_solver=False)
    winners = set()
    for seed in range(60):
        position = played_at_random(BOARDS[seed % len(BOARDS)], seed, 13 + seed % 2)
        moves = [] if position.is_finished else [*solve(position, all_moves=True).moves]
        if len({each.winner for each in moves}) != 1 or moves[0].winner == "draw":
            continue
        found = engine.analyze(position, time_limit=0.02, settings=tree_only)
        assert not found.exact and found.games > 20
        assert found.chance == pytest.approx(1.0 if moves[0].winner == "Light" else 0.0, abs=0.01)
        margins = [each.margin for each in moves]
        # The other side may still play badly.
        assert min(margins) - 3 <= found.expected <= max(margins) + 3
        winners.add((position.to_move, moves[0].winner))
    assert len(winners) == 4


# The engine


@pytest.mark.parametrize("board", BOARDS[::2])
def test_every_move_has_its_exact_value_where_there_is_time(board: object) -> None:
    position = played_at_random(board, 2, 6)
    found = engine.analyze(position, time_limit=20)
    exact = solve(position, all_moves=True)
    assert (found.winner, found.margin) == (exact.winner, exact.margin)
    assert {each.move: (each.winner, each.margin) for each in found.moves} == {
        each.move: (each.winner, each.margin) for each in exact.moves or ()
    }
    sign = 1 if position.to_move == "Light" else -1
    margins = [sign * (each.margin or 0) for each in found.moves]
    assert margins == sorted(margins, reverse=True)
    after = position
    for text in found.line:
        after = after.play(engine.parse(text, after))
    assert after.is_finished and after.margin == exact.margin and found.line[0] == found.choice


def test_estimates_are_shares_with_their_interval() -> None:
    tree_only = replace(engine.BEST, use_solver=False)
    found = engine.analyze(EMPTY, time_limit=0.5, settings=tree_only)
    assert not found.exact and found.games > 200 and found.nodes == 0
    assert {each.move for each in found.moves} == {text_of(move) for move in EMPTY.moves()}
    for move in found.moves:
        assert move.winner is None and move.games
        assert 0 <= move.low <= move.win_rate <= move.high <= 1
    played = [move.games for move in found.moves]
    assert played == sorted(played, reverse=True) and sum(played) == found.games
    assert found.choice == found.line[0] == found.moves[0].move
    assert found.chance == found.moves[0].win_rate
    assert abs(found.expected) < 3
    after = EMPTY
    for text in found.line:
        after = after.play(engine.parse(text, after))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_called_exact_in_little_time_is_so(seed: int) -> None:
    position = played_at_random(BOARDS[3], seed, 2 + seed % 2)
    exact = {each.move: each for each in solve(position, all_moves=True).moves or ()}
    best = max if position.to_move == "Light" else min
    for seconds in (0.1, 0.25, 0.4):
        for every_move in (False, True):
            found = engine.analyze(position, time_limit=seconds, every_move=every_move)
            for move in found.moves:
                if move.exact:
                    assert move.winner == exact[move.move].winner
                    assert move.margin in (None, exact[move.move].margin)
            assert found.margin in (None, best(each.margin for each in exact.values()))


def proving(
    monkeypatch: pytest.MonkeyPatch, position: Position, bounds: tuple[int, int], best: str
) -> None:
    """Have the solver run out of time having proved so much: bounds of Light's margin."""

    def unfinished(_: Position, **options: object) -> SearchResult:
        return SearchResult(
            solved=False,
            to_move=position.to_move,
            objective="score",
            winner=None,
            margin=None,
            final_score=None,
            last_mover=None,
            best=(best,),
            line=(),
            nodes=1,
            seconds=0.0,
            bounds=bounds,
        )

    monkeypatch.setattr(engine, "solve", unfinished)


@pytest.mark.parametrize("plies", [2, 3])
@pytest.mark.parametrize("low", [0, 1])
def test_a_move_that_is_proven_not_to_lose_is_chosen(
    monkeypatch: pytest.MonkeyPatch, plies: int, low: int
) -> None:
    position = played_at_random(EMPTY.board, 3, plies)
    engine.make_ready(position)
    search = searched(position, 2_000)
    worst = search.text(min(search.children(), key=search.order))
    by_light = position.to_move == "Light"
    proving(monkeypatch, position, (low, 9) if by_light else (-9, -low), worst)
    found = engine.choose(position, time_limit=0.3)
    assert found.choice == worst == found.line[0] and found.margin is None
    mover_chance = found.chance if by_light else 1 - found.chance
    assert mover_chance == 1 if low else mover_chance >= 0.5
    assert found.winner == (position.to_move if low else None)
    assert [move.exact for move in found.moves[:2]] == [bool(low), False]


def test_a_loss_proven_of_unknown_margin_is_said_and_played_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = played_at_random(EMPTY.board, 3, 3)
    assert position.to_move == "Dark"
    engine.make_ready(position)
    proving(monkeypatch, position, (1, 9), text_of(next(iter(position.moves()))))
    found = engine.choose(position, time_limit=0.3)
    assert found.winner == "Light" and found.margin is None and found.chance == 1
    assert all(move.winner == "Light" for move in found.moves)
    assert found.moves[0].games == max(move.games for move in found.moves)


def test_bounds_that_meet_are_an_exact_result(monkeypatch: pytest.MonkeyPatch) -> None:
    position = played_at_random(EMPTY.board, 3, 2)
    engine.make_ready(position)
    first = text_of(next(iter(position.moves())))
    proving(monkeypatch, position, (0, 0), first)
    found = engine.choose(position, time_limit=0.3)
    assert (found.winner, found.margin, found.choice) == ("draw", 0, first)


@pytest.mark.parametrize("seed", range(8))
def test_a_winner_proven_without_the_margin_is_kept(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """As where the time is enough to say who wins and not by how much."""
    position = played_at_random(BOARDS[seed], seed, 3)
    exact = {each.move: each for each in solve(position, all_moves=True).moves or ()}
    result = solve(position)
    bounds = {"Light": (1, 20), "Dark": (-20, -1)}.get(str(result.winner), (0, 0))

    def cut_short(position: Position, **options) -> SearchResult:
        return replace(
            result, solved=False, margin=None, final_score=None, moves=None, bounds=bounds
        )

    engine.make_ready(position)
    monkeypatch.setattr(engine, "solve", cut_short)
    found = engine.choose(position, time_limit=0.3)
    assert found.winner == result.winner
    if result.winner in ("draw", position.to_move):
        assert exact[found.choice].winner == result.winner
    assert found.chance == {"Light": 1, "Dark": 0}.get(result.winner, 0.5)
    assert found.margin == (0 if result.winner == "draw" else None)
    assert found.line[0] == found.choice
    for move in found.moves:
        assert move.winner in (None, exact[move.move].winner)


def test_a_search_that_is_cut_short_asks_for_a_win_first() -> None:
    position = played_at_random(BOARDS[1], 5, 2)
    whole = solve(position, hash_mib=64)
    solving = Solving(position, SCORE, False, 64)
    asked: list[int] = []
    ask = solving._ask
    solving._ask = lambda target: asked.append(target) or ask(target)
    solving.run()
    assert solving.result().margin == whole.margin
    assert asked[0] == 1 - solving.now


# Time


@pytest.mark.parametrize("plies", [0, 1, 2])
@pytest.mark.parametrize("seconds", [0.05, 0.3, 1.0])
def test_it_stops_in_time(plies: int, seconds: float) -> None:
    position = played_at_random(BOARDS[4], 1, plies)
    engine.make_ready(position)
    started = time.perf_counter()
    found = engine.analyze(position, time_limit=seconds)
    # 0.1 s on a machine with nothing else to do.
    assert time.perf_counter() - started < seconds + BUSY
    assert found.choice in {text_of(move) for move in position.moves()}
    assert not found.interrupted


@pytest.mark.parametrize("use_solver", [True, False])
def test_a_stop_from_elsewhere_is_heard_at_once(use_solver: bool) -> None:
    engine.make_ready(EMPTY)
    control = Control()
    timer = threading.Timer(0.5, control.stop)
    started = time.perf_counter()
    timer.start()
    settings = replace(engine.BEST, use_solver=use_solver)
    found = engine.analyze(EMPTY, time_limit=100, control=control, settings=settings)
    timer.join()
    assert 0.5 <= time.perf_counter() - started < 0.5 + BUSY
    assert found.interrupted and found.choice is not None and found.games > 0


@pytest.mark.parametrize("use_solver", [True, False])
def test_an_interruption_leaves_an_answer(use_solver: bool) -> None:
    seen: list[Progress] = []

    def interrupt(progress: Progress) -> None:
        seen.append(progress)
        raise KeyboardInterrupt

    settings = replace(engine.BEST, use_solver=use_solver)
    control = Control(on_progress=interrupt)
    found = engine.analyze(EMPTY, time_limit=100, control=control, settings=settings)
    assert len(seen) == 1 and seen[0].nodes > 0 and seen[0].best
    assert control.interrupted and found.interrupted and found.choice is not None


def test_a_part_of_the_work_and_the_whole_are_stopped_together() -> None:
    whole = Control()
    part = whole.within(1.5)
    assert part.time_limit == 1.5 and whole.time_limit is None
    part.stop()
    assert whole.interrupted
    other = Control()
    part = other.within(1.5)
    other.stop()
    assert part.interrupted and not Control().interrupted
