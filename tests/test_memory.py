"""Memory, libraries and other needs that are not met: one line that says which."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from conftest import EXAMPLES, ROOT, Run

from litstool.errors import MemoryLimitError
from litstool.lits import solver
from litstool.search import memory, table

ENDGAME = EXAMPLES / "endgame-5.yaml"


def failing(error: BaseException) -> Callable[..., None]:
    def fail(*arguments: object, **options: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (EOFError("Ran out of input"), "source", "ended too early (Ran out of input)"),
        (ImportError("libLLVM.so: no such file"), "library", "cannot be loaded: libLLVM.so"),
        (OSError("Could not find/load shared object file"), "library", "Could not find/load"),
        (SystemError("returned NULL"), "library", "cannot be loaded"),
        (MemoryError(), "memory", "not enough memory"),
        (RuntimeError("can't start new thread"), "memory", "no more threads"),
        (PermissionError(13, "Permission denied", "/x"), "source", "/x: Permission denied"),
    ],
)
def test_a_need_that_is_not_met_is_said_as_what_it_is(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, kind: str, words: str
) -> None:
    monkeypatch.setattr(solver, "solve", failing(error))
    found = run("solve", ENDGAME)
    assert found.status == 2 and found.out == ""
    lines = [line for line in found.err.splitlines() if not line.startswith("compiling")]
    assert len(lines) == 1 and words in lines[0] and "interrupted" not in lines[0]
    assert run("solve", ENDGAME, "--json").json["error"]["kind"] == kind


def test_an_import_error_says_the_first_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    error = ImportError("\n\nIMPORTANT: PLEASE READ\n\n")
    error.__cause__ = ImportError("libx.so: failed to map segment")
    monkeypatch.setattr(solver, "solve", failing(error))
    assert run("solve", ENDGAME).err == (
        "litstool: a library that is needed cannot be loaded: libx.so: failed to map segment\n"
    )


def test_a_table_larger_than_the_memory_is_refused(run: Run) -> None:
    found = run("solve", ENDGAME, "--hash", 1 << 20)
    assert found.status == 2
    assert "litstool: a table of 1,048,576 MiB is more than this machine's memory" in found.err


def test_a_table_that_is_not_granted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_total", lambda: None)
    monkeypatch.setattr(table, "aligned_zeros", failing(MemoryError()))
    with pytest.raises(MemoryLimitError, match="not enough memory for a table of 64 MiB"):
        table.new_table(64)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are kept to on Linux")
def test_a_limit_too_low_for_the_compiler_is_told_before_it_aborts() -> None:
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 400000; exec {sys.executable} -m litstool solve {ENDGAME}"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == (
        "litstool: this process may take 390 MiB of memory (ulimit -v), and compiled code needs "
        "512 MiB\n"
    )


def test_what_the_compiler_refuses_is_said_as_that(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a setting of the environment is the reason, which is named."""
    import numba

    def refused(*arguments: object, **options: object) -> None:
        numba.set_num_threads(0)

    monkeypatch.setattr(solver, "solve", refused)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = run("solve", ENDGAME)
    assert found.status == 2 and "set: NUMBA_DISABLE_JIT" in found.err
    assert found.err.startswith("litstool: numba cannot work here")
