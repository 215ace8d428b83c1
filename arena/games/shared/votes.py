"""Votes: the voters, the ballots, and the count."""

from collections.abc import Collection, Sequence

from arena.core.chance import generator
from arena.core.events import VoteCast, VotesTallied
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, SeatId
from arena.core.specs import ABSTAIN
from arena.core.state import MatchState
from arena.core.voting import VoteRule, VoteTally, tally_votes


def voters(state: MatchState, *, without: Collection[SeatId] = ()) -> tuple[SeatId, ...]:
    """Return the living seats that vote, in the order of the script."""
    silent = {*state.started.never_vote, *without}
    return tuple(seat for seat in state.living if seat not in silent)


def cast_vote(
    request: DecisionRequest, choice: str, *, ballot: int, audience: Audience
) -> VoteCast:
    """Return the vote of a request."""
    return VoteCast(
        seat=request.seat,
        request=request.id,
        choice=choice,
        about=request.about,
        ballot=ballot,
        audience=audience,
    )


def ballots_of(state: MatchState, *, about: str = "", ballot: int = 1) -> dict[str, str]:
    """Return the choice of each seat that voted in one ballot."""
    return {
        event.seat: event.choice
        for event in state.history
        if isinstance(event, VoteCast) and (event.about, event.ballot) == (about, ballot)
    }


def count_votes(
    state: MatchState,
    rule: VoteRule,
    electorate: Sequence[SeatId],
    *,
    about: str = "",
    ballot: int = 1,
    announced: Sequence[SeatId] = (),
) -> tuple[VoteTally, VotesTallied]:
    """Return the tally of one ballot and its event, with the choices of the seats `announced`."""
    ballots = ballots_of(state, about=about, ballot=ballot)
    names = ("tie", about, ballot) if about else ("tie", ballot)
    tally = tally_votes(ballots, rule, electorate, generator(state.started.seed, *names))
    counted = VotesTallied(
        votes=tally.votes,
        leaders=tally.leaders,
        named=tally.named,
        ballots=tuple((seat, ballots.get(seat, ABSTAIN)) for seat in announced),
        about=about,
        ballot=ballot,
    )
    return tally, counted
