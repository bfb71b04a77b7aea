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
