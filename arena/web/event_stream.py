"""Server-sent events: numbered messages, which a browser resumes after a lost connection."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

from aiohttp import web

END_MESSAGE: Final = "event: over\ndata:\n\n"
"""End of the stream: the browser must not reconnect."""
_MAX_DIGITS: Final = 8


def encode_event(number: int, html: str) -> str:
    """Return an event as a message; one without content still advances the number."""
    return f"id: {number}\n{_data(html)}"


def encode_change(html: str) -> str:
    """Return elements that replace those with their ids; the number does not change."""
    return f"event: change\n{_data(html)}"


def _data(html: str) -> str:
    lines = "\n".join(f"data: {line}" for line in html.split("\n"))
    return f"{lines}\n\n"


def last_event_id(request: web.Request) -> int:
    """Return the number of the last event that the browser has; 0: it has none."""
    text = request.headers.get("Last-Event-ID") or request.query.get("after", "")
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS
    return int(text) if is_number else 0


async def send_stream(request: web.Request, messages: AsyncIterator[str]) -> web.StreamResponse:
    """Send `messages` until they end or the browser leaves."""
    response = web.StreamResponse(headers={"Cache-Control": "no-store"})
    response.content_type = "text/event-stream"
    with suppress(ConnectionResetError):
        await response.prepare(request)
        async for message in messages:
            await response.write(message.encode())
    return response
