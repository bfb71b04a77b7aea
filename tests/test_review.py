"""Reviews of whole games: what is proven spreads, and nobody is blamed for keeping a win."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from conftest import EXAMPLES, Run
from waiting import BUSY

import litstool
from litstool import games
from litstool.draw import judged, reviewed
from litstool.game import SWAP
from litstool.lits.board import Pattern
from litstool.say import review as say
from litstool.search.analysis import Analysis
from litstool.search.control import Control
from litstool.search.results import OUTCOME
from litstool.tasks import review
from litstool.tasks.review import LEAST_LOSS, Review

BOARDS = {"battle-of-lits": "6/1XO2O/2OX2/1X1O2/OX2OX/X3O1", "mijnlieff": "mijnlieff 4/4/4/4"}


def random_game(game: str, seed: int, engine_share: float = 0.0, board: str | None = None) -> Any:
    """A whole game of moves at random, some of them the engine's."""
    record = litstool.load(board or BOARDS[game])
    engine = games.named(game).engine()
    chance = random.Random(seed)
    position, moves = record.position(), []
    while not position.is_finished:
        if chance.random() < engine_share:
            text = engine.choose(position, time_limit=0.05, seed=seed).choice
        else:
            text = engine.random_move(position, seed)
        moves.append(engine.parse(text, position))
        position = engine.after(position, moves[-1])
    return replace(record, moves=tuple(moves), ordered=True)


def solver_of(record: Any) -> Any:
    return games.of(record).solver()


def blamed_winners(record: Any, found: Review) -> Iterator[int]:
    """The moves that are said to have lost something though the side won before and after."""
    solver = games.of(record).solver()
    positions = record.replay()

    def winner(ply: int) -> str | None:
        known = found.moves[ply - 1].after if ply else found.start
        if known.exact:
            return known.winner
        return solver.solve(positions[ply], objective=OUTCOME, control=Control(20)).winner

    for each in found.moves:
        if each.was_best is False and not each.lost:
            before, after = winner(each.number - 1), winner(each.number)
            if before == after == each.side:
                yield each.number


def check_agreement(found: Review) -> None:
    """Every loss is between two values of one kind, and the sentence agrees with the marks."""
    for each in found.moves:
        if each.before.exact != each.after.exact:
            assert not each.lost and not each.lost_chance and not each.turned
            assert each.was_best is not False
        if each.lost_chance:
            assert not each.before.exact and each.lost_chance >= LEAST_LOSS
            best = each.before.moves[0]
            played = next(move for move in each.before.moves if move.move == each.move)
            assert played.high < best.low
        for better in each.better:
            assert better.move != each.move
    marks = [found.start.exact, *(each.after.exact for each in found.moves)]
    if found.exact_from is None:
        assert not marks[-1]
    else:
        assert all(marks[found.exact_from :])
        assert found.exact_from == 0 or not marks[found.exact_from - 1]


