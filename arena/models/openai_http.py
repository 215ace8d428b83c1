"""A model behind an OpenAI-compatible endpoint: one request out, one completion back."""

import time
from collections.abc import Callable
from dataclasses import replace
from http import HTTPStatus

from arena.errors import ModelError
from arena.models import wire
from arena.models.capabilities import blamed
from arena.models.chat import Completion, Request
from arena.models.endpoint import Endpoint
from arena.models.outcomes import failure, overlong, refuses, room
from arena.models.spelling import DataUrls, Spelt, Terms, spell
from scripts_mm.script import Picture


class OpenAIChat:
    """The model of a probed endpoint. A request that fails is not asked again: see `Retrying`.

    What a server refuses to be asked (vLLM's own fields, a way to write the token limit, more
    tokens than the prompt leaves room for) is left out at once, and remembered for the endpoint
    when the request then passed.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        read_picture: Callable[[Picture], bytes],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._endpoint = endpoint
        self._data_url = DataUrls(read_picture)
        self._clock = clock

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise `ModelError`, `ContextError` or `DownError`."""
        served = self._endpoint.served
        began = self._clock()
        terms = Terms(
            refused=self._endpoint.refused,
            max_tokens=min(request.max_tokens, served.context_tokens or request.max_tokens),
            native=served.is_vllm,
        )
        while True:
            spelt = spell(request, served.model, terms, self._data_url)
            answer = await self._endpoint.post(spelt.body)
            if answer.status == HTTPStatus.OK:
                completion = self._completion(answer, self._clock() - began)
                self._endpoint.learn(terms.refused)
                return completion
            # Judged by what the server said, quoted without the key.
            said = wire.fault(answer.content)
            eased = _eased(terms, spelt, said) if refuses(answer) else None
            if eased is None:
                raise self._failure(answer, overlong(said))
            terms = eased

    def _completion(self, answer: wire.Answer, seconds: float) -> Completion:
        model = self._endpoint.served.model
        try:
            return wire.completion(answer.content, model=model, seconds=seconds)
        except ValueError as error:
            came = self._endpoint.said(answer)
            raise ModelError(
                f"{self._endpoint.url} was to answer with a chat completion, but sent {came!r}"
            ) from error

    def _failure(self, answer: wire.Answer, too_long: bool) -> ModelError:
        return failure(
            answer,
            self._endpoint.said(answer),
            url=self._endpoint.url,
            model=self._endpoint.served.model,
            keyed=self._endpoint.keyed,
            too_long=too_long,
        )


def _eased(terms: Terms, spelt: Spelt, said: str) -> Terms | None:
    """Return terms that the server may accept instead; None where nothing is left to give up.

    Every step refuses one feature more or asks for fewer tokens, so there is an end.
    """
    if overlong(said):
        left = room(said, terms.max_tokens)
        return None if left is None else replace(terms, max_tokens=left)
    more = blamed(said, spelt.used) - terms.refused
    return replace(terms, refused=terms.refused | more) if more else None
