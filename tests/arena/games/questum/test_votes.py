"""Votes on each victim: who may be chosen, what names a seat, and one result of all votes."""

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from arena.core.events import Event, PhaseStarted, TurnSkipped, VoteCast, VotesTallied
from arena.core.observation import Spectator, observe
from arena.core.seats import SeatId
from arena.core.specs import Choice
from arena.core.state import pending
from arena.core.voting import VoteResult
from arena.games.shared.options import MatchRule
from arena.games.shared.victims import match_result
from arena.records.record_schema import JsonCodec
from arena.run.match.match_usage import deciding_votes, group_by_victim
from eval.metrics.papers.wellplay import count_solved
from scripts_mm.script import Truth
from tests.arena.games.questum.scenes import (
    FOUR,
    SIX,
    crime,
    events_of,
    outcome,
    results,
    start,
    until,
    vote,
)
from tests.table import act, case

VECTORS = Path(__file__).parents[2] / "core" / "vectors" / "votes.json"
ADA, BRAM, CLEO, DIRK = FOUR
TWO = crime(Otto=(ADA,), Maud=(BRAM,))
SOLVED: Mapping[str, str] = {BRAM: ADA, CLEO: ADA}
"""Two of four seats vote for Ada, who killed Otto."""


def match_vectors() -> list[dict[str, Any]]:
    found = json.loads(VECTORS.read_text(encoding="utf-8"))["vectors"]
    return [one for one in found if one["metric"] == "match_outcome"]


@pytest.mark.parametrize("vector", match_vectors(), ids=lambda one: one["id"])
def test_solved_victims_make_the_outcome_that_the_rule_says(vector: dict[str, Any]) -> None:
    names: dict[object, VoteResult | None] = {None: None, 1: "civ_win", 0: "murderer_win"}
    solved: list[VoteResult | None] = [names[one] for one in vector["input"]["solved"]]
    assert match_result(solved, vector["input"]["match_rule"]) == vector["expect"]["outcome"]
    found, counted = count_solved(solved)
    assert found / counted == pytest.approx(vector["expect"]["score"], abs=vector["tol"])


def test_enough_vectors_are_there() -> None:
    assert len(match_vectors()) == 4


@pytest.mark.parametrize("rule", ["all", "any", "more_than_half"])
def test_an_undecided_victim_is_a_draw_where_it_decides_the_match(rule: MatchRule) -> None:
    values: tuple[VoteResult | None, ...] = ("civ_win", "murderer_win", "draw", None)
    for some in product(values, repeat=3):
        if not any(some):
            continue
        as_won = match_result([one and ("civ_win" if one == "draw" else one) for one in some], rule)
        as_lost = match_result(
            [one and ("murderer_win" if one == "draw" else one) for one in some], rule
        )
        wanted = as_won if as_won == as_lost else "draw"
        assert match_result(some, rule) == wanted


@pytest.mark.parametrize(
    ("options", "votes", "wanted"),
    [
        ({}, 1, "murderer_win"),
        ({}, 2, "civ_win"),
        ({"quorum": "majority"}, 2, "murderer_win"),
        ({"quorum": "majority"}, 3, "civ_win"),
        ({"quorum": "plurality"}, 1, "civ_win"),
        ({"base": "cast"}, 1, "civ_win"),
    ],
)
def test_the_share_that_names_a_seat_is_an_option(
    options: dict[str, Any], votes: int, wanted: str
) -> None:
    ballots = dict.fromkeys([BRAM, CLEO, DIRK][:votes], ADA)
    ended = vote(until(start(**options), "vote"), {"Otto": ballots})
    assert outcome(ended) == wanted
    assert results(ended) == {"Otto": wanted}


def test_two_halves_of_an_even_table_name_nobody() -> None:
    halves = {ADA: BRAM, BRAM: ADA, CLEO: ADA, DIRK: BRAM}
    ended = vote(until(start(), "vote"), {"Otto": halves})
    [tally] = events_of(ended, VotesTallied)
    assert tally.leaders == (ADA, BRAM)
    assert outcome(ended) == "murderer_win"
    assert outcome(vote(until(start(tie="draw"), "vote"), {"Otto": halves})) == "draw"
    assert outcome(vote(until(start(tie="any_killer"), "vote"), {"Otto": halves})) == "civ_win"


@pytest.mark.parametrize(
    ("rule", "one", "both"),
    [("all", "murderer_win", "civ_win"), ("any", "civ_win", "civ_win"),
     ("more_than_half", "murderer_win", "civ_win")],
)  # fmt: skip
def test_each_victim_is_a_vote_of_its_own_and_the_rule_makes_one_result(
    rule: str, one: str, both: str
) -> None:
    voting = until(start(TWO, match_rule=rule), "vote")
    half = vote(voting, {"Otto": SOLVED, "Maud": SOLVED})
    assert results(half) == {"Otto": "civ_win", "Maud": "murderer_win"}, "Ada did not kill Maud"
    assert outcome(half) == one
    whole = vote(voting, {"Otto": SOLVED, "Maud": {ADA: BRAM, CLEO: BRAM}})
    assert results(whole) == {"Otto": "civ_win", "Maud": "civ_win"}
    assert outcome(whole) == both
    assert whole.ended is not None
    assert whole.ended.winners == (CLEO, DIRK)


def test_any_of_several_killers_of_one_victim_solves_it() -> None:
    script = crime(Otto=(ADA, BRAM))
    for killer in (ADA, BRAM):
        ballots = dict.fromkeys(FOUR[2:], killer)
        assert outcome(vote(until(start(script), "vote"), {"Otto": ballots})) == "civ_win"


