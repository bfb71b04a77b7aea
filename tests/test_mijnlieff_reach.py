"""Reach questions about Mijnlieff: all continuations tried, the extremes, targets, files."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rup_checker import is_refutation, read_dimacs, read_proof
from test_mijnlieff_rules import random_game

from litstool.errors import UsageError
from litstool.files.reading import Source
from litstool.grid import Cell
from litstool.mijnlieff.board import (
    SIDES,
    arrangements,
    board_of,
    outline_of_offsets,
    standard_board,
)
from litstool.mijnlieff.legality import replayed
from litstool.mijnlieff.position import PASS, Piece, Placed, Position
from litstool.mijnlieff.questions import Question, Target, read_target
from litstool.mijnlieff.reach import OBJECTIVES, ReachResult, most_points, reach
from litstool.search.asking import DECIDE, Forced, ListAll, Means, Optimise, Wish
from litstool.search.control import Control

SQUARE = standard_board()
EMPTY = Position.empty(SQUARE)


def continuations(start: Position) -> Iterator[tuple[Position, int]]:
    """Every position that play leads to in which no pass is due, with the passes on the way."""
    waiting, seen = [(start, 0)], set()
    while waiting:
        position, passes = waiting.pop()
        key = (frozenset(position.pieces), position.to_move, position.last, passes)
        if key in seen:
            continue
        seen.add(key)
        if position.must_pass:
            waiting.append((position.play(PASS), passes + 1))
            continue
        yield position, passes
        waiting += [(position.play(move), passes) for move in position.moves()]


def starts(empty: int, count: int, seed: int) -> list[Position]:
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        offsets = chance.choice(arrangements())
        board = board_of(outline_of_offsets(offsets), chance.choice(("block", "ignore")))
        for position in random_game(board, chance):
            if position.empty_cells.bit_count() == empty and not position.is_finished:
                found.append(position)
                break
    return found


def check_witness(question: Question, result: ReachResult) -> None:
    """The play is legal and leads to what was asked."""
    assert result.position is not None
    end = replayed(question.position, result.moves)
    assert end == result.position
    assert question.met_by(end, result.passes)


# Against all continuations


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_extremes_are_those_of_all_continuations(objective: str) -> None:
    for start in starts(4, 6, 1):
        for finished in (None, True):
            ends = [
                {"pieces": len(each.pieces), "margin": each.margin, "passes": passes}[objective]
                for each, passes in continuations(start)
                if finished is None or each.is_finished == finished
            ]
            question = Question(start, finished=finished)
            for pick, sign in ((max, 1), (min, -1)):
                result = reach(question, Optimise(objective, sign))
                assert result.optimal and result.value == result.bound == pick(ends)
                check_witness(question, result)


def test_the_list_of_all_final_sets() -> None:
    for start in starts(3, 6, 2):
        for question in (
            Question(start),
            Question(start, finished=True),
            Question(start, finished=False, at_least=len(start.pieces) + 1),
            Question(start, finished=True, winner="Light"),
            Question(start, winner="draw"),
        ):
            expected = {
                frozenset(each.pieces)
                for each, passes in continuations(start)
                if question.met_by(each, passes)
            }
            result = reach(question, ListAll())
            assert result.complete and result.count == len(expected)
            assert {frozenset(each.pieces) for each in result.positions} == expected
            assert bool(result.possible) == bool(expected)


def test_what_all_answers_share() -> None:
    for start in starts(3, 5, 3):
        question = Question(start, finished=True, margin=start.margin)
        ends = [
            frozenset(each.pieces)
            for each, passes in continuations(start)
            if question.met_by(each, passes)
        ]
        result = reach(question, Forced())
        assert result.possible == bool(ends)
        if not ends:
            continue
        always = frozenset.intersection(*ends) - frozenset(start.pieces)
        ever = frozenset.union(*ends)
        assert result.forced == tuple(sorted(always))
        assert result.never is not None and not ever & set(result.never)
        filled = [{placed.cell for placed in end} for end in ends]
        taken = {placed.cell for placed in start.pieces}
        assert result.forced_cells == tuple(sorted(set.intersection(*filled) - taken))
        assert result.never_cells == tuple(
            cell for cell in start.board.cells if all(cell not in each for each in filled)
        )


def test_random_conditions_agree_with_all_continuations() -> None:
    chance = random.Random(4)
    answers = []
    for start in starts(4, 12, 5):
        reached = list(continuations(start))
        empty = start.board.cells_of(start.empty_cells)
        for _ in range(6):
            model, _ = chance.choice(reached)
            cells = chance.sample(empty, 2)
            question = Question(
                start,
                margin=chance.choice((None, model.margin, model.margin + 1)),
                finished=chance.choice((None, True, False)),
                score=(chance.choice((None, model.score("Light"))), None),
                passes=chance.choice((None, None, 1, 2)),
                include=tuple(each.piece for each in model.pieces if each.cell in cells[:1]),
                exclude=tuple(
                    Piece(chance.choice(("straight", "pusher")), cell) for cell in cells[1:]
                ),
                covered=chance.choice((0, start.board.mask(cells[:1]))),
                uncovered=chance.choice((0, 0, start.board.mask(cells[1:]))),
            )
            expected = any(question.met_by(each, passes) for each, passes in reached)
            result = reach(question)
            assert result.possible == expected
            answers.append(expected)
            if expected:
                check_witness(question, result)
    assert True in answers and False in answers


def test_every_final_arrangement_of_a_game_is_found_again() -> None:
    chance = random.Random(6)
    for _ in range(4):
        end = random_game(SQUARE, chance)[-1]
        question = Question(EMPTY, Target(SQUARE.outline, pieces=end.pieces, empty=frozenset(
            SQUARE.cells_of(end.empty_cells))))  # fmt: skip
        result = reach(question)
        assert result.possible and result.position is not None
        assert set(result.position.pieces) == set(end.pieces)
        check_witness(question, result)


def test_an_arrangement_that_no_play_brings_about() -> None:
    # Light's Puller in the corner does not allow the far corner, nor Dark's the way back.
    target = Target.from_rows(["L...", "....", "....", "...l"])
    assert reach(Question(EMPTY, target)).possible is False
    # After a Pusher it does.
    target = Target.from_rows(["P...", "....", "....", "...l"])
    result = reach(Question(EMPTY, target))
    assert result.moves == (Piece("pusher", Cell(0, 0)), Piece("puller", Cell(3, 3)))


# From the empty board


def test_the_shortest_game_and_the_most_passes() -> None:
    shortest = reach(Question(EMPTY, finished=True), Optimise("pieces", -1))
    assert shortest.optimal
    check_witness(Question(EMPTY, finished=True), shortest)
    assert shortest.value is not None
    # One fewer is impossible without the symmetry too.
    fewer = Question(EMPTY, finished=True, at_most=shortest.value - 1, exclude=(
        Piece("straight", Cell(0, 0)),))  # fmt: skip
    assert reach(fewer).possible is False
    passes = reach(Question(EMPTY), Optimise("passes", 1))
    assert passes.optimal and passes.value == passes.passes
    check_witness(Question(EMPTY), passes)


def test_the_extreme_margins_of_the_square() -> None:
    question = Question(EMPTY, finished=True)
    highest = reach(question, Optimise("margin", 1))
    lowest = reach(question, Optimise("margin", -1))
    assert highest.optimal and lowest.optimal
    # Eight pieces hold at most six windows, and both sides can have them against none.
    assert (highest.value, lowest.value) == (6, -6)
    check_witness(question, highest)
    check_witness(question, lowest)
    beyond = reach(Question(EMPTY, margin=7))
    assert beyond.possible is False and "more than 6 points" in beyond.arguments[0]


def test_the_bound_on_points_is_that_of_all_sets_of_cells() -> None:
    for seed in range(5):
        for position in random_game(SQUARE, random.Random(seed))[8:]:
            for side in SIDES:
                best = 0
                own, free = position.cells_of(side), position.empty_cells
                left = position.pieces_left(side)
                for chosen in range(1 << 16):
                    if chosen & ~free == 0 and chosen.bit_count() <= left:
                        mine = own | chosen
                        best = max(best, sum(w & ~mine == 0 for w in SQUARE.windows))
                assert most_points(position, side) == best


# Targets


def test_a_target_is_read_in_every_form() -> None:
    rows = ["?+!.", "Xx??", "SDPL", "sdpl"]
    target = Target.from_rows(rows)
    assert target.occupied == {Cell(0, 1)} and target.empty == {Cell(0, 2), Cell(0, 3)}
    assert target.sides == (("Light", Cell(1, 0)), ("Dark", Cell(1, 1)))
    assert target.pieces[0] == Placed("Light", "straight", Cell(2, 0)) and len(target.pieces) == 8
    assert read_target(Source("t", "\n".join(rows))) == target
    assert read_target(Source("t", "mijnlieff " + "/".join(rows))) == target
    assert read_target(Source("t", "2??/Xx??/4/4")).empty >= {Cell(0, 0), Cell(3, 3)}


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (Question(EMPTY, Target.from_rows(["????"] * 5)), "5 x 4"),
        (Question(EMPTY, Target.from_rows(["???#"] * 4)), "gaps"),
        (Question(EMPTY, at_least=5, at_most=4), "contradict"),
        (Question(EMPTY, pieces=-1), "negative"),
        (Question(EMPTY, winner="Light", finished=False), "finished"),
        (Question(EMPTY, winner="X"), "Light, Dark or draw"),
        (Question(EMPTY, winner="Dark", margin=1), "contradict"),
        (Question(EMPTY, covered=1, uncovered=3), "a1"),
        (Question(EMPTY, include=(Piece("straight", Cell(4, 0)),)), "off the board"),
        (
            Question(
                EMPTY,
                include=(Piece("straight", Cell(0, 0)),),
                exclude=(Piece("straight", Cell(0, 0)),),
            ),
            "at once",
        ),
    ],
)
def test_questions_that_make_no_sense(question: Question, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        reach(question)


@pytest.mark.parametrize(
    ("wish", "means"),
    [
        (Optimise("cells", 1), Means()),
        (DECIDE, Means(solver="none")),
        (DECIDE, Means(method="lazy")),
    ],
)
def test_means_that_do_not_serve_a_wish(wish: Wish, means: Means) -> None:
    with pytest.raises(UsageError):
        reach(Question(EMPTY), wish, means)


# Questions about the start itself, limits, files


def test_a_finished_game_answers_for_itself() -> None:
    end = random_game(SQUARE, random.Random(8))[-1]
    result = reach(Question(end, finished=True))
    assert result.possible and result.position == end and result.moves == ()
    assert reach(Question(end, pieces=len(end.pieces) + 1)).possible is False
    assert reach(Question(end), Optimise("margin", 1)).value == end.margin
    assert reach(Question(end), ListAll()).count == 1


def test_a_pass_that_is_due_comes_first() -> None:
    start = next(
        position
        for seed in range(100)
        for position in random_game(SQUARE, random.Random(seed))
        if position.must_pass and position.empty_cells.bit_count() > 3
    )
    question = Question(start, pieces=len(start.pieces) + 2)
    result = reach(question)
    assert result.moves[0] == PASS
    check_witness(question, result)


def test_a_time_limit_leaves_it_open() -> None:
    result = reach(Question(EMPTY), Optimise("passes", 1), control=Control(time_limit=0.0))
    assert result.possible is None and not result.decided
    assert result.effort.stopped == "time limit"


def test_a_list_ends_at_its_limit() -> None:
    result = reach(Question(EMPTY, pieces=1), ListAll(5))
    assert result.count == 5 and result.complete is False and result.decided
    every = reach(Question(EMPTY, pieces=1), ListAll())
    assert every.count == 48 and every.complete


def test_a_formula_and_its_proof_are_written(tmp_path: Path) -> None:
    target = Target.from_rows(["L...", "....", "....", "...l"])
    question = Question(EMPTY, target, pieces=2)
    dimacs, proof = tmp_path / "no.cnf", tmp_path / "no.drup"
    result = reach(question, means=Means(dimacs=dimacs, proof=proof))
    assert result.possible is False and not result.notes
    _, clauses = read_dimacs(dimacs)
    assert is_refutation(clauses, read_proof(proof))
    target = Target.from_rows(["P...", "....", "....", "...l"])
    possible = reach(Question(EMPTY, target, pieces=2), means=Means(proof=tmp_path / "none.drup"))
    assert possible.possible and "no proof was written" in possible.notes[0]
    assert not (tmp_path / "none.drup").exists()
