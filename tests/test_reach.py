"""Reach questions against all reachable positions of small boards, gone through one by one."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rup_checker
import yaml
from conftest import EXAMPLES, Run, let_work, plain, random_play, random_symbols
from plain_rules import every_placement, may_play
from waiting import BUSY

from litstool.errors import UsageError
from litstool.files.reading import Source
from litstool.grid import Cell, bits
from litstool.lits.board import Pattern
from litstool.lits.bounds import packings, tighten
from litstool.lits.formula import METHODS, ReachFormula
from litstool.lits.notation import read_text
from litstool.lits.placements import SHAPES, Placement
from litstool.lits.position import Position
from litstool.lits.questions import Question, Target, scope_of
from litstool.lits.reach import _Search, order_of_play, reach
from litstool.lits.targets import is_meant_as_line, read_target
from litstool.sat import SOLVERS, Effort, Formula
from litstool.search import race
from litstool.search.asking import DECIDE, Forced, ListAll, Means, Optimise, Wish
from litstool.search.control import Control

Pieces = frozenset[Placement]


def reachable(start: Position) -> dict[Pieces, Position]:
    """Every position that play from a start can lead to, by its set of pieces."""
    found = {frozenset(start.pieces): start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in position.moves():
            pieces = frozenset((*position.pieces, move))
            if pieces not in found:
                found[pieces] = position.placed(move)
                waiting.append(found[pieces])
    return found


def board(*rows: str, seed: int = 1) -> Position:
    """An empty board with that outline and random symbols."""
    return Position.empty(random_symbols(list(rows), random.Random(seed)))


def after_random_moves(start: Position, moves: int, seed: int) -> Position:
    return list(random_play(start, random.Random(seed), moves))[-1]


def small_worlds() -> dict[str, Position]:
    ring = board("......", "......", "..##..", "..##..", "......", "......", seed=3)
    return {
        "4x4": board(*["...."] * 4),
        "4x5 with holes": board("..#..", ".....", ".....", "#...."),
        "corridor": board("....", "###.", "....", ".###", "....", "###."),
        "two parts": board("....#..", "....#..", "....#..", "....#..", "#######", "......."),
        "4x4 scarce": replace(board(*["...."] * 4, seed=5), supply=(1, 0, 1, 1)),
        "5x5 scarce": replace(board(*["....."] * 5, seed=6), supply=(1, 1, 0, 1)),
        "5x5 after one": after_random_moves(board(*["....."] * 5, seed=7), 1, 7),
        "ring after three": after_random_moves(ring, 3, 8),
        "6x6 after four": after_random_moves(board(*["......"] * 6, seed=9), 4, 9),
        "finished": after_random_moves(board(*["....."] * 5, seed=2), 99, 2),
    }


WORLDS = small_worlds()


@pytest.fixture(scope="module")
def answers_of() -> Callable[[str], dict[Pieces, Position]]:
    """All reachable positions of a world, gone through once."""
    known: dict[str, dict[Pieces, Position]] = {}

    def answers(name: str) -> dict[Pieces, Position]:
        if name not in known:
            known[name] = reachable(WORLDS[name])
        return known[name]

    return answers


def test_worlds_are_reachable_by_the_plain_rules() -> None:
    """The brute force itself against the rules written a second time."""
    outline = WORLDS["4x4"].pattern.outline
    cells = {(cell.row, cell.column) for cell in outline.cells}
    supply = dict.fromkeys(SHAPES, 5)
    found = {frozenset()}
    waiting = [frozenset()]
    while waiting:
        pieces = waiting.pop()
        for piece in every_placement(cells):
            if may_play(cells, supply, list(pieces), piece):
                more = pieces | {piece}
                if more not in found:
                    found.add(more)
                    waiting.append(more)
    assert found == {
        frozenset(map(plain, pieces)) for pieces in reachable(Position.empty(WORLDS["4x4"].pattern))
    }


# --- counting and listing ---------------------------------------------------------------------


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("method", METHODS)
def test_all_answers_are_all_reachable_positions(
    name: str, method: str, answers_of: Callable[[str], dict[Pieces, Position]]
) -> None:
    everything = answers_of(name)
    if len(everything) > 2500:
        pytest.skip("too many for every method; see the test of 5x5")
    result = reach(Question(WORLDS[name]), ListAll(), Means(method=method))
    assert result.possible and result.complete
    assert result.count == len(everything) == len(result.positions)
    assert {frozenset(position.pieces) for position in result.positions} == set(everything)


def test_all_positions_of_5x5(answers_of: Callable[[str], dict[Pieces, Position]]) -> None:
    start = board(*["....."] * 5)
    everything = reachable(start)
    result = reach(Question(start), ListAll())
    assert result.count == len(everything) == 17153
    assert {frozenset(position.pieces) for position in result.positions} == set(everything)
    scarce = answers_of("5x5 scarce")
    finished = reach(Question(WORLDS["5x5 scarce"], finished=True), ListAll())
    assert {frozenset(position.pieces) for position in finished.positions} == {
        pieces for pieces, position in scarce.items() if position.is_finished
    }


def test_a_limit_on_the_list() -> None:
    result = reach(Question(WORLDS["4x4"]), ListAll(7))
    assert (result.count, result.complete, len(result.positions)) == (7, False, 7)
    assert result.decided
    exact = reach(Question(WORLDS["4x4"], pieces=3, finished=False), ListAll(1))
    assert (exact.count, exact.complete, exact.possible) == (0, True, False)


# --- random questions -------------------------------------------------------------------------


def random_question(start: Position, everything: Iterable[Position], chance: random.Random) -> Any:
    """A question, and which of all positions satisfy it, said without the program's own words."""
    outline = start.pattern.outline
    sample = chance.choice(list(everything))
    conditions: dict[str, Any] = {}
    tests: list[Callable[[Position], bool]] = []

    def some(cells: Iterable[Cell], most: int) -> list[Cell]:
        cells = list(cells)
        return chance.sample(cells, min(len(cells), chance.randint(1, most)))

    covered = outline.cells_of(sample.covered)
    open_cells = [cell for cell in outline.cells if cell not in covered]
    if chance.random() < 0.35:
        mask = outline.mask(some(covered or outline.cells, 3))
        conditions["covered"] = mask
        tests.append(lambda p, mask=mask: p.covered & mask == mask)  # type: ignore[misc]
    if chance.random() < 0.3:
        mask = outline.mask(some(open_cells, 4)) & ~conditions.get("covered", 0)
        conditions["uncovered"] = mask
        tests.append(lambda p, mask=mask: not p.covered & mask)  # type: ignore[misc]
    if chance.random() < 0.35:
        number = len(sample.pieces) + chance.choice([0, 0, 0, -1, 1])
        kind = chance.choice(["pieces", "at_least", "at_most"])
        conditions[kind] = max(0, number)
        no_less_than_none = max(0, number)
        tests.append(
            {
                "pieces": lambda p, n=no_less_than_none: len(p.pieces) == n,
                "at_least": lambda p, n=number: len(p.pieces) >= n,
                "at_most": lambda p, n=no_less_than_none: len(p.pieces) <= n,
            }[kind]  # type: ignore[arg-type]
        )
    if chance.random() < 0.4:
        finished = chance.random() < 0.75
        conditions["finished"] = finished
        tests.append(lambda p, f=finished: (not list(p.moves())) == f)  # type: ignore[misc]
    if conditions.get("finished", True) and chance.random() < 0.3:
        side = chance.choice("XO")
        conditions["winner"] = side
        tests.append(lambda p, s=side: p.is_finished and won_by(p) == s)  # type: ignore[misc]
    if chance.random() < 0.3:
        margin = sample.margin + chance.choice([-1, 0, 0, 1])
        if conditions.get("winner") != "O" or margin <= 0:
            conditions["margin"] = margin
            tests.append(lambda p, m=margin: p.score("X") - p.score("O") >= m)  # type: ignore[misc]
    if chance.random() < 0.2 and sample.pieces:
        piece = chance.choice(sample.pieces)
        conditions["include"] = (piece,)
        tests.append(lambda p, piece=piece: piece in p.pieces)  # type: ignore[misc]
    if chance.random() < 0.2:
        excluded = tuple(
            move
            for move in chance.sample(start.placements.all, min(20, len(start.placements)))
            if move not in conditions.get("include", ())
        )
        conditions["exclude"] = excluded
        tests.append(lambda p, e=excluded: not set(p.pieces) & set(e))  # type: ignore[misc]
    if chance.random() < 0.2:
        score = [chance.choice([None, sample.score(side), sample.score(side) - 1]) for side in "XO"]
        wanted = [None if each is None else max(0, each) for each in score]
        conditions["score"] = tuple(wanted)
        tests.append(
            lambda p, wanted=wanted: all(
                number in (None, p.score(side)) for side, number in zip("XO", wanted, strict=True)
            )
        )  # type: ignore[misc]
    if chance.random() < 0.3:
        shown, target = random_target(sample, chance, conditions)
        conditions["target"] = target
        tests.append(lambda p, shown=shown: matches(p, shown))  # type: ignore[misc]
    return Question(start, **conditions), lambda p: all(test(p) for test in tests)


