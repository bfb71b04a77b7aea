"""Battle of LITS, as the rest of the house knows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litstool.files.reading import data_folder
from litstool.game import Drawing, Engine, Listing, Notation, Puzzles, Room, Solver, SpreadSolver
from litstool.lits.forms import FORMS
from litstool.toolbox import Toolbox

if TYPE_CHECKING:
    from litstool.files.reading import Source
    from litstool.lits.game import Game
    from litstool.lits.position import Position
    from litstool.search.asking import Questions


def _boards() -> Mapping[str, Path]:
    return {path.stem: path for path in sorted(data_folder("patterns").glob("*.txt"))}


def _notation() -> Notation[Game]:
    from litstool.lits import notation

    return notation


def _drawing() -> Drawing[Game]:
    from litstool.lits import drawing

    return drawing


def _listing() -> Listing[Position]:
    from litstool.lits import listing

    return listing


def _solver() -> Solver[Position]:
    from litstool.lits import solver

    return solver


def _spread_solver() -> SpreadSolver[Position]:
    from litstool.lits import cluster

    return cluster


def _puzzles() -> Puzzles[Game, Position]:
    from litstool.lits import puzzles

    return puzzles


def _engine() -> Engine[Position]:
    from litstool.lits import engine

    return engine


def _split(source: Source) -> list[Source]:
    from litstool.lits import notation

    return notation.split_text_of_many(source)


def _questions() -> Questions[Position, Any, Any, Any]:
    from litstool.lits.reach import QUESTIONS

    return QUESTIONS


def _record_of(position: Position) -> Game:
    from litstool.lits.game import Game

    return Game.of_position(position)


def _engine_line(game: Game) -> str:
    from litstool.lits import notation

    return notation.write_engine_line(game)


def _advice(position: Position) -> str | None:
    from litstool.lits import book

    return book.advice(position)


def _toolbox() -> Toolbox:
    from litstool.lits import toolbox

    return toolbox.TOOLBOX


GAME: Room[Game, Position] = Room(
    name="battle-of-lits",
    title="Battle of LITS",
    sides=("X", "O"),
    kinds=("L", "I", "T", "S"),
    forms=FORMS,
    notation=_notation,
    drawing=_drawing,
    listing=_listing,
    solver=_solver,
    spread_solver=_spread_solver,
    puzzles=_puzzles,
    engine=_engine,
    questions=_questions,
    record_of=_record_of,
    boards=_boards,
    split=_split,
    notations={"ltp": _engine_line},
    typed={
        "MOVE": "play it: L:a1,b1,c1,a2 or L a1 b1 c1 a2, or its four cells a1 b1 c1 a2",
        "swap": "the pie rule: take over X and the first piece instead of moving",
    },
    advice=_advice,
    toolbox=_toolbox,
)
