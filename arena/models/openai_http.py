"""A model behind an OpenAI-compatible endpoint: messages out, one completion back."""

import time
from collections.abc import Callable, Mapping

from arena.models import wire
from arena.models.chat import Completion, Request
from arena.models.choosing import OptionTokens
from arena.models.endpoint import CHAT, Endpoint
from arena.models.exchange import Exchange, Manner
from arena.models.spelling import MessageTexts, spell
from arena.models.stopping import ANY, Replies
from arena.models.terms import Spelt, Terms
from scripts_mm.script import Picture


class OpenAIChat:
    """The model of a probed endpoint. A request that fails is not asked again: see `Retrying`."""

    def __init__(
        self,
        endpoint: Endpoint,
        read_picture: Callable[[Picture], bytes],
        *,
        media_once: bool = True,
        reply_ids: bool = False,
        replies: Replies = ANY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`reply_ids` fills `Completion.ids`; vLLM then returns the prompt's tokens too.

        `replies`: how they begin and end.
        """
        manner = Manner(
            media_once=media_once,
            reply_ids=reply_ids,
            stop=replies.stop,
            marks=replies.marks,
            clock=clock,
        )
        self._exchange = Exchange(endpoint, _Chat(endpoint, replies.lead), read_picture, manner)

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise `ModelError`, `ContextError` or `DownError`."""
        return await self._exchange.complete(request)


class _Chat:
    path = CHAT

    def __init__(self, endpoint: Endpoint, lead: str) -> None:
        self._endpoint = endpoint
        self._texts = MessageTexts()
        self._option_tokens = OptionTokens(endpoint, lead)

    async def first_tokens(self, options: tuple[str, ...]) -> tuple[int, ...] | None:
        return await self._option_tokens(options)

    def write(self, request: Request, terms: Terms, urls: Mapping[str, bytes]) -> Spelt:
        return spell(request, self._endpoint.served.model, terms, urls, self._texts)

    def read(self, content: bytes, seconds: float) -> Completion:
        model = self._endpoint.served.model
        return wire.completion(content, model=model, seconds=seconds)
