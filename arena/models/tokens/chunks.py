"""What a message is in tokens, and a memory of such pieces that stays within bounds."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

from arena.models.tokens.tokenizer import Ids
from scripts_mm.script import Picture

MOST_TOKENS: Final = 4_000_000
"""About 60 MB; the prompts of all live matches that one H200 can hold fit in."""

_EXTRA: Final = 32
"""Tokens' worth of memory that an entry takes whatever its length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A run of tokens that stands in prompts as it is. Not to be changed."""

    ids: Ids
    picture: Picture | None = None
    place: int = 0
    """Index in `ids` of the picture's placeholder."""
    reply: tuple[int, ...] = ()
    """Of a reply: its tokens as they came with the message."""
    text: bytes = field(init=False)
    """The ids in decimal with commas between them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", ",".join(map(str, self.ids)).encode())


class ChunkMemory:
    """The chunks that were asked for last, of at most `most_tokens` tokens in all."""

    def __init__(self, most_tokens: int = MOST_TOKENS) -> None:
        self._most = most_tokens
        self._chunks: OrderedDict[Hashable, Chunk] = OrderedDict()
        self._held = 0

    @property
    def held(self) -> int:
        """Tokens in all, some more for each entry."""
        return self._held

    def get(self, key: Hashable) -> Chunk | None:
        """Return what was kept for `key`, if it still is."""
        chunk = self._chunks.get(key)
        if chunk is not None:
            self._chunks.move_to_end(key)
        return chunk

    def keep(self, key: Hashable, chunk: Chunk) -> None:
        """Keep `chunk` for a key that has none, and forget those not asked for the longest."""
        self._chunks[key] = chunk
        self._held += len(chunk.ids) + _EXTRA
        while self._held > self._most:
            _, gone = self._chunks.popitem(last=False)
            self._held -= len(gone.ids) + _EXTRA
