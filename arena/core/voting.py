"""Votes: one counting function, of which every rule of PROTOCOLS 1.7 is an instance."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from arena.core.actions import ABSTAIN

Quorum = Literal["plurality", "majority", "half"]
Base = Literal["eligible", "cast"]
Tie = Literal["draw", "none", "random", "revote", "any_killer"]
Result = Literal["civ_win", "murderer_win", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRule:
    """How ballots name somebody. The electorate and the options are settled before."""

    quorum: Quorum = "plurality"
    base: Base = "eligible"
    tie: Tie = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What the ballots say: votes for each candidate, those who lead, and whom it names."""

    votes: tuple[tuple[str, int], ...]
    leaders: tuple[str, ...]
    """Candidates that reach the quorum, sorted, before a tie is resolved."""
    named: tuple[str, ...]
    """The same after `tie=random` drew one."""
    tied: bool
    """More than one leader is left, so that a revote may follow."""


def count(
    ballots: Mapping[str, str], rule: VoteRule, electorate: Sequence[str], chance: Random
) -> Count:
    """Count `ballots` (seat -> candidate or abstain) of `electorate` (PROTOCOLS 1.7)."""
    votes = Counter(choice for choice in ballots.values() if choice != ABSTAIN)
    cast = sum(votes.values())
    base = len(electorate) if rule.base == "eligible" else cast
    if not cast:
        leaders: list[str] = []
    elif rule.quorum == "plurality":
        leaders = [name for name, n in votes.items() if n == max(votes.values())]
    elif rule.quorum == "majority":
        leaders = [name for name, n in votes.items() if 2 * n > base]
    else:
        leaders = [name for name, n in votes.items() if 2 * n >= base]
    leaders.sort()
    named = [chance.choice(leaders)] if len(leaders) > 1 and rule.tie == "random" else leaders
    return Count(
        votes=tuple(sorted(votes.items(), key=lambda item: (-item[1], item[0]))),
        leaders=tuple(leaders),
        named=tuple(named),
        tied=len(named) > 1,
    )


def result(counted: Count, rule: VoteRule, killers: Sequence[str]) -> Result:
    """Return who wins by `counted`: the civilians iff it names a killer alone (PROTOCOLS 1.8).

    Under `tie=draw`, a tie, a missed majority and a vote without ballots are draws; under
    `any_killer` a tie that holds a killer counts as named; else the murderer's side wins.
    """
    named = counted.named
    if len(named) == 1:
        return "civ_win" if named[0] in killers else "murderer_win"
    if rule.tie == "any_killer" and set(named) & set(killers):
        return "civ_win"
    return "draw" if rule.tie == "draw" else "murderer_win"
