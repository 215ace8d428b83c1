"""Spoilt answers: what the proxy sends in place of the engine's answer, and what must follow."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from aiohttp import web

Expectation = Literal["again", "metered", "content"]
"""What must hold after a spoilt answer.

`again`: it is no completion, so the request is asked again or the match ends as `error`; the whole
run then equals the undisturbed one. `metered`: as `again`, but counts of tokens may differ.
`content`: the answer counts, whatever it says; no other match may differ.
"""

FLUSH_SECONDS = 0.02
"""Time for the client to read what was sent before the connection breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request whose answer is spoilt."""

    request: web.Request
    key: str
    """The key that the client sent."""
    deadline: float
    """Seconds that the orchestrator gives a seat."""
    ask_engine: Callable[[], Awaitable[bytes]]
    """Returns the engine's own answer."""

    async def completion(self) -> dict[str, Any]:
        """Return the engine's own answer as JSON."""
        return json.loads(await self.ask_engine())


Answer = Callable[[Call], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoil:
    """One kind of spoilt answer."""

    answer: Answer
    expect: Expectation
    times: int | None = 1
    """How often in a row the same request gets it; None: always."""
    faults: int = 7
    """Faults of a trial, unless it is told otherwise."""
    may_stay_error: bool = False
    """The record may hold the refusal, so that a healthy server does not help either."""


def again(answer: Answer, *, times: int = 1, faults: int = 7) -> Spoil:
    """Return a kind that is no completion."""
    return Spoil(answer=answer, expect="again", times=times, faults=faults)


def metered(answer: Answer) -> Spoil:
    """Return a kind that is the engine's completion with other counts."""
    return Spoil(answer=answer, expect="metered")


def content(answer: Answer, *, faults: int = 4, may_stay_error: bool = False) -> Spoil:
    """Return a kind that counts as the model's own words, every time that it is asked."""
    return Spoil(
        answer=answer,
        expect="content",
        times=None,
        faults=faults,
        may_stay_error=may_stay_error,
    )


def fixed(
    status: int,
    body: bytes | str = b"",
    *,
    kind: str = "application/json",
    headers: Mapping[str, str] | None = None,
    seconds: Callable[[Call], float] = lambda _: 0.0,
) -> Answer:
    """Return an answer that does not depend on the request; `seconds`: how long it takes."""
    data = body.encode() if isinstance(body, str) else body

    async def answer(call: Call) -> web.StreamResponse:
        await asyncio.sleep(seconds(call))
        return web.Response(status=status, body=data, content_type=kind, headers=headers)

    return answer


def raw(data: bytes, *, is_reset: bool = False) -> Answer:
    """Return an answer of these bytes, which need not be HTTP; then the connection ends."""

    async def answer(call: Call) -> web.StreamResponse:
        return await send_raw(call.request, data, is_reset=is_reset)

    return answer


async def send_raw(request: web.Request, data: bytes, *, is_reset: bool) -> web.StreamResponse:
    """Write bytes to the connection and end it. What is returned reaches nobody."""
    transport = request.transport
    if transport is not None:
        transport.write(data)
        await asyncio.sleep(FLUSH_SECONDS)
        if is_reset:
            transport.abort()
        else:
            transport.close()
    return web.Response()


def rewritten(change: Callable[[dict[str, Any], Call], object]) -> Answer:
    """Return the engine's answer after `change`, which returns bytes or what becomes JSON."""

    async def answer(call: Call) -> web.StreamResponse:
        found = change(await call.completion(), call)
        data = found if isinstance(found, bytes) else json.dumps(found).encode()
        return web.Response(body=data, content_type="application/json")

    return answer


def with_usage(**counts: object) -> Answer:
    """Return the engine's answer with other counts; a count of None is left out."""

    def change(found: dict[str, Any], _: Call) -> object:
        usage = {**found["usage"], **counts}
        return {**found, "usage": {name: one for name, one in usage.items() if one is not None}}

    return rewritten(change)


def with_message(message: object, *, finish: object = "stop") -> Answer:
    """Return the engine's answer with another message."""

    def change(found: dict[str, Any], _: Call) -> object:
        choice = {**found["choices"][0], "message": message, "finish_reason": finish}
        return {**found, "choices": [choice]}

    return rewritten(change)


def saying(text: Callable[[str], str], *, finish: str = "stop") -> Answer:
    """Return the engine's answer with other words.

    `text` gets the name of the first field that the engine answered with, or `share`.
    """

    def change(found: dict[str, Any], _: Call) -> object:
        choice = found["choices"][0]
        message = {**choice["message"], "content": text(_first_field(choice["message"]["content"]))}
        return {**found, "choices": [{**choice, "message": message, "finish_reason": finish}]}

    return rewritten(change)


def _first_field(text: str) -> str:
    try:
        found: dict[str, str] = json.loads(text)
        return next(iter(found.keys()))
    except (ValueError, AttributeError, StopIteration):
        return "share"
