"""Every broken rule is named, exactly those, with its cells and in a game with its move."""

from __future__ import annotations

import itertools
import json
import random

import pytest
from conftest import DATA, EXAMPLES, OUTLINES, SUPPLIES, plain, random_play
from plain_rules import is_legal_set, may_play

import litstool
from litstool.grid import Cell, Outline, names
from litstool.lits.board import FULL_SUPPLY, Pattern
from litstool.lits.game import Game
from litstool.lits.legality import violations_of_move, violations_of_pieces
from litstool.lits.placements import SHAPES, Placement
from litstool.lits.position import Position

PUZZLES = json.loads((DATA / "lits-puzzles.json").read_text(encoding="utf-8"))


def pieces_of(*moves: str) -> tuple[Placement, ...]:
    made = tuple(litstool.parse_move(move) for move in moves)
    assert all(isinstance(piece, Placement) for piece in made)
    return made  # type: ignore[return-value]


# Solved pencil puzzles and their variations


@pytest.mark.parametrize("puzzle", PUZZLES["solved"], ids=lambda puzzle: puzzle["id"])
def test_solved_puzzles_are_legal(puzzle: dict) -> None:
    game = litstool.parse("\n".join(puzzle["grid"]))
    assert puzzle["legal"] and game.violations() == []
    assert (game.pattern.outline.rows, game.pattern.outline.columns) == (
        puzzle["rows"],
        puzzle["columns"],
    )


@pytest.mark.parametrize("number", range(len(PUZZLES["variations"])))
def test_variations_break_exactly_the_stated_rules(number: int) -> None:
    puzzle = PUZZLES["variations"][number]
    game = Game(
        pattern=Pattern.from_rows(["." * puzzle["columns"]] * puzzle["rows"]),
        pieces=pieces_of(*puzzle["pieces"]),
    )
    violations = game.violations()
    assert sorted({fault.rule for fault in violations}) == puzzle["rules_broken"]
    assert (not violations) is puzzle["legal"]
    assert all(fault.cells and fault.move is None for fault in violations)


def test_the_collection_has_legal_and_illegal_positions() -> None:
    verdicts = [puzzle["legal"] for puzzle in PUZZLES["variations"]]
    assert 5 < sum(verdicts) < len(verdicts) - 5


# Each rule by name: without an order, then in a game

BOARD = Pattern.from_rows(["......"] * 6)
SMALL_SUPPLY = (5, 1, 5, 5)


def faults(game: Game) -> list[tuple[str, str, int | None]]:
    return [(fault.rule, names(fault.cells), fault.move) for fault in game.violations()]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        # A square fills a block by itself.
        (
            ["a1,b1,a2,b2"],
            [("shape", "a1,b1,a2,b2"), ("2x2", "a1,b1,a2,b2")],
        ),
        (["I:a1,b1,c1,a2"], [("shape", "a1,b1,c1,a2")]),
        (
            ["L:a1,b1,c1,f6"],
            [("shape", "a1,b1,c1,f6"), ("disconnected", "f6")],
        ),
        (["I:e1,f1,g1,h1"], [("off-board", "g1,h1")]),
        (["I:a5,a6,a7,a8"], [("off-board", "a7,a8")]),
        (["I:a1,b1,c1,d1", "L:d1,d2,d3,e3"], [("overlap", "d1")]),
        (["T:a1,b1,c1,b2", "T:a1,b1,c1,b2"], [("overlap", "a1,b1,c1,b2")]),
        (
            ["L:b1,b2,b3,a3", "L:c3,d3,e3,e4"],
            [("same-shape", "b3,c3")],
        ),
        (
            ["L:a1,a2,a3,b3", "I:b2,c2,d2,e2"],
            [("2x2", "a2,b2,a3,b3")],
        ),
        (
            ["I:a1,b1,c1,d1", "T:d2,e2,f2,e3", "I:e4,e5,e6,e7"],
            [("off-board", "e7"), ("supply", "a1,b1,c1,d1,e4,e5,e6,e7")],
        ),
        (
            ["I:a1,b1,c1,d1", "T:e2,e3,f3,e4"],
            [("disconnected", "e2,e3,f3,e4")],
        ),
    ],
    ids=lambda value: "+".join(each[0] for each in value) if isinstance(value[0], tuple) else "",
)
def test_every_rule_in_both_forms(moves: list[str], expected: list[tuple[str, str]]) -> None:
    pieces = pieces_of(*moves)
    supply = SMALL_SUPPLY
    unordered = Game(pattern=BOARD, supply=supply, pieces=pieces)
    assert sorted((rule, cells) for rule, cells, _ in faults(unordered)) == sorted(
        (rule, cells) for rule, cells in expected
    )
    ordered = Game(pattern=BOARD, supply=supply, moves=pieces, ordered=True)
    found = faults(ordered)
    # In a game each fault is that of the last move here; a single piece is joined to nothing.
    alone = len(pieces) == 1
    rules = sorted(rule for rule, _ in expected if not (alone and rule == "disconnected"))
    assert sorted(rule for rule, _, _ in found) == rules
    assert {move for _, _, move in found} <= {len(moves)}


