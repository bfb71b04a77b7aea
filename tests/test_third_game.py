"""A game that lives here is served by every command, with no file of the tool changed."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
import third_game
from conftest import Run

import litstool
from litstool import games

LINE = "rows-of-three AB1/BA1/1A1 B"
DOCUMENT = """
game: rows-of-three
board: "...\\n...\\n#..\\n"
moves: [b2, a1, b1, c1, b3]
players: {first: Ada, second: Bela}
"""


@pytest.fixture(autouse=True)
def third(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "GAMES", [*games.GAMES, third_game.GAME])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def test_it_is_shown(run: Run, game: Path) -> None:
    shown = run("show", LINE)
    assert shown.status == 0 and "Score      A 0, B 0: level" in shown.out
    document = run("show", game, "--json").json
    assert document["game"] == "rows-of-three" and document["scores"] == {"A": 1, "B": 0}
    assert document["to_move"] == "B" and document["moves"][-1] == "b3"
    assert "Players    A: Ada, B: Bela" in run("show", game).out
    assert run("show", LINE, "--heat", "gain").status == 2


def test_it_is_judged(run: Run, tmp_path: Path) -> None:
    assert run("validate", LINE).status == 0
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(DOCUMENT.replace("b3]", "b1]"), encoding="utf-8")
    found = run("validate", wrong, "--json")
    assert found.status == 1
    (fault,) = found.json["results"][0]["violations"]
    assert (fault["rule"], fault["cells"], fault["move"]) == ("occupied", ["b1"], 5)


def test_its_moves_are_listed(run: Run, game: Path) -> None:
    found = run("moves", game, "--ply", 4, "--sort", "gain").out.splitlines()
    assert found[0] == "+1  b3" and found[-1] == "4 moves for A"
    assert run("moves", LINE, "--covers", "c3").out.startswith(" 0  c3")


def test_it_is_solved_and_analysed(run: Run) -> None:
    solved = run("solve", LINE, "--all", "--json").json
    values = {each["move"]: each["margin"] for each in solved["moves"]}
    assert set(values) == {"c1", "c2", "a3", "c3"}
    assert solved["margin"] == min(values.values()) and solved["best"][0] in values
    told = run("solve", LINE).out
    assert told.startswith("A draw") or " wins by " in told.splitlines()[0]
    assert f"Best move: {solved['best'][0]}" in run("analyze", LINE).out
    assert litstool.solve(litstool.load(LINE)).margin == solved["margin"]


@pytest.mark.parametrize("target", ["text", "line", "yaml", "json"])
def test_it_is_converted_and_read_again(run: Run, game: Path, tmp_path: Path, target: str) -> None:
    made = run("convert", game, "--to", target)
    assert made.status == 0
    again = tmp_path / "again"
    again.write_text(made.out, encoding="utf-8")
    ends = [run("show", path, "--json").json["scores"] for path in (game, again)]
    assert ends[0] == ends[1]
    assert "of Battle of LITS only" in run("convert", game, "--to", "ltp").err


def test_it_is_drawn(run: Run, game: Path, tmp_path: Path) -> None:
    for name in ("board.svg", "game.html"):
        assert run("show", game, "-o", tmp_path / name).status == 0
    texts = [each.text for each in ElementTree.parse(tmp_path / "board.svg").iter()]
    assert any("a1 at the top left" in (text or "") for text in texts)
    assert "Bela" in (tmp_path / "game.html").read_text(encoding="utf-8")


def test_it_is_played(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "played.yaml"
    words = ("play", LINE, "--save", saved, "--engine")
    two = run(*words, "none", stdin=b"c1\nc2\na3\nc3\n")
    assert two.status == 0 and two.err.count("to move>") == 4 and "Draw" in two.out.title()
    assert run("show", saved, "--json").json["moves"] == ["c1", "c2", "a3", "c3"]
    both = run("play", LINE, "--engine", "both", "--json", "--save", tmp_path / "other.yaml")
    assert both.status == 0
    assert len(run("show", tmp_path / "other.yaml", "--json").json["moves"]) == 4


def test_several_stand_in_one_text(run: Run) -> None:
    found = run("validate", "-", "--json", stdin=f"{LINE}\n{LINE}\nmijnlieff 4/4/4/4\n".encode())
    assert [each["legal"] for each in found.json["results"]] == [True] * 3


def test_what_it_does_not_have_is_said(run: Run) -> None:
    assert "Rows of three" in run("reach", LINE, "--finished").err
    assert "Rows of three" in run("solve", LINE, "--all", "--results", "x.jsonl").err
