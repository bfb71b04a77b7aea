"""Patterns: symmetries, recipes, how boards are drawn, what is impossible, balance, fair play."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from waiting import BUSY

from litstool import games
from litstool.cli.main import main
from litstool.errors import LitstoolError, UsageError
from litstool.grid import Cell, Outline
from litstool.lits.board import Pattern
from litstool.lits.notation import pattern_named
from litstool.lits.pattern import chain, fair, measure
from litstool.lits.pattern.balance import (
    clumping,
    count_joins,
    exposure,
    join_moments,
    placement_exposure,
    quadrants_of,
    rings_of,
)
from litstool.lits.pattern.prove import decide, pattern_of
from litstool.lits.pattern.recipe import Recipe, make_recipe, parse_spread, play_weights
from litstool.lits.pattern.report import report_on
from litstool.lits.pattern.sample import (
    DIRECT,
    REJECTION,
    WALK,
    ImpossibleError,
    Sampler,
)
from litstool.lits.pattern.symmetry import (
    NAMED,
    exchange_names,
    self_names,
    signed_group,
    signed_symmetries,
    symmetry_named,
)
from litstool.lits.playouts import GREEDY, PlayoutTables, play, play_after_each
from litstool.say.lits import documents
from litstool.search.analysis import interval
from litstool.search.control import Control

SQUARE = Outline(4, 4)
HOLED = Outline(4, 5, frozenset({Cell(0, 0), Cell(1, 2), Cell(3, 4)}))
NAMES = [symmetry.name for symmetry in NAMED]


def chi_square_too_large(counts: Iterable[int], cells: int) -> bool:
    """Whether counts that should be equal differ more than chance makes them once in 30,000."""
    counts = list(counts)
    draws = sum(counts)
    expected = draws / cells
    square = sum((count - expected) ** 2 for count in counts) / expected
    square += (cells - len(counts)) * expected  # boards never drawn
    freedom = cells - 1
    # Wilson and Hilferty: the cube root of chi-square over its freedom is nearly normal.
    spread = 2 / (9 * freedom)
    return ((square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread) > 4


def all_boards(outline: Outline, x: int, o: int) -> Iterator[Pattern]:
    """Every arrangement of x X and o O."""
    for xs in combinations(outline.cells, x):
        rest = [cell for cell in outline.cells if cell not in xs]
        for os in combinations(rest, o):
            yield Pattern(outline, outline.mask(xs), outline.mask(os))


# Symmetries


@pytest.mark.parametrize(
    ("name", "symbols", "exchanging"),
    [
        ("diagonals", 30, ["half-turn", "diagonal"]),
        ("stripes", 30, ["mirror-lr", "mirror-ud"]),
        ("boxes", 30, ["quarter-turn"]),
        ("monogram", 34, ["half-turn"]),
    ],
)
def test_the_standard_boards(name: str, symbols: int, exchanging: list[str]) -> None:
    pattern = pattern_named(name)
    assert pattern is not None
    report = documents.balance(report_on(pattern, name))
    assert report["symbols"] == {"X": symbols, "O": symbols}
    assert report["symmetries"] == exchanging
    # Equally exposed, since a symmetry exchanges X and O.
    assert report["metrics"]["exposure"]["placements"]["ratio"] == 1


def every_group() -> list[tuple[str, ...]]:
    """Every set of exchanges that can go together on a square board."""
    found = []
    for size in range(4):
        for some in combinations(NAMES, size):
            try:
                signed_group(Outline(6, 6), map(symmetry_named, some))
            except UsageError:
                continue
            found.append(some)
    return found


@pytest.mark.parametrize("some", every_group())
@pytest.mark.parametrize("outline", [Outline(6, 6), Outline(7, 7), Outline(8, 8)])
def test_boards_have_the_symmetries_asked_for(outline: Outline, some: tuple[str, ...]) -> None:
    sampler = Sampler(make_recipe(outline, symmetry=some))
    group = sampler.recipe.group
    assert sampler.way == DIRECT
    for pattern in sampler.boards(5, 10):
        assert pattern.count("X") == pattern.count("O") == sampler.recipe.x > 0
        exchanging, keeping = pattern.exchange_symmetries(), pattern.self_symmetries()
        for symmetry, sign in group.members:
            assert sign > 0 or symmetry in exchanging
            assert sign < 0 or symmetry.name == "identity" or symmetry in keeping
        assert all(pattern.symbol(cell) == "." for cell in group.blank)
        assert set(some) <= set(exchange_names(pattern))
        assert sorted((each.name, sign) for each, sign in signed_symmetries(pattern)) == sorted(
            [(each.name, 1) for each in keeping] + [(each.name, -1) for each in exchanging]
        )


@pytest.mark.parametrize("some", every_group())
def test_exactly_leaves_no_further_symmetry(some: tuple[str, ...]) -> None:
    sampler = Sampler(make_recipe(Outline(8, 8), symmetry=some, exactly=True))
    expected = {(each.name, sign) for each, sign in sampler.recipe.group.members}
    for pattern in sampler.boards(2, 5):
        found = {(each.name, sign) for each, sign in signed_symmetries(pattern)}
        assert found | {("identity", 1)} == expected


def test_cells_that_an_exchange_leaves_in_place_stay_blank() -> None:
    square = Outline(5, 5)
    assert signed_group(square, [symmetry_named("half-turn")]).blank == (Cell(2, 2),)
    assert len(signed_group(square, [symmetry_named("diagonal")]).blank) == 5
    assert len(signed_group(square, [symmetry_named("mirror-ud")]).blank) == 5
    assert signed_group(SQUARE, [symmetry_named("quarter-turn")]).blank == ()


@pytest.mark.parametrize(
    ("outline", "options", "reason"),
    [
        (Outline(4, 6), {"symmetry": ["diagonal"]}, "as many rows as columns"),
        (HOLED, {"symmetry": ["half-turn"]}, "is a hole and its image"),
        (SQUARE, {"symmetry": ["quarter-turn"], "x": 3}, "2 at a time (4 times)"),
        (Outline(5, 5), {"symmetry": ["diagonal"], "x": 11}, "5 of them stay blank"),
        (SQUARE, {"symmetry": ["half-turn"], "x": 2, "o": 3}, "exchanges X and O"),
        (SQUARE, {"symmetry": ["half-turn", "mirror-lr", "mirror-ud"]}, "X and O at once"),
        (SQUARE, {"symmetry": ["quarter-turn", "half-turn"]}, "X and O at once"),
        (SQUARE, {"symmetry": ["half turn"]}, "did you mean 'half-turn'"),
        (SQUARE, {"x": 9}, "do not fit"),
        (SQUARE, {"x": -1}, "too few"),
        (SQUARE, {"even": ["rings"]}, "expected one of"),
        (Outline(3, 9), {}, "4 x 4 to 16 x 16"),
    ],
)
def test_an_error_says_why_it_cannot_be(outline: Outline, options: dict, reason: str) -> None:
    with pytest.raises(LitstoolError) as caught:
        make_recipe(outline, **options)
    assert reason in caught.value.message


# Sampling


DRAWN = [
    (SQUARE, {"x": 1, "o": 2}, DIRECT),
    (HOLED, {"x": 2, "o": 1}, DIRECT),
    (SQUARE, {"x": 2, "symmetry": ["half-turn"]}, DIRECT),
    # Orbits of two sizes: four cells on the diagonals, eight elsewhere.
    (Outline(6, 6), {"x": 4, "symmetry": ["quarter-turn", "mirror-lr"]}, DIRECT),
    (SQUARE, {"x": 2, "symmetry": ["half-turn"], "exactly": True}, REJECTION),
    (SQUARE, {"x": 1, "even": ["quadrants"]}, REJECTION),
    (SQUARE, {"x": 3, "even": ["rows", "columns"]}, WALK),
    (SQUARE, {"x": 2, "o": 3, "even": ["quadrants", "columns"], "spread": (None, -0.5)}, WALK),
    (SQUARE, {"x": 4, "symmetry": ["half-turn"], "even": ["columns"]}, WALK),
    (Outline(6, 6), {"x": 6, "symmetry": ["quarter-turn", "mirror-lr"], "spread": (None, 0)}, WALK),
]


def fitting(recipe: Recipe) -> set[Pattern]:
    """Every board of a recipe, without any of the ways in which they are drawn."""
    if recipe.group.exchanging:
        orbits = len(recipe.group.orbits)
        boards: Iterable[Pattern] = (
            pattern_of(recipe, fill) for fill in product((0, 1, 2), repeat=orbits)
        )
        boards = (board for board in boards if board.count("X") == recipe.x)
    else:
        boards = all_boards(recipe.outline, recipe.x, recipe.o)
    return {board for board in boards if recipe.fits(board)}


@pytest.mark.parametrize(("outline", "options", "way"), DRAWN)
def test_every_fitting_board_is_equally_likely(outline: Outline, options: dict, way: str) -> None:
    sampler = Sampler(make_recipe(outline, **options))
    if way == WALK:
        sampler.__dict__["way"] = WALK  # a small board might do with rejection
    assert sampler.way == way
    every = fitting(sampler.recipe)
    assert len(every) > 5
    drawn = Counter(sampler.boards(1, max(2000, min(6 * len(every), 12_000))))
    assert set(drawn) <= every
    assert not chi_square_too_large(drawn.values(), len(every))


def test_the_chi_square_test_can_fail() -> None:
    source = random.Random(1)
    assert not chi_square_too_large(Counter(source.choices(range(50), k=5000)).values(), 50)
    lopsided = source.choices(range(50), weights=[3] * 5 + [2] * 45, k=5000)
    assert chi_square_too_large(Counter(lopsided).values(), 50)


def line_sums(pattern: Pattern) -> Iterator[int]:
    rows = pattern.rows()
    for line in [*rows, *map("".join, zip(*rows, strict=True))]:
        yield line.count("X") - line.count("O")


def test_limits_of_all_kinds_hold_together() -> None:
    outline = Outline(10, 10)
    recipe = make_recipe(
        outline,
        even=["rows", "columns", "quadrants"],
        spread=(-0.5, 0.5),
        reach_even=0.5,
    )
    weights = dict(zip(outline.cells, play_weights(outline), strict=True))
    for pattern in Sampler(recipe).boards(3, 5):
        assert not any(line_sums(pattern))
        for _, cells in quadrants_of(outline):
            symbols = "".join(pattern.symbol(cell) for cell in cells)
            assert symbols.count("X") == symbols.count("O")
        z = clumping(pattern)["like"].z
        assert z is not None and -0.5 <= z <= 0.5
        for covering in (placement_exposure(outline), weights):
            exposed = exposure(pattern, covering, 1)
            assert exposed.x is not None and exposed.o is not None
            mean = sum(covering.values()) / 100
            assert abs(exposed.x - exposed.o) <= 0.005 * mean + 1e-9


def test_a_surplus_is_shared_out_as_evenly_as_it_can_be() -> None:
    recipe = make_recipe(Outline(6, 6), 10, 7, even=["rows", "quadrants"])
    for pattern in Sampler(recipe).boards(3, 20):
        rows = [row.count("X") - row.count("O") for row in pattern.rows()]
        assert sorted(rows) == [0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize("text", ["apart", "clumped", "-0.3,0.3", ",-4", "6,"])
def test_spread_keeps_its_limits(text: str) -> None:
    low, high = parse_spread(text)
    recipe = make_recipe(Outline(10, 10), spread=(low, high))
    for pattern in Sampler(recipe).boards(4, 4):
        z = clumping(pattern)["like"].z
        assert z is not None
        assert (low is None or z >= low) and (high is None or z <= high)


@pytest.mark.parametrize("text", ["", "x", "1", "2,1", "1,2,3", "nan,1", "1,inf", "-9999,1"])
def test_spread_that_cannot_be_read(text: str) -> None:
    with pytest.raises(UsageError):
        parse_spread(text)


GOLDEN = {
    DIRECT: "XOXO../O.O.O./OXO..X/O..XOX/.X.X.X/..XOXO",
    REJECTION: "X.OO.O/.OOXO./.X.XXO/OXOOX./XX...X/....OX",
    WALK: "...X.O/.O.X../O.O.XX/XXXOOO/.XXOO./.OO.XX",
}


@pytest.mark.parametrize(
    ("way", "options"),
    [
        (DIRECT, {"symmetry": ["half-turn"]}),
        (REJECTION, {"spread": (-1.0, 1.0)}),
        (WALK, {"even": ["rows", "columns"], "reach_even": 1.0}),
    ],
)
def test_the_same_seed_gives_the_same_boards_on_every_machine(way: str, options: dict) -> None:
    sampler = Sampler(make_recipe(Outline(6, 6), **options))
    assert sampler.way == way
    boards = list(sampler.boards(2026, 3))
    assert len(set(boards)) == 3
    assert Sampler(sampler.recipe).board(2026, 1) == boards[1]  # alone, it is the same
    # Only here to notice a change: nothing but the seed decides the board.
    assert "/".join(boards[0].rows()) == GOLDEN[way]


def test_the_walk_keeps_its_sums_right() -> None:
    recipe = make_recipe(
        Outline(7, 7), 12, symmetry=["diagonal"], even=["rows"], spread=(-1, 1), reach_even=2.0
    )
    layout = chain.layout_of(recipe)
    sampler = Sampler(recipe)
    for seed in range(20):
        fill = np.array(sampler.direct(random.Random(seed)), dtype=np.int64)
        state = chain.state_of(layout, fill)
        excess = chain.walk(layout, state, seed, 137 * seed, False)
        pattern = sampler.pattern_of(state.fill.tolist())
        assert sampler.fill_of(pattern) == state.fill.tolist()
        assert pattern.count("X") == 12
        assert state.joins[0] == count_joins(pattern)["like"]
        differences = [recipe.exposure_difference(pattern, each) for each in recipe.exposures]
        assert state.exposure.tolist() == differences
        fresh = chain.state_of(layout, state.fill)
        assert chain.excess(layout, fresh) == excess == chain.excess(layout, state)
        assert (excess == 0) == recipe.fits(pattern)


# What is impossible


def random_recipe(source: random.Random) -> Recipe | None:
    outline = source.choice([SQUARE, HOLED, Outline(4, 4, frozenset({Cell(0, 1), Cell(2, 2)}))])
    symmetry = source.choice([[], [], ["half-turn"], ["quarter-turn"], ["diagonal", "half-turn"]])
    x = source.randrange(3)
    try:
        return make_recipe(
            outline,
            x,
            x if symmetry else source.randrange(3),
            symmetry,
            source.random() < 0.4,
            [name for name in ("rows", "columns", "quadrants") if source.random() < 0.4],
            source.choice([None, (1.5, None), (None, -1.5), (0.2, 0.4), (3, None)]),
            source.choice([None, 0.0, 1.0, 20.0]),
        )
    except UsageError:
        return None


def test_sat_says_what_trying_every_board_says() -> None:
    source = random.Random(8)
    answers = []
    while len(answers) < 40:
        recipe = random_recipe(source)
        if recipe is None:
            continue
        decision = decide(recipe)
        if decision.pattern is not None:
            assert recipe.fits(decision.pattern)
            assert (decision.pattern.count("X"), decision.pattern.count("O")) == (
                recipe.x,
                recipe.o,
            )
        else:
            assert not any(recipe.fits(board) for board in fitting(recipe))
        answers.append(decision.possible)
    assert answers.count(True) > 8 and answers.count(False) > 8


def test_an_impossible_recipe_is_proved_so() -> None:
    # A full board in which like symbols stand together cannot have as many X as O in every line.
    recipe = make_recipe(SQUARE, 8, spread=(3.5, None), even=["rows", "columns"])
    with pytest.raises(ImpossibleError, match="proved by SAT") as caught:
        Sampler(recipe).board(1)
    assert caught.value.exit_status == 1
    assert not fitting(recipe)


def test_sat_finds_the_start_that_a_walk_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    # A chessboard: all neighbours unlike. The walk is forbidden to find it by itself.
    recipe = make_recipe(SQUARE, 8, 8, spread=(None, -4.0))
    sampler = Sampler(recipe)
    monkeypatch.setattr("litstool.lits.pattern.sample._TRIES", 0)
    assert all(recipe.fits(board) for board in sampler.boards(1, 4))


def test_a_formula_is_not_written_out_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("litstool.lits.pattern.prove.Solver", None)
    recipe = make_recipe(Outline(12, 12), even=["rows", "columns"], spread=(-1, 1))
    control = Control()
    control.stop()
    decision = decide(recipe, control)
    assert decision.possible is None and decision.stopped == "interrupted"
    assert decision.clauses < 5000


# Balance


@pytest.mark.parametrize(("x", "o"), [(2, 2), (3, 1), (0, 3), (1, 1)])
def test_join_moments_are_those_of_all_arrangements(x: int, o: int) -> None:
    outline = Outline(3, 4, frozenset({Cell(0, 1), Cell(2, 3)}))
    counts = [count_joins(board) for board in all_boards(outline, x, o)]
    moments = join_moments(outline, x, o)
    for kind, (expected, variance) in moments.items():
        values = [each[kind] for each in counts]
        mean = Fraction(sum(values), len(values))
        assert expected == mean
        assert variance == Fraction(sum(v * v for v in values), len(values)) - mean**2


def test_joins_of_known_boards() -> None:
    stripes = pattern_named("stripes")
    assert stripes is not None
    # In each of six rows 8 like pairs and an unlike one, and 10 unlike ones across the middle.
    counts = count_joins(stripes)
    assert (counts["XX"], counts["OO"], counts["XO"]) == (24, 24, 16)


def test_joins_are_those_seen_cell_by_cell() -> None:
    for pattern in Sampler(make_recipe(HOLED, 6, 5)).boards(1, 30):
        expected = Counter()
        for cell in HOLED.cells:
            for other in (Cell(cell.row + 1, cell.column), Cell(cell.row, cell.column + 1)):
                if other in HOLED:
                    expected["".join(sorted(map(pattern.symbol, (cell, other)))[::-1])] += 1
        found = count_joins(pattern)
        assert [found[kind] for kind in ("XX", "OO", "XO")] == [
            expected[kind] for kind in ("XX", "OO", "XO")
        ]


def test_exposure_counts_the_cells_of_all_placements() -> None:
    for outline in (Outline(10, 10), HOLED):
        covering = placement_exposure(outline)
        pattern = Pattern(outline, 0, 0)
        from litstool.lits.placements import placements_of

        assert sum(covering.values()) == 4 * len(placements_of(outline))
        assert exposure(pattern, covering, 1).x is None
    corner, middle = Cell(0, 0), Cell(4, 4)
    assert placement_exposure(Outline(10, 10))[corner] < placement_exposure(Outline(10, 10))[middle]


def test_the_areas_of_an_odd_board() -> None:
    outline = Outline(5, 7)
    quadrants = dict(quadrants_of(outline))
    assert [len(cells) for cells in quadrants.values()] == [6, 6, 6, 6]
    assert Cell(2, 0) not in {cell for cells in quadrants.values() for cell in cells}
    assert [len(cells) for _, cells in rings_of(outline)] == [20, 12, 3]


# Play


def test_wilson_intervals() -> None:
    assert interval(0, 0) == (0.0, 1.0)
    low, high = interval(50, 100)
    assert low == pytest.approx(0.40383, abs=1e-5) and high == pytest.approx(0.59617, abs=1e-5)
    low, high = interval(0, 20)
    assert low == 0 and high == pytest.approx(0.16113, abs=1e-5)
    # One that is surer is wider: 2.5758 deviations instead of 1.96.
    low, high = interval(50, 100, 0.99)
    assert low == pytest.approx(0.37528, abs=1e-5) and high == pytest.approx(0.62472, abs=1e-5)


def test_the_band_is_told_in_whole_numbers() -> None:
    wins = np.array([179, 180, 200, 220, 221])
    assert measure.even_count(wins, 400, 0.05) == 3
    assert measure.even_count(np.array([9, 10, 11, 12]), 20, 0.05) == 3


def test_first_moves_agree_with_games_after_one_move() -> None:
    pattern = pattern_named("boxes")
    assert pattern is not None
    board = PlayoutTables(pattern)
    first = measure.measure_first_moves(board, 40, 3, show=3)
    assert first is not None
    assert len(first.wins) == 1292 and sum(first.histogram) == 1292
    assert 0 < first.even_moves < 1292
    distances = [abs(each.rate - 0.5) for each in first.most_even]
    assert distances == sorted(distances) and distances[0] < 0.03
    # Another way to the same rate: games after that one move, on another seed.
    named = [each.notation for each in board.position.placements.all]
    for each in first.most_even:
        tally = play(board, GREEDY, 4000, 99, first=named.index(each.move))
        assert abs(tally.x_win_rate - each.rate) < 5 * sqrt(0.25 / 4000 + 0.25 / each.games)


def test_a_stopped_measurement_keeps_what_was_played() -> None:
    control = Control()
    control.stop()
    report = measure.measure(
        PlayoutTables(Pattern(SQUARE, 0, 0)), {"random": 1000}, 10, 1, control=control
    )
    assert report.play == () and report.first_moves is None


# Fair play


def test_closeness() -> None:
    assert fair.closeness(np.array([10, 10]), 20, 0.15) == 1
    assert fair.closeness(np.array([0, 20]), 20, 0.15) == 0
    assert fair.closeness(np.array([10, 13]), 20, 0.3) == pytest.approx(0.75)


def test_a_fair_board_comes_near_even_chances_and_keeps_the_recipe() -> None:
    recipe = make_recipe(Outline(8, 8), even=["rows"])
    found = fair.FairSearch(Sampler(recipe), fair.WIN_RATE, 5, effort=600_000, within=0.03).run()
    assert recipe.fits(found.pattern)
    assert found.stopped == "reached"
    tally = play(PlayoutTables(found.pattern), GREEDY, 40_000, 77)  # fresh games
    assert abs(tally.x_win_rate - 0.5) < 0.04
    again = fair.FairSearch(Sampler(recipe), fair.WIN_RATE, 5, effort=600_000, within=0.03).run()
    assert again.pattern == found.pattern and again.value == found.value


def test_a_search_stops_in_time_with_the_best_so_far() -> None:
    sampler = Sampler(make_recipe(Outline(6, 6)))
    limited = fair.FairSearch(sampler, fair.FIRST_MOVES, 1, control=Control(0.2)).run()
    assert limited.stopped == "time limit" and limited.pattern.count("X") == sampler.recipe.x
    stopped = Control()
    stopped.stop()
    early = fair.FairSearch(sampler, fair.FIRST_MOVES, 1, control=stopped).run()
    assert early.stopped == "interrupted" and early.pattern.count("X") == sampler.recipe.x
    only_one = Sampler(make_recipe(SQUARE, 0))
    assert fair.FairSearch(only_one, fair.WIN_RATE, 1, within=1e-6).run().stopped == "exhausted"
    with pytest.raises(UsageError, match="no piece fits"):
        holes = frozenset(cell for cell in SQUARE.cells if sum(cell) % 2)
        fair.FairSearch(Sampler(make_recipe(Outline(4, 4, holes))), fair.FIRST_MOVES, 1)
    with pytest.raises(UsageError, match="no measure"):
        fair.FairSearch(sampler, "luck", 1)


def beats(measured: str, seed: int, effort: int, boards: int, side: int = 10) -> float:
    """The share of uniform boards that a searched one beats, on games that neither has seen."""
    sampler = Sampler(make_recipe(Outline(side, side)))
    found = fair.FairSearch(sampler, measured, seed, effort=effort).run()

    def goodness(pattern: Pattern) -> float:
        board = PlayoutTables(pattern)
        if measured == fair.WIN_RATE:
            return -abs(play(board, GREEDY, 40_000, 991).x_win_rate - 0.5)
        wins, _ = play_after_each(board, GREEDY, 100, 991)
        return measure.even_count(wins, 100, 0.05)

    mine = goodness(found.pattern)
    others = [goodness(pattern) for pattern in sampler.boards(1_000_000 + seed, boards)]
    return sum(mine > other for other in others) / boards


def test_a_searched_board_beats_uniform_ones() -> None:
    assert beats(fair.FIRST_MOVES, 3, 600_000, 20, side=7) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("measured", fair.MEASURES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_searched_board_beats_95_percent_of_uniform_ones(measured: str, seed: int) -> None:
    assert beats(measured, seed, fair.EFFORT, 200) >= 0.95


# The command


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        status = main(["pattern", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_list_and_show(run) -> None:
    status, out, _ = run("list")
    assert status == 0 and "diagonals" in out and "exchanged by half-turn, diagonal" in out
    status, out, _ = run("show", "boxes", "--json")
    document = json.loads(out)
    assert document["symmetries"] == ["quarter-turn"]
    assert document["self_symmetries"] == ["half-turn"]
    status, out, _ = run("show", "monogram")
    assert status == 0 and "X 34, O 34" in out


def test_check_reports_and_draws(run, tmp_path: Path) -> None:
    picture = tmp_path / "report.svg"
    few = ["--games", "2000", "--strong-games", "3", "--first-move-games", "4"]
    status, out, _ = run("check", "stripes", "--json", *few, "-o", str(picture))
    assert status == 0
    document = json.loads(out)
    assert document["symbols"] == {"X": 30, "O": 30}
    assert document["symmetries"] == ["mirror-lr", "mirror-ud"]
    metrics = document["metrics"]
    assert set(metrics["play"]) == {"random", "greedy", "strong"}
    assert metrics["play"]["strong"]["games"] == 3
    assert metrics["first_moves"]["moves"] == 1292
    assert metrics["exposure"]["random_play"]["cells"].keys() == {
        c.name for c in Outline(10, 10).cells
    }
    text = picture.read_text(encoding="utf-8")
    assert text.count('class="symbol X"') == 60 and text.count('class="bar"') == 20
    status, out, _ = run("check", "stripes", *few)
    assert status == 0 and "Pie rule" in out and "tie-break" in out


def test_check_without_play(run, tmp_path: Path) -> None:
    picture = tmp_path / "report.png"
    status, out, _ = run("check", "boxes", "--no-play", "-o", str(picture))
    assert status == 0 and "Play " not in out and "(z -1.76)" in out
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["new", "--size", "9x10", "--symmetry", "quarter-turn"], 2, "as many rows"),
        (["new", "--size", "ten"], 2, "rows x columns"),
        (["new", "--x", "3"], 2, "go together"),
        (["new", "--symbols", "3", "--x", "3", "--o", "3"], 2, "leave out"),
        (["new", "--reach-even", "200"], 2, "percentage"),
        (["new", "--fair", "luck"], 2, "no measure"),
        (["new", "--band", "0"], 2, "out of range"),
        (["new", "--size", "4x4", "--symbols", "2", "--spread", "9,"], 1, "proved by SAT"),
        (["check", "boxes", "-o", "boxes.gif"], 2, ".png or .svg"),
        (["check", "nowhere"], 2, "nowhere"),
        (["what"], 2, "what"),
    ],
)
def test_errors_are_told(run, arguments: list[str], status: int, message: str) -> None:
    found, out, err = run(*arguments)
    assert (found, out) == (status, "") and message in err


def test_new_boards_are_read_again(run, tmp_path: Path) -> None:
    options = ["new", "--seed", "7", "--symmetry", "half-turn", "--size", "6x6", "-n", "3"]
    status, out, err = run(*options)
    assert status == 0 and "equally likely" in err
    lines = out.splitlines()
    by_line = [games.load(line)[1].pattern for line in lines]
    assert len(set(by_line)) == 3
    status, _, _ = run(*options, "-o", f"{tmp_path}/boards/")
    files = sorted((tmp_path / "boards").iterdir())
    assert [games.load(str(path))[1].pattern for path in files] == by_line
    status, _, _ = run(*options, "-o", str(tmp_path / "my"))
    assert (tmp_path / "my-2.txt").is_file()
    for ending in (".txt", ".yaml", ".json"):
        status, _, err = run(*options, "-o", str(tmp_path / f"solo{ending}"))
        assert status == 0 and f"solo-1{ending} to " in err
        files = [tmp_path / f"solo-{number}{ending}" for number in (1, 2, 3)]
        assert [games.load(str(path))[1].pattern for path in files] == by_line
    before = (tmp_path / "my-2.txt").read_bytes()
    for place in (f"{tmp_path}/boards/", str(tmp_path / "my")):
        status, _, err = run(*options[:2], "8", *options[3:], "-o", place)
        assert status == 2 and "is there already; give another folder" in err
    assert (tmp_path / "my-2.txt").read_bytes() == before
    _, out, _ = run(*options, "--json")
    assert [each["line"] for each in json.loads(out)["boards"]] == lines


def test_new_on_an_outline_with_holes(run, tmp_path: Path) -> None:
    outline = tmp_path / "outline.txt"
    outline.write_text("#...#\n.....\n..#..\n.....\n#...#\n", encoding="utf-8")
    status, out, _ = run(
        "new", "--outline", str(outline), "--symmetry", "quarter-turn", "--seed", "1"
    )
    assert status == 0
    pattern = Pattern.from_rows(out.split("\n")[1:6])
    assert len(pattern.outline.holes) == 5 and "quarter-turn" in exchange_names(pattern)
    assert "half-turn" in self_names(pattern)


def test_new_fair(run) -> None:
    status, out, err = run(
        "new", "--size", "6x6", "--fair", "--effort", "200000", "--seed", "4", "--json"
    )
    assert status == 0
    board = json.loads(out)["boards"][0]
    assert board["fair"]["measure"] == "first-moves"
    assert 0 < board["fair"]["value"] <= 1 and board["fair"]["games"] <= 200_000
    assert "of the first moves are even" in err


def test_ctrl_c_prints_the_boards_made_so_far(run, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Sampler.board

    def board(self: Sampler, seed: int, index: int = 0) -> Pattern:
        if index == 2:
            raise KeyboardInterrupt
        return made(self, seed, index)

    monkeypatch.setattr(Sampler, "board", board)
    status, out, err = run("new", "-n", "5", "--seed", "1")
    assert status == 130 and len(out.splitlines()) == 2 and "2 of 5" in err


# One screen, one ranking, one clock


FEW = ("--games", "2000", "--strong-games", "3", "--first-move-games", "4")


def test_one_board_fits_a_screen(run) -> None:
    status, out, _ = run("check", "boxes", *FEW)
    lines = out.splitlines()
    assert status == 0 and len(lines) < 24 and max(map(len, lines)) <= 80
    assert lines[0].startswith("Boxes: ")
    assert "litstool book show boxes" in lines[-1] and "swap after" in lines[-1]


def test_what_is_played_is_played_with_the_supply_of_the_file(run, tmp_path: Path) -> None:
    file = tmp_path / "four.yaml"
    file.write_text("pattern: boxes\nsupply: {L: 1, I: 0, T: 1, S: 1}\n", encoding="utf-8")
    status, out, _ = run("check", str(file), "--json", *FEW)
    assert status == 0
    metrics = json.loads(out)["metrics"]
    assert metrics["supply"] == {"L": 1, "I": 0, "T": 1, "S": 1}
    assert all(metrics["play"][policy]["mean_pieces"] <= 3 for policy in metrics["play"])
    # 1,292 placements less the 140 of the shape that there is none of.
    assert metrics["first_moves"]["moves"] == 1152
    # The book is of games with the usual supply.
    assert "swap_book" not in metrics
    assert "swap_book" in json.loads(run("check", "boxes", "--json", "--no-play")[1])["metrics"]


def test_boards_are_ranked_and_a_folder_stands_for_those_in_it(run, tmp_path: Path) -> None:
    (tmp_path / "even.txt").write_text("XOXO\nOXOX\nXOXO\nOXOX\n", encoding="utf-8")
    (tmp_path / "lopsided.txt").write_text("XXXX\n....\nOO..\n....\n", encoding="utf-8")
    (tmp_path / "broken.yaml").write_text("pattern: [\n", encoding="utf-8")
    (tmp_path / "picture.svg").write_text("not a board", encoding="utf-8")
    picture = tmp_path / "all.png"
    status, out, err = run(
        "check", str(tmp_path), "stripes", "--no-play", "--json", "-o", str(picture)
    )
    assert status == 2 and picture.read_bytes().startswith(b"\x89PNG")
    results = json.loads(out)["results"]
    assert [Path(each["source"]).stem for each in results] == [
        "broken", "even", "lopsided", "stripes",
    ]  # fmt: skip
    assert results[0]["error"]["kind"] == "format"
    assert [each["rank"] for each in results[1:]] == [1, 3, 2]
    (tmp_path / "broken.yaml").unlink()
    status, out, _ = run("check", str(tmp_path), "boxes", "monogram", "stripes", *FEW)
    lines = out.splitlines()
    assert status == 0 and len(lines) < 24 and max(map(len, lines)) <= 80
    assert " ".join(out.split()).count("of the first moves leave even chances") == 5
    (tmp_path / "even.txt").unlink()
    (tmp_path / "lopsided.txt").unlink()
    status, _, err = run("check", str(tmp_path))
    assert status == 2 and "folder with no file of positions" in err


@pytest.mark.parametrize("arguments", [["--strong-games", "0"], [], ["--games", "0"]])
def test_check_keeps_to_its_time_and_tells_what_it_knows(run, arguments: list[str]) -> None:
    run("check", "boxes", *FEW)  # compiled, or loaded
    started = time.monotonic()
    status, out, err = run(
        "check", "boxes", "--time-limit", "0.4", "--threads", "256", "--json",
        "--games", "50000000", "--strong-games", "90000", "--first-move-games", "1000000",
        *arguments,
    )  # fmt: skip
    assert time.monotonic() - started < 0.4 + BUSY
    assert status == 3 and "the time was up" in err
    metrics = json.loads(out)["metrics"]
    assert metrics["play"] and all(
        0 < played["games"] < 50_000_000 for played in metrics["play"].values()
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["-n", "1000000"],
        ["-n", "1000000", "--even", "rows,columns,quadrants", "--spread", "even"],
        ["-n", "50", "--fair", "--threads", "256"],
        ["-n", "2", "--fair", "win-rate", "--within", "1e-9", "--effort", "100000000"],
        ["--size", "10x10", "--reach-even", "0.0001", "--even", "rows,columns", "--exactly"],
    ],
)
def test_new_keeps_to_its_time_and_tells_what_it_made(run, arguments: list[str]) -> None:
    size = [] if "--size" in arguments else ["--size", "8x8"]
    run("new", "--fair", "--effort", "10000", "--size", "8x8")  # compiled, or loaded
    started = time.monotonic()
    status, out, _ = run("new", "--time-limit", "0.4", "--seed", "1", "--json", *size, *arguments)
    assert time.monotonic() - started < 0.4 + BUSY
    assert status in (0, 3)
    document = json.loads(out)
    assert document.get("boards") or document["error"]["kind"] == "undecided"


def test_a_time_without_end_is_one(run) -> None:
    for limit in ("1e308", "1e-9"):
        status, out, _ = run("new", "--time-limit", limit, "--seed", "1", "--size", "5x5")
        assert status == 0 and out.startswith("name: board 1 of seed 1\n")


# Files


@pytest.mark.parametrize("ending", [".txt", ".yaml", ".json", ".svg", ".png"])
def test_the_ending_says_the_form(run, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"solo{ending}"
    status, _, err = run("new", "--size", "5x5", "--seed", "1", "-o", str(file))
    assert status == 0 and f"wrote {file}" in err
    assert [path.name for path in tmp_path.iterdir()] == [f"solo{ending}"]
    data = file.read_bytes()
    if ending == ".png":
        assert data.startswith(b"\x89PNG")
    elif ending == ".svg":
        assert data.startswith(b"<svg ")
    else:
        assert games.load(str(file))[1].name == "board 1 of seed 1"


def test_places_that_are_none(run, tmp_path: Path) -> None:
    for place in (f"{tmp_path}/solo.gif", ""):
        status, _, err = run("new", "-o", place)
        assert status == 2 and len(err.splitlines()) == 1
    outline = tmp_path / "b-2.yaml"
    outline.write_text("pattern: boxes\n", encoding="utf-8")
    for number, name in (("1", "b-2.yaml"), ("3", "b.yaml")):
        status, _, err = run(
            "new", "--outline", str(outline), "-n", number, "-o", f"{tmp_path}/{name}"
        )
        assert status == 2 and "would write over the input" in err
    assert outline.read_text(encoding="utf-8") == "pattern: boxes\n"


def test_files_are_there_as_soon_as_their_board_is_made(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Sampler.board

    def board(self: Sampler, seed: int, index: int = 0) -> Pattern:
        assert len(list(tmp_path.iterdir())) == index
        if index == 2:
            raise KeyboardInterrupt
        return made(self, seed, index)

    monkeypatch.setattr(Sampler, "board", board)
    status, _, err = run("new", "-n", "5", "--seed", "1", "-o", f"{tmp_path}/")
    assert status == 130 and "2 of 5" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board-1.txt", "board-2.txt"]
