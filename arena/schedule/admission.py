"""Admission control: which matches are live, and which of them are paused.

The controller is synchronous and never waits; `arena.run` waits for its decisions. The caller's
loop after each turn is `record_turn`, then `admit`, then `is_runnable` for the matches that are
between two turns.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import QueuedMatch
from arena.schedule.kv_ledger import KvLedger
from arena.schedule.live_match import LiveMatch
from arena.schedule.overcommit import OvercommitController
from arena.schedule.wait_queue import WaitQueue


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionPolicy:
    """Rules of admission. Real runs use the defaults; benchmarks compare them with other values."""

    limit_kv: bool = True
    """Reserve at most overcommit x KV capacity. Without this limit no match pauses either."""
    overcommit: OvercommitController = field(default_factory=OvercommitController)
    """Initial controller of each endpoint."""
    adapt: bool = True
    """Adjust overcommit by the cached tokens that the engine reports."""
    max_live: int | None = None
    """Maximum number of live matches; None: unlimited."""
    pause: bool = True
    """Pause the smallest match between two turns while the contexts exceed the cache."""
    max_overtakes: int = 16
    """How many later matches may enter an endpoint while an earlier match waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage:
    """Tokens of one completed request."""

    prompt: int
    """Prompt tokens."""
    output: int
    """Generated tokens."""
    predicted: int
    """Prompt tokens that a cache without eviction would hold."""
    reported: int | None
    """Prompt tokens that the engine found in its cache; None: the engine does not report them."""


