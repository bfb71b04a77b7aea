"""Compiled code: kept where it can be, checked before it runs, and never in the way of an answer.

The kernels here are small ones in files of their own, which compile in a moment.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import pytest
from conftest import ROOT

from litstool.search import compiling
from litstool.search.compiling import COMPILED, made, make_ready, once

MAIN = """
from litstool.search.compiling import inlined, kernel
from small_other import FACTOR, shifted

@inlined
def doubled(number):
    return 2 * number

@kernel
def computed(number):
    return shifted(doubled(number)) * FACTOR
"""
OTHER = """
from litstool.search.compiling import kernel

FACTOR = {factor}

@kernel
def shifted(number):
    return number + {shift}
"""

Load = Callable[..., Any]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    caplog.set_level(logging.WARNING, "litstool")
    compiling._told.clear()
    yield caplog
    compiling._told.clear()


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: object) -> Load:
    """Load the two small modules as a new process would; gives the kernel."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))

    def load(factor: int = 3, shift: int = 1) -> Any:
        compiling._digest_of_file.cache_clear()
        texts = {"small_other": OTHER.format(factor=factor, shift=shift), "small_main": MAIN}
        for name, text in texts.items():
            path = tmp_path / f"{name}.py"
            path.write_text(text)
            module = ModuleType(name)
            monkeypatch.setitem(sys.modules, name, module)
            exec(compile(text, path, "exec"), module.__dict__)
        return module.computed

    return load


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "kept").rglob("*.nbc"))


def compiled(call: Callable[[], object]) -> int:
    """How many kernels a call compiled."""
    before = made[COMPILED]
    call()
    return made[COMPILED] - before


def test_compiled_code_is_kept_for_the_next_process(load: Load, tmp_path: Path) -> None:
    assert compiled(lambda: load()(5)) == 2
    assert len(kept(tmp_path)) == 2
    computed = load()
    assert compiled(lambda: computed(5)) == 0 and computed(5) == 33


