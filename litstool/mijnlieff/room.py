"""Mijnlieff, as the rest of the house knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from litstool.game import Drawing, Engine, Listing, Notation, Puzzles, Room, Solver
from litstool.mijnlieff.forms import FORMS
from litstool.toolbox import Toolbox

if TYPE_CHECKING:
    from litstool.mijnlieff.game import Game
    from litstool.mijnlieff.position import Position
    from litstool.search.asking import Questions


def _notation() -> Notation[Game]:
    from litstool.mijnlieff import notation

    return notation


def _drawing() -> Drawing[Game]:
    from litstool.mijnlieff import drawing

    return drawing


def _listing() -> Listing[Position]:
    from litstool.mijnlieff import listing

    return listing


def _solver() -> Solver[Position]:
    from litstool.mijnlieff import solver

    return solver


def _puzzles() -> Puzzles[Game, Position]:
    from litstool.mijnlieff import puzzles

    return puzzles


def _engine() -> Engine[Position]:
    from litstool.mijnlieff import engine

    return engine


def _questions() -> Questions[Position, Any, Any, Any]:
    from litstool.mijnlieff.reach import QUESTIONS

    return QUESTIONS


def _record_of(position: Position) -> Game:
    from litstool.mijnlieff.game import Game

    return Game.of_position(position)


def _toolbox() -> Toolbox:
    from litstool.mijnlieff import toolbox

    return toolbox.TOOLBOX


GAME: Room[Game, Position] = Room(
    name="mijnlieff",
    title="Mijnlieff",
    sides=("Light", "Dark"),
    kinds=("straight", "diagonal", "pusher", "puller"),
    forms=FORMS,
    notation=_notation,
    drawing=_drawing,
    listing=_listing,
    solver=_solver,
    puzzles=_puzzles,
    engine=_engine,
    questions=_questions,
    record_of=_record_of,
    typed={"MOVE": "play it: straight@b3, diagonal@a1 ... or short: S@b3, D@a1, P@c2, L@d4"},
    toolbox=_toolbox,
)
