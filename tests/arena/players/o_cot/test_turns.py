"""Turns of `o-cot`: a note on every objective, then the question."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.actions import Reply
from arena.core.observation import observe
from arena.core.purposes import Purpose
from arena.core.state import MatchState, pending
from arena.players.o_cot.objectives import MAX_OBJECTIVES, list_objectives
from scripts_mm.script import Language
from tests.arena.games.mirage import scenes as mirage
from tests.arena.games.questum.scenes import FOUR, crime, start
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.scripted_replies import (
    Seat,
    demand,
    name_of,
    notes,
    seat,
    voice,
)

KILLER = "Find out who killed Otto."
FIRST, SECOND = "The key is missing.", "Nothing “yet”."


def case_with(mission: str, *, guilty: bool = False, **options: Any) -> MatchState:
    """Return a match in which Ada's own mission is `mission`, and her faction has none."""
    script = crime(FOUR, Otto=("Ada" if guilty else "Bram",))
    roles = tuple(
        replace(role, mission=mission if role.name == "Ada" else role.mission)
        for role in script.roles
    )
    script = replace(script, roles=roles, civilian_mission="", murderer_mission="")
    return start(script, order="script", **options)


def objectives(mission: str, about: str = "Otto", **changes: Any) -> tuple[str, ...]:
    """Return the objectives of a seat with this mission."""
    seen = observe(case_with(mission), "Ada")  # pyright: ignore
    return list_objectives(replace(seen, **changes), about, KILLER)


def ada(replies: dict[str, str] | None = None, options: str = "") -> Seat:
    """Return Ada, who plays `o-cot`."""
    return seat("Ada", f"o-cot:{options}".rstrip(":"), voice(replies or {}))


@pytest.mark.parametrize(
    ("mission", "expected"),
    [
        ("", (KILLER,)),
        ("Find the letter.", ("Find the letter.", KILLER)),
        ("1. Find the letter.\n- Find the murderer.", ("Find the letter.", "Find the murderer.")),
        ("(2) Hide your name.\n\n• Who did it?\n", ("Hide your name.", "Who did it?")),
        ("You are the murderer: hide it.", ("You are the murderer: hide it.", KILLER)),
        ("Find the letter.\nFind the letter.", ("Find the letter.", KILLER)),
    ],
)
def test_objectives_are_the_lines_of_the_mission_and_who_did_it(
    mission: str, expected: tuple[str, ...]
) -> None:
    assert objectives(mission) == expected


@pytest.mark.parametrize(
    ("mission", "count"),
    [
        ("找出凶手。", 1),
        ("一、找到信。\n二、查明是谁杀了奥托。", 2),
        ("你就是凶手，不要被发现。", 2),
        ("找到信。", 2),
    ],
)
def test_objectives_are_read_in_chinese(mission: str, count: int) -> None:
    language: Language = "zh"
    assert len(objectives(mission, language=language)) == count


def test_of_several_victims_the_objective_must_name_the_right_one() -> None:
    mission = "Find out who killed Olga."
    assert objectives(mission, victims=("Otto", "Olga")) == (mission, KILLER)
    assert objectives(mission, about="Olga", victims=("Otto", "Olga")) == (mission,)


def test_a_long_mission_has_a_limited_number_of_objectives_and_keeps_who_did_it() -> None:
    many = "\n".join(f"Find thing {n}." for n in range(30))
    assert len(objectives(many)) == MAX_OBJECTIVES
    assert objectives(many)[-1] == KILLER
    found = objectives(f"{many}\nFind the murderer.")
    assert len(found) == MAX_OBJECTIVES
    assert found[-1] == "Find the murderer."


def test_each_note_sees_those_before_it_and_the_question_sees_all() -> None:
    one = ada({"note/1": FIRST, "note/2": SECOND})
    one.take(one.turn(case_with("Find the key.")))
    assert [name_of(request) for request in one.model.requests] == ["note/1", "note/2", "reply"]
    first, second, last = map(demand, one.model.requests)
    assert "Find the key." in first
    assert "notes on your other objectives" not in first
    assert FIRST in second
    assert FIRST in last
    assert "Nothing ’yet’." in last


