"""Phases, turns and stages, and how many requests they make."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.core.events import PhaseStarted, RequestsOpened, StageStarted
from arena.core.observation import observe
from arena.core.purposes import Purpose
from arena.core.state import MatchState, pending
from scripts_mm.catalog import find_script
from tests.arena.games.mirage.scenes import (
    NAMES,
    asks_all,
    case,
    events_of,
    finds,
    play,
    requests_of,
    searches,
    start,
    until,
)

TABLE = json.loads((Path(__file__).parent / "vectors" / "mirage_requests.json").read_text())
JUDGING = 11
"""Requests of the judge for each role: six parts to reconstruct and five abilities."""


def phases(state: MatchState) -> list[tuple[str, int, str]]:
    return [(one.phase, one.round, one.step) for one in events_of(state, PhaseStarted)]


def count(state: MatchState) -> int:
    """Return how many requests of a match are no ratings."""
    return sum(not one.off_path for one in requests_of(state))


def test_a_match_has_the_phases_of_the_paper() -> None:
    state = play(asks_all, start(rounds=2, raters="none"))
    assert phases(state) == [
        *(("introduction", 1, ""), ("conversation", 1, ""), ("conversation", 2, "")),
        *(("accusation", 1, ""), ("voting", 1, "")),
    ]
    assert not events_of(state, StageStarted), "a script of one part has no stages"


def test_every_request_says_what_it_is_for() -> None:
    state = play(asks_all, start(rounds=1, duties="separate", forced_investigations=1))
    purposes = {one.kind: one.purpose for one in requests_of(state)}
    assert purposes == {
        "introduce": Purpose.INTRODUCE,
        "speak": Purpose.SPEAK,
        "act": Purpose.ACT,
        "answer": Purpose.ANSWER,
        "accuse": Purpose.ACCUSE,
        "vote": Purpose.VOTE,
        "rate_suspicion": Purpose.RATE,
        "rate_trust": Purpose.RATE,
    }


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 10])
@pytest.mark.parametrize("stages", [1, 2])
@pytest.mark.parametrize("found", [0, 3])
def test_requests_are_counted_by_the_formula(seats: int, stages: int, found: int) -> None:
    culprits = (NAMES[0],)
    script = case(seats, stages, clues=finds("shed", 9), culprits=culprits)
    rounds = 3
    turns = seats * rounds * stages
    answers = turns - found
    state = play(searches(found), start(script, rounds=rounds, raters="none"))
    assert count(state) == seats + turns + answers + 2 * seats
    state = play(searches(found), start(script, rounds=rounds, raters="none", duties="separate"))
    assert count(state) == seats + 2 * turns + answers + 2 * seats
    state = play(searches(found), start(script, rounds=rounds, raters="none", vote="direct"))
    assert count(state) == seats + turns + answers + seats


def test_five_seats_in_one_stage_take_forty_to_sixty_five_requests() -> None:
    script = case(5, clues=finds("shed", 30))
    assert count(play(searches(25), start(script, raters="none"))) == 40
    assert count(play(asks_all, start(script, raters="none"))) == 65


@pytest.mark.slow
@pytest.mark.parametrize("vector", TABLE["vectors"], ids=lambda one: one["id"])
def test_published_counts_of_requests_are_those_of_the_released_preset(
    vector: dict[str, Any],
) -> None:
    """The published count holds one message for each clue found, and the judge's requests."""
    given = vector["input"]
    seats, found = given["roles"], given["clues_found"]
    script = case(seats, given["stages"], clues=finds("shed", 25))
    options: dict[str, Any] = {"raters": "observer", "vote": "doubt", "self_vote": True}
    state = play(searches(found), start(script, rounds=given["rounds"], **options))
    assert len(requests_of(state)) + found + JUDGING * seats == vector["expect"]


def test_enough_vectors_are_there() -> None:
    assert len(TABLE["vectors"]) == 25


def test_introductions_accusations_and_votes_are_waves_and_the_rest_are_turns() -> None:
    state = play(asks_all, start(rounds=1, raters="none"))
    modes = {one.requests[0].kind: one.mode for one in events_of(state, RequestsOpened)}
    assert modes == {
        "introduce": "simultaneous",
        "act": "turns",
        "answer": "turns",
        "accuse": "simultaneous",
        "vote": "simultaneous",
    }