@pytest.mark.parametrize("change", [{"factor": 4}, {"shift": 2}])
def test_a_change_in_another_file_counts(load: Load, change: dict[str, int]) -> None:
    assert load()(5) == 33
    expected = (10 + change.get("shift", 1)) * change.get("factor", 3)
    assert load(**change)(5) == expected
    # And back: what is kept is of the last source only.
    assert load()(5) == 33


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda content: b"",
    "cut in the first digest": lambda content: content[:20],
    "cut to the digests": lambda content: content[:64],
    "cut": lambda content: content[:1000],
    "the last byte lost": lambda content: content[:-1],
    "one bit turned": lambda content: content[:-400] + bytes([content[-400] ^ 1]) + content[-399:],
    "other bytes": lambda content: b"nothing of the kind" * 200,
    "zeros": lambda content: bytes(len(content)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_code_is_compiled_again_with_a_note(
    load: Load, tmp_path: Path, told: pytest.LogCaptureFixture, damage: str
) -> None:
    load()(5)
    for path in kept(tmp_path):
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    computed = load()
    assert compiled(lambda: computed(5)) > 0 and computed(5) == 33
    if damage not in ("other bytes", "zeros"):  # Those are like code of another version.
        assert len(told.messages) == 1 and "is damaged, so it is compiled again" in told.messages[0]
    computed = load()
    assert compiled(lambda: computed(5)) == 0 and computed(5) == 33


def test_what_is_kept_is_run_only_if_it_was_written_so(load: Load, tmp_path: Path) -> None:
    """No pickle of a stranger is read, and no machine code with another content."""
    load()(5)
    for path in kept(tmp_path):
        content = path.read_bytes()
        path.write_bytes(content[:64] + b"cos\nsystem\n(S'exit 1'\ntR.")
    assert load()(5) == 33


def full(*arguments: object, **options: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("call", ["write", "replace"])
def test_a_full_disk_costs_the_cache_only(
    load: Load, tmp_path: Path, told: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch,
    call: str,
) -> None:  # fmt: skip
    computed = load()
    if call == "write":
        opened = Path.open
        monkeypatch.setattr(
            Path, "open", lambda path, mode: full() if mode == "xb" else opened(path, mode)
        )
    else:
        monkeypatch.setattr(compiling.os, "replace", full)
    assert computed(5) == 33
    assert len(told.messages) == 1
    assert "No space left" in told.messages[0] and "NUMBA_CACHE_DIR" in told.messages[0]
    monkeypatch.undo()
    assert not list((tmp_path / "kept").rglob("*.*"))


def test_without_a_folder_each_start_compiles(
    load: Load, told: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from numba.core import caching

    for locator in (caching.UserProvidedCacheLocator, caching.InTreeCacheLocator,
                    caching.UserWideCacheLocator):  # fmt: skip
        monkeypatch.setattr(locator, "ensure_cache_path", full)
    computed = load()
    assert not told.messages
    assert compiled(lambda: computed(5)) == 2 and computed(5) == 33
    assert told.messages == [
        "compiled code cannot be kept (no folder for it can be written), so each start compiles "
        "again: set NUMBA_CACHE_DIR to a folder that can be written"
    ]


def test_another_numba_than_is_known_here_costs_the_cache_only(
    load: Load, told: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling._Files, "save", None)
    assert load()(5) == 33
    assert len(told.messages) == 1 and "cannot be kept" in told.messages[0]
    monkeypatch.setattr(compiling._Cache, "__init__", None)
    assert load()(5) == 33


def test_code_that_cannot_be_read_is_compiled(
    load: Load, tmp_path: Path, told: pytest.LogCaptureFixture
) -> None:
    load()(5)
    for path in kept(tmp_path):
        path.unlink()
        path.mkdir()
    assert load()(5) == 33
    assert "cannot be read (Is a directory)" in told.messages[0]


# Waiting


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_ready", set())


def test_a_wait_for_compiling_is_told_and_one_for_loading_is_not(
    fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(compiling, "_ANNOUNCED_SECONDS", 0.05)

    def compiles() -> None:
        made[COMPILED] += 1
        time.sleep(0.3)

    make_ready("compiles", compiles, lambda: told.append("compiles"))
    make_ready("loads", lambda: time.sleep(0.3), lambda: told.append("loads"))
    make_ready("short", lambda: made.update([COMPILED]), lambda: told.append("short"))
    make_ready("quiet", compiles)
    assert told == ["compiles"]
    announce = once(lambda: told.append("once"))
    make_ready("first", compiles, announce)
    make_ready("second", compiles, announce)
    assert told == ["compiles", "once"]


def test_what_is_ready_is_ready_by_its_key(fresh: None) -> None:
    ran: list[int] = []
    for size in (1, 2, 1, 2):
        make_ready(("search", size), lambda size=size: ran.append(size))
    assert ran == [1, 2]
    with pytest.raises(ZeroDivisionError):
        make_ready("wrong", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        make_ready("wrong", lambda: 1 / 0)


A_GAME = """
import random, sys
import litstool
from litstool import games
from litstool.search import compiling
from litstool.lits.pattern import measure
from litstool.lits.playouts import PlayoutTables

for text in sys.argv[1:]:
    game = litstool.load(text)
    engine = games.of(game).engine()
    position = game.position()
    engine.make_ready(position, whole_game=True)
    if isinstance(game, litstool.Game):
        measure.ready(PlayoutTables(position.pattern))
    before = dict(compiling.made)
    if isinstance(game, litstool.Game):
        board = PlayoutTables(position.pattern)
        measure.measure(board, {"random": 9, "greedy": 9, "strong": 1}, 1, 1)
    chance = random.Random(1)
    while not position.is_finished:
        engine.analyze(position, time_limit=0.03)
        position = engine.after(position, chance.choice(list(position.moves())))
    assert dict(compiling.made) == before, (text, before, compiling.made)
"""


def test_nothing_is_compiled_or_loaded_while_the_clock_runs() -> None:
    """Two sizes of board in one process, and both games."""
    small = "4XO/XO4/3XO1/6/OX4/6"
    done = subprocess.run(
        [sys.executable, "-c", A_GAME, "boxes", small, "mijnlieff 4/4/4/4"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
