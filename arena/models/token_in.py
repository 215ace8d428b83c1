"""A model behind vLLM's token endpoint: token ids out, token ids and text back.

The server neither applies a chat template nor tokenises, and what it returned goes back to it as it
came, so that a prompt begins with the prompt and the reply before it, token for token.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from arena.models import wire
from arena.models.capabilities import Feature, Refused
from arena.models.chat import Completion, Message, Request
from arena.models.constraints import sampled
from arena.models.endpoint import GENERATE, Endpoint
from arena.models.exchange import Exchange, Manner
from arena.models.terms import Spelt, Terms, dumped, ended, exactly, quoted, scheduled, used_in
from scripts_mm.script import Picture

_CHOICES = 4096
"""Sets of options whose first tokens are remembered."""
_BARE = frozenset({Feature.BARE})
_MOST_LOGPROBS = 20
"""vLLM's --max-logprobs, if nobody said otherwise; this endpoint takes no more."""


class Tokens(Protocol):
    """A prompt in tokens."""

    @property
    def text(self) -> bytes:
        """Token ids as JSON without the brackets; one placeholder token for each picture."""
        ...

    @property
    def pictures(self) -> Sequence[Picture]:
        """In the order of their placeholders."""
        ...


class Spells(Protocol):
    """Writes messages in the tokens of the endpoint's model."""

    def spell(self, messages: Sequence[Message]) -> Tokens:
        """Return the prompt, opened for the reply."""
        ...

    def first_tokens(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the token with which each option begins; None where they are not all different."""
        ...


class TokenIn:
    """The model of a probed endpoint whose `served.token_in` is true.

    A request that fails is not asked again: see `Retrying`.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        speller: Spells,
        read_picture: Callable[[Picture], bytes],
        *,
        media_once: bool = True,
        stop: tuple[str, ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        manner = Manner(media_once=media_once, stop=stop, clock=clock)
        self._exchange = Exchange(endpoint, _Generate(endpoint, speller), read_picture, manner)

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise `ModelError`, `ContextError` or `DownError`."""
        return await self._exchange.complete(request)


class _Generate:
    path = GENERATE

    def __init__(self, endpoint: Endpoint, speller: Spells) -> None:
        self._endpoint = endpoint
        self._speller = speller
        self._first = lru_cache(maxsize=_CHOICES)(speller.first_tokens)

    async def first_tokens(self, options: tuple[str, ...]) -> tuple[int, ...] | None:
        return self._first(options)

    def write(self, request: Request, terms: Terms, urls: Mapping[str, bytes]) -> Spelt:
        tokens = self._speller.spell(request.messages)
        shas = frozenset(picture.sha256 for picture in tokens.pictures)
        bare = shas - urls.keys()
        place = scheduled(request, terms)
        sampling, of_constraint = _sampling(request, terms)
        rest: dict[str, Any] = {
            **place,
            "sampling_params": sampling,
            # Where text comes along, tokens are named by their text, and two can look alike.
            "output_mode": "tokens" if terms.one_token else "text",
        }
        used = used_in(place) | used_in(sampling) | of_constraint
        return Spelt(
            body=b"".join(
                (
                    b'{"model":',
                    quoted(self._endpoint.served.model),
                    b',"token_ids":[',
                    tokens.text,
                    b"],",
                    _parts(tokens.pictures, urls),
                    dumped(rest)[1:],
                )
            ),
            used=used | _BARE if bare else used,
            named=shas,
            bare=bare,
        )

    def read(self, content: bytes, seconds: float) -> Completion:
        model = self._endpoint.served.model
        return wire.generated(content, model=model, seconds=seconds)


def _sampling(request: Request, terms: Terms) -> tuple[dict[str, Any], Refused]:
    fields: dict[str, Any] = {
        "temperature": request.temperature,
        "max_tokens": 1 if terms.one_token else terms.max_tokens,
        **exactly(request, terms),
    }
    if not terms.one_token:
        constraint, used = sampled(request.constraint, terms)
        return fields | constraint | ended(terms, used), used
    first = list(terms.first)
    fields["allowed_token_ids"] = first
    if len(first) <= min(terms.most_logprobs, _MOST_LOGPROBS):
        fields |= {"logprobs": len(first), "logprob_token_ids": first}
    return fields, frozenset()


def _parts(pictures: Sequence[Picture], urls: Mapping[str, bytes]) -> bytes:
    if not pictures:
        return b""
    return b'"content_parts":[' + b",".join(_part(picture, urls) for picture in pictures) + b"],"


def _part(picture: Picture, urls: Mapping[str, bytes]) -> bytes:
    url = urls.get(picture.sha256)
    written = b"null" if url is None else b'"' + url + b'"'
    uuid = quoted(picture.sha256)
    return b"".join((b'{"type":"image_url","url":', written, b',"uuid":', uuid, b"}"))
