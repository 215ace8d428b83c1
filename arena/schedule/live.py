"""A match that was admitted and has not ended."""

from dataclasses import dataclass, field

from arena.schedule.footprint import Demand, Offer


@dataclass(slots=True, kw_only=True)
class Place:
    """What a live match has in the cache of one endpoint, if nothing of it was lost."""

    demand: Demand
    contexts: dict[str, int] = field(default_factory=dict[str, int])
    """Tokens of each seat's last prompt and reply, in whole blocks."""
    total: int = 0
    own: int = 0
    """Of the total, what no other match shares."""
    most: int = 0
    """The greatest `own` so far."""

    def put(self, seat: str, context: int) -> int:
        """Set the context of a seat; return the tokens that the match has of its own now."""
        self.total += context - self.contexts.get(seat, 0)
        self.contexts[seat] = context
        self.own = max(0, self.total - self.demand.shared)
        self.most = max(self.most, self.own)
        return self.own


@dataclass(slots=True, kw_only=True)
class LiveMatch:
    """A live match: when it was admitted, and where it stands."""

    offer: Offer
    index: int
    """How many matches were admitted before it."""
    places: dict[str, Place]
    cold: set[str] = field(default_factory=set[str])
    """Seats whose next prompt may be computed anew because the match was paused."""


def admitted(offer: Offer, index: int) -> LiveMatch:
    """Return `offer` as a live match that has not begun."""
    places = {demand.endpoint: Place(demand=demand) for demand in offer.demands}
    return LiveMatch(offer=offer, index=index, places=places)
