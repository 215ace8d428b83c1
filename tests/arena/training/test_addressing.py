"""The judge of the bundled scripts tells answers that address a question from others."""

import pytest

from arena.training.addressing import Asked, AskedCase, judge_addressing
from arena.training.bundled import read_deaths
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.script import LANGUAGES, Language

CASES: dict[Language, tuple[str, str]] = {
    "en": ("Nell Ashby", "Leopold Crane"),
    "zh": ("叶小满", "顾鹤年"),
}


def judged(language: Language, asked: Asked, reply: str, about: str = "") -> tuple[bool, bool]:
    """Return whether a reply in `first-night` addresses a question, and whether it evades it."""
    script = find_script("first-night", language).script
    seat, victim = CASES[language]
    case = AskedCase(
        script=script, seat=seat, asked=asked, about=about or victim,
        death=read_deaths(script)[victim],
    )  # fmt: skip
    found = judge_addressing(case)(reply)
    return found["addresses"][0], found["evades"][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "reply", "expected"),
    [
        ("alibi", "20:12 I stood in the prompt corner beside Miles.", True),
        ("alibi", "I was in the wardrobe from 20:02 to 20:40.", True),
        ("alibi", "I told the constable that I was at the props table throughout the storm.", True),
        ("alibi", "I have the page here.", False),
        ("alibi", "18:50 Leopold wanted to see prop 14.", False),
        ("alibi", "I was out in the street at 19:05.", False),
        ("alibi", "I did not kill Leopold Crane, and I do not know who did.", False),
        ("last_seen", "19:46 Leopold was on stage.", True),
        ("last_seen", "20:36 I saw Iris Vane.", False),
        ("last_seen", "20:33 Leopold was dead.", False),
        ("relation", "Leopold forgave me nothing.", True),
        ("relation", "20:14 I saw Leopold.", False),
        ("relation", "It was a good speech.", False),
        ("hidden", "The fall was never cleared; if it comes out, I will never work again.", True),
        ("hidden", "But nobody else knows what I know about the rack and the pass door.", True),
        ("hidden", "I am left-handed, and there is always ink on my cuff.", False),
        ("known", "20:11 The corridor was empty.", True),
        ("known", "The clue “A letter” says: Miles wrote it.", False),
        ("known", "Make of it what I like; it is what I have.", False),
        ("case", "The clue “A letter” says: Miles wrote it.", True),
    ],
)
def test_an_english_answer_addresses_a_question(
    asked: Asked, reply: str, *, expected: bool
) -> None:
    assert judged("en", asked, reply) == (expected, False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "reply", "expected"),
    [
        ("alibi", "20:12 我站在监督台边，挨着贺敬山。", True),
        ("alibi", "20:20 从活板口落到垫子上。", True),
        ("alibi", "20:20 贺敬山喊了一声。", False),
        ("alibi", "我是左撇子，袖口上老有墨。", False),
        ("last_seen", "19:46 顾鹤年正在台上。", True),
        ("relation", "顾鹤年骂过我。", True),
        ("hidden", "我对警员说，我一直守在道具桌边。", True),
        ("known", "这话说得好。", False),
    ],
)
def test_a_chinese_answer_addresses_a_question(asked: Asked, reply: str, *, expected: bool) -> None:
    assert judged("zh", asked, reply) == (expected, False)


def test_another_seat_is_named_by_a_part_of_the_name_or_an_alias() -> None:
    assert judged("en", "of_other", "Miles took me for Iris.", "Miles Tarrant") == (True, False)
    assert judged("zh", "of_other", "老贺朝我点点头。", "贺敬山") == (True, False)
    assert judged("en", "of_other", "He took me for Iris.", "Miles Tarrant") == (False, False)


def test_a_refusal_addresses_only_the_question_that_it_fits() -> None:
    nothing = "I know nothing of Miles Tarrant that would help."
    assert judged("en", "of_other", nothing, "Miles Tarrant") == (True, True)
    assert judged("en", "alibi", nothing) == (False, False)
    assert judged("en", "alibi", "I can say nothing of that hour.") == (True, True)
    assert judged("en", "reason", "I did not kill Leopold Crane.") == (True, True)


def test_an_answer_that_begins_with_a_reference_does_not_stand_alone() -> None:
    judge = judge_addressing(
        AskedCase(script=find_script("first-night", "en").script, seat="Nell Ashby", asked="known")
    )
    assert not judge("It was a good speech.")["alone"][0]
    assert not judge("“Leave that to me.”")["alone"][0]
    assert judge("That evening the lamp was out.")["alone"][0]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_facts_of_every_bundled_script_say_when_each_victim_died(language: Language) -> None:
    for entry in list_bundled():
        script = find_script(entry.id, language).script
        found = read_deaths(script)
        assert set(found) == set(script.victims)
        assert all(first <= last for first, last in found.values())
