"""Counts of ballots: parsing of written ballots, elections, and the result."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.core.actions import Reply
from arena.core.chance import generator
from arena.core.events import MatchEnded, VictimResult, VotesTallied
from arena.core.requests import DecisionRequest
from arena.core.specs import ABSTAIN, CHOICE, TEXT
from arena.core.state import MatchState
from arena.core.voting import VoteResult, VoteTally, tally_votes, vote_result
from arena.games.shared.votes import ballots_of, count_votes, voters
from arena.games.shared.word_matching import plain, word_pattern
from arena.games.thinkthrice.requests import options_of

POOLED = 0
"""Ballot number of the count of all ballots together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BallotCount:
    """One count: its tally, and its event."""

    tally: VoteTally
    event: VotesTallied


def read_choice(state: MatchState, request: DecisionRequest, reply: Reply) -> str:
    """Return the seat that a vote names, from the chosen option or from its text."""
    options = options_of(state)
    if options.vote == "choice":
        return reply[CHOICE]
    seats, tied = state.started.seats, state.phase.candidates if state.phase else ()
    named = options.candidates(tied or seats, request.seat)
    return find_name(reply[TEXT], named, seats) or ABSTAIN


def find_name(text: str, names: Sequence[str], known: Sequence[str] = ()) -> str | None:
    """Return the only one of `names` in `text`; None if there are none or several.

    `known` names match too, without counting. Of two names that start at one position, the longer
    matches. Case and width do not matter.
    """
    found: dict[str, str] = {plain(name): name for name in (*known, *names)}
    longest = sorted(filter(None, found), key=len, reverse=True)
    if not longest:
        return None
    pattern = re.compile("|".join(map(word_pattern, longest)))
    read = {found[mention[0]] for mention in pattern.finditer(plain(text))} & {*names}
    return read.pop() if len(read) == 1 else None


def count_all(state: MatchState, first: int) -> tuple[BallotCount, ...]:
    """Return the counts of a vote in order; `first` is the number of its first ballot."""
    options = options_of(state)
    if options.count == "pooled" and options.ballots > 1:
        return (_count_pooled(state),)
    rule, electorate = options.vote_rule(first), voters(state)
    numbers = range(first, first + options.ballots)
    counts = (count_votes(state, rule, electorate, ballot=number) for number in numbers)
    return tuple(
        BallotCount(tally=tally, event=_limit_audience(state, event)) for tally, event in counts
    )


def end_match(state: MatchState, counts: Sequence[BallotCount]) -> MatchEnded:
    """Return the end of the match, decided by the first count, with the results of all."""
    started, rule = state.started, options_of(state).last_rule()
    outcomes: list[VoteResult] = [
        vote_result(count.tally, rule, started.murderers) for count in counts
    ]
    results = tuple(
        VictimResult(ballot=count.event.ballot, outcome=outcome, named=count.tally.named)
        for count, outcome in zip(counts, outcomes, strict=True)
    )
    winners = {"civ_win": started.members("civilians"), "murderer_win": started.murderers}
    return MatchEnded(
        outcome=outcomes[0],
        murderers=started.murderers,
        winners=winners.get(outcomes[0], ()),
        results=results if len(results) > 1 else (),
    )


def _count_pooled(state: MatchState) -> BallotCount:
    """Return the count of all ballots of all seats as one vote."""
    options, electorate = options_of(state), voters(state)
    numbers = range(1, options.ballots + 1)
    pooled = {
        f"{seat}#{number}": choice
        for number in numbers
        for seat, choice in ballots_of(state, ballot=number).items()
    }
    chance = generator(state.started.seed, "tie", POOLED)
    papers = [f"{seat}#{number}" for number in numbers for seat in electorate]
    tally = tally_votes(pooled, options.vote_rule(1), papers, chance)
    event = VotesTallied(votes=tally.votes, leaders=tally.leaders, named=tally.named, ballot=POOLED)
    return BallotCount(tally=tally, event=_limit_audience(state, event))


def _limit_audience(state: MatchState, event: VotesTallied) -> VotesTallied:
    """Return the event, visible only to the host unless the option `tell_count` is set."""
    return event if options_of(state).tell_count else replace(event, audience="host")
