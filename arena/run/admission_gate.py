"""Asyncio interface to admission control."""

import asyncio
from collections.abc import Callable

from arena.schedule.admission import AdmissionController, TurnUsage
from arena.schedule.footprint import QueuedMatch

PROBE_PRIORITY_OFFSET = 1_000_000
"""Added to the priority of requests that do not influence play, so that they run in the gaps.

It must exceed the number of matches of a run. vLLM serves low priority values first.
"""


class AdmissionGate:
    """Gate where matches wait for the admission controller; matches wait nowhere else."""

    def __init__(self, controller: AdmissionController) -> None:
        self._controller = controller
        self._waiting: dict[str, asyncio.Future[None]] = {}
        self._on_capacity: Callable[[], None] = self._wake

    def on_capacity(self, callback: Callable[[], None]) -> None:
        """Call `callback` whenever a queued match may fit. The callback must call `admit`."""
        self._on_capacity = callback

    def enqueue(self, matches: tuple[QueuedMatch, ...]) -> None:
        """Append matches to the admission queue."""
        self._controller.enqueue(matches)

    def admit(self) -> tuple[str, ...]:
        """Return the matches that are admitted now; wake paused matches that may resume."""
        admitted = self._controller.admit()
        self._wake()
        return admitted

    def release(self, match: str, *, complete: bool) -> None:
        """Free the KV tokens of a match that is over; `complete`: it was played to its end."""
        self._controller.finish(match, complete=complete)
        self._on_capacity()

    def requeue(self, queued: QueuedMatch) -> None:
        """Free the KV tokens of a live match, and put it at the end of the queue."""
        self._controller.finish(queued.match, complete=False)
        self._controller.enqueue((queued,))
        self._on_capacity()

    async def wait_runnable(self, match: str) -> None:
        """Wait until the match may start its next turn. A match never pauses within a turn."""
        while not self._controller.is_runnable(match):
            future = self._waiting.setdefault(match, asyncio.get_running_loop().create_future())
            await asyncio.shield(future)

    def report_usage(self, match: str, seat: str, endpoint: str, usage: TurnUsage) -> None:
        """Report the tokens of a completed turn to the admission controller."""
        self._controller.record_turn(match, seat, endpoint, usage)
        self._on_capacity()

    def priority(self, match: str, *, probe: bool) -> int:
        """Return the priority of a request: older matches first, probes last."""
        offset = PROBE_PRIORITY_OFFSET if probe else 0
        return self._controller.arrival_index(match) + offset

    def _wake(self) -> None:
        for match in [one for one in self._waiting if self._controller.is_runnable(one)]:
            future = self._waiting.pop(match)
            if not future.done():
                future.set_result(None)
