"""Mijnlieff through the commands that serve both games."""

from __future__ import annotations

import json

import pytest
from conftest import EXAMPLES, Run

import litstool

START = "mijnlieff 4/4/4/4"
TWO_PASSES = str(EXAMPLES / "mijnlieff" / "two-passes.yaml")


def test_moves_are_cells_times_kinds(run: Run) -> None:
    document = json.loads(run("moves", START, "--json").out)
    assert document["to_move"] == "Light" and document["count"] == 12 * 4
    assert {(move["kind"], move["cell"]) for move in document["moves"]} == {
        (move["move"].split("@")[0], move["move"].split("@")[1]) for move in document["moves"]
    }
    assert len(json.loads(run("moves", START, "--shape", "pusher", "--json").out)["moves"]) == 12


def test_a_forced_pass_is_the_only_move(run: Run) -> None:
    game = litstool.load(TWO_PASSES)
    ply = game.moves.index("pass")
    document = json.loads(run("moves", TWO_PASSES, "--ply", str(ply), "--json").out)
    assert [move["move"] for move in document["moves"]] == ["pass"]
    assert not any(
        move["move"] == "pass"
        for move in json.loads(run("moves", TWO_PASSES, "--ply", str(ply + 1), "--json").out)[
            "moves"
        ]
    )


def test_solve_says_the_margin_of_light_and_plays_to_the_end(run: Run) -> None:
    document = json.loads(run("solve", TWO_PASSES, "--json").out)
    assert document["solved"] and set(document["final_score"]) == {"Light", "Dark"}
    position = litstool.load(TWO_PASSES).position()
    for text in document["line"]:
        position = position.play(next(m for m in position.moves() if text == str_of(m)))
    assert position.is_finished and position.margin == document["margin"]
    assert document["winner"] == position.winner


def str_of(move: object) -> str:
    return move if isinstance(move, str) else move.notation  # type: ignore[attr-defined]


@pytest.mark.parametrize("target", ["text", "line", "yaml", "json"])
def test_convert_keeps_the_position(target: str, run: Run, tmp_path) -> None:
    path = tmp_path / "converted"
    path.write_text(run("convert", TWO_PASSES, "--to", target).out, encoding="utf-8")
    read, meant = litstool.load(str(path)).position(), litstool.load(TWO_PASSES).position()
    assert set(read.pieces) == set(meant.pieces) and read.to_move == meant.to_move
    assert read.allowed == meant.allowed


def test_convert_to_ltp_is_refused(run: Run) -> None:
    assert run("convert", TWO_PASSES, "--to", "ltp").status == 1


def replayed(moves: list[str]) -> object:
    position = litstool.load(START).position()
    for text in moves:
        position = position.play(next(m for m in position.moves() if text == str_of(m)))
    return position


def test_reach_finds_a_score_and_the_rules_replay_it(run: Run) -> None:
    document = json.loads(run("reach", START, "--score", "3,2", "--finished", "--json").out)
    assert document["possible"] is True
    position = replayed(document["moves"])
    assert position.is_finished  # type: ignore[attr-defined]
    assert (position.score("Light"), position.score("Dark")) == (3, 2)  # type: ignore[attr-defined]


def test_the_shortest_game_leaves_five_pieces(run: Run) -> None:
    words = ["reach", START, "--finished", "--minimize", "pieces", "--json"]
    document = json.loads(run(*words).out)
    assert (document["value"], document["bound"], document["optimal"]) == (11, 11, True)
    assert len(replayed(document["moves"]).pieces) == 11  # type: ignore[attr-defined]


def test_reach_with_a_target_grid(run: Run) -> None:
    found = run("reach", START, "--to", "mijnlieff X???/?x??/????/????", "--pieces", "2", "--json")
    document = json.loads(found.out)
    assert document["possible"] is True and len(document["moves"]) == 2
    assert run("reach", START, "--to", "mijnlieff XX??/????/????/????", "--pieces", "2").status == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--winner", "X"],
        ["--score", "x"],
        ["--method", "lazy"],
        ["--include", "pass"],
        ["--at-least", "5", "--at-most", "4"],
    ],
)
def test_conditions_that_make_no_sense_are_errors(words: list[str], run: Run) -> None:
    result = run("reach", START, *words)
    assert result.status == 2 and result.err.count("\n") == 1
    assert words[0].strip("-").replace("-", " ") in result.err


@pytest.mark.parametrize("words", [["--passes", "1"], ["--maximize", "passes"]])
def test_conditions_of_mijnlieff_are_none_of_lits(words: list[str], run: Run) -> None:
    assert run("reach", "boxes", *words).status == 2


def test_solve_lists_every_move_best_first(run: Run) -> None:
    document = json.loads(run("solve", TWO_PASSES, "--all", "--json").out)
    sign = 1 if document["to_move"] == "Light" else -1
    margins = [sign * move["margin"] for move in document["moves"]]
    assert margins == sorted(margins, reverse=True) and len(set(margins)) > 1
    assert document["moves"][0]["margin"] == document["margin"]