@pytest.fixture
def short_sighted(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make a game's solver give up before so many moves are played."""

    def limit(record: Any, first: int) -> None:
        solver = games.of(record).solver()
        solve = solver.solve
        plies = {position: ply for ply, position in enumerate(record.replay())}

        def seldom(position: Any, *, control: Control, **options: Any) -> Any:
            if plies.get(position, 99) < first:
                return solve(position, control=Control(1e-9), **options)
            return solve(position, control=control, **options)

        monkeypatch.setattr(solver, "solve", seldom)

    return limit


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("seed", range(3))
def test_no_winner_is_blamed_wherever_the_proofs_begin(
    short_sighted: Any, game: str, seed: int
) -> None:
    record = random_game(game, seed)
    solver, count = games.named(game).solver(), len(record.moves)
    early = 0 if game == "battle-of-lits" else 6
    winners = [
        solver.solve(position, objective=OUTCOME).winner if ply >= early else None
        for ply, position in enumerate(record.replay())
    ]
    for first in sorted({count, count - 2, max(early, count - 5)}):
        short_sighted(record, first)
        found = review.review(record, time_limit=0.3)
        check_agreement(found)
        assert found.exact_from is not None and found.exact_from <= first
        seen = [found.start, *(each.after for each in found.moves)]
        for known, winner in zip(seen, winners, strict=True):
            assert winner is None or known.winner in (None, winner)
        for each in found.moves:
            won = winners[each.number - 1] == winners[each.number] == each.side
            assert not (each.was_best is False and not each.lost and won)


def test_a_win_that_was_kept_is_proven_without_a_search(short_sighted: Any) -> None:
    """The position before a winning move is won, however short the solver's sight."""
    spread = 0
    for seed in range(12):
        record = random_game("battle-of-lits", seed)
        short_sighted(record, len(record.moves))
        found = review.review(record, time_limit=0.1)
        last = found.moves[-1]
        if last.after.winner == last.side:
            spread += 1
            assert last.before.winner == last.side and not last.turned
            assert last.was_best is not False or last.lost
            assert found.exact_from is not None and found.exact_from < last.number
    assert spread >= 3


def test_the_swap_book_counts_as_a_proof(short_sighted: Any) -> None:
    record = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    short_sighted(record, len(record.moves) - 1)
    found = review.review(record, time_limit=0.3)
    check_agreement(found)
    first, swap = found.moves[:2]
    assert first.after.exact and swap.after.winner == first.after.winner
    assert "after moves 1 and 2 and from move" in " ".join(say.review_lines(record, found, 200))


@pytest.mark.parametrize("game", BOARDS)
def test_values_and_losses_are_those_of_the_solver(game: str) -> None:
    record = random_game(game, 5)
    found = review.review(record, time_limit=2)
    solver, positions = games.named(game).solver(), record.replay()
    assert found.exact_from is not None
    # A first piece, under the pie rule, is not judged by its points.
    for each in found.moves[max(found.exact_from, len(record.moves) - 8, 1) :]:
        if each.is_swap:
            continue
        before, after = (solver.solve(positions[ply]) for ply in (each.number - 1, each.number))
        assert (each.after.winner, each.after.margin) == (after.winner, after.margin)
        assert each.lost == abs(before.margin - after.margin)
        assert each.turned == (before.winner != after.winner)
        assert each.was_best == (each.lost == 0 and not each.turned)
        if not each.was_best:
            assert each.better
            engine, position = games.named(game).engine(), positions[each.number - 1]
            instead = engine.after(position, engine.parse(each.better[0].move, position))
            assert solver.solve(instead).winner == before.winner


@pytest.mark.parametrize("swaps", [True, False])
def test_a_wrong_choice_about_the_swap_turns_the_game(swaps: bool) -> None:
    """The side that wins is the same; by the choice it is the other person's."""
    judged_as = set()
    for seed in (2, 3, 4, 5):
        record = random_game("battle-of-lits", seed, board="1XX2/XOOX1/1OX1X/X1OXO/1X2O")
        first, *others = (each for each in record.moves if each != SWAP)
        record = replace(record, moves=(first, *[SWAP] * swaps, *others))
        found = review.review(record, time_limit=3)
        chosen = found.moves[1]
        assert chosen.before.exact and chosen.after.exact
        winner = solver_of(record).solve(record.replay()[1]).winner
        # It is wrong to swap where O wins, and not to where X does.
        assert chosen.swap == ("right" if swaps == (winner == "X") else "wrong")
        judged_as.add(chosen.swap)
        assert chosen.turned == (chosen.swap == "wrong" or chosen.after.winner != winner)
        told = " ".join(" ".join(say.review_lines(record, found, 200)).split())
        sentence = "from a win of the second player to a win of the first player"
        assert (sentence in told) == (chosen.swap == "wrong")
        assert (2 in say.document(found)["turns"]) == chosen.turned
    assert judged_as == {"right", "wrong"}


@pytest.mark.parametrize(
    ("chance", "later", "turned"),
    [(0.4, 0.4, True), (0.46, 0.46, False), (0.4, 0.6, False), (0.7, 0.7, False)],
)
def test_a_choice_is_blamed_for_what_is_estimated_clearly(
    chance: float, later: float, turned: bool
) -> None:
    before = Analysis("O", None, chance=chance, can_swap=True)
    swap = review.on_swap(before, swapped=True)
    entry = review.MoveReview(2, SWAP, "O", before, replace(before, chance=later), swap=swap)
    assert review.hands_over(entry) == turned


def test_the_time_limit_is_kept() -> None:
    record = litstool.load(str(EXAMPLES / "game-without-swap.yaml"))
    review.review(record, time_limit=0.1)
    for limit in (0.3, 1.0):
        started = time.perf_counter()
        review.review(record, time_limit=limit)
        # 0.2 s beyond it on a machine of one's own.
        assert time.perf_counter() - started < limit + BUSY  # where others work beside it


def test_a_stop_leaves_a_value_for_every_move() -> None:
    record = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    control = Control()
    control.stop()
    found = review.review(record, time_limit=60, control=control)
    assert found.interrupted and found.seconds < BUSY
    assert all(each.after.exact or each.after.chance is not None for each in found.moves)


@pytest.mark.parametrize("columns", [60, 80])
@pytest.mark.parametrize("game", BOARDS)
def test_a_review_fits_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, game: str, columns: int
) -> None:
    record = random_game(game, 3)
    document = games.named(game).notation().write_document(replace(record, name="A name " * 12))
    path = tmp_path / "game.yaml"
    path.write_text(litstool.files.reading.write_yaml(document), "utf-8")
    monkeypatch.setenv("COLUMNS", str(columns))
    told = run("analyze", path, "--time-limit", 0.5).out.splitlines()
    assert all(len(line) <= columns for line in told)
    rows = [line for line in told if re.match(r" *\d+[! ] [XOLD] ", line)]
    assert len(rows) == len(record.moves)
    assert all(line.count("|") == 1 for line in rows)
    for ply in (0, len(record.moves) - 3):
        told = run("analyze", path, "--ply", ply, "--time-limit", 0.3).out.splitlines()
        assert all(len(line) <= columns for line in told)


