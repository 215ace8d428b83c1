"""Ballots and elections: who may be named, what is counted, and what is told."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.actions import Skip, choose, say
from arena.core.events import MatchEnded, PhaseStarted, VoteCast, VotesTallied
from arena.core.observation import Spectator, observe
from arena.core.seats import SeatId
from arena.core.specs import Choice
from arena.core.state import MatchState, pending
from arena.games.thinkthrice.ballot_counts import find_name
from arena.games.thinkthrice.game import THINKTHRICE
from arena.run.match.match_usage import deciding_votes
from tests.arena.games.thinkthrice.scenes import finish, start, vote
from tests.arena.games.whodunit.scenes import events_of, until
from tests.table import (
    MURDERER,
    NAMES,
    act,
    case,
    legal,
)

ADA, BRAM, CLEO, DIRK, EDDA = NAMES
VECTORS = Path(__file__).parents[2] / "core" / "vectors" / "votes.json"
SHORT: dict[str, Any] = {"rounds_before": 0, "rounds_after": 0}


def ten_elections() -> dict[str, Any]:
    """Return the published numbers of ten elections."""
    found = json.loads(VECTORS.read_text("utf-8"))["vectors"]
    [vector] = [one for one in found if one["metric"] == "ten_elections"]
    return vector


def voted(ballots: dict[str, list[str]], **options: Any) -> MatchState:
    """Return the small match after a vote."""
    state = until(start(**SHORT, ballots=len(ballots[ADA]), **options), "vote")
    return vote(state, ballots)


def outcome(state: MatchState) -> str:
    assert state.ended is not None
    return state.ended.outcome


def test_ten_ballots_make_the_ten_elections_of_the_published_numbers() -> None:
    vector = ten_elections()
    given, wanted = vector["input"], vector["expect"]
    script = case(tuple(given["seats"]), (given["killer"],))
    state = vote(until(start(script=script), "vote"), given["ballots"])
    [ended] = events_of(state, MatchEnded)
    won = [one.outcome == "civ_win" for one in ended.results]
    assert sum(won) / len(won) == pytest.approx(wanted["win_rate"], abs=vector["tol"])
    choices = [one.choice for one in events_of(state, VoteCast)]
    found = choices.count(given["killer"]) / len(choices)
    assert found == pytest.approx(wanted["identification"], abs=vector["tol"])
    assert [one.ballot for one in ended.results] == list(range(1, 11))
    assert [one.named for one in ended.results] == [("d",)] * 6 + [("a",)] * 4
    assert (ended.outcome, ended.winners) == ("civ_win", ("a", "b", "c"))
    tallies = events_of(state, VotesTallied)
    assert [one.ballot for one in tallies] == list(range(1, 11))
    assert tallies[0].votes == (("d", 2), ("a", 1), ("b", 1))


def test_the_first_election_decides_the_match() -> None:
    lost = voted(
        {
            ADA: [ADA, CLEO],
            BRAM: [ADA, CLEO],
            CLEO: [CLEO, ADA],
            DIRK: [ADA, CLEO],
            EDDA: [CLEO, CLEO],
        }
    )
    won = voted(
        {
            ADA: [CLEO, ADA],
            BRAM: [CLEO, ADA],
            CLEO: [ADA, CLEO],
            DIRK: [CLEO, ADA],
            EDDA: [CLEO, ADA],
        }
    )
    assert (outcome(lost), outcome(won)) == ("murderer_win", "civ_win")
    for state in (lost, won):
        assert state.ended is not None
        assert {one.outcome for one in state.ended.results} == {"civ_win", "murderer_win"}
    assert [one.choice for one in deciding_votes(won.history)] == [CLEO, CLEO, ADA, CLEO, CLEO]


def test_one_ballot_is_one_election_without_a_list_of_results() -> None:
    state = voted({name: [CLEO] for name in NAMES})
    assert state.ended is not None
    assert (state.ended.outcome, state.ended.results) == ("civ_win", ())
    assert len(deciding_votes(state.history)) == len(NAMES)


def test_pooled_ballots_are_one_count() -> None:
    mixed = {
        ADA: [ADA, CLEO],
        BRAM: [ADA, CLEO],
        CLEO: [BRAM, BRAM],
        DIRK: [ADA, CLEO],
        EDDA: [CLEO, CLEO],
    }
    state = voted(mixed, count="pooled")
    [tally] = events_of(state, VotesTallied)
    assert tally.votes == ((CLEO, 5), (ADA, 3), (BRAM, 2))
    assert (tally.ballot, outcome(state)) == (0, "civ_win")
    assert outcome(voted(mixed)) == "murderer_win"
    strict = voted(mixed, count="pooled", quorum="majority")
    assert outcome(strict) == "murderer_win", "5 of 10 ballots are not over half"
    assert outcome(voted(mixed, count="pooled", quorum="half")) == "civ_win"


def test_ballots_of_a_seat_are_equal_samples_of_one_prompt() -> None:
    state = until(start(), "vote")
    own = [one for one in pending(state) if one.seat == EDDA]
    assert [one.id for one in own] == [f"voting-1/vote/{EDDA}#{n}" for n in range(1, 11)]
    assert all(one.sampled for one in own)
    assert len({one.spec for one in own}) == 1
    texts = THINKTHRICE.texts(observe(state, SeatId(EDDA)))
    assert len({texts.instruction(one) for one in own}) == 1
    assert len(pending(state)) == 50
    [alone] = [one for one in pending(until(start(ballots=1), "vote")) if one.seat == EDDA]
    assert (alone.id, alone.sampled) == (f"voting-1/vote/{EDDA}", False)


def test_no_ballot_sees_another() -> None:
    state = until(start(ballots=3), "vote")
    before = {seat: observe(state, SeatId(seat)) for seat in NAMES}
    for one in pending(state)[:-1]:
        assert observe(state, one.seat) == before[one.seat]
        state = act(state, one, legal(one, Random(one.id)))
    last = pending(state)[0]
    assert observe(state, last.seat) == before[last.seat]
    assert not any(isinstance(e, VoteCast) for e in observe(state, Spectator()).events)


def test_a_vote_is_anonymous() -> None:
    state = finish(start(ballots=2))
    for seat in NAMES:
        seen = observe(state, SeatId(seat))
        assert {e.seat for e in seen.events if isinstance(e, VoteCast)} == {seat}
        assert all(not e.ballots for e in seen.events if isinstance(e, VotesTallied))
    assert not any(isinstance(e, VoteCast) for e in observe(state, Spectator()).events)


@pytest.mark.parametrize("is_told", [True, False])
def test_the_count_is_heard_where_the_option_says(is_told: bool) -> None:
    state = finish(start(tell_count=is_told, ballots=2))
    assert len(events_of(state, VotesTallied)) == 2
    heard = [e for e in observe(state, SeatId(ADA)).events if isinstance(e, VotesTallied)]
    assert len(heard) == (2 if is_told else 0)
    pooled = finish(start(tell_count=is_told, count="pooled"))
    heard = [e for e in observe(pooled, Spectator()).events if isinstance(e, VotesTallied)]
    assert len(heard) == (1 if is_told else 0)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_seat_may_vote_for_itself_where_the_option_says(allowed: bool) -> None:
    for one in pending(until(start(self_vote=allowed), "vote")):
        assert isinstance(one.spec, Choice)
        assert set(one.spec.options) == {*NAMES, "abstain"} - (set() if allowed else {one.seat})


@pytest.mark.parametrize(
    ("tie", "result"),
    [("none", "murderer_win"), ("draw", "draw"), ("any_killer", "civ_win")],
)
def test_a_tie_at_the_top_is_decided_as_the_option_says(tie: str, result: str) -> None:
    tied = {ADA: [CLEO], BRAM: [CLEO], CLEO: [ADA], DIRK: [ADA], EDDA: ["abstain"]}
    assert outcome(voted(tied, tie=tie)) == result
    both = {name: choices * 2 for name, choices in tied.items()}
    state = voted(both, tie=tie)
    assert state.ended is not None
    assert [one.outcome for one in state.ended.results] == [result] * 2
    assert outcome(voted(both, tie=tie, count="pooled")) == result


def test_one_ballot_may_be_held_again() -> None:
    tied = {ADA: [CLEO], BRAM: [CLEO], CLEO: [ADA], DIRK: [ADA], EDDA: [BRAM]}
    state = voted(tied, tie="revote")
    assert events_of(state, PhaseStarted)[-1].candidates == (ADA, CLEO)
    again = pending(state)
    assert [one.id for one in again] == [f"voting-2/vote/{name}" for name in NAMES]
    assert all(isinstance(one.spec, Choice) and BRAM not in one.spec.options for one in again)
    assert outcome(vote(state, {name: [CLEO] for name in NAMES})) == "civ_win"
    lost = vote(state, tied | {EDDA: ["abstain"]})
    assert outcome(lost) == "murderer_win"
    assert [e.ballot for e in events_of(lost, VotesTallied)] == [1, 2]


def test_a_vote_is_held_again_as_often_as_the_option_says() -> None:
    tied = {ADA: [CLEO], BRAM: [CLEO], CLEO: [ADA], DIRK: [ADA], EDDA: ["abstain"]}
    state = voted(tied, tie="revote", revotes=2, revote_then="any_killer")
    state = vote(vote(state, tied), tied)
    assert outcome(state) == "civ_win"
    assert [e.ballot for e in events_of(state, VotesTallied)] == [1, 2, 3]


def test_each_seat_sees_the_names_in_an_order_of_its_own() -> None:
    shown = [one.spec for one in pending(until(start(ballots=1), "vote"))]
    assert len(set(shown)) > 1
    assert all(isinstance(spec, Choice) and spec.options[-1] == "abstain" for spec in shown)
    plain = pending(until(start(ballots=1, option_order="script"), "vote"))
    assert {one.spec for one in plain} == {Choice(options=(*NAMES, "abstain"))}


def test_a_seat_whose_player_never_votes_is_not_asked() -> None:
    state = until(start(silent=("murderer",), ballots=2), "vote")
    assert MURDERER not in {one.seat for one in pending(state)}
    nobody = finish(start(silent=("murderer", "civilians")))
    assert outcome(nobody) == "murderer_win"


def test_who_gives_no_ballot_abstains_in_that_election_only() -> None:
    state = until(start(**SHORT, ballots=2), "vote")
    for one in pending(state):
        state = act(state, one, Skip() if one.round == 1 else choose(CLEO))
    first, second = events_of(state, VotesTallied)
    assert (first.votes, second.votes) == ((), ((CLEO, 5),))
    assert outcome(state) == "murderer_win"


def written(text: str, **options: Any) -> str:
    """Return how the first written vote of a match is read."""
    state = until(start(**SHORT, vote="free_text", ballots=1, **options), "vote")
    return events_of(act(state, pending(state)[0], say(text)), VoteCast)[-1].choice


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        (f"I vote for {CLEO}. {CLEO} had the key.", CLEO),
        ("cleo  marsh, of course", CLEO),
        (f"I, {ADA}, vote for {CLEO}.", "abstain"),
        (f"{BRAM} or {CLEO}", "abstain"),
        ("Nobody.", "abstain"),
        ("Cleo Marshall", "abstain"),
        ("我投Cleo Marsh一票", CLEO),
    ],
)
def test_a_written_vote_counts_for_the_only_name_in_it(text: str, choice: str) -> None:
    assert written(text) == choice


def test_a_written_vote_reads_the_names_that_may_be_voted_for_only() -> None:
    assert written(f"I, {ADA}, vote for {CLEO}.", self_vote=False) == CLEO
    assert written(f"{ADA}", self_vote=False) == "abstain"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我投王五郎。", "王五郎"),
        ("凶手是王五", "王五"),
        ("Ann Lee", "Ann Lee"),
        ("Ann, I think", "Ann"),
        ("Anna", None),
        ("ＡＮＮ", "Ann"),
        ("王五和王五郎", None),
        ("", None),
    ],
)
def test_of_two_names_that_begin_alike_the_longer_is_read(text: str, found: str | None) -> None:
    assert find_name(text, ("王五", "王五郎", "Ann", "Ann Lee")) == found


def test_a_name_in_a_longer_one_that_may_not_be_voted_for_is_no_vote() -> None:
    assert find_name("I, Ann Lee, vote for Bo", ("Ann", "Bo"), ("Ann", "Ann Lee", "Bo")) == "Bo"
    assert find_name("I am Ann Lee", ("Ann", "Bo"), ("Ann", "Ann Lee", "Bo")) is None


def test_a_written_revote_reads_only_the_tied() -> None:
    state = until(start(**SHORT, vote="free_text", ballots=1, tie="revote"), "vote")
    for one, name in zip(pending(state), (CLEO, CLEO, ADA, ADA, BRAM), strict=True):
        state = act(state, one, say(name))
    one = pending(state)[0]
    instruction = THINKTHRICE.texts(observe(state, one.seat)).instruction(one)
    assert f"vote for one of: {ADA}, {CLEO}." in instruction
    assert events_of(act(state, one, say(f"not {BRAM}, {CLEO}")), VoteCast)[-1].choice == CLEO


def test_the_result_says_how_many_elections_each_side_won() -> None:
    state = voted(
        {
            ADA: [ADA, CLEO],
            BRAM: [ADA, CLEO],
            CLEO: [CLEO, ADA],
            DIRK: [ADA, CLEO],
            EDDA: [CLEO, CLEO],
        }
    )
    lines = THINKTHRICE.texts(observe(state, Spectator())).result(state)
    assert lines[1] == "The civilians win 1 of 2 elections; the first one decides the match."
    alone = voted({name: [CLEO] for name in NAMES})
    assert len(THINKTHRICE.texts(observe(alone, Spectator())).result(alone)) == 1
