"""Client of vLLM's token endpoint: token ids out, token ids and text back.

The server neither applies a chat template nor tokenises. It receives its replies again as the same
token ids, so a prompt begins with the previous prompt and reply, token for token.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from arena.models.api import completions
from arena.models.api.capabilities import Feature, UnsupportedFeatures
from arena.models.api.constraints import build_sampling_constraint
from arena.models.api.negotiation import ClientOptions, NegotiatingClient
from arena.models.api.request_params import (
    EncodedRequest,
    RequestParams,
    build_scheduling_fields,
    build_stop_fields,
    encode_json,
    encode_json_string,
    find_features,
)
from arena.models.chat import Completion, Message, Request
from arena.models.http import responses
from arena.models.http.endpoint import GENERATE, Endpoint
from scripts_mm.script import Picture

_CHOICE_CACHE_SIZE = 4096
"""Number of option sets with cached first tokens."""
_MEDIA_UUID_ONLY = frozenset({Feature.MEDIA_UUID_ONLY})
_MAX_LOGPROBS = 20
"""Default of vLLM's --max-logprobs, which limits this endpoint."""


class EncodedPrompt(Protocol):
    """Prompt as token ids."""

    @property
    def text(self) -> bytes:
        """Token ids as a JSON list without its brackets; one placeholder token for each picture."""
        ...

    @property
    def pictures(self) -> Sequence[Picture]:
        """Pictures in the order of their placeholders."""
        ...


class PromptTokenizer(Protocol):
    """Tokenizer of prompts for the endpoint's model."""

    def encode(self, messages: Sequence[Message]) -> EncodedPrompt:
        """Tokenise a prompt, with the generation prompt at its end."""
        ...

    def first_tokens(self, options: Sequence[str]) -> tuple[int, ...] | None:
        """Return the first token of each option; None if they are not all different."""
        ...


class TokenIdModel:
    """Chat model of a probed endpoint whose `served.accepts_token_ids` is true.

    It does not repeat failed requests: see `RetryingModel`.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        tokenizer: PromptTokenizer,
        read_picture: Callable[[Picture], bytes],
        *,
        stop: tuple[str, ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        manner = ClientOptions(stop=stop, clock=clock)
        self._exchange = NegotiatingClient(
            endpoint, _GenerateFormat(endpoint, tokenizer), read_picture, manner
        )

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion, or raise a `ModelError` or a subclass of it."""
        return await self._exchange.complete(request)


class _GenerateFormat:
    path = GENERATE

    def __init__(self, endpoint: Endpoint, tokenizer: PromptTokenizer) -> None:
        self._endpoint = endpoint
        self._tokenizer = tokenizer
        self._first = lru_cache(maxsize=_CHOICE_CACHE_SIZE)(tokenizer.first_tokens)

    async def first_tokens(self, options: tuple[str, ...]) -> tuple[int, ...] | None:
        return self._first(options)

    def write(
        self, request: Request, params: RequestParams, urls: Mapping[str, bytes]
    ) -> EncodedRequest:
        tokens = self._tokenizer.encode(request.messages)
        shas = frozenset(picture.sha256 for picture in tokens.pictures)
        bare = shas - urls.keys()
        place = build_scheduling_fields(request, params)
        sampling, of_constraint = _build_sampling_params(request, params)
        rest: dict[str, Any] = {
            **place,
            "sampling_params": sampling,
            # In text mode logprobs name tokens by their text, which two tokens can share.
            "output_mode": "tokens" if params.is_single_token else "text",
        }
        used = find_features(place) | find_features(sampling) | of_constraint
        return EncodedRequest(
            body=b"".join(
                (
                    b'{"model":',
                    encode_json_string(self._endpoint.probe_result.model),
                    b',"token_ids":[',
                    tokens.text,
                    b"],",
                    _serialize_pictures(tokens.pictures, urls),
                    encode_json(rest)[1:],
                )
            ),
            features=used | _MEDIA_UUID_ONLY if bare else used,
            uuids=shas,
            uuid_only=bare,
        )

    def read(
        self, response: responses.HttpResponse, context: completions.ReplyContext
    ) -> Completion:
        return completions.parse_generate(response, context)


def _build_sampling_params(
    request: Request, params: RequestParams
) -> tuple[dict[str, Any], UnsupportedFeatures]:
    fields: dict[str, Any] = {
        "temperature": request.temperature,
        "max_tokens": 1 if params.is_single_token else params.max_tokens,
    }
    if not params.is_single_token:
        constraint, used = build_sampling_constraint(request.constraint, params)
        return fields | constraint | build_stop_fields(params, used), used
    first = list(params.first_tokens)
    fields["allowed_token_ids"] = first
    if len(first) <= min(params.max_logprobs, _MAX_LOGPROBS):
        fields |= {"logprobs": len(first), "logprob_token_ids": first}
    return fields, frozenset()


def _serialize_pictures(pictures: Sequence[Picture], urls: Mapping[str, bytes]) -> bytes:
    if not pictures:
        return b""
    return (
        b'"content_parts":['
        + b",".join(_serialize_picture(picture, urls) for picture in pictures)
        + b"],"
    )


def _serialize_picture(picture: Picture, urls: Mapping[str, bytes]) -> bytes:
    url = urls.get(picture.sha256)
    written = b"null" if url is None else b'"' + url + b'"'
    uuid = encode_json_string(picture.sha256)
    return b"".join((b'{"type":"image_url","url":', written, b',"uuid":', uuid, b"}"))
