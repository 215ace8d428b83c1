"""A passage of a script can be understood alone, and people are known by parts of their names."""

from dataclasses import replace

import pytest

from arena.core.observation import Observation, observe
from arena.core.seats import SeatId
from arena.players.script_text.naming import People
from arena.players.script_text.passages import Passage, needs_context, read_passages
from scripts_mm.script import Language
from tests.arena.games.whodunit.scenes import start
from tests.table import case


def observe_script(text: str, name: str = "Ada Quill") -> Observation:
    """Return what a seat with this private script knows; the victim is Otto Lamm."""
    script = case()
    roles = tuple(
        replace(one, script=text, parts=()) if one.name == name else one for one in script.roles
    )
    return observe(start(script=replace(script, roles=roles)), SeatId(name))


def passages(text: str) -> list[Passage]:
    return [*read_passages(observe_script(text))]


def test_a_sentence_that_refers_to_another_one_is_said_with_it() -> None:
    found = passages("You met Bram Stone in the hall. He nodded to you twice. You went home alone.")
    assert [one.text for one in found] == [
        "I met Bram Stone in the hall.",
        "I met Bram Stone in the hall. He nodded to me twice.",
        "I went home alone.",
    ]


def test_a_reference_across_a_paragraph_is_not_said() -> None:
    found = passages("You met Bram Stone in the hall.\n\nHe nodded to you twice.")
    assert [one.text for one in found] == ["I met Bram Stone in the hall."]


def test_a_long_row_of_references_is_not_said_whole() -> None:
    rest = " ".join(f"He knocked at door number {number}." for number in range(2, 6))
    found = passages(f"You met Bram Stone at noon. {rest}")
    assert [one.text.count(".") for one in found] == [1, 2, 3]


def test_a_sentence_that_was_cut_at_an_abbreviation_is_said_whole() -> None:
    (found,) = passages("You went off on the O.P. side of the stage.")
    assert found.text == "I went off on the O.P. side of the stage."


def test_a_passage_has_the_heading_of_its_section_and_the_person_that_it_means() -> None:
    text = "Otto Lamm was your uncle.\n\nYour secret\nHe owed you nine crowns, and you wanted them."
    found = passages(text.replace("\n\nYour secret\nHe", "\n\nYour secret\nAs all know, he"))
    assert [one.heading for one in found] == ["Otto Lamm was your uncle.", "Your secret"]
    assert [one.about for one in found] == ["", "Otto Lamm"]


@pytest.mark.parametrize(
    ("sentence", "language", "expected"),
    [
        ("It was a good speech.", "en", True),
        ("It caught my eye: the lamp was out.", "en", False),
        ("That evening I had a key.", "en", False),
        ("But my lie robs three people: Ada and you.", "en", True),
        ("“Leave that to me.”", "en", True),
        ("You told Bram: “Leave that to me.”", "en", False),
        ("You said so to Ada.", "en", True),
        ("The clock was wrong, and you said so.", "en", False),
        ("他点了点头。", "zh", True),
        ("你只告诉了范春生。", "zh", True),
        ("那天晚上你没有出门。", "zh", False),
        ("这个你敢起誓：灯灭了。", "zh", False),
        ("这事你没有说。", "zh", True),
        ("其实你没有出门。", "zh", False),
    ],
)
def test_a_reference_at_the_beginning_needs_context(
    sentence: str, language: Language, *, expected: bool
) -> None:
    assert needs_context(sentence, language) == expected


PEOPLE = People("en", ("Rosa Tovey", "Ivo March"), ("Osbert Tovey",))
CHINESE = People("zh", ("谭若兰", "欧阳朔", "范春生"), ("蒋亦如",))


@pytest.mark.parametrize(
    ("people", "text", "named"),
    [
        (PEOPLE, "Ivo planed.", ["Ivo March"]),
        (PEOPLE, "In March it rained on Ivory Street.", ["Ivo March"]),
        (PEOPLE, "Ivory is white.", []),
        (PEOPLE, "Tovey knew.", ["Osbert Tovey"]),
        (PEOPLE, "Rosa Tovey knew.", ["Rosa Tovey"]),
        (CHINESE, "若兰不在。", ["谭若兰"]),
        (CHINESE, "欧阳来了。", ["欧阳朔"]),
        (CHINESE, "蒋馆长走了，老范也走了。", ["范春生", "蒋亦如"]),
        (CHINESE, "蒋家的房子", []),
    ],
)
def test_a_person_is_named_by_a_part_of_the_name(
    people: People, text: str, named: list[str]
) -> None:
    everybody = (*people.seats, *people.victims)
    assert [one for one in everybody if people.are_named(text, one)] == named


def test_the_person_named_last_is_the_nearest() -> None:
    assert PEOPLE.last_named("Osbert called Ivo.") == "Ivo March"
    assert PEOPLE.last_named("Ivo called Osbert.") == "Osbert Tovey"
    assert not PEOPLE.last_named("It rained.")
