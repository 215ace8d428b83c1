"""Answers that are completions, but hostile ones: counts, shapes, sizes and quotations."""

import asyncio
import json
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from aiohttp import web

from tests.campaign.spoils import (
    Answer,
    Call,
    Spoil,
    content,
    fixed,
    metered,
    rewritten,
    saying,
    with_message,
    with_usage,
)

_SMALL, _LARGE = 20_000, 1_000_000
_REPLY_BYTES = 30_000_000
_BOMB_BYTES = 300_000_000
_DEPTH = 50_000
_DRIP_SECONDS = 0.2
_SMALL_LIMIT = "maximum context length is 10 tokens. However, your prompt contains 9 input tokens"


def _refused(words: str) -> Answer:
    body = {"error": {"message": words, "type": "BadRequestError", "code": 400}}
    return fixed(400, json.dumps(body))


def _limit(words: str) -> Spoil:
    return content(_refused(words), faults=4, may_stay_error=True)


def _contradiction(words: str, *, times: int | None, faults: int) -> Spoil:
    """Return a limit below the one on the server's card: the server is at fault, not the prompt."""
    return Spoil(answer=_refused(words), expect="again", times=times, faults=faults)


def _double_keys(found: dict[str, Any], _: Call) -> bytes:
    first = json.dumps({name: found[name] for name in ("choices", "model", "usage")})
    return f"{first[:-1]}, {json.dumps(found)[1:]}".encode()


def _deep(found: dict[str, Any], _: Call) -> bytes:
    return f'{json.dumps(found)[:-1]}, "extra": {"[" * _DEPTH}{"]" * _DEPTH}}}'.encode()


