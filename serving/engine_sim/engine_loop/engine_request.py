"""Requests and results of the simulated engine."""

from collections.abc import Hashable
from dataclasses import dataclass

from serving.engine_sim.caches.encoder_cache import PlacedPicture


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRequest:
    """One request: a prompt of `tokens` tokens, and a reply of exactly `output` tokens.

    `blocks` are the chained hashes of the full blocks of the prompt and its reply. A lower
    `priority` is served earlier. `pictures` are those in the prompt, in its order. `image_bytes`
    are sent with the request; with `text_in` the server tokenises it.
    """

    blocks: tuple[Hashable, ...]
    tokens: int
    output: int
    priority: int = 0
    pictures: tuple[PlacedPicture, ...] = ()
    image_bytes: int = 0
    text_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineResult:
    """The token counts of a finished request, and the seconds from the call to the end."""

    prompt_tokens: int
    cached_tokens: int
    output_tokens: int
    seconds: float
