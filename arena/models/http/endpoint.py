"""OpenAI-compatible endpoint: its model, its supported features, and whether it is up."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus

from arena.errors import ConfigError, EndpointUnavailableError, ModelError
from arena.models.api.capabilities import UnsupportedFeatures
from arena.models.api.media_cache import MediaCacheTracker
from arena.models.api.request_params import MAX_LOGPROBS, encode_json
from arena.models.chat import Message
from arena.models.http import responses
from arena.models.http.address import EndpointAddress
from arena.models.http.http_errors import MalformedResponseError, to_error
from arena.models.http.http_transport import MAX_INFO_BYTES, HttpTransport, open_http_transport
from arena.models.http.model_list import MODELS, find_card, select_card
from arena.models.http.served_model import ServedModel
from arena.models.http.server_metrics import KvCache, parse_capacity

CHAT = "/v1/chat/completions"
GENERATE = "/inference/v1/generate"
TOKENIZE = "/tokenize"
UNKNOWN_PATH = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})
"""Statuses of a server that does not have a path."""
_METRICS = "/metrics"
_VERSION = "/version"
_VALIDATION_ERRORS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTimeouts:
    """Timeouts of an endpoint in seconds; tests replace the clock."""

    recovery_seconds: float = 60.0
    """Time for a server that does not answer to recover."""
    poll_seconds: float = 1.0
    """Time between two health checks."""
    first_probe_seconds: float = 60.0
    """Time for the answer to each first query about the server: a busy one is late, not absent."""
    probe_seconds: float = 10.0
    """Time for the response to a later query about the server itself."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic


Supervisor = Callable[[], Awaitable[None]]
"""Waits until our own server is up again, or raises `ModelError`; seats call it concurrently."""


