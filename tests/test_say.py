"""The words for results, the same wherever they are told."""

from __future__ import annotations

import pytest

from litstool import parse
from litstool.say import people, results
from litstool.search.analysis import Analysis

XO = ("X", "O")


@pytest.mark.parametrize(
    ("winner", "margin", "told", "brief"),
    [
        ("X", 3, "X wins by 3", "X wins by 3"),
        ("O", -3, "O wins by 3", "O wins by 3"),
        ("O", 0, "O wins on equal scores, with the last piece", "O wins the tie"),
        ("Dark", None, "Dark wins", "Dark wins"),
        ("draw", 0, "a draw", "a draw"),
    ],
)
def test_a_result_is_told_without_signs(
    winner: str, margin: int | None, told: str, brief: str
) -> None:
    assert results.won(winner, margin) == told
    assert results.won(winner, margin, brief=True) == brief


@pytest.mark.parametrize(
    ("low", "high", "winner", "told"),
    [
        (-28, 28, None, "between O by 28 and X by 28"),
        (0, 4, None, "between equal scores and X by 4"),
        (0, 4, "X", "X wins by at most 4"),
        (2, 4, None, "X wins by 2 to 4"),
        (-7, -2, None, "O wins by 2 to 7"),
        (-7, 0, "O", "O wins by at most 7"),
        (-2, -2, "O", "O wins by 2"),
    ],
)
def test_bounds_name_the_sides(low: int, high: int, winner: str | None, told: str) -> None:
    assert results.bounds(low, high, XO, winner) == told


def test_what_is_estimated_is_never_told_as_proven() -> None:
    unknown = Analysis("X", "a")
    assert results.verdict(unknown, XO) == "not known"
    assert results.verdict(Analysis("X", "a", chance=0.25), XO) == "O 75.0 % to win, estimated"
    assert results.verdict(Analysis("X", "a", chance=0.5), XO) == "even, estimated"
    proven = Analysis("X", "a", winner="O", margin=-5, chance=0.0)
    assert results.verdict(proven, XO) == "O wins by 5, exactly"
    assert results.expected(-1.04, XO) == "O ahead by about 1"
    assert results.lead(0, XO) == "level"


GAME = """\
pattern: XO../OX../..XO/..OX
players: {first: Ada, second: Bela}
moves: ["I:a1,b1,c1,d1"%s]
"""


def test_people_change_places_with_the_swap() -> None:
    assert people.players_line(parse(GAME % "")) == "X: Ada, O: Bela"
    swapped = parse(GAME % ", swap")
    assert people.players_line(swapped) == "X: Bela (second player, after the swap), O: Ada"
    nobody = GAME.replace("players: {first: Ada, second: Bela}\n", "")
    assert people.players_line(parse(nobody % "")) is None
    assert (
        people.players_line(parse(nobody % ", swap"))
        == "X: the second player (after the swap), O: the first player"
    )


def test_the_winner_of_a_finished_game_is_named() -> None:
    assert people.result_line(parse(GAME % "")) is None
    told = "O (Ada) wins on equal scores, with the last piece"
    assert people.result_line(parse(GAME % ', swap, "L:b2,b3,b4,c4"')) == told
