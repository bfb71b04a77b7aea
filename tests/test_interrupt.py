"""Ctrl-C at any moment: heard at once, one line or document, status 130, never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

import pytest
from conftest import EXAMPLES, ROOT, let_work

import litstool
from litstool.search.control import Control, Progress, stop_everything

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Ctrl-C is sent to the process another way"
)

SWALLOWING = """
import os, signal, sys
from litstool.cli.main import run
from litstool.{game} import engine

passes = engine._Search.passes

def interrupted(self, number):
    engine._Search.passes = passes
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.getsignal(signal.SIGINT)
    except KeyboardInterrupt:
        pass  # As a compiler or a callback may do.
    passes(self, number)

engine.make_ready({position})
engine._Search.passes = interrupted
sys.argv = ["litstool", "analyze", {argument!r}, "--time-limit", "60", "--json"]
run()
"""

BREAKING = """
import os, signal, sys
from litstool.cli.main import run
from litstool.lits import engine

def broken(*arguments):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.getsignal(signal.SIGINT)
    except KeyboardInterrupt:
        raise RuntimeError("no compiled object yet")

engine.make_ready = broken
sys.argv = ["litstool", "analyze", "boxes"]
run()
"""


@pytest.fixture
def everything() -> Iterator[None]:
    yield
    stop_everything(False)


def started(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=100,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def test_a_stop_of_everything_is_heard_by_every_control(everything: None) -> None:
    whole = Control()
    part = whole.within(1.0)
    assert not whole.interrupted and not part.interrupted
    stop_everything()
    assert whole.interrupted and part.interrupted and Control().interrupted


@pytest.mark.parametrize(
    ("game", "argument"),
    [("lits", "boxes"), ("mijnlieff", "mijnlieff 4/4/4/4")],
)
def test_an_interruption_that_was_swallowed_is_heard_all_the_same(game: str, argument: str) -> None:
    position = f"__import__('litstool').load({argument!r}).position()"
    begun = time.monotonic()
    done = started(SWALLOWING.format(game=game, argument=argument, position=position))
    assert done.returncode == 130, done.stderr
    assert json.loads(done.stdout)["interrupted"] and "Traceback" not in done.stderr
    assert time.monotonic() - begun < 50


def test_what_an_interrupted_compiler_says_is_no_traceback() -> None:
    done = started(BREAKING)
    assert done.returncode == 130 and done.stdout == ""
    assert done.stderr.strip() == "litstool: interrupted before there was an answer"


def test_the_stop_of_everything_may_break_into_itself() -> None:
    """As a second signal does within the handler of the first: a lock would wait for ever."""
    entered: list[str] = []

    def breaking_in(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_name != "__exit__" and len(entered) < 40:
            entered.append(event)
            stop_everything()
        return breaking_in

    def twice() -> None:
        sys.settrace(breaking_in)
        stop_everything()
        sys.settrace(None)

    thread = threading.Thread(target=twice, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive() and entered
    stop_everything(False)


def test_interrupts_close_together_are_one_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    from litstool.terminal import signals

    monkeypatch.setattr(signals, "_signals", [])
    with pytest.raises(KeyboardInterrupt):
        signals._on_interrupt(signal.SIGINT, None)
    for _ in range(5):
        signals._on_interrupt(signal.SIGINT, None)
    signals._signals[-1] -= 1
    with pytest.raises(KeyboardInterrupt):
        signals._on_interrupt(signal.SIGINT, None)
    stop_everything(False)


def test_a_burst_of_interrupts_loses_no_answer() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "litstool", "analyze", "boxes", "--time-limit", "60", "--json"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    let_work(process, 2)
    for _ in range(5):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    out, errors = process.communicate(timeout=40)
    assert process.returncode == 130, errors
    # Where the machine is so busy that there was nothing yet, it says so.
    assert "interrupted" in json.loads(out) or "error" in json.loads(out)


@pytest.mark.parametrize("seconds", [0.2, 0.3, 0.6, 1.0])
def test_an_analysis_is_stopped_at_any_moment(seconds: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "litstool", "analyze", EXAMPLES / "mijnlieff" / "two-passes.yaml",
         "--time-limit", "60"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    let_work(process, seconds)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=40)
    # Ended by the signal itself while its parts are imported, which a shell calls 130 too.
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in errors


def test_whatever_ends_the_wait_ends_the_search() -> None:
    """An exception in the middle, such as a caller's alarm, leaves no thread at work."""
    before = set(threading.enumerate())

    def broken(progress: Progress) -> None:
        raise ZeroDivisionError

    position = litstool.load("boxes").position()
    with pytest.raises(ZeroDivisionError):
        litstool.solve(position, control=Control(60, broken))
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()
