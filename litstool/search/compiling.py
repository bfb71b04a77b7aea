"""Compiled code: how kernels are declared and kept on disk, and how their compiling is waited for.

A kernel is a function with the decorator :func:`kernel`.  The first call with arguments of new
types compiles it, which takes seconds; what came out is kept on disk and loaded by the next
process in a moment.  That is numba's cache with three differences:

*   **Trouble with the disk never costs the answer.**  Kept code that is damaged or cannot be read
    is compiled again, and where none can be kept (no folder, no room) the code is used all the
    same.  Either is said once, as a warning of the logger ``litstool``.
*   **What is kept is checked before it is run**, since other machine code than the source's may
    answer wrongly or end the process.  A file has the digest of its content and of all that the
    code was made from, and is written whole or not at all.
*   **A change of any source that a kernel is made from counts**: of its own file, as numba has it,
    and of the kernels and constants that it uses from other files, which are part of its code.

Compiling is no part of the time that a computation is given.  So before its clock starts each
says by :func:`make_ready` what it is about to run, under a key that tells apart what is compiled
apart, such as the number of lines of a set of placements (see ``lits.rows``).
"""
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import functools
import hashlib
import logging
import os
import pickle
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import wait
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any

import numba
import numpy as np
from numba import njit
from numba.core.caching import FunctionCache, NullCache
from numba.core.serialize import dumps

from litstool.errors import printable
from litstool.search.threads import aside

_PACKAGE = __name__.partition(".")[0]
_DIGEST_SIZE = hashlib.sha256().digest_size
_LOOK_SECONDS = 0.1
_ANNOUNCED_SECONDS = 0.5
"""A shorter wait for compiling is not worth a word."""

_stamps: dict[object, bytes] = {}
"""For the function of each kernel a digest of all that its code is made from."""

LOADED, COMPILED = "loaded", "compiled"

made: Counter[str] = Counter()
"""How many forms of kernels this process has loaded, and begun to compile."""

_ready: set[Hashable] = set()
_told: set[str] = set()


# Kernels


def kernel(function: Callable[..., Any], *, allocates: bool = True) -> Any:
    """Declare a compiled function; it runs without the interpreter's lock.

    One that makes no arrays need not count who holds those that it is given, which numba does at
    every call of an inlined function, for every array of a tuple: see :func:`lean_kernel`.
    """
    _stamps[function] = _stamp(function)
    options: dict[str, Any] = {"_nrt": allocates}  # numba's own types leave this one out
    made: Any = njit(nogil=True, **options)(function)
    made._cache = _cache_of(function)
    return made


