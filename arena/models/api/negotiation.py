"""Feature negotiation: repeat a request with fewer features until the server accepts it.

Servers reject unsupported fields with different statuses and messages, and none lists what it
supports. So the first request uses everything; each rejection removes what its message names. The
features that a successful request omitted are stored for the endpoint, and later requests omit them
from the start.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Protocol

from arena.errors import ModelError
from arena.models.api import completions
from arena.models.api.capabilities import Feature, features_in_error, next_feature_to_drop
from arena.models.api.choice_scoring import resolve_choice
from arena.models.api.first_token import parse_first_token
from arena.models.api.media_cache import DataUrlCache
from arena.models.api.reply_format import escape_markers, truncate_at_stop
from arena.models.api.request_params import EncodedRequest, RequestParams
from arena.models.chat import ChoiceConstraint, Completion, Request
from arena.models.http import responses
from arena.models.http.endpoint import Endpoint
from arena.models.http.http_errors import (
    ContextContradictionError,
    MalformedResponseError,
    contradicting_context,
    is_client_error,
    is_context_overflow,
    is_media_miss,
    reduce_logprobs,
    reduce_max_tokens,
    to_error,
)
from scripts_mm.script import Picture

_MAX_ATTEMPTS = 256
"""Maximum attempts of one call: enough for a server that refuses each feature and each number of
logprobs.
"""
_SINGLE_TOKEN_CHOICE = frozenset({Feature.SINGLE_TOKEN_CHOICE})
_MEDIA_UUID_ONLY = frozenset({Feature.MEDIA_UUID_ONLY})


class WireFormat(Protocol):
    """Encoding of requests for one API of a server, and parsing of its responses."""

    @property
    def path(self) -> str:
        """Path of the API."""
        ...

    async def first_tokens(self, options: tuple[str, ...]) -> tuple[int, ...] | None:
        """Return the first token of each option; None if the tokens do not identify them."""
        ...

    def write(
        self, request: Request, params: RequestParams, urls: Mapping[str, bytes]
    ) -> EncodedRequest:
        """Encode `request` within `params`; pictures not in `urls` are sent by uuid only."""
        ...

    def read(
        self, response: responses.HttpResponse, context: completions.ReplyContext
    ) -> Completion:
        """Parse a 200 response; `ValueError` if it is not a completion."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientOptions:
    """Options of a client of one endpoint."""

    reply_ids: bool = False
    """Request the token ids of replies from an API that omits them by default."""
    stop: tuple[str, ...] = ()
    """Texts that end a reply. The client truncates there too, because a server may not support stop
    strings."""
    markers: tuple[str, ...] = ()
    """Texts that later prompts must not contain, such as the marker of a picture."""
    clock: Callable[[], float] = time.monotonic