def test_separate_duties_let_all_speak_before_any_acts() -> None:
    state = play(asks_all, start(rounds=1, raters="none", duties="separate"))
    kinds = [one.kind for one in requests_of(state, "speak", "act")]
    assert kinds == ["speak"] * 4 + ["act"] * 4
    assert ("conversation", 1, "speak") in phases(state)
    assert ("conversation", 1, "act") in phases(state)


@pytest.mark.parametrize(("order", "first"), [("script", "Ada"), ("rotated", "Bram")])
def test_the_order_of_turns_follows_its_option(order: str, first: str) -> None:
    state = play(asks_all, start(rounds=2, raters="none", order=order))
    second = [one.seat for one in requests_of(state, "act") if one.round == 2]
    assert second[0] == first
    assert sorted(second) == list(NAMES[:4])


def test_each_stage_has_its_own_rounds_and_shows_its_scripts() -> None:
    state = until(start(case(4, 3), rounds=2, raters="none"), "no such kind", asks_all)
    assert [one.stage for one in events_of(state, StageStarted)] == [1, 2, 3]
    assert [one for one, _, _ in phases(state)].count("conversation") == 6
    assert [one for one, _, _ in phases(state)].count("introduction") == 1
    seen = ""
    for before, event in pairwise(state.history):
        if isinstance(event, StageStarted):
            assert not isinstance(before, PhaseStarted), "a stage begins before its first phase"
            seen += str(event.stage)
    assert seen == "123"


def test_a_seat_knows_of_its_script_only_the_stages_that_began() -> None:
    state = start(case(4, 2), rounds=1, raters="none")
    asked = until(state, "act", asks_all)
    assert "in part 2" not in repr(observe(asked, asked.started.seats[1]))
    ended = play(asks_all, asked)
    assert "Bram in part 2" in observe(ended, ended.started.seats[1]).private_script


@pytest.mark.parametrize(
    ("rounds", "stages", "shares"),
    [(5, 2, [3, 2]), (5, 1, [5]), (3, 4, [1, 1, 1, 0]), (1, 3, [1, 0, 0]), (4, 2, [2, 2])],
)
def test_rounds_of_a_match_are_shared_out_over_its_stages(
    rounds: int, stages: int, shares: list[int]
) -> None:
    script = case(3, stages)
    state = play(asks_all, start(script, rounds=rounds, rounds_in="match", raters="none"))
    found = [0] * stages
    stage = 0
    for event in state.history:
        if isinstance(event, StageStarted):
            stage = event.stage - 1
        elif isinstance(event, PhaseStarted) and event.phase == "conversation":
            found[stage] += 1
    assert found == shares
    begun = [event.stage for event in state.history if isinstance(event, StageStarted)]
    assert begun == (list(range(1, stages + 1)) if stages > 1 else []), "no stage is lost"


def test_introductions_may_be_held_in_each_stage() -> None:
    state = play(asks_all, start(case(4, 3), rounds=1, introductions="each_stage", raters="none"))
    assert len(requests_of(state, "introduce")) == 12


@pytest.mark.parametrize("stages", [1, 2])
def test_forced_investigations_come_at_the_end_of_each_stage(stages: int) -> None:
    script = case(4, stages, clues=finds("shed", 20))
    plain = play(asks_all, start(script, rounds=1, raters="none"))
    forced = play(asks_all, start(script, rounds=1, raters="none", forced_investigations=2))
    assert count(forced) == count(plain) + 2 * 4 * stages
    assert events_of(forced, StageStarted) == events_of(plain, StageStarted)
    searched = [one for one in requests_of(forced, "act") if one.phase == "search"]
    assert all(len(getattr(one.spec, "variants", ())) == 1 for one in searched)


def test_a_bundled_script_in_stages_is_played_stage_by_stage() -> None:
    script = find_script("white-season").script
    state = start(script, rounds=1, raters="none")
    assert StageStarted(stage=1) in state.history
    assert StageStarted(stage=2) not in state.history
    first = {
        place for one in pending(until(state, "act", asks_all)) for place in _places(repr(one))
    }
    assert "the air lock" in first
    assert "the cold lab" not in first, "its clues lie there from stage 2 on"
    ended = play(asks_all, state)
    last = requests_of(ended, "act")[-1]
    assert "the cold lab" in _places(repr(last))


def _places(text: str) -> set[str]:
    return {place for place in ("the air lock", "the cold lab", "flag 7") if place in text}
