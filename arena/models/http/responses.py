"""Responses of servers, validated: HTTP, model lists, versions, tokens and errors."""

from dataclasses import dataclass
from typing import Annotated, Final, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
)
from pydantic_core import from_json

MAX_COUNT: Final = 2**31 - 1
"""Maximum tokens that a server can report, and the highest token id."""

MAX_NAME_CHARS: Final = 512
"""Maximum characters of a name that a server reports."""
_MAX_MESSAGE_CHARS: Final = 4096
"""Characters of an error response that are read; limits the time for an error."""
_MAX_DETAILS: Final = 20
"""Validation errors of an error response that are read, and parts of their locations."""
_MAX_CARDS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpResponse:
    """HTTP response with any status."""

    status: int
    content: bytes
    """Without the key, if the server quoted it."""
    is_truncated: bool = False
    """Whether the server sent more than the request allows; the rest was not read."""
    is_redacted: bool = False
    """Whether the server quoted the key."""
    retry_after: float | None = None
    """Delay in seconds that the server requests; None: it requests none."""


class ResponseModel(BaseModel):
    """Part of a response. Unknown fields are ignored."""

    # A response may quote the key, so it must not appear in pydantic's error message.
    model_config = ConfigDict(hide_input_in_errors=True)


def shorten_name(text: str) -> str:
    """Return a server's name on one line, shortened to the maximum length of names."""
    return one_line(text[:MAX_NAME_CHARS])


def _shorten_list(found: object) -> object:
    return cast("list[object]", found)[:_MAX_DETAILS] if isinstance(found, list) else found


TokenId = Annotated[int, Field(ge=0, le=MAX_COUNT)]

T = TypeVar("T")

# A server may send a million wrong items. Otherwise pydantic creates an error for each, and the
# event loop waits for seconds.
CheckedList = Annotated[list[T], Field(fail_fast=True)]
"""List of a response; its validation ends at the first wrong item."""

_Shortened = Annotated[T, BeforeValidator(_shorten_list)]


class ModelCard(ResponseModel):
    """Model in the list of a server."""

    id: str
    owned_by: Annotated[str, AfterValidator(shorten_name)] = ""
    max_model_len: int | None = None
    """Tokens; reported by vLLM."""
    root: str | None = None
    """What the server loaded: a folder or a hub id; reported by vLLM."""


class ModelList(ResponseModel):
    """Response to GET /v1/models."""

    data: Annotated[CheckedList[ModelCard], Field(max_length=_MAX_CARDS)]


class VersionResponse(ResponseModel):
    """Response to vLLM's GET /version."""

    version: Annotated[str, AfterValidator(shorten_name)]


class TokenizeResponse(ResponseModel):
    """Response to vLLM's POST /tokenize."""

    tokens: CheckedList[TokenId]


class _ErrorBody(ResponseModel):
    message: str
    param: str | None = None


class _ValidationDetail(ResponseModel):
    loc: _Shortened[list[str | int]] = []
    msg: str


class _ErrorResponse(ResponseModel):
    error: _ErrorBody | str | None = None
    detail: _Shortened[list[_ValidationDetail] | str | None] = None
    message: str | None = None


def find_card_fault(card: ModelCard) -> str:
    """Return an impossible value of a model card, as part of a sentence; empty if none."""
    if len(card.id) > MAX_NAME_CHARS or len(card.root or "") > MAX_NAME_CHARS:
        return f"a name of more than {MAX_NAME_CHARS} characters"
    context = card.max_model_len
    if context is not None and not 0 < context <= MAX_COUNT:
        return f"a context of {one_line(str(context)[:20])} tokens"
    return ""


def is_json(content: bytes) -> bool:
    """Return whether `content` is a JSON object, as of an API, and not a web page."""
    try:
        ResponseModel.model_validate_json(content)
    except ValidationError:
        return False
    return True


def parse_error(content: bytes) -> str:
    """Return the server's error message on one line, without control characters.

    Only the locations and messages of validation errors are used: inputs quote whole prompts.
    """
    try:
        # A truncated error still has its message, before the input that it quotes.
        refusal = _ErrorResponse.model_validate(from_json(content, allow_partial=True))
    except ValueError:
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
    return one_line("; ".join(said)[:_MAX_MESSAGE_CHARS]) or _excerpt(content)


def _excerpt(content: bytes) -> str:
    return one_line(content[:_MAX_MESSAGE_CHARS].decode(errors="replace"))


def one_line(text: str) -> str:
    """Return `text` on one line, without characters that could control a terminal."""
    if not text.isprintable():
        text = "".join(one for one in text if one.isprintable() or one.isspace())
    return " ".join(text.split())
