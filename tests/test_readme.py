"""The README and the help texts say what is true: what they show is run here."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from litstool.cli.main import COMMANDS, cli, main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_it_opens_with_exactly_two_commands() -> None:
    install, test = blocks("sh")[:2]
    assert "litstool solve examples/" in install
    # So that every later command works as it is written.
    assert ". .venv/bin/activate && " in install
    assert test.strip() in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = blocks("python")
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "overlap ['d2']" in printed
    assert "moves; the greediest is" in printed


def test_the_picture_is_what_the_command_prints(monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    picture = blocks("text")[0]
    command, _, shown = picture.partition("\n")
    assert main(shlex.split(command.removeprefix("$ litstool "))) == 0
    printed = capsys.readouterr().out.rstrip()
    effort = re.compile(r"[\d,]+ nodes, [\d.]+ s")
    assert effort.sub("", printed) == effort.sub("", shown.rstrip())


def test_every_command_is_in_the_table() -> None:
    for name in COMMANDS:
        assert f"`litstool {name}" in README


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
    (code_map,) = [block for block in blocks("text") if block.startswith("cli/")]
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
    package = ROOT / "litstool"
    modules = {
        path.relative_to(package).with_suffix("").as_posix()
        for path in package.rglob("*.py")
        if not path.stem.startswith("__")
    }
    named = modules_of_the_map()
    assert len(named) == len(set(named)), "a module is in the map twice"
    strange = sorted(set(named) - modules)
    assert not strange, f"in the README's map, but not there: {strange}"
    # The map says of the commands that each is a file.
    missing = sorted(name for name in modules - set(named) if not re.fullmatch("cli/[^/]+", name))
    assert not missing, f"not in the README's map: {missing}"


@pytest.mark.parametrize("name", [name for name in COMMANDS])
def test_every_help_text_has_an_example(name: str, capsys) -> None:
    assert main([name, "--help"]) == 0
    assert f"litstool {name}" in capsys.readouterr().out


def test_alone_it_shows_where_to_begin(capsys) -> None:
    assert main([]) == 0
    assert "Begin with" in capsys.readouterr().out


def test_the_examples_of_the_first_help_text_work(monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    examples = re.findall(r"^ +litstool (.+)$", cli.help or "", re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        assert main(shlex.split(example)) == 0, example
        capsys.readouterr()
