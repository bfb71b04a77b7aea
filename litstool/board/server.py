"""The application: the page's files, and a conversation with each page."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from litstool.board.guard import Guard
from litstool.board.talk import Talk
from litstool.board.works import Bench
from litstool.draw.page import TEMPLATES

PAGE = Path(__file__).parent / "page"

MOST_PAGES = 64
"""Pages that may be open at a time."""

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


def files() -> dict[str, Path]:
    """The files of the page by address; there are no others, whatever an address says."""
    found = {f"/{path.name}": path for path in PAGE.iterdir() if path.suffix in _TYPES}
    found["/"] = found.pop("/index.html")
    found["/drawing.css"] = TEMPLATES / "style.css"
    return found


def application(
    bench: Bench, token: str, hosts: Iterable[str], port: int, first: str | None = None
) -> ASGIApp:
    """The whole application behind its guard; ``first`` is the position to begin with."""
    known = files()
    open_pages: set[Talk] = set()

    async def file(request: Request) -> Response:
        path = known.get(request.url.path)
        if path is None:
            return PlainTextResponse("There is nothing here.\n", 404)
        return FileResponse(path, media_type=_TYPES[path.suffix])

    async def talk(socket: WebSocket) -> None:
        if len(open_pages) >= MOST_PAGES:
            await socket.close(1013)
            return
        conversation = Talk(socket, bench, first)
        open_pages.add(conversation)
        try:
            await conversation.run()
        except asyncio.CancelledError:
            # The server ends.
            return
        finally:
            open_pages.discard(conversation)

    routes = [WebSocketRoute("/talk", talk), Route("/{path:path}", file)]
    return Guard(Starlette(routes=routes), token, hosts, port)
