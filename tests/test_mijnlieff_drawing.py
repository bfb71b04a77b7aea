"""The drawing of Mijnlieff positions: letters, allowed cells, and the JSON of show."""

from __future__ import annotations

import json

import pytest
from conftest import EXAMPLES, Run

GAMES = sorted((EXAMPLES / "mijnlieff").glob("*-*.yaml"))
START = "mijnlieff 4/4/4/4"
AFTER_ONE = "mijnlieff S3/4/4/4 Dark last=straight@a1"


def test_the_cells_that_the_last_piece_allows_are_marked(run: Run) -> None:
    shown = json.loads(run("show", AFTER_ONE, "--json").out)
    assert shown["allowed"] == ["b1", "c1", "d1", "a2", "a3", "a4"]
    text = run("show", AFTER_ONE).out
    assert text.count("+") == 6 + 1  # and once in the legend
    assert "S" in text and "Dark, to place a piece, where straight@a1 allows" in text


def test_the_first_piece_goes_to_an_outside_cell(run: Run) -> None:
    shown = json.loads(run("show", START, "--json").out)
    assert len(shown["allowed"]) == 12
    free = json.loads(run("show", START + " opening=free", "--json").out)
    assert len(free["allowed"]) == 16


def test_light_and_dark_differ_without_colour(run: Run) -> None:
    text = run("show", "mijnlieff S3/d3/4/4 Light last=diagonal@a2", "--no-color").out
    board = text[: text.index("Score")]
    assert " S " in board and " d " in board


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_example_is_drawn_with_its_pieces(path, run: Run) -> None:
    if path.stem == "arrangements":
        pytest.skip("a table, not a position")
    shown = run("show", str(path), "--json")
    document = json.loads(shown.out)
    assert shown.status == 0 and document["legal"]
    text = run("show", str(path)).out
    board = text[: text.index("Score")]
    for piece in document["pieces"]:
        letter = {"straight": "s", "diagonal": "d", "pusher": "p", "puller": "l"}[piece["kind"]]
        assert f" {letter.upper() if piece['side'] == 'Light' else letter} " in board
    for side, score in document["scores"].items():
        assert f"{side} {score}" in text
        assert score == sum(run["points"] for run in document["lines"] if run["side"] == side)


def test_the_legend_of_a_drawing_has_the_drawings_marks(run: Run, tmp_path) -> None:
    for name, disc in (("p.svg", 'class="allowed"'), ("p.html", 'class="place"')):
        assert run("show", AFTER_ONE, "-o", tmp_path / name).status == 0
        drawn = (tmp_path / name).read_text(encoding="utf-8")
        assert drawn.count(disc) == (6 + 1 if name == "p.svg" else 1)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "in text, capitals" not in page and '<span class="mark">+' not in page


def test_a_number_stands_apart_from_the_letter(run: Run, tmp_path) -> None:
    game = EXAMPLES / "mijnlieff" / "last-turn-taken.yaml"
    assert run("show", game, "--numbers", "-o", tmp_path / "n.svg").status == 0
    drawn = (tmp_path / "n.svg").read_text(encoding="utf-8")
    pieces = len(run("show", game, "--json").json["pieces"])
    assert drawn.count('<circle class="number"') == pieces