def won_by(position: Position) -> str | None:
    """The winner by the rule's own words."""
    x, o = position.score("X"), position.score("O")
    if x != o:
        return "X" if x > o else "O"
    if not position.pieces:
        return None
    return "X" if len(position.pieces) % 2 else "O"


def random_target(
    sample: Position, chance: random.Random, conditions: dict[str, Any]
) -> tuple[dict[Cell, str], Target]:
    """A target that a sample matches, and that does not contradict the other conditions."""
    outline = sample.pattern.outline
    on = sample.cell_of_piece()
    shown = {}
    for cell in outline.cells:
        bit = outline.bit(cell)
        letters = "???"
        if cell in on and not bit & conditions.get("uncovered", 0):
            letters += "+" + on[cell].shape
        elif cell not in on and not bit & conditions.get("covered", 0):
            letters += "!."
        shown[cell] = chance.choice(letters)
    rows = [
        "".join(shown.get(Cell(row, column), "#") for column in range(outline.columns))
        for row in range(outline.rows)
    ]
    return shown, Target.from_rows(rows)


def matches(position: Position, shown: dict[Cell, str]) -> bool:
    on = position.cell_of_piece()
    return all(
        letter == "?"
        or (letter == "+" and cell in on)
        or (letter in "!." and cell not in on)
        or (cell in on and on[cell].shape == letter)
        for cell, letter in shown.items()
    )


