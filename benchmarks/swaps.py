"""How often the engine's estimate after a first piece names the side that wins, by the swap book.

    python benchmarks/swaps.py boxes --seconds 1 --positions 100

The book's entries are finished searches, so this is a measure of the estimates where they are
hardest: right after the first piece.  First pieces after which X wins are few, so half of the
positions are drawn from each kind.  Baselines: the share that X wins of 400 greedy games, and the
bare score.
"""

from __future__ import annotations

import argparse
import random

from litstool.lits import engine
from litstool.lits.book import book_of
from litstool.lits.notation import pattern_named
from litstool.lits.playouts import GREEDY, play_after_each
from litstool.lits.position import Position
from litstool.search.analysis import interval


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pattern = pattern_named(options.board)
    book = None if pattern is None else book_of(pattern)
    if pattern is None or book is None:
        raise SystemExit(f"{options.board}: no standard board with a swap book")
    empty = Position.empty(pattern)
    engine.make_ready(empty)
    chance = random.Random(options.seed)
    drawn = []
    for winner in "XO":
        numbers = [number for number, letter in enumerate(book.winners) if letter == winner]
        drawn += chance.sample(numbers, min(len(numbers), options.positions // 2))
    games = 400
    firsts = play_after_each(engine.board_of(empty), GREEDY, games, options.seed)
    greedy = firsts.wins / games
    right = {"engine": 0, "greedy games": 0, "score": 0}
    by_confidence: dict[int, list[bool]] = {}
    for number in drawn:
        position = empty.placed(empty.placements.all[number])
        won = book.winners[number] == "X"
        estimate = engine.estimate(position, options.seconds, options.seed)
        right["engine"] += (estimate > 0.5) == won
        right["greedy games"] += (greedy[number] > 0.5) == won
        right["score"] += (position.margin > 0) == won
        sure = min(9, int(20 * abs(estimate - 0.5)))
        by_confidence.setdefault(sure, []).append((estimate > 0.5) == won)
    print(f"{len(drawn)} first pieces of {options.board}, {options.seconds:g} s each:")
    for name, count in right.items():
        low, high = interval(count, len(drawn))
        print(
            f"  {name:<13} right {count / len(drawn):.1%} (95 % interval {low:.1%} to {high:.1%})"
        )
    for sure, results in sorted(by_confidence.items()):
        print(
            f"  engine {50 + 5 * sure} to {55 + 5 * sure} % sure: "
            f"{sum(results)} of {len(results)} right"
        )


if __name__ == "__main__":
    main()
