"""Runs what a page of documentation shows, in the order in which it stands there.

What is run or checked of a fenced block depends on its language:

``console``
    Lines that begin with ``$ `` are typed in a shell, the others are what was answered, on both
    outputs together.  ``...`` alone on a line stands for any number of lines, within a line for
    any text.  Times and what depends on them are not compared: see ``_VARIES``.
``python``
    Run; a ``text`` block straight after it is what was printed.  All blocks of a page are one
    program.
``sh``
    Not run, since it installs, serves or asks a network: a command of litstool among them has to
    have the options that it is given.
``yaml`` and ``json``
    Read.  With a caption they are, like any other block with one, a file of that name, which the
    commands below may read.
no language
    A position: litstool reads it.

Commands of a page run in one folder of their own.  Run as a program, this writes the answers into
the pages that are given: ``python tests/examples_run.py docs/learn/*.md``.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import yaml

import litstool
from litstool.cli.main import cli, main

ROOT = Path(__file__).parent.parent
_FENCE = re.compile(
    r"^(?P<fence>`{3,})(?:\{code-block\} )?(?P<language>\{?[a-z-]*\}?)(?P<argument>[^\n]*)\n"
    r"(?P<body>.*?)^(?P=fence)$\n?",
    re.DOTALL | re.MULTILINE,
)
_VARIES = re.compile(
    r"[\d,]+ nodes|[\d,]+ solver calls?|[\d,]+ cuts?\b|[\d,]+ conflicts|[\d,]+ playouts"
    r"|[\d,]+ steps|[\d,.]+ s(?:econds)?\b|\"seconds\": [\d.]+"
)
_CHOSEN = re.compile(
    r"^(?: *\d+\. [XO] .*| *(?:\d+ )?[┌│├└].*|(?:Score|Supply|Finished|To move) .*)\n", re.MULTILINE
)
"""The play of ``reach``: which of several it finds depends on time."""

_FIRST_USE = re.compile(r"^compiling .*\n", re.MULTILINE)
"""What is said where the compiled code of a size of board is not there yet."""

_SHELL = re.compile(r"[|<>&;$*`]")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its name as a file, its text and its place."""

    language: str
    file: str | None
    text: str
    start: int
    end: int


def blocks(page: str, language: str | None = None) -> list[Block]:
    """The fenced blocks of a page, those of one language or all but directives."""
    found = []
    for match in _FENCE.finditer(page):
        text, file = match["body"], None
        while option := re.match(r":([a-z-]+): *(.*)\n\n?", text):
            file = option[2] if option[1] == "caption" else file
            text = text[option.end() :]
        block = Block(match["language"], file, text, match.start(), match.end())
        if language in (None, block.language) and not block.language.startswith("{"):
            found.append(block)
    return found


