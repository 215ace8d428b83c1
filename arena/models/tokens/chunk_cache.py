"""What a message is in tokens, and a memory of such pieces that stays within bounds."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from arena.models.tokens.tokenizer import Ids
from scripts_mm.script import Picture

MAX_CACHED_TOKENS: Final = 4_000_000
"""About 60 MB; the prompts of all live matches that one H200 can hold fit in."""

_ENTRY_OVERHEAD: Final = 32
"""Tokens' worth of memory that an entry takes whatever its length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A run of tokens that stands in prompts as it is. Not to be changed."""

    ids: Ids
    picture: Picture | None = None
    picture_index: int = 0
    """Index in `ids` of the picture's placeholder."""
    reply_ids: tuple[int, ...] = ()
    """Of a reply: its tokens as they came with the message."""
    text: bytes = field(init=False)
    """The ids in decimal with commas between them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", ",".join(map(str, self.ids)).encode())


class ChunkCache:
    """The chunks that were asked for last, of at most `most_tokens` tokens in all."""

    def __init__(self, max_tokens: int = MAX_CACHED_TOKENS) -> None:
        self._max_tokens = max_tokens
        self._chunks: OrderedDict[Hashable, Chunk] = OrderedDict()
        self._cached_tokens = 0

    @property
    def cached_tokens(self) -> int:
        """Tokens in all, some more for each entry."""
        return self._cached_tokens

    def get(self, key: Hashable) -> Chunk | None:
        """Return what was kept for `key`, if it still is."""
        chunk = self._chunks.get(key)
        if chunk is not None:
            self._chunks.move_to_end(key)
        return chunk

    def put(self, key: Hashable, chunk: Chunk) -> None:
        """Keep `chunk` for a key that has none, and forget those not asked for the longest."""
        self._chunks[key] = chunk
        self._cached_tokens += len(chunk.ids) + _ENTRY_OVERHEAD
        while self._cached_tokens > self._max_tokens:
            _, gone = self._chunks.popitem(last=False)
            self._cached_tokens -= len(gone.ids) + _ENTRY_OVERHEAD
