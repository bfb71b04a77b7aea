"""Files are written whole or not at all, over no input, and by one writer at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import EXAMPLES, ROOT, Run

from litstool.errors import UsageError, WriteError
from litstool.files import writing
from litstool.files.writing import check_outputs, check_writable, locked, write_file

posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX system")


@contextlib.contextmanager
def full_disk(size: int) -> Iterator[None]:
    """No file may become larger than so many bytes."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@posix
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text("old", encoding="utf-8")
    with full_disk(1000), pytest.raises(WriteError, match="cannot be written: File too large"):
        write_file(path, "x" * 5000)
    with full_disk(1000), pytest.raises(WriteError):
        write_file(tmp_path / "new.yaml", "x" * 5000)
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["old.yaml"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError(errno.EIO, "Input/output error")])
@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_stop_at_any_step_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, step: str
) -> None:
    path = tmp_path / "old.yaml"
    path.write_text("old", encoding="utf-8")

    def fail(*arguments: object) -> None:
        raise fault

    monkeypatch.setattr(os, step, fail)
    with pytest.raises((KeyboardInterrupt, WriteError)):
        write_file(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["old.yaml"]


@posix
def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path = tmp_path / "real.yaml"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    link = tmp_path / "link.yaml"
    link.symlink_to(path.name)
    write_file(link, "ünd")
    assert link.is_symlink() and path.read_bytes() == "ünd".encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new.yaml", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.yaml").stat().st_mode) == 0o640


@posix
def test_a_link_planted_at_the_temporary_name_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    monkeypatch.setattr(writing.secrets, "token_hex", lambda size: "guessed")
    (tmp_path / ".litstool-guessed.new").symlink_to(victim)
    with pytest.raises(WriteError, match="File exists"):
        write_file(tmp_path / "new.yaml", "new")
    assert victim.read_text(encoding="utf-8") == "precious"


@posix
def test_pipes_and_devices_are_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        write_file(pipe, "through\n")
        assert reader.communicate(timeout=20)[0] == "through\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_file("/dev/null", "nothing")
    code = "from litstool.files.writing import write_file; write_file('/dev/stdout', 'out')"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, timeout=60)
    assert (told.stdout, told.stderr) == (b"out", b"")
    with (tmp_path / "kept").open("wb") as kept:
        code = f"print('first', flush=True); {code}; print(' last')"
        subprocess.run([sys.executable, "-c", code], stdout=kept, cwd=ROOT, timeout=60)
    assert (tmp_path / "kept").read_bytes() == b"first\nout last\n"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("x" * 300, "name too long"), ("no/such", "No such file"), ("a\0b", "null"), ("", "folder")],
)
def test_what_cannot_be_written_is_told_before(tmp_path: Path, name: str, reason: str) -> None:
    for write in (check_writable, lambda path: write_file(path, "x")):
        with pytest.raises(WriteError, match=f"(?i)cannot be written: .*({reason}|directory)"):
            write(str(tmp_path / name))
    assert os.listdir(tmp_path) == []


def test_looking_leaves_nothing(tmp_path: Path) -> None:
    check_writable(tmp_path / "new.yaml")
    assert os.listdir(tmp_path) == []


# Inputs and other outputs

BOARD = "pattern: 4/4/4/4\nmoves: []\n"
OVER_AN_INPUT = {
    "show": ("show", "{}", "-o", "{}"),
    "analyze": ("analyze", "{}", "-o", "{}"),
    "reach --dimacs": ("reach", "{}", "--finished", "--dimacs", "{}"),
    "reach --proof": ("reach", "{}", "--finished", "--proof", "{}"),
    "reach --to": ("reach", "4/4/4/4", "--to", "{}", "--dimacs", "{}"),
    "pattern new": ("pattern", "new", "--outline", "{}", "-o", "{}"),
    "pattern check": ("pattern", "check", "{}", "-o", "{}"),
    "puzzle new": ("puzzle", "new", "--from", "{}", "-o", "{}"),
    "puzzle show": ("puzzle", "show", "{}", "-o", "{}"),
    "solve": ("solve", "{}", "--all", "--results", "{}"),
}
ENDINGS = {
    "show": "x.svg",
    "analyze": "x.html",
    "pattern check": "x.svg",
    "puzzle show": "x.pdf",
}


@pytest.mark.parametrize("command", OVER_AN_INPUT)
@pytest.mark.parametrize("way", ["the same name", "a link"])
def test_no_input_is_written_over(run: Run, tmp_path: Path, command: str, way: str) -> None:
    read = tmp_path / ENDINGS.get(command, "x.yaml")
    held = (
        (EXAMPLES / "endgame-3.yaml").read_text(encoding="utf-8")
        if command in ("puzzle new", "puzzle show")
        else "????\n" * 4
        if command == "reach --to"
        else BOARD.replace("[]", "['I:a1,b1,c1,d1']" if command == "analyze" else "[]")
    )
    read.write_text(held, encoding="utf-8")
    written = read
    if way == "a link":
        written = tmp_path / f"link{read.suffix}"
        written.symlink_to(read)
    words = iter((read, written))
    outcome = run(*(next(words) if word == "{}" else word for word in OVER_AN_INPUT[command]))
    assert outcome.status == 2 and outcome.out == ""
    assert outcome.err.count("\n") == 1 and "would write over the input" in outcome.err
    assert read.read_text(encoding="utf-8") == held


def test_a_file_that_the_input_names_is_an_input_too(run: Run, tmp_path: Path) -> None:
    grid = tmp_path / "grid.svg"
    grid.write_text("....\n" * 4, encoding="utf-8")
    game = tmp_path / "game.yaml"
    game.write_text("pattern: grid.svg\nmoves: []\n", encoding="utf-8")
    outcome = run("show", game, "-o", grid)
    assert outcome.status == 2 and "would write over the input" in outcome.err
    assert grid.read_text(encoding="utf-8") == "....\n" * 4


def test_two_outputs_are_two_files(run: Run, tmp_path: Path) -> None:
    both = tmp_path / "z"
    outcome = run("reach", "boxes", "--finished", "--dimacs", both, "--proof", f"{tmp_path}/./z")
    assert outcome.status == 2 and "--dimacs and --proof are both" in outcome.err
    assert not both.exists()
    with pytest.raises(UsageError):
        check_outputs({"--one": both, "--other": both})
    check_outputs({"--one": "/dev/null", "--other": "/dev/null", "--none": None}, [None, "boxes"])


# One writer at a time


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    path = tmp_path / "count"
    write_file(path, "0")

    def add() -> None:
        for _ in range(20):
            with locked(path):
                write_file(path, str(int(path.read_text(encoding="utf-8")) + 1))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text(encoding="utf-8") == "80"


def test_a_lock_that_another_holds_is_told_and_ends_with_it(tmp_path: Path) -> None:
    path = tmp_path / "book.yaml"
    code = (
        "import sys, time\nfrom litstool.files.writing import locked\n"
        f"with locked({str(path)!r}):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        with pytest.raises(WriteError, match="held by another program"), locked(path, 0.1):
            pass
        other.kill()
    with locked(path, 5):
        pass
    with pytest.raises(WriteError, match="cannot be written"), locked(tmp_path / "no" / "x"):
        pass
