"""Running the server: its port, its first address, the browser, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from litstool.board.jobs import make_ready
from litstool.board.server import application
from litstool.board.talk import MOST_BYTES
from litstool.board.works import Bench
from litstool.errors import LitstoolError, UsageError
from litstool.search.control import stop_everything

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
USUAL_PORT = 8423
MOST_CONNECTIONS = 256
_SILENT_SECONDS = 15.0
"""How long a connection may say nothing before it has asked for anything."""

_ENDING_SECONDS = 2.0


def bound(host: str, port: int | None) -> socket.socket:
    """A socket that listens, on the port asked for, or the usual one, or else any free one.

    :raises UsageError: the port asked for is in use, or the host is none of this machine.
    """
    for each in [port] if port is not None else [USUAL_PORT, 0]:
        try:
            return _listening(host, each)
        except OSError as error:
            if error.errno in _NOT_OURS or isinstance(error, socket.gaierror):
                raise UsageError(f"--host {host}: this machine has no such address") from None
            if port is not None:
                free = _listening(host, 0)
                number = free.getsockname()[1]
                free.close()
                reason = (error.strerror or str(error)).lower()
                raise UsageError(f"--port {port}: {reason}; {number} is free") from None
    raise UsageError(f"there is no free port on {host}")


_NOT_OURS = (99, 10049)
"""The system's numbers for an address that is not of this machine."""


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(128)
    except BaseException:
        found.close()
        raise
    return found


class _Protocol(H11Protocol):
    """HTTP with a limit on connections, and on how long one may be silent."""

    def connection_made(self, transport: Any) -> None:
        if len(self.connections) >= MOST_CONNECTIONS:
            transport.abort()
            return
        super().connection_made(transport)
        self.loop.call_later(_SILENT_SECONDS, self._close_if_silent)

    def _close_if_silent(self) -> None:
        # A conversation has taken the connection over, so that it is none of these any more.
        if self.cycle is None and self in self.connections and not self.transport.is_closing():
            self.transport.close()


@dataclass
class Served:
    """A server to run: where it listens, and the address to open."""

    listening: socket.socket
    first: str | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def __post_init__(self) -> None:
        self.host, self.port = self.listening.getsockname()[:2]
        self.bench = Bench()
        named = f"[{self.host}]" if ":" in self.host else self.host
        self.base = f"http://{named}:{self.port}"
        hosts = {*LOOPBACK, named}
        if self.host in ("0.0.0.0", "::"):
            hosts |= {socket.gethostname().lower(), *_own_addresses()}
            self.base = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            application(self.bench, self.token, hosts, self.port, first=self.first),
            http=_Protocol,
            ws="websockets-sansio",
            ws_max_size=MOST_BYTES,
            ws_per_message_deflate=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=32 * 1024,
        )
        self.server = _Server(config)

    @property
    def address(self) -> str:
        """What is to be opened, with the token."""
        return f"{self.base}/?token={self.token}"

    def run(self, on_start: Callable[[], None]) -> bool:
        """Serve until Ctrl-C; whether everything had ended by itself at the end."""
        self.server.on_start = on_start
        threading.Thread(target=self._make_ready, daemon=True).start()
        try:
            asyncio.run(self.server.serve(sockets=[self.listening]))
        finally:
            stop_everything()
            ended = self.bench.close(_ENDING_SECONDS)
            self.listening.close()
        return ended

    def _make_ready(self) -> None:
        """Load what an analysis of the first position needs, before it is asked for."""
        with contextlib.suppress(LitstoolError):
            make_ready(self.first or "boxes")

    def open_browser(self) -> None:
        """Open the first address in the user's browser, without waiting for it."""
        threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()


class _Server(uvicorn.Server):
    """A server that ends at Ctrl-C with all that it works on, and says when it has begun."""

    on_start: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self.on_start()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {each: signal.signal(each, self._on_signal) for each in _SIGNALS}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _on_signal(self, number: int, frame: object) -> None:
        stop_everything()
        self.force_exit = self.should_exit
        self.should_exit = True


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _own_addresses() -> set[str]:
    """The addresses that this machine is known by, as far as it says."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return set()
    return {str(each[4][0]) for each in found}


def wait_until_started(served: Served, seconds: float = 10.0) -> None:
    """Wait for a server that another thread runs."""
    end = time.monotonic() + seconds
    while not served.server.started and time.monotonic() < end:
        time.sleep(0.01)
