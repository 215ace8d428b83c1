"""A fake OpenAI-compatible server: vLLM's face, deterministic replies, faults on demand.

In a test: `async with fake_server() as server`. As a program, to be killed or to die by itself:
`python -m tests.fakes.openai_server --port 8000 --faults '{"die_after": 5}'`, which writes its URL
to standard output when it is up.
"""

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, get_args

from aiohttp import web

from tests.fakes.faults import ContextWords, Faults, read_faults, too_long
from tests.fakes.replies import PrefixCache, prompt_of, reply_to, tokens_of


async def _live_on() -> None:
    """Stand in until the server runs and can really end."""


@dataclass(slots=True, kw_only=True)
class FakeServer:
    """The server's state; `url` leads to it while it runs."""

    models: tuple[str, ...] = ("fake-vl",)
    context: int | None = 32768
    context_words: ContextWords = "vllm"
    engine: str = "vllm"
    """Empty: a server that says nothing of itself."""
    key: str = ""
    faults: Faults = field(default_factory=Faults)
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Every chat request that came, refused ones too."""
    keys: list[str] = field(default_factory=list[str])
    """Their Authorization headers."""
    answered: int = 0
    aborted: int = 0
    """Requests whose client went away before the answer."""
    dropped: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the first of them did."""
    busy: int = 0
    most_busy: int = 0
    cache: PrefixCache = field(default_factory=PrefixCache)
    die: Callable[[], Awaitable[None]] = field(default=_live_on)

    def app(self) -> web.Application:
        """Return the web application that serves this state."""
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_get("/health", self._health)
        app.router.add_get("/version", self._version)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/v1/chat/completions", self._chat)
        return app

    async def _health(self, request: web.Request) -> web.Response:
        if self._ended() and request.transport:
            request.transport.abort()
        return web.Response(status=self.faults.status if self.faults.failing else 200)

    async def _version(self, request: web.Request) -> web.Response:
        if not self.engine:
            raise web.HTTPNotFound
        return web.json_response({"version": "0.32.0"})

    async def _models(self, request: web.Request) -> web.Response:
        if not self._may(request):
            return self._error(request, 401, "Unauthorized")
        cards: list[dict[str, Any]] = [
            {"id": name, "object": "model", "owned_by": self.engine} for name in self.models
        ]
        for card in cards:
            if self.engine:
                card["max_model_len"] = self.context
        return web.json_response({"object": "list", "data": cards})

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        self.bodies.append(body)
        self.keys.append(request.headers.get("Authorization", ""))
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        try:
            if await self._dropped(request):
                return web.Response()
            return self._refusal(request, body) or self._reply(body)
        except asyncio.CancelledError:
            self.aborted += 1
            self.dropped.set()
            raise
        finally:
            self.busy -= 1

    async def _dropped(self, request: web.Request) -> bool:
        """Wait, then return whether the connection was closed without an answer."""
        faults = self.faults
        if self._ended():
            await self.die()
        elif faults.closing:
            faults.closing -= 1
        else:
            await asyncio.sleep(faults.seconds)
            return False
        if request.transport:
            request.transport.abort()
        return True

    def _ended(self) -> bool:
        return self.faults.die_after is not None and self.answered >= self.faults.die_after

    def _refusal(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        faults = self.faults
        if not self._may(request):
            return self._error(request, 401, "Unauthorized")
        if faults.failing:
            faults.failing -= 1
            return self._error(request, faults.status, faults.words)
        if faults.garbage:
            faults.garbage -= 1
            page = f"<html>a proxy's page {self._quoted(request)}</html>"
            return web.Response(text=page, content_type="text/html")
        return self._fault_of(request, body)

    def _fault_of(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        if body["model"] not in self.models:
            return self._error(request, 404, f"The model `{body['model']}` does not exist.")
        for name in sorted(self.faults.refused):
            if name in body or (name == "uuid" and '"uuid"' in json.dumps(body["messages"])):
                return self._unknown_field(request, name)
        if self.context is None:
            return None
        prompt = tokens_of(prompt_of(body["messages"]))
        words = too_long(
            self.context_words, prompt=prompt, asked=_limit(body), context=self.context
        )
        return self._error(request, 400, words) if words else None

    def _reply(self, body: dict[str, Any]) -> web.Response:
        prompt = prompt_of(body["messages"])
        asked = _limit(body)
        # vLLM answers with as many tokens as the context leaves.
        most = min(asked, (self.context or asked + tokens_of(prompt)) - tokens_of(prompt))
        whole = reply_to(body, unconstrained=self.faults.unconstrained)
        text = whole[: most * 4]
        cached = self.cache.cached_tokens(prompt)
        self.cache.keep(prompt + text)
        self.answered += 1
        usage: dict[str, Any] = {
            "prompt_tokens": tokens_of(prompt),
            "completion_tokens": tokens_of(text),
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop" if text == whole else "length",
        }
        return web.json_response({"model": body["model"], "choices": [choice], "usage": usage})

    def _unknown_field(self, request: web.Request, name: str) -> web.Response:
        match self.faults.wording:
            case "pydantic":
                loc = ["body", "messages", 0, name] if name == "uuid" else ["body", name]
                place = {"type": "extra_forbidden", "loc": loc, "msg": "Extra inputs are forbidden"}
                # As FastAPI does: the whole input comes back with the fault.
                place["input"] = "uuid max_tokens structured_outputs response_format"
                return web.json_response({"detail": [place]}, status=422)
            case "openai":
                return self._error(request, 400, f"Unsupported parameter: '{name}'.", param=name)
            case "vague":
                return self._error(request, 400, "the request has unknown fields")
            case "backend":
                return self._error(request, 501, "this backend knows no JSON schema or grammar")

    def _may(self, request: web.Request) -> bool:
        return not self.key or request.headers.get("Authorization") == f"Bearer {self.key}"

    def _quoted(self, request: web.Request) -> str:
        return request.headers.get("Authorization", "") if self.faults.quote_key else ""

    def _error(
        self, request: web.Request, status: int, words: str, *, param: str | None = None
    ) -> web.Response:
        message = f"{words} {self._quoted(request)}".strip()
        error = {"message": message, "code": status, "param": param}
        headers = {"Retry-After": self.faults.retry_after} if self.faults.retry_after else None
        return web.json_response({"error": error}, status=status, headers=headers)


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
    if server.die is _live_on:
        server.die = site.stop
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()


def _limit(body: dict[str, Any]) -> int:
    return body.get("max_tokens") or body.get("max_completion_tokens") or 4096


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
