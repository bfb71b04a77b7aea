"""The README and the help texts say what is true: what they show is run here."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from examples_run import ROOT, Page, blocks

from litstool.cli.main import COMMANDS, cli, main

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_opens_with_exactly_two_commands() -> None:
    install, test = [block.text for block in blocks(README, "sh")[:2]]
    assert "litstool solve examples/" in install
    # So that every later command works as it is written.
    assert ". .venv/bin/activate && " in install
    assert test.strip() in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_what_it_shows_is_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    Page(ROOT / "README.md", tmp_path).run()


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
