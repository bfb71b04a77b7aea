"""Examples are found by name anywhere, listed and copied."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import EXAMPLES, Run


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "name",
    ["endgame-5", "endgame-5.yaml", "examples/endgame-5", "examples/endgame-5.yaml"],
)
def test_an_example_is_found_by_name(run: Run, name: str) -> None:
    assert run("show", name).out == run("show", EXAMPLES / "endgame-5.yaml").out
    assert run("moves", name, "--count").status == 0


def test_every_way_to_give_a_position_knows_them(run: Run) -> None:
    assert run("puzzle", "show", "puzzles/puzzle-01").status == 0
    assert run("validate", "mijnlieff/square").out.startswith("mijnlieff/square: legal")
    assert run("validate", "examples/illegal").out.count("not legal") == 11


def test_a_file_and_a_board_go_before_an_example(run: Run, elsewhere: Path) -> None:
    (elsewhere / "endgame-5").write_text("4/4/4/4", encoding="utf-8")
    assert run("moves", "endgame-5", "--count").out == "104\n"
    assert run("validate", "boxes").out == "boxes: legal, 0 pieces, X to move\n"


def test_only_examples_are_found(run: Run) -> None:
    for name in ("../patterns/boxes", "examples", "examples/..", "mijnlieff", "no-example", "/"):
        outcome = run("validate", name)
        assert outcome.status == 2, name
    assert "did you mean 'endgame-5'" in run("show", "endgame5").err


def test_the_list_says_what_each_is(run: Run) -> None:
    listed = {each["name"]: each["about"] for each in run("examples", "--json").json["examples"]}
    assert len(listed) > 80 and all(listed.values())
    assert listed["endgame-5"] == "Diagonals: O to move wins in 5 plies"
    lines = run("examples").out.splitlines()
    assert [line.split()[0] for line in lines] == list(listed)
    for name in list(listed)[::9]:
        assert run("validate", name).status == ("illegal" in name), name


def test_copies_are_whole_and_write_over_nothing(run: Run, elsewhere: Path) -> None:
    made = run("examples", "endgame-5", "puzzles", "-o", "mine", "--json")
    assert made.status == 0 and len(made.json["written"]) > 50
    copy = elsewhere / "mine" / "endgame-5.yaml"
    assert copy.read_bytes() == (EXAMPLES / "endgame-5.yaml").read_bytes()
    copy.write_text("changed", encoding="utf-8")
    again = run("examples", "endgame-3", "endgame-5", "-o", "mine")
    assert again.status == 2 and "mine/endgame-5.yaml is there already" in again.err
    assert copy.read_text(encoding="utf-8") == "changed"
    assert not (elsewhere / "mine" / "endgame-3.yaml").exists()
    assert run("examples", "endgame-3").err == "wrote endgame-3.yaml\n"


def test_no_such_example(run: Run) -> None:
    assert "did you mean 'endgame-5'" in run("examples", "endgame-55").err
    outcome = run("examples", "nothing")
    assert outcome.status == 2 and outcome.err.count("\n") == 1
