"""Puzzles of Mijnlieff: one move wins or saves the draw, and points alone do not find it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import yaml
from conftest import EXAMPLES, Run

import litstool
from litstool import games
from litstool.draw.page import SheetBoard, sheet_legend
from litstool.draw.picture import Picture
from litstool.game import DRAW, text_of
from litstool.mijnlieff import listing
from litstool.mijnlieff import puzzles as mijnlieff
from litstool.mijnlieff.position import Position
from litstool.say.position import snapshot_of
from litstool.tasks import puzzles
from litstool.tasks.puzzle_check import check

PUZZLES = sorted((EXAMPLES / "puzzles" / "mijnlieff").glob("*.yaml"))
SHORT = [path for path in PUZZLES if "in 3 plies" in path.read_text(encoding="utf-8")]
SAVED = next(path for path in PUZZLES if "winner: draw" in path.read_text(encoding="utf-8"))


def gains_of(position: Position) -> dict[str, int]:
    return {each.move: each.gain for each in listing.moves(position, None, ())}


def best_result(position: Position) -> str:
    """Who wins under best play, by trying everything; draw for nobody."""
    if position.is_finished:
        return str(position.winner)
    side = position.to_move
    found = {best_result(position.placed(move)) for move in position.moves()}
    return side if side in found else DRAW if DRAW in found else found.pop()


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_the_solutions_are_those_found_by_trying_everything(path: Path) -> None:
    puzzle = puzzles.load(str(path))[1]
    position = litstool.load(path).position()
    gains = gains_of(position)
    keeping = [text for text in gains if best_result(position.play(text)) in (puzzle.claim.winner,)]
    assert best_result(position) == puzzle.claim.winner
    assert tuple(keeping) == puzzle.claim.solution
    assert max(gains[text] for text in keeping) < max(gains.values())


def test_the_ways_are_the_games_of_so_many_moves() -> None:
    position = litstool.load(SAVED).position()
    after = [position.play(text) for text in gains_of(position)]
    assert mijnlieff.ways(position, 1) == len(after)
    assert mijnlieff.ways(position, 2) == sum(len(list(each.moves())) for each in after)
    while not position.is_finished:
        position = position.play(next(iter(gains_of(position))))
    assert mijnlieff.ways(position, 0) == 1 and mijnlieff.ways(position, 1) == 0


def test_gains_are_the_points_that_moves_make() -> None:
    boards, seen = mijnlieff.boards(), set()
    for seed, board in ((2, "square"), (4, "square"), (1, "arrangement 5")):
        for position in mijnlieff.played(boards[board], Random(seed)).replay():
            gains = gains_of(position)
            assert list(gains) == [text_of(move) for move in position.moves()]
            for move in position.moves():
                after = position.placed(move)
                made = after.score(position.to_move) - position.score(position.to_move)
                assert gains[text_of(move)] == made
                seen.add(made)
    assert seen >= {0, 1, 2}


def test_one_is_made_on_any_board_and_found_sound(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.yaml"
    words = ("puzzle", "new", "--board", "mijnlieff/board-l", "--plies", 3, "--seed", 2)
    assert run(*words, "-o", path).status == 0
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert document["game"] == "mijnlieff" and document["puzzle"]["plies"] == 3
    answer = run("solve", path, "--all", "--json").json
    best = [each["move"] for each in answer["moves"] if each["winner"] == answer["winner"]]
    assert best == document["puzzle"]["solution"] and len(best) == 1
    assert "sound" in run("puzzle", "check", path).out


def test_boards_take_turns_and_so_do_sides() -> None:
    boards = mijnlieff.boards()
    assert len(boards) == 60 and next(iter(boards)) == "square"
    assert len({board.board for board in boards.values()}) == 60


def test_a_draw_to_save_is_told(run: Run, tmp_path: Path) -> None:
    puzzle = puzzles.load(str(SAVED))[1]
    side = puzzle.position.to_move
    shown = run("puzzle", "show", SAVED).out
    assert f"{side} to move. Find the move that saves the draw" in shown
    assert f"{side} saves the draw in" in run("puzzle", "check", SAVED).out
    solution = run("puzzle", "show", SAVED, "--solution").out
    assert f"Solution: {puzzle.claim.solution[0]}" in solution and "and fails: " in solution
    sheet = tmp_path / "sheet.html"
    assert run("puzzle", "show", SAVED, "-o", sheet).status == 0
    text = sheet.read_text(encoding="utf-8")
    assert "saves the draw" in text and puzzle.claim.solution[0] not in text


def test_the_foot_of_a_sheet_keeps_to_its_page_and_its_font(run: Run, tmp_path: Path) -> None:
    """The legend of several boards is long, and has marks that are no letters."""
    path = tmp_path / "sheet.pdf"
    outcome = run("puzzle", "show", EXAMPLES / "puzzles" / "mijnlieff", "-o", path)
    assert outcome.status == 0 and outcome.err == f"{path}: 30 boards\n"
    loaded = [SheetBoard(Picture.of(snapshot_of(litstool.load(each), [])), "") for each in PUZZLES]
    legend = sheet_legend(loaded)
    assert "ring Light may place" in legend and "grey a gap" in legend and "Aa" not in legend


def test_a_win_claimed_where_there_is_a_draw_is_found(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.yaml"
    document = yaml.safe_load(SAVED.read_text(encoding="utf-8"))
    side = puzzles.load(str(SAVED))[1].position.to_move
    document["puzzle"]["winner"] = side
    path.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")
    outcome = run("puzzle", "check", path)
    assert outcome.status == 1
    assert f"winner is {side}, but {side} is to move and saves a draw" in outcome.out


def test_what_does_not_go_together_is_told(run: Run) -> None:
    for words, told in (
        (("--game", "mijnleif"), "did you mean 'mijnlieff'?"),
        (("--game", "mijnlieff", "--board", "boxes"), "exclude each other"),
        (("--from", SAVED, "--from", EXAMPLES / "boxes.yaml"), "games of one kind"),
    ):
        outcome = run("puzzle", "new", *words)
        assert outcome.status == 2 and told in outcome.err and outcome.err.count("\n") == 1


def test_a_puzzle_is_lost_on_the_way_to_text_and_said_so(run: Run) -> None:
    assert "what the puzzle claims" in run("convert", SAVED, "--to", "line").err


def test_the_examples_are_a_graded_and_varied_set_of_thirty() -> None:
    loaded = [puzzles.load(str(path))[1] for path in PUZZLES]
    assert len(loaded) == len({puzzle.position for puzzle in loaded}) == 30
    assert {puzzle.claim.plies for puzzle in loaded} == set(range(3, 10))
    assert {puzzle.claim.winner for puzzle in loaded} == {"Light", "Dark", DRAW}
    assert {puzzle.position.to_move for puzzle in loaded} == {"Light", "Dark"}
    assert len({puzzle.record.board for puzzle in loaded}) > 10
    assert {puzzle.claim.grade for puzzle in loaded} == set(puzzles.GRADES)
    for puzzle in loaded:
        measures = puzzles.Measures(**puzzle.claim.measures)
        assert measures.grade(mijnlieff) == puzzle.claim.grade


@pytest.mark.slow
@pytest.mark.parametrize("path", PUZZLES, ids=lambda path: path.stem)
def test_each_example_is_sound(path: Path) -> None:
    assert check(puzzles.load(str(path))[1]) == []


def test_a_name_is_of_one_board_everywhere() -> None:
    """Puzzles name the boards that the page in the browser offers."""
    offered = games.named("mijnlieff").toolbox().boards
    assert offered is not None and len(offered) == 60
    for name, record in mijnlieff.boards().items():
        assert litstool.parse(offered[name]).board == record.board, name
