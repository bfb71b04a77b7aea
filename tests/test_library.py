"""The library as it is used from Python: what is documented, and what a user would try."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest
from conftest import EXAMPLES

import litstool
from litstool import library
from litstool.errors import IllegalError, LitstoolError, NotationError
from litstool.lits import solver as lits_solver
from litstool.mijnlieff import solver as mijnlieff_solver

GAME = EXAMPLES / "game-with-swap.yaml"
MIJNLIEFF = EXAMPLES / "mijnlieff" / "two-passes.yaml"


def test_the_examples_of_the_documentation() -> None:
    for module in (litstool, library):
        done = doctest.testmod(module)
        assert done.attempted > 5 and done.failed == 0


def test_every_function_has_an_example() -> None:
    for name in litstool.__all__:
        value = getattr(litstool, name)
        if inspect.isfunction(value) and value.__module__ == library.__name__:
            assert f"litstool.{name}(" in (value.__doc__ or ""), name


def test_a_file_is_given_as_text_or_as_a_path() -> None:
    assert litstool.load(GAME) == litstool.load(str(GAME))
    assert litstool.load(Path("boxes")) == litstool.load("boxes")


def test_a_game_is_solved_like_its_position() -> None:
    for path in (EXAMPLES / "endgame-3.yaml", MIJNLIEFF):
        game = litstool.load(path)
        one, other = litstool.solve(game), litstool.solve(game.position())
        assert (one.winner, one.margin, one.best) == (other.winner, other.margin, other.best)
    with pytest.raises(IllegalError):
        litstool.solve(litstool.load(EXAMPLES / "illegal" / "2x2.txt"))


def test_the_options_of_solve_are_those_of_both_solvers() -> None:
    def options(function: object) -> dict[str, object]:
        given = list(inspect.signature(function).parameters.values())  # type: ignore[arg-type]
        return {each.name: each.default for each in given[1:]}

    asked = options(litstool.solve)
    assert asked == options(lits_solver.solve) == options(mijnlieff_solver.solve)
    with pytest.raises(TypeError):
        litstool.solve(litstool.load("4/4/4/4"), objektive="score")  # type: ignore[call-arg]


@pytest.mark.parametrize("path", [GAME, MIJNLIEFF], ids=lambda path: path.stem)
def test_moves_are_played_as_text(path: Path) -> None:
    game = litstool.load(path)
    position = game.position(0)
    for ply, move in enumerate(game.moves, 1):
        text = move if isinstance(move, str) else move.notation
        position = position.play(text.upper() if path == MIJNLIEFF else text)
        assert position == game.position(ply)
    assert position == game.position()


def test_text_that_is_no_move_or_no_legal_one() -> None:
    for name, illegal in (("boxes", "swap"), ("mijnlieff 4/4/4/4", "straight@b2")):
        position = litstool.load(name).position()
        with pytest.raises(NotationError, match="is not a move"):
            position.play("nonsense")
        with pytest.raises(IllegalError):
            position.play(illegal)
    with pytest.raises(LitstoolError, match="out of range"):
        litstool.load(GAME).position(99)


@pytest.mark.parametrize("path", [GAME, MIJNLIEFF], ids=lambda path: path.stem)
def test_what_python_shows_of_a_value_is_read_again(path: Path) -> None:
    game = litstool.load(path)
    assert "\n" not in repr(game)
    assert litstool.parse(repr(game)) == game
    for ply in range(len(game.moves) + 1):
        position = game.position(ply)
        assert "\n" not in repr(position)
        again = litstool.parse(repr(position)).position()
        assert again.to_move == position.to_move
        assert set(again.moves()) == set(position.moves())
        assert getattr(again, "can_swap", None) == getattr(position, "can_swap", None)


@pytest.mark.parametrize("path", sorted((EXAMPLES / "illegal").iterdir()), ids=lambda p: p.stem)
def test_what_is_illegal_is_shown_too(path: Path) -> None:
    game = litstool.load(path)
    again = litstool.parse(repr(game))
    assert again.violations() == game.violations()
