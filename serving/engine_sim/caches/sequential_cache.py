"""The prefix cache of an engine that serves one request after the other, at less cost."""

from collections import OrderedDict, deque
from collections.abc import Hashable, Sequence
from itertools import count


class SequentialCache:
    """What `BlockCache` finds and evicts when no two requests ever hold blocks together.

    It costs memory for the blocks that hold something, not for all that there are.
    """

    def __init__(self, blocks: int, block: int) -> None:
        self._block = block
        self._most = blocks - 1  # one holds nothing: vLLM's null block
        self.reset()

    def reset(self) -> None:
        """Forget every content."""
        self._fresh = count()
        self._empty = self._most
        self._idle: OrderedDict[int, Hashable] = OrderedDict()
        self._first: dict[Hashable, int] = {}
        self._twins: dict[Hashable, list[int]] = {}

    def serve(self, path: Sequence[Hashable], *, prompt: int, total: int) -> int:
        """Hold and give back the blocks of a request; return how many were found for its prompt.

        `path` are the chained hashes of its full blocks, `total` its tokens with the reply, as far
        as they are computed. Nothing may be greater than the whole cache.
        """
        found = self._find(path[: (prompt - 1) // self._block])
        need = -(-total // self._block) - len(found)
        self._touch(found)
        self._evict_blocks(need)
        full = path[len(found) : total // self._block]
        self._empty += need - len(full)
        named = [(next(self._fresh), hashed) for hashed in full]
        for block, hashed in named:
            if self._first.setdefault(hashed, block) != block:
                self._twins.setdefault(hashed, []).append(block)
        self._idle.update(reversed(named))
        self._touch(found)
        return len(found)

    def _find(self, path: Sequence[Hashable]) -> list[int]:
        found: list[int | None] = list(map(self._first.get, path))
        known = found.index(None) if None in found else len(found)
        return [block for block in found[:known] if block is not None]

    def _touch(self, blocks: list[int]) -> None:
        """Let these blocks be evicted after all others, the last one of them first."""
        deque(map(self._idle.move_to_end, reversed(blocks)), maxlen=0)

    def _evict_blocks(self, number: int) -> None:
        blank = min(number, self._empty)
        self._empty -= blank
        for _ in range(number - blank):
            block, hashed = self._idle.popitem(last=False)
            twins = self._twins.get(hashed)
            if twins is None:
                del self._first[hashed]
            elif self._first[hashed] == block:
                self._first[hashed] = twins.pop(0)
            else:
                twins.remove(block)
            if twins == []:
                del self._twins[hashed]
