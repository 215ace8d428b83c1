"""Introductions, speeches and talk in games that have no host's question; decisions; options."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.actions import Reply, choose
from arena.core.purposes import Purpose
from arena.core.requests import PROBE_PHASE
from arena.core.specs import Choice, Field, Form, FreeText, OneOf, Variant
from arena.core.state import MatchState, pending
from arena.errors import ConfigError
from arena.players.contestants import read_contestant
from arena.players.roster import check_player, turn_cost
from arena.players.thinkthrice.options import ThinkThricePlayerOptions
from tests.arena.games.whodunit.scenes import start, until
from tests.arena.players.thinkthrice.stage import (
    FULL,
    REWRITTEN,
    Seat,
    host_question,
    in_language,
    murderer_question,
    seat,
    seat_question,
)
from tests.table import NAMES, case

ADA = NAMES[0]
TALK = OneOf(
    variants=(
        Variant(
            name="talk",
            spec=Form(
                fields=(
                    Field(name="text", spec=FreeText()),
                    Field(name="target", spec=Choice(options=NAMES[1:]), optional=True),
                )
            ),
        ),
        Variant(name="skip", spec=Form(fields=())),
        Variant(name="over", spec=Form(fields=())),
    )
)


def test_a_plain_introduction_answers_a_question_of_the_method() -> None:
    one, state = seat(FULL, parts="mr+sr"), start()
    assert not pending(state)[0].context
    assert one.text(state) == REWRITTEN
    assert "how did you stand to Otto Lamm?" in one.model.demand("draft")
    one = seat({**FULL, "gate": "是", "gate-3": "是"}, parts="mr+sr")
    one.answer(start(script=in_language("zh")))
    assert "主持人问你：“请介绍你自己：你是谁，与Otto Lamm是什么关系？" in one.model.demand("draft")


def test_without_a_victim_nobody_asks_about_one() -> None:
    one = seat(FULL, parts="mr")
    one.answer(start(script=replace(case(), victims=())))
    assert "Please introduce yourself to the table." in one.model.demand("draft")


def test_a_speech_follows_the_demand_of_the_game() -> None:
    state = seat_question()
    request = replace(pending(state)[0], purpose=Purpose.SPEAK, context=())
    one = seat(FULL, parts="mr+sr")
    assert one.text(state, request) == REWRITTEN
    assert one.model.waves[0] == ["reply-1/gate", "reply-1/pieces"], "nobody asked"
    assert one.model.demand("draft").startswith("Answer ")


def test_an_answer_to_no_known_question_follows_the_demand_of_the_game() -> None:
    state = seat_question()
    one = seat(FULL, parts="mr")
    one.answer(state, replace(pending(state)[0], context=()))
    assert "Answer" in one.model.demand("draft")


def talk(reply: str, state: MatchState | None = None, **options: Any) -> tuple[Seat, Reply]:
    state = state or seat_question("Where is the lantern?")
    request = replace(pending(state)[0], purpose=Purpose.SPEAK, context=(), spec=TALK)
    one = seat({**FULL, "draft": reply}, **options)
    action = one.answer(state, request).action
    assert isinstance(action, Reply)
    return one, action


def test_in_a_free_talk_the_last_words_are_taken_up() -> None:
    one, action = talk('{"action": "talk", "text": "Hm."}', parts="mr+sr")
    assert (action.variant, action.values) == ("talk", (("text", REWRITTEN), ("target", "")))
    assert one.model.waves[0] == ["reply-1/relation", "reply-1/gate", "reply-1/pieces"]
    demand = one.model.demand("draft")
    assert f"at the table, by {NAMES[1]}: “Where is the lantern?”" in demand
    assert one.model.prompt("draft").count("Where is the lantern?") == 1


def test_silence_in_a_free_talk_is_played_as_it_is() -> None:
    one, action = talk('{"action": "over"}')
    assert (action.variant, action.values) == ("over", ())
    assert not one.model.asked("facts")
    first, action = talk('{"action": "talk", "text": "Hm."}', host_question(), parts="mr")
    assert action.values[0] == ("text", "Hm.")
    assert "The last thing" not in first.model.demand("draft")


def test_the_secret_power_and_ratings_are_one_call_with_memory() -> None:
    state = seat_question("Where is the lantern?")
    for purpose in (Purpose.POWER, Purpose.RATE, Purpose.OTHER):
        spec = Choice(options=NAMES[1:])
        request = replace(pending(state)[0], purpose=purpose, context=(), spec=spec)
        one = seat({"": NAMES[2]}, min_similarity=-1.0)
        assert one.answer(state, request).action == choose(NAMES[2])
        [call] = one.model.requests
        assert (call.call_id.kind, call.temperature) == ("reply", 0.0)
        assert "Where is the lantern?" in "\n".join(m.text for m in call.messages)


@pytest.mark.parametrize("parts", ["none", "mr"])
def test_a_silent_probe_knows_no_more_than_the_seat(parts: str) -> None:
    state = seat_question("Where is the lantern?")
    request = replace(
        pending(state)[0],
        phase=PROBE_PHASE,
        off_path=True,
        context=(),
        spec=Choice(options=NAMES),
    )
    one = seat({"": ADA}, parts=parts)
    assert one.answer(state, request).action == choose(ADA)
    text = "\n".join(message.text for message in one.model.requests[0].messages)
    assert ("Where is the lantern?" in text) == (parts == "mr")


def test_a_conclusion_and_a_vote_are_one_call() -> None:
    state = until(start(), "conclude")
    one = seat({"": '{"method": "poison", "motive": "greed"}'})
    action = one.answer(state).action
    assert dict(action.values)["method"] == "poison"  # pyright: ignore
    assert len(one.model.requests) == 1


def test_no_prompt_of_the_seat_enters_a_log() -> None:
    one, state = seat(FULL), seat_question()
    one.answer(host_question())
    one.answer(state)
    for call in one.model.requests:
        assert all(message.role != "assistant" for message in call.messages)


def test_a_murderer_that_verifies_is_still_told_that_it_may_lie() -> None:
    one = seat(FULL, murderer_sv=True)
    one.answer(murderer_question())
    assert "You may lie" in one.model.demand("draft")
    assert len(one.model.asked("judged")) == 3


def test_options_are_read_from_the_name_of_a_contestant() -> None:
    text = "m+thinkthrice:parts=mr+sr+sv1,gate=off,timed=matches,attempts=code,min_similarity=0.5"
    options = check_player(read_contestant(text))
    assert isinstance(options, ThinkThricePlayerOptions)
    assert (options.parts, options.most_attempts, options.min_similarity) == ("mr+sr+sv1", 2, 0.5)
    assert (options.remembers, options.refines, options.verifies) == (True, True, True)
    plain = check_player(read_contestant("m+thinkthrice"))
    assert isinstance(plain, ThinkThricePlayerOptions)
    assert (plain.parts, plain.most_attempts, plain.overflow) == ("mr+sr+sv3", 3, "retrieve")
    assert replace(plain, parts="mr+sr", attempts="code").most_attempts == 1
    for bad in ("parts=sv", "memory=none", "thought=yes", "top_k=0", "min_similarity=2", "top_k=x"):
        with pytest.raises(ConfigError):
            check_player(read_contestant(f"m+thinkthrice:{bad}"))


def test_the_cost_of_a_turn_covers_its_longest_chain() -> None:
    cost = turn_cost(read_contestant("m+thinkthrice:attempts=code"))
    assert cost is not None
    for together in (True, False):
        one = seat({**FULL, "judged": '{"1": "incorrect"}'}, attempts="code", together=together)
        one.answer(seat_question())
        assert max(map(len, one.model.waves)) <= cost.width(5)
    assert len(seat_waves()) <= cost.depth(5)


def seat_waves() -> list[list[str]]:
    failing = '{"1": "incorrect", "2": "incorrect"}'
    one = seat({**FULL, "judged": failing}, attempts="code")
    one.answer(seat_question())
    return one.model.waves
