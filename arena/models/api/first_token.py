"""First token of a reply, with the log probabilities at its position."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Annotated, Any, Final, cast

from pydantic import Field

from arena.models.api.completions import MAX_CHOICES, to_count, validate_reply
from arena.models.http.responses import CheckedList, HttpResponse, ResponseModel

_NAMED_BY_ID: Final = "token_id:"
_MAX_ID_DIGITS: Final = 10
_MAX_LOGPROBS: Final = 1024
"""Maximum positions of a reply, and tokens of a position: above what any server reports."""


class _TokenLogprob(ResponseModel):
    # /inference/v1/generate identifies a token by its id, chat by "token_id:7" on request.
    token_id: Any = None
    token: str = ""
    logprob: float

    def id(self) -> int | None:
        if self.token_id is not None:
            return to_count(self.token_id)
        number = self.token.removeprefix(_NAMED_BY_ID)
        if number == self.token or not number.isdecimal() or len(number) > _MAX_ID_DIGITS:
            return None
        return to_count(int(number))


class _PositionLogprobs(_TokenLogprob):
    top_logprobs: Annotated[
        tuple[_TokenLogprob, ...], Field(max_length=_MAX_LOGPROBS, fail_fast=True)
    ] = ()


class _Logprobs(ResponseModel):
    content: Annotated[CheckedList[_PositionLogprobs], Field(max_length=_MAX_LOGPROBS)] | None = (
        None
    )


class _LogprobChoice(ResponseModel):
    logprobs: _Logprobs | None = None
    token_ids: Any = None


class _LogprobResponse(ResponseModel):
    choices: Annotated[CheckedList[_LogprobChoice], Field(max_length=MAX_CHOICES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstToken:
    """First token of a reply, with the log probabilities at that position."""

    id: int | None
    """None if the server does not report it."""
    logprobs: Mapping[int, float] = field(default_factory=dict[int, float])
    """Natural logarithms, by token id."""


def parse_first_token(response: HttpResponse) -> FirstToken:
    """Parse the first token of a reply of either API; `ValueError` if there is none."""
    choices = validate_reply(_LogprobResponse, response)[0].choices
    if not choices:
        return FirstToken(id=None)
    ids, logprobs = choices[0].token_ids, choices[0].logprobs
    first = _first_of(ids)
    if logprobs is None or not logprobs.content:
        return FirstToken(id=first)
    place = logprobs.content[0]
    likely = {
        number: one.logprob
        for one in place.top_logprobs
        if (number := one.id()) is not None and isfinite(one.logprob)
    }
    return FirstToken(id=place.id() if first is None else first, logprobs=likely)


def _first_of(ids: object) -> int | None:
    if not isinstance(ids, list) or not ids:
        return None
    return to_count(cast("list[object]", ids)[0])
