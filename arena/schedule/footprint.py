"""What a match needs of the servers that it uses. Parked matches are only this, so it is small.

The matches of one script should be given the same `Share` and `Demand` objects: then a parked
match costs its id and one `Offer`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A beginning that prompts of many matches share: the rules and one seat's private script."""

    key: str
    """Equal keys: equal tokens."""
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What one match needs on one endpoint."""

    endpoint: str
    shares: tuple[Share, ...]
    """One for each of its seats there; seats may share one."""
    peak: int
    """Tokens of its own (without the shares) at its greatest, all its seats there together."""

    @property
    def shared(self) -> int:
        """Tokens of all its seats' shares, one that several seats share counted for each."""
        return sum(share.tokens for share in self.shares)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A match that waits to be played."""

    match: str
    script: str
    pair: tuple[str, str]
    """Contestants: the civilians', the murderer's."""
    demands: tuple[Demand, ...]
    """One for each endpoint that it uses."""

    def __post_init__(self) -> None:
        """Refuse a match that would be counted twice on an endpoint."""
        endpoints = [demand.endpoint for demand in self.demands]
        if len(set(endpoints)) < len(endpoints):
            raise ValueError(
                f"match {self.match!r} must have one demand an endpoint, got {', '.join(endpoints)}"
            )


def demands(
    endpoints: Mapping[str, str], shares: Mapping[str, Share], peaks: Mapping[str, int]
) -> tuple[Demand, ...]:
    """Return what a match needs where each of its seats plays on `endpoints[seat]`.

    `shares` and `peaks` (tokens) are by seat too. Endpoints come in the order of their names, so
    that both sides of a pair name them alike.
    """
    return tuple(
        Demand(
            endpoint=endpoint,
            shares=tuple(shares[seat] for seat, where in endpoints.items() if where == endpoint),
            peak=sum(peaks[seat] for seat, where in endpoints.items() if where == endpoint),
        )
        for endpoint in sorted(set(endpoints.values()))
    )
