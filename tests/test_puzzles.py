"""Puzzles: made ones are sound, the examples are what they say, and what is wrong is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from conftest import EXAMPLES, Run

import litstool
from litstool.lits import puzzles as lits_puzzles
from litstool.lits.game import Game
from litstool.lits.notation import pattern_named
from litstool.tasks import puzzles
from litstool.tasks.puzzle_check import check
from litstool.tasks.puzzle_making import Wanted, made

PUZZLES = sorted((EXAMPLES / "puzzles").glob("*.yaml"))
SHORT = [path for path in PUZZLES if "in 3 plies" in path.read_text(encoding="utf-8")]


def shortest(run: Run, path: Path) -> dict:
    """A made puzzle's document, written to a file."""
    status = run("puzzle", "new", "--plies", 3, "--seed", 11, "--board", "boxes", "-o", path).status
    assert status == 0
    return yaml.safe_load(path.read_text(encoding="utf-8"))


# Making


@pytest.mark.parametrize(("plies", "winning"), [(3, "one"), (4, "one"), (4, "two")])
def test_a_made_puzzle_is_one_by_an_independent_count(
    run: Run, tmp_path: Path, plies: int, winning: str
) -> None:
    path = tmp_path / "puzzle.yaml"
    outcome = run("puzzle", "new", "--plies", plies, "--moves", winning, "--seed", 3, "-o", path)
    assert outcome.status == 0
    document = yaml.safe_load(path.read_text(encoding="utf-8"))["puzzle"]
    answer = run("solve", path, "--all", "--json").json
    wins = [each["move"] for each in answer["moves"] if each["winner"] == answer["to_move"]]
    assert len(wins) == {"one": 1, "two": 2}[winning]
    assert sorted(wins) == sorted(document["solution"])
    assert answer["margin"] == document["margin"] and answer["winner"] == document["winner"]
    gains = {each["move"]: each["gain"] for each in run("moves", path, "--json").json["moves"]}
    assert all(gains[move] < max(gains.values()) for move in wins)
    assert document["measures"]["better"] == sum(
        gain > max(gains[move] for move in wins) for gain in gains.values()
    )
    assert len(document["lines"][0].split()) == document["plies"] == plies
    assert run("puzzle", "check", path).status == 0


def test_the_same_seed_makes_the_same_puzzle(run: Run) -> None:
    first = run("puzzle", "new", "--plies", 3, "--seed", 5)
    assert first.status == 0 and "puzzle:" in first.out
    assert run("puzzle", "new", "--plies", 3, "--seed", 5).out == first.out
    assert run("puzzle", "new", "--plies", 3, "--seed", 6).out != first.out


def test_a_set_is_varied_and_goes_on_where_it_stopped(run: Run, tmp_path: Path) -> None:
    options = ("puzzle", "new", "--plies", "2-3", "-n", 5, "--seed", 2, "-o", tmp_path)
    assert run(*options).status == 0
    made = {path: path.read_text(encoding="utf-8") for path in sorted(tmp_path.glob("*.yaml"))}
    documents = [yaml.safe_load(text) for text in made.values()]
    assert [each["puzzle"]["plies"] for each in documents] == [2, 2, 2, 3, 3]
    assert {each["puzzle"]["winner"] for each in documents} == {"X", "O"}
    assert len({each["pattern"] for each in documents}) == 4
    path = next(iter(made))
    path.unlink()
    assert run(*options).status == 0
    assert path.read_text(encoding="utf-8") == made[path]


def test_positions_of_a_given_game(run: Run, tmp_path: Path) -> None:
    """A game that goes through a puzzle has it; one that ends long before has none."""
    document = shortest(run, tmp_path / "puzzle.yaml")
    claim = document.pop("puzzle")
    whole = [*document["moves"], *claim["lines"][0].split()]
    game = tmp_path / "game.yaml"
    game.write_text(yaml.safe_dump({**document, "moves": whole}), encoding="utf-8")
    found = run("puzzle", "new", "--plies", 3, "--from", game, "--json")
    assert found.status == 0
    (made,) = found.json["puzzles"]
    assert made["moves"] == document["moves"]
    assert made["puzzle"]["solution"] == claim["solution"]
    game.write_text(yaml.safe_dump({**document, "moves": whole[:2]}), encoding="utf-8")
    none = run("puzzle", "new", "--plies", 9, "--from", game)
    assert none.status == 1 and "have no such position; try" in none.err


