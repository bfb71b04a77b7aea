"""The map of the code is whole, and only a game's own rooms and the list tell games apart."""

from __future__ import annotations

import ast
import re
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


def names_in(text: str) -> list[str]:
    """The modules that a part of the map lists before what it says of them; none in plain words."""
    found = []
    for part in text.replace("(", ",").replace(")", "").split(";"):
        words = [word.strip() for word in part.partition(":")[0].split(",")]
        if all(re.fullmatch(r"[a-z][a-z0-9_]*", word) for word in words):
            found += words
    return found


def modules_of_the_map() -> list[str]:
    """The path of each module in the map, without its ending, by the room that it stands under.

    Parts of a line are two spaces apart.  One that ends with "/" is a room, which has what begins
    further right on its line and the lines below; a second floor on one line has the right half.
    What follows a part that names modules says what they are.
    """
    page = (ROOT / "docs" / "contributing" / "map.md").read_text(encoding="utf-8")
    (code_map,) = re.findall(r"```text\n(cli/.*?)```", page, re.DOTALL)
    found: list[str] = []
    rooms: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    middle = 10_000
    for line in code_map.splitlines():
        parts = [(part.start(), part[0]) for part in re.finditer(r"\S+(?: \S+)*", line)]
        if parts[0][0] == 0:
            rooms = ([], [])
            floors = [column for column, text in parts if text.endswith("/")]
            middle = floors[1] if len(floors) > 1 else 10_000
        named_in = [False, False]
        for column, text in parts:
            half = column >= middle
            around = rooms[half]
            while around and around[-1][0] >= column:
                around.pop()
            folder = around[-1][1] if around else ""
            if text.endswith("/"):
                around.append((column, folder + text))
                continue
            names = [] if named_in[half] else names_in(text)
            named_in[half] = bool(names)
            found += [folder + name for name in names]
    return found


def test_the_map_is_of_the_modules_that_there_are() -> None:
    """Each module has its place in the map under its own room, and the map has no others."""
    modules = {
        path.relative_to(PACKAGE).with_suffix("").as_posix()
        for path in PACKAGE.rglob("*.py")
        if not path.stem.startswith("__")
    }
    named = modules_of_the_map()
    assert len(named) == len(set(named)), "a module is in the map twice"
    strange = sorted(set(named) - modules)
    assert not strange, f"in the map, but not there: {strange}"
    # The map says of the commands that each is a file.
    missing = sorted(name for name in modules - set(named) if not re.fullmatch("cli/[^/]+", name))
    assert not missing, f"not in docs/contributing/map.md: {missing}"
