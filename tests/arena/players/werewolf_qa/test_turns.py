"""Turns of `werewolf-qa`: ten predefined questions, and answers that are reflected upon."""

import re
from typing import Any

import pytest

from arena.core.actions import Reply, say
from arena.core.events import ClueRevealed, QuestionAsked, Said
from arena.core.purposes import ASK_VARIANT, INVESTIGATE_VARIANT, Purpose
from arena.core.state import MatchState, pending
from arena.errors import ConfigError
from arena.memory.embedding import EmbeddingError
from arena.players.contestants import read_contestant
from arena.players.player import Answer
from arena.players.roster import check_player
from arena.players.werewolf_qa.topics import TIMELINE, TOPICS, label_topics, write_question
from scripts_mm.script import LANGUAGES, Language
from tests.arena.games.mirage import scenes as mirage
from tests.arena.games.questum.scenes import FOUR, crime, start
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.context.moments import text_of
from tests.arena.players.scripted_replies import (
    Seat,
    demand,
    form,
    name_of,
    notes,
    play,
    seat,
    voice,
)
from tests.table import setup

DRAFT, REMARKS, FINAL = (
    "I slept “all” night.",
    "Say where.",
    "I slept all night, in the boat house.",
)
THREE = {"draft": DRAFT, "reflect": REMARKS, "reply": FINAL}
every_bad = pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)


def ada(replies: dict[str, str] | None = None, options: str = "", **limits: Any) -> Seat:
    """Return Ada, who plays `werewolf-qa`."""
    return seat("Ada", f"werewolf-qa:{options}".rstrip(":"), voice(replies or {}), **limits)


def innocent(**options: Any) -> MatchState:
    """Return a match in which Bram killed Otto."""
    return start(crime(FOUR, Otto=("Bram",)), order="script", **options)


def guilty(**options: Any) -> MatchState:
    """Return a match in which Ada killed Otto."""
    return start(crime(FOUR, Otto=("Ada",)), order="script", **options)


def turns(one: Seat, state: MatchState, count: int, purpose: Purpose) -> list[Answer]:
    """Return the seat's next answers of a purpose."""
    answers: list[Answer] = []
    for _ in range(count):
        state, answer = one.take(one.turn(state, purpose))
        answers.append(answer)
    return answers


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_ten_questions_and_each_names_the_victim(language: Language) -> None:
    questions = {write_question(language, topic, "Otto") for topic in TOPICS}
    assert len(questions) == len(TOPICS) == len(label_topics(language)) == 10
    assert all("Otto" in question for question in questions)


@pytest.mark.parametrize("who", [innocent, guilty])
def test_a_question_is_picked_then_put_in_own_words(who: Any) -> None:
    one = ada({"pick": "objects", "reply": form(target="Bram", question="What about the oar?")})
    [answer] = turns(one, who(), 1, Purpose.ASK)
    assert [name_of(request) for request in one.model.requests] == ["pick", "reply"]
    assert "Which objects or traces at the scene could have to do" in demand(one.model.requests[1])
    assert notes(answer.reports, "pick")[0]["subject"] == "things"
    is_told = "You are guilty of the death of Otto" in demand(one.model.requests[1])
    assert is_told == (who is guilty)


@pytest.mark.slow
def test_others_are_asked_one_after_the_other_from_a_random_start() -> None:
    first = set[str]()
    for seed in range(12):
        state = start(crime(FOUR, Otto=("Bram",)), order="script", seed=seed)
        answers = turns(ada(), state, 3, Purpose.ASK)
        asked = [one.action["target"] for one in answers if isinstance(one.action, Reply)]
        place = FOUR[1:].index(asked[0])
        assert asked == [FOUR[1:][(place + n) % 3] for n in range(3)]
        first.add(asked[0])
    assert first == set(FOUR[1:])


def test_all_are_asked_in_the_order_of_the_script() -> None:
    for seed in range(4):
        one, state = ada(options="targets=all"), innocent(rounds=4, seed=seed)
        asked = [answer.action for answer in turns(one, state, 4, Purpose.ASK)]
        targets = [action["target"] for action in asked if isinstance(action, Reply)]
        assert targets == ["Bram", "Cleo", "Dirk", "Bram"]
    with pytest.raises(ConfigError, match="target=model"):
        check_player(read_contestant("m+werewolf-qa:targets=all,target=model"))


