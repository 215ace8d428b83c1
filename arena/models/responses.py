"""Responses of servers, validated: HTTP, completions, model lists and errors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, ValidationError

from arena.models.chat import Completion

_MAX_RAW_BYTES = 4096
"""Bytes of an unparsable response that an error message may use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """HTTP response with any status."""

    status: int
    content: bytes
    retry_after: float | None = None
    """Delay in seconds that the server requests; None: it requests none."""


class _ResponseModel(BaseModel):
    # A response may quote the key, so it must not appear in pydantic's error message.
    model_config = ConfigDict(hide_input_in_errors=True)


class ModelCard(_ResponseModel):
    """Model in the list of a server."""

    id: str
    owned_by: str = ""
    max_model_len: int | None = None
    """Tokens; reported by vLLM."""
    root: str | None = None
    """What the server loaded: a folder or a hub id; reported by vLLM."""


class ModelList(_ResponseModel):
    """Response to GET /v1/models."""

    data: list[ModelCard]


class Version(_ResponseModel):
    """Response to vLLM's GET /version."""

    version: str


class Tokenized(_ResponseModel):
    """Response to vLLM's POST /tokenize."""

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
    # /inference/v1/generate names a token by its id, chat by "token_id:7" on request.
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
    """First token of a reply, with the log probabilities at that position."""

    id: int | None
    """None where the server does not report it."""
    logprobs: Mapping[int, float] = field(default_factory=dict[int, float])
    """Natural logarithms, by token id."""


def parse_chat(content: bytes, *, model: str, seconds: float) -> Completion:
    """Parse a 200 of /v1/chat/completions; `ValueError` where it is no completion.

    A response without a choice or text is an empty reply, which the game judges. `model` is used
    where the server does not name the model.
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
    """Parse a 200 of /inference/v1/generate; `ValueError` where it is no completion."""
    reply = _GenerateResponse.model_validate_json(content)
    first = reply.choices[0] if reply.choices else _GenerateChoice()
    return _to_completion(reply, first, model=model, seconds=seconds)


def parse_first_token(content: bytes) -> FirstToken:
    """Parse the first token of a reply of either API; `ValueError` where there is none."""
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
    """Return whether `content` is a JSON object, as of an API, and no web page."""
    try:
        _ResponseModel.model_validate_json(content)
    except ValidationError:
        return False
    return True


def parse_error(content: bytes) -> str:
    """Return the server's error message on one line, without control characters.

    Of a list of validation errors only locations and messages are used: inputs quote whole prompts.
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
    """Return `text` on one line, without characters that could control a terminal."""
    kept = (character for character in text if character.isprintable() or character.isspace())
    return " ".join("".join(kept).split())
