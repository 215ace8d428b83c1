"""Answers that are no completion: refusals, broken connections, broken HTTP, broken JSON."""

import asyncio
import gzip
import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from aiohttp import web

from tests.campaign.spoils import (
    Answer,
    Call,
    Spoil,
    again,
    fixed,
    raw,
    rewritten,
    send_raw,
)

_HTML = "<!doctype html><html><body><h1>Bad gateway</h1></body></html>"
_SLOW_SHARE, _SLOW_TIMES = 0.35, 3
"""Of a deadline, and slow answers in a row: together they take longer than the deadline.

Two come in time, because a 500 is answered once more within a deadline: the engine may have lost
the pictures of the request. An answer that comes after the deadline would cost the seat its turn.
"""
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
_ENDLESS_HEADERS = b"HTTP/1.1 200 OK\r\n" + b"".join(
    b"X-Header-%d: %s\r\n" % (number, b"x" * 1000) for number in range(300)
)


def _error(words: str) -> str:
    return json.dumps({"error": {"message": words, "type": "server_error", "code": None}})


def _busy(**headers: str) -> Spoil:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return again(fixed(429, _error("rate limit"), headers=named))


def _slow(status: int) -> Spoil:
    answer = fixed(status, _HTML, kind="text/html", seconds=_wait)
    return again(answer, times=_SLOW_TIMES, faults=4)


def _wait(call: Call) -> float:
    return _SLOW_SHARE * call.deadline


async def _reset_before(call: Call) -> web.StreamResponse:
    return await send_raw(call.request, b"", is_reset=True)


async def _close_before(call: Call) -> web.StreamResponse:
    return await send_raw(call.request, b"", is_reset=False)


def _cut(*, is_reset: bool) -> Answer:
    async def answer(call: Call) -> web.StreamResponse:
        body = await call.ask_engine()
        head = _HEAD % len(body)
        return await send_raw(call.request, head + body[: len(body) // 2], is_reset=is_reset)

    return answer


async def _cut_chunked(call: Call) -> web.StreamResponse:
    body = (await call.ask_engine())[:200]
    head = (
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    return await send_raw(call.request, head + b"ffff\r\n" + body, is_reset=False)


async def _truncated(call: Call) -> web.StreamResponse:
    body = await call.ask_engine()
    return web.Response(body=body[: len(body) * 2 // 3], content_type="application/json")


async def _late_reset(call: Call) -> web.StreamResponse:
    await asyncio.sleep(_wait(call))
    return await send_raw(call.request, b"", is_reset=True)


def _encoded(encoding: str, data: bytes) -> Answer:
    return fixed(200, data, headers={"Content-Encoding": encoding})


def _in_encoding(name: str) -> Answer:
    def change(found: dict[str, Any], _: Call) -> bytes:
        return json.dumps({**found, "note": "é"}, ensure_ascii=False).encode(name)

    return rewritten(change)


def _other_model(found: dict[str, Any], _: Call) -> object:
    return {**found, "model": "another-model"}


def _moved(found: dict[str, Any], _: Call) -> object:
    return {"result": found}


BROKEN: Mapping[str, Spoil] = MappingProxyType(
    {
        "429": _busy(),
        "429-after-0": _busy(Retry_After="0"),
        "429-after-1": _busy(Retry_After="1"),
        "429-after-3600": _busy(Retry_After="3600"),
        "429-after-date": _busy(Retry_After="Wed, 21 Oct 2099 07:28:00 GMT"),
        "429-three-times": again(fixed(429, _error("rate limit")), times=3),
        "408": again(fixed(408, _error("timeout"))),
        "500": again(fixed(500, _error("Internal server error"))),
        "502": again(fixed(502, _error("bad gateway"))),
        "503": again(fixed(503, _error("service unavailable"))),
        "504": again(fixed(504, _error("gateway timeout"))),
        "502-html": again(fixed(502, _HTML, kind="text/html")),
        "500-slow": _slow(500),
        "504-slow": _slow(504),
        "reset-late": again(_late_reset, times=_SLOW_TIMES, faults=4),
        "reset-before": again(_reset_before),
        "close-before": again(_close_before),
        "reset-in-body": again(_cut(is_reset=True)),
        "close-in-body": again(_cut(is_reset=False)),
        "close-in-chunk": again(_cut_chunked),
        "truncated-json": again(_truncated),
        "html-200": again(fixed(200, _HTML, kind="text/html")),
        "overloaded-200": again(fixed(200, '{"error":"overloaded"}')),
        "error-object-200": again(fixed(200, _error("overloaded"))),
        "empty-body": again(fixed(200)),
        "json-null": again(fixed(200, "null")),
        "json-list": again(fixed(200, "[]")),
        "wrapped": again(rewritten(_moved)),
        "bad-gzip": again(_encoded("gzip", b"\x1f\x8b\x08 this is no gzip")),
        "cut-gzip": again(_encoded("gzip", gzip.compress(b'{"choices": []}' * 99)[:40])),
        "bad-deflate": again(_encoded("deflate", b"this is no deflate")),
        "bad-zstd": again(_encoded("zstd", b"(\xb5/\xfd this is no zstd")),
        "unknown-encoding": again(_encoded("rot13", b"{}")),
        "endless-headers": again(raw(_ENDLESS_HEADERS)),
        "no-http": again(raw(b"\x16\x03\x01\x02\x00\x01\x00 this is no HTTP\r\n\r\n")),
        "http-0.9": again(raw(b'{"choices": []}')),
        "negative-length": again(raw(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}")),
        "101": again(raw(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n")),
        "204": again(fixed(204)),
        "418": again(fixed(418, _error("I am a teapot"))),
        "999": again(raw(b"HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}")),
        "redirect-301": again(fixed(301, headers={"Location": "/v1/chat/completions"})),
        "redirect-307": again(fixed(307, headers={"Location": "http://127.0.0.1:9/v1"})),
        "401": again(fixed(401, _error("unauthorized"))),
        "403": again(fixed(403, _error("forbidden"))),
        "404": again(fixed(404, _error("no such model"))),
        "413": again(fixed(413, _HTML, kind="text/html")),
        "utf-16": again(_in_encoding("utf-16")),
        "latin-1": Spoil(answer=_in_encoding("latin-1"), expect="metered"),
        "not-utf-8": again(fixed(200, b'{"choices": [\xff\xfe\xfa]}')),
        "other-model": again(rewritten(_other_model)),
    }
)
"""Every kind after which the request is asked again, or the match ends as `error`.

A body in Latin-1 may be read all the same, and is then marked.
"""
