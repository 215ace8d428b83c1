"""What the model says in a murder mystery: introductions (situation 2), turns and answers."""

from dataclasses import replace

import pytest

from arena.core.purposes import Purpose
from arena.core.specs import FreeText
from arena.core.state import pending
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    BACKUP,
    SPOKEN,
    Case,
    Lines,
    Steps,
    case_steps,
    joined,
    new_seat,
)
from tests.arena.players.scripted_replies import form, notes

in_both = pytest.mark.parametrize("language", ["en", "zh"])
STEPS = {"who": "I keep the books.", "bond": "He trusted me.", "stay": "I was at home."}


@in_both
@pytest.mark.parametrize("number", [0, 2])
def test_2_the_model_fills_the_frame_of_an_introduction(number: int, language: Language) -> None:
    table = Case(number, language)
    deed = "I strangled him." if language == "en" else "是我杀了他。"
    filled = form(who=STEPS["who"], bond=STEPS["bond"], stay=f"{deed} {STEPS['stay']}")
    seat = new_seat(table.me, {"main": filled, "backup": filled})
    table.go(seat, Purpose.INTRODUCE)
    _, taken = seat.take(table.state)
    assert taken.rule == ("2", "presentation", "template")
    assert [one.call_id.chunk for one in taken.calls] == ["main", "backup"]
    assert table.me in taken.text
    assert STEPS["who"] in taken.text
    assert STEPS["stay"] in taken.text
    assert (deed in taken.text) == (number == 0), "a murderer leaves out what tells of the deed"


@in_both
def test_2_without_a_model_the_introduction_is_the_beginning_of_the_script(
    language: Language,
) -> None:
    table = Case(2, language)
    seat = new_seat(table.me, {"main": "{", "backup": ""})
    table.go(seat, Purpose.INTRODUCE)
    _, taken = seat.take(table.state)
    assert taken.rule == ("2", "presentation", "template")
    assert table.me in taken.text
    assert "strangle" not in taken.text
    assert "勒死" not in taken.text


@in_both
def test_the_models_words_are_said_where_no_situation_holds(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, _ = table.names
    seat = new_seat(table.me, case_steps(say.suspect(bram, cleo), target=cleo))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("none", "none", "main")
    assert taken["share"] == SPOKEN
    assert sorted(seat.model.waves[0]) == ["analysis", "backup", "main"]
    assert len(taken.calls) == 3


def test_a_table_that_cannot_be_read_changes_nothing() -> None:
    table, say = Case(0), Lines("en")
    _, bram, cleo, _ = table.names
    heard = [say.suspect(bram, cleo), "I am sorry, I cannot do that.", ""]
    steps: Steps = {**case_steps(target=cleo), "analysis": lambda _: heard[0]}
    seat = new_seat(table.me, steps)
    table.go(seat)
    table.state, first = seat.take(table.state)
    for number in (2, 3):
        heard.pop(0)
        table.go(seat, round=number)
        table.state, taken = seat.take(table.state)
        assert taken.table == first.table


@in_both
def test_an_answer_is_the_models_unless_the_seat_must_defend_itself(language: Language) -> None:
    table, say = Case(2, language), Lines(language)
    ada, bram, _, _ = table.names
    lines = joined(say.suspect(ada, table.me), say.suspect(bram, table.me))
    steps = {**case_steps(say.suspect(ada, bram)), "main": SPOKEN, "backup": BACKUP}
    seat = new_seat(table.me, steps)
    table.go(seat)
    asked = replace(
        pending(table.state)[0],
        id="asked",
        purpose=Purpose.ANSWER,
        spec=FreeText(),
        context=(("asker", ada), ("question", "Where were you?")),
    )
    seat.answer(table.state, asked)
    assert dict(seat.answers["asked"].action.values)["text"] == SPOKEN  # pyright: ignore
    seat = new_seat(table.me, {**steps, "analysis": lines})
    seat.answer(table.state, asked)
    [note] = notes(seat.answers["asked"].reports, "rule")
    assert note["family"] == "condemned_murderer"
    only = new_seat(table.me, {**steps, "analysis": say.suspect(bram, table.me)})
    only.answer(table.state, asked)
    [note] = notes(only.answers["asked"].reports, "rule")
    assert note["family"] == "none", "the accuser is not the asker"


def test_the_facts_of_a_murderer_are_not_listed_for_its_analysis() -> None:
    for number, listed in ((0, True), (2, False)):
        table = Case(number)
        seat = new_seat(table.me, case_steps(target=table.names[1]))
        table.go(seat)
        _, taken = seat.take(table.state)
        [analysis] = [one for one in taken.calls if one.call_id.chunk == "analysis"]
        assert ("Your own facts" in analysis.messages[-1].text) == listed
