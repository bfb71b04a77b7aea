"""Nothing but a game's own rooms and the list of games tells the games apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from conftest import ROOT

PACKAGE = ROOT / "litstool"
OWN = {"lits", "mijnlieff"}
"""The games' rooms, on whatever floor."""

NAMES = OWN | {"battle-of-lits", "LITS", "MIJNLIEFF"}
EXPECTED = {
    ("__init__.py", "LITS"),
    ("__init__.py", "MIJNLIEFF"),
    ("cli/main.py", "lits"),  # the folder of its own commands
}


def names_of_games(path: Path) -> Iterator[str]:
    """The texts and names of a module that are just a game's."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for name in (getattr(node, "value", None), getattr(node, "attr", None)):
            if isinstance(name, str) and name in NAMES:
                yield name


def test_only_a_games_rooms_and_the_list_name_it() -> None:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE)
        if not OWN & set(place.parts) and place.name != "games.py":
            found |= {(place.as_posix(), name) for name in names_of_games(path)}
    assert found <= EXPECTED
