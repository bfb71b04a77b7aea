"""What the patterns are measured by: playouts, drawing boards, the fair search, and fairness.

    python benchmarks/patterns.py speed        # games a second, on one core
    python benchmarks/patterns.py boards       # 10,000 boards of each kind
    python benchmarks/patterns.py fair         # a searched board against uniform ones
    python benchmarks/patterns.py fairness     # are the standard boards fairer? (Markdown)

Times are processor time of this process, compilation excluded.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from litstool.grid import Outline
from litstool.lits.board import Pattern
from litstool.lits.notation import pattern_named, pattern_names
from litstool.lits.pattern.balance import AREAS, clumping, counts_in, exposure, placement_exposure
from litstool.lits.pattern.fair import EFFORT, MEASURES, WIN_RATE, FairSearch
from litstool.lits.pattern.measure import BAND, even_count
from litstool.lits.pattern.recipe import make_recipe
from litstool.lits.pattern.sample import Sampler
from litstool.lits.placements import placements_of
from litstool.lits.playouts import GREEDY, RANDOM, PlayoutTables, play, play_after_each
from litstool.lits.position import Position

TEN = Outline(10, 10)
FRESH_SEED = 424_242


def standard() -> Iterator[tuple[str, Pattern]]:
    for name in pattern_names():
        pattern = pattern_named(name)
        assert pattern is not None
        yield name, pattern


def seconds(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def speed() -> None:
    games = 200_000
    print(f"{'board':<10} {'policy':<7} games/s   pieces   ties   X ahead   X wins")
    for name, pattern in standard():
        board = PlayoutTables(pattern)
        for policy in (RANDOM, GREEDY):
            play(board, policy, 1, 1)
            took = seconds(lambda board=board, policy=policy: play(board, policy, games, 7))
            tally = play(board, policy, games, 7)
            print(
                f"{name:<10} {policy:<7} {games / took:>7,.0f}   {tally.mean_length:6.2f}  "
                f"{100 * tally.ties / games:4.1f} %   {100 * tally.x_ahead / games:5.1f} %  "
                f"{100 * tally.x_win_rate:5.1f} %"
            )
    plain = 30
    took = seconds(lambda: [plain_game(pattern, seed) for seed in range(plain)])
    print(f"the same in plain Python, random: {plain / took:,.0f} games/s")


def plain_game(pattern: Pattern, seed: int) -> int:
    """A random game by the uncompiled rules: the baseline."""
    import random

    source = random.Random(seed)
    position = Position.empty(pattern)
    while moves := list(position.moves()):
        position = position.placed(source.choice(moves))
    return position.margin


KINDS: dict[str, dict[str, Any]] = {
    "uniform": {},
    "half-turn": {"symmetry": ["half-turn"]},
    "quarter-turn, exactly": {"symmetry": ["quarter-turn"], "exactly": True},
    "half-turn and diagonal": {"symmetry": ["half-turn", "diagonal"]},
    "even rows": {"even": ["rows"]},
    "even rows, columns, quadrants": {"even": ["rows", "columns", "quadrants"]},
    "spread even": {"spread": (-1.0, 1.0)},
    "spread apart": {"spread": (None, -2.0)},
    "reach-even 1 %": {"reach_even": 1.0},
    "mirror-lr, even columns, apart": {
        "symmetry": ["mirror-lr"],
        "even": ["columns"],
        "spread": (None, -2.0),
    },
    "all limits together": {
        "even": ["rows", "columns", "quadrants"],
        "spread": (-0.5, 0.5),
        "reach_even": 0.5,
    },
}


def boards() -> None:
    number = 10_000
    print(f"{number:,} boards of 10 x 10 cells")
    for kind, options in KINDS.items():
        sampler = Sampler(make_recipe(TEN, **options))
        sampler.board(1)
        took = seconds(lambda sampler=sampler: [None for _ in sampler.boards(2, number)])
        print(f"  {kind:<32} {sampler.way:<10} {took:6.1f} s")


def win_rate_distance(pattern: Pattern, games: int = 40_000) -> float:
    return abs(play(PlayoutTables(pattern), GREEDY, games, FRESH_SEED).x_win_rate - 0.5)


def even_share(pattern: Pattern, games: int = 100) -> float:
    board = PlayoutTables(pattern)
    wins, _ = play_after_each(board, GREEDY, games, FRESH_SEED)
    return even_count(wins, games, BAND) / len(wins)


def fair() -> None:
    uniform = list(Sampler(make_recipe(TEN)).boards(31, 200))
    print(f"a search of {EFFORT:,} games against {len(uniform)} uniform boards, on fresh games")
    for measured in MEASURES:
        values = np.array(
            [
                1 - win_rate_distance(each) if measured == WIN_RATE else even_share(each)
                for each in uniform
            ]
        )
        for seed in (1, 2, 3):
            start = time.monotonic()
            found = FairSearch(Sampler(make_recipe(TEN)), measured, seed).run()
            took = time.monotonic() - start
            pattern = found.pattern
            mine = 1 - win_rate_distance(pattern) if measured == WIN_RATE else even_share(pattern)
            print(
                f"  {measured:<12} seed {seed}: {mine:.4f}; uniform median "
                f"{np.median(values):.4f}, best {values.max():.4f}; beats "
                f"{100 * (mine > values).mean():.1f} %; {found.games:,} games, "
                f"{found.generations} generations, {took:.0f} s of wall time"
            )


# Are the standard boards fairer than uniform random ones?

METRICS: list[tuple[str, str]] = [
    ("rows", "sum over rows of abs(X − O)"),
    ("columns", "sum over columns of abs(X − O)"),
    ("quadrants", "sum over quadrants of abs(X − O)"),
    ("rings", "sum over rings of abs(X − O)"),
    ("clumping", "abs(z) of like joins"),
    ("all placements", "exposure among all placements: abs(X / O − 1), %"),
    ("random play", "exposure in random play: abs(X / O − 1), %"),
    ("random", "random play: X's win rate from 50 %, points"),
    ("greedy", "greedy play: X's win rate from 50 %, points"),
    ("first moves", "first moves that are not even (greedy, 45 to 55 %), %"),
]
"""Key and meaning of each metric; of all of them less is fairer."""


def metrics_of(pattern: Pattern, games: int) -> dict[str, float]:
    outline = pattern.outline
    found: dict[str, float] = {}
    for kind in ("rows", "columns", "quadrants", "rings"):
        differences = [counts_in(pattern, cells) for _, cells in AREAS[kind](outline)]
        found[kind] = sum(abs(x - o) for x, o in differences)
    found["clumping"] = abs(clumping(pattern)["like"].z or 0.0)
    board = PlayoutTables(pattern)
    tally = play(board, RANDOM, games, FRESH_SEED, with_cells=True)
    assert tally.covered is not None
    covered = {cell: int(tally.covered[cell.row * 10 + cell.column]) for cell in outline.cells}
    for key, covering, total in (
        ("all placements", placement_exposure(outline), len(placements_of(outline))),
        ("random play", covered, tally.pieces),
    ):
        exposed = exposure(pattern, covering, total)
        found[key] = 100 * abs((exposed.x or 0) / (exposed.o or 1) - 1)
    found["random"] = 100 * abs(tally.x_win_rate - 0.5)
    found["greedy"] = 100 * abs(play(board, GREEDY, games, FRESH_SEED).x_win_rate - 0.5)
    found["first moves"] = 100 - 100 * even_share(pattern, 100)
    return found


def fairness() -> None:
    number, games = 200, 50_000
    uniform = [metrics_of(each, games) for each in Sampler(make_recipe(TEN)).boards(5, number)]
    found = {name: metrics_of(pattern, games) for name, pattern in standard()}
    print("# Are the standard boards fairer than uniform random ones?\n")
    print(
        f"`python benchmarks/patterns.py fairness` compared them with {number} boards on which "
        "every arrangement of 30 X and 30 O was equally likely (seed 5), each with "
        f"{games:,} random and as many greedy games and 100 greedy games after each of 1,292 "
        "first moves. Of every metric less is fairer. In brackets: the share of the uniform "
        "boards that are less fair than the standard one (ties count half).\n"
    )
    names = list(found)
    fairer: dict[str, list[str]] = {}
    less: dict[str, list[str]] = {}
    print("| metric | uniform: median (10 % to 90 %) | " + " | ".join(names) + " |")
    print("| --- |" + " --- |" * (1 + len(names)))
    for key, meaning in METRICS:
        values = np.array([each[key] for each in uniform])
        low, middle, high = np.percentile(values, [10, 50, 90])
        cells = []
        for name in names:
            mine = found[name][key]
            less_fair = (values > mine).mean() + 0.5 * np.isclose(values, mine).mean()
            if less_fair >= 0.9:
                fairer.setdefault(name, []).append(key)
            elif less_fair <= 0.1:
                less.setdefault(name, []).append(key)
            cells.append(f"{mine:.2f} ({100 * less_fair:.0f} %)")
        print(f"| {meaning} | {middle:.2f} ({low:.2f} to {high:.2f}) | " + " | ".join(cells) + " |")
    print("\nIn words: fairer, or less fair, than nine in ten of the uniform boards by")
    for name in names:
        good = ", ".join(fairer.get(name, ["nothing"]))
        bad = ", ".join(less.get(name, ["nothing"]))
        print(f"\n- **{name}**: fairer by {good}; less fair by {bad}.")


REPORTS = {"speed": speed, "boards": boards, "fair": fair, "fairness": fairness}

if __name__ == "__main__":
    wanted = sys.argv[1:] or ["speed", "boards"]
    for name in wanted:
        if name not in REPORTS:
            sys.exit(f"{name!r} is no report: {', '.join(REPORTS)}")
        REPORTS[name]()
