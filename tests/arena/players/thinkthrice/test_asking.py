"""Whom a seat asks, and what; where it looks for a clue; what it shares before."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.core.actions import Action, Reply, UnparsedReply, fill, say
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import MatchState, pending
from tests.arena.players.thinkthrice.stage import (
    FULL,
    REWRITTEN,
    Replies,
    host_question,
    murderer_script,
    notes,
    seat,
)
from tests.table import (
    NAMES,
    act,
    legal,
    secret,
)

ADA, BRAM, CLEO, DIRK, EDDA = NAMES
ASK: Replies = {
    **FULL,
    "whom": DIRK,
    "question": "Where were you?",
    "relation": "We are strangers.",
    "where": "the pier",
}
TARGETS = Field(name="target", spec=Choice(options=(BRAM, CLEO, DIRK)))
QUESTION = Field(name="question", spec=FreeText())
SHARE = Field(name="share", spec=FreeText())
PLACES = Field(name="place", spec=Choice(options=("the pier", "the tower")))


def open_round(**options: Any) -> MatchState:
    """Return a match in which the first seat may ask any other one."""
    state, chance = host_question(rounds_before=1, **options), Random(1)
    while pending(state)[0].purpose is not Purpose.ASK or len(_targets(pending(state)[0])) == 1:
        state = act(state, pending(state)[0], legal(pending(state)[0], chance))
    return state


def _targets(request: DecisionRequest) -> tuple[str, ...]:
    assert isinstance(request.spec, Form)
    found = {field.name: field.spec for field in request.spec.fields}["target"]
    assert isinstance(found, Choice)
    return found.options


def request_with(state: MatchState, *fields: Field, **changed: Any) -> DecisionRequest:
    return replace(pending(state)[0], spec=Form(fields=fields), **changed)


def test_in_open_rounds_a_seat_chooses_whom_it_asks_and_writes_the_question() -> None:
    one, state = seat(ASK), open_round()
    assert one.answer(state).action == fill(target=DIRK, question="Where were you?")
    assert one.model.waves == [["whom"], ["question"]]
    whom, question = one.model.requests
    assert (whom.temperature, question.temperature) == (0.0, 0.7)
    assert secret(ADA) in one.model.prompt("whom")
    assert f"You put a question to {DIRK}." in one.model.demand("question")


def test_the_seat_just_heard_is_asked_with_the_relation_to_it() -> None:
    state = host_question()
    state = act(state, pending(state)[0], say("I am Ada Quill, the clerk."))
    one = seat(ASK)
    assert one.answer(state).action == fill(target=ADA, question="Where were you?")
    assert one.model.waves == [["question/relation"], ["question"]]
    assert "We are strangers." in one.model.demand("question")
    assert "the clerk" in one.model.prompt("question")
    blank = seat(ASK, parts="none")
    blank.answer(state)
    assert "the clerk" in blank.model.prompt("question"), "the line just heard is no memory"


def test_a_blind_choice_sees_the_case_and_the_names_alone() -> None:
    state = open_round()
    one = seat(ASK, blind_target=True)
    assert one.answer(state).action == fill(target=DIRK, question="Where were you?")
    prompt = one.model.prompt("whom")
    assert not any(secret(name) in prompt for name in NAMES)
    assert "You are Ada" not in prompt
    assert all(name in prompt for name in NAMES)
    assert secret(ADA) in one.model.prompt("question")


def test_aims_differ_by_side() -> None:
    for script, words in ((None, "find the murderer"), (murderer_script(), "away from you")):
        one = seat(ASK)
        one.answer(open_round(script=script))
        assert words in one.model.demand("question")


def test_a_victim_is_chosen_with_the_target() -> None:
    state = open_round()
    victims = Field(name="victim", spec=Choice(options=("Otto Lamm", "Ida Lamm")))
    one = seat({**ASK, "whom": f'{{"victim": "Ida Lamm", "target": "{CLEO}"}}'})
    action = one.answer(state, request_with(state, victims, TARGETS, QUESTION)).action
    assert action == fill(victim="Ida Lamm", target=CLEO, question="Where were you?")
    assert "about the case of Ida Lamm" in one.model.demand("question")
    alone = replace(TARGETS, spec=Choice(options=(BRAM,)))
    one = seat({**ASK, "whom": '{"victim": "Ida Lamm"}'})
    action = one.answer(state, request_with(state, victims, alone, QUESTION)).action
    assert action == fill(victim="Ida Lamm", target=BRAM, question="Where were you?")
    one = seat(ASK)
    about = request_with(state, TARGETS, QUESTION, about="Ida Lamm")
    one.answer(state, about)
    assert "about the case of Ida Lamm" in one.model.demand("question")


def test_what_is_shared_before_a_question_is_a_whole_answer() -> None:
    state = open_round()
    one = seat(ASK, parts="mr+sr+sv1")
    action = one.answer(state, request_with(state, SHARE, TARGETS, QUESTION)).action
    assert action == fill(share=REWRITTEN, target=DIRK, question="Where were you?")
    assert len(one.model.requests) == 12 + 2
    assert one.model.waves[0] == ["sharing-1/gate", "sharing-1/pieces"]
    assert "all clues that you have" in one.model.demand("draft")


def ways(*variants: Variant) -> OneOf:
    return OneOf(variants=variants)


ASKING = Variant(name="ask", spec=Form(fields=(TARGETS, QUESTION)))
LOOKING = Variant(name="investigate", spec=Form(fields=(PLACES,)))


def turn(spec: OneOf, number: int = 0, replies: Replies = ASK) -> Action:
    state = open_round()
    request = replace(pending(state)[0], spec=spec, purpose=Purpose.ACT, id=f"turn-{number}")
    return seat(replies, parts="mr").answer(state, request).action


@pytest.mark.slow
def test_a_seat_looks_for_clues_in_half_of_its_turns() -> None:
    found = Counter(turn(ways(ASKING, LOOKING), number).variant for number in range(60))  # pyright: ignore
    assert 20 <= found["ask"] <= 40
    assert found["ask"] + found["investigate"] == 60
    for number in range(5):
        assert turn(ways(ASKING, LOOKING), number) == turn(ways(ASKING, LOOKING), number)


def test_where_only_one_way_is_left_it_is_taken() -> None:
    looked = turn(ways(LOOKING))
    assert looked == Reply(values=(("place", "the pier"),), variant="investigate")
    asked = turn(ways(ASKING))
    assert asked == Reply(values=(("target", DIRK), ("question", "Where were you?")), variant="ask")


def test_the_last_place_is_searched_without_a_call() -> None:
    state = open_round()
    place = replace(PLACES, spec=Choice(options=("the tower",)))
    spec = ways(replace(LOOKING, spec=Form(fields=(place,))))
    request = replace(pending(state)[0], spec=spec, purpose=Purpose.ACT)
    one = seat(ASK)
    assert one.answer(state, request).action.values == (("place", "the tower"),)  # pyright: ignore
    assert not one.model.requests


@pytest.mark.parametrize("step", ["whom", "question", "where"])
def test_a_step_without_a_legal_reply_is_a_fault_and_is_noted(step: str) -> None:
    state = open_round()
    spec = ways(LOOKING) if step == "where" else ways(ASKING)
    request = replace(pending(state)[0], spec=spec, purpose=Purpose.ACT)
    one = seat({**ASK, step: "" if step == "question" else "Nobody"})
    answer = one.answer(state, request)
    assert isinstance(answer.action, UnparsedReply)
    given = {"whom": (), "question": (("target", DIRK),), "where": ()}
    assert answer.action.partial == given[step]
    assert notes(answer, "step_failed") == [{"step": step}]
    assert len(one.model.asked(step)) == 3


def test_a_share_without_words_keeps_the_question() -> None:
    state = open_round()
    one = seat({**ASK, "draft": " "})
    action = one.answer(state, request_with(state, SHARE, TARGETS, QUESTION)).action
    assert action == UnparsedReply(
        missing="share", text="", partial=(("target", DIRK), ("question", "Where were you?"))
    )
    optional = replace(SHARE, optional=True)
    action = one.answer(state, request_with(state, optional, TARGETS, QUESTION, id="2")).action
    assert action == fill(target=DIRK, question="Where were you?")


def test_forms_of_another_kind_are_answered_in_one_call() -> None:
    state = open_round()
    odd = Field(name="stake", spec=FreeText())
    one = seat({"": f'{{"target": "{BRAM}", "question": "Why?", "stake": "1"}}'})
    action = one.answer(state, request_with(state, TARGETS, QUESTION, odd)).action
    assert action == fill(target=BRAM, question="Why?", stake="1")
    assert [call.call_id.kind for call in one.model.requests] == ["reply"]
    free = replace(TARGETS, spec=FreeText())
    one.answer(state, request_with(state, free, QUESTION, id="2"))
    words = replace(pending(state)[0], spec=FreeText(), id="3")
    one.answer(state, words)
    assert len(one.model.requests) == 3