def test_a_board_of_ones_own_and_a_grade(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "own.yaml"
    rows = ["XO.XO.XO", "OX.OX.OX"] * 4
    board.write_text(
        yaml.safe_dump({"pattern": "\n".join(rows), "supply": {"L": 3, "I": 1}}), encoding="utf-8"
    )
    words = ("puzzle", "new", "--plies", 3, "--board", board, "--seed", 2)
    made = run(*words, "--grade", "medium", "-o", tmp_path / "made.yaml")
    assert made.status == 0 and "medium" in made.err
    document = yaml.safe_load((tmp_path / "made.yaml").read_text(encoding="utf-8"))
    assert document["pattern"].split() == rows and document["supply"]["L"] == 3
    assert run("puzzle", "check", tmp_path / "made.yaml").status == 0
    none = run(*words, "--grade", "very hard", "--time-limit", 0.3)
    assert none.status == 3 and "try other --plies" in none.err
    assert run("puzzle", "new", "--grade", "hrd").err.endswith("did you mean 'hard'?\n")
    assert "wants an empty board" in run("puzzle", "new", "--board", PUZZLES[0]).err
    assert run("puzzle", "new", "--board", "boxes", "--from", PUZZLES[0]).status == 2
    assert run("puzzle", "new", "--moves", "0" * 5000 + "1").status == 2


def test_a_board_too_small_for_a_puzzle_is_given_up(run: Run) -> None:
    found = run("puzzle", "new", "--board", "2XO/4/4/XO2", "--plies", 9, "--time-limit", 0.5)
    assert found.status == 3 and "no such puzzle among 0 positions in the time" in found.err


def test_the_greedy_move_fails_by_play(run: Run) -> None:
    for path in SHORT[:3]:
        position = puzzles.load(str(path))[1].position
        found = puzzles.Examiner(litstool.load(str(path))).refutation_of_greed(
            position, position.to_move
        )
        assert found is not None and found.winner != position.to_move
        move = litstool.parse_move(found.move)
        assert position.gain(move) == found.gain == max(map(position.gain, position.moves()))
        end = position.play(move)
        for text in found.line:
            end = end.play(litstool.parse_move(text))
        assert end.is_finished and (end.winner, end.margin) == (found.winner, found.margin)
        told = run("puzzle", "show", path, "--solution").out
        assert f"The greedy move {found.move} brings" in told and "and fails: " in told


def test_a_sheet_has_a_title_and_an_author(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    words = ("--per-page", 4, "--title", "For <Sunday>", "--author", "Ada", "-o", path)
    assert run("puzzle", "show", EXAMPLES / "puzzles", *words).status == 0
    text = path.read_text(encoding="utf-8")
    assert "For &lt;Sunday&gt;" in text and "Ada" in text and "Page 13 of 13" in text
    assert "no piece can cover this cell" not in text
    assert run("puzzle", "show", PUZZLES[0], "--title", "x").status == 2


def test_a_solution_that_takes_too_long_is_undecided(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("litstool.tasks.puzzles.SHOW_SECONDS", 0.2)
    assert run("puzzle", "show", "boxes", "--solution").status == 3


def test_without_a_greedy_solution() -> None:
    puzzle = made(Game(pattern_named("stripes")), Wanted(3, side="O"), 1)
    assert puzzle.claim.winner == puzzle.position.to_move == "O"
    assert not puzzles.Examiner(puzzle.record).is_greedy(puzzle.position, puzzle.claim.solution)


# Checking


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [("winner", "swapped", "to move and wins"), ("winning", 2, "instead of 2"),
     ("margin", 40, "margin under best play"), ("plies", 9, "not 9"), ("grade", "other", "grade"),
     ("measures", {"moves": 1, "better": 1, "plies": 3, "ways": 1}, "measure"),
     ("solution", "another", "the solution is"), ("lines", "cut", "stops before the end"),
     ("lines", "one", "no answer to"), ("lines", "illegal", "not legal"),
     ("lines", "bad answer", "gives the win away")],
)  # fmt: skip
def test_each_wrong_claim_is_found(
    run: Run, tmp_path: Path, key: str, value: object, told: str
) -> None:
    path = tmp_path / "puzzle.yaml"
    document = shortest(run, path)
    claim = document["puzzle"]
    position = litstool.load(str(path)).position()
    others = [move.notation for move in position.moves() if move.notation not in claim["solution"]]
    changed = {
        "swapped": "X" if claim["winner"] == "O" else "O",
        "other": "easy" if claim["grade"] != "easy" else "hard",
        "another": others[:1],
        "cut": [claim["lines"][0].rsplit(" ", 1)[0], *claim["lines"][1:]],
        "one": claim["lines"][:1],
        "illegal": [" ".join([claim["solution"][0]] * 3), *claim["lines"][1:]],
        "bad answer": [*claim["lines"], others[0]],
    }
    claim[key] = changed.get(value, value) if isinstance(value, str) else value
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    outcome = run("puzzle", "check", path)
    assert outcome.status == 1
    assert told in outcome.out


def test_a_position_without_claims_is_checked_too(run: Run) -> None:
    assert run("puzzle", "check", EXAMPLES / "endgame-5.yaml").status == 0
    outcome = run("puzzle", "check", EXAMPLES / "endgame-5.yaml", "--moves", "two", "--json")
    assert outcome.status == 1 and not outcome.json["results"][0]["sound"]
    assert run("puzzle", "check", EXAMPLES / "shortest-9.txt").status == 1


def test_what_cannot_be_read_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.yaml"
    document = shortest(run, path)
    document["puzzle"]["colour"] = "red"
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    outcome = run("puzzle", "check", path)
    assert outcome.status == 2 and "unknown key 'colour'" in outcome.err
    assert outcome.out == "" and outcome.err.count("\n") == 1
    for words in (["--plies", "x"], ["--plies", "99"], ["--moves", "none"], ["--board", "x"],
                  ["-n", "2"]):  # fmt: skip
        assert run("puzzle", "new", *words).status == 2


# The examples


def test_the_examples_are_a_graded_and_varied_set_of_fifty() -> None:
    loaded = [puzzles.load(str(path))[1] for path in PUZZLES]
    assert len(loaded) == 50
    assert {puzzle.claim.plies for puzzle in loaded} >= set(range(3, 10))
    assert {puzzle.claim.winner for puzzle in loaded} == {"X", "O"}
    assert len({puzzle.record.pattern for puzzle in loaded}) == 4
    assert {puzzle.claim.grade for puzzle in loaded} == set(puzzles.GRADES)
    assert len({puzzle.position for puzzle in loaded}) == 50
    for puzzle in loaded:
        measures = puzzles.Measures(**puzzle.claim.measures)
        assert measures.grade(lits_puzzles) == puzzle.claim.grade


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_short_example_is_sound(path: Path) -> None:
    assert check(puzzles.load(str(path))[1]) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", PUZZLES, ids=lambda path: path.stem)
def test_each_example_is_sound(path: Path) -> None:
    assert check(puzzles.load(str(path))[1]) == []


# Showing


def test_a_puzzle_is_shown_without_its_solution_and_the_solution_with_it(run: Run) -> None:
    path = PUZZLES[0]
    solution = puzzles.load(str(path))[1].claim.solution[0]
    sheet = run("puzzle", "show", path)
    assert sheet.status == 0 and solution not in sheet.out
    assert "Find the winning move" in sheet.out
    assert solution not in str(run("puzzle", "show", path, "--json").json)
    page = run("puzzle", "show", path, "--solution")
    assert f"Solution: {solution}" in page.out


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_a_sheet_to_print(run: Run, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"sheet.{ending}"
    outcome = run("puzzle", "show", *PUZZLES[:3], "--per-page", 2, "-o", path)
    assert outcome.status == 0
    data = path.read_bytes()
    assert data.startswith(b"%PDF" if ending == "pdf" else b"<!DOCTYPE")
    if ending == "html":
        solution = puzzles.load(str(PUZZLES[0]))[1].claim.solution[0]
        assert solution.encode() not in data
        run("puzzle", "show", *PUZZLES[:3], "--solution", "-o", path)
        assert solution.encode() in path.read_bytes()
    assert run("puzzle", "show", PUZZLES[0], "-o", tmp_path / "sheet.doc").status == 2


def test_puzzles_that_are_there_are_told(run: Run, tmp_path: Path) -> None:
    words = ("puzzle", "new", "--plies", 3, "-n", 2, "--seed", 5, "-o", tmp_path / "made")
    assert run(*words).status == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()}
    again = run(*words)
    assert again.status == 0 and "2 of 2 puzzles were there already" in again.err
    assert {path.name: path.read_bytes() for path in (tmp_path / "made").iterdir()} == before
    # What is counted is read: an empty file is none, and what is none is not written over.
    first, second = sorted((tmp_path / "made").iterdir())
    first.write_bytes(b"")
    assert "1 of 2 puzzles" in run(*words).err
    assert first.read_bytes() == before[first.name]
    for other in (before[second.name][:200], b"pattern: boxes\n", b"\0"):
        second.write_bytes(other)
        told = run(*words)
        assert told.status == 2 and told.err.endswith("remove it to have it made again\n")
        assert second.name in told.err and second.read_bytes() == other


def test_the_ending_of_a_puzzle_says_its_form(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = run("puzzle", "new", "--plies", "3", "-o", "puzzle.json")
    assert made.status == 0
    json.loads((tmp_path / "puzzle.json").read_text(encoding="utf-8"))
    assert run("puzzle", "check", "puzzle.json").status == 0
    refused = run("puzzle", "new", "--plies", "3", "-o", "puzzle.txt")
    assert refused.status == 2 and "should end in .yaml, .yml or .json" in refused.err
    refused = run("puzzle", "new", "--plies", "3", "-n", "2", "-o", "puzzles.yaml")
    assert refused.status == 2 and "needs -o FOLDER" in refused.err
    assert sorted(tmp_path.iterdir()) == [tmp_path / "puzzle.json"]


def test_a_check_gives_up_in_time(run: Run) -> None:
    outcome = run("puzzle", "check", "boxes", "--time-limit", 0.2, "--json")
    assert outcome.status == 3
    assert outcome.json["results"][0]["error"]["kind"] == "undecided"


def test_a_sheet_says_what_a_solver_needs(run: Run, tmp_path: Path) -> None:
    assert run("puzzle", "show", PUZZLES[0], "-o", tmp_path / "sheet.html").status == 0
    sheet = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    position = puzzles.load(str(PUZZLES[0]))[1].position
    assert f"Score X {position.score('X')}, O {position.score('O')}" in sheet
    assert "Supply L" in sheet and "no piece can cover this cell" not in sheet
