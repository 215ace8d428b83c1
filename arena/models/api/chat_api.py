"""Client of the OpenAI chat API: messages out, one completion back."""

import time
from collections.abc import Callable, Mapping

from arena.models.api import completions
from arena.models.api.chat_serialization import MessageJsonCache, serialize
from arena.models.api.choice_scoring import OptionFirstTokens
from arena.models.api.negotiation import ClientOptions, NegotiatingClient
from arena.models.api.reply_format import PLAIN_REPLIES, ReplyFormat
from arena.models.api.request_params import EncodedRequest, RequestParams
from arena.models.chat import Completion, Request
from arena.models.http import responses
from arena.models.http.endpoint import CHAT, Endpoint
from scripts_mm.script import Picture


class OpenAIChat:
    """Chat model of a probed endpoint. It does not repeat failed requests: see `RetryingModel`."""

    def __init__(
        self,
        endpoint: Endpoint,
        read_picture: Callable[[Picture], bytes],
        *,
        reply_ids: bool = False,
        reply_format: ReplyFormat = PLAIN_REPLIES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create a client; `reply_ids` fills `Completion.ids`, at the cost of larger responses.

        vLLM then returns the prompt's token ids too.
        """
        manner = ClientOptions(
            reply_ids=reply_ids,
            stop=reply_format.stop,
            markers=reply_format.markers,
            clock=clock,
        )
        self._exchange = NegotiatingClient(
            endpoint, _ChatFormat(endpoint, reply_format.prefix), read_picture, manner
        )

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise a `ModelError` or a subclass of it."""
        return await self._exchange.complete(request)


class _ChatFormat:
    path = CHAT

    def __init__(self, endpoint: Endpoint, prefix: str) -> None:
        self._endpoint = endpoint
        self._message_json = MessageJsonCache()
        self._option_tokens = OptionFirstTokens(endpoint, prefix)

    async def first_tokens(self, options: tuple[str, ...]) -> tuple[int, ...] | None:
        return await self._option_tokens(options)

    def write(
        self, request: Request, params: RequestParams, urls: Mapping[str, bytes]
    ) -> EncodedRequest:
        return serialize(
            request, self._endpoint.probe_result.model, params, urls, self._message_json
        )

    def read(
        self, response: responses.HttpResponse, context: completions.ReplyContext
    ) -> Completion:
        return completions.parse_chat(response, context)
