"""What can be made to go wrong with the fake server, and the words it says it in."""

import json
from dataclasses import dataclass
from typing import Literal

ContextWords = Literal["vllm", "vllm-0.11", "at-least", "openai"]
Wording = Literal["pydantic", "openai", "vague", "backend"]


@dataclass(slots=True, kw_only=True)
class Faults:
    """What goes wrong. A test may change it while the server runs."""

    seconds: float = 0.0
    """Every reply takes so long."""
    failing: int = 0
    """So many of the next chat requests are answered with `status`."""
    status: int = 503
    healthy: bool = False
    """Its health is good nevertheless."""
    words: str = "the engine is not ready"
    retry_after: str = ""
    closing: int = 0
    """So many of the next chat requests end with a closed connection."""
    garbage: int = 0
    """So many of the next chat requests are answered with what is no JSON."""
    refused: frozenset[str] = frozenset()
    """structured_outputs, response_format, uuid, max_tokens, priority, cache_salt, ..."""
    wording: Wording = "pydantic"
    unconstrained: bool = False
    forgetting: int = 0
    """So many of the next requests find no picture of those that came before."""
    drifting: int = 0
    """So many of the next requests with pictures by uuid alone end as when the engine lost them."""
    die_after: int | None = None
    """The server ends in the middle of the request after so many."""
    quote_key: bool = False
    """Every error repeats the Authorization header."""


def read_faults(text: str) -> Faults:
    """Return the faults that a JSON object names."""
    faults = Faults(**json.loads(text))
    faults.refused = frozenset(faults.refused)
    return faults


def too_long(words: ContextWords, *, prompt: int, asked: int, context: int) -> str:
    """Return what a server says of a prompt that does not fit; empty where it fits.

    `vllm` is 0.32, which counts the prompt alone and answers with what room is left; the others
    count the tokens that were asked for as well.
    """
    if words == "vllm":
        return _vllm_words(prompt, asked, context)
    return _strict_words(words, prompt, asked, context)


def _vllm_words(prompt: int, asked: int, context: int) -> str:
    if asked > context:
        return (
            f"max_tokens={asked} cannot be greater than max_model_len={context}. Please "
            f"request fewer output tokens. (parameter=max_tokens, value={asked})"
        )
    if prompt == context:
        return (
            f"The decoder prompt (length {prompt}) plus the number of requested output tokens "
            f"(at least 1) is longer than the maximum model length of {context}. Make sure "
            "that `max_model_len` is no smaller than the number of text tokens (prompt + "
            "requested output tokens)."
        )
    if prompt < context:
        return ""
    return (
        f"This model's maximum context length is {context} tokens. However, your prompt "
        f"contains at least {context + 1} input tokens, which exceeds this limit even without "
        "any output tokens. Please reduce the length of the input prompt. "
        f"(parameter=input_tokens, value={context + 1})"
    )


def _strict_words(words: ContextWords, prompt: int, asked: int, context: int) -> str:
    if prompt + asked <= context:
        return ""
    limit = f"This model's maximum context length is {context} tokens"
    if words == "openai":
        return (
            f"{limit}. However, you requested {prompt + asked} tokens ({prompt} in the messages, "
            f"{asked} in the completion). Please reduce the length of the messages or completion."
        )
    if words == "vllm-0.11":
        return (
            f"'max_tokens' or 'max_completion_tokens' is too large: {asked}. {limit} and your "
            f"request has {prompt} input tokens ({asked} > {context} - {prompt})."
        )
    return (
        f"{limit}. However, you requested {asked} output tokens and your prompt contains at least "
        f"{context - asked + 1} input tokens, for a total of at least {context + 1} tokens. "
        "Please reduce the length of the input prompt or the number of requested output tokens."
    )