def test_parallel_notes_are_one_wave_and_see_nothing_of_each_other() -> None:
    one = ada({"note/1": FIRST, "note/2": SECOND}, "parallel_notes=yes")
    one.take(one.turn(case_with("Find the key.")))
    assert one.model.waves == [["note/1", "note/2"], ["reply"]]
    assert FIRST not in demand(one.model.requests[1])
    assert FIRST in demand(one.model.requests[2])


@pytest.mark.parametrize("options", ["", "parallel_notes=yes"])
@pytest.mark.parametrize("text", ["", " \n", "<think>Let me"])
def test_an_unreadable_note_is_left_out(text: str, options: str) -> None:
    one = ada({"note/1": text, "note/2": SECOND}, options)
    _, answer = one.take(one.turn(case_with("Find the key.")))
    assert notes(answer.reports, "step_failed") == [{"step": "note/1"}]
    assert "Find the key." not in demand(one.model.asked("reply")[0])
    assert isinstance(answer.action, Reply)


def test_without_any_note_the_question_is_put_all_the_same() -> None:
    one = ada({"note": ""})
    _, answer = one.take(one.turn(case_with("Find the key.")))
    assert "closer to your objectives" in demand(one.model.asked("reply")[0])
    assert isinstance(answer.action, Reply)


@pytest.mark.parametrize("text", BAD_TEXTS.values(), ids=BAD_TEXTS)
def test_an_unreadable_question_is_corrected_and_the_notes_are_not_written_again(text: str) -> None:
    one, state = ada({"reply": text}), case_with("Find the key.")
    state = one.turn(state)
    request = pending(state)[0]
    one.answer(state, request)
    before = len(one.model.requests)
    one.answer(state, replace(request, attempts_left=2))
    assert len(one.model.requests) == before + 1


def test_the_notes_enter_no_later_prompt_but_through_the_question() -> None:
    one = ada({"note/1": FIRST})
    state, _ = one.take(one.turn(case_with("Find the key."), number=1))
    one.model.say = voice({"note": "Another note."})
    one.take(one.turn(state, number=2))
    step, *_, reply = one.model.requests
    assert step.messages[:-1] == reply.messages[: len(step.messages) - 1]


@pytest.mark.parametrize("guilty", [False, True])
def test_an_answer_is_one_call(guilty: bool) -> None:
    one = ada()
    one.take(one.turn(case_with("Find the key.", guilty=guilty), Purpose.ANSWER))
    [last] = one.model.requests
    assert ("You are guilty of the death of Otto" in demand(last)) == guilty


def test_notes_decide_between_a_question_and_a_search() -> None:
    one = ada()
    one.take(one.turn(mirage.start(order="script"), Purpose.ACT))
    [*steps, last] = one.model.requests
    assert steps
    assert all(name_of(step).startswith("note/") for step in steps)
    assert "VariantConstraint" in repr(last.constraint)
    assert repr(last.constraint).count("JsonConstraint") == 2


def test_introductions_and_votes_are_one_call() -> None:
    one = ada()
    for purpose in (Purpose.INTRODUCE, Purpose.VOTE):
        one.take(one.turn(case_with("Find the key."), purpose))
        assert len(one.model.requests) == 1


@pytest.mark.parametrize("guilty", [False, True])
def test_a_killer_has_to_hide_what_it_did_and_not_to_find_it_out(guilty: bool) -> None:
    one = ada()
    one.take(one.turn(case_with("Find the key.", guilty=guilty)))
    asked = "\n".join(map(demand, one.model.requests))
    assert (KILLER in asked) == (not guilty)
    assert ("You are guilty of the death of Otto. Nobody may find that out." in asked) == guilty
