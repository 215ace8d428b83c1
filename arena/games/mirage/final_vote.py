"""Final vote: accusations, ballots, the ranking of the seats and the end of the match."""

from dataclasses import replace

from arena.core.actions import Reply
from arena.core.chance import seat_order
from arena.core.events import (
    ActionAccepted,
    Announced,
    Event,
    MatchEnded,
    PhaseStarted,
    RequestsOpened,
    VotesTallied,
)
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN, CHOICE
from arena.core.state import MatchState
from arena.core.voting import VoteTally, vote_result
from arena.games.mirage.phases import Step, steps_of
from arena.games.mirage.ratings import PHASE, count_doubt, rating_requests
from arena.games.mirage.requests import options_of, request_id, request_of, vote_spec
from arena.games.shared.votes import count_votes, voters


def announce_accusations(state: MatchState, step: Step) -> tuple[Event, ...]:
    """Return the public accusations, then the vote; if no seat is accused, the end."""
    accusations = _accusations(state, step)
    told = Announced(topic="accusations", values=tuple(accusations.items()), audience="all")
    accused = tuple(seat for seat in state.started.seats if seat in accusations.values())
    if not accused:
        return (told, *_close(state))
    return (told, *start_vote(state, accused))


def start_vote(
    state: MatchState, candidates: tuple[SeatId, ...], ballot: int = 1
) -> tuple[Event, ...]:
    """Return the start of a vote between candidates; `ballot` is 1, for revotes 2 and more."""
    started, steps = state.started, steps_of(state)
    step = replace(steps[-1], round=ballot)
    accused = _accusations(state, steps[-2])
    order = seat_order(voters(state), started, step.phase, ballot)
    requests = tuple(
        request_of(
            state, step, seat, vote_spec(state, step, seat, candidates, accused.get(seat, ""))
        )
        for seat in order
    )
    phase = PhaseStarted(
        phase=step.phase, round=ballot, candidates=candidates if ballot > 1 else ()
    )
    return (phase, RequestsOpened(requests=requests, mode=step.mode)) if requests else (phase,)


def end_vote(state: MatchState) -> tuple[Event, ...]:
    """Return the count of the current ballot, and the events after it."""
    assert state.phase is not None
    return _count(state, state.phase.round)


def end_match(state: MatchState) -> MatchEnded:
    """Return the end of a match after its last count, or without an accused seat."""
    ballots = (event.ballot for event in state.history if isinstance(event, VotesTallied))
    tally, _ = _tally(state, max(ballots, default=1))
    started = state.started
    result = vote_result(tally, options_of(state).last_rule(), started.murderers)
    winners = {"civ_win": started.members("civilians"), "murderer_win": started.murderers}
    return MatchEnded(
        outcome=result,
        murderers=started.murderers,
        winners=winners.get(result, ()),
        ranking=_rank(state, tally),
    )


def _accusations(state: MatchState, step: Step) -> dict[SeatId, str]:
    """Return the seat that each seat accused; empty: this match has no accusations."""
    if step.phase != "accusation":
        return {}
    chosen = {
        event.request: event.action[CHOICE]
        for event in state.history
        if isinstance(event, ActionAccepted) and isinstance(event.action, Reply)
    }
    return {seat: chosen.get(request_id(step, seat), ABSTAIN) for seat in state.started.seats}


def _tally(state: MatchState, ballot: int) -> tuple[VoteTally, VotesTallied]:
    # Public ballots of several votes would expose a seat that never votes: it always abstains.
    hidden = options_of(state).tie == "revote" and state.started.never_vote
    return count_votes(
        state,
        options_of(state).vote_rule(ballot),
        voters(state),
        ballot=ballot,
        announced=() if hidden else state.started.seats,
    )


def _count(state: MatchState, ballot: int) -> tuple[Event, ...]:
    tally, counted = _tally(state, ballot)
    if options_of(state).vote_rule(ballot).tie == "revote" and tally.is_tied:
        tied = tuple(seat for seat in state.started.seats if seat in tally.named)
        return (counted, *start_vote(state, tied, ballot + 1))
    return (counted, *_close(replace(state, history=(*state.history, counted))))


def _close(state: MatchState) -> tuple[Event, ...]:
    """Return the events after the last count: the requests for ratings, or the end."""
    if requests := rating_requests(state):
        phase = PhaseStarted(phase=PHASE, audience="host")
        return (phase, RequestsOpened(requests=requests, mode="off_path"))
    return (end_match(state),)


def _rank(state: MatchState, tally: VoteTally) -> tuple[tuple[SeatId, float], ...]:
    """Return all seats with their scores, best first; ties in the order of the script.

    By votes, or with `rank=doubt` by votes times seats plus doubt.
    """
    seats, votes = state.started.seats, dict(tally.votes)
    scores = {seat: float(votes.get(seat, 0)) for seat in seats}
    if options_of(state).ranks_by_doubt:
        doubt = count_doubt(state)
        scores = {seat: len(seats) * scores[seat] + doubt.get(seat, 0) for seat in seats}
    return tuple(sorted(scores.items(), key=lambda item: -item[1]))
