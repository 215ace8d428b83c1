"""Empty the caches of a vLLM server, so that a replay begins cold."""

import asyncio
import json
from http import HTTPStatus
from typing import Protocol

from arena.errors import ModelError
from arena.models.http.responses import HttpResponse

PREFIX_CACHE_PATH = "/reset_prefix_cache?reset_external=true"
OTHER_CACHE_PATHS = ("/reset_mm_cache", "/reset_encoder_cache")
MAX_TRIES = 20
RETRY_SECONDS = 0.25
"""Seconds between two tries."""


class CacheEndpoint(Protocol):
    """An endpoint, as far as it is needed here."""

    async def post(self, body: bytes, path: str) -> HttpResponse:
        """Return the answer to a request, or raise `EndpointUnavailableError`."""
        ...


async def reset_cache(server: CacheEndpoint, *, pause: float = RETRY_SECONDS) -> bool:
    """Empty the caches that `server` lets us; return whether it has a door for the prefix cache.

    vLLM answers 200 with `{"success": false}` while requests hold blocks (0.32,
    entrypoints/serve/dev/cache/api_router.py): it is asked again for some seconds. Raises
    `ModelError` where the cache is then still not empty.
    """
    for _ in range(MAX_TRIES):
        answer = await server.post(b"", PREFIX_CACHE_PATH)
        if answer.status != HTTPStatus.OK or _is_reset(answer.content):
            break
        await asyncio.sleep(pause)
    else:
        raise ModelError(
            f"an empty prefix cache was wanted, but the server refused {MAX_TRIES} times to empty "
            f"it; somebody else's requests hold its blocks: wait until they are over"
        )
    for path in OTHER_CACHE_PATHS:
        await server.post(b"", path)
    return answer.status == HTTPStatus.OK


def _is_reset(content: bytes) -> bool:
    """Tell whether the cache is empty: servers older than 0.32 say nothing but 200."""
    try:
        told: object = json.loads(content or b"{}")
    except ValueError:
        return True
    return not (isinstance(told, dict) and told.get("success") is False)  # pyright: ignore
