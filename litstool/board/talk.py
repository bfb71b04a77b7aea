"""The conversation with one page: questions with a number each, answers, and works that go on.

The page sends ``{"id": 1, "ask": "view", "with": {...}}`` and ``{"stop": 1}``; it is answered with
``{"id": 1, "done": {...}}`` or ``{"id": 1, "error": {...}}``, and before that, of works, any number
of ``{"id": 1, "part": {...}}``.  What is no such message is answered with an error and forgotten.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from anyio import CapacityLimiter, to_thread
from starlette.websockets import WebSocket, WebSocketDisconnect

from litstool.board import desk, shelf
from litstool.board.fields import Fields
from litstool.board.jobs import WORKS, Job
from litstool.board.works import Bench, Busy, Lane, Part, Work, error_document
from litstool.errors import UsageError
from litstool.search.control import Control

MOST_BYTES = 2 * 1024 * 1024
"""Of one message."""

MOST_ASKED, MOST_WORKS = 32, 6
"""What one page may have asked, and have worked on, at a time."""

_MOST_UNSENT = 64
"""Messages that a page has not yet taken, beyond which parts of works are left out."""

ASKS: dict[str, Callable[[Fields], Part]] = {
    "open": desk.opened,
    "view": desk.view,
    "play": desk.play,
    "grid": desk.grid,
    "set up": desk.set_up,
    "write": desk.write,
    "picture": desk.picture,
    "report": desk.report,
    "puzzles": shelf.listed,
    "puzzle": shelf.puzzle,
}
"""What is answered at once."""


class Talk:
    """One page's conversation, from its beginning to its end."""

    def __init__(self, socket: WebSocket, bench: Bench, first: str | None) -> None:
        self.socket = socket
        self.bench = bench
        self.first = first
        self.works: dict[int, Work] = {}
        self.asked: set[asyncio.Task[None]] = set()
        self.unsent: asyncio.Queue[str] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()

    async def run(self) -> None:
        """Talk until the page goes; whatever is still worked on for it is stopped then."""
        await self.socket.accept()
        sender = asyncio.create_task(self._send_all())
        try:
            while True:
                message = await self.socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                self._hear(message.get("text"))
        except WebSocketDisconnect:
            return
        finally:
            for work in self.works.values():
                work.stop()
            sender.cancel()

    async def _send_all(self) -> None:
        while True:
            await self.socket.send_text(await self.unsent.get())

    def _hear(self, text: str | None) -> None:
        number: int | None = None
        try:
            message = _read(text)
            if "stop" in message:
                self._stop(message["stop"])
                return
            number = _number(message)
            name, values = message.get("ask"), message.get("with", {})
            if not isinstance(name, str) or not isinstance(values, dict):
                raise UsageError("a message needs the name of what is asked, and with what")
            self._answer(number, name, Fields(values))
        except (UsageError, Busy) as error:
            self._tell(number, "error", error_document(error))

    def _stop(self, number: object) -> None:
        if not isinstance(number, int):
            raise UsageError("stop should be the number of a question")
        if (work := self.works.pop(number, None)) is not None:
            work.stop()

    def _answer(self, number: int, name: str, fields: Fields) -> None:
        if name == "hello":
            self._ask(number, lambda _: desk.hello(self.first), fields)
        elif name in ASKS:
            self._ask(number, ASKS[name], fields)
        elif name in WORKS:
            self._work(number, name, fields)
        else:
            raise UsageError(f"nothing is called {name[:40]!r}")

    def _ask(self, number: int, answer: Callable[[Fields], Part], fields: Fields) -> None:
        if len(self.asked) >= MOST_ASKED:
            raise Busy("too much is asked at once")
        task = asyncio.create_task(self._answered(number, answer, fields))
        self.asked.add(task)
        task.add_done_callback(self.asked.discard)

    async def _answered(
        self, number: int, answer: Callable[[Fields], Part], fields: Fields
    ) -> None:
        try:
            found = await to_thread.run_sync(answer, fields, limiter=_limiter())
        except Exception as error:
            self._tell(number, "error", error_document(error))
        else:
            self._tell(number, "done", found)

    def _work(self, number: int, name: str, fields: Fields) -> None:
        if len(self.works) >= MOST_WORKS:
            raise Busy("too much is worked on for this page")
        lane_name, begin = WORKS[name]
        lane: Lane = getattr(self.bench, lane_name)
        control = Control()
        tell = partial(self._tell_from_thread, number)
        steps = begin(Job(fields, control, partial(tell, "part"), lambda: lane.is_crowded))
        self.works[number] = work = Work(steps, tell, control)
        lane.add(work)

    def _tell_from_thread(self, number: int, kind: str, what: Part) -> None:
        try:
            self.loop.call_soon_threadsafe(self._tell_of_work, number, kind, what)
        except RuntimeError:
            # The server has ended meanwhile.
            return

    def _tell_of_work(self, number: int, kind: str, what: Part) -> None:
        if number not in self.works:
            return
        if kind != "part":
            del self.works[number]
        elif self.unsent.qsize() > _MOST_UNSENT:
            return
        self._tell(number, kind, what)

    def _tell(self, number: int | None, kind: str, what: Part) -> None:
        self.unsent.put_nowait(json.dumps({"id": number, kind: what}, ensure_ascii=False))


def _limiter() -> CapacityLimiter:
    """What is answered at once by threads; one for each server."""
    global _shared
    if _shared is None:
        _shared = CapacityLimiter(4)
    return _shared


_shared: CapacityLimiter | None = None


def _read(text: str | None) -> dict[str, Any]:
    """A message.

    :raises UsageError: it is none.
    """
    if text is None:
        raise UsageError("a message should be text")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise UsageError("a message should be JSON") from None
    if not isinstance(message, dict):
        raise UsageError("a message should be a JSON object")
    return message


def _number(message: dict[str, Any]) -> int:
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 1 << 53:
        raise UsageError("a message needs a whole number as its id")
    return number
