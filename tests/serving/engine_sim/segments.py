"""Requests whose prompts are named runs of tokens."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from serving.engine_sim.caches.block_cache import BlockAllocation, BlockCache
from serving.engine_sim.caches.encoder_cache import PlacedPicture
from serving.engine_sim.caches.prompt_segments import PromptSegment, SegmentPrompt, hash_segments
from serving.engine_sim.engine_loop.engine_request import EngineRequest

_UNNAMED = count()


def prompt_length(prompt: SegmentPrompt) -> int:
    """Return the tokens of a prompt."""
    return sum(segment.tokens for segment in prompt)


def allocate(cache: BlockCache, prompt: SegmentPrompt, reply: str, output: int) -> BlockAllocation:
    """Return the empty allocation of a request."""
    return BlockAllocation(cache, _blocks(prompt, reply, output, cache.block))


def make_request(
    prompt: SegmentPrompt,
    output: int,
    block: int,
    *,
    reply: str = "",
    pictures: Sequence[str] = (),
    **more: Any,
) -> EngineRequest:
    """Return a request; `pictures` are the keys of those segments that are pictures.

    A `reply` without a key is in no later prompt.
    """
    placed: list[PlacedPicture] = []
    start = 0
    for key, tokens in prompt:
        if key in pictures:
            placed.append(PlacedPicture(key=key, start=start, tokens=tokens))
        start += tokens
    return EngineRequest(
        blocks=_blocks(prompt, reply or f"?{next(_UNNAMED)}", output, block),
        tokens=start,
        output=output,
        pictures=tuple(placed),
        **more,
    )


def _blocks(prompt: SegmentPrompt, reply: str, output: int, block: int) -> tuple[int, ...]:
    return hash_segments((*prompt, PromptSegment(reply, output)), block)