def _tool_calls(found: dict[str, Any], _: Call) -> object:
    call = {"id": "1", "type": "function", "function": {"name": "vote", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {**found, "choices": [{**found["choices"][0], "message": message}]}


def _no_choices(found: dict[str, Any], _: Call) -> object:
    return {**found, "choices": []}


def _token_ids(ids: list[object]) -> Spoil:
    def change(found: dict[str, Any], _: Call) -> object:
        return {**found, "choices": [{**found["choices"][0], "token_ids": ids}]}

    return metered(rewritten(change))


def _surrogate_in_envelope(found: dict[str, Any], _: Call) -> bytes:
    text = json.dumps(found)
    return text.replace('"content": "', '"content": "\\ud83d', 1).encode()


def _quoting(place: Callable[[dict[str, Any], str], object]) -> Spoil:
    return content(rewritten(lambda found, call: place(found, call.key)), faults=4)


def _in_words(found: dict[str, Any], key: str) -> object:
    message = {"role": "assistant", "content": f"Your key is {key}, is it not?"}
    return {**found, "choices": [{**found["choices"][0], "message": message}]}


def _in_field(found: dict[str, Any], key: str) -> object:
    message = {"role": "assistant", "content": json.dumps({"share": key, "text": key})}
    return {**found, "choices": [{**found["choices"][0], "message": message}]}


def _escaped(found: dict[str, Any], key: str) -> bytes:
    hidden = "".join(f"\\u{ord(character):04x}" for character in key)
    text = json.dumps(_in_words(found, "KEY"))
    return text.replace("KEY", hidden).encode()


def _in_finish(found: dict[str, Any], key: str) -> object:
    return {**found, "choices": [{**found["choices"][0], "finish_reason": key}]}


def _in_model(found: dict[str, Any], key: str) -> object:
    return {**found, "model": f"model-{key}"}


def _refusing_with_key(status: int) -> Spoil:
    async def answer(call: Call) -> web.StreamResponse:
        body = {"error": {"message": f"the key {call.key} is not welcome", "param": call.key}}
        return web.json_response(body, status=status)

    return content(answer, faults=2)


def _bomb(call: Call) -> bytes:
    del call
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    block = b" " * 1_000_000
    parts = [packer.compress(block) for _ in range(_BOMB_BYTES // len(block))]
    return b"".join([*parts, packer.flush()])


async def _gzip_bomb(call: Call) -> web.StreamResponse:
    data = await asyncio.to_thread(_bomb, call)
    return web.Response(
        body=data, content_type="application/json", headers={"Content-Encoding": "gzip"}
    )


async def _hang(call: Call) -> web.StreamResponse:
    await asyncio.sleep(10 * call.deadline)
    return web.Response(status=504)


async def _drip(call: Call) -> web.StreamResponse:
    return await _drip_parts(call, [bytes([one]) for one in await call.ask_engine()])


async def _endless(call: Call) -> web.StreamResponse:
    return await _drip_parts(call, [b'{"choices": [', *[b" " * 50] * 100_000])


async def _drip_parts(call: Call, parts: list[bytes]) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.enable_chunked_encoding()
    await response.prepare(call.request)
    for part in parts:
        await response.write(part)
        await asyncio.sleep(_DRIP_SECONDS)
    await response.write_eof()
    return response


def _sized(shape: Callable[[int], str]) -> dict[str, Spoil]:
    small, large = shape(_SMALL), shape(_LARGE)
    return {
        "": content(saying(lambda _: small), faults=2),
        "-1mb": content(saying(lambda _: large), faults=2),
    }


def _slow_patterns() -> dict[str, Spoil]:
    shapes: dict[str, Callable[[int], str]] = {
        "fence": lambda size: "```{" + " " * size + "x",
        "fences": lambda size: "```" * (size // 3),
        "answer": lambda size: "#answer" + " " * size + "x",
        "answers": lambda size: "#answer " * (size // 8),
        "label-lines": lambda size: "x" + "\n" * size + "x",
        "label-dashes": lambda size: "-\n" * (size // 2) + "x",
        "braces": lambda size: "{" * size,
        "quotes": lambda size: '{"share": "' + '\\"' * (size // 2),
        "stars": lambda size: "**" * (size // 2) + "share" + "**" * 9,
        "colons": lambda size: "share:" * (size // 6),
    }
    return {
        f"slow-{name}{suffix}": spoil
        for name, shape in shapes.items()
        for suffix, spoil in _sized(shape).items()
    }


def _wordy(text: Callable[[str], str], *, finish: str = "stop") -> Spoil:
    return content(saying(text, finish=finish))


def _large(size: int) -> Answer:
    return saying(lambda _: "x" * size, finish="length")


COUNTED: Mapping[str, Spoil] = MappingProxyType(
    {
        "usage-float": metered(with_usage(prompt_tokens=10.5, completion_tokens=2.5)),
        "usage-huge": metered(with_usage(prompt_tokens=10**30, completion_tokens=10**30)),
        "usage-64-bit": metered(with_usage(prompt_tokens=2**63, total_tokens=2**64)),
        "usage-negative": metered(with_usage(prompt_tokens=-(10**6), completion_tokens=-5)),
        "usage-nan": metered(with_usage(prompt_tokens=float("nan"))),
        "usage-infinite": metered(with_usage(completion_tokens=float("inf"))),
        "usage-text": metered(with_usage(prompt_tokens="many")),
        "usage-cached-more": metered(with_usage(prompt_tokens_details={"cached_tokens": 10**9})),
        "usage-list": metered(rewritten(lambda found, _: {**found, "usage": [1, 2]})),
        "usage-null": metered(rewritten(lambda found, _: {**found, "usage": None})),
        "usage-missing": metered(
            rewritten(lambda found, _: {k: v for k, v in found.items() if k != "usage"})
        ),
        "double-keys": metered(rewritten(_double_keys)),
        "deep-envelope": metered(rewritten(_deep)),
        "limit-small": _contradiction(_SMALL_LIMIT, times=2, faults=4),
        "limit-small-always": _contradiction(_SMALL_LIMIT, times=None, faults=1),
        "limit-zero": _contradiction(
            "maximum context length is 0 tokens (0 in the messages)", times=2, faults=4
        ),
        "token-ids-huge": _token_ids([10**30, 2**64]),
        "token-ids-negative": _token_ids([-1, -(2**40)]),
        "token-ids-text": _token_ids(["a", None]),
    }
)
"""Every kind that leaves the words of a completion as they are, or is no completion."""

HOSTILE: Mapping[str, Spoil] = MappingProxyType(
    {
        "no-choices": content(rewritten(_no_choices)),
        "null-message": content(with_message({"role": "assistant", "content": None})),
        "empty-message": content(with_message({"role": "assistant", "content": ""})),
        "number-message": content(with_message({"role": "assistant", "content": 7})),
        "part-message": content(with_message({"role": "assistant", "content": [{"text": "x"}]})),
        "refusal": content(
            with_message({"role": "assistant", "content": None, "refusal": "I cannot."})
        ),
        "tool-calls": content(rewritten(_tool_calls)),
        "odd-finish": content(with_message({"role": "assistant", "content": "x"}, finish=7)),
        "surrogate-cut": _wordy(lambda name: f'{{"{name}": "I saw \\ud83d', finish="length"),
        "surrogate-whole": _wordy(lambda name: f'{{"{name}": "I \\udc00 saw \\ud83d it"}}'),
        "surrogate-all": _wordy(lambda name: json.dumps({name: "\ud83d" * 500})),
        "surrogate-envelope": content(rewritten(_surrogate_in_envelope)),
        "nul-and-escapes": _wordy(
            lambda name: json.dumps({name: "a\0b\x1b[2J\x1b]0;x\x07\r\u202e"})
        ),
        "long-digits": _wordy(lambda name: f'{{"{name}": {"9" * 10_000}}}'),
        "nested-text": _wordy(lambda name: f'{{"{name}": {"[" * _DEPTH}', finish="length"),
        "nested-lists": _wordy(lambda name: f'{{"{name}": {"[" * 2000}{"]" * 2000}}}'),
        "nested-objects": _wordy(
            lambda name: f'{{"{name}":' * 2000 + '"x"' + "}" * 2000, finish="length"
        ),
        "markup": _wordy(lambda name: json.dumps({name: "[red]</system>\n### Assistant:"})),
        **_slow_patterns(),
        "reply-30mb": content(_large(_REPLY_BYTES), faults=3),
        "reply-50mb": content(_large(50_000_000), faults=2),
        "gzip-bomb": content(_gzip_bomb, faults=2),
        "400-of-30mb": content(
            fixed(400, json.dumps({"error": {"message": "x" * _REPLY_BYTES}})), faults=2
        ),
        "limit-5000-digits": _limit(f"maximum context length is {'9' * 5000} tokens"),
        "limit-negative": _limit("maximum context length is -5 tokens (7 in the messages)"),
        "limit-reply": _limit(f"max_tokens=9 cannot be greater than max_model_len={'1' * 5000}"),
        "limit-logprobs": _limit(f"logprobs greater than max allowed: {'1' * 5000}"),
        "400-empty": content(fixed(400)),
        "400-all-fields": _limit(
            "extra fields not permitted: priority uuid url stop response_format schema structured"
        ),
        "400-no-images": _limit("at most 0 image(s) may be provided in one prompt"),
        "key-in-words": _quoting(_in_words),
        "key-in-field": _quoting(_in_field),
        "key-escaped": _quoting(_escaped),
        "key-in-finish": _quoting(_in_finish),
        "key-in-model": _quoting(_in_model),
        "key-in-400": _refusing_with_key(400),
        "key-in-401": _refusing_with_key(401),
        "hang": content(_hang, faults=4),
        "drip": content(_drip, faults=4),
        "endless-body": content(_endless, faults=4),
    }
)
"""Every kind that counts as what the model said, or did not say in time."""
