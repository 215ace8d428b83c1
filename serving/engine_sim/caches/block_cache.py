"""vLLM's prefix cache, block by block: BlockPool and KVCacheManager of one full-attention group."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import cast


class BlockCache:
    """The cache of vLLM 0.32, with its rules (v1/core/block_pool.py, kv_cache_manager.py).

    - Only full blocks are found, by the hash of all tokens up to their end.
    - Free blocks form one queue: those without content first, then the least recently used; a
      request's blocks join it in reverse. New blocks are taken from its head.
    - A block is published when its tokens are scheduled, not when they are computed.
    - Equal content computed twice occupies two blocks; the one published first is found.
    """

    def __init__(self, blocks: int, block: int) -> None:
        self.blocks = blocks
        self.block = block
        self.evicted = 0
        self._unused = 0
        self._empty: list[int] = []
        self._idle: OrderedDict[int, None] = OrderedDict()
        self._refs: list[int] = []
        self._hash: list[Hashable] = []
        self._found: dict[Hashable, int] = {}
        self._twins: dict[Hashable, list[int]] = {}
        self._clear()

    @property
    def free(self) -> int:
        """Return the blocks that no request holds."""
        return self._unused + len(self._empty) + len(self._idle)

    def reset(self) -> bool:
        """Remove all content; return False, and do nothing, if a request holds blocks."""
        if self.free != self.blocks - 1:
            return False
        self._clear()
        return True

    def find_blocks(self, path: tuple[Hashable, ...], limit: int) -> list[int]:
        """Return the blocks of the longest cached prefix of a hash chain, at most `limit`."""
        found = list(map(self._found.get, path[:limit]))
        known = found.index(None) if None in found else len(found)
        return cast("list[int]", found[:known])

    def count_idle(self, blocks: list[int]) -> int:
        """Return how many of these blocks are in the free queue."""
        return sum(not self._refs[block] for block in blocks)

    def touch(self, blocks: list[int]) -> None:
        """Add one holder to each block."""
        for block in blocks:
            if not self._refs[block]:
                del self._idle[block]
            self._refs[block] += 1

    def allocate(self, number: int) -> list[int]:
        """Return new blocks from the head of the free queue; there must be enough."""
        taken: list[int] = []
        for _ in range(number):
            block = self._take_empty() if self._unused or self._empty else self._evict()
            self._refs[block] = 1
            taken.append(block)
        return taken

    def publish(self, block: int, hashed: Hashable) -> None:
        """Make a full block findable by its hash."""
        self._hash[block] = hashed
        if self._found.setdefault(hashed, block) != block:
            self._twins.setdefault(hashed, []).append(block)

    def release(self, blocks: list[int]) -> None:
        """Remove one holder of each block; unheld blocks join the free queue in this order."""
        for block in blocks:
            self._refs[block] -= 1
            if self._refs[block]:
                continue
            if self._hash[block] is None:
                self._empty.append(block)
            else:
                self._idle[block] = None

    def _take_empty(self) -> int:
        """Return a block without content; a never used block gets its number here."""
        if self._empty:
            return self._empty.pop()
        self._unused -= 1
        self._refs.append(0)
        self._hash.append(None)
        return len(self._refs) - 1

    def _evict(self) -> int:
        block, _ = self._idle.popitem(last=False)
        hashed, self._hash[block] = self._hash[block], None
        twins = self._twins.get(hashed)
        if twins is None:
            del self._found[hashed]
        elif self._found[hashed] == block:
            # The next twin keeps the content findable.
            self._found[hashed] = twins.pop(0)
        else:
            twins.remove(block)
        if twins == []:
            del self._twins[hashed]
        self.evicted += 1
        return block

    def _clear(self) -> None:
        self._unused = self.blocks - 1
        self._empty.clear()
        self._idle.clear()
        self._refs.clear()
        self._hash.clear()
        self._found.clear()
        self._twins.clear()


class BlockAllocation:
    """The blocks of one request, empty at first; `match_prefix`, `acquire`, `extend`, `release`.

    `held` counts its blocks, the last one possibly not full; `full` counts the full ones, which
    other prompts can find.
    """

    __slots__ = ("_blocks", "_cache", "_hit", "_path", "full", "held")

    def __init__(self, cache: BlockCache, path: tuple[Hashable, ...]) -> None:
        self._cache = cache
        self._path = path
        self._blocks: list[int] = []
        self._hit: list[int] = []
        self.held = 0
        self.full = 0

    def match_prefix(self, tokens: int) -> tuple[int, int]:
        """Return how many cached blocks a sequence of `tokens` begins with, and how many are idle.

        Only blocks of the first `tokens - 1` count, since the last token is always computed. Idle
        blocks are in the free queue; holding them removes them from it.
        """
        self._hit = self._cache.find_blocks(self._path, (tokens - 1) // self._cache.block)
        return len(self._hit), self._cache.count_idle(self._hit)

    def acquire(self) -> None:
        """Hold the blocks that the last `match_prefix` found; the cache must be unchanged since."""
        self._cache.touch(self._hit)
        self._blocks = self._hit
        self.held = self.full = len(self._hit)

    def extend(self, tokens: int) -> bool:
        """Allocate blocks for `tokens` in total, and publish the full ones.

        Returns False, and does nothing, if too few blocks are free.
        """
        need = -(-tokens // self._cache.block) - self.held
        if need > self._cache.free:
            return False
        if need > 0:
            self._blocks += self._cache.allocate(need)
            self.held += need
        full = min(tokens // self._cache.block, len(self._path))
        while self.full < full:
            self._cache.publish(self._blocks[self.full], self._path[self.full])
            self.full += 1
        return True

    def release(self) -> None:
        """Release all blocks, the last one first, so that it is evicted first."""
        self._cache.release(self._blocks[::-1])
        self._blocks = []
        self._hit = []
        self.held = self.full = 0
