"""The tree of all prompts, and the runs of cached blocks that lie on it."""


class PrefixNode:
    """One segment at one place of the tree of all prompts.

    A block belongs to the segment that its last token lies in. `place` is the key under which the
    parent has this node: how many tokens of the parent's segment the prompt held, and this key.
    """

    __slots__ = ("children", "parent", "place", "runs")

    def __init__(self, parent: "PrefixNode | None", place: tuple[int, str]) -> None:
        self.parent = parent
        self.place = place
        self.children: dict[tuple[int, str], PrefixNode] = {}
        self.runs: list[BlockRun] = []


class BlockRun:
    """Blocks `low` to `high` (not with it) of a node, with the same holders and freed together.

    A run that is divided while it is held keeps its beginning and knows the `rest`. Runs of a node
    overlap only where equal content was computed twice; the earlier one is found. Without holders
    it stands in the free queue, between `before` and `after`, and is evicted from its end.
    """

    __slots__ = ("after", "before", "high", "holders", "low", "node", "rest")

    def __init__(self, node: PrefixNode, low: int, high: int, holders: int) -> None:
        self.node = node
        self.low = low
        self.high = high
        self.holders = holders
        self.rest: BlockRun | None = None
        self.before = self
        self.after = self

    def enqueue(self, after: "BlockRun") -> None:
        """Stand in the free queue before `after`."""
        self.after = after
        self.before = after.before
        after.before.after = self
        after.before = self

    def dequeue(self) -> None:
        """Leave the free queue."""
        self.before.after = self.after
        self.after.before = self.before


def are_adjacent(run: BlockRun, after: BlockRun) -> bool:
    """Tell whether `after` goes on where `run` ends, with nothing else in their node."""
    return run.node is after.node and run.high == after.low and run.node.runs == [run, after]


def find_run(runs: list[BlockRun], block: int, top: int) -> tuple[BlockRun | None, int]:
    """Return the run that a block is found in, and the end of what is found there.

    No earlier run begins within it: who made that one held blocks before it that are earlier too,
    and these outlive it.
    """
    for run in runs:
        if run.low <= block < run.high:
            return run, min(run.high, top)
    return None, block


def split_run(run: BlockRun, at: int) -> tuple[BlockRun, BlockRun]:
    """Divide a run; an idle one stays what it is in the queue as its own end, evicted first."""
    runs = run.node.runs
    if run.holders:
        rest = BlockRun(run.node, at, run.high, run.holders)
        rest.rest, run.rest, run.high = run.rest, rest, at
        runs.insert(runs.index(run) + 1, rest)
        return run, rest
    head = BlockRun(run.node, run.low, at, 0)
    run.low = at
    runs.insert(runs.index(run), head)
    head.enqueue(run.after)
    return head, run


def remove_run(run: BlockRun) -> None:
    """Forget an evicted run, and the nodes that nothing is left of."""
    node = run.node
    node.runs.remove(run)
    while not node.runs and not node.children and node.parent is not None:
        del node.parent.children[node.place]
        node = node.parent
