"""Paths of requests through a tree of token blocks: which part of each an earlier one shared."""

from array import array
from collections.abc import Iterable, Sequence

_DEPTH_BITS = 24
_DEPTH = (1 << _DEPTH_BITS) - 1
"""A node stores request and depth in one number: there are millions of nodes."""


class BlockPaths:
    """For each request, runs of blocks by the earlier request that last used them.

    A block is on a path only with all blocks before it. So the deeper a block, the longer ago it
    was last used: the runs of a path are few, and their last uses fall with depth.
    """

    def __init__(self) -> None:
        self.full = array("l")
        """Full blocks of each request, including those of its reply."""
        self.first = array("l", [0])
        """Index of the first run of each request, and last the number of all runs."""
        self.end = array("l")
        """Per run: the depth at which it ends; it begins where the previous run ends."""
        self.last = array("l")
        """Per run: the last earlier request that used its blocks."""
        self.owner = array("l")
        """Per run: the request whose path it is on."""
        self._seen: dict[int, int | tuple[int, ...]] = {}

    def add(self, path: Iterable[tuple[int, int]]) -> None:
        """Add a request by its nodes, each with the depth in blocks at which it ends.

        Two nodes are equal if they have the same content after the same prefix. A node can end at
        less depth than on another path.
        """
        seen, depth, known, at = self._seen, 0, True, len(self.full)
        for node, end in path:
            if end == depth:
                continue
            value = seen.get(node) if known else None
            if value is None:
                known = False
                seen[node] = at << _DEPTH_BITS | end
            elif isinstance(value, int) and value & _DEPTH <= end:
                self._add_run(value, end)
                known = value & _DEPTH == end
                seen[node] = at << _DEPTH_BITS | end
            else:
                known = self._split(node, value, end)
            depth = end
        self.full.append(depth)
        self.first.append(len(self.end))

    def run_start(self, run: int) -> int:
        """Return the depth at which a run begins."""
        return self.end[run - 1] if run > self.first[self.owner[run]] else 0

    def followers(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return, for each request, a run that needs it next, and for each run another one or -1.

        The runs that need a request's blocks next form a chain; -1: none.
        """
        then, link = array("l", [-1]) * len(self.full), array("l", [-1]) * len(self.end)
        for run, before in enumerate(self.last):
            link[run] = then[before]
            then[before] = run
        return then, link

    def _add_run(self, value: int, end: int) -> None:
        """Record that the path of `value` last used the blocks up to `end`."""
        at, before = len(self.full), value >> _DEPTH_BITS
        reached = min(value & _DEPTH, end)
        if len(self.end) > self.first[at] and self.last[-1] == before:
            self.end[-1] = reached
            return
        self.end.append(reached)
        self.last.append(before)
        self.owner.append(at)

    def _split(self, node: int, value: int | tuple[int, ...], end: int) -> bool:
        """Split a node where other paths left it; return whether all of it was seen before."""
        left = (value,) if isinstance(value, int) else value
        depth = self.end[-1] if len(self.end) > self.first[-1] else 0
        for one in left:
            if depth < end and one & _DEPTH > depth:
                self._add_run(one, end)
                depth = self.end[-1]
        deeper = tuple(one for one in left if one & _DEPTH > end)
        mine = len(self.full) << _DEPTH_BITS | end
        self._seen[node] = (mine, *deeper) if deeper else mine
        return depth >= end