class NegotiatingClient:
    """Client of one endpoint that drops what the server rejects.

    It reacts to four kinds of response. A rejected field or an excessive reply limit: change the
    request and repeat it immediately. A picture that the server no longer caches: send all bytes. A
    single-token choice with a token that matches no option: request the whole option instead.
    Anything else is an error. If another request is uploading a picture, the client waits for it
    instead of sending it twice.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        wire_format: WireFormat,
        read_picture: Callable[[Picture], bytes],
        options: ClientOptions,
    ) -> None:
        self._endpoint = endpoint
        self._format = wire_format
        self._data_urls = DataUrlCache(read_picture)
        self._options = options

    async def complete(self, request: Request) -> Completion:
        """Return the completion, or raise a `ModelError` or a subclass of it.

        The loop ends: see `_relax`, and a single-token choice is dropped at most once.
        """
        started = self._options.clock()
        params = await self._initial_params(request)
        attempts = 0
        while True:
            attempts += 1
            completion = None
            pictures = await self._pictures_to_upload(request, params)
            with self._endpoint.media.uploading(picture.sha256 for picture in pictures):
                urls = await self._data_urls.load(pictures)
                encoded = self._format.write(request, params, urls)
                response = await self._endpoint.post(
                    encoded.body,
                    self._format.path,
                    request_id=request.request_id,
                    max_bytes=params.max_response_bytes(self._endpoint.probe_result.context_tokens),
                )
                if response.status == HTTPStatus.OK:
                    completion = self._parse(request, params, encoded, response, started)
                    if not response.is_truncated:
                        self._endpoint.media.mark_cached(encoded.uuids)
            if completion is not None:
                # A server that sends more than requested proves nothing.
                if not response.is_truncated:
                    self._endpoint.mark_unsupported(
                        params.confirmed_unsupported, params.max_logprobs
                    )
                return completion
            if response.status == HTTPStatus.OK:
                params = params.without(_SINGLE_TOKEN_CHOICE)
                continue
            relaxed = self._relax(params, encoded, response) if attempts < _MAX_ATTEMPTS else None
            if relaxed is None:
                raise self._error(response)
            params = relaxed

    async def _initial_params(self, request: Request) -> RequestParams:
        served = self._endpoint.probe_result
        params = RequestParams(
            unsupported=self._endpoint.unsupported,
            max_tokens=min(request.max_tokens, served.context_tokens or request.max_tokens),
            is_vllm=served.is_vllm,
            reply_ids=self._options.reply_ids,
            stop=self._options.stop,
            max_logprobs=self._endpoint.max_logprobs,
        )
        if not (
            isinstance(request.constraint, ChoiceConstraint)
            and params.allows(Feature.SINGLE_TOKEN_CHOICE)
        ):
            return params
        first = await self._format.first_tokens(request.constraint.options)
        return replace(params, first_tokens=first or ())

    async def _pictures_to_upload(self, request: Request, params: RequestParams) -> list[Picture]:
        pictures = [message.picture for message in request.messages if message.picture]
        if params.send_all_media or not (
            params.allows(Feature.MEDIA_UUID_ONLY) and params.allows(Feature.UUID)
        ):
            return pictures
        media = self._endpoint.media
        await media.wait_for_uploads([picture.sha256 for picture in pictures])
        return [picture for picture in pictures if not media.is_cached(picture.sha256)]

    def _parse(
        self,
        request: Request,
        params: RequestParams,
        encoded: EncodedRequest,
        response: responses.HttpResponse,
        started: float,
    ) -> Completion | None:
        """Parse the completion; None if a single-token choice returned no option's token."""
        model = self._endpoint.probe_result.model
        seconds = self._options.clock() - started
        context = completions.ReplyContext(
            max_tokens=params.max_tokens, model=model, seconds=seconds
        )
        try:
            completion = self._format.read(response, context)
            if not (params.is_single_token and isinstance(request.constraint, ChoiceConstraint)):
                within = () if params.uses_grammar(encoded.features) else params.stop
                markers = (*params.stop, *self._options.markers)
                return escape_markers(truncate_at_stop(completion, within), markers)
            first_token = parse_first_token(response)
        except ValueError as error:
            body = self._endpoint.error_text(response)
            raise MalformedResponseError(
                f"{self._endpoint.url} should answer with a chat completion, but sent {body!r}"
            ) from error
        return resolve_choice(
            completion, request.constraint.options, params.first_tokens, first_token
        )

    def _relax(
        self, params: RequestParams, encoded: EncodedRequest, response: responses.HttpResponse
    ) -> RequestParams | None:
        """Return params that the server may accept instead; None if nothing is left to drop.

        Every step omits one more feature, sends more bytes or requests fewer tokens, so a request
        has a bounded number of attempts.
        """
        # The classification needs the raw message; `_error` quotes it without the key.
        error = responses.parse_error(response.content)
        if encoded.uuid_only and is_media_miss(response, error):
            self._endpoint.media.forget(encoded.uuid_only)
            return replace(params, send_all_media=True)
        if not is_client_error(response):
            return None
        if is_context_overflow(error):
            self._check_context(error)
            left = reduce_max_tokens(error, params.max_tokens)
            return None if left is None else replace(params, max_tokens=left)
        return _drop_rejected(params, encoded, error)

    def _check_context(self, error: str) -> None:
        """Raise `ContextContradictionError` for a smaller context than the server reports.

        Then the server is at fault, not the prompt, which may fit in another attempt.
        """
        reported = self._endpoint.probe_result.context_tokens
        quoted = contradicting_context(error, reported)
        if quoted is not None:
            raise ContextContradictionError(
                f"{self._endpoint.url} should accept {reported} tokens as its model list says, but "
                f"rejected a prompt for a context of {quoted}; fix the server"
            )

    def _error(self, response: responses.HttpResponse) -> ModelError:
        return to_error(
            response,
            self._endpoint.error_text(response),
            url=self._endpoint.url,
            path=self._format.path,
            model=self._endpoint.probe_result.model,
            has_key=self._endpoint.has_key,
        )


def _drop_rejected(
    params: RequestParams, encoded: EncodedRequest, error: str
) -> RequestParams | None:
    """Return params without the feature in the error; None if it concerns no optional feature.

    A message that names a feature is certain. A message that only reports an unknown field makes
    the least important feature a suspect: it is dropped, and only a success confirms it.
    """
    weighed = len(params.first_tokens)
    if params.is_single_token and weighed <= params.max_logprobs:
        limit = reduce_logprobs(error, weighed)
        if limit is not None:
            return replace(params, max_logprobs=limit)
    named = features_in_error(error, encoded.features) - params.unsupported
    guess = None if named else next_feature_to_drop(error, encoded.features - params.unsupported)
    if guess is not None:
        return params.without_suspect(guess)
    # A server without a media cache rejects a picture by uuid, but its message names another cause.
    more = named or (_MEDIA_UUID_ONLY & encoded.features) - params.unsupported
    return params.without(more) if more else None
