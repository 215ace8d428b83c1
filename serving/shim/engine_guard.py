"""Keeps strangers out of an engine: its web server runs this before anything else.

vLLM itself asks for its key on some paths only and answers to any name. A web page reaches
loopback under a name of its own, and every user of the host under the right one, so a request must
have both the server's own address and its key. This folder stands on the PYTHONPATH of an engine,
which is told by `--middleware engine_guard.Guard`; so this file uses the standard library alone.
"""

import hashlib
import hmac
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from typing import Any, Final

KEY_VARIABLE: Final = "ARENA_ENGINE_KEY"
"""Holds the key that an engine wants.

It is not vLLM's own: version 0.26 writes that one into its cache of compiled graphs, where others
can read it, and compiles again for each new key.
"""

_NAMES: Final = ("127.0.0.1", "localhost", "[::1]")
_HTTP_PORT: Final = 80
_OPEN: Final = "/health"
_CLOSED: Final = (
    "/docs",
    "/redoc",
    "/openapi.json",
    "/scale_elastic_ep",
    "/is_scaling_elastic_ep",
)

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Refusal = tuple[int, str]
"""The status and the line with which a request is refused."""


class Guard:
    """Refuses what does not call the server by its address, or does not show its key.

    The key is that of ARENA_ENGINE_KEY. An engine without one does not start.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._key = os.environ.get(KEY_VARIABLE, "")
        if not self._key:
            raise ValueError(f"an engine wants a key in {KEY_VARIABLE}, but it is empty or not set")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on; what is no request is handed on."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        refusal = self._refuse(scope)
        if refusal is None:
            return await self._app(scope, receive, send)
        if scope["type"] == "http":
            return await _answer(send, *refusal)
        # Closed before it was accepted: the web server answers with 403.
        return await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})

    def _refuse(self, scope: Scope) -> Refusal | None:
        _, port = scope.get("server") or ("", None)
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        refusal = refuse_host(_values(headers, b"host"), port)
        is_open = scope["type"] == "http" and scope["path"] == _OPEN
        if refusal is not None or is_open:
            return refusal
        refusal = refuse_key(_values(headers, b"authorization"), self._key)
        if refusal is None and re.sub("/+", "/", scope["path"]).startswith(_CLOSED):
            return HTTPStatus.NOT_FOUND, "this engine does not serve that path"
        return refusal


def refuse_host(hosts: list[str], port: int | None) -> Refusal | None:
    """Return why a request to a server at `port` of loopback is refused for its Host, if it is."""
    wanted = [f"{name}:{port}" for name in _NAMES]
    allowed = [*wanted, *(_NAMES if port == _HTTP_PORT else ())]
    if len(hosts) == 1 and hosts[0].lower() in allowed:
        return None
    return (
        HTTPStatus.MISDIRECTED_REQUEST,
        f"the host of a request must be one of {', '.join(wanted)}",
    )


def refuse_key(shown: list[str], key: str) -> Refusal | None:
    """Return why a request with these Authorization headers is refused, if it is."""
    scheme, _, given = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
    # Digests have one length, so the time of the comparison tells nothing of the key.
    same = hmac.compare_digest(_digest(given.strip()), _digest(key))
    if scheme.lower() == "bearer" and same:
        return None
    return HTTPStatus.UNAUTHORIZED, "the key of this server is wanted: Authorization: Bearer KEY"


def refusal_body(status: int, line: str) -> bytes:
    """Return the JSON that tells why a request was refused."""
    error = {"message": line, "type": "GuardError", "code": status}
    return json.dumps({"error": error}).encode()


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[str]:
    return [value.decode("latin-1") for header, value in headers if header.lower() == name]


async def _answer(send: Send, status: int, line: str) -> None:
    body = refusal_body(status, line)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *([(b"www-authenticate", b"Bearer")] if status == HTTPStatus.UNAUTHORIZED else []),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