@pytest.mark.parametrize("name", WORLDS)
def test_random_questions_against_brute_force(
    name: str, answers_of: Callable[[str], dict[Pieces, Position]]
) -> None:
    """Existence by every method, the list, both extremes of both objectives, the forced cells."""
    chance = random.Random(name)
    everything = answers_of(name)
    kinds = set()
    for number in range(24):
        question, satisfies = random_question(WORLDS[name], everything.values(), chance)
        answers = {pieces: p for pieces, p in everything.items() if satisfies(p)}
        kinds.add(bool(answers))
        for method in METHODS:
            result = reach(question, means=Means(method=method, seed=number))
            assert result.possible is bool(answers), (question, method)
            if answers:
                assert frozenset(result.position.pieces) in answers
                replayed = WORLDS[name]
                for move in result.moves:
                    replayed = replayed.play(move)
                assert frozenset(replayed.pieces) == frozenset(result.position.pieces)
        assert all(question.met_by(p) == (pieces in answers) for pieces, p in everything.items())
        check_extremes(question, list(answers.values()))
        if len(answers) <= 400:
            listed = reach(question, ListAll())
            assert listed.complete and listed.count == len(answers)
            assert {frozenset(p.pieces) for p in listed.positions} == set(answers)
        check_forced(question, answers)
    assert True in kinds


def check_extremes(question: Question, answers: list[Position]) -> None:
    for objective, value in (
        ("pieces", lambda p: len(p.pieces)),
        ("margin", lambda p: p.score("X") - p.score("O")),
    ):
        for largest in (True, False):
            result = reach(question, Optimise(objective, 1 if largest else -1))
            assert result.optimal and result.possible is bool(answers)
            if answers:
                values = [value(p) for p in answers]
                expected = max(values) if largest else min(values)
                assert result.value == result.bound == expected == value(result.position)


def check_forced(question: Question, answers: dict[Pieces, Position]) -> None:
    result = reach(question, Forced())
    assert result.possible is bool(answers) and result.decided
    if not answers:
        return
    start, outline = question.position, question.position.pattern.outline
    further = [pieces - set(start.pieces) for pieces in answers]
    assert set(result.forced) == frozenset.intersection(*further)
    possible = {start.placements.all[number] for number in bits(start.alive)}
    assert set(result.never) == possible - frozenset.union(*further)
    covered = [set(outline.cells_of(p.covered & ~start.covered)) for p in answers.values()]
    assert set(result.forced_cells) == set.intersection(*covered)
    left_open = set(outline.cells) - set(outline.cells_of(start.covered))
    assert set(result.never_cells) == left_open - set.union(*covered)


def test_methods_agree_on_random_questions_of_large_boards() -> None:
    """A hundred questions from middles of games, by every method, with every answer replayed."""
    chance = random.Random(11)
    told = {True: 0, False: 0}
    for number in range(100):
        side = chance.choice([6, 7, 8])
        start = after_random_moves(
            board(*["." * side] * side, seed=number), chance.randint(0, side - 3), number
        )
        outline = start.pattern.outline
        cells = chance.sample(outline.cells, chance.randint(1, 4))
        question = Question(
            start,
            at_most=len(start.pieces) + chance.randint(1, 4),
            covered=outline.mask(cells),
            finished=chance.choice([None, None, None, False, True]),
            uncovered=outline.mask(chance.sample(outline.cells, 6)) & ~outline.mask(cells),
        )
        results = [reach(question, DECIDE, Means(method=method), Control(30)) for method in METHODS]
        assert len({result.possible for result in results}) == 1
        assert results[0].possible is not None
        told[results[0].possible] += 1
        for result in results:
            if result.possible:
                assert question.met_by(result.position)
    assert min(told.values()) > 10


# --- arguments --------------------------------------------------------------------------------


@pytest.fixture
def empty_10x10() -> Position:
    return Position.empty(Pattern.from_rows(["." * 10] * 10))


def corners(position: Position) -> int:
    outline = position.pattern.outline
    rows, columns = outline.rows - 1, outline.columns - 1
    return outline.mask(Cell(row, column) for row in (0, rows) for column in (0, columns))


def test_nineteen_pieces_are_impossible_by_counting(empty_10x10: Position) -> None:
    result = reach(Question(empty_10x10, pieces=19))
    assert result.possible is False
    assert result.effort.calls == 0
    assert "25 disjoint 2x2 blocks" in result.arguments[0]
    assert "18 pieces" in result.arguments[0]


