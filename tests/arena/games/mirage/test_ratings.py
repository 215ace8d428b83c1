"""Ratings of suspicion and trust, and the confession put before a murderer's words."""

from random import Random
from typing import Any

import pytest

from arena.core.actions import Action, Reply, Skip, choose
from arena.core.events import (
    Announced,
    Event,
    PhaseStarted,
    QuestionAsked,
    Rated,
    RequestsOpened,
    Said,
    StageStarted,
    VotesTallied,
)
from arena.core.observation import observe_request
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending
from arena.games.mirage.game import MIRAGE
from scripts_mm.script import Language
from tests.arena.games.mirage.scenes import (
    asks_all,
    case,
    events_of,
    finds,
    finish,
    play,
    requests_of,
    searches,
    setup,
    start,
    until,
)
from tests.table import act, hostile

SENTENCES: dict[Language, str] = {"en": "I'm the culprit.", "zh": "我就是凶手。"}


def ratings(state: MatchState) -> list[DecisionRequest]:
    return requests_of(state, "rate_suspicion", "rate_trust")


def rated(values: dict[tuple[str, str], str], state: MatchState) -> MatchState:
    """Play to the end with ratings by scale and rated seat; others are 0."""

    def answer(request: DecisionRequest) -> Action:
        if request.phase != "rating":
            return asks_all(request)
        return choose(values.get((request.kind.removeprefix("rate_"), request.about), "0"))

    return play(answer, state)


@pytest.mark.parametrize(("seats", "stages"), [(2, 1), (5, 1), (4, 2)])
def test_ratings_are_counted_by_the_formula(seats: int, stages: int) -> None:
    script = case(seats, stages, culprits=("Ada",), clues=finds("shed", 4))
    state = play(searches(2), start(script, rounds=3))
    assert len(ratings(state)) == 2 * seats * (seats - 1) * 3 * stages
    state = play(searches(2), start(script, rounds=3, raters="observer"))
    turns = seats * 3 * stages
    assert len(ratings(state)) == 2 * (seats + turns + turns - 2)
    assert not ratings(play(asks_all, start(script, rounds=1, raters="none")))


def test_ratings_are_asked_last_silently_and_all_at_once() -> None:
    state = play(asks_all, start(rounds=2))
    [opened] = [one for one in events_of(state, RequestsOpened) if one.mode == "off_path"]
    place = state.history.index(opened)
    assert isinstance(state.history[place - 2], VotesTallied)
    assert state.history[place - 1] == PhaseStarted(phase="rating", audience="host")
    assert all(one.off_path and one.spec == ratings(state)[0].spec for one in opened.requests)
    assert state.history[-1] == state.ended
    assert len(events_of(state, Rated)) == len(opened.requests)
    assert all(one.audience == "host" for one in events_of(state, Rated))


@pytest.mark.parametrize("forced", [0, 1])
@pytest.mark.parametrize("duties", ["merged", "separate"])
def test_characters_rate_what_they_knew_at_the_end_of_a_round(duties: str, forced: int) -> None:
    script = case(3, 2, clues=finds("shed", 4) + finds("mill", 1, stage=2))
    options = {"duties": duties, "forced_investigations": forced}
    state = play(searches(2), start(script, rounds=2, **options))
    for number in range(1, 5):
        asked = [one for one in ratings(state) if one.round == number]
        [moment] = {one.moment for one in asked}
        assert moment is not None
        known, after = state.history[:moment], state.history[moment]
        rounds = [one for one in known if isinstance(one, PhaseStarted)]
        assert (rounds[-1].phase, rounds[-1].round) == ("conversation", number)
        assert isinstance(after, PhaseStarted | StageStarted)
        assert (StageStarted(stage=2) in known) == (number > 2)


def test_every_seat_rates_every_other_one_with_what_it_knows() -> None:
    state = play(asks_all, start(case(4), rounds=1))
    pairs = {(one.seat, one.about) for one in ratings(state)}
    seats = state.started.seats
    assert pairs == {(a, b) for a in seats for b in seats if a != b}
    own = observe_request(state, ratings(state)[0])
    assert not own.is_onlooker
    assert own.private_script


