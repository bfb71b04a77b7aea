"""The documentation says what is true: every block that it shows is run or read here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from examples_run import ROOT, Page, answers, blocks, check_options, commands

DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "commands")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(DOCS).as_posix())
def test_what_a_page_shows_is_what_happens(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    Page(path, tmp_path).run()


def test_pages_have_only_blocks_that_are_checked() -> None:
    known = {"", "console", "python", "sh", "yaml", "json", "text"}
    for path in PAGES:
        for block in blocks(path.read_text(encoding="utf-8")):
            assert block.language in known, f"{path}: {block.language}"


def test_a_wrong_answer_is_found() -> None:
    shown = "O wins\n...\n12 nodes, 0.1 s\n"
    assert answers(shown, "O wins\nby 3\n\n9,999 nodes, 2.5 s\n")
    assert not answers(shown, "X wins\nby 3\n\n9,999 nodes, 2.5 s\n")
    assert not answers(shown, "O wins\nby 3\n")
    assert list(commands("$ one \\\n> two\nthree\n$ four\n")) == [
        ("one \\\ntwo", "three\n"),
        ("four", ""),
    ]


def test_a_wrong_option_is_found() -> None:
    check_options("litstool pattern new --seed 3  # a board")
    check_options("cat games/* | litstool solve - --jsonl | jq -r '.best'")
    for wrong in ("litstool pattern now", "echo boxes | litstool solve --fast - > answer"):
        with pytest.raises(Exception, match=r"fast|now"):
            check_options(wrong)


def test_the_readmes_links_go_somewhere() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", readme):
        assert (ROOT / target).exists(), target
