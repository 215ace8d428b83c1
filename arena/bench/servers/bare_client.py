"""Bare client: posts the arena's requests and parses the replies, the floor of CPU per turn."""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from typing import Final

import aiohttp

from arena.bench.servers.proxy import ProxiedRequest
from arena.models.http.http_transport import REQUEST_ID

_JSON: Final = {"Content-Type": "application/json"}


async def replay_requests(url: str, posts: Sequence[ProxiedRequest], *, in_flight: int) -> float:
    """Post all `posts` to the server at `url`; return the CPU seconds of this process.

    Raises `aiohttp.ClientError` if the server rejects one, `ValueError` for a reply not in JSON.
    """
    waiting = iter(posts)
    async with aiohttp.ClientSession(raise_for_status=True) as http:
        began = time.process_time()
        async with asyncio.TaskGroup() as group:
            for _ in range(in_flight):
                group.create_task(_post_each(http, url, waiting))
        return time.process_time() - began


async def _post_each(
    http: aiohttp.ClientSession, url: str, posts: Iterator[ProxiedRequest]
) -> None:
    for post in posts:
        headers = {**_JSON, REQUEST_ID: post.request_id}
        async with http.post(url + post.path, data=post.body, headers=headers) as answer:
            json.loads(await answer.read())
