"""Asyncio interface to admission control."""

import asyncio
from collections.abc import Callable

from arena.schedule.admission import AdmissionController, TurnUsage
from arena.schedule.footprint import KvDemand, QueuedMatch

PROBE_PRIORITY_OFFSET = 1_000_000
"""Added to the priority of requests that do not influence play, so that they fill the gaps.

It must exceed the number of matches of a run. vLLM serves low priority values first.
"""


class AdmissionGate:
    """Gate where matches wait for the admission controller, the only place where they wait."""

    def __init__(self, controller: AdmissionController) -> None:
        self._controller = controller
        self._on_capacity: Callable[[], None] = _do_nothing

    def on_capacity(self, callback: Callable[[], None]) -> None:
        """Call `callback` whenever a queued match may fit. The callback must call `admit`."""
        self._on_capacity = callback

    def enqueue(self, matches: tuple[QueuedMatch, ...]) -> None:
        """Append matches to the admission queue."""
        self._controller.enqueue(matches)

    def admit(self) -> tuple[str, ...]:
        """Return the matches that are admitted now."""
        return self._controller.admit()

    def demands(self, match: str) -> tuple[KvDemand, ...]:
        """Return the KV demands of a live match on its endpoints."""
        return self._controller.demands(match)

    def release(self, match: str) -> None:
        """Free the KV tokens of a finished match."""
        self._controller.finish(match)
        self._on_capacity()

    def requeue(self, queued: QueuedMatch) -> None:
        """Free the KV tokens of a live match, and put it at the end of the queue."""
        self._controller.finish(queued.match)
        self._controller.enqueue((queued,))
        self._on_capacity()

    def begin_call(self, endpoint: str) -> None:
        """Record that a request is sent to an endpoint."""
        self._controller.begin_call(endpoint, asyncio.get_running_loop().time())

    def fail_call(self, endpoint: str) -> None:
        """Record that a request to an endpoint ended without a completion."""
        self._controller.fail_call(endpoint, asyncio.get_running_loop().time())

    def report_usage(self, match: str, seat: str, endpoint: str, usage: TurnUsage) -> None:
        """Report the tokens of a completed turn to the admission controller."""
        self._controller.record_call(match, seat, endpoint, usage)
        self._on_capacity()

    def priority(self, match: str, *, probe: bool) -> int:
        """Return the priority of a request: older matches first, probes last."""
        offset = PROBE_PRIORITY_OFFSET if probe else 0
        return self._controller.arrival_index(match) + offset


def _do_nothing() -> None:
    pass
