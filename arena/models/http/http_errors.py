"""Classification of HTTP error responses, and the errors that they raise."""

import re
from http import HTTPStatus
from math import isfinite

from arena.errors import (
    ContextLengthError,
    EndpointUnavailableError,
    ModelError,
    UnanswerableError,
)
from arena.models.http.responses import HttpResponse, parse_error

MAX_MESSAGE_CHARS = 200
"""Maximum characters of a server's message in an error."""

_MIN_REPLY_TOKENS = 16
_CLIENT_ERRORS = frozenset({400, 413, 422})
_TRANSIENT = frozenset({408, 425, 429})
UNAUTHORIZED = frozenset({401, 403})
"""Statuses of a server that requires a key, or another one."""
# vLLM answers 400 if the API process does not hold a picture that was sent by uuid only. If the API
# process holds it but the engine lost it, vLLM answers 500 without a fixed message, and the API
# process then drops it too.
_MEDIA_MISS = re.compile(r"cache miss for \w+ at index", re.IGNORECASE)
_SERVER_ERROR = 500

# vLLM 0.32 (renderers/params.py, v1/engine/input_processor.py, entrypoints/serve/utils), vLLM
# before it, OpenAI, SGLang, TGI, llama.cpp and compatible servers.
_CONTEXT_OVERFLOW = re.compile(
    r"maximum (?:context|model|input|prompt) length|max_model_len|context[_ ](?:length|window|size)"
    r"|(?:prompt|input|request) is too long|max_new_tokens`? must be <="
    r"|at most \d+ images?(?:\(s\))? may be provided",
    re.IGNORECASE,
)
_COUNT = r"([0-9]{1,10})(?![0-9])"
_LIMIT_IS = re.compile(rf"cannot be greater than max_model_len\s?=\s?{_COUNT}")
_CONTEXT_IS = re.compile(rf"maximum context length is {_COUNT}")
# Length of the whole context, prompt and reply; SGLang writes the last two.
_QUOTED_CONTEXT = re.compile(
    rf"(?:max_model_len\s?=\s?|maximum model length of |maximum context length (?:is|of) "
    rf"|context length \(){_COUNT}",
    re.IGNORECASE,
)
_LOGPROBS_ARE = re.compile(rf"logprob.{{0,80}} greater than max allowed: {_COUNT}")
_PROMPT_IS = re.compile(
    rf"\({_COUNT} in the (?:messages|prompt)|(?:has|contains) (at least )?{_COUNT} input tokens"
)
_MAX_RETRY_AFTER = 3600.0
"""Seconds; a server that requests more is unavailable."""


class ServerBusyError(EndpointUnavailableError):
    """The endpoint is temporarily unavailable; it may request a delay."""

    def __init__(self, message: str, *, retry_after: float | None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Requested delay in seconds; None: the server did not request one."""


class MalformedResponseError(EndpointUnavailableError):
    """The endpoint answered with status 200, but not with a completion."""


class ContextContradictionError(EndpointUnavailableError):
    """The endpoint rejected a prompt for a smaller context than its list of models reports."""


def is_client_error(response: HttpResponse) -> bool:
    """Return whether the server rejects the request itself."""
    return response.status in _CLIENT_ERRORS or response.status == HTTPStatus.NOT_IMPLEMENTED


def is_media_miss(response: HttpResponse, text: str) -> bool:
    """Return whether the server may lack a picture that the request sent by uuid only."""
    return response.status == HTTPStatus.INTERNAL_SERVER_ERROR or (
        is_client_error(response) and _MEDIA_MISS.search(text) is not None
    )


def is_context_overflow(text: str) -> bool:
    """Return whether the server reports too many tokens or pictures for its context."""
    return _CONTEXT_OVERFLOW.search(text) is not None


def contradicting_context(text: str, reported: int | None) -> int | None:
    """Return the context that an error quotes, if it is smaller than the `reported` one.

    None if the error quotes no context, or the server reports none.
    """
    if reported is None:
        return None
    quoted = (int(found[1]) for found in _QUOTED_CONTEXT.finditer(text))
    return min((one for one in quoted if one < reported), default=None)


def reduce_max_tokens(text: str, asked: int) -> int | None:
    """Return a smaller reply limit if `asked` reply tokens do not fit after the prompt.

    None if the prompt itself fills the context, or if the server reports no numbers. Some servers
    stop counting the prompt early (`at least N`): then request at most half.
    """
    if limit := _LIMIT_IS.search(text):
        left = int(limit[1])
    elif (context := _CONTEXT_IS.search(text)) and (prompt := _PROMPT_IS.search(text)):
        left = int(context[1]) - int(prompt[1] or prompt[3])
        if prompt[2] and left > 0:
            left = min(left, asked // 2)
    else:
        return None
    return left if min(_MIN_REPLY_TOKENS, asked) <= left < asked else None


def reduce_logprobs(text: str, asked: int) -> int | None:
    """Return how many probabilities to request instead of `asked`; None: not the cause.

    One less if the server does not report its limit.
    """
    if "logprob" not in text or "allowed_token_ids" in text:
        return None
    limit = _LOGPROBS_ARE.search(text)
    return min(int(limit[1]), asked - 1) if limit else asked - 1


def to_error(
    response: HttpResponse, text: str, *, url: str, path: str, model: str, has_key: bool
) -> ModelError:
    """Build the error for a response from `path`; `text` is its message without secrets."""
    status = response.status
    if status in _TRANSIENT or (status >= _SERVER_ERROR and status != HTTPStatus.NOT_IMPLEMENTED):
        return ServerBusyError(f"{url} answered {status}: {text}", retry_after=response.retry_after)
    if status == HTTPStatus.FORBIDDEN and "--enable-scale-out" in text:
        return ModelError(f"{url} serves no tokens at {path}: {text}")
    if status in UNAUTHORIZED:
        return ModelError(describe_lock(url, status, has_key=has_key))
    if status == HTTPStatus.NOT_FOUND:
        return ModelError(
            f"{url} does not serve model {model!r} at {path} (404): {text}; "
            "GET /v1/models there lists what it serves"
        )
    if is_context_overflow(parse_error(response.content)):
        return ContextLengthError(
            f"the prompt does not fit the context of {model!r} at {url}: {text}"
        )
    refused = UnanswerableError if is_client_error(response) else ModelError
    return refused(f"{url} will not serve the request to model {model!r} ({status}): {text}")


def describe_lock(url: str, status: int, *, has_key: bool) -> str:
    """Describe a refusal because of a missing or wrong key, and who must act."""
    lock = "refuses the key" if has_key else "requires a key, but got none"
    return f"{url} {lock} ({status}); name its key in ARENA_ENDPOINTS"


def truncate_message(text: str) -> str:
    """Return the start of a server's message, up to the length that an error can quote."""
    return text if len(text) <= MAX_MESSAGE_CHARS else text[: MAX_MESSAGE_CHARS - 3] + "..."


def parse_retry_after(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header, at most an hour; None for other values."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return min(seconds, _MAX_RETRY_AFTER) if isfinite(seconds) and seconds >= 0 else None
