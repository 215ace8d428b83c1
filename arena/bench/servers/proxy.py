"""Proxy between the arena and a server, which records or changes each request of a benchmark."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import aiohttp
from aiohttp import web

from arena.models.http.http_transport import REQUEST_ID
from serving.process.ports import LOOPBACK

_MAX_BYTES: Final = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxiedRequest:
    """One request for a completion, as sent."""

    path: str
    body: bytes
    request_id: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Additional headers."""


@asynccontextmanager
async def open_proxy(
    url: str, change: Callable[[ProxiedRequest], ProxiedRequest]
) -> AsyncGenerator[str]:
    """Yield the URL of a proxy of the server at `url`.

    It forwards what `change` returns for each request of a match: those with an id.
    """

    async def forward(request: web.Request) -> web.Response:
        body = await request.read()
        headers = {"Content-Type": request.content_type} if body else {}
        if REQUEST_ID in request.headers:
            name = request.headers[REQUEST_ID]
            post = change(ProxiedRequest(path=request.path, body=body, request_id=name))
            body, headers = post.body, {**headers, REQUEST_ID: name, **post.headers}
        async with http.request(
            request.method, url + request.path_qs, data=body or None, headers=headers
        ) as answer:
            return web.Response(
                body=await answer.read(), status=answer.status, content_type=answer.content_type
            )

    app = web.Application(client_max_size=_MAX_BYTES)
    app.router.add_route("*", "/{path:.*}", forward)
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
    await runner.setup()
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=None)
    ) as http:
        try:
            await web.TCPSite(runner, LOOPBACK, 0).start()
            yield f"http://{LOOPBACK}:{runner.addresses[0][1]}"
        finally:
            await runner.cleanup()
