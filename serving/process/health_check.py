"""Health and identity checks over HTTP."""

from typing import Annotated, Final, Literal

import aiohttp
from pydantic import BaseModel, Field, ValidationError

_MOST_BYTES: Final = 1024 * 1024
_SECONDS: Final = 10.0
_OK: Final = 200
_UNAUTHORIZED: Final = 401

Identity = Literal["ours", "another", "silent"]
"""Who answers: the server with our key and model, another one, or none in time."""


class _ModelCard(BaseModel):
    id: str


class _ModelCards(BaseModel):
    data: Annotated[list[_ModelCard], Field(max_length=1000)]


async def is_healthy(http: aiohttp.ClientSession, root: str, seconds: float = _SECONDS) -> bool:
    """Return whether the server at `root` reports that it is healthy."""
    status, _ = await _get(http, f"{root}/health", seconds)
    return status == _OK


async def identify(
    http: aiohttp.ClientSession, root: str, *, model: str, key: str, seconds: float = _SECONDS
) -> Identity:
    """Return who answers at `root`: our server serves `model` with `key`, and nothing without it.

    Any server can be healthy, so health does not prove identity.
    """
    if not await is_healthy(http, root, seconds):
        return "silent"
    refused, _ = await _get(http, f"{root}/version", seconds)
    listed, body = await _get(http, f"{root}/v1/models", seconds, key)
    if not refused or not listed:
        return "silent"
    is_ours = (refused, listed) == (_UNAUTHORIZED, _OK) and model in _model_ids(body)
    return "ours" if is_ours else "another"


def bearer_header(key: str) -> dict[str, str]:
    """Return the Authorization header of a key; empty without a key."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def _model_ids(body: bytes) -> list[str]:
    try:
        return [card.id for card in _ModelCards.model_validate_json(body).data]
    except ValidationError:
        return []


async def _get(
    http: aiohttp.ClientSession, url: str, seconds: float, key: str = ""
) -> tuple[int, bytes]:
    """Return the status and the beginning of a response; status 0 if none arrives in time."""
    limit = aiohttp.ClientTimeout(total=seconds)
    try:
        async with http.get(
            url, timeout=limit, headers=bearer_header(key), allow_redirects=False
        ) as answer:
            body = bytearray()
            async for part in answer.content.iter_any():
                body += part
                if len(body) > _MOST_BYTES:
                    break
            return answer.status, bytes(body)
    except (aiohttp.ClientError, TimeoutError, OSError):
        return 0, b""
