"""HTTP transport: the only file that sends requests."""

import io
import traceback
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from http import HTTPStatus
from secrets import token_hex
from typing import Final

import aiohttp

from arena.errors import EndpointUnavailableError
from arena.models.http import responses
from arena.models.http.address import EndpointAddress
from arena.models.http.http_errors import parse_retry_after, truncate_message
from arena.models.http.redaction import KeyRedactor

MAX_INFO_BYTES: Final = 4 * 1024 * 1024
"""Maximum bytes of a response about the server itself: its models, counters, or the tokens of a
text.
"""
REQUEST_ID: Final = "X-Request-Id"
"""Header from which vLLM names a request in its log. Other servers ignore it, while some reject an
unknown field of the body.
"""
SESSION_ID: Final = "X-Session-ID"
"""Header by which routers keep the requests of a match on one server."""

_MAX_ERROR_BYTES = 64 * 1024
_CONNECT_SECONDS = 10.0
# vLLM's web server closes a connection after 5 s without traffic. A request that reuses it at that
# moment fails, so the client closes it earlier.
_KEEP_ALIVE_SECONDS = 4.0
_SINGLE_WRITE_BYTES = 1024 * 1024
"""A larger body is written in parts, so that it does not block the event loop."""


class HttpTransport:
    """HTTP session with the server at `address`. Made by `open_http_transport`.

    `KeyRedactor` removes the key from responses before other code sees them.
    """

    def __init__(self, http: aiohttp.ClientSession, address: EndpointAddress) -> None:
        self.address = address
        self._http = http
        self._redactor = KeyRedactor(address.key)

    def __repr__(self) -> str:
        """Return the address without the key."""
        return f"HttpTransport({str(self.address)!r})"

    async def request(
        self,
        path: str,
        body: bytes | None = None,
        *,
        request_id: str = "",
        max_bytes: int = MAX_INFO_BYTES,
    ) -> responses.HttpResponse:
        """Send GET, or POST with a body, and return the response.

        A `request_id`, `match:call`, is sent with a suffix that is unique per send (`_unique_id`),
        and the match as the session.

        Raises `EndpointUnavailableError` if no response comes. Of a response longer than
        `max_bytes`, or an error longer than 64 KiB, the rest is not read: the connection is closed.

        There is no timeout: the caller sets the deadline. Cancelling closes the connection, and the
        server then stops generating.
        """
        headers = {} if body is None else {"Content-Type": "application/json"}
        if request_id:
            headers[REQUEST_ID] = _unique_id(request_id)
            headers[SESSION_ID] = _session(request_id)
        try:
            async with self._http.request(
                "GET" if body is None else "POST",
                self.address.url + path,
                data=io.BytesIO(body) if body and len(body) > _SINGLE_WRITE_BYTES else body,
                headers=headers,
                allow_redirects=False,
            ) as response:
                is_ok = response.status == HTTPStatus.OK
                return await self._read(
                    response, max_bytes if is_ok else min(max_bytes, _MAX_ERROR_BYTES)
                )
        except (aiohttp.ClientError, OSError) as error:
            reason = truncate_message(self.redact(_reason(error)))
            unavailable = EndpointUnavailableError(f"{self.address.url} does not answer: {reason}")
            # A traceback shows the cause too, which may quote what the server sent.
            shown = "".join(traceback.format_exception(error))
            raise unavailable from (error if self.redact(shown) == shown else None)

    def error_text(self, response: responses.HttpResponse) -> str:
        """Return the server's error message for display: one line, the key redacted."""
        text = responses.parse_error(response.content)
        too_long = "a response that is too long, " if response.is_truncated else ""
        return truncate_message(self.redact(f"{too_long}{text}"))

    def redact(self, text: str) -> str:
        """Return `text` with the key redacted in every encoding that a server may quote."""
        return self._redactor.redact_text(text)

    async def _read(
        self, response: aiohttp.ClientResponse, max_bytes: int
    ) -> responses.HttpResponse:
        # A part of the key at the cut would not be recognised, so more is read than is returned.
        margin = self._redactor.most_bytes
        content = bytearray()
        async for chunk in response.content.iter_any():
            content += chunk
            if len(content) > max_bytes + margin:
                response.close()
                break
        is_truncated = len(content) > max_bytes + margin
        read = bytes(content[: max_bytes + margin])
        redacted = self._redactor.redact_body(read)
        return responses.HttpResponse(
            status=response.status,
            content=redacted[: max(0, len(redacted) - margin)] if is_truncated else redacted,
            is_truncated=is_truncated,
            is_redacted=redacted != read,
            retry_after=parse_retry_after(response.headers.get("Retry-After")),
        )


@asynccontextmanager
async def open_http_transport(
    address: EndpointAddress, *, max_requests: int
) -> AsyncGenerator[HttpTransport]:
    """Open a session with `address`; its connections close at the end.

    `max_requests` is the maximum number of requests in flight.
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


def _session(request_id: str) -> str:
    """Return the match of `request_id` in ASCII."""
    return ascii(request_id)[1:-1].partition(":")[0]


def _unique_id(request_id: str) -> str:
    """Return `request_id` in ASCII, followed by `~` and eight random digits.

    Two runs can send the same id to one server, and so can a retry while the server still works on
    the first send; older versions of vLLM reject the id of a running request. The digits come last
    so that a simulated server can ignore them: then equal runs get equal replies.
    """
    return f"{ascii(request_id)[1:-1]}~{token_hex(4)}"


def _reason(error: Exception) -> str:
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "its host is unknown"
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
