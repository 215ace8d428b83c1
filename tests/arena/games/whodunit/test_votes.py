"""Votes: who is asked, who hears of it, how ties end."""

from typing import Any

import pytest

from arena.core.events import MatchEnded, PhaseStarted, Said, VoteCast, VotesTallied
from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.core.specs import Choice, Form
from arena.core.state import MatchState, pending
from tests.arena.games.whodunit.scenes import (
    events_of,
    start,
    until,
    vote,
    vote_for,
)
from tests.table import (
    MURDERER,
    NAMES,
    act,
    case,
)

ADA, BRAM, CLEO, DIRK, EDDA = (SeatId(name) for name in NAMES)
INNOCENT = {*NAMES} - {MURDERER}
TIE = {ADA: CLEO, BRAM: CLEO, CLEO: ADA, DIRK: ADA}
"""Ada and the murderer have two votes each."""
INNOCENT_TIE = {ADA: BRAM, BRAM: ADA, CLEO: ADA, DIRK: BRAM}


def voting(**options: Any) -> MatchState:
    return until(start(**options), "vote")


def outcome(state: MatchState) -> str:
    assert state.ended is not None
    return state.ended.outcome


def test_secret_votes_are_taken_together_and_open_ones_in_turn() -> None:
    assert len(pending(voting())) == len(NAMES)
    assert len(pending(voting(vote="open"))) == 1


def test_a_secret_vote_is_known_to_its_seat_until_the_count_and_then_to_all() -> None:
    state = voting()
    first = pending(state)[0]
    state = vote_once(state, BRAM)
    [cast] = events_of(state, VoteCast)
    assert cast.audience == (first.seat,)
    assert not [e for e in observe(state, EDDA).events if isinstance(e, VoteCast | VotesTallied)]
    ended = vote(state, {BRAM: CLEO})
    [tally] = [e for e in observe(ended, EDDA).events if isinstance(e, VotesTallied)]
    assert dict(tally.ballots) == {
        ADA: BRAM,
        BRAM: CLEO,
        CLEO: "abstain",
        DIRK: "abstain",
        EDDA: "abstain",
    }
    assert [seat for seat, _ in tally.ballots] == list(NAMES)


def vote_once(state: MatchState, choice: str) -> MatchState:
    return act(state, pending(state)[0], vote_for(pending(state)[0], choice))


def test_an_open_vote_is_known_to_all_at_once() -> None:
    state = vote_once(voting(vote="open"), BRAM)
    [cast] = events_of(state, VoteCast)
    assert (cast.audience, cast.choice) == ("all", BRAM)
    assert cast in observe(state, EDDA).events


def test_an_open_vote_is_secret_where_a_player_never_votes() -> None:
    state = voting(vote="open", silent=("murderer",))
    assert len(pending(state)) == len(NAMES) - 1
    first = vote_once(state, BRAM)
    assert events_of(first, VoteCast)[-1].audience == (ADA,)
    ended = vote(first, {})
    ballots = dict(events_of(ended, VotesTallied)[-1].ballots)
    assert ballots[CLEO] == "abstain", "the silent seat looks like one that abstains"


@pytest.mark.parametrize("options", [{"electorate": "civilians"}, {"silent": ("murderer",)}])
def test_a_murderer_that_does_not_vote_is_not_asked(options: dict[str, Any]) -> None:
    assert {one.seat for one in pending(voting(**options))} == INNOCENT


def test_seats_outside_the_electorate_do_not_count_for_the_quorum() -> None:
    ballots = {ADA: CLEO, BRAM: CLEO}
    alone = voting(electorate="civilians", quorum="half")
    assert outcome(vote(alone, ballots)) == "civ_win"
    assert outcome(vote(voting(quorum="half"), ballots)) == "draw"
    assert outcome(vote(voting(quorum="half", base="cast"), ballots)) == "civ_win"


def test_a_vote_for_oneself_is_an_option() -> None:
    for self_vote in (True, False):
        for one in pending(voting(self_vote=self_vote)):
            assert isinstance(one.spec, Choice)
            assert (one.seat in one.spec.options) is self_vote


def test_a_reason_is_known_to_its_seat_alone_even_in_an_open_vote() -> None:
    for how in ("open", "secret"):
        state = voting(vote=how, vote_with_reason=True)
        spec = pending(state)[0].spec
        assert isinstance(spec, Form)
        assert [field.name for field in spec.fields] == ["reason", "vote"]
        state = vote_once(state, BRAM)
        said = events_of(state, Said)[-1]
        assert (said.text, said.audience) == (f"REASON of {ADA}", (ADA,))
        ended = vote(state, dict.fromkeys(NAMES, ADA) | {ADA: BRAM})
        for seat in NAMES:
            heard = repr(observe(ended, SeatId(seat)).events)
            assert (f"REASON of {ADA}" in heard) == (seat == ADA)