def test_the_model_may_choose_whom_to_ask() -> None:
    one = ada({"pick": form(topic="worries of the victim", target="Dirk")}, "target=model")
    [answer] = turns(one, innocent(), 1, Purpose.ASK)
    assert isinstance(answer.action, Reply)
    assert answer.action["target"] == "Dirk"
    assert "did Otto ever tell you" in demand(one.model.requests[1]).replace("Did", "did")
    assert len(one.model.requests) == 2


@pytest.mark.slow
@every_bad
def test_an_unreadable_pick_is_the_next_unused_question(text: str) -> None:
    one, state = ada({"pick": "enemies of the victim"}), innocent()
    state, first = one.take(one.turn(state))
    one.model.say = voice({"pick": text})
    state, second = one.take(one.turn(state, number=2))
    _, third = one.take(one.turn(state, number=3))
    picked = [notes(answer.reports, "pick")[0]["subject"] for answer in (first, second, third)]
    assert picked == ["enemies", TIMELINE, "relation"]
    assert notes(second.reports, "step_failed") == [{"step": "pick"}]


def test_turns_at_the_same_moment_know_nothing_of_each_other() -> None:
    one, state = ada({"pick": "Hm."}), innocent(snapshot="round", questions=2)
    state = one.turn(state)
    both = [request for request in pending(state) if request.seat == "Ada"]
    assert len(both) == 2
    for request in both:
        one.answer(state, request)
    picked = [notes(one.answers[request.id].reports, "pick")[0] for request in both]
    assert [note["subject"] for note in picked] == [TIMELINE, TIMELINE]


@pytest.mark.parametrize("text", ["", "{", "Bram: it was me."])
def test_an_unreadable_question_is_the_predefined_one(text: str) -> None:
    state = innocent(rounds=1)
    match = setup(state.started.options, script=state.script)

    def speak(request: Any) -> str | None:
        is_question = request.call_id.request == "questioning-1/ask-1/Ada"
        named = {"pick": "secrets", "reply": text}.get(name_of(request))
        return (
            {"secrets": "private life of the victim"}.get(named or "", named)
            if is_question
            else None
        )

    played = play(match, "questum", ("werewolf-qa", "werewolf-qa"), speak)
    [asked] = [one for one in played.events if isinstance(one, QuestionAsked) and one.seat == "Ada"]
    assert asked.text == write_question("en", "secrets", "Otto")
    assert len(notes(played.events, "fallback")) == 1


def test_an_answer_is_a_draft_remarks_on_it_and_the_final_answer() -> None:
    one = ada(THREE)
    [answer] = turns(one, innocent(), 1, Purpose.ANSWER)
    assert answer.action == say(FINAL)
    assert [name_of(request) for request in one.model.requests] == ["draft", "reflect", "reply"]
    assert "I slept ’all’ night." in demand(one.model.requests[1])
    assert "Your remarks on it: “Say where.”" in demand(one.model.requests[2])


def test_a_killer_answers_in_one_call() -> None:
    one = ada(THREE)
    [answer] = turns(one, guilty(), 1, Purpose.ANSWER)
    assert answer.action == say(FINAL)
    assert len(one.model.requests) == 1
    assert "keep your deed hidden" in demand(one.model.requests[0])


@pytest.mark.parametrize("text", ["", " \n", "<think>Let me"])
def test_an_unreadable_final_answer_is_the_draft(text: str) -> None:
    state = innocent(rounds=1)
    match = setup(state.started.options, script=state.script)

    def speak(request: Any) -> str | None:
        if not request.call_id.request.endswith("/answer"):
            return None
        return {**THREE, "reply": text}.get(name_of(request))

    played = play(match, "questum", ("werewolf-qa", "werewolf-qa"), speak)
    answers = [one for one in played.events if isinstance(one, Said) and one.to is not None]
    innocent_ones = [one for one in answers if one.seat != "Bram"]
    assert innocent_ones
    assert all(one.text == DRAFT for one in innocent_ones)
    assert len(notes(played.events, "fallback")) == len(innocent_ones)


def test_without_a_draft_the_question_is_answered_at_once() -> None:
    one = ada({**THREE, "draft": ""})
    [answer] = turns(one, innocent(), 1, Purpose.ANSWER)
    assert answer.action == say(FINAL)
    assert [name_of(request) for request in one.model.requests] == ["draft"] * 3 + ["reply"]