class Endpoint:
    """Endpoint of one served model, made by `open_endpoint`."""

    def __init__(
        self, http: HttpTransport, *, timeouts: EndpointTimeouts, supervisor: Supervisor | None
    ) -> None:
        self.media = MediaCacheTracker()
        """Pictures that the server caches, shared by all clients of the endpoint."""
        self.has_tokenized = False
        """Whether the server has tokenised a text: then a failure to do so is temporary."""
        self._http = http
        self._timeouts = timeouts
        self._supervisor = supervisor
        self._served: ServedModel | None = None
        self._unsupported: UnsupportedFeatures = frozenset()
        self._max_logprobs = MAX_LOGPROBS

    def __repr__(self) -> str:
        """Return the address without the key."""
        return f"Endpoint({str(self._http.address)!r})"

    @property
    def url(self) -> str:
        """Base URL, without /v1."""
        return self._http.address.url

    @property
    def has_key(self) -> bool:
        """Whether requests carry a key."""
        return self._http.address.key is not None

    @property
    def probe_result(self) -> ServedModel:
        """Result of the last `probe`."""
        if self._served is None:
            raise ModelError(f"{self.url} was not probed before its first use")
        return self._served

    @property
    def unsupported(self) -> UnsupportedFeatures:
        """Features that the server is known to reject."""
        return self._unsupported

    @property
    def max_logprobs(self) -> int:
        """Maximum probabilities per token that a request can ask for."""
        return self._max_logprobs

    def mark_unsupported(
        self, unsupported: UnsupportedFeatures, max_logprobs: int = MAX_LOGPROBS
    ) -> None:
        """Record that a request succeeded only without these features and this many logprobs."""
        self._unsupported |= unsupported
        self._max_logprobs = min(self._max_logprobs, max_logprobs)

    async def post(
        self,
        body: bytes,
        path: str = CHAT,
        *,
        request_id: str = "",
        max_bytes: int = MAX_INFO_BYTES,
    ) -> responses.HttpResponse:
        """Send a request, or raise `EndpointUnavailableError`; see `HttpTransport.request`.

        After a restart the server has lost its cached pictures.
        """
        try:
            return await self._http.request(path, body, request_id=request_id, max_bytes=max_bytes)
        except EndpointUnavailableError:
            self.media.forget()
            raise

    async def metrics(self, seconds: float | None = None) -> str | None:
        """Return the text of GET /metrics, None if there is none: see `server_metrics`."""
        try:
            response = await self._ask(_METRICS, seconds)
        except EndpointUnavailableError:
            return None
        is_ok = response.status == HTTPStatus.OK
        return response.content.decode(errors="replace") if is_ok else None

    async def tokenize(self, messages: Sequence[Message]) -> tuple[int, ...] | None:
        """Tokenise a prompt, its pictures omitted, with the generation prompt at its end.

        None if the server has no such path (vLLM has); errors are those of a completion.
        """
        if not self.probe_result.is_vllm:
            return None
        said = [{"role": message.role, "content": message.text} for message in messages]
        body = {"model": self.probe_result.model, "messages": said, "add_generation_prompt": True}
        async with self._limit_question(TOKENIZE):
            response = await self.post(encode_json(body), TOKENIZE)
        if response.status in UNKNOWN_PATH:
            return None
        body = self.error_text(response)
        if response.status != HTTPStatus.OK:
            where = {"url": self.url, "path": TOKENIZE, "model": self.probe_result.model}
            raise to_error(response, body, **where, has_key=self.has_key)
        try:
            tokens = responses.TokenizeResponse.model_validate_json(response.content).tokens
        except ValueError as error:
            raise MalformedResponseError(
                f"{self.url} should answer with tokens at {TOKENIZE}, but sent {body!r}"
            ) from error
        self.has_tokenized = True
        return tuple(tokens)

    def error_text(self, response: responses.HttpResponse) -> str:
        """Return the server's error message for display."""
        return self._http.error_text(response)

    async def probe(self) -> ServedModel:
        """Probe what the endpoint serves; raise a `ConfigError` with a remedy if that fails."""
        seconds = self._timeouts.first_probe_seconds
        try:
            response = await self._ask(MODELS, seconds)
            card = select_card(response, self._http)
            if fault := responses.find_card_fault(card):
                raise ConfigError(f"{self.url} reports {fault}; fix the server")
            version = _parse_version(await self._ask(_VERSION, seconds))
            engine = " ".join(word for word in (card.owned_by, version) if word)
            served = ServedModel(
                model=card.id,
                context_tokens=card.max_model_len,
                engine=engine or None,
                root=card.root or "",
                is_listed=response.status == HTTPStatus.OK,
            )
            if served.is_vllm:
                served = replace(
                    served,
                    accepts_token_ids=await self._accepts_token_ids(seconds),
                    kv=await self._kv_cache(seconds),
                )
        except EndpointUnavailableError as error:
            raise ConfigError(
                f"{error}; a model should be served there: start the server or fix the URL"
            ) from error
        self._served = served
        return served

    async def find_card(self) -> responses.ModelCard:
        """Return the current model list entry of the probed model.

        Raises `EndpointUnavailableError` if the server cannot be queried now, and
        `ModelChangedError` if it lists only other models.
        """
        response = await self._ask(MODELS)
        if response.status == HTTPStatus.NOT_FOUND and not self.probe_result.is_listed:
            return responses.ModelCard(id=self.probe_result.model)
        return find_card(response, self._http, self.probe_result.model)

    async def find_version(self) -> str:
        """Return the current version of the server; empty: it reports none."""
        response = await self._ask(_VERSION)
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise EndpointUnavailableError(f"{self.url} answered {response.status} at {_VERSION}")
        return _parse_version(response)

    async def wait_until_up(self) -> None:
        """Wait until the server answers, or raise `ModelError` after the recovery time."""
        if self._supervisor is not None:
            await self._supervisor()
            return
        timeouts = self._timeouts
        waited, last = 0.0, timeouts.clock()
        while not await self.is_up():
            # Count one round as at most its possible duration, so that a stop of this process does
            # not use up the server's time.
            now = timeouts.clock()
            waited += min(now - last, timeouts.probe_seconds + timeouts.poll_seconds)
            last = now
            if waited >= timeouts.recovery_seconds:
                raise ModelError(
                    f"{self.url} is dead: no answer for {timeouts.recovery_seconds:g} s"
                )
            await timeouts.sleep(timeouts.poll_seconds)

    async def _ask(self, path: str, seconds: float | None = None) -> responses.HttpResponse:
        """Send a GET about the server itself; `EndpointUnavailableError` if it takes too long."""
        async with self._limit_question(path, seconds):
            return await self._http.request(path)

    @asynccontextmanager
    async def _limit_question(
        self, path: str, seconds: float | None = None
    ) -> AsyncGenerator[None]:
        """Raise `EndpointUnavailableError` if a query about the server itself takes too long."""
        limit = self._timeouts.probe_seconds if seconds is None else seconds
        try:
            async with asyncio.timeout(limit):
                yield
        except TimeoutError as error:
            raise EndpointUnavailableError(
                f"{self.url} did not answer {path} within {limit:g} s"
            ) from error

    async def is_up(self) -> bool:
        """Return whether the server answers now."""
        try:
            async with asyncio.timeout(self._timeouts.probe_seconds):
                status = (await self._http.request("/health")).status
                if status == HTTPStatus.NOT_FOUND:
                    status = (await self._http.request(MODELS)).status
        except (EndpointUnavailableError, TimeoutError):
            return False
        return status < HTTPStatus.INTERNAL_SERVER_ERROR

    async def _accepts_token_ids(self, seconds: float) -> bool:
        """Return whether the token endpoint replies with text: it rejects a wrong `output_mode`.

        vLLM answers 403 without --enable-scale-out; before 0.32 it knows no such field.
        """
        async with self._limit_question(GENERATE, seconds):
            response = await self._http.request(GENERATE, b'{"output_mode":""}')
        return response.status in _VALIDATION_ERRORS and b"Input should be" in response.content

    async def _kv_cache(self, seconds: float) -> KvCache | None:
        text = await self.metrics(seconds)
        return None if text is None else parse_capacity(text)


def _parse_version(response: responses.HttpResponse) -> str:
    try:
        return responses.one_line(
            responses.VersionResponse.model_validate_json(response.content).version
        )
    except ValueError:
        return ""


@asynccontextmanager
async def open_endpoint(
    address: EndpointAddress,
    *,
    max_requests: int,
    timeouts: EndpointTimeouts | None = None,
    supervisor: Supervisor | None = None,
) -> AsyncGenerator[Endpoint]:
    """Open the endpoint at `address` without probing it; its connections close at the end.

    `max_requests` is the maximum number of requests in flight (matches x seats that act
    simultaneously).
    """
    async with open_http_transport(address, max_requests=max_requests) as http:
        yield Endpoint(http, timeouts=timeouts or EndpointTimeouts(), supervisor=supervisor)