def test_an_onlooker_rates_each_utterance_before_it_is_heard() -> None:
    state = play(searches(2), start(rounds=1, raters="observer"))
    spoken: dict[str, Event] = {}
    for request in ratings(state):
        assert request.onlooker
        assert request.seat == request.about
        assert request.moment is not None
        spoken[request.context_value("utterance")] = state.history[request.moment]
        seen = observe_request(state, request)
        assert seen.is_onlooker
        assert request.context_value("utterance") not in repr(seen.events)
    assert isinstance(spoken["said in introduction-1/introduce/Ada"], Said)
    assert isinstance(spoken["said in conversation-1/act/Cleo/answer"], Said)
    assert isinstance(spoken["Ada says this (investigates this place: shed)"], Said)
    assert isinstance(spoken["Cleo says this (to Ada) Where were you?"], Said)
    assert len(spoken) == 4 + 4 + 2


def test_a_turn_without_a_statement_is_an_utterance_too() -> None:
    state = until(start(rounds=1, raters="observer", duties="separate"), "act", asks_all)
    state = play(searches(1), state)
    asked = [one for one in ratings(state) if "investigates" in one.context_value("utterance")]
    assert len(asked) == 2
    assert isinstance(state.history[asked[0].moment or 0], Announced)
    questions = [one for one in ratings(state) if one.context_value("utterance").startswith("(to ")]
    assert isinstance(state.history[questions[0].moment or 0], QuestionAsked)


def test_a_rating_that_is_missing_is_no_zero() -> None:
    def answer(request: DecisionRequest) -> Action:
        if request.phase != "rating":
            return asks_all(request)
        return Skip() if request.about == "Bram" else choose("2")

    state = play(answer, start(rounds=1))
    values = {one.about: one.value for one in events_of(state, Rated)}
    assert values == {"Ada": 2, "Bram": None, "Cleo": 2, "Dirk": 2}
    assert state.ended is not None
    assert state.ended.outcome != "forfeit", "ratings cost no fault budget"
    first = events_of(state, Rated)[0]
    request = ratings(state)[0]
    assert (first.request, first.seat, first.scale) == (request.id, request.seat, "suspicion")
    assert first.moment == request.moment


def test_seats_are_ranked_by_doubt_where_the_option_says_so() -> None:
    values = {("suspicion", "Bram"): "2", ("trust", "Bram"): "1", ("trust", "Dirk"): "2"}
    for options in ({"rank": "doubt"}, {"vote": "doubt"}, {}):
        state = rated(values, start(case(4), rounds=1, option_order="script", **options))
        assert state.ended is not None
        votes: dict[str, int] = dict.fromkeys(state.started.seats, 0)
        votes |= dict(events_of(state, VotesTallied)[0].votes)
        doubt = {"Bram": 3 * (2 - 1), "Dirk": -3 * 2}
        by_doubt = {seat: 4.0 * votes[seat] + doubt.get(seat, 0) for seat in votes}
        expected = by_doubt if options else votes
        assert dict(state.ended.ranking) == expected
        scores = [score for _, score in state.ended.ranking]
        assert scores == sorted(scores, reverse=True)


def test_ratings_change_nothing_that_was_heard() -> None:
    def public(raters: str) -> list[Event]:
        state = play(asks_all, start(rounds=2, raters=raters))
        return [one for one in state.history if one.audience == "all"]

    assert public("characters") == public("observer") == public("none")


@pytest.mark.slow
def test_a_match_with_ten_seats_has_nine_hundred_ratings() -> None:
    state = finish(setup(case(10, clues=finds("shed", 30))))
    assert len(ratings(state)) == 900


