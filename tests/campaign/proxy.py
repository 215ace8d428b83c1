"""Proxy between the orchestrator and the engine: it counts, delays and spoils completions.

`python -m tests.campaign.proxy PORT ENGINE-URL PLAN-FILE` serves until it is killed.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import aiohttp
from aiohttp import web

from tests.campaign.catalogue import SPOILS
from tests.campaign.journal import (
    AnsweredLine,
    AskedLine,
    JournalReader,
    JournalWriter,
    digest_of_body,
)
from tests.campaign.plan import Planned, PlanReader, ProxyPlan
from tests.campaign.spoils import Call

COMPLETIONS: Final = "/v1/chat/completions"
_MODELS: Final = "/v1/models"
_VERSION: Final = "/version"
_TOKENIZE: Final = "/tokenize"
_MOST_BYTES: Final = 1 << 29
_GONE: Final = 0
"""Status where the engine gave no answer."""


class Proxy:
    """Proxy of one engine. What it has spoilt already it knows from the journal."""

    def __init__(self, http: aiohttp.ClientSession, engine: str, plan: Path) -> None:
        self._http = http
        self._engine = engine
        self._plan = PlanReader(plan)
        self._journal: JournalWriter | None = None
        self._journal_path = ""
        self._spoilt: Counter[str] = Counter()
        self._trial_journal = ""
        self._spoilt_paths: Counter[str] = Counter()
        self._asked = 0

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request of any kind."""
        plan = self._plan.read()
        if plan.is_down:
            return _abort(request)
        body = await request.read()
        if request.path == COMPLETIONS:
            return await self._complete(request, body, plan)
        if plan.journal != self._trial_journal:
            self._trial_journal = plan.journal
            self._spoilt_paths.clear()
        if kind := _spoil(request.path, plan.paths, self._spoilt_paths):
            return await self._spoilt_answer(request, body, plan, kind)
        try:
            status, headers, content = await self._ask(request, body)
        except aiohttp.ClientError:
            return _abort(request)
        altered = _altered(request.path, body, content, plan)
        return web.Response(status=status, body=altered, headers=headers)

    async def _complete(
        self, request: web.Request, body: bytes, plan: ProxyPlan
    ) -> web.StreamResponse:
        journal = self._open(plan)
        digest = digest_of_body(body)
        kind = _spoil(digest, plan.spoils, self._spoilt)
        self._asked += 1
        number = f"{os.getpid()}-{self._asked}"
        journal.append(AskedLine(number=number, at=time.time(), digest=digest, spoilt=kind))
        status, is_delivered = _GONE, False
        try:
            await asyncio.sleep(plan.delay / 2)
            if kind:
                response = await self._spoilt_answer(request, body, plan, kind)
            else:
                found, headers, content = await self._ask(request, body)
                response = web.Response(status=found, body=content, headers=headers)
            await asyncio.sleep(plan.delay / 2)
            status = response.status
            await response.prepare(request)
            await response.write_eof()
            is_delivered = True
        except (aiohttp.ClientError, ConnectionError):
            return _abort(request)
        finally:
            journal.append(
                AnsweredLine(
                    number=number, until=time.time(), status=status, is_delivered=is_delivered
                )
            )
        return response

    async def _spoilt_answer(
        self, request: web.Request, body: bytes, plan: ProxyPlan, kind: str
    ) -> web.StreamResponse:
        async def ask_engine() -> bytes:
            return (await self._ask(request, body))[2]

        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        call = Call(request=request, key=key, deadline=plan.deadline, ask_engine=ask_engine)
        return await SPOILS[kind].answer(call)

    async def _ask(self, request: web.Request, body: bytes) -> tuple[int, dict[str, str], bytes]:
        kind = request.headers.get("Content-Type")
        async with self._http.request(
            request.method,
            self._engine + request.path_qs,
            data=body or None,
            headers={"Content-Type": kind} if kind else {},
            allow_redirects=False,
        ) as answer:
            kind = answer.headers.get("Content-Type", "application/json")
            return answer.status, {"Content-Type": kind}, await answer.read()

    def _open(self, plan: ProxyPlan) -> JournalWriter:
        if self._journal is None or self._journal_path != plan.journal:
            if self._journal is not None:
                self._journal.close()
            path = Path(plan.journal)
            before = JournalReader(path).entries()
            self._spoilt = Counter(one.asked.digest for one in before if one.asked.spoilt)
            self._journal, self._journal_path = JournalWriter(path), plan.journal
        return self._journal


def _spoil(name: str, spoils: Mapping[str, Planned], spoilt: Counter[str]) -> str:
    """Return the kind of spoilt answer of a digest or path, and count it; empty: none."""
    planned = spoils.get(name)
    if planned is None:
        return ""
    if planned.times is not None and spoilt[name] >= planned.times:
        return ""
    spoilt[name] += 1
    return planned.kind


def _altered(path: str, body: bytes, content: bytes, plan: ProxyPlan) -> bytes:
    if path == _MODELS and plan.card:
        found = json.loads(content)
        found["data"] = [{**card, **plan.card} for card in found["data"]]
        return json.dumps(found).encode()
    if path == _VERSION and plan.version:
        return json.dumps({"version": plan.version}).encode()
    if path == _TOKENIZE and plan.is_template_other and b'"messages"' in body:
        found = json.loads(content)
        return json.dumps({**found, "tokens": found["tokens"][::-1]}).encode()
    return content


def _abort(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _serve(port: int, engine: str, plan: Path) -> None:
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    async with aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0), timeout=aiohttp.ClientTimeout(total=None)
    ) as http:
        app = web.Application(client_max_size=_MOST_BYTES)
        app.router.add_route("*", "/{path:.*}", Proxy(http, engine, plan).handle)
        runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        await over.wait()
        await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
