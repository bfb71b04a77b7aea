"""Fuzzing of the command line: real inputs, changed at random, and what must be true of each call.

A call runs in this process.  Whatever comes in: no traceback, an exit status of the interface, an
error in one line (or one JSON document), nothing raw on the terminal, bounded time and memory.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from litstool.cli.main import main

SECONDS = 10.0
"""No call that is made here may take longer, on a machine that is busy too; compiling aside."""

_PATIENCE = 100.0
"""When a call that does not end is ended."""

MEBIBYTES = 600
"""No call that is made here may need so much more memory than what was needed before."""

STATUSES = (0, 1, 2, 3, 130)


class TooLong(BaseException):
    """A call that does not end."""


@dataclass(frozen=True)
class Outcome:
    """What a call did: its exit status and what it wrote, in bytes."""

    status: int
    out: bytes
    err: bytes

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it is."""
        return json.loads(self.out)


def call(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Run ``litstool`` as its shell would, within bounds; the outcome has been judged.

    :raises AssertionError: it did what no call may do.
    """
    words = [str(argument) for argument in arguments]
    out, err = (
        io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace", write_through=True)
        for _ in range(2)
    )
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.monotonic()
    with _limited(_PATIENCE), _streams(io.TextIOWrapper(io.BytesIO(stdin), "utf-8"), out, err):
        status = main(words)
    seconds = time.monotonic() - begun
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    outcome = Outcome(status, out.buffer.getvalue(), err.buffer.getvalue())  # type: ignore[attr-defined]
    assert grown < MEBIBYTES, f"{grown:.0f} MiB more for {words}"
    if b"compiling for" not in outcome.err:
        assert seconds < SECONDS, f"{seconds:.1f} s for {words}"
    _judge(words, outcome)
    return outcome


def _judge(words: Sequence[str], outcome: Outcome) -> None:
    out, err = outcome.out.decode(), outcome.err.decode()
    assert outcome.status in STATUSES, outcome
    for name, text in (("standard output", out), ("standard error", err)):
        raw = {letter for letter in text if not letter.isprintable() and letter not in "\n\t\u3000"}
        raw = {letter for letter in raw if not letter.isspace()}
        assert not raw, f"{raw} raw on {name}"
        assert "Traceback" not in text
    if "--json" in words and "--jsonl" not in words and outcome.status != 0:
        json.loads(out)
    if outcome.status == 2 and "--json" not in words and "--jsonl" not in words:
        faults = [line for line in err.splitlines() if line.startswith("litstool: ")]
        assert faults, f"no word of what is wrong: {outcome}"
        assert len(max(faults, key=len)) < 3000


@contextlib.contextmanager
def _streams(stdin: Any, out: Any, err: Any) -> Iterator[None]:
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = stdin, out, err
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def end(number: int, frame: object) -> None:
        raise TooLong(f"over {seconds:g} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# -- inputs ----------------------------------------------------------------------------------------

TOKENS = (
    *(b"X O . # L I T S ? ! + - _ / ; : , [ ] { } ' \" | > & * % @ = \\ \t \r\n \n".split(b" ")),
    *(b" ", b"\n\n", b"---\n", b"game: mijnlieff\n", b"game: ", b"pattern: ", b"board: |\n  "),
    *(b"moves: [", b"pieces: ", b"to-move: O", b"supply: L5 I5", b"name: ", b"players: {first: a}"),
    *(b"swap", b"pass", b"null", b"true", b"~", b".inf", b".nan", b"NaN", b"1e999", b"-1", b"0.5"),
    *(b"99", b"2147483648", b"18446744073709551616", b"9" * 400, b"\xef\xbb\xbf", b"\xff", b"\xc3"),
    *(b"\0", b"\x1b[2J", b"\x07", "\u202e".encode(), "\u2028".encode(), "٣".encode(), "ß".encode()),
    *("\U0001d7d8".encode(), "e\u0301".encode(), b"!!python/object:x", b"&a [*a]", b"<<: "),
    *(b"a1", b"p16", b"z99", b"straight@a1", b"L:a1,b1,c1,a2", b"L[00,01,02,10]", b"boxes"),
)

Change = Callable[[bytes], bytes]
_places = st.integers(0, 100_000)
_few_bytes = st.binary(min_size=1, max_size=3)


def _cut(data: bytes, start: int, length: int) -> bytes:
    start %= len(data) + 1
    return data[:start] + data[start + length :]


def _put(data: bytes, start: int, what: bytes) -> bytes:
    start %= len(data) + 1
    return data[:start] + what + data[start:]


def _over(data: bytes, start: int, what: bytes) -> bytes:
    start %= len(data) + 1
    return data[:start] + what + data[start + len(what) :]


def _repeat(data: bytes, start: int, length: int, times: int) -> bytes:
    start %= len(data) + 1
    return data[:start] + data[start : start + length] * times + data[start + length :]


def _line(data: bytes, number: int, target: int, copy: bool) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    moved = lines[number % len(lines)]
    if not copy:
        lines.pop(number % len(lines))
    lines.insert(target % (len(lines) + 1), moved)
    return b"".join(lines)


def _words(data: bytes, first: int, second: int) -> bytes:
    words = data.split(b" ")
    first, second = first % len(words), second % len(words)
    words[first], words[second] = words[second], words[first]
    return b" ".join(words)


changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(lambda a, n: lambda data: _cut(data, a, n), _places, st.integers(1, 40)),
    st.builds(lambda a, w: lambda data: _put(data, a, w), _places, st.sampled_from(TOKENS)),
    st.builds(lambda a, w: lambda data: _over(data, a, w), _places, st.sampled_from(TOKENS)),
    st.builds(lambda a, w: lambda data: _over(data, a, w), _places, _few_bytes),
    st.builds(
        lambda a, n, t: lambda data: _repeat(data, a, n, t),
        _places, st.integers(1, 60), st.sampled_from((2, 3, 50, 2000)),
    ),
    st.builds(lambda a, b, c: lambda data: _line(data, a, b, c), _places, _places, st.booleans()),
    st.builds(lambda a, b: lambda data: _words(data, a, b), _places, _places),
    st.builds(lambda a: lambda data: data[: a % (len(data) + 1)], _places),
)  # fmt: skip


@st.composite
def changed(draw: st.DrawFn, inputs: Sequence[bytes], most: int = 4) -> bytes:
    """One of the inputs with up to so many changes, at times grown together with another."""
    data = draw(st.sampled_from(inputs))
    if draw(st.integers(0, 9)) == 0:
        other = draw(st.sampled_from(inputs))
        data = data[: draw(_places) % (len(data) + 1)] + other[draw(_places) % (len(other) + 1) :]
    for change in draw(st.lists(changes, max_size=most)):
        data = change(data)[:300_000]
    return data


def argument(data: bytes) -> str:
    """Bytes as an argument of the command line has them."""
    return data.replace(b"\0", b"").decode("utf-8", "surrogateescape")


# -- rounds ----------------------------------------------------------------------------------------


def fuzz(strategy: st.SearchStrategy[Any], check: Callable[[Any], None], seconds: float) -> None:
    """Check examples of a strategy for so many seconds, the same ones first each time."""
    begun, number = time.monotonic(), 0
    while number == 0 or time.monotonic() - begun < seconds:
        test = given(strategy)(check)
        test = settings(
            max_examples=20, database=None, deadline=None, print_blob=False,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(test)  # fmt: skip
        seed(number)(test)()
        number += 1


def contents(folder: Path, *patterns: str) -> list[bytes]:
    """What the files of a folder hold, in the order of their names."""
    return [path.read_bytes() for pattern in patterns for path in sorted(folder.glob(pattern))]
