"""Upper bound of the hits of a prefix cache of a given size on a sequence of requests.

Requests are processed in the order in which they were dispatched. The cache is vLLM's
(v1/core/kv_cache_manager.py, block_pool.py): a block is full and identified by all tokens up to its
end; at most the blocks of the first `prompt - 1` tokens are hit; a request needs all its blocks
while it runs, the last one filled or not; it leaves those of its prompt and of its reply without
the reply's last token; what it frees is evicted from its end.

`belady` evicts the blocks whose next use is the latest: no choice of evictions gives more hits,
since every block costs the same and a block is never needed without those before it (L. A. Belady,
1966; here by whole requests). It moves runs of blocks that share their next use, so that a request
costs as many steps as there are such runs on its path, not as it has blocks: 750,000 requests of
20k tokens take minutes.
"""

from array import array
from collections.abc import Hashable, Iterable, MutableSequence
from dataclasses import dataclass
from heapq import heappop, heappush

from arena.bench.simulation.block_paths import BlockPaths

_Depths = MutableSequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHits:
    """Looked-up prompt tokens, and those that were hits."""

    queries: int
    hits: int

    @property
    def rate(self) -> float:
        """Return the share of hits; 0 if nothing was looked up."""
        return self.hits / self.queries if self.queries else 0.0


class RequestSequence:
    """Requests in the order in which they were dispatched."""

    def __init__(self, block: int) -> None:
        if block < 1:
            raise ValueError(f"a block must have at least one token, got {block}")
        self.block = block
        self._queries = 0
        self._limits = array("l")
        """Blocks that a request can hit."""
        self._needs = array("l")
        """Blocks that it holds at its end."""
        self._paths = BlockPaths()

    def __len__(self) -> int:
        """Return the number of requests."""
        return len(self._limits)

    def add(self, prompt: Iterable[tuple[str, int]], output: int, reply: Hashable) -> None:
        """Add a request by its prompt's pieces (key, tokens).

        Equal keys hold equal tokens from their beginning. `reply` is the key of the reply in later
        prompts. Pieces are distinguished by 64-bit hashes of their whole prefix.
        """
        node, tokens, block = 0, 0, self.block
        path: list[tuple[int, int]] = []
        for key, length in prompt:
            node = hash((node, tokens, key))
            tokens += length
            path.append((node, tokens // block))
        whole = self._add_lengths(tokens, output)
        path.append((hash((node, tokens, reply)), whole // block))
        self._paths.add(path)

    def belady(self, capacity: int) -> CacheHits:
        """Return the hits of a cache of `capacity` tokens that evicts the latest next use first.

        `ValueError` if one request needs more.
        """
        room, paths = self._capacity_blocks(capacity), self._paths
        then, link = paths.followers()
        held = hits = 0
        low, high = array("l", [0]) * len(self), array("l", [0]) * len(self)
        last: list[int] = []
        for at, need in enumerate(self._needs):
            hits += high[at]
            held -= high[at]
            high[at] = 0
            while held + need > room:
                target = -last[0]
                gone = min(held + need - room, high[target] - low[target])
                high[target] -= gone
                held -= gone
                if high[target] <= low[target]:
                    heappop(last)
            run = then[at]
            while run >= 0:
                held += self._keep(run, low, high, last)
                run = link[run]
        return CacheHits(queries=self._queries, hits=hits * self.block)

    def _keep(self, run: int, low: _Depths, high: _Depths, last: list[int]) -> int:
        """Retain a run of blocks for the request that uses it next; return the number of blocks."""
        paths = self._paths
        target, start = paths.owner[run], paths.run_start(run)
        end = min(paths.end[run], self._limits[target])
        if end <= start:
            return 0
        if high[target] <= low[target]:
            high[target] = end
            heappush(last, -target)
        low[target] = start
        return end - start

    def _add_lengths(self, tokens: int, output: int) -> int:
        """Record the lengths of a request; return the tokens that are computed for it."""
        if tokens < 1 or output < 1:
            raise ValueError(f"wanted a prompt and a reply, got {tokens} and {output} tokens")
        whole = tokens + output - 1
        self._queries += tokens
        self._limits.append((tokens - 1) // self.block)
        self._needs.append(-(-whole // self.block))
        return whole

    def _capacity_blocks(self, capacity: int) -> int:
        room, most = capacity // self.block, max(self._needs, default=0)
        if most > room:
            raise ValueError(f"a request needs {most} blocks, but {capacity} tokens are {room}")
        return room
