"""Random numbers of compiled code, the same on every machine for the same seed."""
# mypy: disable-error-code="no-untyped-def, no-any-return, no-untyped-call, misc"

from __future__ import annotations

import numpy as np

from litstool.search.compiling import inlined, kernel

_WORD = (1 << 64) - 1


def seed_for(seed: int, *numbers: int) -> int:
    """A seed below 2**63 from a seed and what it is for, the same on every machine."""
    mixed = seed & _WORD
    for number in numbers:
        mixed = (mixed ^ (number + 0x9E3779B97F4A7C15)) * 0xBF58476D1CE4E5B9 & _WORD
        mixed ^= mixed >> 29
    return mixed & (_WORD >> 1)


@kernel
def generator(seed):
    """The state of a random generator from any whole number (splitmix64, so that near seeds give
    unlike sequences)."""
    word = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word ^= word >> np.uint64(31)
    state = np.empty(1, dtype=np.uint64)
    state[0] = word if word != 0 else np.uint64(1)
    return state


@kernel
def next_random(state):
    """The next number of a xorshift64* generator, whose state is the one word of an array."""
    word = state[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    state[0] = word
    return word * np.uint64(0x2545F4914F6CDD1D)


@kernel
def below(state, limit):
    """A random number from 0 to ``limit`` - 1 (``limit`` below 2**31)."""
    return np.int64(((next_random(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


CHANCE_SCALE = 256
"""What chances of :func:`happens` are parts of."""


@inlined
def happens(state, chance):
    """Whether something happens whose chance is so many parts of CHANCE_SCALE."""
    return chance > 0 and np.int64(next_random(state) >> np.uint64(56)) < chance
