"""Who may speak to the server: the page that it served itself, on this machine, and nobody else.

Another site's script cannot reach it: it does not know the token, its Origin is another, and a name
that it lets point to this machine is no Host of ours.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, QueryParams
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN = "token"

_NO_TOKEN = (
    "This page belongs to someone who has started `litstool board`.\n\n"
    "If that is you, open the whole address that the command printed.\n"
)


class Guard:
    """An application behind the checks, with the headers of security on every answer."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str], port: int) -> None:
        self.app = app
        self.token = token
        self.hosts = {f"{host}:{port}" for host in hosts}
        self.cookie = f"litstool-{port}"
        # A policy cannot name an address in brackets; where that matters, 'self' has it.
        sockets = " ".join(f"ws://{host}" for host in sorted(self.hosts) if "[" not in host)
        self.headers = {
            "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
            f"img-src 'self' data: blob:; font-src 'self'; connect-src 'self' {sockets}; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = [(name.lower().encode(), text.encode()) for name, text in self._headers()]
                message = {**message, "headers": [*message.get("headers", []), *named]}
            await send(message)

        refusal = self.refusal(scope)
        if refusal is None:
            await self.app(scope, receive, with_headers)
        elif scope["type"] == "http":
            await refusal(scope, receive, with_headers)
        else:
            # Before it is accepted: the handshake is answered with 403.
            await send({"type": "websocket.close", "code": 1008})

    def _headers(self) -> Iterable[tuple[str, str]]:
        return self.headers.items()

    def refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that is not let through; None where it is."""
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self.hosts:
            return PlainTextResponse("This server is not called so.\n", 421)
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("Only GET is answered.\n", 405)
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in self.hosts}:
            return PlainTextResponse("Not for other sites.\n", 403)
        if scope["type"] == "websocket" and origin is None:
            # Every browser says where a script is from.
            return PlainTextResponse("Not for other programs.\n", 403)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return PlainTextResponse("Not for other sites.\n", 403)
        given = QueryParams(scope["query_string"]).get(TOKEN)
        if given is not None and self._is_right(given) and scope["type"] == "http":
            # From here on the cookie says it, so that the address can be shown and kept.
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
            return answer
        if not self._is_right(self._from_cookie(headers)):
            return PlainTextResponse(_NO_TOKEN, 403)
        return None

    def _is_right(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self.token.encode())

    def _from_cookie(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value