class AdmissionController:
    """Queued, live and paused matches, with one KV ledger per endpoint."""

    def __init__(
        self, capacities: Mapping[str, KvCapacity], *, policy: AdmissionPolicy | None = None
    ) -> None:
        self._policy = policy or AdmissionPolicy()
        self._ledgers = {
            name: KvLedger(capacity, self._policy.overcommit)
            for name, capacity in capacities.items()
        }
        self._queue = WaitQueue(self._policy.max_overtakes)
        self._live: dict[str, LiveMatch] = {}
        self._paused: dict[str, LiveMatch] = {}
        self._admissions = 0
        self._changed = False
        """Whether `admit` may find something to do since its last call."""

    @property
    def live(self) -> tuple[str, ...]:
        """Matches that were admitted and have not finished, oldest first; includes paused ones."""
        return tuple(self._live)

    @property
    def queued(self) -> tuple[str, ...]:
        """Matches that wait for admission, in arrival order."""
        return tuple(self._queue)

    @property
    def paused(self) -> tuple[str, ...]:
        """Live matches that may not start their next turn, oldest first."""
        return tuple(match for match in self._live if match in self._paused)

    def overcommit(self, endpoint: str) -> float:
        """Return the current overcommit ratio of an endpoint."""
        return self._ledgers[endpoint].overcommit.value

    def reserved(self, endpoint: str) -> int:
        """Return the tokens that are reserved for the running matches of an endpoint."""
        return self._ledgers[endpoint].reserved

    def arrival_index(self, match: str) -> int:
        """Return how many matches were admitted before a live match; the number never changes."""
        return self._find(match).arrival_index

    def is_runnable(self, match: str) -> bool:
        """Return whether a live match may start its next turn; False: it is paused."""
        return self._find(match).match not in self._paused

    def enqueue(self, matches: Iterable[QueuedMatch]) -> None:
        """Append matches to the queue; raise `ValueError` if one could never be admitted."""
        for queued in matches:
            if queued.match in self._live or queued.match in self._queue:
                raise ValueError(f"match {queued.match!r} is already queued or live")
            unknown = [one.endpoint for one in queued.demands if one.endpoint not in self._ledgers]
            if unknown or not queued.demands:
                known = ", ".join(self._ledgers) or "none"
                raise ValueError(
                    f"match {queued.match!r} must use endpoints of known capacity, got "
                    f"{', '.join(unknown) or 'none'}; known endpoints: {known}"
                )
            self._queue.add(queued)
            self._changed = True

    def admit(self) -> tuple[str, ...]:
        """Move matches from the queue to the live ones; return the new ones in order.

        A match is admitted if it fits on all its endpoints at once, or if they are idle. So at
        least one match is live while the queue is not empty. The call is O(1) if no tokens became
        free since the last one.
        """
        if not self._changed:
            return ()
        self._changed = False
        self._resume()
        # A paused match goes first: new matches must not take the tokens that it waits for.
        draining = {name for live in self._paused.values() for name in live.usages}
        max_live = self._policy.max_live
        limit = len(self._queue) if max_live is None else max_live - len(self._live)
        admitted: list[str] = []
        for queued in self._queue.take(self._fits, draining, limit):
            live = LiveMatch.admit(queued, self._admissions)
            self._admissions += 1
            self._live[queued.match] = live
            self._reserve(live)
            admitted.append(queued.match)
        return tuple(admitted)

    def finish(self, match: str, *, complete: bool = True) -> None:
        """Remove a live or queued match and free its tokens.

        Only a `complete` match updates the length correction: a match that broke off is shorter
        than predicted for other reasons.
        """
        if match in self._queue:
            self._queue.remove(match)
            return
        live = self._find(match)
        del self._live[match]
        # A paused match has released its tokens already.
        if self._paused.pop(match, None) is None:
            self._release(live)
        for name, usage in live.usages.items():
            if complete and usage.contexts:
                self._ledgers[name].record_finished(usage.demand, usage.peak_own)
        self._changed = True
        self._resume()

    def record_turn(self, match: str, seat: str, endpoint: str, turn: TurnUsage) -> None:
        """Record a completed turn: update the ledger and overcommit; pause matches if needed."""
        live, ledger = self._find(match), self._ledgers[endpoint]
        usage = live.usages[endpoint]
        before = usage.own
        # A reset log is shorter than before: then tokens became free and `admit` has work to do.
        own = usage.set_context(seat, ledger.capacity.round_to_blocks(turn.prompt + turn.output))
        if match not in self._paused:
            ledger.update(match, own)
        self._changed |= own < before
        if seat in live.cold_seats:
            # A pause explains this miss, so it says nothing about the overcommit ratio.
            live.cold_seats.discard(seat)
        elif turn.reported is not None and self._policy.adapt:
            self._adapt(ledger, turn.predicted, turn.reported)
        if ledger.overloaded:
            self._pause(endpoint)

    def _find(self, match: str) -> LiveMatch:
        live = self._live.get(match)
        if live is None:
            raise ValueError(f"match {match!r} is not live")
        return live

    def _adapt(self, ledger: KvLedger, predicted: int, reported: int) -> None:
        old = ledger.overcommit.value
        pressed = bool(self._queue or self._paused)
        ledger.overcommit = ledger.overcommit.update(
            predicted, reported, seats=ledger.seats, pressed=pressed
        )
        self._changed |= ledger.overcommit.value > old

    def _fits(self, queued: QueuedMatch) -> bool:
        """Return whether a queued match fits on all its endpoints."""
        return not self._policy.limit_kv or all(
            self._ledgers[demand.endpoint].fits(
                demand, 0, limit=self._ledgers[demand.endpoint].overcommit.value
            )
            for demand in queued.demands
        )

    def _can_resume(self, live: LiveMatch) -> bool:
        """Return whether a paused match fits on all its endpoints.

        The limit is at most 1 x capacity. With an overcommit ratio above 1, a match that paused
        because the cache was full would resume at once.
        """
        return all(
            ledger.fits(usage.demand, usage.own, limit=min(1.0, ledger.overcommit.value))
            for ledger, usage in ((self._ledgers[name], u) for name, u in live.usages.items())
        )

    def _reserve(self, live: LiveMatch) -> None:
        for name, usage in live.usages.items():
            self._ledgers[name].add(live.match, usage.demand, usage.own)

    def _release(self, live: LiveMatch) -> None:
        for name in live.usages:
            self._ledgers[name].remove(live.match)

    def _resume(self) -> None:
        """Resume paused matches that fit or whose endpoints are idle, oldest first."""
        for match in self.paused if self._paused else ():
            live = self._paused[match]
            if self._can_resume(live):
                del self._paused[match]
                live.cold_seats = {seat for u in live.usages.values() for seat in u.contexts}
                self._reserve(live)

    def _pause(self, endpoint: str) -> None:
        """Pause the smallest matches until the contexts fit the cache or one match remains.

        The smallest match loses the least: its contexts are the cheapest to prefill again. A match
        that would free nothing continues, and so does the last one that would: the endpoint must
        make progress.
        """
        ledger = self._ledgers[endpoint]
        while self._may_pause and ledger.overloaded and ledger.running > 1:
            candidates = [
                live
                for match, live in self._live.items()
                if match not in self._paused
                and endpoint in live.usages
                and ledger.would_free(match)
            ]
            if len(candidates) < 2:  # noqa: PLR2004 - the last match continues
                return
            live = min(candidates, key=lambda one: (one.usages[endpoint].total, -one.arrival_index))
            self._paused[live.match] = live
            self._release(live)
            self._changed = True

    @property
    def _may_pause(self) -> bool:
        return self._policy.pause and self._policy.limit_kv
