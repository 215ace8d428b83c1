"""Empty the caches of a vLLM server, so that a replay begins cold."""

import asyncio
import json
from http import HTTPStatus
from typing import Protocol

from arena.errors import ModelError
from arena.models.responses import HttpResponse

PREFIX = "/reset_prefix_cache?reset_external=true"
OTHERS = ("/reset_mm_cache", "/reset_encoder_cache")
TRIES = 20
PAUSE = 0.25
"""Seconds between two tries."""


class Poster(Protocol):
    """An endpoint, as far as it is needed here."""

    async def post(self, body: bytes, path: str) -> HttpResponse:
        """Return the answer to a request, or raise `EndpointUnavailableError`."""
        ...


async def emptied(server: Poster, *, pause: float = PAUSE) -> bool:
    """Empty the caches that `server` lets us; return whether it has a door for the prefix cache.

    vLLM answers 200 with `{"success": false}` while requests hold blocks (0.32,
    entrypoints/serve/dev/cache/api_router.py): it is asked again for some seconds. Raises
    `ModelError` where the cache is then still not empty.
    """
    for _ in range(TRIES):
        answer = await server.post(b"", PREFIX)
        if answer.status != HTTPStatus.OK or _succeeded(answer.content):
            break
        await asyncio.sleep(pause)
    else:
        raise ModelError(
            f"an empty prefix cache was wanted, but the server refused {TRIES} times to empty it; "
            f"somebody else's requests hold its blocks: wait until they are over"
        )
    for path in OTHERS:
        await server.post(b"", path)
    return answer.status == HTTPStatus.OK


def _succeeded(content: bytes) -> bool:
    """Tell whether the cache is empty: servers older than 0.32 say nothing but 200."""
    try:
        told: object = json.loads(content or b"{}")
    except ValueError:
        return True
    return not (isinstance(told, dict) and told.get("success") is False)  # pyright: ignore