@pytest.mark.parametrize("side", range(4, 11))
def test_packings_are_disjoint_blocks(side: int) -> None:
    scope = scope_of(Question(Position.empty(Pattern.from_rows(["." * side] * side))))
    for packing in packings(scope):
        assert len(packing) == (side // 2) ** 2
        total = 0
        for block in packing:
            assert block in scope.tables.block_masks
            assert not total & block
            total |= block


def test_seven_pieces_join_the_corners_of_10x10_and_six_do_not(empty_10x10: Position) -> None:
    question = Question(empty_10x10, covered=corners(empty_10x10))
    result = reach(replace(question, pieces=7))
    assert result.possible and len(result.moves) == 7
    result = reach(replace(question, pieces=6))
    assert result.possible is False
    assert result.effort.calls == 0
    assert "joining a1,j1,a10,j10" in result.arguments[0]
    best = reach(question, Optimise("pieces", -1))
    assert (best.value, best.optimal) == (7, True)


@pytest.mark.parametrize("seed", [0, 5])
def test_eight_pieces_over_the_corners_of_10x10(empty_10x10: Position, seed: int) -> None:
    question = Question(empty_10x10, covered=corners(empty_10x10), pieces=8)
    result = reach(question, DECIDE, Means(seed=seed), Control(60))
    assert result.possible and len(result.moves) == 8


def test_eighteen_pieces_finished_on_10x10(empty_10x10: Position) -> None:
    result = reach(
        Question(empty_10x10, finished=True), Optimise("pieces", 1), control=Control(120)
    )
    assert (result.value, result.optimal, result.position.is_finished) == (18, True, True)


def test_narrowing_keeps_every_answer(
    answers_of: Callable[[str], dict[Pieces, Position]],
) -> None:
    """What the arguments leave out is in no answer, and their bounds hold."""
    chance = random.Random(5)
    narrowed = 0
    for name in WORLDS:
        everything = answers_of(name)
        for _ in range(25):
            question, satisfies = random_question(WORLDS[name], everything.values(), chance)
            scope = scope_of(question)
            before = scope.candidates
            tighten(scope)
            needs = scope.needs
            narrowed += scope.candidates != before
            on_board = len(question.position.pieces)
            for position in everything.values():
                if not satisfies(position):
                    continue
                assert not scope.impossible
                further = [scope.tables.number[piece] for piece in position.pieces[on_board:]]
                assert scope.fewest <= len(further) <= scope.most
                for number in further:
                    assert scope.candidates >> number & 1
                    assert needs.get(number, 0) <= len(further)
    assert narrowed > 20


def test_scores_against_brute_force() -> None:
    """Every pair of scores of small boards, and one side's alone: possible, and how often."""
    for seed in range(2):
        start = board("XO..", "....", "....", "....", seed=seed)
        everything = list(reachable(start).values())
        for x in range(start.score("X") + 2):
            for o in [None, *range(start.score("O") + 2)]:
                fitting = [p for p in everything if p.score("X") == x and o in (None, p.score("O"))]
                result = reach(Question(start, score=(x, o)))
                assert result.possible is bool(fitting), (seed, x, o)
                if fitting and len(fitting) < 60:
                    listed = reach(Question(start, score=(x, o)), ListAll())
                    assert listed.complete and listed.count == len(fitting)


def test_a_score_out_of_reach_is_impossible_by_an_argument() -> None:
    start = Position.empty(Pattern.from_rows(["XX..", "XX..", "OO..", "...."]))
    for score, pieces, words in (
        ((5, None), None, "X has 4 symbols uncovered"),
        ((None, 10**40), None, "O has 2 symbols uncovered"),
        ((0, 0), 1, "6 more symbols are to be covered"),
    ):
        result = reach(Question(start, score=score, pieces=pieces))
        assert result.possible is False and words in result.arguments[0]
    with pytest.raises(UsageError, match="cannot be negative"):
        Question(start, score=(-1, None)).check()


def test_what_counting_says_of_cells_to_be_covered() -> None:
    start = Position.empty(Pattern.from_rows([*["....."] * 3, "#####", "..###"]))

    def asked(cells: str, **conditions: Any) -> Question:
        names = [Cell.parse(name) for name in cells.split()]
        return Question(start, covered=start.outline.mask(names), **conditions)

    for question, words in (
        (asked("a1 a5"), "no piece that could still be played covers a5"),
        (asked("a1 b1 a2 b2"), "the 2x2 block a1,b1,a2,b2 would be wholly covered"),
        (asked("a1 b1 c1 d1 e1", at_most=1), "5 more cells are to be covered, 4 by each piece"),
    ):
        result = reach(question)
        assert result.possible is False and result.effort.calls == 0
        assert words in result.arguments[0]
    scope = scope_of(asked("a1 b1 c1 d1 e1"))
    tighten(scope)
    assert scope.fewest == 2 and "at least 2 pieces: 5 more to be covered" in " ".join(
        scope.reasons
    )


@pytest.mark.parametrize(("symbol", "winner"), ["XO", "OX"])
def test_who_cannot_win_is_told_by_counting(symbol: str, winner: str) -> None:
    """Three symbols in a corner that no piece fits into."""
    start = Position.empty(Pattern.from_rows([symbol * 3 + "#", "####", "....", "...."]))
    result = reach(Question(start, winner=winner))
    assert result.possible is False and result.effort.calls == 0
    assert result.arguments[0].startswith(f"the margin is {start.margin} and 0 {symbol} can still")
    makes = "at least 3, and X the winner" if symbol == "X" else "at most -3"
    assert result.arguments[0].endswith(f"which makes X's margin {makes}")


# --- questions that make no sense -------------------------------------------------------------


def test_a_piece_that_is_none_of_the_board_is_impossible_and_not_an_error() -> None:
    start = WORLDS["4x4"]
    wrong = Placement("I", start.placements.all[0].cells)
    beyond = Placement("I", tuple(Cell(0, column) for column in range(2, 6)))
    for piece, words in ((wrong, "form the shape"), (beyond, "off the board")):
        result = reach(Question(start, include=(piece,)))
        assert result.possible is False and words in result.arguments[0]
        assert reach(Question(start, exclude=(piece,))).possible


def test_contradictions_in_words_are_errors() -> None:
    start = WORLDS["4x4"]
    outline = start.pattern.outline
    piece = start.placements.all[0]
    cell = outline.mask([Cell(0, 0)])
    target = Target.from_rows(["+???", "????", "????", "????"])
    for conditions, words in (
        ({"at_least": 5, "at_most": 4}, "at least 5 .* at most 4"),
        ({"pieces": 2, "at_most": 1}, "at least 2 .* at most 1"),
        ({"pieces": 2, "at_least": 3}, "at least 3 .* at most 2"),
        ({"pieces": -1}, "negative"),
        ({"covered": cell, "uncovered": cell}, "at once: a1"),
        ({"target": target, "uncovered": cell}, "at once: a1"),
        ({"include": (piece,), "exclude": (piece,)}, "included and excluded"),
        ({"winner": "X", "finished": False}, "finished"),
        ({"winner": "O", "margin": 1}, "higher score"),
        ({"winner": "Z"}, "X or O"),
        ({"target": Target.from_rows(["????"] * 5)}, "5 x 4 .* 4 x 4"),
        ({"target": Target.from_rows(["#???"] + ["????"] * 3)}, "holes: a1"),
        ({"covered": 1 << 16}, "not cells of the board"),
    ):
        with pytest.raises(UsageError, match=words):
            reach(Question(start, **conditions))


@pytest.mark.parametrize(
    ("wish", "means"),
    [
        (Optimise("luck", 1), Means()),
        (Optimise("passes", 1), Means()),
        (DECIDE, Means(method="magic")),
        (DECIDE, Means(solver="lingeling")),
        (DECIDE, Means(dimacs=Path("x"), method="lazy")),
        (DECIDE, Means(proof=Path("x"), solver="glucose4")),
    ],
)
def test_means_that_do_not_serve_a_wish(wish: Wish, means: Means) -> None:
    with pytest.raises(UsageError):
        reach(Question(WORLDS["4x4"]), wish, means)


def test_a_limit_of_no_answers() -> None:
    with pytest.raises(UsageError, match="at least 1"):
        ListAll(0)


def test_what_the_rules_exclude_is_impossible_with_a_reason() -> None:
    start = WORLDS["5x5 after one"]
    outline = start.pattern.outline
    down = start.pieces[0]
    touching = next(
        each
        for each in start.placements.all
        if each.shape == down.shape
        and start.placements.conflicts[start.placements.number[down]]
        >> start.placements.number[each]
        & 1
        and not set(each.cells) & set(down.cells)
    )
    for conditions, words in (
        ({"exclude": (down,)}, "already on the board"),
        ({"uncovered": outline.mask(down.cells[:1])}, "already covered"),
        ({"pieces": 0}, "1 piece on the board already"),
        ({"include": (touching,)}, "share an edge"),
        ({"at_least": 21}, "supply of 20"),
        ({"margin": 26}, "margin at most"),
    ):
        result = reach(Question(start, **conditions))
        assert result.possible is False
        assert words in " ".join(result.arguments), conditions
    counted = reach(Question(start, pieces=0), ListAll())
    assert (counted.count, counted.complete) == (0, True)


# --- several solvers at once ------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_race_answers_like_one_solver(
    threads: int, answers_of: Callable[[str], dict[Pieces, Position]], monkeypatch: Any
) -> None:
    """With turns so short that every runner gets many."""
    monkeypatch.setattr(race, "_TURN", 20)
    chance = random.Random(8)
    told = []
    for name in ("5x5 scarce", "5x5 after one", "two parts"):
        everything = answers_of(name)
        for _ in range(8):
            question, satisfies = random_question(WORLDS[name], everything.values(), chance)
            result = reach(question, means=Means(threads=threads))
            assert result.possible is any(map(satisfies, everything.values()))
            assert result.effort.stopped is None
            told.append(result.possible)
            if result.position is not None:
                assert satisfies(result.position)
    assert {True, False} == set(told)


