"""Offers to schedule, and a plain account of what they hold: slow, and easy to see to be right."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from arena.schedule.alpha import Alpha
from arena.schedule.book import Book, Policy, Turn
from arena.schedule.capacity import Capacity
from arena.schedule.footprint import Demand, Offer, Share

ENDPOINTS = ("a", "b", "c")
BLOCK = 16
UNHURRIED = settings(deadline=None)
"""A busy machine breaks no rule."""


def capacities(tokens: int, block: int = BLOCK) -> dict[str, Capacity]:
    return {name: Capacity(endpoint=name, tokens=tokens, block=block) for name in ENDPOINTS}


def one_offer(
    match: str, *, script: str = "x", peak: int = 100, shared: int = 200, on: str = "a"
) -> Offer:
    """Return a match of two seats that plays on each of the endpoints `on`."""
    return Offer(
        match=match,
        script=script,
        pair=("A", "B"),
        demands=tuple(
            Demand(
                endpoint=name,
                shares=tuple(
                    Share(key=f"{script}/{seat}", tokens=shared // 2) for seat in ("p", "q")
                ),
                peak=peak,
            )
            for name in on
        ),
    )


def offers(most: int = 24) -> st.SearchStrategy[list[Offer]]:
    """Make matches of a few scripts on one or two of three endpoints, some larger than any."""
    kinds = st.tuples(
        st.sampled_from(["x", "y", "z"]),
        st.sampled_from(["a", "b", "c", "ab", "ac", "bc", "abc"]),
        st.sampled_from([10, 100, 300, 700, 2000]),
    )
    return st.lists(kinds, min_size=1, max_size=most).map(
        lambda drawn: [
            one_offer(f"m{number}", script=script, on=on, peak=peak)
            for number, (script, on, peak) in enumerate(drawn)
        ]
    )


@dataclass
class Ledger:
    """A book, and beside it all that the test knows of each match."""

    book: Book
    offers: dict[str, Offer] = field(default_factory=dict[str, Offer])
    contexts: dict[tuple[str, str, str], int] = field(
        default_factory=dict[tuple[str, str, str], int]
    )
    """Of match, endpoint and seat: prompt and reply, in whole blocks."""

    def offer(self, found: Iterable[Offer]) -> None:
        some = list(found)
        self.offers |= {one.match: one for one in some}
        self.book.offer(some)

    def turn(
        self, match: str, seat: str, size: int, *, predicted: int = 0, reported: int | None = None
    ) -> None:
        """Let a seat have `size` tokens of prompt and reply on every endpoint of its match."""
        for demand in self.offers[match].demands:
            self.contexts[match, demand.endpoint, seat] = -(-size // BLOCK) * BLOCK
            self.book.learn(
                match,
                seat,
                demand.endpoint,
                Turn(prompt=size - 1, output=1, predicted=predicted, reported=reported),
            )

    def demand(self, match: str, endpoint: str) -> Demand | None:
        return next((d for d in self.offers[match].demands if d.endpoint == endpoint), None)

    def total(self, match: str, endpoint: str) -> int:
        return sum(size for (m, e, _), size in self.contexts.items() if (m, e) == (match, endpoint))

    def own(self, match: str, endpoint: str) -> int:
        demand = self.demand(match, endpoint)
        assert demand is not None
        return max(0, self.total(match, endpoint) - sum(one.tokens for one in demand.shares))

    def running(self, endpoint: str) -> list[str]:
        paused = self.book.paused
        return [m for m in self.book.live if m not in paused and self.demand(m, endpoint)]

    def used(self, endpoint: str, matches: Iterable[str]) -> int:
        """Return the promise to `matches`: distinct shares, and each one's peak or size."""
        some = [(match, self.demand(match, endpoint)) for match in matches]
        there = [(match, demand) for match, demand in some if demand]
        shares = {one.key: one.tokens for _, demand in there for one in demand.shares}
        return sum(shares.values()) + sum(
            max(demand.peak, self.own(match, endpoint)) for match, demand in there
        )

    def held(self, endpoint: str) -> int:
        there = [(m, self.demand(m, endpoint)) for m in self.running(endpoint)]
        shares = {s.key: s.tokens for _, d in there if d for s in d.shares}
        return sum(shares.values()) + sum(self.own(match, endpoint) for match, _ in there)


START = Alpha(value=0.8)
"""What these tests begin with, whatever the default is."""


def policy_of(**more: Any) -> Policy:
    """Return a policy that begins with `START`."""
    return replace(Policy(alpha=START), **more)


def ledger(tokens: int, policy: Policy | None = None) -> Ledger:
    return Ledger(book=Book(capacities(tokens), policy=policy or policy_of(adapt=False)))