class Page:
    """A page whose blocks run in a folder."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.text = path.read_text(encoding="utf-8")
        self.name = path.relative_to(ROOT).as_posix()
        self._folder = folder
        self._names: dict[str, object] = {"__name__": "__main__"}
        self._status = 0

    def run(self) -> None:
        """Run and compare every block, in order.

        :raises AssertionError: something is not as the page says; the text says where.
        """
        before: Block | None = None
        printed = ""
        for block in blocks(self.text):
            place = f"{self.name}:{self.text.count(chr(10), 0, block.start) + 1}"
            if block.file is not None:
                self._write(block)
            if block.language == "console":
                for command, shown in commands(block.text):
                    if os.name == "nt" and needs_shell(command):
                        continue
                    answer = self.shell(command)
                    if command.startswith("litstool reach "):
                        shown, answer = _CHOSEN.sub("", shown), _CHOSEN.sub("", answer)
                    assert answers(shown, answer), f"{place}: $ {command}\n{answer}"
            elif block.language == "python":
                printed = self._python(block, place)
            elif block.language == "text" and before and before.language == "python":
                if not self.text[before.end : block.start].strip():
                    assert answers(block.text, printed), f"{place}: printed\n{printed}"
            elif block.language == "sh":
                for line in block.text.splitlines():
                    check_options(line)
            elif block.language == "yaml":
                assert list(yaml.safe_load_all(block.text)), place
            elif block.language == "json":
                json.loads(block.text)
            elif not block.language and block.file is None:
                litstool.parse_all(block.text)
            before = block

    def filled(self) -> str:
        """The page with what its commands answer here and now."""
        made, end = [], 0
        for block in blocks(self.text):
            if block.file is not None:
                self._write(block)
            if block.language != "console":
                continue
            start = self.text.index("\n", block.start) + 1
            stop = self.text.rindex("```", start, block.end)
            made.append(self.text[end:start])
            for command, shown in commands(block.text):
                answer = self.shell(command)
                answer = shown if answers(shown, answer) else answer
                typed = command.replace("\n", "\n> ") if "\n" in command else command
                made.append(f"$ {typed}\n{answer}")
                if answer and not answer.endswith("\n"):
                    made.append("\n")
            end = stop
        return "".join([*made, self.text[end:]])

    def shell(self, command: str) -> str:
        """What a command prints on both outputs, as a terminal shows it."""
        if command.startswith("echo $?"):
            return f"{self._status}\n"
        if not needs_shell(command):
            return self._litstool(shlex.split(command)[1:])
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self._folder,
            env={**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "80"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=300,
        )
        self._status = done.returncode
        return _FIRST_USE.sub("", done.stdout)

    def _litstool(self, arguments: list[str]) -> str:
        """The same for litstool alone, in this process."""
        data = io.BytesIO()
        both = io.TextIOWrapper(data, encoding="utf-8", write_through=True)
        with (
            contextlib.chdir(self._folder),
            contextlib.redirect_stdout(both),
            contextlib.redirect_stderr(both),
        ):
            self._status = main(arguments)
        both.flush()
        return _FIRST_USE.sub("", data.getvalue().decode("utf-8"))

    def _python(self, block: Block, place: str) -> str:
        printed = io.StringIO()
        with contextlib.chdir(self._folder), contextlib.redirect_stdout(printed):
            exec(compile(block.text, place, "exec"), self._names)
        return printed.getvalue()

    def _write(self, block: Block) -> None:
        path = self._folder / str(block.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it answers.

    A command goes on after a line that ends with a backslash or a quotation mark left open, the
    lines that go on beginning with ``> ``.
    """
    typed: list[str] = []
    shown: list[str] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            if typed:
                yield "\n".join(typed), "".join(shown)
            typed, shown = [line[2:]], []
        elif typed and not shown and line.startswith("> "):
            typed.append(line[2:])
        elif typed:
            shown.append(f"{line}\n")
        else:
            raise AssertionError(f"an answer without a command: {line}")
    if typed:
        yield "\n".join(typed), "".join(shown)


def needs_shell(command: str) -> bool:
    """Whether a command is more than litstool with its arguments."""
    return not command.startswith("litstool ") or bool(
        _SHELL.search(re.sub(r"'[^']*'", "", command))
    )


def answers(shown: str, answer: str) -> bool:
    """Whether an answer is what is shown, apart from what is left out and what varies."""
    pattern = []
    for line in _plain(shown).splitlines():
        if line == "...":
            pattern.append(r"(?:.*\n)*?")
        else:
            pattern.append(".*".join(re.escape(part) for part in line.split("...")) + r"\n")
    return re.fullmatch("".join(pattern), _plain(answer)) is not None


def _plain(text: str) -> str:
    lines = [line.rstrip() for line in _VARIES.sub("…", text).splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "".join(f"{line}\n" for line in lines)


def check_options(line: str) -> None:
    """Commands of litstool that are not run have only options and commands that there are.

    :raises click.ClickException: one has others.
    """
    words: list[str] = []
    for word in [*shlex.shlex(line, posix=True, punctuation_chars="|&;()<>"), ";"]:
        if word.strip("|&;()<>"):
            words.append(word)
            continue
        if words[:1] == ["litstool"]:
            _check_command(words[1:])
        words = []


def _check_command(words: list[str]) -> None:
    command: click.Command = cli
    # With its settings, since a command keeps the names of its help option that it first had.
    context = click.Context(cli, info_name="litstool", **cli.context_settings)
    while isinstance(command, click.Group):
        _, found, words = command.resolve_command(context, words)
        assert found is not None, words
        command = found
        context = click.Context(command, parent=context, info_name=command.name)
    command.make_parser(context).parse_args(words)


def write_answers(paths: list[str]) -> None:
    """Write what the commands of pages answer into the pages."""
    os.environ |= {"NO_COLOR": "1", "COLUMNS": "80"}
    for path in map(Path, paths):
        with tempfile.TemporaryDirectory() as folder:
            text = Page(path.resolve(), Path(folder)).filled()
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_answers(sys.argv[1:])
