"""A fake OpenAI-compatible server: vLLM's face, deterministic replies, faults on demand.

In a test: `async with fake_server() as server`. As a program, to be killed or to die by itself:
`python -m tests.fakes.openai_server --port 8000 --faults '{"die_after": 5}'`, which writes its URL
to standard output when it is up.
"""

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, get_args

from aiohttp import web

from tests.fakes.face import FakeServer, live_on
from tests.fakes.faults import ContextWords, Faults, read_faults


@asynccontextmanager
async def fake_server(
    state: FakeServer | None = None, *, port: int = 0, **given: Any
) -> AsyncGenerator[FakeServer]:
    """Yield a server that runs on the loopback; `given` are fields of `FakeServer`."""
    server = state or FakeServer(**given)
    # Handlers are cancelled with their connection, as vLLM aborts a request.
    runner = web.AppRunner(
        server.app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1
    )
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port)
    await site.start()
    if server.die is live_on:
        server.die = site.stop
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()


async def _run(server: FakeServer, port: int) -> None:
    over = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, over.set)
    async with fake_server(server, port=port):
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await over.wait()


async def _exit() -> None:
    os._exit(3)


def main() -> None:
    """Serve until SIGTERM, or die as the command line says."""
    parser = argparse.ArgumentParser(description="a fake OpenAI-compatible server")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--model", action="append", default=[])
    parser.add_argument("--context", type=int, default=32768)
    parser.add_argument("--context-words", choices=get_args(ContextWords), default="vllm")
    parser.add_argument("--engine", default="vllm")
    parser.add_argument("--key", default="")
    parser.add_argument(
        "--faults",
        type=read_faults,
        default=Faults(),
        help='JSON of the fields of Faults, such as {"seconds": 0.1, "die_after": 5}',
    )
    words = parser.parse_args()
    server = FakeServer(
        models=tuple(words.model) or ("fake-vl",),
        context=words.context,
        context_words=words.context_words,
        engine=words.engine,
        key=words.key,
        faults=words.faults,
        die=_exit,
    )
    asyncio.run(_run(server, words.port))


if __name__ == "__main__":
    main()
