"""One request and its answer, however often it must be written until the server takes it."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Protocol

from arena.errors import ModelError
from arena.models import wire
from arena.models.capabilities import Feature, blamed, doubted
from arena.models.chat import Completion, OneOf, Request
from arena.models.choosing import chosen
from arena.models.endpoint import Endpoint
from arena.models.media import DataUrls
from arena.models.outcomes import failure, logprobs_limit, misses_picture, overlong, refuses, room
from arena.models.stopping import harmless, stopped
from arena.models.terms import Spelt, Terms
from scripts_mm.script import Picture

_ONE_STEP = frozenset({Feature.ONE_STEP})
_BARE = frozenset({Feature.BARE})


class Dialect(Protocol):
    """How a request is written for one of a server's doors, and what its answer means."""

    @property
    def path(self) -> str:
        """The door."""
        ...

    async def first_tokens(self, options: tuple[str, ...]) -> tuple[int, ...] | None:
        """Return the token with which each option begins; None: they cannot be told apart."""
        ...

    def write(self, request: Request, terms: Terms, urls: Mapping[str, bytes]) -> Spelt:
        """Return `request` within `terms`; pictures that are not in `urls` go by uuid alone."""
        ...

    def read(self, content: bytes, seconds: float) -> Completion:
        """Return what a 200 says; `ValueError` where it is no completion."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How requests to an endpoint are put."""

    media_once: bool = True
    """A picture's bytes go once per endpoint, later its uuid alone; vLLM only."""
    reply_ids: bool = False
    """Ask for the tokens of replies where they do not come by themselves."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply; they and what follows them are no part of it, even where a server
    takes no stop strings."""
    marks: tuple[str, ...] = ()
    """Texts that no reply may hold when it goes back to the server."""
    clock: Callable[[], float] = time.monotonic


class Exchange:
    """Asks one endpoint in one dialect.

    What a server refuses to be asked (vLLM's own fields, a way to write the token limit, more
    tokens than the prompt leaves room for) is left out at once, and remembered for the endpoint
    when the request then passed. A picture that the server should hold and does not is sent again;
    one that another request takes there now is waited for.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        dialect: Dialect,
        read_picture: Callable[[Picture], bytes],
        manner: Manner,
    ) -> None:
        self._endpoint = endpoint
        self._dialect = dialect
        self._data_urls = DataUrls(read_picture)
        self._manner = manner

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise `ModelError`, `ContextError` or `DownError`."""
        began = self._manner.clock()
        terms = await self._terms(request)
        while True:
            completion = None
            pictures = await self._to_send(request, terms)
            with self._endpoint.media.sending(picture.sha256 for picture in pictures):
                urls = await self._data_urls.load(pictures)
                spelt = self._dialect.write(request, terms, urls)
                answer = await self._endpoint.post(spelt.body, self._dialect.path)
                if answer.status == HTTPStatus.OK:
                    completion = self._completion(request, terms, spelt, answer, began)
                    self._endpoint.media.sent(spelt.named)
            if completion is not None:
                self._endpoint.learn(terms.lesson, terms.most_logprobs)
                return completion
            if answer.status == HTTPStatus.OK:
                terms = terms.without(_ONE_STEP)
                continue
            eased = self._eased(terms, spelt, answer)
            if eased is None:
                raise self._failure(answer)
            terms = eased

    async def _terms(self, request: Request) -> Terms:
        served = self._endpoint.served
        terms = Terms(
            refused=self._endpoint.refused,
            max_tokens=min(request.max_tokens, served.context_tokens or request.max_tokens),
            native=served.is_vllm,
            whole=not self._manner.media_once,
            reply_ids=self._manner.reply_ids,
            stop=self._manner.stop,
            most_logprobs=self._endpoint.most_logprobs,
        )
        if not (isinstance(request.constraint, OneOf) and terms.may(Feature.ONE_STEP)):
            return terms
        first = await self._dialect.first_tokens(request.constraint.options)
        return replace(terms, first=first or ())

    async def _to_send(self, request: Request, terms: Terms) -> list[Picture]:
        pictures = [message.picture for message in request.messages if message.picture]
        if terms.whole or not (terms.may(Feature.BARE) and terms.may(Feature.UUID)):
            return pictures
        media = self._endpoint.media
        await media.settle([picture.sha256 for picture in pictures])
        return [picture for picture in pictures if not media.known(picture.sha256)]

    def _completion(
        self, request: Request, terms: Terms, spelt: Spelt, answer: wire.Answer, began: float
    ) -> Completion | None:
        """Return the completion; None if one token was asked for and is of no option."""
        try:
            completion = self._dialect.read(answer.content, self._manner.clock() - began)
            if not (terms.one_token and isinstance(request.constraint, OneOf)):
                within = () if terms.grammar(spelt.used) else terms.stop
                marks = (*terms.stop, *self._manner.marks)
                return harmless(stopped(completion, within), marks)
            begins = wire.first_token(answer.content)
        except ValueError as error:
            came = self._endpoint.said(answer)
            raise ModelError(
                f"{self._endpoint.url} was to answer with a chat completion, but sent {came!r}"
            ) from error
        return chosen(completion, request.constraint.options, terms.first, begins)

    def _eased(self, terms: Terms, spelt: Spelt, answer: wire.Answer) -> Terms | None:
        """Return terms that the server may accept instead; None where nothing is left to give up.

        Every step refuses one feature more, sends more bytes or asks for fewer tokens, so there is
        an end.
        """
        # Judged by what the server said, quoted without the key.
        said = wire.fault(answer.content)
        if spelt.bare and misses_picture(answer, said):
            self._endpoint.media.forget(spelt.bare)
            return replace(terms, whole=True)
        if not refuses(answer):
            return None
        if overlong(said):
            left = room(said, terms.max_tokens)
            return None if left is None else replace(terms, max_tokens=left)
        return _less(terms, spelt, said)

    def _failure(self, answer: wire.Answer) -> ModelError:
        return failure(
            answer,
            self._endpoint.said(answer),
            url=self._endpoint.url,
            path=self._dialect.path,
            model=self._endpoint.served.model,
            keyed=self._endpoint.keyed,
        )


def _less(terms: Terms, spelt: Spelt, said: str) -> Terms | None:
    """Return terms without what `said` finds fault with; None where that is nothing of ours."""
    weighed = len(terms.first)
    if terms.one_token and weighed <= terms.most_logprobs:
        limit = logprobs_limit(said, weighed)
        if limit is not None:
            return replace(terms, most_logprobs=limit)
    named = blamed(said, spelt.used) - terms.refused
    guess = None if named else doubted(said, spelt.used - terms.refused)
    if guess is not None:
        return terms.guessing(guess)
    # A server without a cache of pictures speaks of everything but that.
    more = named or (_BARE & spelt.used) - terms.refused
    return terms.without(more) if more else None
