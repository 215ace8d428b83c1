"""Router of vLLM servers in its own process, and a proxy that adds program ids for it."""

import asyncio
import json
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from http import HTTPStatus
from time import monotonic
from typing import Final, Literal

import aiohttp

from arena.bench.servers.proxy import ProxiedRequest, open_proxy
from arena.models.http.http_transport import SESSION_ID
from serving.engine_sim.cost_model.engine_profile import EngineProfile
from serving.errors import EngineError
from serving.process.ports import LOOPBACK, free_port

_START_SECONDS: Final = 60.0
_POLL_SECONDS: Final = 0.1
ProgramUnit = Literal["match", "seat"]
"""Unit that the router receives as session and program of a request."""


@asynccontextmanager
async def open_router(
    program: str, servers: Sequence[str], *, policy: str, scheduling: Mapping[str, object] | None
) -> AsyncGenerator[str]:
    """Yield the URL of a router before `servers`, in a process that stops at the end.

    `scheduling`: of programs, as in `calibrate_scheduling`; None: none. Raises `EngineError` if it
    does not start.
    """
    url = f"http://{LOOPBACK}:{(port := free_port())}"
    words = ["--host", LOOPBACK, "--port", str(port), "--worker-urls", *servers]
    words += ["--policy", policy, "--prometheus-port", str(free_port())]
    words += ["--worker-startup-check-interval", "1", "--log-level", "warning"]
    if scheduling is not None:
        words += ["--enable-program-scheduling", "--program-scheduling-config-json"]
        words.append(json.dumps(scheduling))
    with tempfile.TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(program, *words, stdout=said, stderr=said)
        try:
            if not await _wait_until_up(url, process):
                said.seek(0)
                lines = said.read().decode(errors="replace").strip().splitlines()
                reason = lines[-1] if lines else "it printed nothing"
                raise EngineError(f"the router {program!r} does not start: {reason}")
            yield url
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


def calibrate_scheduling(profile: EngineProfile) -> dict[str, object]:
    """Return the servers' settings for program scheduling, as far as it has fields for them."""
    terms = profile.terms
    fixed = terms.step + terms.weights
    return {
        "token_capacity_per_dp_rank": profile.kv_tokens,
        "global_queue": True,
        "prefill_cost_model": {
            "intercept_seconds": fixed,
            "linear_seconds_per_1k_tokens": 1e3 * terms.token,
            "quadratic_seconds_per_1k_tokens_squared": 1e6 * terms.pair / 2,
        },
        "decode_throughput_model": {
            "fixed_step_seconds": fixed,
            "batch_step_seconds_per_request": terms.sequence,
            "context_step_seconds_per_token": terms.context,
        },
    }


async def _wait_until_up(url: str, process: asyncio.subprocess.Process) -> bool:
    ends = monotonic() + _START_SECONDS
    async with aiohttp.ClientSession() as http:
        while process.returncode is None and monotonic() < ends:
            await asyncio.sleep(_POLL_SECONDS)
            try:
                async with http.get(f"{url}/health") as answer:
                    if answer.status == HTTPStatus.OK:
                        return True
            except aiohttp.ClientError:
                pass
    return False


def open_program_proxy(url: str, program: ProgramUnit | None) -> AbstractAsyncContextManager[str]:
    """Return the URL of a proxy before `url` that adds session and program to each request."""
    if program is None:
        return nullcontext(url)
    return open_proxy(url, lambda post: add_program(post, program))


def add_program(post: ProxiedRequest, program: ProgramUnit) -> ProxiedRequest:
    """Return `post` with the session and program that it belongs to."""
    match, seat, *_ = post.request_id.split(":")
    name = match if program == "match" else f"{match}:{seat}"
    context = json.dumps({"agentic_context": {"program_id": name, "session_id": name}})
    # The body is an object with fields; parsing it to add one more would take too long.
    body = b'{"vllm_xargs":%b,%b' % (context.encode(), post.body.lstrip()[1:])
    return replace(post, body=body, headers={SESSION_ID: name})
