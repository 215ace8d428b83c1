"""A router that forwards in turn, started as vllm-router is; it logs what it was given.

`ROUTER_LOG` names a file: one JSON line for its start, and one for each completion.
"""

import argparse
import json
import os
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web


def main() -> None:
    """Serve until the process ends, or end at once with a reason where there is no worker."""
    parser = argparse.ArgumentParser()
    for name in ("--host", "--policy", "--prometheus-port", "--log-level"):
        parser.add_argument(name, required=True)
    parser.add_argument("--worker-startup-check-interval", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--worker-urls", nargs="+", required=True)
    parser.add_argument("--enable-program-scheduling", action="store_true")
    parser.add_argument("--program-scheduling-config-json", default="null")
    words = parser.parse_args()
    urls: list[str] = words.worker_urls
    if os.environ.get("ROUTER_FAULT"):
        sys.exit(os.environ["ROUTER_FAULT"])
    scheduling = json.loads(words.program_scheduling_config_json)
    _log(policy=words.policy, workers=len(urls), scheduling=scheduling)
    workers = cycle(enumerate(urls))

    async def forward(request: web.Request) -> web.Response:
        number, url = next(workers)
        body = await request.read()
        if request.path == "/v1/chat/completions":
            _log(worker=number, xargs=json.loads(body).get("vllm_xargs"),
                 session=request.headers.get("X-Session-ID"))  # fmt: skip
        names = {"Content-Type", "X-Request-Id"} & request.headers.keys()
        headers = {name: request.headers[name] for name in names}
        async with (
            aiohttp.ClientSession() as http,
            http.request(request.method, url + request.path, data=body, headers=headers) as told,
        ):
            return web.Response(
                body=await told.read(), status=told.status, content_type=told.content_type
            )

    app = web.Application(client_max_size=2**30)
    app.router.add_route("*", "/{path:.*}", forward)
    web.run_app(app, host=words.host, port=words.port, print=lambda *_: None)


def _log(**line: Any) -> None:
    if place := os.environ.get("ROUTER_LOG"):
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


main()
