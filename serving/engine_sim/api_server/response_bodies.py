"""Response bodies in vLLM 0.32's format."""

import json
import math
import time
from typing import Any, Final
from uuid import uuid4

from serving.engine_sim.api_server.request_bodies import GenerationParams
from serving.engine_sim.reply_generation.reply_generator import GeneratedReply, TokenProbabilities
from serving.engine_sim.sim_tokenizer import SimTokenizer

_NEVER: Final = -9999.0
_SELDOM: Final = -12.0
_FREE: Final = math.log(0.7)


def usage_body(prompt: int, output: int, cached: int | None) -> dict[str, Any]:
    """Return the usage of a reply; `cached` None: not reported."""
    told = None if cached is None else {"cached_tokens": cached}
    return {
        "prompt_tokens": prompt,
        "total_tokens": prompt + output,
        "completion_tokens": output,
        "prompt_tokens_details": told,
    }


def chat_body(model: str, choice: dict[str, Any], used: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a chat completion."""
    return {
        "id": f"chatcmpl-{uuid4().hex}",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [choice],
        "usage": used,
    }


def chat_choice(reply: GeneratedReply, *, told: Any, ids: bool) -> dict[str, Any]:
    """Return the choice of a chat completion; `told` are its log-probabilities."""
    return {
        "index": 0,
        "message": {"role": "assistant", "content": reply.text},
        "logprobs": told,
        "finish_reason": reply.finish,
        "stop_reason": None,
        "token_ids": list(reply.ids) if ids else None,
    }


def generate_body(
    model: str, choice: dict[str, Any], used: dict[str, Any], *, mode: str
) -> dict[str, Any]:
    """Return the body of a token-in response."""
    return {
        "request_id": f"generate-tokens-{uuid4().hex}",
        "created": int(time.time()),
        "model": model,
        "output_mode": mode,
        "choices": [choice],
        "usage": used,
    }


def token_choice(reply: GeneratedReply, *, told: Any, text: bool) -> dict[str, Any]:
    """Return the choice of a token-in response."""
    choice = {
        "index": 0,
        "finish_reason": reply.finish,
        "stop_reason": None,
        "token_ids": list(reply.ids),
        "logprobs": told,
    }
    return {**choice, "text": reply.text} if text else choice


def chat_logprobs(
    reply: GeneratedReply,
    wish: GenerationParams,
    tokens: SimTokenizer,
    *,
    numbered: bool = False,
    chat: bool,
) -> dict[str, Any] | None:
    """Return the log-probabilities of a reply; None if none were requested.

    `numbered` writes `token_id:N` instead of a token's text. A chat reply has every token of
    `wish.logprob_token_ids`, a reply of the token endpoint at most `wish.top_logprobs`.
    """
    if wish.top_logprobs is None:
        return None
    all_of_them = wish.top_logprobs == -1 or (chat and wish.logprob_token_ids)
    most = None if all_of_them else (wish.top_logprobs if chat else max(wish.top_logprobs, 1))
    content = list[dict[str, Any]]()
    for place in range(len(reply.ids)):
        tops = [
            _candidate_body(one, value, tokens, numbered=numbered)
            for one, value in _candidates(reply, wish, place).items()
        ]
        content.append({**tops[0], "top_logprobs": tops[:most]})
    return {"content": content}


def token_logprobs(reply: GeneratedReply, wish: GenerationParams) -> dict[str, Any] | None:
    """Return the log-probabilities of a reply by token id."""
    if wish.top_logprobs is None:
        return None
    content = list[dict[str, Any]]()
    for place in range(len(reply.ids)):
        ranked = (
            list(reply.probabilities[place])
            if place < len(reply.probabilities)
            else [reply.ids[place]]
        )
        tops = [
            {
                "token_id": one,
                "logprob": value,
                "rank": ranked.index(one) + 1 if one in ranked else None,
            }
            for one, value in _candidates(reply, wish, place).items()
        ]
        most = None if wish.top_logprobs == -1 else max(wish.top_logprobs, 1)
        content.append({**tops[0], "top_logprobs": tops[:most]})
    return {"content": content}


def _candidates(reply: GeneratedReply, wish: GenerationParams, place: int) -> dict[int, float]:
    """Return the log-probabilities of the candidates at `place`, the sampled token first."""
    known: TokenProbabilities = (
        reply.probabilities[place] if place < len(reply.probabilities) else {}
    )
    sampled = reply.ids[place]
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


def _candidate_body(
    token: int, value: float, tokens: SimTokenizer, *, numbered: bool
) -> dict[str, Any]:
    text = f"token_id:{token}" if numbered else tokens.word(token)
    return {"token": text, "logprob": value, "bytes": list(text.encode())}


def encode_json(body: dict[str, Any]) -> bytes:
    """Return the JSON of a response."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