@pytest.mark.parametrize("kind", ["joining", "ending"])
def test_each_way_of_its_own_finds_answers(kind: str, empty_10x10: Position) -> None:
    if kind == "joining":
        question = Question(empty_10x10, covered=corners(empty_10x10), pieces=8)
        number = 1
    else:
        start = Position.empty(Pattern.from_rows(["." * 8] * 8))
        question, number = Question(start, pieces=8, finished=True), 1
    search = _Search(question, DECIDE, Means(), Control(60))
    runner = search.runner(number, search.limits, Effort())
    assert runner is not None
    for _ in range(100):
        if answer := runner.advance(2000):
            break
    assert answer is True
    position, _ = search.accept(runner.made, runner.solver.model())
    assert question.met_by(position)
    runner.let_go()
    runner.solver.close()


@pytest.mark.parametrize("kind", ["joining", "ending"])
def test_a_way_of_its_own_proves_that_there_is_none(
    kind: str, answers_of: Callable[[str], dict[Pieces, Position]]
) -> None:
    """When its choices are used up it goes on like any other."""
    start = WORLDS["5x5 scarce"]
    question = Question(start, pieces=1, finished=True)
    if kind == "joining":
        far = start.pattern.outline.mask([Cell(0, 0), Cell(0, 4)])
        question = Question(start, covered=far, pieces=3, finished=False)
    assert not any(map(question.met_by, answers_of("5x5 scarce").values()))
    search = _Search(question, DECIDE, Means(), None)
    assert not search.settled()
    runner = search.runner(1, search.limits, Effort())
    assert runner is not None
    answer = None
    for _ in range(50):
        answer = runner.advance(1000) if answer is None else answer
    assert answer is False
    runner.let_go()
    runner.solver.close()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_process_that_holds_much_may_still_ask(empty_10x10: Position, threads: int) -> None:
    ballast = bytearray(b"x") * (256 << 20)
    means = Means(threads=threads, most_mebibytes=128)
    assert reach(Question(empty_10x10, pieces=8), DECIDE, means).possible
    assert len(ballast) > 0


