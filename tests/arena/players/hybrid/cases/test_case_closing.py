"""Situations 1, 11, 12 and 14 of a murder mystery: last words, and silence."""

from dataclasses import replace

import pytest

from arena.core.actions import Skip
from arena.core.purposes import Purpose
from arena.core.specs import FreeText
from arena.core.state import pending
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    SPOKEN,
    Case,
    Lines,
    Steps,
    case_steps,
    joined,
    new_seat,
    phrases,
)
from tests.arena.players.scripted_replies import notes

in_both = pytest.mark.parametrize("language", ["en", "zh"])


@in_both
def test_11_and_1_a_civilian_closes_a_round_and_is_done_until_something_is_new(
    language: Language,
) -> None:
    """Worked example: all three others have named a suspect; then nothing new; then something."""
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, dirk = table.names
    named = joined(say.suspect(bram, cleo), say.suspect(cleo, bram), say.suspect(dirk, cleo))
    changed = joined(named, say("clash", f"{bram} | {cleo}"))
    heard = [named, named, changed]
    steps: Steps = {**case_steps(target=bram), "analysis": lambda _: heard[0]}
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, first = seat.take(table.state)
    assert first.rule == ("11", "close_round", "template")
    assert isinstance(first.action, Skip), "no question and no new topic"
    assert cleo in first["share"]
    heard.pop(0)
    table.go(seat, round=2)
    table.state, second = seat.take(table.state)
    assert second.rule == ("1", "done", "template")
    assert second.action == Skip()
    heard.pop(0)
    table.go(seat, round=3)
    table.state, third = seat.take(table.state)
    assert third.rule[1] == "opening_later"
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == cleo


@in_both
def test_1_where_a_speech_is_due_it_says_that_it_is_done(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, dirk = table.names
    named = joined(say.suspect(bram, cleo), say.suspect(cleo, bram), say.suspect(dirk, cleo))
    seat = new_seat(table.me, {**case_steps(named), "main": SPOKEN})
    table.go(seat)
    table.state, _ = seat.take(table.state)
    table.go(seat, round=2)
    request = replace(pending(table.state)[0], purpose=Purpose.SPEAK, spec=FreeText())
    seat.answer(table.state, request)
    [note] = notes(seat.answers[request.id].reports, "rule")
    assert note["family"] == "done"
    words = phrases(table.state, table.me)
    assert dict(seat.answers[request.id].action.values)["text"] == words("case.done")  # pyright: ignore


@in_both
def test_12_a_civilian_calls_for_one_name_in_its_last_turn(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    reason = "no alibi" if language == "en" else "没有不在场证明"
    lines = joined(say.suspect(bram, cleo, reason), say("last", say.tags["yes"]))
    seat = new_seat(table.me, case_steps(lines, target=bram))
    table.go(seat, round=3)
    _, taken = seat.take(table.state)
    assert taken.rule == ("12", "last_word", "template")
    assert cleo in taken["share"]
    assert reason in taken["share"]


@in_both
def test_14_without_a_text_it_passes_and_answers_that_it_has_nothing_to_add(
    language: Language,
) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    steps = case_steps(say.suspect(bram, cleo), main="", backup=" ")
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("14", "skip", "template")
    assert taken.action == Skip()
    words = phrases(table.state, table.me)
    request = replace(pending(table.state)[0], seat=table.me, purpose=Purpose.ANSWER)
    request = replace(request, id="asked", spec=FreeText())
    seat.answer(table.state, request)
    said = dict(seat.answers["asked"].action.values)  # pyright: ignore
    assert said == {"text": words("case.wait")}
