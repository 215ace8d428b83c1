"""Prompts as the engine sees them: runs of tokens with names, or hashes of whole blocks."""

from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple


class PromptSegment(NamedTuple):
    """`tokens` tokens of a text that is known by `key`.

    Equal keys hold equal tokens from the beginning; one prompt may hold fewer of them than another.
    Different keys differ in their first token. A plain tuple, since millions of them are compared.
    """

    key: str
    tokens: int


SegmentPrompt = tuple[PromptSegment, ...]
"""A whole prompt, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HashedPrompt:
    """A prompt as vLLM's cache sees it: the chained hashes of its full blocks, and its length.

    `blocks` may go on beyond the prompt with those of the reply, where the reply is known; `tokens`
    is the length of the prompt alone.
    """

    blocks: tuple[Hashable, ...]
    tokens: int


def prompt_length(prompt: SegmentPrompt | HashedPrompt) -> int:
    """Return the tokens of a prompt."""
    if isinstance(prompt, HashedPrompt):
        return prompt.tokens
    return sum(tokens for _, tokens in prompt)


def hash_segments(prompt: SegmentPrompt, block: int) -> tuple[bytes, ...]:
    """Return the chained hashes of the full blocks of a prompt of `block` tokens each.

    As vLLM does (kv_cache_utils.hash_block_tokens): a block's hash covers its parent's hash and its
    own tokens, here as slices of segments.
    """
    hashes: list[bytes] = []
    parent, room = b"", block
    own = blake2b(digest_size=16)
    for key, tokens in prompt:
        at = 0
        while at < tokens:
            taken = min(room, tokens - at)
            own.update(f"{key!r} {at} {taken};".encode())
            at, room = at + taken, room - taken
            if not room:
                parent, room = own.digest(), block
                hashes.append(parent)
                own = blake2b(parent, digest_size=16)
    return tuple(hashes)