def test_threads_stop_at_the_limit(empty_10x10: Position) -> None:
    began = time.monotonic()
    question = Question(empty_10x10, pieces=7, finished=True)
    result = reach(question, means=Means(threads=3), control=Control(0.5))
    assert time.monotonic() - began < 0.5 + BUSY
    assert result.possible is None and result.effort.stopped == "time limit"
    with pytest.raises(UsageError, match="threads"):
        reach(question, means=Means(threads=0))


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", SOLVERS)
def test_time_limits_are_kept(empty_10x10: Position, solver: str) -> None:
    question = Question(empty_10x10, pieces=7, finished=True)
    for method in METHODS[:2]:
        began = time.monotonic()
        result = reach(question, DECIDE, Means(method, solver), Control(0.3))
        assert time.monotonic() - began < 0.3 + BUSY  # far from what it takes without a limit
        assert result.possible is None and not result.decided
        assert result.effort.stopped == "time limit"


def test_a_formula_that_takes_long_to_make_is_cut_short(
    empty_10x10: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Formula, "new", slowly(Formula.new))
    began = time.monotonic()
    result = reach(Question(empty_10x10, finished=True), control=Control(0.2))
    assert time.monotonic() - began < 0.2 + BUSY  # making it all would take 24 seconds
    assert result.possible is None and result.effort.stopped == "time limit"


def slowly(new: Callable[[Formula], int]) -> Callable[[Formula], int]:
    def wait(formula: Formula) -> int:
        time.sleep(0.003)
        return new(formula)

    return wait


def test_interrupted_optimum_keeps_the_best_so_far(empty_10x10: Position) -> None:
    question = Question(empty_10x10, finished=True)
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(3, lambda: signal.raise_signal(signal.SIGINT))
    try:
        timer.start()
        result = reach(question, Optimise("pieces", -1), control=Control(60))
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, previous)
    assert result.effort.stopped == "interrupted"
    assert result.possible and not result.optimal and not result.decided
    assert result.position.is_finished and len(result.position.pieces) == result.value
    assert 0 <= result.bound < result.value <= 18


def test_stop_and_progress(empty_10x10: Position) -> None:
    seen = []
    control = Control(60, lambda progress: (seen.append(progress), control.stop()))
    result = reach(Question(empty_10x10, pieces=7, finished=True), control=control)
    assert result.possible is None
    assert result.effort.stopped == "interrupted"
    assert seen


# --- proofs -----------------------------------------------------------------------------------

