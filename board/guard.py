"""Keeps other web sites and other machines away from the board.

The board has no log-in yet, so it answers loopback names only, and acts only for its own pages.
"""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN_HEADER = "x-board-token"  # noqa: S105 the name of a header, not a secret
_READING = frozenset({"GET", "HEAD"})
_SHIELDS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}


def is_loopback(host: str) -> bool:
    """Say whether a Host header names this machine itself.

    Any other name is refused, so that a foreign name that resolves to us gets nothing.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def objection(method: str, headers: Mapping[str, str], token: str) -> str | None:
    """Return why a request must not be served, or None; header names in lower case."""
    host = headers.get("host", "")
    if not is_loopback(host):
        return "The board answers on this machine only."
    if method in _READING:
        return None
    if headers.get("origin") not in {f"http://{host}", f"https://{host}"}:
        return "Orders are taken from the board's own pages only."
    if headers.get(TOKEN_HEADER) != token:
        return "This page is older than the board. Load it again."
    return None


class Guard:
    """Refuses strange requests with 403 and sets the protective headers on every answer."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_shielded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_SHIELDS)
            await send(message)

        refused = objection(scope["method"], Headers(scope=scope), self._token)
        app = PlainTextResponse(refused, status_code=403) if refused else self._app
        await app(scope, receive, send_shielded)
