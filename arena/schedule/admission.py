"""Admission control: which matches are live, and on which replicas.

The controller is synchronous and never waits; `arena.run` waits for its decisions. The caller's
loop after each call of a model is `record_call`, then `admit`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Final

from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import KvDemand, QueuedMatch
from arena.schedule.kv_ledger import KvLedger
from arena.schedule.overcommit import OvercommitController
from arena.schedule.wait_queue import Lane, Placement, WaitQueue

_STRETCHED: Final = 1.05
"""From this stretch on, misses are expected and do not count against the overcommit ratio."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionPolicy:
    """Rules of admission. Real runs use the defaults; benchmarks compare them with other values."""

    limit_kv: bool = True
    """Admit only matches whose projected KV tokens fit; False: `max_live` is the only limit."""
    overcommit: OvercommitController = field(default_factory=OvercommitController)
    """Initial controller of each endpoint."""
    adapt: bool = True
    """Adjust the limit by what the engine reports: cached tokens and time."""
    max_live: int | None = None
    """Maximum number of live matches; None: unlimited."""
    max_overtakes: int = 16
    """How many later matches can enter an endpoint while an earlier match waits for it."""
    shuffle: int | None = None
    """Seed of a random admission order; None: script by script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnUsage:
    """Tokens of one completed call."""

    prompt: int
    """Prompt tokens."""
    output: int
    """Generated tokens."""
    predicted: int
    """Prompt tokens that a cache without eviction would hold."""
    reported: int | None
    """Prompt tokens that the engine found in its cache; None: the engine does not report them."""
    request: str = ""
    """Id of the decision request."""
    is_reply: bool = True
    """The completion is in the seat's log; False: it is a step, a picture reading or a summary."""
    now: float = 0.0
    """Seconds on the caller's clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _LiveMatch:
    """Admitted match that has not finished."""

    script: str
    arrival_index: int
    """Number of matches that were admitted before it."""
    demands: Placement


class AdmissionController:
    """Queued and live matches, with one KV ledger per endpoint."""

    def __init__(
        self, capacities: Mapping[str, KvCapacity], *, policy: AdmissionPolicy | None = None
    ) -> None:
        self._policy = policy or AdmissionPolicy()
        self._ledgers = {
            name: KvLedger(capacity, self._policy.overcommit)
            for name, capacity in capacities.items()
        }
        self._queue = WaitQueue(self._policy.max_overtakes)
        self._live: dict[str, _LiveMatch] = {}
        self._scripts = {name: Counter[str]() for name in capacities}
        """By endpoint: number of live matches of each script."""
        self._admissions = 0
        self._turns = 0
        """Turns until `admit` checks again whether something fits; 0: immediately."""

    @property
    def live(self) -> tuple[str, ...]:
        """Matches that were admitted and have not finished, oldest first."""
        return tuple(self._live)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Matches that wait for admission, in arrival order."""
        return tuple(self._queue)

    def limit(self, endpoint: str) -> float:
        """Return the current limit of an endpoint's reservations, as a multiple of its capacity."""
        return self._ledgers[endpoint].limit

    def reserved(self, endpoint: str) -> int:
        """Return the tokens that the live matches of an endpoint will occupy at most."""
        return self._ledgers[endpoint].reserved

    def arrival_index(self, match: str) -> int:
        """Return how many matches were admitted before a live match; the number never changes."""
        return self._find(match).arrival_index

    def demands(self, match: str) -> Placement:
        """Return the placement of a live match."""
        return self._find(match).demands

    def own_tokens(self, match: str) -> tuple[int, int, int]:
        """Return the own tokens of a live match, now and at its expected peak, and its seats.

        Own tokens are those of contexts, on all endpoints, without shared prefixes.
        """
        demands = self._find(match).demands
        found = [self._ledgers[one.endpoint].own_tokens(match) for one in demands]
        seats = sum(len(one.footprint.turns) for one in demands)
        return sum(now for now, _ in found), sum(most for _, most in found), seats

    def enqueue(self, matches: Iterable[QueuedMatch]) -> None:
        """Append matches to the queue; raise `ValueError` if one could never be admitted."""
        for queued in self._order(matches):
            if queued.match in self._live or queued.match in self._queue:
                raise ValueError(f"match {queued.match!r} is already queued or live")
            unknown = sorted(queued.endpoints - set(self._ledgers))
            if unknown or not queued.endpoints:
                known = ", ".join(self._ledgers) or "none"
                raise ValueError(
                    f"match {queued.match!r} must use endpoints of known capacity, got "
                    f"{', '.join(unknown) or 'none'}; known endpoints: {known}"
                )
            self._queue.add(queued)
        self._turns = 0

    def admit(self) -> tuple[str, ...]:
        """Move matches from the queue to the live ones; return the new ones in order.

        A match is admitted if it fits on all endpoints of a choice simultaneously, or if they are
        idle. So at least one match is live while the queue is not empty. Projecting occupancy is
        expensive, so the next call checks again only after one turn per live match, or when a match
        finishes or arrives.
        """
        if self._turns > 0 or not self._queue:
            return ()
        max_live = self._policy.max_live
        limit = len(self._queue) if max_live is None else max_live - len(self._live)
        admitted: list[str] = []
        for queued, demands in self._queue.take(self._choose, limit):
            self._live[queued.match] = _LiveMatch(
                script=queued.script, arrival_index=self._admissions, demands=demands
            )
            self._admissions += 1
            for demand in demands:
                self._ledgers[demand.endpoint].add(queued.match, demand.footprint)
                self._scripts[demand.endpoint][queued.script] += 1
            admitted.append(queued.match)
        self._turns = len(self._live)
        return tuple(admitted)

    def finish(self, match: str) -> None:
        """Remove a live or queued match and free its tokens."""
        self._turns = 0
        if match in self._queue:
            self._queue.remove(match)
            return
        live = self._find(match)
        del self._live[match]
        for demand in live.demands:
            self._ledgers[demand.endpoint].remove(match)
            scripts = self._scripts[demand.endpoint]
            scripts[live.script] -= 1
            if not scripts[live.script]:
                del scripts[live.script]

    def begin_call(self, endpoint: str, now: float) -> None:
        """Record that a request is sent to an endpoint."""
        self._ledgers[endpoint].cost.begin(now)

    def fail_call(self, endpoint: str, now: float) -> None:
        """Record that a request to an endpoint ended without a completion."""
        self._ledgers[endpoint].cost.fail(now)

    def record_call(self, match: str, seat: str, endpoint: str, turn: TurnUsage) -> None:
        """Record a completed call: update lengths and costs, and adjust the limit."""
        self._find(match)
        ledger = self._ledgers[endpoint]
        context = turn.prompt + turn.output
        ledger.set_context(match, seat, context)
        if turn.is_reply:
            ledger.record_reply(match, seat, turn.request, context, turn.output)
        self._turns -= 1
        self._record_cost(ledger, turn)
        if turn.reported is not None and self._policy.adapt and ledger.cost.stretch < _STRETCHED:
            ledger.overcommit = ledger.overcommit.update(
                turn.predicted, turn.reported, seats=ledger.seats, pressed=bool(self._queue)
            )

    def _find(self, match: str) -> _LiveMatch:
        live = self._live.get(match)
        if live is None:
            raise ValueError(f"match {match!r} is not live")
        return live

    def _order(self, matches: Iterable[QueuedMatch]) -> Sequence[QueuedMatch]:
        """Return `matches` in the order of admission."""
        found = list(matches)
        if self._policy.shuffle is not None:
            # Each match counts as its own script, so that admission does not group matches.
            found = [replace(one, script=one.match) for one in found]
            seed = self._policy.shuffle
            found.sort(key=lambda one: sha256(f"{seed}/{one.match}".encode()).digest())
        return found

    def _record_cost(self, ledger: KvLedger, turn: TurnUsage) -> None:
        """Update the costs of the engine's work."""
        cached = turn.predicted if turn.reported is None else turn.reported
        is_over = ledger.cost.end(
            turn.now,
            prompt=turn.prompt,
            output=turn.output,
            cached=cached,
            missed=max(0, turn.predicted - cached),
        )
        if is_over and self._policy.limit_kv and self._policy.adapt:
            fitting = ledger.overcommit.value * ledger.capacity.tokens
            ledger.cost.close(
                turn.now, reserved=ledger.reserved / fitting, own=ledger.own_per_call()
            )

    def _choose(self, lane: Lane, closed: Set[str]) -> tuple[QueuedMatch, Placement] | None:
        """Return the match of a lane to admit next, and where; None if nothing fits.

        Replicas with less load are tried first. One match is tried on each combination of replicas.
        """
        live = {script for name in lane.endpoints for script in self._scripts[name]}
        places = [_endpoints_of(choice) for choice in lane.oldest.choices]
        for place in sorted(places, key=self._load) if len(places) > 1 else places:
            if closed & set(place):
                continue
            queued = lane.oldest if len(places) == 1 else lane.pick(self._live_scripts(place), live)
            demands = next((one for one in queued.choices if _endpoints_of(one) == place), None)
            if demands is not None and self._fits(demands):
                return queued, demands
        return None

    def _live_scripts(self, place: tuple[str, ...]) -> Set[str]:
        """Return the scripts that are live on all endpoints of a placement."""
        return set[str].intersection(*(set(self._scripts[name]) for name in place))

    def _load(self, place: tuple[str, ...]) -> tuple[float, int, tuple[str, ...]]:
        ledgers = [self._ledgers[name] for name in place]
        return max(one.load for one in ledgers), sum(map(len, ledgers)), place

    def _fits(self, demands: Sequence[KvDemand]) -> bool:
        """Return whether a match fits on all its endpoints."""
        return not self._policy.limit_kv or all(
            self._ledgers[demand.endpoint].fits(demand.footprint, len(self._queue))
            for demand in demands
        )


def _endpoints_of(choice: Placement) -> tuple[str, ...]:
    return tuple(demand.endpoint for demand in choice)