IMPOSSIBLE = {
    "4x4 finished by one": Question(WORLDS["4x4"], pieces=1, finished=True),
    "5x5 finished by one": Question(WORLDS["5x5 after one"], pieces=1, finished=True),
    "4x4 full and unfinished": Question(
        Position.empty(WORLDS["4x4"].pattern), pieces=3, finished=False
    ),
    "4x4 three pieces off a1 and d3": Question(
        Position.empty(WORLDS["4x4"].pattern), pieces=3, uncovered=1 << 0 | 1 << 11
    ),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
@pytest.mark.parametrize("solver", ["cadical153", "glucose3"])
def test_proofs_are_accepted(name: str, solver: str, tmp_path: Path) -> None:
    cnf, drup = tmp_path / "no.cnf", tmp_path / "no.drup"
    result = reach(IMPOSSIBLE[name], means=Means(solver=solver, dimacs=cnf, proof=drup))
    assert result.possible is False
    if not result.effort.calls:
        pytest.fail("an argument decides this one: it is no test of proofs")
    _, clauses = rup_checker.read_dimacs(cnf)
    steps = rup_checker.read_proof(drup)
    assert rup_checker.is_refutation(clauses, steps)
    assert "drat-trim" in drup.read_text(encoding="utf-8").split("\n-")[0]


def test_possible_questions_have_a_formula_and_no_proof(tmp_path: Path) -> None:
    cnf, drup = tmp_path / "yes.cnf", tmp_path / "yes.drup"
    result = reach(Question(WORLDS["4x4"], pieces=2), means=Means(dimacs=cnf, proof=drup))
    assert result.possible
    assert cnf.exists() and not drup.exists()
    assert "no proof was written" in result.notes[0]
    assert result.written == (cnf,)


def test_a_counting_argument_is_written_instead(tmp_path: Path, empty_10x10: Position) -> None:
    cnf, drup = tmp_path / "no.cnf", tmp_path / "no.drup"
    result = reach(Question(empty_10x10, pieces=19), means=Means(dimacs=cnf, proof=drup))
    assert "an argument decides" in result.notes[0]
    assert result.written == (cnf, drup)
    for path in (cnf, drup):
        assert "25 disjoint 2x2 blocks" in path.read_text(encoding="utf-8")


def test_formula_in_a_file_has_the_answers_as_models(tmp_path: Path) -> None:
    """The self-contained formula, read back by another reader, has the positions as models."""
    from pysat.formula import CNF
    from pysat.solvers import Minisat22

    start = Position.empty(WORLDS["4x4"].pattern)
    question = Question(start, finished=True)
    cnf = tmp_path / "finished.cnf"
    reach(question, means=Means(dimacs=cnf))
    variables = [
        int(line.split()[1])
        for line in cnf.read_text(encoding="utf-8").splitlines()
        if line.startswith("c   ") and ":" in line and line.split()[1].isdigit()
    ]
    assert len(variables) == len(start.placements)
    found = 0
    with Minisat22(bootstrap_with=CNF(from_file=str(cnf))) as solver:
        while solver.solve():
            model = set(solver.get_model())
            found += 1
            solver.add_clause([-each if each in model else each for each in variables])
    assert found == sum(p.is_finished for p in reachable(start).values())


def test_no_order_of_play_is_noticed() -> None:
    start = Position.empty(WORLDS["6x6 after four"].pattern)
    apart = [
        Placement.of("I", [Cell(0, column) for column in range(4)]),
        Placement.of("T", [Cell(5, 0), Cell(5, 1), Cell(5, 2), Cell(4, 1)]),
    ]
    with pytest.raises(AssertionError):
        order_of_play(start, apart)


def test_formula_of_a_finished_start() -> None:
    start = WORLDS["finished"]
    made = ReachFormula(scope_of(Question(start)))
    assert not made.placed
    assert reach(Question(start, finished=True)).moves == ()
    assert reach(Question(start, finished=False)).possible is False


# --- puzzles, targets and the command ---------------------------------------------------------


def test_reconstructing_a_position_from_its_cells() -> None:
    """From the cells of a solved pencil puzzle alone: found, and the original is in the list."""
    rows = ["T.LL", "TTL.", "T.L.", "IIII"]
    target = read_target(
        Source("puzzle", "\n".join("".join("!" if c == "." else "+" for c in row) for row in rows))
    )
    start = Position.empty(Pattern.from_rows(["...."] * 4))
    pieces = set(read_text(Source("puzzle", "\n".join(rows))).all_pieces)
    result = reach(Question(start, target=target), ListAll())
    assert result.complete
    assert pieces in [set(position.pieces) for position in result.positions]


def test_targets_in_text() -> None:
    grid = "; a comment\nto-move: O\n  a b c d\n1 ? + ! x\n2 L I T S\n3 . - # ?\n4 ? ? ? ?\n"
    target = read_target(Source("grid", grid))
    outline = target.outline
    assert outline.holes == {Cell(2, 2)}
    assert outline.cells_of(target.covered) == (Cell(0, 1),)
    assert outline.cells_of(target.uncovered) == (Cell(0, 2), Cell(0, 3), Cell(2, 0), Cell(2, 1))
    assert [outline.cells_of(mask) for mask in target.shaped] == [
        (Cell(1, column),) for column in range(4)
    ]
    assert read_target(Source("line", "?+!x/LITS/2#?/???? O")) == target
    assert is_meant_as_line("?+!x/LITS/2#?/????")
    assert not is_meant_as_line("targets/grid.txt")
    with pytest.raises(ValueError, match="unknown letter"):
        read_target(Source("grid", "?+!Z\n????\n????\n????"))
    with pytest.raises(UsageError, match=r"row 2 .* 3 cells"):
        Target.from_rows(["????", "???"])


@pytest.mark.parametrize("line", ["4/4/4/4", "mijnlieff 4/4/4/4"])
@pytest.mark.parametrize(
    "option", ["--pieces", "--at-least", "--margin", "--score", "--at-most", "--margin=-"]
)
@pytest.mark.parametrize("digits", [3, 23, 5000])
def test_numbers_that_no_board_has_are_impossible_or_say_nothing(
    run: Run, line: str, option: str, digits: int
) -> None:
    number = "9" * digits
    words = [f"{option}{number}"] if option.endswith("-") else [option, number]
    if option == "--score":
        words = [option, f"{number},"]
    done = run("reach", line, *words, "--json")
    assert done.status == (0 if option in ("--at-most", "--margin=-") else 1), done.err
    assert done.json["possible"] is (done.status == 0)


@pytest.mark.parametrize("words", ["1", "X=1,X=2", "Light=1", "1,2,3", ",", "X=", "x", "-1,2", ""])
def test_a_score_that_is_none_is_told(run: Run, words: str) -> None:
    done = run("reach", "XO2/4/4/4", "--score", words)
    assert done.status == 2 and "expected X's and O's as 3,2" in done.err


def test_a_score_is_read_in_every_form(run: Run) -> None:
    for words in ("0,1", "X=0,O=1", "o=1, x=0"):
        line = run("reach", "XO2/4/4/4", "--score", words, "--json").json["position"]
        position = read_text(Source("line", line)).position()
        assert (position.score("X"), position.score("O")) == (0, 1)
    assert run("reach", "XO2/4/4/4", "--score", "X=0", "--json").json["possible"]
    assert run("reach", "XO2/4/4/4", "--score", ",0", "--json").json["possible"]


def test_the_limit_that_is_proved_is_on_the_other_side_of_the_value(run: Run) -> None:
    """Of a minimum a lower bound, of a maximum an upper one, and no argument for the other."""
    for direction, words, other in (
        ("--minimize", "at least", "at most"),
        ("--maximize", "at most", "at least"),
    ):
        for aim in ("pieces", "margin"):
            done = run(
                "reach", "boxes", "--finished", direction, aim, "--time-limit", 0.3, "--json"
            ).json
            if done["value"] is not None:
                low, high = sorted((done["value"], done["bound"]))
                assert done["bound"] == (low if direction == "--minimize" else high)
            assert done["optimal"] == (done["value"] == done["bound"])
            assert not any(reason.startswith(other) for reason in done["arguments"])
        told = run("reach", "boxes", "--finished", direction, "pieces", "--time-limit", 0.01).out
        assert f"none found yet; {words}" in told or "proved" in told


def test_command(run: Run, tmp_path: Path) -> None:
    outcome = run("reach", "boxes", "--pieces", "19")
    assert outcome.status == 1
    assert "25 disjoint 2x2 blocks" in outcome.out
    outcome = run("reach", "4/4/4/4", "--pieces", "2", "--finished", "--json")
    assert outcome.status == 0
    assert outcome.json["possible"] is True and len(outcome.json["moves"]) == 2
    checked = run("validate", outcome.json["position"], "--json").json["results"][0]
    assert checked["legal"] and checked["finished"]
    outcome = run("reach", "4/4/4/4", "--maximize", "pieces", "--json")
    assert (outcome.json["value"], outcome.json["bound"], outcome.json["optimal"]) == (3, 3, True)
    outcome = run("reach", "4/4/4/4", "--to", "IIII/????/????/????", "--all", "--json")
    assert outcome.json["complete"] is True
    assert len(outcome.json["positions"]) == outcome.json["count"] > 1
    outcome = run("reach", "4/4/4/4", "--to", "TTT?/?T??/????/????", "--forced", "--json")
    assert "T:a1,b1,c1,b2" in outcome.json["forced"]
    assert "d4" not in outcome.json["forced_cells"]
    outcome = run(
        "reach",
        "10/10/10/10/10/10/10/10/10/10",
        "--finished",
        "--pieces",
        "7",
        "--time-limit",
        "0.3",
    )
    assert outcome.status == 3
    assert "Undecided" in outcome.out
    target = tmp_path / "target.txt"
    target.write_text("????\n????\n????\n???L\n", encoding="utf-8")
    assert run("reach", "4/4/4/4", "--to", target, "--include", "a1,b1,c1,d1").status == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--at-least", "5", "--at-most", "4"],
        ["--to", "?????/????/????/????"],
        ["--to", "????/????/????/????/????"],
        ["--covered", "z9"],
        ["--covered", "a1", "--uncovered", "a1"],
        ["--include", "swap"],
        ["--include", "a1,a2"],
        ["--limit", "3"],
        ["--maximize", "pieces", "--all"],
        ["--maximize", "pieces", "--minimize", "pieces"],
        ["--all", "--forced"],
        ["--all", "--limit", "0"],
        ["--passes", "1"],
        ["--maximize", "passes"],
        ["--solver", "nosuch"],
        ["--to", "missing.txt"],
    ],
)
def test_command_errors(run: Run, options: list[str]) -> None:
    outcome = run("reach", "4/4/4/4", *options, "--json")
    assert outcome.status == 2
    assert set(outcome.json) == {"error"}


