"""Waiting for compiled code: the first use on a machine takes seconds, a later one a moment.

It runs in a thread of its own, so that Ctrl-C is heard at once and never in the middle of a
compiler, which would be left in a state that it cannot go on from.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

LOADING_SECONDS = 2.0
"""Loading compiled code takes less, even on a busy machine; compiling it more."""

_LOOK_SECONDS = 0.1


def have_compiled(
    run: Callable[[], object],
    on_compile: Callable[[], None] | None = None,
    patience: float = LOADING_SECONDS,
) -> bool:
    """Run something that has code loaded or compiled; whether it took over ``patience`` seconds.

    ``on_compile`` is called once that is so.  What ``run`` raises is raised.

    :raises KeyboardInterrupt: Ctrl-C; the thread goes on by itself.
    """
    errors: list[BaseException] = []

    def guarded() -> None:
        try:
            run()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=guarded, daemon=True)
    thread.start()
    thread.join(patience)
    is_long = thread.is_alive()
    if is_long and on_compile is not None:
        on_compile()
    while thread.is_alive():
        thread.join(_LOOK_SECONDS)
    if errors:
        raise errors[0]
    return is_long