def test_a_piece_on_a_hole_is_off_board() -> None:
    game = litstool.parse("pattern: '4/1#2/4/4'\npieces: ['I:a2,b2,c2,d2']")
    assert faults(game) == [("off-board", "b2", None)]
    assert "hole" in game.violations()[0].message


def test_all_rules_broken_are_reported_not_the_first() -> None:
    game = litstool.parse(
        "pattern: 6/6/6/6/6/6\nsupply: {L: 1}\npieces: ['L:a1,b1,c1,a2', 'L:a1,a2,a3,b3', "
        "'L:b2,c2,d2,d3', 'T:f5,f6,f7,g6', 'a5,b5,a6,b6']"
    )
    assert {rule for rule, _, _ in faults(game)} == {
        *("shape", "off-board", "overlap", "same-shape", "2x2", "supply", "disconnected")
    }


def test_a_move_made_too_early_is_order() -> None:
    moves = pieces_of("I:a1,b1,c1,d1", "T:c4,b5,c5,d5", "L:c2,c3,d3,e3")
    assert faults(Game(pattern=BOARD, moves=moves)) == [("order", "c4,b5,c5,d5", 2)]
    assert faults(Game(pattern=BOARD, pieces=moves)) == []
    apart = Game(pattern=BOARD, moves=moves[:2])
    assert [(rule, move) for rule, _, move in faults(apart)] == [("disconnected", 2)]


def test_a_move_after_the_end_is_named() -> None:
    game = Game(
        pattern=BOARD,
        supply=(0, 1, 1, 0),
        moves=pieces_of("I:a1,b1,c1,d1", "T:d2,e2,f2,e3", "S:e4,f4,d5,e5"),
    )
    assert [(rule, move) for rule, _, move in faults(game)] == [("after-end", 3), ("supply", 3)]
    message = game.violations()[0].message
    assert "move 3 (X)" in message and "after the end" in message


def test_every_move_after_a_finished_game_comes_after_the_end() -> None:
    game = litstool.load(str(EXAMPLES / "game-with-swap.yaml"))
    assert game.position().is_finished
    tables = game.position().placements
    for placement in random.Random(3).sample(tables.all, 60):
        longer = Game(pattern=game.pattern, moves=(*game.moves, placement), ordered=True)
        found = faults(longer)
        assert ("after-end", len(longer.moves)) in {(rule, move) for rule, _, move in found}
        assert len(found) > 1  # and the rule for which the game was over


