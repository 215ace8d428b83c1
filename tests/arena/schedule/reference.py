"""Reference ledger: a slow and simple model of what matches occupy, plus queued test matches."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from arena.schedule.admission import AdmissionController, AdmissionPolicy, TurnUsage
from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import (
    Footprint,
    KvDemand,
    PlannedTokens,
    PlannedTurn,
    QueuedMatch,
    SharedPrefix,
)
from arena.schedule.overcommit import OvercommitController

ENDPOINTS = ("a", "b", "c")
BLOCK = 16
ONLY = "only request"
UNHURRIED = settings(deadline=None)
"""Hypothesis settings without a deadline: a busy machine must not fail a test."""


def capacities(tokens: int, block_size: int = BLOCK) -> dict[str, KvCapacity]:
    return {
        name: KvCapacity(endpoint=name, tokens=tokens, block_size=block_size) for name in ENDPOINTS
    }


def queued_match(
    match: str, *, script: str = "x", peak: int = 100, prefix_tokens: int = 200, on: str = "a"
) -> QueuedMatch:
    """Return a match of two seats that uses each of the endpoints `on`; sizes in tokens.

    Its only planned request is to seat `p` and takes all of `peak`.
    """
    needs = footprint_of(script, peak, prefix_tokens)
    demands = tuple(KvDemand(endpoint=name, footprint=needs) for name in on)
    return QueuedMatch(match=match, script=script, pair=("A", "B"), choices=(demands,))


def footprint_of(script: str, peak: int, prefix_tokens: int = 200) -> Footprint:
    return Footprint(
        prefixes={
            seat: SharedPrefix(key=f"{script}/{seat}", tokens=prefix_tokens // 2)
            for seat in ("p", "q")
        },
        turns={
            "p": (
                PlannedTurn(
                    number=0, request=ONLY, kind="speak", reply=0, tokens=PlannedTokens(text=peak)
                ),
            ),
            "q": (),
        },
        is_exact=True,
    )


def queued_matches(most: int = 24) -> st.SearchStrategy[list[QueuedMatch]]:
    """Generate matches of three scripts on one to three endpoints, some larger than the cache."""
    kinds = st.tuples(
        st.sampled_from(["x", "y", "z"]),
        st.sampled_from(["a", "b", "c", "ab", "ac", "bc", "abc"]),
        st.sampled_from([10, 100, 300, 700, 2000]),
    )
    return st.lists(kinds, min_size=1, max_size=most).map(
        lambda drawn: [
            queued_match(f"m{number}", script=script, on=on, peak=peak)
            for number, (script, on, peak) in enumerate(drawn)
        ]
    )


@dataclass
class ReferenceLedger:
    """Admission controller together with an independent record of each match."""

    controller: AdmissionController
    matches: dict[str, QueuedMatch] = field(default_factory=dict[str, QueuedMatch])
    contexts: dict[tuple[str, str, str], int] = field(
        default_factory=dict[tuple[str, str, str], int]
    )
    """By match, endpoint and seat: tokens of prompt and reply, in whole blocks."""
    answered: set[str] = field(default_factory=set[str])
    """Matches whose planned request was answered."""

    def enqueue(self, found: Iterable[QueuedMatch]) -> None:
        batch = list(found)
        self.matches |= {one.match: one for one in batch}
        self.controller.enqueue(batch)

    def turn(
        self,
        match: str,
        seat: str,
        size: int,
        *,
        predicted: int = 0,
        reported: int | None = None,
        request: str = "",
    ) -> None:
        """Record a turn of `size` tokens, prompt and reply, on every endpoint of the match."""
        self.answered |= {match} if request == ONLY else set()
        for demand in self.controller.demands(match):
            self.contexts[match, demand.endpoint, seat] = -(-size // BLOCK) * BLOCK
            self.controller.begin_call(demand.endpoint, now=0.0)
            self.controller.record_call(
                match,
                seat,
                demand.endpoint,
                TurnUsage(
                    prompt=size - 1,
                    output=1,
                    predicted=predicted,
                    reported=reported,
                    request=request,
                ),
            )

    def demand(self, match: str, endpoint: str) -> KvDemand | None:
        return next((d for d in self.matches[match].choices[0] if d.endpoint == endpoint), None)

    def own(self, match: str, endpoint: str) -> int:
        demand = self.demand(match, endpoint)
        assert demand is not None
        prefixes = demand.footprint.prefixes
        return sum(
            max(0, size - prefixes[seat].tokens)
            for (m, e, seat), size in self.contexts.items()
            if (m, e) == (match, endpoint)
        )

    def running(self, endpoint: str) -> list[str]:
        return [match for match in self.controller.live if self.demand(match, endpoint)]

    def reserved(self, endpoint: str, matches: Iterable[str]) -> int:
        """Return the reserved tokens: distinct prefixes, each match's size and what is to come."""
        some = [(match, self.demand(match, endpoint)) for match in matches]
        there = [(match, demand) for match, demand in some if demand]
        prefixes = {
            one.key: one.tokens for _, demand in there for one in demand.footprint.prefixes.values()
        }
        return sum(prefixes.values()) + sum(
            self.own(match, endpoint) + demand.footprint.peak * (match not in self.answered)
            for match, demand in there
        )


START = OvercommitController(value=0.8)
"""Initial overcommit of these tests, independent of the default."""


def policy_of(**more: Any) -> AdmissionPolicy:
    """Return a policy with the initial overcommit `START`."""
    return replace(AdmissionPolicy(overcommit=START), **more)


def reference_ledger(tokens: int, policy: AdmissionPolicy | None = None) -> ReferenceLedger:
    return ReferenceLedger(
        controller=AdmissionController(capacities(tokens), policy=policy or policy_of(adapt=False))
    )
