"""Ledger of requests: what the server was asked against what the record holds.

A request may be asked once for every recorded call, once more for every answer that did not reach
the client whole, and once more for every answer that was lost because the orchestrator was
stopped before it could record it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.campaign.journal import Entry, count_bad, count_digests
from tests.campaign.observed import ObservedMatch


def count_recorded(matches: Mapping[str, ObservedMatch]) -> Counter[str]:
    """Return how often each request stands in the records of all matches."""
    total: Counter[str] = Counter()
    for match in matches.values():
        total += match.digests
    return total


@dataclass(slots=True, kw_only=True)
class RequestLedger:
    """Ledger of one trial, brought up to date at the end of every sitting."""

    usual: Counter[str] = field(default_factory=Counter[str])
    """Requests that an undisturbed run asks and does not record."""
    lost: Counter[str] = field(default_factory=Counter[str])
    """Good answers that no record holds."""
    extra: int = 0
    """Requests beyond those that the record holds, whatever the reason."""

    def settle(
        self, entries: Iterable[Entry], matches: Mapping[str, ObservedMatch], *, allowed: int
    ) -> str:
        """Compare; return what is wrong where more than `allowed` good answers were lost since."""
        entries = list(entries)
        asked, recorded = count_digests(entries), count_recorded(matches)
        missing = asked - count_bad(entries) - recorded - self.usual - self.lost
        self.lost += missing
        self.extra = max(0, asked.total() - recorded.total())
        if missing.total() <= allowed:
            return ""
        often = ", ".join(f"{digest} x{times}" for digest, times in missing.most_common(3))
        return (
            f"{missing.total()} answered requests were asked and not recorded, or recorded and "
            f"asked again; at most {allowed} may be: {often}"
        )
