"""Which turns may be played: those of one match as they become free, those of a trace at once."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import groupby

from arena.bench.arms import Arm
from arena.bench.offers import Stage
from arena.bench.trace import TraceMatch, Turn
from arena.schedule.footprint import QueuedMatch


class Progress:
    """One match: which of its turns may be played now."""

    def __init__(
        self, match: TraceMatch, turn: Callable[[TraceMatch, Turn], Awaitable[None]], arm: Arm
    ) -> None:
        self._match, self._turn, self._parallel = match, turn, arm.parallel
        self._left = {turn.number: len(set(turn.parents)) for turn in match.turns}
        self._following: dict[int, list[Turn]] = {}
        for one in match.turns:
            for parent in set(one.parents):
                self._following.setdefault(parent, []).append(one)

    async def play(self) -> None:
        """Play all turns, each when those are answered that it follows from."""
        if not self._parallel:
            for turn in self._match.turns:
                await self._turn(self._match, turn)
            return
        async with asyncio.TaskGroup() as group:
            for turn in self._match.turns:
                if not turn.parents:
                    group.create_task(self._from(turn, group))

    async def _from(self, turn: Turn, group: asyncio.TaskGroup) -> None:
        """Play `turn`, then those that waited for it last: one here, the others beside it."""
        todo: Turn | None = turn
        while todo is not None:
            await self._turn(self._match, todo)
            free: list[Turn] = []
            for after in self._following.get(todo.number, ()):
                self._left[after.number] -= 1
                if not self._left[after.number]:
                    free.append(after)
            todo = free[0] if free else None
            for after in free[1:]:
                group.create_task(self._from(after, group))


def depth_first(stage: Stage, order: Iterable[QueuedMatch]) -> Iterator[tuple[TraceMatch, Turn]]:
    """Yield all turns in the order of the trie of prompts: script, seat, match, turn."""
    for _, offers in groupby(order, key=lambda offer: offer.script):
        matches = [stage.match(offer.match) for offer in offers]
        seats = dict.fromkeys(turn.seat for match in matches for turn in match.turns)
        for seat in seats:
            for match in matches:
                yield from ((match, turn) for turn in match.turns if turn.seat == seat)
