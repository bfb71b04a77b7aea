"""Writing files: whole or not at all, over nothing that was read, one writer at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from litstool.errors import ReaderGone, UsageError, WriteError

_STREAMS = ("/dev/", "/proc/")
"""Where a name stands for an open stream or a device, whatever it leads to."""


def write_file(path: str | Path, data: str | bytes) -> None:
    """Write a file so that the old one is there until the new one is whole and on the disk.

    Text is written as UTF-8.  The permissions of an old file are kept, and a link stays one.
    What is no file (a pipe, a device, ``/dev/stdout``) is written to as it is.

    :raises WriteError: it cannot be written; the message says why.
    :raises ReaderGone: it is a pipe that nobody reads any more.
    """
    if isinstance(data, str):
        data = data.encode()
    path = Path(path)
    try:
        if _is_stream(path):
            _write_stream(path, data)
        else:
            _replace(Path(os.path.realpath(path)), data)
    except BrokenPipeError:
        raise ReaderGone("is no longer read", str(path)) from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def create_file(path: str | Path, data: str) -> None:
    """Write a new file whole; what is there already under that name stays as it is.

    :raises WriteError: there is something already, or it cannot be written; the message says which.
    """
    path = Path(path)
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        raise WriteError("is there already; give a new name", str(path)) from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    try:
        _replace(path, data.encode())
    except BaseException as error:
        with contextlib.suppress(OSError):
            path.unlink()
        if isinstance(error, (OSError, ValueError)):
            raise _unwritable(path, error) from None
        raise


def check_writable(path: str | Path) -> None:
    """See before long work that :func:`write_file` can write a file.

    :raises WriteError: it cannot; the message says why.
    """
    path = Path(path)
    try:
        if _is_stream(path):
            _check_access(path)
        else:
            real = Path(os.path.realpath(path))
            _old_file(real)
            file, beside = _file_beside(real)
            os.close(file)
            beside.unlink()
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


def check_outputs(
    outputs: Mapping[str, str | Path | None], inputs: Iterable[str | Path | None] = ()
) -> None:
    """See before the work that every file to write can be, and that none is lost by another.

    ``outputs`` maps the option that names a file to it; ``inputs`` are the arguments and files
    that are read, where they are files.  None stands for what was not given.

    :raises UsageError: an output is an input, or two outputs are one file.
    :raises WriteError: one cannot be written; the message says why.
    """
    read = [Path(each) for each in inputs if each is not None]
    written: dict[str, Path] = {}
    for option, name in outputs.items():
        if name is None:
            continue
        path = Path(name)
        for each in read:
            if _are_one(path, each):
                raise UsageError(f"{option} {name} would write over the input; give another name")
        for other, each in written.items():
            if _are_one(path, each):
                raise UsageError(
                    f"{other} and {option} are both to be written to {name}; "
                    "give each a name of its own"
                )
        check_writable(path)
        written[option] = path


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, where it is not there.

    :raises WriteError: it cannot be made; the message says why.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise WriteError("is a file, not a folder", str(path)) from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None


@contextlib.contextmanager
def locked(path: str | Path, wait: float = 60.0) -> Iterator[None]:
    """Hold a file for one writer, of all threads and programs: to read, change and write it.

    The lock is a file beside it, ``.NAME.lock``, which stays.  It is the system's own lock, so
    it ends with the program that holds it, however that ends.

    :raises WriteError: another holds it for longer than ``wait`` seconds, or there can be no
        lock there; the message says which.
    """
    from filelock import FileLock, Timeout

    real = Path(os.path.realpath(path))
    lock = FileLock(real.with_name(f".{real.name}.lock"))
    try:
        # A folder that is not there would be made.
        real.parent.stat()
        lock.acquire(timeout=wait)
    except Timeout:
        raise WriteError(
            "is held by another program; wait for its end, or give another file", str(path)
        ) from None
    except (OSError, ValueError, NotImplementedError) as error:
        raise _unwritable(path, error) from None
    try:
        yield
    finally:
        lock.release()


def _are_one(one: Path, other: Path) -> bool:
    """Whether two names are of one file, there already or still to be written."""
    try:
        if one.exists() and other.exists():
            # What is written to a device or a pipe is not there to be read.
            return one.samefile(other) and one.is_file()
        return os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):
        return False


def _is_stream(path: Path) -> bool:
    """Whether a name is of something open or a device, not of a file that can be replaced."""
    if os.path.abspath(path).startswith(_STREAMS):
        return True
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _write_stream(path: Path, data: bytes) -> None:
    """Write to what is open: our own streams go on where they are, where a file is behind them."""
    for number in (1, 2):
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                break
    else:
        path.write_bytes(data)
        return
    with open(number, "wb", closefd=False) as stream:
        stream.write(data)


def _check_access(path: Path) -> None:
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _old_file(path: Path) -> os.stat_result | None:
    """What is known of the file that is to be replaced; None where there is none."""
    try:
        old = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    _check_access(path)
    return old


def _replace(path: Path, data: bytes) -> None:
    old = _old_file(path)
    file, beside = _file_beside(path)
    try:
        with open(file, "wb") as stream:
            stream.write(data)
            if old is not None:
                _take_over(beside, old)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _file_beside(path: Path) -> tuple[int, Path]:
    """A new file in the same folder under a name that nobody knows, open for writing.

    Unlike :mod:`tempfile` it has the permissions of any new file.  It is made, never followed:
    a link of that name would be an error.
    """
    beside = path.with_name(f".litstool-{secrets.token_hex(8)}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.open(beside, flags, 0o666), beside


def _take_over(path: Path, old: os.stat_result) -> None:
    """Give a file the owner and the permissions of the one that it replaces."""
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(path, old.st_uid, old.st_gid)
    path.chmod(stat.S_IMODE(old.st_mode))


def _unwritable(path: str | Path, error: Exception) -> WriteError:
    reason = getattr(error, "strerror", None) or str(error)
    return WriteError(f"cannot be written: {reason}", str(path))
