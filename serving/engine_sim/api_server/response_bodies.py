"""Response bodies in vLLM 0.32's format."""

import json
import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from uuid import uuid4

from serving.engine_sim.api_server.request_bodies import GenerationParams
from serving.engine_sim.reply_generation.reply_generator import GeneratedReply
from serving.engine_sim.sim_tokenizer import SimTokenizer
from serving.engine_sim.simulator import SimResponse

_SELDOM: Final = -12.0
"""The log-probability of a token that is not allowed."""


def chat_response(model: str, answered: SimResponse, *, told: Any, ids: bool) -> dict[str, Any]:
    """Return the body of a chat completion; `told` are its log-probabilities."""
    reply = answered.reply
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text},
        "logprobs": told,
        "finish_reason": reply.finish,
        "stop_reason": None,
        "token_ids": list(reply.ids) if ids else None,
    }
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": _usage(answered),
    }


def generate_response(model: str, answered: SimResponse, *, told: Any, mode: str) -> dict[str, Any]:
    """Return the body of a token-in response; `told` are its log-probabilities."""
    reply = answered.reply
    choice = {
        "index": 0,
        "finish_reason": reply.finish,
        "stop_reason": None,
        "token_ids": list(reply.ids),
        "logprobs": told,
    }
    return {
        "request_id": f"generate-tokens-{uuid4().hex}",
        "created": int(time.time()),
        "model": model,
        "output_mode": mode,
        "choices": [{**choice, "text": reply.text} if mode == "text" else choice],
        "usage": _usage(answered),
    }


def _usage(answered: SimResponse) -> dict[str, Any]:
    output = len(answered.reply.ids)
    return {
        "prompt_tokens": answered.prompt,
        "total_tokens": answered.prompt + output,
        "completion_tokens": output,
        "prompt_tokens_details": {"cached_tokens": answered.cached},
    }


def chat_logprobs(
    reply: GeneratedReply, params: GenerationParams, tokens: SimTokenizer, *, numbered: bool
) -> dict[str, Any] | None:
    """Return the log-probabilities of a chat reply; None if none were requested.

    `numbered` writes `token_id:N` instead of a token's text. The reply has every token of
    `params.logprob_token_ids`.
    """
    most = None if params.logprob_token_ids else params.top_count
    return _logprobs(reply, params, most, partial(_describe_text, tokens, numbered))


def generate_logprobs(
    reply: GeneratedReply, params: GenerationParams, tokens: SimTokenizer, *, text: bool
) -> dict[str, Any] | None:
    """Return the log-probabilities of a token-in reply; None if none were requested.

    By token id, or by `text`. The reply has at most `params.top_count` tokens at each place.
    """
    describe = partial(_describe_text, tokens, False) if text else _describe_id
    return _logprobs(reply, params, max(params.top_count or 0, 1), describe)


def _logprobs(
    reply: GeneratedReply,
    params: GenerationParams,
    most: int | None,
    describe: Callable[[int, float, Sequence[int]], dict[str, Any]],
) -> dict[str, Any] | None:
    """Return the described candidates of every token, at most `most` of them."""
    if params.top_count is None:
        return None
    odds, sampled = reply.probabilities, reply.ids[0]
    ranked = list(odds)
    # As in vLLM: the sampled token first, then the requested ones or the most probable.
    wanted = params.logprob_token_ids or ranked[: params.top_count]
    tops = [
        describe(token, math.log(odds[token]) if token in odds else _SELDOM, ranked)
        for token in dict.fromkeys((sampled, *wanted))
    ]
    return {"content": [{**tops[0], "top_logprobs": tops[:most]}] * len(reply.ids)}


def _describe_text(
    tokens: SimTokenizer, numbered: bool, token: int, value: float, ranked: Sequence[int]
) -> dict[str, Any]:
    del ranked
    text = f"token_id:{token}" if numbered else tokens.word(token)
    return {"token": text, "logprob": value, "bytes": list(text.encode())}


def _describe_id(token: int, value: float, ranked: Sequence[int]) -> dict[str, Any]:
    rank = ranked.index(token) + 1 if token in ranked else None
    return {"token_id": token, "logprob": value, "rank": rank}


def encode_json(body: dict[str, Any]) -> bytes:
    """Return the JSON of a response."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
