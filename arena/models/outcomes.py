"""What an HTTP answer that is no completion means, and who must act."""

import re
from http import HTTPStatus
from math import isfinite

from arena.errors import ContextError, DownError, ModelError
from arena.models.wire import Answer, fault

QUOTED_CHARS = 200
"""At most so many characters of a server's own words stand in an error."""

_LEAST_ROOM = 16
_REFUSING = frozenset({400, 413, 422})
_PASSING = frozenset({408, 425, 429})
_LOCKED = frozenset({401, 403})
# vLLM: the API process does not hold a picture that came by uuid alone (400); it does, but the
# engine lost it (500, in no particular words, and the API process then forgets it too).
_MISS = re.compile(r"cache miss for \w+ at index", re.IGNORECASE)
_SERVER_ERROR = 500

# vLLM 0.32 (renderers/params.py, v1/engine/input_processor.py, entrypoints/serve/utils), vLLM
# before it, OpenAI, SGLang, TGI, llama.cpp and those who speak like them.
_OVERLONG = re.compile(
    r"maximum (?:context|model|input|prompt) length|max_model_len|context[_ ](?:length|window|size)"
    r"|(?:prompt|input|request) is too long|max_new_tokens`? must be <="
    r"|at most \d+ images?(?:\(s\))? may be provided",
    re.IGNORECASE,
)
_LIMIT_IS = re.compile(r"cannot be greater than max_model_len\s?=\s?(\d+)")
_CONTEXT_IS = re.compile(r"maximum context length is (\d+)")
_LOGPROBS_ARE = re.compile(r"logprob.* greater than max allowed: (\d+)")
_PROMPT_IS = re.compile(
    r"\((\d+) in the (?:messages|prompt)|(?:has|contains) (at least )?(\d+) input tokens"
)


class BusyError(DownError):
    """The endpoint does not answer now and may have said for how long."""

    def __init__(self, message: str, *, retry_after: float | None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds; None: it did not say."""


def refuses(answer: Answer) -> bool:
    """Return whether the server found fault with the request itself."""
    return answer.status in _REFUSING or answer.status == HTTPStatus.NOT_IMPLEMENTED


def misses_picture(answer: Answer, said: str) -> bool:
    """Return whether the server may lack a picture of a request that sent some by uuid alone."""
    return answer.status == HTTPStatus.INTERNAL_SERVER_ERROR or (
        refuses(answer) and _MISS.search(said) is not None
    )


def overlong(said: str) -> bool:
    """Return whether the server says that prompt and reply do not fit, in tokens or pictures."""
    return _OVERLONG.search(said) is not None


def room(said: str, asked: int) -> int | None:
    """Return for how many tokens to ask instead of `asked`, where those alone were too many.

    None where the prompt alone fills the context, or where the server does not tell. A server
    that counts the prompt only `at least` is asked for half.
    """
    if limit := _LIMIT_IS.search(said):
        left = int(limit[1])
    elif (context := _CONTEXT_IS.search(said)) and (prompt := _PROMPT_IS.search(said)):
        left = int(context[1]) - int(prompt[1] or prompt[3])
        if prompt[2] and left > 0:
            left = min(left, asked // 2)
    else:
        return None
    return left if min(_LEAST_ROOM, asked) <= left < asked else None


def logprobs_limit(said: str, asked: int) -> int | None:
    """Return how many probabilities to ask for instead of `asked`; None: those are not at fault.

    One less where the server does not tell how many it gives.
    """
    if "logprob" not in said or "allowed_token_ids" in said:
        return None
    limit = _LOGPROBS_ARE.search(said)
    return min(int(limit[1]), asked - 1) if limit else asked - 1


def failure(
    answer: Answer, said: str, *, url: str, path: str, model: str, keyed: bool
) -> ModelError:
    """Return what to raise for `answer` at `path`; `said` is its message, free of secrets."""
    status = answer.status
    if status in _PASSING or (status >= _SERVER_ERROR and status != HTTPStatus.NOT_IMPLEMENTED):
        return BusyError(f"{url} answered {status}: {said}", retry_after=answer.retry_after)
    if status == HTTPStatus.FORBIDDEN and "--enable-scale-out" in said:
        return ModelError(f"{url} serves no tokens at {path}: {said}")
    if status in _LOCKED:
        lock = "refuses the key that it was given" if keyed else "wants a key and was given none"
        return ModelError(f"{url} {lock} ({status}); name its key in ARENA_ENDPOINTS")
    if status == HTTPStatus.NOT_FOUND:
        return ModelError(
            f"{url} does not serve model {model!r} at {path} (404): {said}; "
            "GET /v1/models there lists what it serves"
        )
    if overlong(fault(answer.content)):
        return ContextError(f"the prompt does not fit the context of {model!r} at {url}: {said}")
    return ModelError(f"{url} will not serve the request to model {model!r} ({status}): {said}")


def clipped(said: str) -> str:
    """Return the beginning of a server's words, as long as an error may quote them."""
    return said if len(said) <= QUOTED_CHARS else said[: QUOTED_CHARS - 3] + "..."


def retry_after(header: str | None) -> float | None:
    """Return the seconds of a Retry-After header; a date or nonsense is as if there were none."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if isfinite(seconds) and seconds >= 0 else None
