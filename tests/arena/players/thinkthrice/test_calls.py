"""The calls of a turn are those of the formula, and those that may go out together do."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from arena.core.observation import observe
from arena.core.state import pending
from tests.arena.players.thinkthrice.stage import (
    FULL,
    REWRITTEN,
    Replies,
    host_question,
    murderer_question,
    notes,
    seat,
    seat_question,
)
from tests.table import act, legal

PASSED = {**FULL, "judged": '{"1": "correct", "2": "correct"}'}
FAILED: Replies = {**FULL, "judged": '{"1": "incorrect", "2": "incorrect"}'}
WAVES = [
    ["reply-1/gate", "reply-1/pieces"],
    ["reply-1/draft"],
    ["reply-1/gate-1", "reply-1/gate-2", "reply-1/gate-3", "timeline"],
    ["reply-1/useful-1"],
    ["reply-1/contained"],
    ["reply-1/rewrite"],
    ["reply-1/facts"],
    ["reply-1/judged"],
]


def test_an_attempt_at_a_host_question_takes_11_calls_and_the_timeline() -> None:
    one = seat(FULL, parts="mr+sr+sv1")
    assert one.text(host_question()) == REWRITTEN
    assert len(one.model.requests) == 11 + 1
    assert one.model.waves == WAVES


def test_an_attempt_at_the_question_of_a_seat_takes_the_relation_too() -> None:
    one = seat(FULL, parts="mr+sr+sv1")
    assert one.text(seat_question()) == REWRITTEN
    assert len(one.model.requests) == 12 + 1
    assert one.model.waves[0] == ["reply-1/relation", "reply-1/gate", "reply-1/pieces"]
    assert one.model.waves[1:] == WAVES[1:]


def test_three_attempts_ask_for_the_timeline_once() -> None:
    one = seat(FAILED)
    one.answer(host_question())
    assert len(one.model.requests) == 3 * 11 + 1
    assert len(one.model.asked("timeline")) == 1


def test_a_later_turn_does_not_list_the_timeline_again() -> None:
    one, state = seat(FAILED), host_question()
    one.answer(state)
    state = act(state, pending(state)[0], legal(pending(state)[0], Random(1)))
    later = pending(state)[0]
    state = act(state, later, legal(later, Random(1)))
    assert pending(state)[0].seat == "Ada Quill"
    before = len(one.model.requests)
    one.answer(state)
    assert len(one.model.requests) - before == 3 * 12


def test_turns_at_the_same_moment_do_not_share_a_timeline() -> None:
    one, state = seat(FULL, parts="mr+sr"), seat_question()
    request = pending(state)[0]
    one.answer(state, request)
    one.answer(state, replace(request, id="another"))
    assert len(one.model.asked("timeline")) == 2


def test_a_silent_question_leaves_no_timeline() -> None:
    one, state = seat(FULL, parts="mr+sr"), host_question()
    one.answer(state, replace(pending(state)[0], off_path=True))
    one.answer(seat_question())
    assert len(one.model.asked("timeline")) == 2


@pytest.mark.parametrize(
    ("parts", "calls"),
    [("none", 1), ("mr", 1), ("mr+sr", 9 + 1), ("mr+sr+sv1", 11 + 1), ("mr+sr+sv3", 33 + 1)],
)
def test_the_parts_cost_what_they_add(parts: str, calls: int) -> None:
    one = seat(FAILED, parts=parts)
    one.answer(host_question())
    assert len(one.model.requests) == calls


def test_the_released_code_tries_once_more() -> None:
    for parts, calls in (("mr+sr+sv3", 4 * 11 + 1), ("mr+sr+sv1", 2 * 11 + 1), ("mr+sr", 10)):
        one = seat(FAILED, parts=parts, attempts="code")
        one.answer(host_question())
        assert len(one.model.requests) == calls


def test_a_question_that_asks_for_no_timeline_is_answered_with_the_draft() -> None:
    one = seat({**FULL, "gate": "no"})
    assert one.text(host_question()) == FULL["draft"]
    assert one.model.waves == [*WAVES[:2]]
    one = seat({**FULL, "gate": "no"})
    one.answer(seat_question())
    assert len(one.model.requests) == 4


def test_without_the_gate_every_piece_counts() -> None:
    one = seat(FULL, gate="off", parts="mr+sr+sv1")
    assert one.text(host_question()) == REWRITTEN
    assert one.model.waves[0] == ["reply-1/pieces"]
    assert one.model.waves[2] == ["timeline"]
    assert one.model.waves[3] == ["reply-1/useful-1", "reply-1/useful-2", "reply-1/useful-3"]


def test_the_murderer_neither_refines_nor_verifies() -> None:
    one = seat(FULL)
    assert one.text(murderer_question()) == FULL["draft"]
    assert len(one.model.requests) == 1
    one = seat(FULL, murderer_sv=True, parts="mr+sr+sv1")
    assert one.text(murderer_question()) == REWRITTEN
    assert len(one.model.requests) == 12


def test_one_after_the_other_the_calls_and_the_answer_are_the_same() -> None:
    together, apart = seat(FAILED), seat(FAILED, together=False)
    first, second = together.answer(host_question()), apart.answer(host_question())
    assert first == second
    assert [one.call_id for one in together.model.requests] == [
        one.call_id for one in apart.model.requests
    ]
    assert all(len(wave) == 1 for wave in apart.model.waves)


def test_a_corrected_answer_asks_nothing_again() -> None:
    one, state = seat(FULL), host_question()
    request = pending(state)[0]
    first = one.answer(state, request)
    calls = len(one.model.requests)
    assert one.answer(state, replace(request, attempts_left=2)) == first
    assert len(one.model.requests) == calls
    assert len(notes(first, "verified")) == 3


def test_a_later_part_of_the_script_has_a_timeline_of_its_own() -> None:
    one, first, later = seat(FULL, parts="mr+sr"), host_question(), seat_question()
    one.answer(first)
    request = pending(later)[0]
    seen = observe(later, request.seat)
    staged = replace(seen, role=replace(seen.own, stages=((2, "At 23:00 you slept."),)))
    asyncio.run(one.player.act(staged, request, Random(1)))
    assert len(one.model.asked("timeline")) == 2