@pytest.mark.parametrize("seed", range(20))
def test_hostile_matches_end_whoever_rates(seed: int) -> None:
    chance = Random(seed)
    raters = chance.choice(["characters", "observer"])
    options: dict[str, Any] = {"rounds": 1, "expose": chance.choice(["none", "every"])}
    state = start(case(3, 2), raters=raters, attempts=2, **options)
    while waiting := pending(state):
        state = act(state, waiting[0], hostile(waiting[0], chance))
    assert state.ended is not None
    wanted = {one.id for one in ratings(state)}
    assert {one.request for one in events_of(state, Rated)} == wanted


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_confession_is_put_before_every_public_speech_of_the_murderer(
    language: Language,
) -> None:
    script = case(language=language)
    state = play(searches(1), start(script, rounds=2, raters="observer", expose="every"))
    parts = ("exposed", SENTENCES[language])
    for said in events_of(state, Said):
        assert (parts in said.parts) == (said.seat == "Cleo")
        assert said.parts[0] == parts or said.seat != "Cleo"
        assert len(said.parts) == (2 if said.seat == "Cleo" else 1)
    heard = [one.context_value("utterance") for one in ratings(state) if one.seat == "Cleo"]
    assert heard
    assert all(one.startswith(SENTENCES[language]) for one in heard)


def test_a_question_without_a_statement_has_its_confession_before_it() -> None:
    state = play(asks_all, start(rounds=1, duties="separate", raters="none", expose="every"))
    [place] = [
        number
        for number, event in enumerate(state.history)
        if isinstance(event, QuestionAsked) and event.seat == "Cleo"
    ]
    before = state.history[place - 1]
    assert isinstance(before, Said)
    assert before.parts == (("exposed", SENTENCES["en"]),)


@pytest.mark.parametrize("introductions", ["first", "each_stage"])
def test_a_confession_may_come_only_before_the_first_introduction(introductions: str) -> None:
    script = case(stages=2)
    state = play(
        asks_all,
        start(script, rounds=1, raters="none", expose="once", introductions=introductions),
    )
    exposed = [one for one in events_of(state, Said) if one.parts[0][0] == "exposed"]
    assert [(one.act, one.seat) for one in exposed] == [("introduce", "Cleo")]
    plain = play(asks_all, start(script, rounds=1, raters="none"))
    assert not [one for one in events_of(plain, Said) if one.parts[0][0] == "exposed"]


@pytest.mark.parametrize("expose", ["none", "once", "every"])
def test_the_murderer_alone_is_told_of_the_confession(expose: str) -> None:
    state = start(rounds=1, expose=expose)
    for request in pending(state):
        texts = MIRAGE.texts(observe_request(state, request))
        told = SENTENCES["en"] in texts.role()
        assert told == (expose != "none" and request.seat == "Cleo")
        assert SENTENCES["en"] not in texts.rules()


def test_a_confession_reads_as_the_murderers_words() -> None:
    state = play(asks_all, start(rounds=1, expose="every", raters="none"))
    [said] = [
        one for one in events_of(state, Said) if one.seat == "Cleo" and one.act == "introduce"
    ]
    texts = MIRAGE.texts(observe_request(state, requests_of(state)[0]))
    assert texts.line(said) == "Cleo: “I’m the culprit. said in introduction-1/introduce/Cleo”" or (
        texts.line(said) == "Cleo: “I'm the culprit. said in introduction-1/introduce/Cleo”"
    )


@pytest.mark.parametrize("reruns", ["corrected", "same_prompt"])
def test_a_faulty_answer_is_corrected_or_asked_for_as_before(reruns: str) -> None:
    state = start(rounds=1, reruns=reruns)
    for kind in ("introduce", "act", "answer", "accuse", "vote", "rate_trust"):
        state = until(state, kind, asks_all)
        request = pending(state)[0]
        state = act(state, request, Reply(values=()))
        again = next(one for one in pending(state) if one.id == request.id)
        assert again.attempts_left == request.attempts_left - 1
        assert (again.last_error is None) == (reruns == "same_prompt"), kind