def test_a_victim_whom_no_player_killed_is_voted_on_and_does_not_count() -> None:
    script = crime(Otto=(ADA,), Maud=(), Nils=("a stranger",))
    voting = until(start(script), "vote")
    assert {one.about for one in pending(voting)} == {"Otto", "Maud", "Nils"}
    everybody = dict.fromkeys(FOUR[:3], DIRK)
    ended = vote(voting, {"Otto": SOLVED, "Maud": everybody, "Nils": everybody})
    assert {one.about for one in events_of(ended, VotesTallied)} == {"Otto", "Maud", "Nils"}
    assert results(ended) == {"Otto": "civ_win", "Maud": None, "Nils": None}
    assert outcome(ended) == "civ_win"
    codec: JsonCodec[Event] = JsonCodec(Event, "an event")
    assert codec.decode(codec.encode(ended.history[-1])) == ended.ended


def test_a_case_without_a_named_victim_has_one_vote() -> None:
    script = replace(case(FOUR, (ADA,)), victims=(), truth=Truth(culprits=(ADA,)))
    voting = until(start(script), "vote")
    assert [one.about for one in pending(voting)] == [""] * 4
    ended = vote(voting, {"": SOLVED})
    assert (outcome(ended), results(ended)) == ("civ_win", {"": "civ_win"})


def test_a_victim_without_a_name_or_named_twice_is_no_vote_of_its_own() -> None:
    script = replace(crime(Otto=(ADA,)), victims=("Otto", "", "Otto"))
    assert [one.about for one in pending(until(start(script), "vote"))] == ["Otto"] * 4


def test_no_other_seat_notices_who_gives_no_vote() -> None:
    voting = until(start(), "vote")
    state = act(voting, pending(voting)[0], None)
    [skipped] = events_of(state, TurnSkipped)
    assert skipped.audience == (ADA,)
    state = act(until(start(), "ask"), pending(until(start(), "ask"))[0], None)
    assert events_of(state, TurnSkipped)[0].audience == "all"


def test_a_killer_of_nobody_named_killed_whoever_is_left_over() -> None:
    script = crime(Otto=(ADA,), Maud=())
    script = replace(script, truth=replace(script.truth, culprits=(ADA, BRAM)))
    parts = {part.seat: part.guilty_of for part in start(script).started.parts}
    assert parts == {ADA: ("Otto",), BRAM: ("Maud",), CLEO: (), DIRK: ()}


@pytest.mark.parametrize("self_vote", [False, True])
def test_no_killer_of_a_victim_may_vote_for_itself_and_others_may_as_an_option(
    self_vote: bool,
) -> None:
    for request in pending(until(start(TWO, self_vote=self_vote), "vote")):
        assert isinstance(request.spec, Choice)
        killer = {"Otto": ADA, "Maud": BRAM}[request.about]
        allowed = self_vote and request.seat != killer
        assert (request.seat in request.spec.options) == allowed
        assert {*FOUR} - {request.seat} <= {*request.spec.options}


def test_a_vote_is_anonymous_all_hear_the_counts() -> None:
    ended = vote(until(start(TWO), "vote"), {"Otto": SOLVED})
    for observer in (SeatId(DIRK), Spectator()):
        seen = observe(ended, observer).events
        assert {one.seat for one in seen if isinstance(one, VoteCast)} <= {DIRK}
        tallies = {one.about: one for one in seen if isinstance(one, VotesTallied)}
        assert tallies["Otto"].votes == ((ADA, 2),)
        assert tallies["Otto"].ballots == ()


def test_a_summary_has_the_last_vote_of_each_seat_on_each_victim() -> None:
    halves = {ADA: BRAM, BRAM: ADA, CLEO: ADA, DIRK: BRAM}
    state = vote(until(start(TWO, tie="revote"), "vote"), {"Otto": halves, "Maud": {CLEO: BRAM}})
    assert len(deciding_votes(state.history)) == 8
    ended = vote(state, {"Otto": {CLEO: BRAM, DIRK: BRAM}})
    assert ended.ended is not None
    grouped = group_by_victim(deciding_votes(ended.history))
    none = dict.fromkeys(FOUR, "abstain")
    assert grouped["Maud"] == {**none, CLEO: BRAM}
    assert grouped["Otto"] == {**none, CLEO: BRAM, DIRK: BRAM}
    alone = vote(until(start(), "vote"), {"Otto": SOLVED})
    assert group_by_victim(deciding_votes(alone.history)) == {}


def test_only_the_tied_votes_are_held_again_between_those_tied() -> None:
    halves = {ADA: BRAM, BRAM: ADA, CLEO: ADA, DIRK: BRAM}
    voting = until(start(TWO, tie="revote"), "vote")
    again = vote(voting, {"Otto": halves, "Maud": {ADA: BRAM, CLEO: BRAM}})
    assert events_of(again, PhaseStarted)[-1].candidates == (ADA, BRAM)
    for request in pending(again):
        assert request.about == "Otto"
        assert isinstance(request.spec, Choice)
        assert {*request.spec.options} == {ADA, BRAM, "abstain"} - {request.seat}
    ended = vote(again, {"Otto": SOLVED})
    assert results(ended) == {"Otto": "civ_win", "Maud": "civ_win"}
    still = vote(again, {"Otto": halves})
    assert results(still) == {"Otto": "murderer_win", "Maud": "civ_win"}


def test_seats_that_never_vote_are_not_asked_and_not_counted() -> None:
    voting = until(start(crime(SIX, Otto=(ADA,)), silent=("murderer",)), "vote")
    assert ADA not in {one.seat for one in pending(voting)}
    assert outcome(vote(voting, {"Otto": {BRAM: ADA, CLEO: ADA}})) == "murderer_win"
    assert outcome(vote(voting, {"Otto": {BRAM: ADA, CLEO: ADA, DIRK: ADA}})) == "civ_win"
