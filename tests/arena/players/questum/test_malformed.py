"""Whatever the model says, a turn ends with a legal answer, and the record says what was amiss."""

from dataclasses import replace

import pytest

from arena.core.action_validation import validate
from arena.core.actions import Reply
from arena.core.events import ActionRejected, QuestionAsked, Said, TurnSkipped
from arena.core.state import pending
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Request
from arena.players.werewolf_qa.topics import TIMELINE, write_question
from tests.arena.games.questum.scenes import FOUR, crime, start
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.questum.scenes import (
    ada,
    innocent,
    keep,
    reading,
    steady,
)
from tests.arena.players.scripted_replies import (
    Played,
    demand,
    form,
    name_of,
    notes,
    play,
)
from tests.table import NAMES, setup

every_bad = pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
FIXED = write_question("en", TIMELINE, "Otto")


@pytest.mark.slow
@every_bad
@pytest.mark.parametrize("sensor", ["emotion", "motivation", "suspicion", "information"])
def test_an_unreadable_sensor_is_neutral_no_no_medium(sensor: str, text: str) -> None:
    one, state = ada(say=steady({f"list/{sensor}/Cleo": text})), innocent()
    state, _ = one.take(one.turn(state, number=1))
    state, answer = one.take(one.turn(state, number=2))
    expected = {"emotion": "neutral", "motivation": "no", "suspicion": "no"}
    read = {
        note["seat"]: note for note in notes(answer.reports, "readings") if note["use"] == "list"
    }
    assert read["Cleo"][sensor] == expected.get(sensor, "medium")
    assert notes(answer.reports, "step_failed") == [{"step": f"list/{sensor}/Cleo"}]
    tries = one.model.asked(f"list/{sensor}/Cleo")
    assert [request.call_id.attempt for request in tries] == [1, 2, 3]
    assert all("did not count" in demand(request) for request in tries[1:])
    assert isinstance(answer.action, Reply)


@every_bad
def test_an_unreadable_promise_is_medium(text: str) -> None:
    replies = {"asking/information": reading("Low"), "asking/information/Dirk": text}
    one = ada(say=steady(replies))
    _, answer = one.take(one.turn(innocent(), number=1))
    assert [note["score"] for note in notes(answer.reports, "score")][-1] == "0.000000"
    assert isinstance(answer.action, Reply)
    assert answer.action["target"] == "Dirk"


@pytest.mark.slow
@every_bad
def test_an_unreadable_list_stays_as_it_is_and_gains_nothing(text: str) -> None:
    one, state = ada(say=steady({"list/choose": text})), innocent()
    state, _ = one.take(one.turn(state, number=1))
    _, answer = one.take(one.turn(state, number=2))
    assert notes(answer.reports, "suspects")[0]["seats"] == "Bram, Cleo, Dirk"
    assert notes(answer.reports, "gain")[0]["gain"] == "0.000000"


@pytest.mark.parametrize("text", ["everybody", "Ada", "Otto and the cook", "neither Bram nor Cleo"])
def test_a_list_without_a_suspect_stays_as_it_is(text: str) -> None:
    one, state = ada(say=steady({"list/choose": form(suspicion=text)})), innocent()
    state, _ = one.take(one.turn(state, number=1))
    _, answer = one.take(one.turn(state, number=2))
    assert notes(answer.reports, "suspects")[0]["seats"] == "Bram, Cleo, Dirk"
    assert not notes(answer.reports, "step_failed")


def _asked_by_ada(played: Played) -> list[QuestionAsked]:
    return [one for one in played.events if isinstance(one, QuestionAsked) and one.seat == "Ada"]


def _play_with(text: str, rounds: int = 1) -> Played:
    """Play a match in which Ada's first question is always `text`."""

    def say(request: Request) -> str | None:
        mine = request.call_id.seat == "Ada" and request.call_id.request.startswith("questioning-1")
        if mine and name_of(request) == "reply" and not request.call_id.request.endswith("/answer"):
            return text
        return keep(*FOUR) if name_of(request) == "list/choose" else None

    state = start(crime(FOUR, Otto=("Bram",)), order="script", rounds=rounds)
    match = setup(state.started.options, script=state.script)
    return play(match, "questum", ("questum:epsilon=0", "questum:epsilon=0"), say)


@pytest.mark.slow
@every_bad
def test_an_unreadable_question_is_the_fixed_one_about_the_victim(text: str) -> None:
    played = _play_with(text, rounds=2)
    asked = _asked_by_ada(played)
    assert asked[0].text == FIXED
    assert len(asked) == 2
    rejected = [one for one in played.events if isinstance(one, ActionRejected)]
    assert [one.seat for one in rejected] == ["Ada", "Ada"]
    assert notes(played.events, "fallback") == [{"instead_of": "reply"}]
    assert not any(isinstance(one, TurnSkipped) for one in played.events)
    # The log holds the question that was heard; the last reply, which nobody heard, is gone.
    later = [one for one in played.made if one.call_id.request == "questioning-2/ask-1/Ada"][-1]
    told = "\n".join(message.text for message in later.messages)
    assert told.count(FIXED) == 1
    own = [message.text for message in later.messages if message.role == "assistant"]
    assert own.count(text) == 2


@pytest.mark.parametrize("target", ["Dirk", "Nobody", "Ada", ""])
def test_a_question_to_another_seat_than_the_chosen_one_does_not_count(target: str) -> None:
    played = _play_with(form(target=target, question="Why?"))
    [asked] = _asked_by_ada(played)
    [aim] = [one for one in notes(played.events, "aim") if one["seat"]][:1]
    assert asked.to == aim["seat"] != target
    assert asked.text == FIXED


@pytest.mark.parametrize(
    ("said", "heard"),
    [("{", "I have nothing new to say."), (form(share="I saw a light."), "I saw a light.")],
)
def test_where_a_statement_is_due_the_fixed_question_has_one(said: str, heard: str) -> None:
    asking = "share_and_ask"

    def say(request: Request) -> str | None:
        is_question = asking in request.call_id.request and name_of(request) == "reply"
        return said if is_question else None

    match = setup(WhodunitOptions(rounds=1))
    played = play(match, "whodunit", ("questum", "questum"), say)
    stated = [one.text for one in played.events if isinstance(one, Said) and one.act == asking]
    assert stated == [heard] * len(NAMES)
    assert len([one for one in played.events if isinstance(one, QuestionAsked)]) == len(NAMES)


@pytest.mark.slow
@every_bad
def test_the_record_of_a_fallback_gives_the_same_match_again(text: str) -> None:
    whole = _play_with(text)
    number = next(n for n, one in enumerate(whole.events) if isinstance(one, QuestionAsked)) + 1

    state = start(crime(FOUR, Otto=("Bram",)), order="script", rounds=1)
    match = setup(state.started.options, script=state.script)
    contestants = ("questum:epsilon=0", "questum:epsilon=0")
    again = play(match, "questum", contestants, steady(), resumed=(whole, number))
    assert again.events == whole.events
    assert not again.made


def test_a_fallback_is_legal_wherever_a_question_is_put() -> None:
    one, state = ada(say=steady({"reply": "{"})), innocent(per="round")
    state = one.turn(state)
    request = pending(state)[0]
    last = replace(request, attempts_left=1)
    action = one.answer(state, last)
    assert isinstance(validate(last, action), Reply)