def test_proven_moves_are_not_under_headings_of_estimates(run: Run) -> None:
    game = EXAMPLES / "game-with-swap.yaml"
    told = run("analyze", game, "--ply", 12, "--time-limit", 5).out
    assert "result, exactly" in told and "interval" not in told and "wins by" in told
    told = run("analyze", game, "--ply", 3, "--time-limit", 0.2).out
    for block in told.split("\n\n"):
        rows = [line for line in block.splitlines() if re.match(r" *\d+ [LITS]:", line)]
        if "interval" in block:
            assert rows and all("%" in row or "not tried" in row for row in rows)
        elif "result, exactly" in block:
            assert rows and all("wins" in row for row in rows)


def test_the_report_is_filled_in_with_the_same_judgements() -> None:
    record = random_game("mijnlieff", 1)
    found = review.review(record, time_limit=1)
    shown = judged.filled_in(reviewed.record(record), found)
    for entry, each in zip(shown.moves, found.moves, strict=True):
        assert (entry.was_best, entry.lost, entry.turned) == (each.was_best, each.lost, each.turned)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("game", BOARDS)
def test_ten_engine_games_blame_no_winner(game: str, limit: float) -> None:
    boards = ["boxes", "monogram", "stripes", "diagonals"]
    for seed in range(10):
        board = boards[seed % 4] if game == "battle-of-lits" else None
        record = random_game(game, seed, engine_share=0.7, board=board)
        found = review.review(record, time_limit=limit)
        check_agreement(found)
        assert list(blamed_winners(record, found)) == [], seed


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("name", ["game-with-swap.yaml", "game-without-swap.yaml"])
def test_the_examples_blame_no_winner(name: str, limit: float) -> None:
    record = litstool.load(str(EXAMPLES / name))
    found = review.review(record, time_limit=limit)
    check_agreement(found)
    assert list(blamed_winners(record, found)) == []


def test_a_pattern_of_holes_is_reviewed() -> None:
    pattern = Pattern.from_rows(["XO##", "OX..", "..OX", "##XO"])
    position = litstool.Position.empty(pattern)
    moves = []
    while not position.is_finished:
        moves.append(next(iter(position.moves())))
        position = position.play(moves[-1])
    found = review.review(litstool.Game(pattern, moves=tuple(moves), ordered=True), time_limit=1)
    assert found.exact_from == 0