@pytest.mark.parametrize(
    ("moves", "bad"),
    [
        (["swap"], [1]),
        (["swap", "I:a1,b1,c1,d1"], [1]),
        (["I:a1,b1,c1,d1", "swap"], []),
        (["I:a1,b1,c1,d1", "SWAP", "L:c2,c3,d3,e3"], []),
        (["I:a1,b1,c1,d1", "swap", "swap"], [3]),
        (["I:a1,b1,c1,d1", "L:c2,c3,d3,e3", "swap"], [3]),
        (["I:a1,b1,c1,d1", "swap", "L:c2,c3,d3,e3", "swap"], [4]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value),
)
def test_a_swap_may_only_be_the_second_entry(moves: list[str], bad: list[int]) -> None:
    game = Game(pattern=BOARD, moves=tuple(map(litstool.parse_move, moves)), ordered=True)
    assert faults(game) == [("swap", "", number) for number in bad]


def test_a_swap_after_a_first_piece_that_ended_the_game_comes_after_the_end() -> None:
    game = Game(pattern=BOARD, supply=(0, 1, 0, 0), moves=(*pieces_of("I:a1,b1,c1,d1"), "swap"))
    assert ("after-end", "", 2) in faults(game)


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ("4/4/4/4 X", True),
        ("4/4/4/4 O", False),
        ("IIII/4/4/4 O", True),
        ("IIII/4/4/4 X", False),
        ("IIII/4/4/4", True),
        ("pattern: 4/4/4/4\nmoves: ['I:a1,b1,c1,d1', swap]\nto-move: O", True),
        ("pattern: 4/4/4/4\nmoves: ['I:a1,b1,c1,d1', swap]\nto-move: X", False),
        ("pattern: 4/4/4/4\npieces: ['I:a1,b1,c1,d1']\nto-move: X", False),
        # With a board, the side to move is that of the board before the moves.
        ("board: IIII/4/4/4 O\nmoves: ['L:a2,a3,b3,c3']", True),
        ("board: IIII/4/4/4 X\nmoves: ['L:a2,a3,b3,c3']", False),
    ],
)
def test_the_side_to_move_is_told_by_the_number_of_pieces(text: str, legal: bool) -> None:
    assert [rule for rule, _, _ in faults(litstool.parse(text))] == ([] if legal else ["to-move"])


def test_moves_go_on_from_a_board_with_pieces() -> None:
    game = litstool.parse("board: IIII2/6/6/6 O\nmoves: ['L:a2,a3,b3,c3', 'T:c1,d1,d2,c2']")
    assert [(rule, move) for rule, _, move in faults(game)] == [
        ("shape", 2),
        ("overlap", 2),
        ("2x2", 2),
    ]
    assert faults(game.at(1)) == []
    assert game.at(1).side_to_move == "X"


# Letters that do not split into pieces


@pytest.mark.parametrize(
    ("grid", "cells"),
    [
        ("LLL./..../..../....", "a1,b1,c1"),
        ("TTTT/.T../..../....", "a1,b1,c1,d1,b2"),
        ("SS../SS../..../....", "a1,b1,a2,b2"),
        ("L.../.L../..../....", "a1"),
        ("IIII/IIII/..../....", "a1,b1,c1,d1,a2,b2,c2,d2"),
    ],
)
def test_letters_that_do_not_split_are_shape_with_the_cells(grid: str, cells: str) -> None:
    found = faults(litstool.parse(grid))
    assert ("shape", cells, None) in found


# Position and legality agree


