"""The clock, the stop and the reports of progress that all long work shares."""

from __future__ import annotations

import time

import pytest
from waiting import BUSY

from litstool.search.control import Control, Progress, Stopped
from litstool.search.table import new_table, take
from litstool.search.threads import watch


def test_a_part_has_no_more_time_than_is_left_of_the_whole() -> None:
    whole = Control(10.0)
    assert whole.within(1.0).time_limit == 1.0
    for part in (whole.within(60.0), whole.within(None)):
        assert part.time_limit is not None and 9.0 < part.time_limit <= 10.0
    assert Control().within(None).time_limit is None


def test_the_clock_begins_with_the_computation() -> None:
    early = Control(0.05)
    with early.paused():
        time.sleep(0.06)
    assert not early.is_over
    time.sleep(0.06)
    assert early.is_over and not early.begin().is_over
    assert early.begin(0.01).time_limit == 0.01 and early.begin(9.0).time_limit == 0.05
    assert Control().begin(9.0).time_limit == 9.0


def test_progress_is_told_a_few_times_a_second() -> None:
    seen: list[Progress] = []
    control = Control(on_progress=seen.append)
    started = time.monotonic()
    while time.monotonic() - started < 0.5:
        control.within(1.0).report(lambda: Progress(0, 0, 0, control.seconds))
        time.sleep(0.01)
    assert len(seen) == 2


# Searches that are watched


class Counting:
    """A search that counts until it is stopped."""

    def __init__(self) -> None:
        self.is_stopped = False
        self.has_ended = False
        self.count = 0

    def run(self) -> int:
        try:
            while self.count < 1000:
                if self.is_stopped:
                    raise Stopped
                self.count += 1
                time.sleep(0.01)
            return self.count
        finally:
            self.has_ended = True

    def stop(self) -> None:
        self.is_stopped = True

    def progress(self) -> Progress:
        return Progress(0, 0, self.count, 0.0)


def test_an_answer_comes_as_soon_as_it_is_there() -> None:
    started = time.monotonic()
    assert watch(lambda: 7, lambda: None, Control()) == 7
    assert time.monotonic() - started < BUSY
    with pytest.raises(ZeroDivisionError):
        watch(lambda: 1 // 0, lambda: None, Control())


def test_a_search_ends_with_its_time() -> None:
    search, started = Counting(), time.monotonic()
    assert watch(search.run, search.stop, Control(0.1)) is None
    assert search.has_ended and 0.1 <= time.monotonic() - started < 0.1 + BUSY
    late = Counting()
    assert watch(late.run, late.stop, Control(0.0)) is None
    assert late.count == 0


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_whatever_ends_the_wait_ends_the_search(error: type[BaseException]) -> None:
    search = Counting()

    def told(progress: Progress) -> None:
        raise error

    control = Control(on_progress=told)
    if error is KeyboardInterrupt:
        assert watch(search.run, search.stop, control, search.progress) is None
        assert control.interrupted
    else:
        with pytest.raises(error):
            watch(search.run, search.stop, control, search.progress)
    assert search.has_ended and search.count < 1000


# Memory


def test_the_memory_of_a_table_is_taken_until_a_stop() -> None:
    table = new_table(16)
    assert table.shape == (1 << 20, 2) and table.ctypes.data % 64 == 0
    table[:] = 1
    pages: list[None] = []

    def is_stopped() -> bool:
        pages.append(None)
        return len(pages) > 3

    take(table, is_stopped)
    assert len(pages) == 4 and int((table == 0).sum()) == 3