@pytest.mark.parametrize(
    ("tie", "with_murderer", "without"),
    [
        ("draw", "draw", "draw"),
        ("none", "murderer_win", "murderer_win"),
        ("any_killer", "civ_win", "murderer_win"),
    ],
)
def test_a_tie_ends_as_the_option_says(tie: str, with_murderer: str, without: str) -> None:
    assert outcome(vote(voting(tie=tie), TIE)) == with_murderer
    assert outcome(vote(voting(tie=tie), INNOCENT_TIE)) == without


def test_a_tie_decided_by_lot_names_one_of_the_tied_and_each_at_times() -> None:
    named: set[tuple[str, ...]] = set()
    for seed in range(20):
        ended = vote(voting(tie="random", seed=seed), TIE)
        tally = events_of(ended, VotesTallied)[-1]
        assert tally.leaders == (ADA, CLEO)
        assert outcome(ended) == ("civ_win" if tally.named == (CLEO,) else "murderer_win")
        named.add(tally.named)
    assert named == {(ADA,), (CLEO,)}


@pytest.mark.parametrize("tie", ["draw", "none", "random", "any_killer"])
def test_a_tie_between_murderers_alone_is_a_win(tie: str) -> None:
    script = case(culprits=(CLEO, EDDA))
    ended = vote(voting(script=script, tie=tie), {ADA: CLEO, BRAM: EDDA})
    assert outcome(ended) == "civ_win"


def test_naming_any_of_several_murderers_is_a_win() -> None:
    script = case(culprits=(CLEO, EDDA))
    ended = vote(voting(script=script), dict.fromkeys(NAMES, EDDA))
    assert outcome(ended) == "civ_win"
    [end] = events_of(ended, MatchEnded)
    assert end.winners == (ADA, BRAM, DIRK)
    lost = vote(voting(script=script), dict.fromkeys(NAMES, ADA))
    assert events_of(lost, MatchEnded)[0].winners == (CLEO, EDDA)


def test_a_draw_has_no_winners() -> None:
    assert events_of(vote(voting(), {}), MatchEnded)[0].winners == ()


@pytest.mark.parametrize("revotes", [1, 2])
def test_a_tie_is_voted_on_again_among_the_tied_alone_as_often_as_allowed(revotes: int) -> None:
    state = voting(tie="revote", revotes=revotes)
    for ballot in range(1, revotes + 1):
        state = vote(state, TIE)
        assert state.phase == PhaseStarted(phase="voting", round=ballot + 1, candidates=(ADA, CLEO))
        for one in pending(state):
            assert isinstance(one.spec, Choice)
            assert set(one.spec.options) == {ADA, CLEO, "abstain"} - {one.seat}
    assert outcome(vote(state, TIE)) == "murderer_win"


def test_a_revote_counts_its_own_ballots_alone() -> None:
    state = vote(voting(tie="revote"), TIE)
    ended = vote(state, {ADA: CLEO})
    assert outcome(ended) == "civ_win"
    second = events_of(ended, VotesTallied)[-1]
    assert (second.ballot, second.votes) == (2, ((CLEO, 1),))


def test_a_seat_that_gives_no_second_vote_has_none() -> None:
    state = vote(voting(tie="revote"), TIE)
    while waiting := pending(state):
        state = act(state, waiting[0], None)
    assert events_of(state, VotesTallied)[-1].votes == ()


@pytest.mark.parametrize(
    ("then", "with_murderer", "without", "nobody"),
    [
        ("draw", "draw", "draw", "draw"),
        ("none", "murderer_win", "murderer_win", "murderer_win"),
        ("any_killer", "civ_win", "murderer_win", "murderer_win"),
    ],
)
def test_a_tie_after_the_last_revote_ends_as_the_option_says(
    then: str, with_murderer: str, without: str, nobody: str
) -> None:
    options = {"tie": "revote", "revote_then": then, "revotes": 2}
    for ballots, wanted in ((TIE, with_murderer), (INNOCENT_TIE, without)):
        state = vote(vote(voting(**options), ballots), ballots)
        assert outcome(vote(state, ballots)) == wanted
    assert outcome(vote(voting(**options), {})) == nobody
    assert outcome(vote(vote(voting(**options), TIE), {})) == nobody


def test_a_tie_after_the_last_revote_may_be_decided_by_lot() -> None:
    results = {
        outcome(vote(vote(voting(tie="revote", revote_then="random", seed=seed), TIE), TIE))
        for seed in range(20)
    }
    assert results == {"civ_win", "murderer_win"}


def test_a_tie_between_murderers_is_voted_on_again_too() -> None:
    script = case(culprits=(CLEO, EDDA))
    state = vote(voting(script=script, tie="revote"), {ADA: CLEO, BRAM: EDDA})
    assert state.ended is None
    assert outcome(vote(state, {ADA: CLEO, BRAM: EDDA})) == "civ_win"
