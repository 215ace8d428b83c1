"""Token chunks of messages, and a bounded LRU cache of them."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from arena.models.tokens.tokenizer import Ids
from scripts_mm.script import Picture

MAX_CACHED_TOKENS: Final = 4_000_000
"""About 60 MB: enough for the prompts of all live matches that one H200 can hold."""

_ENTRY_OVERHEAD: Final = 32
"""Memory of an entry besides its tokens, in tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """Sequence of tokens that prompts contain unchanged. Do not modify it."""

    ids: Ids
    picture: Picture | None = None
    picture_index: int = 0
    """Index in `ids` of the picture's placeholder."""
    reply_ids: tuple[int, ...] = ()
    """For a reply: its token ids as stored in the message."""
    text: bytes = field(init=False)
    """The ids in decimal with commas between them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", ",".join(map(str, self.ids)).encode())


class ChunkCache:
    """LRU cache of chunks with at most `max_tokens` tokens in all."""

    def __init__(self, max_tokens: int = MAX_CACHED_TOKENS) -> None:
        self._max_tokens = max_tokens
        self._chunks: OrderedDict[Hashable, Chunk] = OrderedDict()
        self._cached_tokens = 0

    @property
    def size(self) -> int:
        """Cached tokens, including the overhead of each entry."""
        return self._cached_tokens

    def get(self, key: Hashable) -> Chunk | None:
        """Return the chunk of `key`; None if it is not cached."""
        chunk = self._chunks.get(key)
        if chunk is not None:
            self._chunks.move_to_end(key)
        return chunk

    def put(self, key: Hashable, chunk: Chunk) -> None:
        """Add `chunk` under a new key, and evict the least recently used chunks."""
        self._chunks[key] = chunk
        self._cached_tokens += len(chunk.ids) + _ENTRY_OVERHEAD
        while self._cached_tokens > self._max_tokens:
            _, gone = self._chunks.popitem(last=False)
            self._cached_tokens -= len(gone.ids) + _ENTRY_OVERHEAD
