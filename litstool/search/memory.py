"""Memory: what is more than there is, is refused in words before a library ends the program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from litstool.errors import MemoryLimitError

COMPILER_MIB = 512
"""Of address space that compiled code needs; with less its libraries end the program."""


def check_address_space() -> None:
    """Look at the limit that the shell may have set (``ulimit -v``) before compiled code is used.

    :raises MemoryLimitError: it is too low.
    """
    if sys.platform == "win32":
        return
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < COMPILER_MIB << 20:
        raise MemoryLimitError(
            f"this process may take {limit >> 20:,} MiB of memory (ulimit -v), and compiled code "
            f"needs {COMPILER_MIB} MiB"
        )


@contextmanager
def room_for_table(size: int) -> Iterator[None]:
    """While it is entered, a table of so many bytes is made.

    :raises MemoryLimitError: there is not so much memory.  A system may well grant more than it
        has, and end the program when that is used; so more than there is at all is refused.
    """
    total = _total()
    if total is not None and size > total:
        raise MemoryLimitError(
            f"a table of {size >> 20:,} MiB is more than this machine's memory of "
            f"{total >> 20:,} MiB; take a smaller one (--hash)"
        )
    try:
        yield
    except MemoryError:
        raise MemoryLimitError(
            f"there is not enough memory for a table of {size >> 20:,} MiB; "
            "take a smaller one (--hash)"
        ) from None


def _total() -> int | None:
    """The memory of the machine in bytes; None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
