"""What comes over the wire from a server that nobody vouches for, checked at the door."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.models.chat import Completion

_MAX_RAW_BYTES = 4096
"""Bytes of an answer that is not in a known shape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """An HTTP answer, whatever its status."""

    status: int
    content: bytes
    retry_after: float | None = None
    """Seconds for which the server asks; None: it does not ask."""


class _ResponseModel(BaseModel):
    # What a server sends may quote the key back, so it must not enter pydantic's message.
    model_config = ConfigDict(hide_input_in_errors=True)


class ModelCard(_ResponseModel):
    """One model that a server offers."""

    id: str
    owned_by: str = ""
    max_model_len: int | None = None
    """Tokens; told by vLLM."""
    root: str | None = None
    """What the server loaded: a folder or a hub id; told by vLLM."""


class ModelList(_ResponseModel):
    """The answer to GET /v1/models."""

    data: list[ModelCard]


class Version(_ResponseModel):
    """The answer to vLLM's GET /version."""

    version: str


class Tokenized(_ResponseModel):
    """The answer to vLLM's POST /tokenize."""

    tokens: list[int]


class _ChatMessage(_ResponseModel):
    content: str | None = None


class _ChatChoice(_ResponseModel):
    message: _ChatMessage
    finish_reason: str | None = None
    token_ids: list[int] | None = None


class _GenerateChoice(_ResponseModel):
    text: str = ""
    finish_reason: str | None = None
    token_ids: list[int] | None = None


class _TokenLogprob(_ResponseModel):
    # /inference/v1/generate names a token by its id, chat by "token_id:7" if asked to.
    token_id: int | None = None
    token: str = ""
    logprob: float

    def id(self) -> int | None:
        if self.token_id is not None:
            return self.token_id
        number = self.token.removeprefix("token_id:")
        return int(number) if number != self.token and number.isdecimal() else None


class _PositionLogprobs(_TokenLogprob):
    top_logprobs: list[_TokenLogprob] = []


class _Logprobs(_ResponseModel):
    content: list[_PositionLogprobs] | None = None


class _LogprobChoice(_ResponseModel):
    logprobs: _Logprobs | None = None
    token_ids: list[int] | None = None


class _PromptDetails(_ResponseModel):
    cached_tokens: int | None = None


class _Usage(_ResponseModel):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _PromptDetails | None = None


class _MeteredResponse(_ResponseModel):
    usage: _Usage | None = None
    model: str | None = None


class _ChatResponse(_MeteredResponse):
    choices: list[_ChatChoice]


class _GenerateResponse(_MeteredResponse):
    choices: list[_GenerateChoice]


class _LogprobResponse(_ResponseModel):
    choices: list[_LogprobChoice]


class _ErrorBody(_ResponseModel):
    message: str
    param: str | None = None


class _ValidationDetail(_ResponseModel):
    loc: list[str | int] = []
    msg: str


class _ErrorResponse(_ResponseModel):
    error: _ErrorBody | str | None = None
    detail: list[_ValidationDetail] | str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstToken:
    """The first token of a reply, and how likely it and others were in that place."""

    id: int | None
    """None where the server does not tell."""
    logprobs: Mapping[int, float] = field(default_factory=dict[int, float])
    """Natural logarithms, by token id."""


def parse_chat(content: bytes, *, model: str, seconds: float) -> Completion:
    """Return what a 200 of /v1/chat/completions says; `ValueError` where it is none.

    No choice and no text are an empty reply: the rules judge it. `model` stands in where the
    server does not name the model that answered.
    """
    reply = _ChatResponse.model_validate_json(content)
    first = reply.choices[0] if reply.choices else _ChatChoice(message=_ChatMessage())
    said = _GenerateChoice(
        text=first.message.content or "",
        finish_reason=first.finish_reason,
        token_ids=first.token_ids,
    )
    return _to_completion(reply, said, model=model, seconds=seconds)


def parse_generate(content: bytes, *, model: str, seconds: float) -> Completion:
    """Return what a 200 of /inference/v1/generate says; `ValueError` where it is none."""
    reply = _GenerateResponse.model_validate_json(content)
    first = reply.choices[0] if reply.choices else _GenerateChoice()
    return _to_completion(reply, first, model=model, seconds=seconds)


def parse_first_token(content: bytes) -> FirstToken:
    """Return with which token a reply of either endpoint begins; `ValueError` where it is none."""
    choices = _LogprobResponse.model_validate_json(content).choices
    if not choices:
        return FirstToken(id=None)
    ids, logprobs = choices[0].token_ids, choices[0].logprobs
    if logprobs is None or not logprobs.content:
        return FirstToken(id=ids[0] if ids else None)
    place = logprobs.content[0]
    likely = {number: one.logprob for one in place.top_logprobs if (number := one.id()) is not None}
    return FirstToken(id=ids[0] if ids else place.id(), logprobs=likely)


def _to_completion(
    reply: _MeteredResponse, said: _GenerateChoice, *, model: str, seconds: float
) -> Completion:
    usage = reply.usage or _Usage()
    details = usage.prompt_tokens_details
    return Completion(
        text=said.text,
        finish=said.finish_reason or "",
        prompt_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cached_tokens=details.cached_tokens if details else None,
        seconds=seconds,
        model=reply.model or model,
        ids=tuple(said.token_ids or ()),
    )


def is_json(content: bytes) -> bool:
    """Return whether `content` is a JSON object, as every API answers, and no web page."""
    try:
        _ResponseModel.model_validate_json(content)
    except ValidationError:
        return False
    return True


def parse_error(content: bytes) -> str:
    """Return what the server says is wrong, on one line and without control characters.

    Only places and messages are taken from a list of faults: their inputs quote whole prompts.
    """
    try:
        refusal = _ErrorResponse.model_validate_json(content)
    except ValidationError:
        return _excerpt(content)
    said: list[str] = []
    match refusal.error:
        case str(error):
            said.append(error)
        case _ErrorBody(message=message, param=param):
            said.append(message if param is None or param in message else f"{message} ({param})")
        case None:
            pass
    match refusal.detail:
        case str(detail):
            said.append(detail)
        case None:
            pass
        case places:
            said.extend(f"{'.'.join(map(str, place.loc))}: {place.msg}" for place in places)
    if refusal.message:
        said.append(refusal.message)
    return one_line("; ".join(said)) or _excerpt(content)


def _excerpt(content: bytes) -> str:
    return one_line(content[:_MAX_RAW_BYTES].decode(errors="replace"))


def one_line(text: str) -> str:
    """Return `text` on one line, without anything that could steer a terminal."""
    kept = (character for character in text if character.isprintable() or character.isspace())
    return " ".join("".join(kept).split())
