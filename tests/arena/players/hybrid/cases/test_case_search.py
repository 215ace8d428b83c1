"""Situations 3, 4, 6, 7 and 13 of a murder mystery: what the seat brings up, and whom it asks."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from arena.core.events import QuestionAsked
from arena.core.observation import observe_request
from arena.core.purposes import Purpose
from arena.core.seats import SeatId
from arena.core.specs import Field, Form, FreeText, spec_fields, variants
from arena.core.state import pending
from arena.players.hybrid.cases.case_view import find_public_clue
from scripts_mm.script import Clue, Language
from tests.arena.players.hybrid.stage import (
    Case,
    Lines,
    case_steps,
    joined,
    new_seat,
    phrases,
    small_case,
)
from tests.arena.players.scripted_replies import name_of, notes

in_both = pytest.mark.parametrize("language", ["en", "zh"])


@in_both
def test_3_a_civilian_says_the_decisive_fact_with_its_source_and_asks_that_seat(
    language: Language,
) -> None:
    table, say = Case(0, language), Lines(language)
    seat = new_seat(table.me, case_steps(say("key", "3, 1"), target=table.names[1]))
    table.go(seat)
    table.state, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert taken.rule == ("3", "decisive_fact", "template")
    assert taken["target"] == table.names[2]
    assert taken["question"] == words("case.fact_question", target=table.names[2])
    fact = (
        "saw Cleo·Marsh leave with the ledger" if language == "en" else "看见顾（二爷）拿着账本离开"
    )
    assert fact in taken["share"]
    assert words("glue.source_own") in taken["share"]
    table.go(seat, round=2)
    table.state, again = seat.take(table.state)
    assert again.rule[1] == "decisive_fact", "the next fact, from a clue that it alone has seen"
    title = "Letter" if language == "en" else "信"
    assert words("glue.source_clue", title=title) in again["share"]
    table.go(seat, round=3)
    _, last = seat.take(table.state)
    assert last.rule[1] != "decisive_fact", "no fact is told twice"


@in_both
def test_3_a_fact_that_is_known_is_not_told(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    lines = joined(say("key", "3"), say("known", "3"))
    seat = new_seat(table.me, case_steps(lines, target=table.names[1]))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule[1] != "decisive_fact"


@in_both
def test_4_a_murderer_without_accusers_plants_a_doubt_with_a_public_clue(
    language: Language,
) -> None:
    table, say = Case(2, language), Lines(language)
    rival = table.names[3]
    lines = say.suspect(table.names[0], rival)
    seat = new_seat(table.me, case_steps(lines, target=table.names[0]))
    table.go(seat)
    table.state, taken = seat.take(table.state)
    words = phrases(table.state, table.me)
    assert taken.rule == ("4", "planted_doubt", "template")
    assert taken["target"] == rival
    assert ("Ledger" if language == "en" else "账本") in taken["share"]
    assert taken["question"] == words("case.doubt_question", target=rival)
    table.go(seat, Purpose.VOTE)
    _, vote = seat.take(table.state)
    assert vote["choice"] == rival
    assert [name_of(one) for one in vote.calls] == ["analysis"]


def test_4_of_seats_that_nobody_suspects_the_last_is_doubted() -> None:
    table = Case(2)
    seat = new_seat(table.me, case_steps("None", target=table.names[0]))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken["target"] == table.names[3]


@in_both
def test_6_in_the_first_round_it_asks_who_was_last_near_the_victim(language: Language) -> None:
    table = Case(0, language)
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat)
    _, taken = seat.take(table.state)
    assert taken.rule == ("6", "opening_first", "template")
    words = phrases(table.state, table.me)
    victim = "Otto Lamm" if language == "en" else "奥托"
    assert taken["target"] in table.names
    assert taken["question"] == words(
        "case.timeline_question", target=taken["target"], victim=victim
    )


@in_both
@pytest.mark.parametrize("tag", ["clash", "open"])
def test_7_in_a_later_round_it_puts_the_strongest_contradiction(
    tag: str, language: Language
) -> None:
    table, say = Case(0, language), Lines(language)
    text = "says two things" if language == "en" else "前后不一"
    seat = new_seat(
        table.me, case_steps(say(tag, f"{table.names[3]} | {text}"), target=table.names[1])
    )
    table.go(seat, round=2)
    _, taken = seat.take(table.state)
    assert taken.rule == ("7", "opening_later", "template")
    assert taken["target"] == table.names[3]
    assert text in taken["share"]


@in_both
def test_13_after_a_full_round_it_asks_who_has_named_nobody(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    _, bram, cleo, dirk = table.names
    seat = new_seat(table.me, case_steps(say.suspect(bram, cleo), target=bram))
    table.go(seat, round=2)
    table.state, taken = seat.take(table.state)
    assert taken.rule == ("13", "undeclared", "template")
    assert taken["target"] == cleo
    words = phrases(table.state, table.me)
    assert taken["question"] == words("case.undeclared_question", target=cleo)
    table.go(seat, round=3)
    _, again = seat.take(table.state)
    assert again["target"] == dirk


NAMING = {
    "whole name": "{3} and {2} have both signed it.",
    "first word": "Signed by {3}, and read by Cleo·Marsh.",
    "itself alone": "It belongs to {2}.",
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", NAMING.values(), ids=NAMING)
def test_a_murderer_cites_no_clue_that_names_itself(text: str, language: Language) -> None:
    script = small_case(language)
    names = [role.name for role in script.roles]
    last = Clue(id="c3", title="Bill", text=text.format(*names).replace("Cleo·Marsh", names[2]))
    for clues, cited in (((script.clues[0], last), True), ((last,), False)):
        table = Case(2, language, script=replace(script, clues=clues))
        seat = new_seat(table.me, case_steps(target=table.names[0]))
        table.go(seat)
        _, taken = seat.take(table.state)
        assert taken.rule[1] == "planted_doubt"
        assert "Bill" not in taken["share"]
        assert table.me not in taken["share"]
        assert (clues[0].title in taken["share"]) == cited
        no_clue = phrases(table.state, table.me)("glue.no_clue", target=table.names[3])
        assert (no_clue in taken["share"]) == (not cited)


def test_a_murderer_cites_no_clue_that_names_one_of_its_side() -> None:
    table = Case(2)
    seat = new_seat(table.me, case_steps())
    table.go(seat)
    seen = observe_request(table.state, pending(table.state)[0])
    assert seen.role is not None
    knows = replace(seen.role.part, knows=(SeatId(table.names[3]),))
    rival = SeatId(table.names[0])
    assert find_public_clue(seen, rival) is not None
    assert find_public_clue(replace(seen, role=replace(seen.role, part=knows)), rival) is None


@in_both
@pytest.mark.parametrize("statement", ["none", "optional", "required"])
def test_a_question_without_a_statement_begins_with_no_filler(
    statement: str, language: Language
) -> None:
    table = Case(0, language)
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat)
    request = pending(table.state)[0]
    share, *others = spec_fields(variants(request.spec)[0].spec)
    before = {
        "none": (),
        "optional": (Field(name=share.name, spec=FreeText(), optional=True),),
        "required": (share,),
    }
    spec = Form(fields=(*before[statement], *others))
    action = seat.answer(table.state, replace(request, spec=spec))
    values, words = dict(action.values), phrases(table.state, table.me)  # pyright: ignore
    wait = words("case.wait")
    assert values["question"].startswith(values["target"])
    assert wait not in values["question"]
    said = {"none": None, "optional": "", "required": wait}
    assert values.get(share.name) == said[statement]


@in_both
def test_6_a_question_that_was_already_put_to_a_seat_is_not_put_again(language: Language) -> None:
    table = Case(0, language)
    seat = new_seat(table.me, case_steps(target=table.names[1]))
    table.go(seat)
    request = pending(table.state)[0]
    _, taken = seat.take(table.state)
    put = QuestionAsked(
        request="other",
        seat=SeatId(table.names[2]),
        to=SeatId(taken["target"]),
        text=taken["question"],
        audience="all",
    )
    seen = observe_request(table.state, request)
    for events, is_opening in ((seen.events, True), ((*seen.events, put), False)):
        other = new_seat(table.me, case_steps())
        told = replace(seen, events=events)
        answer = asyncio.run(other.player.act(told, request, Random(1)))
        [rule] = notes(answer.reports, "rule")
        assert (rule["family"] == "opening_first") == is_opening
