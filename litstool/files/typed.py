"""Lines that a person or a program types, one at a time, of any length and of any bytes."""

from __future__ import annotations

from typing import BinaryIO

from litstool.errors import NotationError

MOST_BYTES = 4096
"""No command and no game line is longer."""


def read_line(stream: BinaryIO) -> str | None:
    """The next line without its end; None at the end of the input.

    Memory is bounded whatever comes in.  After an error the next call goes on with the next line.

    :raises NotationError: the line is longer than ``MOST_BYTES`` or not UTF-8 text.
    """
    data = stream.readline(MOST_BYTES + 2)
    if not data:
        return None
    line = data.removesuffix(b"\n").removesuffix(b"\r")
    if len(line) > MOST_BYTES:
        while data and not data.endswith(b"\n"):
            data = stream.readline(64 * 1024)
        raise NotationError(f"the line is longer than {MOST_BYTES} bytes")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        byte = line[error.start]
        raise NotationError(f"the line is not UTF-8 text (byte 0x{byte:02x})") from None
