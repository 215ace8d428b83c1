"""Votes: one counting function for the vote rules of all games."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from arena.core.specs import ABSTAIN

Quorum = Literal["plurality", "majority", "half"]
QuorumBase = Literal["eligible", "cast"]
Tie = Literal["draw", "none", "random", "revote", "any_killer"]
TieAfterRevote = Literal["draw", "none", "random", "any_killer"]
VoteResult = Literal["civ_win", "murderer_win", "draw"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteRule:
    """Rule by which ballots name a seat. The game decides the electorate and the options."""

    quorum: Quorum = "plurality"
    base: QuorumBase = "eligible"
    tie: Tie = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteTally:
    """Tally of the ballots: votes of each candidate, the leaders, and whom the vote names."""

    votes: tuple[tuple[str, int], ...]
    leaders: tuple[str, ...]
    """Candidates that reach the quorum, sorted, before a tie is resolved."""
    named: tuple[str, ...]
    """The leaders, or the one that `tie=random` drew."""

    @property
    def is_tied(self) -> bool:
        """Whether the vote names more than one candidate."""
        return len(self.named) > 1


def tally_votes(
    ballots: Mapping[str, str], rule: VoteRule, electorate: Sequence[str], chance: Random
) -> VoteTally:
    """Count `ballots` (seat -> candidate or abstain) of `electorate`.

    The quorum is a share of the electorate or of the votes cast, as `rule.base` says.
    """
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
    return VoteTally(
        votes=tuple(sorted(votes.items(), key=lambda item: (-item[1], item[0]))),
        leaders=tuple(leaders),
        named=tuple(named),
    )


def vote_result(tally: VoteTally, rule: VoteRule, killers: Sequence[str]) -> VoteResult:
    """Return who wins: the civilians if all seats that the vote names are killers.

    The murderer's side wins if the vote names one innocent. All other votes (a tie with an
    innocent, a missed quorum, no ballots) are draws under `tie=draw`. Otherwise the murderer's side
    wins them, except under `any_killer` if one of the named seats is a killer.
    """
    named = set(tally.named)
    if named and named <= set(killers):
        return "civ_win"
    if len(named) == 1:
        return "murderer_win"
    if rule.tie == "any_killer" and named & set(killers):
        return "civ_win"
    return "draw" if rule.tie == "draw" else "murderer_win"
