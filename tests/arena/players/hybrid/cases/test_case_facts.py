"""The own facts of a seat: which are listed for an analysis, and what their numbers mean later."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from arena.core.observation import ClueObservation, Observation, observe_request
from arena.core.purposes import Purpose
from arena.core.specs import FreeText
from arena.core.state import pending
from arena.players.hybrid.cases.case_view import own_facts
from scripts_mm.script import Language
from tests.arena.players.hybrid.stage import (
    Case,
    Lines,
    Steps,
    case_steps,
    new_seat,
)

in_both = pytest.mark.parametrize("language", ["en", "zh"])


def private(number: int, text: str) -> ClueObservation:
    """Return a clue that nobody else has seen."""
    return ClueObservation(
        key=f"private-{number}", title=f"Note {number}", text=text, pictures=(), private=True
    )


def view(table: Case) -> Observation:
    """Return what the seat whose turn it is knows."""
    return observe_request(table.state, pending(table.state)[0])


@in_both
def test_a_number_of_an_earlier_list_still_means_the_same_fact(language: Language) -> None:
    """The list was one without the private clue, which now stands first in it."""
    table, say = Case(0, language), Lines(language)
    heard = [say("key", "2"), "None"]
    steps: Steps = {**case_steps(target=table.names[1]), "analysis": lambda _: heard[0]}
    seat = new_seat(table.me, steps)
    table.go(seat)
    seen = replace(view(table), clues=())
    meant = own_facts(seen)[1]
    asked = replace(pending(table.state)[0], id="asked", purpose=Purpose.ANSWER, spec=FreeText())
    asyncio.run(seat.player.act(seen, asked, Random(1)))
    heard.pop(0)
    table.state, _ = seat.take(table.state)
    table.go(seat, round=2)
    assert own_facts(view(table))[1] != meant
    _, taken = seat.take(table.state)
    assert taken.rule == ("3", "decisive_fact", "template")
    assert meant.text in taken["share"]
    assert taken.table["key"] == meant.text


@in_both
def test_a_fact_that_was_known_stays_known_under_another_number(language: Language) -> None:
    table, say = Case(0, language), Lines(language)
    heard = [say("known", "2"), say("key", "3")]
    steps: Steps = {**case_steps(target=table.names[1]), "analysis": lambda _: heard[0]}
    seat = new_seat(table.me, steps)
    table.go(seat)
    seen = replace(view(table), clues=())
    known = own_facts(seen)[1]
    asked = replace(pending(table.state)[0], id="asked", purpose=Purpose.ANSWER, spec=FreeText())
    asyncio.run(seat.player.act(seen, asked, Random(1)))
    heard.pop(0)
    table.state, _ = seat.take(table.state)
    table.go(seat, round=2)
    assert own_facts(view(table))[2] == known
    _, taken = seat.take(table.state)
    assert taken.rule[1] != "decisive_fact"


def test_private_clues_are_listed_before_the_script_where_there_are_too_many() -> None:
    table = Case(0)
    seat = new_seat(table.me, case_steps())
    table.go(seat)
    seen = view(table)
    role = seen.role
    assert role is not None
    bram, dirk = table.names[1], table.names[3]
    lines = [f"At {number}:00 you saw {bram}." for number in range(20)]
    seen = replace(seen, role=replace(role, script=" ".join(lines)))
    note = private(1, f"{dirk} was here.")
    facts = own_facts(replace(seen, clues=(note,)))
    assert [one.clue for one in facts] == ["Note 1", *[""] * 11]
    assert [one.text for one in facts[1:]] == [
        f"At {number}:00 I saw {bram}." for number in range(9, 20)
    ]
    many = tuple(private(number, f"{dirk} said {number}.") for number in range(14))
    facts = own_facts(replace(seen, clues=many))
    assert [one.clue for one in facts] == [f"Note {number}" for number in range(2, 14)]


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", "In your own hand: {} owes me.", "In my own hand: {} owes me."),
        ("zh", "是你自己的字：{}欠钱。", "是我自己的字：{}欠钱。"),
    ],
)
def test_a_private_clue_that_addresses_its_owner_is_told_in_the_first_person(
    language: Language, text: str, spoken: str
) -> None:
    table = Case(0, language)
    table.go(new_seat(table.me, case_steps()))
    bram = table.names[1]
    facts = own_facts(replace(view(table), clues=(private(1, text.format(bram)),)))
    assert facts[0].text == spoken.format(bram)


def test_what_the_script_tells_its_player_to_do_is_no_fact() -> None:
    table = Case(0)
    table.go(new_seat(table.me, case_steps()))
    seen, bram = view(table), table.names[1]
    assert seen.role is not None
    script = f"You saw {bram}. Clear yourself, and say what you know of {bram}."
    facts = own_facts(replace(seen, clues=(), role=replace(seen.role, script=script)))
    assert [one.text for one in facts] == [f"I saw {bram}."]
