"""Log of searches: hits are recorded like calls, so that a resumed match gets the same ones.

A server's vectors differ between calls in their last bits, and a server can fail one call and not
the next. So a search with an unrepeatable embedder runs once, and is read from the record later.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Annotated, Final, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.errors import RecordError
from arena.memory.lexical import LexicalHit
from arena.models.chat import CallId, Completion, Message, Request
from arena.models.recording import RecordedCall, RecordedCalls

_DIGITS: Final = 16
"""Length of a digest in hexadecimal digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHits:
    """Hits of a search, best first; among ties the earlier unit first."""

    found: tuple[LexicalHit, ...]
    lexical: bool = False
    """Whether the embedder failed and BM25 searched: scores are then not similarities."""

    @property
    def in_order(self) -> tuple[int, ...]:
        """The indices of the units, ascending."""
        return tuple(sorted(hit.index for hit in self.found))


class SearchLog(Protocol):
    """Stores the hits of searches, as indices in the list of the searched texts."""

    def find(self, call_id: CallId, query: str, texts: Sequence[str]) -> SearchHits | None:
        """Return the hits of this search; None: it is not recorded."""
        ...

    def save(self, call_id: CallId, query: str, texts: Sequence[str], hits: SearchHits) -> None:
        """Store the hits of a search."""
        ...


class _StoredSearch(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    lexical: bool
    found: list[tuple[Annotated[int, Field(ge=0)], float]]
    """Indices in the list of texts, and scores."""


class RecordedSearches:
    """Log of searches among the recorded calls of a match.

    The id of a call contains a digest of query and texts, so hits among other texts never match.
    """

    def __init__(
        self, calls: RecordedCalls, *, save: Callable[[RecordedCall], None], model: str
    ) -> None:
        """Read from `calls`, write with `save`; `model` names the embedder."""
        self._calls, self._save, self._model = calls, save, model

    def find(self, call_id: CallId, query: str, texts: Sequence[str]) -> SearchHits | None:
        """Return the hits of this search; None: it is not recorded.

        Raises `NotRecordedError` for a new search while players restore their memory, and
        `RecordError` for a damaged record.
        """
        call = self._calls.find(_identify(call_id, query, texts))
        if call is None:
            return None
        kept = _read(call)
        if any(place >= len(texts) for place, _ in kept.found):
            raise _damage_error(call)
        found = tuple(LexicalHit(index=place, score=score) for place, score in kept.found)
        return SearchHits(found=found, lexical=kept.lexical)

    def save(self, call_id: CallId, query: str, texts: Sequence[str], hits: SearchHits) -> None:
        """Record a search before its hits are used."""
        found = [(hit.index, hit.score) for hit in hits.found]
        completion = Completion(
            text=_StoredSearch(lexical=hits.lexical, found=found).model_dump_json(),
            finish="stop",
            prompt_tokens=0,
            output_tokens=0,
            cached_tokens=None,
            seconds=0.0,
            model=self._model,
        )
        request = Request(
            call_id=_identify(call_id, query, texts),
            messages=(Message(role="user", text=query),),
            max_tokens=0,
            temperature=0.0,
        )
        call = RecordedCall(request=request, completion=completion)
        self._save(call)
        self._calls.add(call)


def _identify(call_id: CallId, query: str, texts: Sequence[str]) -> CallId:
    digest = sha256("\0".join((query, *texts)).encode(errors="replace")).hexdigest()
    return replace(call_id, kind="search", chunk=f"{call_id.chunk}/{digest[:_DIGITS]}".lstrip("/"))


def _read(call: RecordedCall) -> _StoredSearch:
    try:
        return _StoredSearch.model_validate_json(call.completion.text if call.completion else "")
    except ValidationError as error:
        raise _damage_error(call) from error


def _damage_error(call: RecordedCall) -> RecordError:
    call_id = call.request.call_id
    return RecordError(
        f"the record of what seat {call_id.seat!r} found for {call_id.request!r} (attempt "
        f"{call_id.attempt}) is damaged; start a new run"
    )
