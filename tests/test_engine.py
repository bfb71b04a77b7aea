"""The engine: its estimates, its exact answers, swaps, even first pieces, and whole reviews."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from conftest import EXAMPLES, Run, random_play, random_symbols
from waiting import BUSY

import litstool
from litstool import games
from litstool.draw import judged as judged_report
from litstool.draw import reviewed
from litstool.game import SEATS
from litstool.lits import engine
from litstool.lits.board import Pattern
from litstool.lits.book import book_of, known_winner
from litstool.lits.engine_kernel import look_ahead
from litstool.lits.game import SWAP
from litstool.lits.kernels import MOST_PIECES
from litstool.lits.position import Position
from litstool.lits.solver import solve
from litstool.say import review as say
from litstool.search.analysis import interval
from litstool.search.control import Control
from litstool.search.table import aligned_zeros
from litstool.search.tree_kernel import GAMES, LOST, OPEN, WON
from litstool.tasks import review

SMALL = ["....", "....", "....", "...."]


def small_position(seed: int, plies: int, outline: list[str] = SMALL) -> Position:
    chance = random.Random(seed)
    pattern = random_symbols(outline, chance)
    return list(random_play(Position.empty(pattern), chance, plies))[-1]


def searched(position: Position, games: int) -> engine._Search:
    search = engine._Search(position, 3, engine.BEST, 200_000)
    search.passes(games)
    return search


# The tree


@pytest.mark.parametrize("seed", range(12))
def test_a_tree_left_to_grow_proves_what_the_solver_says(seed: int) -> None:
    position = small_position(seed, 1 + seed % 2, ["...." + "." * (seed % 2)] * (4 + seed % 2))
    assert not position.is_finished
    search = searched(position, 60_000)
    assert search.tree.proof[0] != OPEN
    winner = position.to_move if search.tree.proof[0] == LOST else _other(position.to_move)
    assert winner == solve(position).winner


@pytest.mark.parametrize("seed", range(6))
def test_what_the_tree_proves_of_a_move_is_so(seed: int) -> None:
    position = small_position(seed, 2, ["......"] * 5)
    if position.is_finished:
        pytest.skip("the game is over")
    search = searched(position, 3_000)
    exact = {each.move: each.winner for each in solve(position, all_moves=True).moves or ()}
    for node in search.children():
        proof = search.tree.proof[node]
        if proof == WON:
            assert exact[search.text(node)] == position.to_move
        if proof == LOST:
            assert exact[search.text(node)] != position.to_move


def test_the_tree_counts_each_game_once_in_every_node_of_its_walk() -> None:
    position = Position.empty(litstool.load("boxes").pattern)
    position = position.play(next(iter(position.moves())))
    search = searched(position, 5_000)
    tree = search.tree
    assert tree.control[GAMES] == tree.visits[0] == 5_000
    assert sum(int(tree.visits[node]) for node in search.children()) == 5_000
    assert (tree.wins <= tree.visits).all() and (tree.wins >= 0).all()
    # Who wins through the moves of one side loses through the root, which the other side made.
    assert sum(float(tree.wins[node]) for node in search.children()) == 5_000 - tree.wins[0]


def test_the_same_seed_plays_the_same_games() -> None:
    position = litstool.load("stripes").position()
    first, second = searched(position, 500), searched(position, 500)
    assert (first.tree.visits == second.tree.visits).all()


def _other(side: str) -> str:
    return "O" if side == "X" else "X"


# The look-ahead


def by_hand(position: Position, depth: int) -> int:
    """The look-ahead as its docstring defines it."""
    moves = list(position.moves())
    if not moves:
        return -1
    if depth == 0:
        return 0
    return max(
        3 * position.gain(move) - by_hand(position.placed(move), depth - 1) for move in moves
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_look_ahead_is_plain_minimax(seed: int, depth: int) -> None:
    position = small_position(seed, 2, ["....."] * 4)
    board = engine.board_of(position)
    moves = aligned_zeros((MOST_PIECES + 2, board.tables.covering.shape[1]))
    found = look_ahead(
        board.tables, board.of_gain, engine.stack_at(position), moves, len(position.pieces),
        depth, -30_000, 30_000, board.lines,
    )  # fmt: skip
    assert found == by_hand(position, depth)


@pytest.mark.parametrize("seed", range(4))
def test_a_move_at_a_depth_is_a_best_one_of_the_look_ahead(seed: int) -> None:
    position = small_position(seed, 2, ["....."] * 4)
    if position.is_finished:
        pytest.skip("the game is over")
    line = engine.at_depth(position, 2)
    move = engine.parse(line[0], position)
    value = 3 * position.gain(move) - by_hand(position.placed(move), 1)
    assert value == by_hand(position, 2)


# The engine


@pytest.mark.parametrize("plies", [3, 5, 7])
def test_it_plays_perfectly_where_the_solver_takes_over(plies: int) -> None:
    position = litstool.load(str(EXAMPLES / f"endgame-{plies}.yaml")).position()
    exact = solve(position)
    while not position.is_finished:
        found = engine.choose(position, time_limit=20)
        assert (found.winner, found.margin) == (exact.winner, exact.margin)
        position = position.play(engine.parse(found.choice, position))
    assert (position.winner, position.margin) == (exact.winner, exact.margin)


def test_every_move_gets_its_exact_value_in_time_enough() -> None:
    position = litstool.load(str(EXAMPLES / "endgame-5.yaml")).position()
    found = engine.analyze(position, time_limit=30)
    exact = {
        each.move: (each.winner, each.margin) for each in solve(position, all_moves=True).moves
    }
    assert {each.move: (each.winner, each.margin) for each in found.moves} == exact
    sign = 1 if position.to_move == "X" else -1
    wins = [each.winner == position.to_move for each in found.moves]
    assert wins == sorted(wins, reverse=True)
    margins = [sign * each.margin for each in found.moves if each.winner == position.to_move]
    assert margins == sorted(margins, reverse=True)


def test_estimates_are_shares_with_their_interval() -> None:
    position = litstool.load("diagonals").position()
    position = position.play(next(iter(position.moves())))
    found = engine.analyze(position, time_limit=0.5)
    assert not found.exact and found.games > 50
    for move in found.moves:
        if move.games:
            assert 0 <= move.low <= move.win_rate <= move.high <= 1
    played = [move.games for move in found.moves]
    assert played == sorted(played, reverse=True)
    assert found.line[0] == found.moves[0].move
    after = position
    for text in found.line:
        after = after.play(engine.parse(text, after))


def test_a_search_without_the_time_to_solve_names_nothing_exact_that_is_not() -> None:
    position = litstool.load(str(EXAMPLES / "endgame-7.yaml")).position()
    exact = {each.move: each.winner for each in solve(position, all_moves=True).moves}
    found = engine.analyze(position, time_limit=0.05)
    for move in found.moves:
        if move.exact:
            assert move.winner == exact[move.move]


def test_the_first_piece_is_among_the_even_ones() -> None:
    position = litstool.load("monogram").position()
    found = engine.analyze(position, time_limit=1)
    distances = [abs(each.win_rate - 0.5) for each in found.moves]
    assert distances == sorted(distances) and found.choice == found.moves[0].move
    assert len(found.moves) == engine.OPENINGS


@pytest.mark.parametrize("symbol", ["X", "O"])
def test_it_swaps_where_x_must_win_and_not_where_o_must(symbol: str) -> None:
    """No game covers all of a hundred symbols, so the side that has them all wins."""
    empty = Position.empty(Pattern.from_rows([symbol * 10] * 10))
    found = engine.choose(empty.play(next(iter(empty.moves()))), time_limit=0.3)
    assert (found.choice == SWAP) == (symbol == "X")
    assert found.chance == (1.0 if symbol == "X" else 0.0)


@pytest.mark.parametrize("name", ["boxes", "diagonals", "monogram", "stripes"])
def test_it_swaps_where_its_own_estimate_says_so(name: str) -> None:
    empty = litstool.load(name).position()
    for number in (3, 700, 1100):
        found = engine.choose(empty.play(empty.placements.all[number]), time_limit=0.1)
        assert (found.choice == SWAP) == (found.chance > 0.5)


def test_a_swap_is_decided_exactly_where_the_game_is_short() -> None:
    for seed in range(8):
        position = small_position(seed, 1)
        if not position.can_swap:
            continue
        found = engine.choose(position, time_limit=5)
        assert found.exact
        assert (found.choice == SWAP) == (solve(position).winner == "X")


@pytest.mark.parametrize("winner", ["X", "O"])
def test_the_swap_book_is_used_where_it_knows(run: Run, winner: str) -> None:
    empty = litstool.load("boxes").position()
    book = book_of(empty.pattern)
    assert book is not None
    number = book.winners.index(winner)
    position = empty.placed(empty.placements.all[number])
    found = engine.choose(position, time_limit=0.1)
    assert found.winner == winner and (found.choice == SWAP) == (winner == "X")
    assert found.margin is None and found.expected is None and found.note is not None
    # A proven loss is one whatever is played; which move keeps a win is not in the book.
    assert all(each.exact == (winner == "X") for each in found.moves)
    # The symbols stay as they are at a swap, and so does the winner.
    assert engine.choose(position.swap(), time_limit=0.1).winner == winner
    # With fewer pieces in the box it is another game.
    assert known_winner(replace(position, supply=(4, 5, 5, 5))) is None


def test_a_review_does_not_take_an_estimate_from_a_proven_value(run: Run) -> None:
    empty = litstool.load("boxes").position()
    book = book_of(empty.pattern)
    assert book is not None
    position = empty.placed(empty.placements.all[book.winners.index("O")])
    moves = [position.pieces[0], next(iter(position.moves()))]
    game = replace(litstool.load("boxes"), moves=tuple(moves), ordered=True)
    found = review.review(game, time_limit=0.3)
    assert found.moves[0].after.exact and not found.moves[1].after.exact
    assert found.moves[1].lost is None and found.moves[1].lost_chance is None
    remark = say.remark(found.moves[1], found.sides)
    assert remark == "not to swap was right (O wins with best play)"


def test_greedy_takes_the_most_points() -> None:
    position = litstool.load(str(EXAMPLES / "endgame-7.yaml")).position()
    top = max(position.gain(move) for move in position.moves())
    chosen = {engine.greedy(position, seed) for seed in range(20)}
    assert {position.gain(engine.parse(text, position)) for text in chosen} == {top}


def test_a_finished_game_has_no_move() -> None:
    position = litstool.load(str(EXAMPLES / "shortest-9.txt")).position()
    found = engine.analyze(position)
    assert found.choice is None and found.winner == position.winner


def seated(position: Position) -> dict[str, str]:
    """The side of each seat."""
    return dict(zip(SEATS, "OX" if position.swapped else "XO", strict=True))


@pytest.mark.slow
def test_it_beats_greedy_play() -> None:
    """A short match at a tenth of a second a move, both seats: the whole one is in benchmarks."""
    wins = 0
    for index in range(20):
        name = ("boxes", "diagonals", "monogram", "stripes")[index // 2 % 4]
        position = litstool.load(name).position()
        engines = "first" if index % 2 else "second"
        while not position.is_finished:
            if seated(position)[engines] == position.to_move:
                text = engine.choose(position, time_limit=0.1, seed=index).choice
            else:
                text = engine.greedy(position, index)
            position = engine.after(position, engine.parse(text, position))
        wins += seated(position)[engines] == position.winner
    assert wins >= 17


def test_wilsons_interval_against_known_values() -> None:
    # E. B. Wilson's interval for 10 of 10 and for 50 of 100, from its formula in closed form.
    low, high = interval(10, 10)
    assert high == pytest.approx(1.0) and low == pytest.approx(10 / (10 + 1.959964**2))
    low, high = interval(50, 100)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - low == pytest.approx(1.959964 * np.sqrt(1 / (100 + 1.959964**2)))
    assert interval(0, 0) == (0.0, 1.0)


# Reviews


def test_a_review_says_what_each_move_lost() -> None:
    record = litstool.load(str(EXAMPLES / "game-without-swap.yaml"))
    found = review.review(record, time_limit=4)
    positions = record.replay()
    checked = 0
    for each in found.moves[-6:]:
        before, after = solve(positions[each.number - 1]), solve(positions[each.number])
        assert (each.before.winner, each.after.winner) == (before.winner, after.winner)
        if each.lost is not None:
            assert each.lost == abs(before.margin - after.margin)
            assert each.turned == (before.winner != after.winner)
            checked += 1
    assert checked >= 4
    assert found.moves[-1].after.margin == positions[-1].margin


def test_a_review_judges_the_swap() -> None:
    record = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    found = review.review(record, time_limit=2)
    swap = found.moves[1]
    assert swap.move == SWAP and "swap" in str(say.remark(swap, found.sides))
    # By the swap book O wins: to take X was wrong, and the first player wins by it.
    assert swap.lost is None and swap.swap == "wrong" and swap.turned


def test_a_loss_by_the_last_piece_alone_is_a_loss(run: Run) -> None:
    """Equal margins with another winner: the move is not a best one."""
    pattern = Pattern.from_rows(["...."] * 4)
    found = None
    for seed in range(200):
        positions = list(random_play(Position.empty(pattern), random.Random(seed)))
        pieces = positions[-1].pieces
        values = [solve(position) for position in positions]
        turns = [
            ply for ply in range(1, len(pieces)) if values[ply].winner != values[ply + 1].winner
        ]
        if turns:
            record = litstool.Game(pattern=pattern, moves=pieces, ordered=True)
            found = review.review(record, time_limit=5).moves[turns[0]]
            break
    assert found is not None and found.turned
    assert found.lost == 0 and found.was_best is False


# The command


def test_analyze_prints_the_moves_and_the_json_fields(run: Run) -> None:
    outcome = run("analyze", EXAMPLES / "endgame-3.yaml", "--ply", 9, "--time-limit", 3, "--json")
    assert outcome.status == 0
    document = outcome.json
    assert document["exact"] and document["moves"][0]["move"] == document["choice"]
    text = run("analyze", EXAMPLES / "endgame-3.yaml", "--ply", 9, "--time-limit", 3).out
    assert document["choice"] in text and "exactly" in text
    assert all(len(line) <= 80 for line in text.splitlines())


def test_analyze_reviews_a_game_and_writes_the_report(run: Run, tmp_path) -> None:
    page = tmp_path / "report.html"
    game = EXAMPLES / "game-with-swap.yaml"
    outcome = run("analyze", game, "--time-limit", 2, "-o", page)
    assert outcome.status == 0
    assert "Values are exact" in outcome.out and "from move" in outcome.out
    assert all(len(line) <= 80 for line in outcome.out.splitlines())
    html = page.read_text(encoding="utf-8")
    assert "to swap was" in html or "to swap or not" in html
    document = run("analyze", game, "--time-limit", 1, "--json").json
    assert [each["move"] for each in document["moves"]][1] == SWAP


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interruption_before_any_answer_is_told(
    run: Run, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "make_ready", interrupted)
    done = run("analyze", "boxes", *["--json"] * as_json)
    assert done.status == 130
    if as_json:
        assert done.json["error"]["kind"] == "interrupted"
    else:
        assert done.out == "" and "interrupted before there was an answer" in done.err


def test_a_report_calls_nothing_better_that_is_not() -> None:
    record = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    found = review.review(record, time_limit=2)
    shown = judged_report.filled_in(reviewed.record(record), found)
    for entry, judged in zip(shown.moves, found.moves, strict=True):
        sign = 1 if judged.side == "X" else -1
        names = [each.move for each in entry.best]
        if judged.was_best is False:
            assert judged.move not in names
        elif judged.was_best:
            assert judged.move in names
        for each in entry.best:
            worth = each.value
            if judged.before.exact and judged.before.margin is not None:
                # None but the best ones, whose margin is known.
                assert worth.exact and worth.margin == judged.before.margin
                if judged.was_best is False and worth.winner == judged.after.winner:
                    assert sign * worth.margin > sign * judged.after.margin
            elif judged.was_best is False and not worth.exact:
                assert sign * (worth.chance - judged.after.chance) > 0
    exact = sum(each.exact for each in [found.start, *(each.after for each in found.moves)])
    assert shown.analysis.startswith(f"{exact} of {len(record.moves) + 1} positions solved")


def test_a_start_is_told_with_the_swap_left_aside(run: Run) -> None:
    told = run("analyze", "XO2/4/4/2OX", "--time-limit", 5).out
    solved = run("solve", "XO2/4/4/2OX", "--json").json
    assert f"{solved['winner']} wins by {solved['margin']}, exactly, the swap left aside" in told
    # The best first piece is one that loses least to the side that the second player takes.
    worths = run("solve", "XO2/4/4/2OX", "--all", "--json").json["moves"]
    least = min(abs(each["margin"]) for each in worths)
    best = told.split("Best move: ")[1].split()[0]
    assert {each["move"]: abs(each["margin"]) for each in worths}[best] == least


def test_what_is_not_looked_at_is_told(run: Run) -> None:
    told = run("analyze", "boxes", "--time-limit", 0.3).out
    assert "12 of 1,292 moves looked at" in told


def test_analyze_refuses_what_it_should(run: Run) -> None:
    assert run("analyze", EXAMPLES / "illegal" / "2x2.txt").status == 1
    assert run("analyze", "boxes", "--time-limit", "0").status == 2
    assert run("analyze", "boxes", "-o", "report.html").status == 2
    assert run("analyze", EXAMPLES / "game-with-swap.yaml", "-o", "report.doc").status == 2


# Mijnlieff


def mijnlieff(line: str):
    return litstool.parse(line).position()


def test_mijnlieff_is_played_exactly_from_the_middle() -> None:
    room, solver = games.named("mijnlieff").engine(), games.named("mijnlieff").solver()
    position = mijnlieff("mijnlieff 4/4/4/4")
    chance = random.Random(5)
    for _ in range(8):
        position = position.play(chance.choice(list(position.moves())))
    exact = solver.solve(position)
    while not position.is_finished:
        found = room.choose(position, time_limit=20)
        assert (found.winner, found.margin) == (exact.winner, exact.margin)
        position = position.play(room.parse(found.choice, position))
    assert (position.winner, position.margin) == (exact.winner, exact.margin)


def test_mijnlieff_estimates_where_there_is_no_time() -> None:
    room = games.named("mijnlieff").engine()
    position = mijnlieff("mijnlieff 4/4/4/4")
    found = room.analyze(position, time_limit=0.3, settings=replace(room.BEST, use_solver=False))
    assert found.choice in {move.notation for move in position.moves()}
    assert not found.exact and found.games > 0 and 0 < found.chance < 1


def test_a_mijnlieff_game_is_reviewed(run: Run, tmp_path) -> None:
    position = mijnlieff("mijnlieff 4/4/4/4")
    chance, moves = random.Random(2), []
    while not position.is_finished:
        move = chance.choice(list(position.moves()))
        moves.append(move if isinstance(move, str) else move.notation)
        position = position.play(move)
    path = tmp_path / "game.yaml"
    listed = "".join(f'- "{move}"\n' for move in moves)
    grid = "  ....\n" * 4
    path.write_text(f"game: mijnlieff\nboard: |\n{grid}moves:\n{listed}")
    outcome = run("analyze", path, "--time-limit", 1, "--json")
    assert outcome.status == 0
    assert outcome.json["moves"][-1]["value"]["margin"] == position.margin


# Time


def test_the_shorter_of_two_limits_holds() -> None:
    """The control's, and the one that stands for it."""
    position = litstool.load("boxes").position()
    engine.make_ready(position)
    for options in (
        {"control": Control(0.2)},
        {"control": Control(0.2), "time_limit": 60.0},
        {"control": Control(60.0), "time_limit": 0.2},
    ):
        started = time.perf_counter()
        found = engine.choose(position.play(next(iter(position.moves()))), **options)
        assert found.choice is not None and time.perf_counter() - started < 0.2 + BUSY


def test_without_a_game_nothing_is_expected() -> None:
    search = engine._Search(litstool.load("boxes").position(), 1, engine.BEST, 10_000)
    assert search.games == 0 and search.mean_margin is None and search.mover_rate() == 0.5
