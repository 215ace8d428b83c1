"""Completions of servers: validates replies in any state so that a match can play and record them.

A server can send anything. What a request did not allow is cut off or dropped, and
`Completion.repairs` names it; a response without a reply is a server error.
"""

import codecs
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypeVar, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from arena.models.chat import Completion
from arena.models.http.responses import (
    MAX_COUNT,
    MAX_NAME_CHARS,
    CheckedList,
    HttpResponse,
    ResponseModel,
    TokenId,
    shorten_name,
)

CHARS_PER_TOKEN: Final = 16
"""Maximum characters of text per token. English text has about 4, a run of spaces more."""
_MIN_CHARS: Final = 512
"""Characters that every reply can have, so that a short choice is never cut."""
_SERVER_FAULTS: Final = frozenset(
    {"abort", "error", "cancelled", "canceled", "timeout", "internal_error", "server_error"}
)
"""Finish reasons of a server that gave up: vLLM aborts running requests when it is paused or ends.
"""
MAX_CHOICES: Final = 16
"""Maximum choices of a response. One is requested."""

_IDS: Final = TypeAdapter[tuple[int, ...]](Annotated[tuple[TokenId, ...], Field(fail_fast=True)])
_SURROGATE_ESCAPE: Final = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
)


class _ChatMessage(ResponseModel):
    content: str | None = None


class _ChatChoice(ResponseModel):
    message: _ChatMessage
    finish_reason: str | None = None
    token_ids: Any = None
    error: Any = None


class _GenerateChoice(ResponseModel):
    text: str | None = None
    finish_reason: str | None = None
    token_ids: Any = None
    error: Any = None


class _ReplyResponse(ResponseModel):
    usage: Any = None
    model: str | None = None
    error: Any = None


class _ChatResponse(_ReplyResponse):
    choices: Annotated[CheckedList[_ChatChoice], Field(max_length=MAX_CHOICES)]


class _GenerateResponse(_ReplyResponse):
    choices: Annotated[CheckedList[_GenerateChoice], Field(max_length=MAX_CHOICES)]


T = TypeVar("T", bound=ResponseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContext:
    """Context of a reply: what its request allowed, and what the server does not report."""

    max_tokens: int
    model: str
    """Name that is used if the server does not name the model."""
    seconds: float


def parse_chat(response: HttpResponse, context: ReplyContext) -> Completion:
    """Parse a 200 of /v1/chat/completions; `ValueError` if it is not a completion.

    A response without a choice or text is an empty reply, which the game judges.
    """
    reply, repairs = validate_reply(_ChatResponse, response)
    first = reply.choices[0] if reply.choices else _ChatChoice(message=_ChatMessage())
    said = _GenerateChoice(
        text=first.message.content,
        finish_reason=first.finish_reason,
        token_ids=first.token_ids,
        error=first.error,
    )
    return _to_completion(reply, said, context, repairs)


def parse_generate(response: HttpResponse, context: ReplyContext) -> Completion:
    """Parse a 200 of /inference/v1/generate; `ValueError` if it is not a completion."""
    reply, repairs = validate_reply(_GenerateResponse, response)
    first = reply.choices[0] if reply.choices else _GenerateChoice()
    return _to_completion(reply, first, context, repairs)


def validate_reply(kind: type[T], response: HttpResponse) -> tuple[T, set[str]]:
    """Return the response as a `kind`, and the repairs that were necessary to read it."""
    repairs: set[str] = {"key"} if response.is_redacted else set()
    content = response.content
    if not response.is_truncated:
        with suppress(ValidationError):
            return kind.model_validate_json(content), repairs
    repaired = _replace_surrogates(content, is_whole=not response.is_truncated)
    if not content.startswith(repaired):
        repairs.add("surrogates")
    if not response.is_truncated:
        return kind.model_validate_json(repaired), repairs
    found = from_json(repaired, allow_partial="trailing-strings")
    return kind.model_validate(found), repairs | {"truncated"}


def _replace_surrogates(content: bytes, *, is_whole: bool) -> bytes:
    r"""Return JSON with U+FFFD for bytes that are not UTF-8, and for each half of a surrogate pair.

    A server that ends a reply at its token limit may end it within `\ud83d\ude00`.
    """
    text = codecs.utf_8_decode(content, "replace", is_whole)[0]
    return _SURROGATE_ESCAPE.sub(lambda found: rb"\ufffd" if found[1] else found[0], text.encode())


def _to_completion(
    reply: _ReplyResponse, said: _GenerateChoice, context: ReplyContext, repairs: set[str]
) -> Completion:
    text, finish = said.text or "", shorten_name(said.finish_reason or "")
    if reply.error or said.error:
        raise ValueError("an error, with or without text")
    if not text and "truncated" in repairs:
        raise ValueError("no text before the end of what was read")
    if finish in _SERVER_FAULTS:
        raise ValueError(f"the server ended the reply: {finish}")
    limit = max(_MIN_CHARS, CHARS_PER_TOKEN * context.max_tokens)
    if len(text) > limit:
        text, finish = text[:limit], "length"
        repairs.add("truncated")
    ids = _clean_ids(said.token_ids, context.max_tokens + 1, repairs)
    counts = _clean_usage(reply.usage, repairs)
    return Completion(
        text=text,
        finish=finish or ("length" if "truncated" in repairs else ""),
        prompt_tokens=counts.get("prompt_tokens", 0),
        output_tokens=counts.get("completion_tokens", 0),
        cached_tokens=counts.get("cached_tokens"),
        seconds=context.seconds,
        # Unchanged, so that it equals the name in the server's list of models.
        model=(reply.model or context.model)[:MAX_NAME_CHARS],
        # Ids that do not match this text would return in later prompts.
        ids=() if {"truncated", "surrogates", "key"} & repairs else ids,
        repairs=tuple(sorted(repairs)),
    )


def _clean_ids(found: object, most: int, repairs: set[str]) -> tuple[int, ...]:
    """Return the token ids of a reply; none if one of them is impossible or there are too many.

    They return to the server in later prompts.
    """
    if found is None:
        return ()
    with suppress(ValidationError):
        ids = _IDS.validate_python(found)
        if len(ids) <= most:
            return ids
    repairs.add("token ids")
    return ()


def _clean_usage(found: object, repairs: set[str]) -> Mapping[str, int]:
    """Return the valid counts of a reply, by name."""
    usage = _to_object(found)
    given = {name: usage.get(name) for name in ("prompt_tokens", "completion_tokens")}
    given["cached_tokens"] = _to_object(usage.get("prompt_tokens_details")).get("cached_tokens")
    counts = {name: count for name, one in given.items() if (count := to_count(one)) is not None}
    if counts.get("cached_tokens", 0) > counts.get("prompt_tokens", 0):
        del counts["cached_tokens"]
    is_whole = found is None or isinstance(found, dict)
    if not is_whole or len(counts) < sum(one is not None for one in given.values()):
        repairs.add("usage")
    return counts


def _to_object(found: object) -> Mapping[str, object]:
    return cast("dict[str, object]", found) if isinstance(found, dict) else {}


def to_count(found: object) -> int | None:
    """Return a count of tokens, or a token id; None if the value can be neither."""
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= MAX_COUNT:
        return found
    return None
