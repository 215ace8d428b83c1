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
"""Seconds between two attempts."""


class CacheEndpoint(Protocol):
    """Endpoint of a server with caches."""

    async def post(self, body: bytes, path: str) -> HttpResponse:
        """Return the answer to a request, or raise `EndpointUnavailableError`."""
        ...


async def reset_cache(server: CacheEndpoint, *, pause: float = RETRY_SECONDS) -> bool:
    """Empty the caches of `server`; return whether it has a path for the prefix cache.

    vLLM answers 200 with `{"success": false}` while requests hold blocks (0.32,
    entrypoints/serve/dev/cache/api_router.py): the request is repeated for some seconds. Raises
    `ModelError` if the cache is still not empty then.
    """
    for _ in range(MAX_TRIES):
        answer = await server.post(b"", PREFIX_CACHE_PATH)
        if answer.status != HTTPStatus.OK or _is_reset(answer.content):
            break
        await asyncio.sleep(pause)
    else:
        raise ModelError(
            f"wanted an empty prefix cache, but the server refused {MAX_TRIES} times to empty "
            "it; requests of another client hold its blocks: wait until they end"
        )
    for path in OTHER_CACHE_PATHS:
        await server.post(b"", path)
    return answer.status == HTTPStatus.OK


def _is_reset(content: bytes) -> bool:
    """Tell whether the cache is empty: servers older than 0.32 answer only 200."""
    try:
        told: object = json.loads(content or b"{}")
    except ValueError:
        return True
    return not (isinstance(told, dict) and told.get("success") is False)  # pyright: ignore
