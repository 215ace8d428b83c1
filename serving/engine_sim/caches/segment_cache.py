"""The same prefix cache at the cost of a run of blocks: for prompts of segments, by the million."""

from itertools import count

from serving.engine_sim.caches.block_cache import append_reply
from serving.engine_sim.caches.prefix_tree import (
    BlockRun,
    PrefixNode,
    are_adjacent,
    find_run,
    remove_run,
    split_run,
)
from serving.engine_sim.caches.prompt_types import HashedPrompt, SegmentPrompt


class SegmentCache:
    """What `BlockCache` does, for prompts of segments: equal hits, equal evictions."""

    def __init__(self, blocks: int, block: int) -> None:
        self.blocks = blocks
        self.block = block
        self.evicted = 0
        self.root = PrefixNode(None, (0, ""))
        self._fresh = count()
        self._empty = blocks - 1
        self._ends = BlockRun(self.root, 0, 0, 0)
        self._idle = 0

    @property
    def free(self) -> int:
        """Return the blocks that no request holds."""
        return self._empty + self._idle

    def open(
        self, prompt: SegmentPrompt | HashedPrompt, reply: str, output: int
    ) -> "SegmentAllocation":
        """Return a lease; raises `TypeError` for a prompt of hashes."""
        if isinstance(prompt, HashedPrompt):
            raise TypeError("a run cache wants a prompt of segments, not of block hashes")
        return SegmentAllocation(self, append_reply(prompt, reply, output, f"?{next(self._fresh)}"))

    def reset(self) -> bool:
        """Forget every content, unless blocks are held."""
        if self.free != self.blocks - 1:
            return False
        self.root = PrefixNode(None, (0, ""))
        self._ends = BlockRun(self.root, 0, 0, 0)
        self._idle = 0
        self._empty = self.blocks - 1
        return True

    def touch(self, run: BlockRun, low: int, high: int) -> BlockRun:
        """Count one more holder of the blocks `low` to `high` of a run; return their run."""
        if low > run.low:
            run = split_run(run, low)[1]
        if high < run.high:
            run = split_run(run, high)[0]
        if not run.holders:
            run.dequeue()
            self._idle -= run.high - run.low
        run.holders += 1
        return run

    def release(self, parts: list[BlockRun], last: BlockRun | None) -> BlockRun | None:
        """Count one holder less of these runs, the end first; return the run freed last.

        `last` is the run freed just before; runs that touch in one node are joined.
        """
        for run in reversed(parts):
            run.holders -= 1
            if run.holders:
                last = None
                continue
            run.rest = None
            self._idle += run.high - run.low
            if last is not None and are_adjacent(run, last):
                run.high = last.high
                run.node.runs.remove(last)
                last.dequeue()
            run.enqueue(self._ends)
            last = run
        return last

    def allocate(self, number: int) -> None:
        """Take blocks from the head of the free queue; there must be enough."""
        blank = min(number, self._empty)
        self._empty -= blank
        number -= blank
        self.evicted += number
        self._idle -= number
        while number:
            run = self._ends.after
            gone = min(number, run.high - run.low)
            run.high -= gone
            number -= gone
            if run.high == run.low:
                run.dequeue()
                remove_run(run)

    def return_partial(self, number: int) -> None:
        """Take back blocks that were never full."""
        self._empty += number


class SegmentAllocation:
    """The blocks of one request of a `SegmentCache`."""

    __slots__ = ("_at", "_cache", "_end", "_hit", "_node", "_parts", "_path", "full", "held")

    def __init__(self, cache: SegmentCache, path: SegmentPrompt) -> None:
        self._cache = cache
        self._path = path
        self._hit: list[tuple[BlockRun, int, int, int, int]] = []
        self._parts: list[tuple[BlockRun, int]] = []
        self.held = 0
        self.full = 0
        self._node = cache.root
        self._at = 0
        self._end = 0

    def match_prefix(self, tokens: int) -> tuple[int, int]:
        """Return the cached blocks that a sequence of `tokens` begins with, and the idle ones."""
        block = self._cache.block
        limit = (tokens - 1) // block
        node = self._cache.root
        found = idle = end = before = 0
        hit: list[tuple[BlockRun, int, int, int, int]] = []
        for at, (key, size) in enumerate(self._path, 1):
            child = node.children.get((before, key))
            if child is None or found >= limit:
                break
            node, before = child, size
            end += size
            top = min(end // block, limit)
            while found < top:
                runs = node.runs
                if len(runs) == 1 and (run := runs[0]).low <= found < run.high:
                    high = min(run.high, top)
                else:
                    run, high = find_run(runs, found, top)
                if run is None:
                    break
                hit.append((run, found, high, at, end))
                if not run.holders:
                    idle += high - found
                found = high
            if found < top:
                break
        self._hit = hit
        self._node = self._cache.root
        return found, idle

    def acquire(self) -> None:
        """Take what was found."""
        touch = self._cache.touch
        for run, low, high, at, end in self._hit:
            held = touch(run, low, high)
            self._parts.append((held, high))
            self._node, self._at, self._end = held.node, at, end
            self.held = self.full = high
        self._hit = []

    def extend(self, tokens: int) -> bool:
        """Make room for `tokens`, publish the full blocks; False where too few are free."""
        cache = self._cache
        need = -(-tokens // cache.block) - self.held
        if need > 0:
            if need > cache.free:
                return False
            cache.allocate(need)
            self.held += need
        full = tokens // cache.block
        while self.full < full:
            top = min(full, self._end // cache.block)
            if top > self.full:
                self._publish(top)
            elif not self._advance():
                break
        return True

    def release(self) -> None:
        """Give all blocks back, the last one first."""
        last: BlockRun | None = None
        for run, high in reversed(self._parts):
            part: BlockRun | None = run
            parts: list[BlockRun] = []
            while part is not None:
                parts.append(part)
                part = part.rest if part.high < high else None
            last = self._cache.release(parts, last)
        self._cache.return_partial(self.held - self.full)
        self._parts = []
        self._node, self._at, self._end = self._cache.root, 0, 0
        self.held = self.full = 0

    def _advance(self) -> bool:
        """Go to the node of the next segment, made where there is none."""
        if self._at == len(self._path):
            return False
        key, size = self._path[self._at]
        place = (self._path[self._at - 1].tokens if self._at else 0, key)
        node = self._node.children.get(place)
        if node is None:
            node = self._node.children[place] = PrefixNode(self._node, place)
        self._node = node
        self._at += 1
        self._end += size
        return True

    def _publish(self, top: int) -> None:
        """Let the blocks up to `top` be found in the present node."""
        runs = self._node.runs
        run, high = self._parts[-1] if self._parts else (None, 0)
        if (
            run is not None
            and run.node is self._node
            and run.holders == 1
            and run.high == high == self.full
            and len(runs) == 1
        ):
            run.high = top
            self._parts[-1] = (run, top)
        else:
            run = BlockRun(self._node, self.full, top, 1)
            runs.append(run)
            self._parts.append((run, top))
        self.full = top
