"""The files in ``examples`` are what they say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import litstool
from litstool.lits.game import SWAP

EXAMPLES = Path(__file__).parent.parent / "examples"


def load(name: str) -> litstool.Game:
    return litstool.load(str(EXAMPLES / name))


@pytest.mark.parametrize(
    "path", sorted((EXAMPLES / "illegal").iterdir()), ids=lambda path: path.stem
)
def test_each_illegal_example_breaks_the_rule_it_is_named_after(path: Path) -> None:
    rules = {violation.rule for violation in litstool.load(str(path)).violations()}
    assert path.stem in rules
    # Some faults bring another with them: a square fills a block, a late move lacks supply.
    company = {"shape": {"2x2"}, "after-end": {"supply"}}
    assert rules <= {path.stem} | company.get(path.stem, set())


def test_there_is_an_illegal_example_for_every_rule() -> None:
    rules = (
        "shape off-board overlap same-shape 2x2 supply disconnected to-move order swap after-end"
    )
    assert {path.stem for path in (EXAMPLES / "illegal").iterdir()} == set(rules.split())


@pytest.mark.parametrize("name", ["boxes", "diagonals", "monogram", "stripes"])
def test_the_standard_boards_are_empty_and_legal(name: str) -> None:
    game = load(f"{name}.yaml")
    assert game.pattern == litstool.load(name).pattern
    assert game.position().legal.bit_count() == 1292


@pytest.mark.parametrize(("name", "swapped"), [("with-swap", True), ("without-swap", False)])
def test_the_whole_games_are_legal_to_the_end(name: str, swapped: bool) -> None:
    game = load(f"game-{name}.yaml")
    assert (SWAP in game.moves) is swapped
    assert [position.is_finished for position in game.replay()] == [False] * len(game.moves) + [
        True
    ]


@pytest.mark.parametrize("plies", [3, 5, 7])
def test_the_endgames_last_as_long_as_they_say(plies: int) -> None:
    result = litstool.solve(load(f"endgame-{plies}.yaml").position())
    assert len(result.line) == plies


def test_the_longest_and_the_shortest_game_are_finished() -> None:
    longest, shortest = load("longest-18.txt").position(), load("shortest-9.txt").position()
    assert longest.is_finished and len(longest.pieces) == 18
    assert shortest.is_finished and len(shortest.pieces) == 9


def test_the_board_with_holes_is_legal() -> None:
    position = load("holes.txt").position()
    assert position.outline.holes and not position.is_finished


FIRST_MOVES = EXAMPLES / "first-moves"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(path.stem, marks=[pytest.mark.slow] if path.stem[0] == "7" else [])
        for path in sorted(FIRST_MOVES.glob("*.json"))
    ],
)
def test_the_first_move_tables_are_what_a_search_finds(name: str) -> None:
    kept = json.loads((FIRST_MOVES / f"{name}.json").read_text(encoding="utf-8"))
    position = load(f"first-moves/{name}.txt").position()
    found = litstool.solve(position, all_moves=True).to_json()
    for key in ("winner", "margin", "last_mover", "final_score"):
        assert kept[key] == found[key]
    assert set(kept["best"]) == set(found["best"])

    def by_move(document: dict) -> dict:
        return {each["move"]: (each["winner"], each["margin"]) for each in document["moves"]}

    assert by_move(kept) == by_move(found)
    # A move's value is that of the position after it.
    for first in list(position.moves())[::29]:
        after = litstool.solve(position.play(first))
        assert by_move(kept)[first.notation] == (after.winner, after.margin)
