"""Response bodies in vLLM 0.32's format."""

import json
import math
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from uuid import uuid4

from serving.engine_sim.api_server.request_bodies import GenerationParams
from serving.engine_sim.reply_generation.reply_generator import GeneratedReply, TokenProbabilities
from serving.engine_sim.sim_tokenizer import SimTokenizer
from serving.engine_sim.simulator import SimResponse

_NEVER: Final = -9999.0
_SELDOM: Final = -12.0
_FREE: Final = math.log(0.7)


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
    reply: GeneratedReply, wish: GenerationParams, tokens: SimTokenizer, *, numbered: bool
) -> dict[str, Any] | None:
    """Return the log-probabilities of a chat reply; None if none were requested.

    `numbered` writes `token_id:N` instead of a token's text. The reply has every token of
    `wish.logprob_token_ids`.
    """
    most = None if wish.logprob_token_ids else wish.top_logprobs
    return _logprobs(reply, wish, most, partial(_describe_text, tokens, numbered))


def generate_logprobs(
    reply: GeneratedReply, wish: GenerationParams, tokens: SimTokenizer, *, text: bool
) -> dict[str, Any] | None:
    """Return the log-probabilities of a token-in reply; None if none were requested.

    By token id, or by `text`. The reply has at most `wish.top_logprobs` tokens at each place.
    """
    describe = partial(_describe_text, tokens, False) if text else _describe_id
    return _logprobs(reply, wish, max(wish.top_logprobs or 0, 1), describe)


def _logprobs(
    reply: GeneratedReply,
    wish: GenerationParams,
    most: int | None,
    describe: Callable[[int, float, Sequence[int]], dict[str, Any]],
) -> dict[str, Any] | None:
    """Return the described candidates of every token, at most `most` of them."""
    if wish.top_logprobs is None:
        return None
    content = list[dict[str, Any]]()
    for place, sampled in enumerate(reply.ids):
        known: TokenProbabilities = (
            reply.probabilities[place] if place < len(reply.probabilities) else {}
        )
        ranked = list(known) or [sampled]
        tops = [
            describe(token, value, ranked)
            for token, value in _candidates(known, wish, sampled).items()
        ]
        kept = tops if wish.top_logprobs == -1 else tops[:most]
        content.append({**tops[0], "top_logprobs": kept})
    return {"content": content}


def _describe_text(
    tokens: SimTokenizer, numbered: bool, token: int, value: float, ranked: Sequence[int]
) -> dict[str, Any]:
    del ranked
    text = f"token_id:{token}" if numbered else tokens.word(token)
    return {"token": text, "logprob": value, "bytes": list(text.encode())}


def _describe_id(token: int, value: float, ranked: Sequence[int]) -> dict[str, Any]:
    rank = ranked.index(token) + 1 if token in ranked else None
    return {"token_id": token, "logprob": value, "rank": rank}


def _candidates(
    known: TokenProbabilities, wish: GenerationParams, sampled: int
) -> dict[int, float]:
    """Return the log-probabilities of the candidates at a place, the sampled token first."""
    if wish.logprob_token_ids:
        wanted = list(wish.logprob_token_ids)
    else:
        # As in vLLM: the `top_logprobs` most probable tokens and the sampled one.
        wanted = list(known) if wish.top_logprobs == -1 else list(known)[: wish.top_logprobs]
    other = _NEVER if wish.choice else _SELDOM
    mine = _log_probability(known, sampled, 0.0 if wish.choice else _FREE)
    return {sampled: mine} | {
        one: _log_probability(known, one, other) for one in wanted if one != sampled
    }


def _log_probability(odds: TokenProbabilities, token: int, other: float) -> float:
    return math.log(odds[token]) if odds.get(token) else other


def encode_json(body: dict[str, Any]) -> bytes:
    """Return the JSON of a response."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
