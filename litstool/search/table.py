"""Memory of searches: aligned words, and transposition tables of the size that is asked for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from litstool.search.memory import room_for_table

Words = npt.NDArray[np.uint64]

DEFAULT_HASH_MIB = 256
"""How large a table is where nothing else is asked for."""

_CACHE_LINE_WORDS = 8
_ENTRY_BYTES = 16
_PAGE_BYTES = 1 << 21
"""The most memory that a system hands over at once."""


def aligned_zeros(shape: tuple[int, ...]) -> Words:
    """Zeroed words of 64 bits that start on a cache line."""
    size = math.prod(shape)
    raw = np.zeros(size + _CACHE_LINE_WORDS, dtype=np.uint64)
    skip = (-raw.ctypes.data // 8) % _CACHE_LINE_WORDS
    return raw[skip : skip + size].reshape(shape)


def new_table(mebibytes: int) -> Words:
    """An empty transposition table of at most so many MiB: n x 2 words, n a power of two.

    :raises MemoryLimitError: there is not so much memory.
    """
    entries = 1 << ((max(1, mebibytes) << 20) // _ENTRY_BYTES).bit_length() - 1
    with room_for_table(_ENTRY_BYTES * entries):
        return aligned_zeros((entries, 2))


def take(table: Words, is_stopped: Callable[[], bool]) -> None:
    """Have the system hand over the memory of an empty table page by page, until a stop.

    It does so when a page is first used, at a second or so for 4 GiB: a search that jumps about
    in a large table at once would not hear of a stop meanwhile.
    """
    words = table.reshape(-1)
    for start in range(0, len(words), _PAGE_BYTES // words.itemsize):
        if is_stopped():
            return
        words[start] = 0
