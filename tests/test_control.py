"""The clock, the stop and the reports of progress that all long work shares."""

from __future__ import annotations

import time

from litstool.search.control import Control, Progress


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
