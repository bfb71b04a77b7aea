"""Standard input, output and error closed, full, broken or not UTF-8: one line, exit 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, Run

from litstool.cli import main as command_line
from litstool.terminal.streams import OUTPUT, _Output

pytestmark = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")

COMMANDS = {
    "help": ("--help",),
    "version": ("--version",),
    "bare": (),
    "a group": ("pattern",),
    "show": ("show", "boxes"),
    "show as JSON": ("show", "boxes", "--json"),
    "validate": ("validate", "boxes"),
    "moves": ("moves", "4/4/4/4"),
    "count": ("moves", "4/4/4/4", "--count"),
    "convert": ("convert", "4/4/4/4", "--to", "yaml"),
    "examples": ("examples",),
    "reach": ("reach", "4/4/4/4", "--finished"),
    "solve": ("solve", "XXXX/LLLX/LXXX/XXXX", "--json"),
    "pattern list": ("pattern", "list"),
    "pattern show": ("pattern", "show", "boxes"),
    "book show": ("book", "show", "boxes"),
    "puzzle show": ("puzzle", "show", "examples/puzzles/puzzle-01.yaml"),
    "puzzle solution": ("puzzle", "show", "examples/puzzles/puzzle-01.yaml", "--solution"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told_by_every_command(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(command_line, "discard_output", lambda: None)
    with open("/dev/full", "wb", buffering=0) as full:
        monkeypatch.setattr(sys, "stdout", _Output(full, encoding="utf-8", write_through=True))
        status = command_line.main(list(COMMANDS[command]))
    assert status == 2
    told = "litstool: standard output: cannot be written: No space left on device\n"
    assert capsys.readouterr().err == told


def litstool(words: str, redirections: str, **options: object) -> tuple[int, str]:
    """Exit status and standard error of the command in a shell."""
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m litstool {words} {redirections}"],
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        **options,  # type: ignore[call-overload]
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize(
    ("words", "redirections", "status", "told"),
    [
        ("show boxes", ">&-", 2, f"{OUTPUT}: is closed"),
        ("validate boxes --json", ">&-", 2, f"{OUTPUT}: is closed"),
        ("show boxes --json", ">/dev/full", 2, f"{OUTPUT}: cannot be written: No space left"),
        ("show zzz --json", ">/dev/full", 2, "'zzz' is neither"),
        ("validate zzz", "2>/dev/full", 2, ""),
        ("validate zzz", "2>&-", 2, ""),
        ("validate boxes", "2>&-", 0, ""),
        ("show boxes", "<&- >&- 2>&-", 2, ""),
        ("show -", "<&-", 2, "standard input: is closed"),
        ("show -", "0>/dev/null", 2, "standard input: cannot be read: Bad file descriptor"),
        ("show -", "</dev/zero", 2, "standard input: is larger"),
        ("moves boxes", "| head -1", 0, ""),
    ],
)
def test_every_state_of_the_streams(words: str, redirections: str, status: int, told: str) -> None:
    found, err = litstool(words, redirections)
    assert found == status
    assert err.count("\n") == bool(told)
    assert err.startswith(f"litstool: {told}" if told else "")


def test_a_closed_stream_is_not_taken_by_a_file(tmp_path: Path) -> None:
    """The first file that is opened would get its number, and what is printed with it."""
    picture = tmp_path / "x.svg"
    status, err = litstool(f"show boxes -o {picture}", "<&- >&-")
    assert (status, err) == (0, f"wrote {picture}\n")
    assert picture.read_text(encoding="utf-8").startswith("<")


def test_a_reader_that_has_enough_is_no_failure() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "litstool", "moves", "boxes"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-16"])
def test_data_for_files_and_pipes_is_utf_8(tmp_path: Path, encoding: str) -> None:
    position = tmp_path / "x.yaml"
    position.write_bytes('name: "Żółw → 象"\npattern: 4/4/4/4\nmoves: []\n'.encode())
    environment = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}
    for target in ("yaml", "text"):
        made = tmp_path / f"made.{target}"
        status, err = litstool(f"convert {position} --to {target}", f"> {made}", env=environment)
        assert (status, err) == (0, "")
        assert "Żółw → 象" in made.read_bytes().decode()


@pytest.mark.parametrize("words", [("--json", "show"), ("show", "--json"), ("--no-color", "show")])
def test_options_of_the_output_before_or_after_the_command(run: Run, words: tuple[str]) -> None:
    shown = run(*words, "boxes")
    assert shown.status == 0 and ("--json" in words) is shown.out.startswith("{")
    assert os.environ["NO_COLOR"] == ("1" if "--no-color" in words else "")
    assert run("pattern", "--json", "list").json == run("--json", "pattern", "list").json


def test_a_fault_of_the_system_keeps_json(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(argument: str) -> None:
        raise OSError(5, "Input/output error", "x" * 500)

    monkeypatch.setattr("litstool.games.load", fail)
    outcome = run("reach", "boxes", "--json")
    assert (outcome.status, outcome.err) == (2, "")
    error = outcome.json["error"]
    assert (error["kind"], error["message"]) == ("source", "Input/output error")
    assert len(error["where"]) == 60
    monkeypatch.setattr("litstool.games.load", lambda argument: bytearray(1 << 62))
    outcome = run("reach", "boxes")
    assert outcome.status == 2 and "not enough memory" in outcome.err


def test_a_name_that_is_too_long_is_no_file(run: Run) -> None:
    outcome = run("reach", "boxes", "--to", "n" * 300, "--json")
    assert (outcome.status, outcome.err) == (2, "")
    assert outcome.json["error"]["kind"] == "source"
    assert len(outcome.json["error"]["message"]) < 300


def test_blank_input_without_end_is_refused(run: Run) -> None:
    found = run("validate", "-", stdin=b"\n" * (256 * 1024 + 1))
    assert found.status == 2 and "larger than 256 KiB" in found.err
