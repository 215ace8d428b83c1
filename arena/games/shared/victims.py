"""Votes on each victim: killers, requests, counts, and the result of the match."""

from collections.abc import Mapping, Sequence

from arena.core.chance import seat_order
from arena.core.events import (
    Event,
    MatchEnded,
    MatchStarted,
    PhaseStarted,
    RequestsOpened,
    VictimResult,
    VotesTallied,
)
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import ABSTAIN
from arena.core.state import MatchState
from arena.core.voting import VoteResult, VoteTally, vote_result
from arena.games.shared.options import MatchRule, VictimOptions
from arena.games.shared.speech import order_choices
from arena.games.shared.votes import count_votes, voters
from scripts_mm.script import Script, ScriptError

VOTING = "voting"
"""The phase of the votes."""


def victims_of(script: Script) -> tuple[str, ...]:
    """Return the victims for the votes; a script without named victims has one nameless victim."""
    return tuple(dict.fromkeys(filter(None, script.victims))) or ("",)


def killers_of(started: MatchStarted, about: str) -> tuple[SeatId, ...]:
    """Return the seats that killed a victim; empty: its killer is not a seat."""
    return tuple(
        part.seat
        for part in started.parts
        if part.faction == "murderer" and (not about or about in part.guilty_of)
    )


def require_known_killings(script: Script, game: str) -> None:
    """Raise `ScriptError` if a script with several victims does not say who killed whom."""
    killings, victims = script.truth.killings, victims_of(script)
    explained = {one.victim for one in killings if one.culprits}
    named = {name for one in killings for name in one.culprits}
    open_victims = [one for one in victims if one not in explained]
    unplaced = [one for one in script.truth.culprits if one not in named]
    if unplaced and not open_victims and len(victims) > 1:
        raise ScriptError(
            f"script {script.id!r} names {', '.join(unplaced)} as culprit, and others as the "
            f"killers of {', '.join(victims)}; {game} holds a vote on each victim and needs to "
            "know whom every culprit killed"
        )
    if len(unplaced) > 1 and len(open_victims) > 1:
        raise ScriptError(
            f"script {script.id!r} does not say which of {', '.join(unplaced)} killed which of "
            f"{', '.join(open_victims)}; {game} holds a vote on each victim"
        )


def match_result(results: Sequence[VoteResult | None], rule: MatchRule) -> VoteResult:
    """Return the result of a match from those of its votes; None: a vote that does not count."""
    counted = [one for one in results if one is not None]
    least = {"all": len(counted), "any": 1, "more_than_half": len(counted) // 2 + 1}[rule]
    solved = counted.count("civ_win")
    if solved >= least:
        return "civ_win"
    return "draw" if solved + counted.count("draw") >= least else "murderer_win"


def vote_requests(
    state: MatchState,
    candidates: Mapping[str, Sequence[SeatId]] | None = None,
    *,
    ballot: int = 1,
) -> tuple[DecisionRequest, ...]:
    """Return the requests for the simultaneous votes of all voters on all victims.

    `candidates`: for a revote, its victims and the candidates of each.
    """
    started = state.started
    order = seat_order(voters(state), started, VOTING, ballot)
    return tuple(
        _vote_request(state, seat, about, seats, ballot)
        for seat in order
        for about, seats in (candidates or _all_candidates(state)).items()
    )


def count_ballots(state: MatchState) -> tuple[Event, ...]:
    """Count the current votes; repeat the tied ones, or end the match."""
    assert state.phase is not None, "votes are taken in a phase"
    ballot, rule = state.phase.round, _options(state).vote_rule(state.phase.round)
    victims = victims_of(state.script) if ballot == 1 else _find_tied(state, ballot - 1)
    counts = tuple(
        count_votes(state, rule, voters(state), about=about, ballot=ballot)[1] for about in victims
    )
    tied = {one.about: one.named for one in counts if len(one.named) > 1}
    if rule.tie == "revote" and tied:
        return (*counts, *_revote(state, tied, ballot + 1))
    return (*counts, _end(state, counts))


def _options(state: MatchState) -> VictimOptions:
    options = state.started.options
    assert isinstance(options, VictimOptions), f"{type(options).__name__} has no vote on victims"
    return options


def _all_candidates(state: MatchState) -> dict[str, tuple[SeatId, ...]]:
    return dict.fromkeys(victims_of(state.script), state.started.seats)


def _vote_request(
    state: MatchState, seat: SeatId, about: str, candidates: Sequence[SeatId], ballot: int
) -> DecisionRequest:
    options = _options(state)
    name = f"{VOTING}-{ballot}/vote-{victims_of(state.script).index(about) + 1}/{seat}"
    knows = seat in state.knowing_murderers and seat in killers_of(state.started, about)
    may_name_itself = options.self_vote and not knows
    allowed = tuple(one for one in candidates if may_name_itself or one != seat)
    return DecisionRequest(
        id=name,
        seat=seat,
        kind="vote",
        purpose=Purpose.VOTE,
        phase=VOTING,
        round=ballot,
        spec=order_choices(state, (*allowed, ABSTAIN), name, is_vote=True),
        about=about,
        attempts_left=options.attempts,
        max_chars=options.max_chars,
    )


def _find_tied(state: MatchState, ballot: int) -> tuple[str, ...]:
    """Return the victims whose votes were tied in ballot `ballot`."""
    return tuple(
        event.about
        for event in state.history
        if isinstance(event, VotesTallied) and event.ballot == ballot and len(event.named) > 1
    )


def _revote(
    state: MatchState, tied: Mapping[str, tuple[str, ...]], ballot: int
) -> tuple[Event, ...]:
    seats = state.started.seats
    candidates = {about: [one for one in seats if one in named] for about, named in tied.items()}
    named_at_all = {seat for named in candidates.values() for seat in named}
    return (
        PhaseStarted(
            phase=VOTING,
            round=ballot,
            candidates=tuple(seat for seat in seats if seat in named_at_all),
        ),
        RequestsOpened(
            requests=vote_requests(state, candidates, ballot=ballot), mode="simultaneous"
        ),
    )


def _end(state: MatchState, counts: tuple[VotesTallied, ...]) -> MatchEnded:
    """Return the end of the match; the last count of each victim decides its vote."""
    started = state.started
    earlier = (event for event in state.history if isinstance(event, VotesTallied))
    last = {event.about: event for event in (*earlier, *counts)}
    results: dict[str, VoteResult | None] = {
        about: _result(state, last[about]) for about in victims_of(state.script)
    }
    outcome = match_result(tuple(results.values()), _options(state).match_rule)
    winners = {"civ_win": started.members("civilians"), "murderer_win": started.murderers}
    return MatchEnded(
        outcome=outcome,
        murderers=started.murderers,
        winners=winners.get(outcome, ()),
        results=tuple(
            VictimResult(about=about, outcome=result, named=last[about].named)
            for about, result in results.items()
        ),
    )


def _result(state: MatchState, count: VotesTallied) -> VoteResult | None:
    """Return the result of the vote on one victim; None: no seat is its killer."""
    killers = killers_of(state.started, count.about)
    if not killers:
        return None
    tally = VoteTally(votes=count.votes, leaders=count.leaders, named=count.named)
    return vote_result(tally, _options(state).last_rule(), killers)