def test_illegal_positions_are_not_asked_about(run: Run) -> None:
    outcome = run("reach", "IIII/IIII/4/4", "--json")
    assert outcome.status == 1
    assert outcome.json["error"]["kind"] == "illegal"


# --- the table of extremes --------------------------------------------------------------------


def extremes() -> list[dict[str, Any]]:
    return yaml.safe_load((EXAMPLES / "extremes.yaml").read_text(encoding="utf-8"))["boards"]


@pytest.mark.parametrize("entry", extremes(), ids=lambda entry: f"{entry['side']}")
@pytest.mark.parametrize("which", ["fewest", "most"])
def test_extremes_have_finished_witnesses(entry: dict[str, Any], which: str) -> None:
    game = read_text(Source("witness", entry[which]["witness"]))
    position = game.position()
    assert position.pattern.outline.rows == position.pattern.outline.columns == entry["side"]
    assert position.is_finished
    assert len(position.pieces) == entry[which]["pieces"]
    bound = entry[which]["bound"]
    assert (bound == entry[which]["pieces"]) == entry[which]["proved"]
    assert bound <= entry[which]["pieces"] if which == "fewest" else bound >= len(position.pieces)


@pytest.mark.parametrize("side", [4, 5, 6])
def test_small_extremes_are_found_again(side: int) -> None:
    entry = next(each for each in extremes() if each["side"] == side)
    start = Position.empty(Pattern.from_rows(["." * side] * side))
    for which, sign in (("fewest", -1), ("most", 1)):
        result = reach(Question(start, finished=True), Optimise("pieces", sign))
        assert (result.value, result.optimal) == (entry[which]["pieces"], True)


@pytest.mark.parametrize("side", range(6, 11))
def test_most_pieces_are_found_again(side: int) -> None:
    entry = next(each for each in extremes() if each["side"] == side)
    start = Position.empty(Pattern.from_rows(["." * side] * side))
    result = reach(Question(start, finished=True), Optimise("pieces", 1), control=Control(60))
    assert (result.value, result.optimal) == (entry["most"]["pieces"], True)


@pytest.mark.parametrize("method", ["lazy", "elimination"])
def test_interrupt_from_the_shell_is_130_and_one_document(method: str) -> None:
    """Ctrl-C arrives inside the C solver; what is known is still printed."""
    words = ["reach", "boxes", "--finished", "--pieces", "8", "--method", method, "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "litstool", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=EXAMPLES.parent,
    )
    let_work(process, 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert json.loads(out)["stopped"] == "interrupted"
    assert "Traceback" not in err