def test_without_remarks_the_draft_is_still_improved() -> None:
    one = ada({**THREE, "reflect": ""})
    [answer] = turns(one, innocent(), 1, Purpose.ANSWER)
    assert answer.action == say(FINAL)
    assert notes(answer.reports, "step_failed") == [{"step": "reflect"}]


def _talk(request: Any) -> int:
    """Return how many questions of the talk a prompt holds as lines."""
    return len(re.findall(r"^(?:You ask|\w+ asks) \w+ \(about", text_of(request.messages), re.M))


@pytest.mark.parametrize("most", [1, 2, 5])
def test_prompts_hold_the_nearest_exchanges_of_the_talk(most: int) -> None:
    one = ada({}, f"exchanges={most}")
    one.take(one.turn(innocent(), Purpose.ASK, 3))
    for request in one.model.requests:
        introductions = len(re.findall(r"^\w+: “", text_of(request.messages), re.M))
        assert _talk(request) + introductions == most


def test_without_a_limit_prompts_hold_the_whole_talk() -> None:
    one = ada({}, "exchanges=0")
    state = one.turn(innocent(), Purpose.ASK, 3)
    heard = [one for one in state.history if isinstance(one, QuestionAsked) and one.seat != "Ada"]
    one.take(state)
    assert len(heard) == 6
    assert [_talk(request) for request in one.model.requests] == [6, 6]


def test_clues_stay_and_a_question_stands_with_its_answer() -> None:
    one, state = ada({}, "exchanges=1"), innocent()
    state = one.turn(state, Purpose.ASK, 2)
    shown = sum(isinstance(event, ClueRevealed) for event in state.history)
    assert shown
    one.take(state)
    for request in one.model.requests:
        text = text_of(request.messages)
        assert "Log book" in text
        assert text.count(" -> ") <= 1


def test_the_open_question_takes_no_exchange_away() -> None:
    one = ada({}, "exchanges=1")
    state = one.turn(innocent(), Purpose.ANSWER, 2)
    request = pending(state)[0]
    asked = dict(request.context)["question"]
    one.take(state)
    for call in one.model.requests:
        text = text_of(call.messages)
        assert text.count(asked) >= 2, "as the newest line, and in what is demanded"
        others = re.findall(r"^(?:\w+: “|\w+ -> )", text, re.M)
        assert len(others) + (_talk(call) - 1) >= 1, "and an exchange besides"


class Broken:
    """An embedder that has no vectors."""

    name = "broken"
    is_repeatable = True
    threshold = 0.0

    async def embed(self, texts: object) -> Any:
        raise EmbeddingError("no vectors")


def test_without_vectors_the_search_goes_by_words_and_the_record_says_so() -> None:
    one = ada({}, embedder=Broken())
    [_, second] = turns(one, innocent(), 2, Purpose.ASK)
    assert {getattr(report, "adjustment", "") for report in second.reports} >= {"search_lexical"}


def test_where_it_may_search_it_does_so_every_second_turn() -> None:
    one = seat("Ada", "werewolf-qa")
    answers = turns(one, mirage.start(order="script"), 2, Purpose.ACT)
    found = [one.action.variant for one in answers if isinstance(one.action, Reply)]
    assert found == [ASK_VARIANT, INVESTIGATE_VARIANT]
    assert [name_of(request) for request in one.model.requests] == ["reply"]


def test_of_several_victims_it_asks_about_the_one_it_asked_least_about() -> None:
    script = crime(FOUR, Otto=("Bram",), Olga=("Cleo",))
    state = start(script, order="script", per="round")
    answers = turns(ada(), state, 3, Purpose.ASK)
    victims = [one.action["victim"] for one in answers if isinstance(one.action, Reply)]
    assert victims == ["Otto", "Olga", "Otto"]


def test_introductions_and_votes_are_one_call() -> None:
    one = ada()
    for purpose in (Purpose.INTRODUCE, Purpose.VOTE):
        one.take(one.turn(innocent(), purpose))
        assert len(one.model.requests) == 1


def test_a_corrected_turn_asks_nothing_again() -> None:
    one, state = ada({"reply": "{"}), innocent()
    state = one.turn(state)
    request = pending(state)[0]
    one.answer(state, request)
    before = len(one.model.requests)
    one.answer(state, request)
    assert len(one.model.requests) == before + 1


def test_a_negative_number_of_exchanges_is_refused() -> None:
    with pytest.raises(ConfigError, match="exchanges must be >= 0"):
        check_player(read_contestant("m+werewolf-qa:exchanges=-1"))
