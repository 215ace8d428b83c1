"""KV footprint of a match on the endpoints that it uses.

A queued match consists of these values only, so it takes little memory. Give the matches of one
script the same `SharedPrefix` and `KvDemand` objects: a queued match then costs its id and one
`QueuedMatch`.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPrefix:
    """Prompt prefix that many matches share: the rules and the private script of one seat."""

    key: str
    """Prefixes with equal keys hold equal tokens."""
    tokens: int
    """Length in tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KvDemand:
    """KV demand of one match on one endpoint."""

    endpoint: str
    prefixes: tuple[SharedPrefix, ...]
    """One prefix per seat that plays on the endpoint. Seats may share a prefix."""
    peak: int
    """Predicted peak of the match's own tokens, summed over its seats, without the prefixes."""

    @property
    def prefix_tokens(self) -> int:
        """Tokens of the prefixes of all seats. A prefix of two seats counts twice."""
        return sum(prefix.tokens for prefix in self.prefixes)


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuedMatch:
    """Match in the admission queue."""

    match: str
    script: str
    pair: tuple[str, str]
    """Contestants: the civilians', then the murderer's."""
    demands: tuple[KvDemand, ...]
    """One demand per endpoint that the match uses."""

    def __post_init__(self) -> None:
        """Reject two demands on one endpoint: the ledger would count the match twice."""
        endpoints = [demand.endpoint for demand in self.demands]
        if len(set(endpoints)) < len(endpoints):
            raise ValueError(
                f"match {self.match!r} must have one demand per endpoint, got "
                f"{', '.join(endpoints)}"
            )


def kv_demands(
    endpoints: Mapping[str, str], prefixes: Mapping[str, SharedPrefix], peaks: Mapping[str, int]
) -> tuple[KvDemand, ...]:
    """Return the KV demands of a match; all arguments are by seat, `peaks` in tokens.

    The demands are sorted by endpoint, so that both sides of a pair give the same sequence.
    """
    return tuple(
        KvDemand(
            endpoint=endpoint,
            prefixes=tuple(
                prefixes[seat] for seat, where in endpoints.items() if where == endpoint
            ),
            peak=sum(peaks[seat] for seat, where in endpoints.items() if where == endpoint),
        )
        for endpoint in sorted(set(endpoints.values()))
    )
