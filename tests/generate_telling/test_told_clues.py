"""Clues, questions and pictures: the facts stand in them, the answers do not stand in the stems."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts_mm.drawing.paper import png
from scripts_mm.generate.asking.asks import draw_asks
from scripts_mm.generate.pictures.drawn import MEDIA, TRACES
from scripts_mm.generate.pictures.emblems import EMBLEMS
from scripts_mm.generate.pictures.ground import TraceSpec
from scripts_mm.generate.pictures.scenes import _SHOWS  # pyright: ignore[reportPrivateUsage]
from scripts_mm.generate.telling import clue_text, option, question, rationale
from scripts_mm.generate.telling.lexicon import entries
from scripts_mm.generate.telling.phrases import hour
from scripts_mm.generate.world import TEXT_RICH, Ask
from scripts_mm.script import LANGUAGES, Language
from tests.generate_telling.making import cast_of, faces, pictures, world

SEEDS = st.integers(0, 60)
OTHER_LOOKS = {
    ("cup", "left"), ("matches", "right"), ("wall", "203"), ("shelf", "5"), ("cabinet", "bent"),
    ("cabinet", "whole"), ("notebook", "one"), ("notebook", "half"),
}  # fmt: skip
"""Looks that are drawn by a side, a number or a state."""


def asks(seed: int) -> tuple[Ask, ...]:
    return draw_asks(world(seed), lambda _: (1, 1), Random(seed))


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_clues_share_a_title_or_a_text(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    facts = {fact.id: fact for fact in made.facts}
    told = [
        clue_text(one, [facts[name] for name in one.facts], made.frame, names, language, Random(at))
        for at, one in enumerate(made.frame.clues)
    ]
    assert len({one.title for one in told}) == len(told)
    assert len({one.text for one in told}) == len(told)
    assert all(names.file in one.text for one in told)


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_clue_of_words_tells_its_facts_and_one_with_a_picture_does_not(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    facts = {fact.id: fact for fact in made.facts}
    for clue in made.frame.clues:
        told = [facts[name] for name in clue.facts]
        text = clue_text(clue, told, made.frame, names, language, Random(seed)).text
        people = {names.names[fact.who] for fact in told if fact.who}
        if clue.medium == "text":
            assert all(name in text for name in people)
        else:
            assert not any(name in text for name in people)


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_stems_differ_and_options_differ_and_no_stem_gives_its_answer(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    stems: list[tuple[str, str]] = []
    for ask in asks(seed):
        stem = question(ask, made, names, language)
        options = [option(ref, names, made.frame, language) for ref in ask.options]
        assert len({*options}) == len(options), stem
        if ask.options[ask.keys[0]][0] in ("person", "time", "span", "minutes"):
            assert options[ask.keys[0]] not in stem
        stems.append((ask.kind, stem))
    assert len({*stems}) == len(stems)


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_has_at_most_five_sentences(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    stop = "。" if language == "zh" else ". "
    for ask in asks(seed):
        if ask.kind == "inf":
            told = rationale(ask, made, names, language)
            assert told
            assert told.count(stop) <= 5


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="known kind"):
        option(("weather", "rain"), cast_of(1, "en"), world(1).frame, "en")


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_picture_says_its_facts_in_words_for_who_cannot_see_it(
    language: Language, seed: int
) -> None:
    names = cast_of(seed, language)
    for medium, facts, spec in pictures(seed, language):
        assert spec.kind == ("text" if medium in TEXT_RICH else "media")
        read = f"{spec.transcript}\n{spec.description}"
        for fact in facts:
            if fact.who:
                assert names.names[fact.who] in read, (medium, fact.id)
            if fact.form == "reading":
                assert hour(fact.start) in read, medium
            if fact.form == "way":
                assert names.labels[fact.places[1]] in spec.transcript
                assert str(fact.minutes) in spec.transcript
            if fact.form == "seen":
                assert hour(fact.start) in spec.transcript
                assert hour(fact.end) in spec.transcript


@given(seed=SEEDS)
def test_the_culprit_is_named_in_no_picture_as_such(seed: int) -> None:
    for _, _, spec in pictures(seed, "en"):
        assert "murderer" not in spec.transcript.lower()


def test_no_two_pictures_are_the_same_as_a_whole() -> None:
    found = [spec for seed in range(60) for _, _, spec in pictures(seed, "en")]
    assert len({one.key for one in found}) == len(found)
    assert len({one.transcript for one in found}) == len(found)
    assert len({one.description for one in found}) == len(found)


@settings(max_examples=1)
@given(seed=st.just(4))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_picture_of_a_case_is_drawn_and_drawn_again_alike(
    language: Language, seed: int
) -> None:
    fonts = faces(language)
    for medium, _, spec in pictures(seed, language):
        image = spec.draw(fonts, Random(medium))
        assert max(image.size) <= 1400
        assert image.size[0] * image.size[1] <= 980 * 980, medium
        if medium in ("cctv", "roster"):
            assert png(image) == png(spec.draw(fonts, Random(medium)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_look_of_every_trait_can_be_drawn(language: Language) -> None:
    fonts = faces(language)
    looks = {
        (form, show)
        for trait in entries(language, "traits").values()
        for form in trait["looks"]
        for show in _SHOWS.get(form, ())[:1]
    } | OTHER_LOOKS
    assert {form for form, _ in looks} == set(TRACES)
    for form, show in sorted(looks):
        spec = TraceSpec(look=form, show=show, label="", card="A", caption="", boards=True,
                         ground=(120, 110, 90), turn=4, seed=3)  # fmt: skip
        assert TRACES[form](spec, fonts, Random(1)).size == (880, 784)


def test_every_token_of_a_trace_has_its_drawing() -> None:
    for trait in entries("en", "traits").values():
        for form, look in trait["looks"].items():
            if form in _SHOWS:
                assert len(look["t"]) == len(_SHOWS[form]), form
    signs = {one for form in ("heel", "paper", "dust", "button", "foot") for one in _SHOWS[form]}
    assert signs <= set(EMBLEMS)
    assert set(MEDIA) >= TEXT_RICH
