"""Live match: admitted and not finished."""

from dataclasses import dataclass, field

from arena.schedule.footprint import KvDemand, QueuedMatch


@dataclass(slots=True, kw_only=True)
class EndpointUsage:
    """KV tokens of a live match on one endpoint, assuming that the engine evicted nothing."""

    demand: KvDemand
    contexts: dict[str, int] = field(default_factory=dict[str, int])
    """By seat: tokens of its last prompt and reply, rounded up to whole blocks."""
    total: int = 0
    """Tokens of all contexts."""
    own: int = 0
    """Tokens of all contexts without the shared prefixes."""
    peak_own: int = 0
    """Maximum of `own` so far, in tokens."""

    def set_context(self, seat: str, context: int) -> int:
        """Set the context of a seat to `context` tokens; return the match's own tokens."""
        self.total += context - self.contexts.get(seat, 0)
        self.contexts[seat] = context
        self.own = max(0, self.total - self.demand.prefix_tokens)
        self.peak_own = max(self.peak_own, self.own)
        return self.own


@dataclass(slots=True, kw_only=True)
class LiveMatch:
    """Live match with its KV usage per endpoint."""

    match: str
    arrival_index: int
    """Number of matches that were admitted before it."""
    usages: dict[str, EndpointUsage]
    """By endpoint."""
    cold_seats: set[str] = field(default_factory=set[str])
    """Seats that have not played since a pause. The engine may have evicted their contexts."""

    @classmethod
    def admit(cls, queued: QueuedMatch, arrival_index: int) -> "LiveMatch":
        """Return `queued` as a live match without any contexts."""
        usages = {demand.endpoint: EndpointUsage(demand=demand) for demand in queued.demands}
        return cls(match=queued.match, arrival_index=arrival_index, usages=usages)
