"""HTTP transport: the only file that sends requests, whatever the response."""

import html
import io
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import quote

import aiohttp

from arena.errors import EndpointUnavailableError
from arena.models import responses
from arena.models.address import EndpointAddress
from arena.models.http_errors import parse_retry_after, truncate_message

_CONNECT_SECONDS = 10.0
# vLLM's web server closes a connection after 5 s without traffic. A request that reuses it at that
# moment fails, so the client closes it earlier.
_KEEP_ALIVE_SECONDS = 4.0
_MAX_RESPONSE_BYTES = 32 * 1024 * 1024
_SINGLE_WRITE_BYTES = 1024 * 1024
"""A larger body is written in parts, so that it does not block the event loop."""


class HttpTransport:
    """HTTP session with the server at `address`. Made by `open_http_transport`."""

    def __init__(self, http: aiohttp.ClientSession, address: EndpointAddress) -> None:
        self.address = address
        self._http = http
        self._secrets = _quoted_forms(address.key)

    def __repr__(self) -> str:
        """Return the address without the key."""
        return f"HttpTransport({str(self.address)!r})"

    async def request(self, path: str, body: bytes | None = None) -> responses.HttpResponse:
        """Send GET, or POST with a body, and return the response.

        Raises `EndpointUnavailableError` where none comes.

        There is no timeout: the caller sets the deadline. Cancelling closes the connection, and
        the server then stops generating.
        """
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            async with self._http.request(
                "GET" if body is None else "POST",
                self.address.url + path,
                data=io.BytesIO(body) if body and len(body) > _SINGLE_WRITE_BYTES else body,
                headers=headers,
                allow_redirects=False,
            ) as response:
                return responses.HttpResponse(
                    status=response.status,
                    content=await _read(response),
                    retry_after=parse_retry_after(response.headers.get("Retry-After")),
                )
        except (aiohttp.ClientError, OSError) as error:
            reason = truncate_message(self.redact(_reason(error)))
            raise EndpointUnavailableError(
                f"{self.address.url} does not answer: {reason}"
            ) from error

    def error_text(self, response: responses.HttpResponse) -> str:
        """Return the server's error message for display: one line, the key redacted."""
        return truncate_message(self.redact(responses.parse_error(response.content)))

    def redact(self, text: str) -> str:
        """Return `text` with the key redacted in every encoding that a server may quote."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return text


@asynccontextmanager
async def open_http_transport(
    address: EndpointAddress, *, max_requests: int
) -> AsyncGenerator[HttpTransport]:
    """Open a session with `address`; its connections close at the end.

    `max_requests` is the number of requests that are in flight at once, at most.
    """
    bearer = {} if address.key is None else {"Authorization": f"Bearer {address.key}"}
    async with aiohttp.ClientSession(
        # One more, so that a health check never waits for a completion.
        connector=aiohttp.TCPConnector(
            limit=max_requests + 1, keepalive_timeout=_KEEP_ALIVE_SECONDS
        ),
        headers=bearer,
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
        cookie_jar=aiohttp.DummyCookieJar(),
    ) as http:
        yield HttpTransport(http, address)


async def _read(response: aiohttp.ClientResponse) -> bytes:
    content = bytearray()
    async for chunk in response.content.iter_any():
        content += chunk
        if len(content) > _MAX_RESPONSE_BYTES:
            raise aiohttp.ClientPayloadError(f"an answer of more than {_MAX_RESPONSE_BYTES} bytes")
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
            return responses.one_line(str(cause)) or type(cause).__name__


def _quoted_forms(key: str | None) -> tuple[str, ...]:
    """Return the encodings of `key` that a server may quote, the longest first."""
    if key is None:
        return ()
    forms = {key, json.dumps(key)[1:-1], html.escape(key), quote(key), quote(key, safe="")}
    return tuple(sorted(forms, key=len, reverse=True))
