"""Finished games of a public log of self-play, each with what the rules make of it."""

from __future__ import annotations

import pytest
from conftest import DATA

import litstool

LINES = [
    line.split("\t")
    for line in (DATA / "outside-games.tsv").read_text().splitlines()
    if not line.startswith("#")
]


def test_the_file_has_its_games() -> None:
    assert len(LINES) == 96


@pytest.mark.parametrize("line", LINES, ids=range(1, len(LINES) + 1))
def test_each_game_is_played_to_the_end_with_its_result(line: list[str]) -> None:
    pieces, x_left, o_left, winner, game_line = line
    game = litstool.parse(game_line)
    assert litstool.violations(game) == []
    finished = [position.is_finished for position in game.replay()]
    assert finished == [False] * int(pieces) + [True]
    position = game.position()
    assert len(position.pieces) == int(pieces)
    assert (position.score("X"), position.score("O")) == (int(x_left), int(o_left))
    assert position.winner == winner
