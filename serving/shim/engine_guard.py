"""Access control of an engine: middleware that checks every request.

vLLM checks its key on some paths only and accepts any Host header. A web page can reach loopback
under its own host name, and every local user under the right one, so a request must have both the
server's address as Host and its key. The engine loads this file by `--middleware
engine_guard.Guard` from its PYTHONPATH, so it uses only the standard library.
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
"""The variable with the key that an engine requires.

It is not VLLM_API_KEY: vLLM 0.26 writes that key into its cache of compiled graphs, where other
users can read it, and recompiles for each new key.
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
"""The HTTP status and the message of a refusal."""


class Guard:
    """Refuses requests without the server's address as Host, or without its key.

    The key is in ARENA_ENGINE_KEY. An engine without a key does not start.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._key = os.environ.get(KEY_VARIABLE, "")
        if not self._key:
            raise ValueError(f"an engine needs a key in {KEY_VARIABLE}, but it is empty or not set")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on; other scopes are passed on."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        refusal = self._refuse(scope)
        if refusal is None:
            return await self._app(scope, receive, send)
        if scope["type"] == "http":
            return await _answer(send, *refusal)
        # Closing before accepting makes the web server answer with 403.
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
    """Return the refusal of a wrong Host header at `port` of loopback, or None."""
    wanted = [f"{name}:{port}" for name in _NAMES]
    allowed = [*wanted, *(_NAMES if port == _HTTP_PORT else ())]
    if len(hosts) == 1 and hosts[0].lower() in allowed:
        return None
    return (
        HTTPStatus.MISDIRECTED_REQUEST,
        f"the host of a request must be one of {', '.join(wanted)}",
    )


def refuse_key(shown: list[str], key: str) -> Refusal | None:
    """Return the refusal of missing or wrong Authorization headers, or None."""
    scheme, _, given = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
    # Digests have equal lengths, so the comparison time reveals nothing about the key.
    same = hmac.compare_digest(_digest(given.strip()), _digest(key))
    if scheme.lower() == "bearer" and same:
        return None
    return HTTPStatus.UNAUTHORIZED, "this server requires its key: Authorization: Bearer KEY"


def refusal_body(status: int, line: str) -> bytes:
    """Return the JSON body of a refusal."""
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
