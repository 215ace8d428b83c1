"""What a prefix cache could reach on a sequence of requests: infinite, with LRU, and at best.

Requests are taken one after the other in the order in which they were dispatched. The cache is
vLLM's (v1/core/kv_cache_manager.py, block_pool.py): a block is full and known by all tokens up to
its end; at most the blocks of the first `prompt - 1` tokens are hit; a request needs all its blocks
while it paths, the last one filled or not; it leaves those of its prompt and of its reply without
the reply's last token; what it frees is evicted from its end.

`lru` evicts what was used least recently. `belady` evicts what is needed again last: no choice of
evictions gives more hits, since every block costs the same and a block is never needed without
those before it (L. A. Belady, 1966; here by whole requests). Both move runs of blocks that share
their last or next use, so that a request costs as many steps as there are such runs on its path,
not as it has blocks: 750,000 requests of 20k tokens take minutes, in both forms of a path.
"""

from array import array
from collections.abc import Hashable, Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from arena.bench.paths import Paths
from arena.bench.trace import Trace, TraceMatch, reply_key

_Depths = MutableSequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """Prompt tokens looked up, and those that were found."""

    queries: int
    hits: int

    @property
    def rate(self) -> float:
        """The share that was found; 0 where nothing was looked up."""
        return self.hits / self.queries if self.queries else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ideal:
    """What could be reached at one capacity, and where the rest was lost."""

    infinite: Hits
    belady: Hits
    lru: Hits

    def losses(self, achieved: float) -> "Losses":
        """Return what a server lost that reached the rate `achieved` on the same requests."""
        return Losses(
            capacity=self.infinite.rate - self.belady.rate,
            order=self.belady.rate - self.lru.rate,
            drift=self.lru.rate - achieved,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Shares of the prompt tokens that were not found, by cause."""

    capacity: float
    """No cache of this size could have held them."""
    order: float
    """The best evictions would have; the order and LRU did not."""
    drift: float
    """LRU should have: other tokens than expected, a bug, or requests that ran side by side."""


class Dispatch:
    """Requests in the order in which they were dispatched."""

    def __init__(self, block: int) -> None:
        if block < 1:
            raise ValueError(f"a block has one token at least, got {block}")
        self.block = block
        self._queries = 0
        self._limits = array("l")
        """Blocks that a request may hit."""
        self._needs = array("l")
        """Blocks that it holds at its end."""
        self._paths = Paths()

    def __len__(self) -> int:
        """Return how many requests there were."""
        return len(self._limits)

    def add(self, prompt: Iterable[tuple[str, int]], output: int, reply: Hashable) -> None:
        """Add a request by its prompt's pieces (key, tokens).

        Equal keys hold equal tokens from their beginning. `reply` is the key under which the reply
        stands in later prompts. Pieces are told apart by 64-bit hashes of what leads to them.
        """
        node, tokens, block = 0, 0, self.block
        path: list[tuple[int, int]] = []
        for key, length in prompt:
            node = hash((node, tokens, key))
            tokens += length
            path.append((node, tokens // block))
        whole = self._count(tokens, output)
        path.append((hash((node, tokens, reply)), whole // block))
        self._paths.add(path)

    def add_blocks(self, blocks: Sequence[Hashable], tokens: int, output: int) -> None:
        """Add a request by the chained hashes of the full blocks of its prompt and reply.

        The prompt has `tokens` tokens, the reply `output`; of the reply's last token no block is
        kept, so hashes beyond it are left aside. `ValueError` where hashes are missing.
        """
        full = (tokens + output - 1) // self.block
        if len(blocks) < full:
            raise ValueError(
                f"{full} hashes are wanted for {tokens} + {output} tokens, got {len(blocks)}"
            )
        self._count(tokens, output)
        self._paths.add((hash((known,)), end) for end, known in enumerate(blocks[:full], start=1))

    def infinite(self) -> Hits:
        """Return what a cache that never evicts would hit."""
        paths = self._paths
        found = (
            min(paths.end[paths.first[at + 1] - 1], limit)
            for at, limit in enumerate(self._limits)
            if paths.first[at + 1] > paths.first[at]
        )
        return self._hits(sum(found))

    def lru(self, capacity: int) -> Hits:
        """Return the hits of a cache of `capacity` tokens that evicts the least recently used.

        `ValueError` where a request alone needs more.
        """
        room = self._room(capacity)
        paths, oldest, held, hits = self._paths, 0, 0, 0
        low, high = array("l", [0]) * len(self), array("l", [0]) * len(self)
        for at, (limit, need) in enumerate(zip(self._limits, self._needs, strict=True)):
            start = found = 0
            for run in range(paths.first[at], paths.first[at + 1]):
                end, before = paths.end[run], paths.last[run]
                if high[before] > start:
                    found = min(end, high[before])
                    held -= found - start
                    low[before] = found
                start = end
            hits += min(found, limit)
            while held + need > room:
                gone = min(held + need - room, high[oldest] - low[oldest])
                high[oldest] -= gone
                held -= gone
                oldest += high[oldest] <= low[oldest]
            high[at] = paths.full[at]
            held += high[at]
        return self._hits(hits)

    def belady(self, capacity: int) -> Hits:
        """Return the hits of a cache of `capacity` tokens that evicts what is needed again last.

        `ValueError` where a request alone needs more.
        """
        room, paths = self._room(capacity), self._paths
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
        return self._hits(hits)

    def ideal(self, capacity: int) -> Ideal:
        """Return all three at `capacity` tokens."""
        return Ideal(infinite=self.infinite(), belady=self.belady(capacity), lru=self.lru(capacity))

    def _keep(self, run: int, low: _Depths, high: _Depths, last: list[int]) -> int:
        """Keep a run of blocks for the request that wants it next; return how many they are."""
        paths = self._paths
        target, start = paths.owner[run], paths.start(run)
        end = min(paths.end[run], self._limits[target])
        if end <= start:
            return 0
        if high[target] <= low[target]:
            high[target] = end
            heappush(last, -target)
        low[target] = start
        return end - start

    def _count(self, tokens: int, output: int) -> int:
        """Note the lengths of a request; return the tokens that are computed for it."""
        if tokens < 1 or output < 1:
            raise ValueError(f"a prompt and a reply are wanted, got {tokens} and {output} tokens")
        whole = tokens + output - 1
        self._queries += tokens
        self._limits.append((tokens - 1) // self.block)
        self._needs.append(-(-whole // self.block))
        return whole

    def _room(self, capacity: int) -> int:
        room, most = capacity // self.block, max(self._needs, default=0)
        if most > room:
            raise ValueError(f"a request needs {most} blocks, but {capacity} tokens are {room}")
        return room

    def _hits(self, blocks: int) -> Hits:
        return Hits(queries=self._queries, hits=blocks * self.block)


def dispatch_of(trace: Trace, block: int, order: Iterable[tuple[int, int]] = ()) -> Dispatch:
    """Return the requests of `trace` in `order`: index of the match, number of the turn.

    Without an order: match after match, each in its own order.
    """
    sent, playing = Dispatch(block), dict[int, tuple[TraceMatch, set[int]]]()
    for index, number in order or _one_by_one(trace):
        if index not in playing:
            match = trace.matches[index]
            playing[index] = (match, {turn.number for turn in match.turns})
        match, left = playing[index]
        turn = next(turn for turn in match.turns if turn.number == number)
        sent.add(
            ((piece.key, piece.tokens) for piece in trace.prompt(match, turn)),
            turn.output,
            reply_key(match.id, turn.seat, number),
        )
        left.discard(number)
        if not left:
            del playing[index]
    return sent


def _one_by_one(trace: Trace) -> Iterable[tuple[int, int]]:
    for index, match in enumerate(trace.matches):
        for turn in match.turns:
            yield index, turn.number