def lean_kernel(function: Callable[..., Any]) -> Any:
    """Declare a compiled function that makes no arrays, nor calls one that does."""
    return kernel(function, allocates=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Declare a function that becomes part of the kernels that call it."""
    _stamps[function] = _stamp(function)
    return njit(nogil=True, inline="always")(function)


def _stamp(function: Callable[..., Any]) -> bytes:
    """A digest of a function's file and of what it uses from other files of the package."""
    digest = hashlib.sha256(numba.__version__.encode())
    digest.update(_digest_of_file(function.__code__.co_filename))
    for name in sorted(_names(function.__code__) & function.__globals__.keys()):
        value = function.__globals__[name]
        source = getattr(value, "py_func", value)
        module = getattr(value, "__module__", None) or ""
        if isinstance(value, (int, float, str, tuple)):
            part = repr(value).encode()
        elif isinstance(value, np.ndarray):
            part = value.tobytes()
        elif isinstance(source, Hashable) and source in _stamps:
            part = _stamps[source]
        elif module.partition(".")[0] == _PACKAGE:
            part = _digest_of_file(sys.modules[module].__file__ or "")
        else:
            continue
        digest.update(name.encode() + part)
    return digest.digest()


def _names(code: CodeType) -> set[str]:
    """The names that code refers to, functions within it included."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _names(constant)
    return names


@functools.cache
def _digest_of_file(path: str) -> bytes:
    try:
        return hashlib.sha256(Path(path).read_bytes()).digest()
    except OSError:
        return b""  # Within an archive, say, whose code numba does not keep either.


# Keeping compiled code


def _cache_of(function: Callable[..., Any]) -> Any:
    try:
        return _Cache(function)
    except Exception as error:
        # No folder can be written, or this numba's cache is another one than is known here.
        return _NoCache("no folder for it can be written" if _is_no_folder(error) else str(error))


def _is_no_folder(error: Exception) -> bool:
    return isinstance(error, OSError) or "no locator available" in str(error)


class _NoCache(NullCache):  # type: ignore[misc]
    """Keeps nothing, and says so when there would be something to keep."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def load_overload(self, signature: Any, target: Any) -> None:
        made[COMPILED] += 1

    def save_overload(self, signature: Any, data: Any) -> None:
        _tell_not_kept(self.reason)


class _Cache(FunctionCache):  # type: ignore[misc]
    """The compiled forms of one kernel on disk.

    :raises RuntimeError: there is no folder for them.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file: Any = _Files(
            Path(self._cache_path), self._impl.filename_base, _stamps[function]
        )

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled form for a signature; None where there is none that can be used."""
        found = None
        try:
            found = super().load_overload(signature, target)
        except Exception as error:
            # Damage shows itself in many ways, here and in what numba makes of the content.
            what = "is damaged"
            if isinstance(error, OSError):
                what = f"cannot be read ({error.strerror})"
            _tell(f"compiled code in {self._cache_path} {what}, so it is compiled again")
        made[COMPILED if found is None else LOADED] += 1
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a compiled form, where that is possible."""
        try:
            super().save_overload(signature, data)
        except Exception as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            _tell_not_kept(f"{self._cache_path}: {reason}")


class _Files:
    """A file for each compiled form: two digests, of what it was made from and of the rest."""

    def __init__(self, folder: Path, name: str, stamp: bytes) -> None:
        self.folder = folder
        self.name = name
        self.stamp = stamp

    def path(self, key: object) -> Path:
        """The file of a form: the key has its types and the processor."""
        return (
            self.folder / f"{self.name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        )

    def load(self, key: object) -> Any:
        """The content; None where there is none, or it was made from another source.

        :raises ValueError: it is damaged.
        :raises OSError: it cannot be read.
        """
        try:
            content = self.path(key).read_bytes()
        except FileNotFoundError:
            return None
        stamp, rest = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
        digest, data = rest[:_DIGEST_SIZE], rest[_DIGEST_SIZE:]
        if len(stamp) == _DIGEST_SIZE and stamp != self.stamp:
            return None
        if digest != hashlib.sha256(stamp + data).digest():
            raise ValueError("the content is not what was written")
        return pickle.loads(data)

    def save(self, key: object, content: object) -> None:
        """Write the content, whole or not at all.

        :raises OSError: it cannot be written.
        """
        data = dumps(content)
        path = self.path(key)
        unfinished = path.with_name(f"{path.name}.tmp.{uuid.uuid4().hex[:16]}")
        try:
            with unfinished.open("xb") as file:
                file.write(self.stamp + hashlib.sha256(self.stamp + data).digest() + data)
            os.replace(unfinished, path)
        except BaseException:
            with suppress(OSError):
                unfinished.unlink()
            raise

    def flush(self) -> None:
        """Forget all forms."""
        for path in self.folder.glob(f"{self.name}.*.nbc"):
            path.unlink()


def _tell_not_kept(reason: str) -> None:
    _tell(
        f"compiled code cannot be kept ({reason}), so each start compiles again: "
        "set NUMBA_CACHE_DIR to a folder that can be written"
    )


def _tell(text: str) -> None:
    """Warn, once for each kind of trouble."""
    kind = text.partition("(")[0].partition(" in ")[0]
    if kind not in _told:
        _told.add(kind)
        logging.getLogger(_PACKAGE).warning("%s", printable(text))


# Waiting for it


def once(call: Callable[[], None] | None) -> Callable[[], None] | None:
    """The same call, made once at most: for an announcement that several waits share."""
    return None if call is None else functools.cache(call)


def make_ready(
    key: Hashable, run: Callable[[], object], on_compile: Callable[[], None] | None = None
) -> None:
    """Have what ``run`` uses loaded or compiled, once in this process for each key.

    ``on_compile`` is called once it is compiled and that takes more than a moment.  It runs in a
    thread of its own, so that Ctrl-C is heard at once and never in the middle of a compiler,
    which would be left in a state that it cannot go on from.  What ``run`` raises is raised.

    :raises KeyboardInterrupt: Ctrl-C; the thread goes on by itself.
    """
    if key in _ready:
        return
    before, started = made[COMPILED], time.monotonic()
    running = aside(run)
    while not running.done():
        wait([running], _LOOK_SECONDS)
        is_long = time.monotonic() - started >= _ANNOUNCED_SECONDS
        if on_compile is not None and is_long and made[COMPILED] > before and not running.done():
            on_compile()
            on_compile = None
    running.result()
    _ready.add(key)
