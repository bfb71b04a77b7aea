"""What the page is told of each game: all of it data, from the seam."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import Any

from litstool import games
from litstool.game import AnyRoom
from litstool.tasks.play import LEVELS
from litstool.toolbox import Toolbox


def names() -> list[str]:
    """The games by name."""
    return [game.name for game in games.GAMES]


@cache
def tools(name: str) -> Toolbox:
    """The tools of a game."""
    return games.named(name).toolbox()


@cache
def boards(name: str) -> dict[str, str]:
    """The boards to begin on by name, each a text that can be read."""
    found = {each: each for each in games.named(name).boards()}
    return found | dict(tools(name).boards or {})


def notations(game: AnyRoom) -> tuple[str, ...]:
    """What a position of a game can be written as."""
    return (*games.NOTATIONS, *game.notations)


def about(game: AnyRoom) -> dict[str, Any]:
    """What the page is told of a game."""
    toolbox = tools(game.name)
    return {
        "game": game.name,
        "title": game.title,
        "sides": game.sides,
        "kinds": [asdict(each) for each in toolbox.kinds],
        "letters": [asdict(each) for each in toolbox.letters],
        "keys": [asdict(each) for each in toolbox.keys],
        "asked": [asdict(each) for each in toolbox.asked],
        "conditions": [asdict(each) for each in toolbox.conditions],
        "recipe": [asdict(each) for each in toolbox.recipe],
        "heats": dict(game.drawing().HEATS),
        "notations": notations(game),
        "least_side": toolbox.least_side,
        "most_side": toolbox.most_side,
        "boards": boards(game.name),
        "levels": LEVELS,
    }
