"""Embedder of an OpenAI-compatible server: POST /v1/embeddings, as vLLM serves it."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Final

import numpy as np
from pydantic import Field

from arena.errors import ConfigError, ContextLengthError, EndpointUnavailableError, ModelError
from arena.memory.embedding import MODEL_THRESHOLD, EmbeddingError, Vectors, check_vectors, to_unit
from arena.models.api.request_params import encode_json
from arena.models.http.endpoint import Endpoint
from arena.models.http.http_errors import MalformedResponseError, to_error
from arena.models.http.responses import CheckedList, HttpResponse, ResponseModel
from arena.models.retrying import Backoff, exponential_backoff, retry_after_seconds

EMBEDDINGS: Final = "/v1/embeddings"
_BATCH: Final = 64
"""Texts of one request, at most."""
_MAX_DIMENSIONS: Final = 16_384
_MAX_BYTES: Final = 32 * 1024 * 1024
"""Bytes of a response: a batch of the longest vectors, 32 bytes a number."""
_ATTEMPTS: Final = 3
_TIMEOUT_SECONDS: Final = 10.0
"""Time limit for the response to one batch."""
_MOST_CHARS: Final = 8192
_LEAST_CHARS: Final = 128
"""Limits of the characters of a text that are embedded: each time the server refuses a text as too
long, the limit is halved, from the first value to at least the second."""
_SAMPLE: Final = ("a locked door", "一扇上锁的门")


class _EmbeddingItem(ResponseModel):
    index: int
    embedding: Annotated[CheckedList[float], Field(max_length=_MAX_DIMENSIONS)]


class _EmbeddingResponse(ResponseModel):
    data: Annotated[CheckedList[_EmbeddingItem], Field(max_length=_BATCH)]


class EndpointEmbedder:
    """Embedder of an external server; call `probe` before `embed`."""

    is_repeatable = False
    threshold = MODEL_THRESHOLD

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        backoff: Backoff | None = None,
    ) -> None:
        """Embed with `endpoint`; a batch fails after `timeout_seconds`."""
        self._endpoint = endpoint
        self._timeout = timeout_seconds
        self._backoff = backoff or exponential_backoff()
        self._dimensions: int | None = None
        self._most_chars = _MOST_CHARS
        self._is_failing = False

    @property
    def name(self) -> str:
        """The name under which the server serves the model."""
        return self._endpoint.probe_result.model

    @property
    def url(self) -> str:
        """The base URL of the server."""
        return self._endpoint.url

    @property
    def dimensions(self) -> int | None:
        """Dimensions of a vector; None before the probe."""
        return self._dimensions

    async def probe(self) -> None:
        """Embed two texts, or raise a `ConfigError` that says what to fix."""
        await self._endpoint.probe()
        try:
            vectors = await self.embed(_SAMPLE)
        except ModelError as error:
            raise ConfigError(
                f"{error}; an embedding model should be served there (vLLM: --runner pooling)"
            ) from error
        self._dimensions = vectors.shape[1]

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the server's vectors, or raise `ModelError` after several attempts.

        After a failure there is one attempt until the server answers again: otherwise each turn
        would wait for all attempts.
        """
        batches = [texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH)]
        attempts = 1 if self._is_failing else _ATTEMPTS
        try:
            found = [await self._embed_batch(batch, attempts) for batch in batches]
        except EndpointUnavailableError:
            self._is_failing = True
            raise
        self._is_failing = False
        if not found:
            return np.zeros((0, self._dimensions or 1), dtype=np.float32)
        if len({vectors.shape[1] for vectors in found}) > 1:
            raise EmbeddingError(f"{self.url} sent vectors of different dimensions")
        return np.concatenate(found)

    async def _embed_batch(self, texts: Sequence[str], attempts: int) -> Vectors:
        failed = 0
        while True:
            try:
                return await self._post(texts)
            except ContextLengthError:
                if self._most_chars <= _LEAST_CHARS:
                    raise
                self._most_chars //= 2
            except EndpointUnavailableError as error:
                failed += 1
                if failed >= attempts:
                    raise
                await self._backoff(failed, retry_after_seconds(error))

    async def _post(self, texts: Sequence[str]) -> Vectors:
        body: dict[str, object] = {
            "model": self.name,
            # Servers refuse an empty text.
            "input": [text[: self._most_chars].strip() or "-" for text in texts],
            "encoding_format": "float",
        }
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._endpoint.post(
                    encode_json(body), EMBEDDINGS, max_bytes=_MAX_BYTES
                )
        except TimeoutError as error:
            raise EndpointUnavailableError(
                f"{self.url} did not answer {EMBEDDINGS} within {self._timeout:g} s"
            ) from error
        return self._read(response, len(texts))

    def _read(self, response: HttpResponse, count: int) -> Vectors:
        text = self._endpoint.error_text(response)
        if response.status != HTTPStatus.OK:
            where = {"url": self.url, "path": EMBEDDINGS, "model": self.name}
            raise to_error(response, text, **where, has_key=self._endpoint.has_key)
        try:
            found = _EmbeddingResponse.model_validate_json(response.content).data
            vectors = np.array([one.embedding for one in _in_order(found, count)], np.float64)
            return check_vectors(to_unit(vectors), count, self._dimensions)
        except (ValueError, EmbeddingError) as error:
            # Messages of pydantic and numpy would not help the person who runs the server.
            why = str(error) if isinstance(error, EmbeddingError) else f"it sent {text!r}"
            raise MalformedResponseError(
                f"{self.url} should answer with embeddings at {EMBEDDINGS}, but {why}"
            ) from None


def _in_order(items: Sequence[_EmbeddingItem], count: int) -> Sequence[_EmbeddingItem]:
    """Return the items in the order of the texts; `EmbeddingError` unless each text has one."""
    ordered = sorted(items, key=lambda one: one.index)
    if [one.index for one in ordered] != list(range(count)):
        raise EmbeddingError(f"it sent {len(items)} vectors for {count} texts")
    return ordered