@pytest.mark.parametrize("supply", SUPPLIES)
@pytest.mark.parametrize("name", OUTLINES)
def test_position_and_the_named_rules_agree(name: str, supply: str) -> None:
    """A well-formed move is legal for the bit sets just where no rule is broken by it."""
    chance = random.Random(f"{name} {supply}")
    start = Position.empty(Pattern.from_rows(OUTLINES[name]), SUPPLIES[supply])
    limits = dict(zip(SHAPES, start.supply, strict=True))
    board = {(cell.row, cell.column) for cell in start.outline.cells}
    judged = legal = 0
    games = itertools.chain.from_iterable(random_play(start, chance) for _ in range(3))
    for position in games:
        pieces = list(map(plain, position.pieces))
        # Few random placements are legal, so as many of the legal ones are looked at.
        sample = chance.sample(position.placements.all, min(60, len(position.placements)))
        moves = list(position.moves())
        sample += chance.sample(moves, min(15, len(moves)))
        for move in sample:
            by_rules = not violations_of_move(
                position.outline, position.supply, position.pieces, move
            )
            assert position.is_legal(move) is by_rules
            assert by_rules is may_play(board, limits, pieces, plain(move))
            as_set = violations_of_pieces(
                position.outline, position.supply, (*position.pieces, move)
            )
            assert by_rules is (not as_set)
            judged += 1
            legal += by_rules
    assert judged > 60 and legal


def test_a_set_is_legal_just_where_some_order_of_play_leads_to_it() -> None:
    """Random sets of two to four pieces, judged by looking for an order by trial."""
    chance = random.Random(11)
    position = Position.empty(Pattern.from_rows(["....."] * 4))
    board = {(cell.row, cell.column) for cell in position.outline.cells}
    supply = (1, 1, 2, 1)
    verdicts = []
    for _ in range(3000):
        pieces = chance.sample(position.placements.all, chance.choice([2, 2, 2, 3, 4]))
        by_rules = not violations_of_pieces(position.outline, supply, pieces)
        limits = dict(zip(SHAPES, supply, strict=True))
        assert by_rules is is_legal_set(board, limits, list(map(plain, pieces)))
        verdicts.append(by_rules)
    assert 50 < sum(verdicts) < 2900


@pytest.mark.parametrize("name", OUTLINES)
def test_legal_games_have_no_violations_in_any_form(name: str) -> None:
    chance = random.Random(name)
    *_, last = random_play(Position.empty(Pattern.from_rows(OUTLINES[name])), chance)
    game = Game(pattern=last.pattern, moves=last.pieces, ordered=True)
    assert game.violations() == [] and game.position().legal == last.legal == 0
    shuffled = tuple(chance.sample(last.pieces, len(last.pieces)))
    assert Game(pattern=last.pattern, pieces=shuffled).violations() == []
    in_disorder = Game(pattern=last.pattern, moves=shuffled, ordered=True)
    assert {fault.rule for fault in in_disorder.violations()} <= {"order"}


def test_the_violation_of_a_move_names_player_and_reason() -> None:
    (fault,) = violations_of_move(
        BOARD.outline, FULL_SUPPLY, pieces_of("I:a1,b1,c1,d1"), pieces_of("T:d4,e4,f4,e5")[0]
    )
    assert fault.rule == "disconnected"
    assert fault.cells == tuple(sorted([Cell(3, 3), Cell(3, 4), Cell(3, 5), Cell(4, 4)]))
    game = Game(pattern=BOARD, moves=pieces_of("I:a1,b1,c1,d1", "T:d4,e4,f4,e5"))
    assert game.violations()[0].message.startswith("move 2 (O): ")


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ("a1 a2 a3", "3 neighbouring cells marked T (a1,a2,a3) are not one tetromino"),
        ("a1 a2 a3 a4", "a1,a2,a3,a4 form the shape I, not T"),
        ("a1 a2 b1 b2", "a1,b1,a2,b2 form a square, which is no piece of the game"),
        ("a1 a2 c3 d3", "a1,a2,c3,d3 are not joined by edges, so they are no tetromino"),
    ],
)
def test_what_is_wrong_with_a_form_is_told(cells: str, told: str) -> None:
    piece = Placement.of("T", [Cell.parse(name) for name in cells.split()])
    found, *_ = violations_of_move(Outline(4, 4), FULL_SUPPLY, (), piece)
    assert (found.rule, found.message) == ("shape", told)
