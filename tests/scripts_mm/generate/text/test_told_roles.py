"""Private scripts, openings, truths: alike for everybody, whole, and never twice the same."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts_mm.generate.text import (
    render_confession,
    render_fact,
    render_factual,
    render_lie,
    render_opening,
    render_truth,
)
from scripts_mm.generate.text.lexicon import pool_groups
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.world import WorldLie
from scripts_mm.script import LANGUAGES, Language
from tests.scripts_mm.generate.making import (
    cast_of,
    known,
    role,
    world,
)

SEEDS = st.integers(0, 60)
CJK = re.compile(r"[\u3400-\u9fff]")


def size(text: str, language: Language) -> int:
    return len(CJK.findall(text)) if language == "zh" else len(text.split())


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_has_the_length_that_a_player_reads_at_one_go(
    language: Language, seed: int
) -> None:
    least, most = (150, 620) if language == "en" else (220, 820)
    for one in world(seed).frame.suspects:
        text = role(seed, language, one.id)
        assert least <= size(text.testimony, language) <= most
        assert 40 <= size(text.secret, language) <= 130


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_script_tells_every_hour_and_everything_that_it_is_the_source_of(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    for one in made.frame.suspects:
        told = role(seed, language, one.id)
        text = f"{told.testimony}\n\n{told.secret}"
        assert names.names[one.id] in text
        assert names.posts[one.id] in text
        window = made.frame.windows[one.gap]
        assert format_time(window.start) in text
        assert format_time(window.end) in text
        assert names.at[one.alone] in text
        for company in made.frame.companies:
            if one.id in company.members:
                assert names.at[company.place] in text
                assert format_time(company.start) in text
                assert format_time(company.end) in text
                assert all(names.names[other] in text for other in company.members)
        for fact in known(made, one.id):
            if fact.who:
                assert names.names[fact.who] in text, fact.id
            if fact.form == "offset":
                assert str(abs(fact.minutes)) in text, fact.id


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_gets_paragraphs_of_the_same_kind(language: Language, seed: int) -> None:
    for one in world(seed).frame.suspects:
        assert role(seed, language, one.id).testimony.count("\n\n") == 3


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_script_is_told_twice(language: Language) -> None:
    told = [
        role(seed, language, one.id, draw).testimony
        for seed in range(20)
        for one in world(seed).frame.suspects
        for draw in range(2)
    ]
    assert len({*told}) == len(told)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_lead_comes_again_before_all_have_been_used(language: Language) -> None:
    """Also not with another of its choices: "a colleague told you", "a colleague said to you"."""
    leads = pool_groups(language, "facts", "trait-told")
    starts = [{one.split("{fact}")[0] for one in group} - {""} for group in leads]
    most = 0
    for seed in range(20):
        for one in world(seed).frame.suspects:
            told = role(seed, language, one.id).passages[3]
            count = sum(fact.form == "trait" for fact in known(world(seed), one.id))
            uses = [
                sum(said.startswith(tuple(group)) for said in told) for group in starts if group
            ]
            most = max(most, count)
            if count <= len(leads):
                assert max(uses) <= 1, told
    assert most > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_generator_tells_the_same(language: Language) -> None:
    assert role(3, language, "r1") == role(3, language, "r1")
    assert role(3, language, "r1") != role(3, language, "r1", draw=1)


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_questions_on_a_script_quote_it(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    for one in made.frame.suspects:
        text = role(seed, language, one.id)
        whole = f"{text.testimony}\n\n{text.secret}"
        found = render_factual(made.frame, names, one.id, whole, language)
        assert [about for about, *_ in found] == ["story"] * 3 + ["timeline"] * 3
        assert all(source in whole for *_, source in found)
        assert len({asked for _, asked, _, _ in found}) == 6


def test_a_script_that_does_not_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="none of"):
        render_factual(world(1).frame, cast_of(1, "en"), "r1", "You know nothing.", "en")


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_opening_says_who_is_dead_and_who_may_have_done_it(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    told = render_opening(made.frame, names, language, Random(seed))
    for name in names.names.values():
        assert name in told.text
    for part in (
        names.file,
        names.officer,
        format_time(made.frame.alive),
        format_time(made.frame.found),
    ):
        assert part in told.text
    assert names.names["victim"] in told.title


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_confession_is_as_long_as_a_secret_and_gives_the_hour(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    told = render_confession(made, names, language, Random(seed))
    assert 40 <= size(told, language) <= 110
    assert format_time(made.crime.moment) in told
    assert names.weapon in told


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_truth_names_the_culprit_the_hour_and_every_need(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    told = render_truth(made, names, language, Random(seed))
    assert names.names[made.crime.culprit] in told.text
    assert format_time(made.crime.moment) in told.method
    for fact in made.crime.facts:
        if fact.form == "needs":
            assert render_fact(fact, made.frame, names, language) in told.text


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fact_is_one_sentence_and_no_two_say_the_same(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    told = [render_fact(fact, made.frame, names, language) for fact in made.facts]
    assert all(one.endswith("。" if language == "zh" else ".") for one in told)
    assert all("{" not in one for one in told)
    assert told == [render_fact(fact, made.frame, names, language) for fact in made.facts]
    assert len({*told}) >= len(told) - made.frame.steps[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lie_speaks_of_the_liar(language: Language) -> None:
    made, names = world(2), cast_of(2, language)
    culprit = next(one for one in made.frame.suspects if one.id == made.crime.culprit)
    assert names.at[culprit.alone] in render_lie(
        made, names, WorldLie(form="place", against=()), language
    )
    trait = made.frame.traits[0]
    other = next(one for one in trait.values if one != culprit.traits[0])
    told = WorldLie(form="trait", trait=trait.id, value=other, against=())
    assert names.names[culprit.id] in render_lie(made, names, told, language)
    assert render_lie(made, names, WorldLie(form="hour", against=()), language)
