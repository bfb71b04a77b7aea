"""The facts about Battle of LITS: counts, extremes, standard boards, scores, swap and end."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
import yaml
from conftest import (
    DATA,
    OUTLINES,
    ROOT,
    STANDARD_BOARDS,
    SUPPLIES,
    plain,
    random_play,
    random_symbols,
)
from plain_rules import every_placement, pairs_that_touch, share_an_edge

import litstool
from litstool.errors import IllegalError
from litstool.grid import SYMMETRIES, Cell, Outline, Symmetry, bits
from litstool.lits.board import FULL_SUPPLY, Pattern
from litstool.lits.placements import SHAPES, Placement, orientations, placements_of, shape_of
from litstool.lits.position import Position


def blank(rows: int, columns: int | None = None) -> Position:
    return Position.empty(Pattern.from_rows(["." * (columns or rows)] * rows))


# Placements


def test_the_shapes_have_their_orientations() -> None:
    assert {shape: len(orientations(shape)) for shape in SHAPES} == {"L": 8, "I": 2, "T": 4, "S": 4}


def test_an_empty_10x10_board_has_1292_placements() -> None:
    tables = placements_of(Outline(10, 10))
    assert len(tables) == 1292
    counts = {shape: tables.of_shape[shape].bit_count() for shape in SHAPES}
    assert counts == {"L": 576, "I": 140, "T": 288, "S": 288}


@pytest.mark.parametrize("name", OUTLINES)
def test_placements_are_those_found_by_growing(name: str) -> None:
    outline = Pattern.from_rows(OUTLINES[name]).outline
    tables = placements_of(outline)
    grown = every_placement((cell.row, cell.column) for cell in outline.cells)
    assert {plain(placement) for placement in tables.all} == grown
    assert len(tables.all) == len(grown)


def test_the_square_is_no_piece() -> None:
    assert shape_of((Cell(0, 0), Cell(0, 1), Cell(1, 0), Cell(1, 1))) is None


def test_pieces_that_touch_share_exactly_one_edge() -> None:
    """Of different shapes and without a full 2x2: all 44,904 pairs of the 10x10 board."""
    tables = placements_of(Outline(10, 10))
    pairs = 0
    for number, placement in enumerate(tables.all):
        position = blank(10).placed(placement)
        for other in bits(position.alive & position.reach):
            if other > number:
                cells = set(tables.all[other].cells)
                edges = sum(
                    neighbour in cells
                    for cell in placement.cells
                    for neighbour in cell.edge_neighbours()
                )
                assert edges == 1
                pairs += 1
    assert pairs == 44_904


def test_pairs_that_may_lie_side_by_side_are_those_found_plainly() -> None:
    outline = Outline(5, 5)
    tables = placements_of(outline)
    plainly = {frozenset(pair) for pair in pairs_that_touch(map(plain, tables.all))}
    by_bits = set()
    for placement in tables.all:
        position = blank(5).placed(placement)
        for other in bits(position.alive & position.reach):
            by_bits.add(frozenset([plain(placement), plain(tables.all[other])]))
    assert by_bits == plainly


# Perft: the number of ways to play the first k moves


def perft_by_play(position: Position, plies: int) -> list[int]:
    """Every line played out, for 1 to ``plies`` moves; the last move is only counted."""
    counts = [0] * plies
    counts[0] = position.legal.bit_count()
    for move in position.moves() if plies > 1 else ():
        for ply, count in enumerate(perft_by_play(position.placed(move), plies - 1), 1):
            counts[ply] += count
    return counts


def perft_by_sets(position: Position, plies: int) -> list[int]:
    """The same for 1 to ``plies`` moves; lines that lead to one set of pieces go on together."""
    layer = {0: (position, 1)}
    counts = []
    for ply in range(1, plies + 1):
        counts.append(sum(ways * at.legal.bit_count() for at, ways in layer.values()))
        following: dict[int, tuple[Position, int]] = {}
        for pieces, (at, ways) in layer.items() if ply < plies else ():
            for number in bits(at.legal):
                key = pieces | 1 << number
                if key in following:
                    known, before = following[key]
                    following[key] = known, before + ways
                else:
                    following[key] = at.placed(at.placements.all[number]), ways
        layer = following
    return counts


@pytest.mark.parametrize(
    ("side", "counts"), [(4, [104, 688, 304, 0]), (5, [212, 4_768, 42_176, 48_624, 0])]
)
def test_perft_of_small_boards_move_by_move(side: int, counts: list[int]) -> None:
    assert perft_by_play(blank(side), len(counts)) == counts
    assert perft_by_sets(blank(side), len(counts)) == counts


PERFT_6 = [356, 13_648, 398_304, 6_389_664, 34_451_568, 22_378_304, 0]
PERFT_10 = [1_292, 89_808, 8_192_896, 844_692_944]


@pytest.mark.parametrize(("side", "counts"), [(6, PERFT_6[:4]), (10, PERFT_10[:3])])
def test_perft_of_larger_boards(side: int, counts: list[int]) -> None:
    assert perft_by_sets(blank(side), len(counts)) == counts


@pytest.mark.slow
def test_deep_perft_of_6x6() -> None:
    assert perft_by_sets(blank(6), len(PERFT_6)) == PERFT_6


@pytest.mark.slow
def test_deep_perft_of_10x10() -> None:
    """Each pair of first pieces can be played in two orders; the rest is played out."""
    start = blank(10)
    total = 0
    for first, placement in enumerate(start.placements.all):
        position = start.play(placement)
        for second in bits(position.legal >> first << first):
            total += 2 * perft_by_play(position.placed(start.placements.all[second]), 2)
    assert total == PERFT_10[3]


# Extremes and lengths of games


def extreme(name: str) -> Position:
    document = yaml.safe_load((DATA / "extremes.yaml").read_text(encoding="utf-8"))
    return litstool.parse(document[name]).position()


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("longest-18", 18),
        ("shortest-known-9", 9),
        ("shortest-known-without-an-exhausted-shape-10", 10),
    ],
)
def test_the_extremes_are_finished(name: str, pieces: int) -> None:
    position = extreme(name)
    assert len(position.pieces) == pieces
    assert position.is_finished and not list(position.moves())
    assert not position.coverable()


def test_what_can_be_covered() -> None:
    """All that some placement covers at first, later what a move covers and more, at last none."""
    for name, rows in OUTLINES.items():
        start = Position.empty(Pattern.from_rows(rows))
        somewhere = {cell for piece in start.placements.all for cell in piece.cells}
        assert set(start.outline.cells_of(start.coverable())) == somewhere
        for position in random_play(start, random.Random(name)):
            coverable = set(position.outline.cells_of(position.coverable()))
            assert coverable.issuperset(cell for move in position.moves() for cell in move.cells)
            assert not position.coverable() & position.covered
        assert position.is_finished and not position.coverable()


def test_only_the_last_extreme_has_every_shape_in_supply() -> None:
    assert 0 in extreme("shortest-known-9").supply_left
    assert 0 not in extreme("shortest-known-without-an-exhausted-shape-10").supply_left


def test_random_games_are_as_long_as_measured_and_ties_are_common() -> None:
    lengths: Counter[int] = Counter()
    ties = games = 0
    for name in STANDARD_BOARDS:
        chance = random.Random(name)
        start = litstool.load(name).position()
        for _ in range(250):
            *_, last = random_play(start, chance)
            lengths[len(last.pieces)] += 1
            ties += last.margin == 0
            games += 1
            assert last.winner == plain_winner(last)
    assert min(lengths) >= 9 and max(lengths) <= 18
    assert 13.5 < sum(length * count for length, count in lengths.items()) / games < 14.1
    assert lengths.most_common(1)[0][0] == 14
    assert 0.05 < ties / games < 0.14


def plain_winner(position: Position) -> str:
    """The winner of a finished game, counted from the symbols that are still seen."""
    covered = {cell for piece in position.pieces for cell in piece.cells}
    seen = [position.pattern.symbol(cell) for cell in position.outline.cells if cell not in covered]
    x, o = seen.count("X"), seen.count("O")
    if x != o:
        return "X" if x > o else "O"
    return "X" if len(position.pieces) % 2 else "O"


# The standard boards


@pytest.mark.parametrize(
    ("name", "symbols", "exchanges", "keeps"),
    [
        ("diagonals", 30, {"half-turn", "diagonal"}, {"antidiagonal"}),
        ("stripes", 30, {"mirror-lr", "mirror-ud"}, {"half-turn"}),
        ("boxes", 30, {"quarter-turn", "three-quarter-turn"}, {"half-turn"}),
        ("monogram", 34, {"half-turn"}, set()),
    ],
)
def test_a_standard_board_has_its_counts_and_symmetries(
    name: str, symbols: int, exchanges: set[str], keeps: set[str]
) -> None:
    pattern = litstool.load(name).pattern
    assert (pattern.outline, pattern.unknown) == (Outline(10, 10), 0)
    assert (pattern.count("X"), pattern.count("O")) == (symbols, symbols)
    assert {each.name for each in pattern.exchange_symmetries()} == exchanges
    assert {each.name for each in pattern.self_symmetries()} == keeps


def test_the_patterns_folder_has_the_standard_boards_and_no_other() -> None:
    assert sorted(path.stem for path in (ROOT / "patterns").glob("*.txt")) == list(STANDARD_BOARDS)


# Legality


@pytest.mark.parametrize("name", OUTLINES)
def test_symbols_never_matter_for_legality(name: str) -> None:
    chance = random.Random(name)
    one = Position.empty(random_symbols(OUTLINES[name], chance))
    other = Position.empty(random_symbols(OUTLINES[name], chance))
    for _ in range(20):
        assert one.legal == other.legal
        moves = list(one.moves())
        if not moves:
            break
        move = chance.choice(moves)
        one, other = one.play(move), other.play(move)
    assert one.is_finished and other.is_finished


@pytest.mark.parametrize("supply", SUPPLIES)
@pytest.mark.parametrize("name", OUTLINES)
def test_a_legal_set_can_be_grown_from_any_of_its_pieces(name: str, supply: str) -> None:
    chance = random.Random(name + supply)
    start = Position.empty(Pattern.from_rows(OUTLINES[name]), SUPPLIES[supply])
    *_, last = random_play(start, chance)
    for first in last.pieces:
        position = start.play(first)
        left = [piece for piece in last.pieces if piece != first]
        while left:
            touching = [piece for piece in left if position.is_legal(piece)]
            assert touching
            left.remove(piece := chance.choice(touching))
            position = position.play(piece)
        assert (position.covered, position.alive, position.reach, position.legal) == (
            last.covered,
            last.alive,
            last.reach,
            last.legal,
        )


def test_the_first_piece_may_go_anywhere_and_a_corner_is_no_contact() -> None:
    position = blank(6)
    assert position.legal.bit_count() == len(position.placements)
    position = position.play(litstool.parse_move("I:a1,b1,c1,d1"))
    assert not position.is_legal(litstool.parse_move("L:e2,f2,e3,e4"))
    assert position.is_legal(litstool.parse_move("L:d2,e2,f2,f3"))


def test_equal_shapes_may_touch_at_a_corner_but_not_at_an_edge() -> None:
    position = blank(8).play(litstool.parse_move("I:a1,b1,c1,d1"))
    position = position.play(litstool.parse_move("L:c2,c3,c4,d4"))
    assert position.is_legal(litstool.parse_move("I:e2,e3,e4,e5"))
    assert not position.is_legal(litstool.parse_move("I:e1,e2,e3,e4"))


def test_a_mirror_image_is_the_same_shape() -> None:
    for shape, text in (("L", "a1,a2,a3,b3"), ("L", "b1,b2,b3,a3")):
        assert litstool.parse_move(text).shape == shape
    for text in ("b1,c1,a2,b2", "a1,b1,b2,c2"):
        assert litstool.parse_move(text).shape == "S"
    one, other = Placement.of("S", parse_cells("b1 c1 a2 b2")), parse_cells("c2 d2 d3 e3")
    assert share_an_edge(one.cells, other)
    assert not blank(5).play(one).is_legal(Placement.of("S", other))


def parse_cells(text: str) -> tuple[Cell, ...]:
    cells = tuple(Cell.parse(word) for word in text.split())
    assert all(cells)
    return cells  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("down", "filling", "open_beside"),
    [
        ("L:a1,a2,a3,b3", "I:b2,c2,d2,e2", "I:c3,d3,e3,f3"),
        ("I:a1,a2,a3,a4", "L:b3,b4,b5,c5", "L:b4,c4,d4,d5"),
        ("I:a1,b1,c1,d1", "L:e1,c2,d2,e2", "T:d2,d3,d4,e3"),
    ],
    ids=["last cell", "two cells at once", "three cells at once"],
)
def test_a_block_may_not_be_filled(down: str, filling: str, open_beside: str) -> None:
    position = blank(6).play(litstool.parse_move(down))
    with pytest.raises(IllegalError) as caught:
        position.play(litstool.parse_move(filling))
    assert "2x2" in {fault.rule for fault in caught.value.violations}
    position.play(litstool.parse_move(open_beside))


def test_four_pieces_together_may_not_fill_a_block() -> None:
    position = blank(8)
    for text in ("S:d5,c6,d6,c7", "L:c2,c3,c4,d4", "T:e2,e3,f3,e4"):
        position = position.play(litstool.parse_move(text))
    with pytest.raises(IllegalError) as caught:
        position.play(litstool.parse_move("I:e5,f5,g5,h5"))
    assert [fault.rule for fault in caught.value.violations] == ["2x2"]


# Gain, score, tie-break


@pytest.mark.parametrize("name", OUTLINES)
def test_the_margin_is_the_starting_one_plus_the_gains(name: str) -> None:
    chance = random.Random(name)
    position = start = Position.empty(random_symbols(OUTLINES[name], chance))
    gains_of_x = 0
    while not position.is_finished:
        move = chance.choice(list(position.moves()))
        gain = position.gain(move)
        assert -4 <= gain <= 4
        symbols = Counter(start.pattern.symbol(cell) for cell in move.cells)
        for_x = symbols["O"] - symbols["X"]
        assert gain == (for_x if position.to_move == "X" else -for_x)
        gains_of_x += for_x
        position = position.play(move)
    assert position.margin == start.margin + gains_of_x
    assert position.margin == position.score("X") - position.score("O")


def test_on_equal_scores_the_last_piece_wins() -> None:
    winners = set()
    for seed in range(40):
        *_, last = random_play(blank(5), random.Random(seed))
        assert last.margin == 0
        assert last.winner == last.last_mover == "OX"[len(last.pieces) % 2]
        winners.add(last.winner)
    assert winners == {"X", "O"}


def test_the_higher_score_wins_whoever_was_last() -> None:
    for symbol in "XO":
        for seed in range(10):
            rows = [symbol * 5] * 5
            *_, last = random_play(Position.empty(Pattern.from_rows(rows)), random.Random(seed))
            assert last.winner == symbol


def test_a_running_game_has_no_winner_and_only_an_empty_board_can_be_drawn() -> None:
    assert blank(4).winner is None and blank(4).last_mover is None
    nothing = Position.empty(Pattern.from_rows(["####"] * 4))
    assert nothing.is_finished and nothing.winner == "draw"


# Swap


def test_a_swap_changes_neither_board_nor_turn() -> None:
    start = litstool.load("boxes").position()
    first = start.play(litstool.parse_move("T:f3,e4,f4,g4"))
    assert not start.can_swap and first.can_swap
    swapped = first.swap()
    assert swapped == first.play("swap")
    assert swapped.swapped and not swapped.can_swap
    assert swapped.to_move == first.to_move == "O"
    assert (swapped.pieces, swapped.legal) == (first.pieces, first.legal)
    second = first.play(next(first.moves()))
    assert not second.can_swap
    for position in (start, swapped, second):
        with pytest.raises(IllegalError) as caught:
            position.swap()
        assert [fault.rule for fault in caught.value.violations] == ["swap"]


@pytest.mark.parametrize("swap", [False, True])
def test_x_owns_the_odd_pieces_swapped_or_not(swap: bool) -> None:
    chance = random.Random(7)
    position = litstool.load("stripes").position()
    movers = ""
    while not position.is_finished:
        movers += position.to_move
        position = position.play(chance.choice(list(position.moves())))
        if swap and len(position.pieces) == 1:
            position = position.swap()
    assert movers == ("XO" * len(movers))[: len(movers)]


# End


def test_the_game_ends_when_the_supply_is_empty() -> None:
    position = Position.empty(Pattern.from_rows(["." * 10] * 10), (1, 0, 1, 0))
    assert {move.shape for move in position.moves()} == {"L", "T"}
    position = position.play(litstool.parse_move("L:a1,a2,a3,b3"))
    assert {move.shape for move in position.moves()} == {"T"}
    position = position.play(litstool.parse_move("T:c3,d3,e3,d4"))
    assert position.is_finished and position.supply_left == (0, 0, 0, 0)
    nothing = Position.empty(Pattern.from_rows(["." * 10] * 10), (0, 0, 0, 0))
    assert nothing.is_finished


def test_a_used_up_shape_is_gone_for_both() -> None:
    position = Position.empty(Pattern.from_rows(["." * 10] * 10), (5, 1, 5, 5))
    position = position.play(litstool.parse_move("I:a1,b1,c1,d1"))
    for _ in range(2):
        assert position.to_move in "XO"
        assert "I" not in {move.shape for move in position.moves()}
        position = position.play(next(position.moves()))


def test_legality_is_the_same_for_both_sides() -> None:
    """So when the side to move has no move, neither has."""
    for seed in range(5):
        for position in random_play(blank(6), random.Random(seed)):
            assert position.legal == replaced_side(position).legal


def replaced_side(position: Position) -> Position:
    return replace(position, to_move="O" if position.to_move == "X" else "X")


# Symmetries


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=lambda symmetry: symmetry.name)
@pytest.mark.parametrize("name", ["5x7", "cross", "sieve", "islands"])
def test_a_symmetry_moves_the_legal_moves_with_the_board(name: str, symmetry: Symmetry) -> None:
    chance = random.Random(name)
    pattern = random_symbols(OUTLINES[name], chance)
    turned = Position.empty(pattern.transformed(symmetry))
    rows, columns = pattern.outline.rows, pattern.outline.columns

    def moved(piece: Placement) -> Placement:
        cells = tuple(symmetry.cell(cell, rows, columns) for cell in piece.cells)
        return Placement.of(piece.shape, cells)

    position = Position.empty(pattern)
    while True:
        gains = {moved(move): position.gain(move) for move in position.moves()}
        assert gains == {move: turned.gain(move) for move in turned.moves()}
        if not gains:
            break
        move = chance.choice(list(position.moves()))
        position, turned = position.play(move), turned.play(moved(move))
    assert position.margin == turned.margin


def test_the_full_supply_is_twenty_pieces() -> None:
    assert FULL_SUPPLY == (5, 5, 5, 5)
    assert litstool.load("boxes").supply == FULL_SUPPLY
