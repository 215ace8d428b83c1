"""The one file that speaks HTTP: to a server at an address, whatever it answers."""

import html
import io
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import quote

import aiohttp

from arena.errors import DownError
from arena.models import wire
from arena.models.address import Address
from arena.models.outcomes import clipped, retry_after

_CONNECT_SECONDS = 10.0
# vLLM's web server closes a connection that was idle for 5 s; one that is reused in that very
# moment fails.
_KEEP_ALIVE_SECONDS = 4.0
_MOST_BYTES = 32 * 1024 * 1024
_AT_ONCE_BYTES = 1024 * 1024
"""A larger body is handed over in pieces, so that the event loop is not held up."""


class Door:
    """A session with the server at `address`. Made by `open_door`."""

    def __init__(self, http: aiohttp.ClientSession, address: Address) -> None:
        self.address = address
        self._http = http
        self._secrets = _spellings(address.key)

    def __repr__(self) -> str:
        """Return where it leads, never the key."""
        return f"Door({str(self.address)!r})"

    async def ask(self, path: str, body: bytes | None = None) -> wire.Answer:
        """Return the answer to GET, or with a body to POST; `DownError` where none came.

        Waits as long as the server does: a deadline is the caller's scope. Cancelling closes
        the connection, by which the server knows to stop.
        """
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            async with self._http.request(
                "GET" if body is None else "POST",
                self.address.url + path,
                data=io.BytesIO(body) if body and len(body) > _AT_ONCE_BYTES else body,
                headers=headers,
                allow_redirects=False,
            ) as response:
                return wire.Answer(
                    status=response.status,
                    content=await _read(response),
                    retry_after=retry_after(response.headers.get("Retry-After")),
                )
        except (aiohttp.ClientError, OSError) as error:
            reason = clipped(self.hidden(_reason(error)))
            raise DownError(f"{self.address.url} does not answer: {reason}") from error

    def said(self, answer: wire.Answer) -> str:
        """Return what the server says is wrong, fit to be shown: one line, the key struck out."""
        return clipped(self.hidden(wire.fault(answer.content)))

    def hidden(self, text: str) -> str:
        """Return `text` with the key struck out, however it is written there."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


@asynccontextmanager
async def open_door(address: Address, *, concurrency: int) -> AsyncGenerator[Door]:
    """Yield the door to `address`; its connections are closed at the end.

    `concurrency` is the most requests that are ever in flight.
    """
    bearer = {} if address.key is None else {"Authorization": f"Bearer {address.key}"}
    async with aiohttp.ClientSession(
        # One more, so that a look at the server's health never waits for a reply.
        connector=aiohttp.TCPConnector(
            limit=concurrency + 1, keepalive_timeout=_KEEP_ALIVE_SECONDS
        ),
        headers=bearer,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as http:
        yield Door(http, address)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_any():
        content += chunk
        if len(content) > _MOST_BYTES:
            raise aiohttp.ClientPayloadError(f"an answer of more than {_MOST_BYTES} bytes")
    return bytes(content)


def _reason(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its host is not known"
    cause = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    match cause:
        case ConnectionRefusedError():
            return "connection refused"
        case aiohttp.ServerDisconnectedError() | ConnectionResetError():
            return "it closed the connection"
        case TimeoutError():
            return f"no connection within {_CONNECT_SECONDS:g} s"
        case _:
            return wire.one_line(str(cause)) or type(cause).__name__


def _spellings(key: str | None) -> tuple[str, ...]:
    """Return how a server may write `key` when it quotes it, the longest first."""
    if key is None:
        return ()
    forms = {key, json.dumps(key)[1:-1], html.escape(key), quote(key), quote(key, safe="")}
    return tuple(sorted(forms, key=len, reverse=True))
