"""Prompts as named runs of tokens, and the hashes of their blocks."""

from functools import lru_cache
from typing import Final, NamedTuple

_CACHED_SEGMENTS: Final = 65_536


class PromptSegment(NamedTuple):
    """`tokens` tokens of a text identified by `key`.

    Equal keys have equal tokens from the beginning; a prompt can hold fewer of them than another.
    Different keys differ in their first token. A tuple, because millions of them are compared.
    """

    key: str
    tokens: int


SegmentPrompt = tuple[PromptSegment, ...]
"""A whole prompt, in order."""


def hash_segments(prompt: SegmentPrompt, block: int) -> tuple[int, ...]:
    """Return the chained hashes of the full blocks of a prompt of `block` tokens each.

    As vLLM does (kv_cache_utils.hash_block_tokens): a block's hash covers its parent's hash and its
    own tokens, here as slices of segments. The hashes differ between processes.
    """
    state, hashes = _BlockState(0, (), block), list[int]()
    for segment in prompt:
        more, state = _hash_segment(state, segment, block)
        hashes += more
    return tuple(hashes)


class _BlockState(NamedTuple):
    """The hash of the last full block, and the slices and free tokens of the block after it."""

    parent: int
    slices: tuple[tuple[str, int, int], ...]
    free: int


@lru_cache(maxsize=_CACHED_SEGMENTS)
def _hash_segment(
    state: _BlockState, segment: PromptSegment, block: int
) -> tuple[tuple[int, ...], _BlockState]:
    """Return the hashes of the blocks that a segment fills, and the state after it.

    Cached, because the prompts of a match share long prefixes.
    """
    parent, slices, free = state
    at, hashes = 0, list[int]()
    while at < segment.tokens:
        size = min(free, segment.tokens - at)
        slices = (*slices, (segment.key, at, size))
        at, free = at + size, free - size
        if not free:
            parent = hash((parent, slices))
            slices, free = (), block
            hashes.append(parent)
    return tuple(hashes), _BlockState(parent, slices, free)
