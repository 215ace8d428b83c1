"""Clues, questions and pictures: the facts stand in them, the answers do not stand in the stems."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts_mm.generate.pictures.dispatch import MEDIA, TRACES
from scripts_mm.generate.pictures.emblems import EMBLEMS
from scripts_mm.generate.pictures.scene_pictures import _SHOWS, _STATES  # pyright: ignore[reportPrivateUsage]
from scripts_mm.generate.pictures.trace_photo import TraceSpec
from scripts_mm.generate.plots import PLOTS
from scripts_mm.generate.questions.question_set import sample_questions
from scripts_mm.generate.text import render_option, render_question, render_rationale
from scripts_mm.generate.text.clue_text import render_clue
from scripts_mm.generate.text.lexicon import load_book
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.world import CRIME, TEXT_RICH, QuestionSpec
from scripts_mm.script import LANGUAGES, Language
from tests.scripts_mm.generate.making import (
    cast_of,
    faces,
    pictures,
    world,
)

SEEDS = st.integers(0, 60)
OTHER_LOOKS = {
    ("cup", "left"), ("matches", "right"), ("wall", "203"), ("shelf", "5"), ("cabinet", "bent"),
    ("cabinet", "whole"), ("notebook", "one"), ("notebook", "half"),
}  # fmt: skip
"""Looks that are drawn by a side, a number or a state."""


def asks(seed: int) -> tuple[QuestionSpec, ...]:
    return sample_questions(world(seed), lambda _: (1, 1), Random(seed))


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_clues_share_a_title_or_a_text(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    facts = {fact.id: fact for fact in made.facts}
    told = [
        render_clue(
            one, [facts[name] for name in one.facts], made.frame, names, language, Random(at)
        )
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
        text = render_clue(clue, told, made.frame, names, language, Random(seed)).text
        people = {names.names[fact.who] for fact in told if fact.who}
        if clue.medium == "text":
            assert all(name in text for name in people)
        else:
            assert not any(name in text for name in people)


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_stems_differ_and_options_differ_and_no_stem_gives_its_answer(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    stems: list[tuple[str, str]] = []
    for ask in asks(seed):
        stem = render_question(ask, made, names, language)
        options = [render_option(ref, names, made.frame, language) for ref in ask.options]
        assert len({*options}) == len(options), stem
        if ask.options[ask.keys[0]][0] in ("person", "time", "span", "minutes"):
            assert options[ask.keys[0]] not in stem
        stems.append((ask.kind, stem))
    assert len({*stems}) == len(stems)


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_has_at_most_five_sentences(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    stop = "。" if language == "zh" else ". "
    for ask in asks(seed):
        if ask.kind == "inf":
            told = render_rationale(ask, made, names, language)
            assert told
            assert told.count(stop) <= 5


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="known kind"):
        render_option(("weather", "rain"), cast_of(1, "en"), world(1).frame, "en")


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
                assert format_time(fact.start) in read, medium
            if fact.form == "way":
                assert names.labels[fact.places[1]] in spec.transcript
                assert str(fact.minutes) in spec.transcript
            if fact.form == "seen":
                assert format_time(fact.start) in spec.transcript
                assert format_time(fact.end) in spec.transcript


@given(seed=SEEDS)
def test_the_culprit_is_named_in_no_picture_as_such(seed: int) -> None:
    for _, _, spec in pictures(seed, "en"):
        assert "murderer" not in spec.transcript.lower()


def test_no_two_pictures_are_the_same_as_a_whole() -> None:
    found = [spec for seed in range(60) for _, _, spec in pictures(seed, "en")]
    assert len({one.key for one in found}) == len(found)
    assert len({one.transcript for one in found}) == len(found)
    assert len({one.description for one in found}) == len(found)


@pytest.mark.slow
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
            assert image == spec.draw(fonts, Random(medium))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_look_of_every_trait_can_be_drawn(language: Language) -> None:
    fonts = faces(language)
    looks = {
        (form, show)
        for trait in load_book(language, "traits").values()
        for form in trait["looks"]
        for show in _SHOWS.get(form, ())[:1]
    } | OTHER_LOOKS
    assert {form for form, _ in looks} == set(TRACES)
    for form, show in sorted(looks):
        spec = TraceSpec(look=form, show=show, label="", card="A", caption="", boards=True,
                         ground=(120, 110, 90), turn=4, seed=3)  # fmt: skip
        assert TRACES[form](spec, fonts, Random(1)).size == (880, 784)


def test_every_token_of_a_trace_has_its_drawing() -> None:
    for trait in load_book("en", "traits").values():
        for form, look in trait["looks"].items():
            if form in _SHOWS:
                assert len(look["t"]) == len(_SHOWS[form]), form
    signs = {one for form in ("heel", "paper", "dust", "button", "foot") for one in _SHOWS[form]}
    assert signs <= set(EMBLEMS)
    assert set(MEDIA) >= TEXT_RICH


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_left_at_the_scene_was_found_at_the_scene(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    facts = {fact.id: fact for fact in made.facts}
    frame = made.frame
    elsewhere = [names.at[one] for one in (*frame.other_places, frame.body) if one != frame.scene]
    hidden = PLOTS[frame.plot].acts[0].scene == "hidden"
    for clue in frame.clues:
        if clue.medium in ("clock", "trace") and facts[clue.facts[0]].crime == CRIME:
            told = [facts[name] for name in clue.facts]
            text = render_clue(clue, told, made.frame, names, language, Random(seed)).text
            assert (names.at[frame.scene] in text) == (not hidden)
            assert hidden or not any(place in text for place in elsewhere)


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_drawn_is_what_is_said(language: Language, seed: int) -> None:
    names = cast_of(seed, language)
    for medium, facts, spec in pictures(seed, language):
        fact, drawn = facts[0], spec.spec
        if medium == "clock":
            assert drawn.minutes == fact.start % 720
        if medium == "trace":
            look = names.looks[fact.trait]
            assert drawn.look == look.form
            tokens = load_book(language, "traits")[fact.trait]["looks"][look.form].get("t", [])
            if look.form in _SHOWS:
                assert _SHOWS[look.form].index(drawn.show) == tokens.index(look.tokens[fact.value])
            if look.form in ("cup", "matches"):
                assert drawn.show == fact.value
            if look.form == "wall":
                assert look.tokens[fact.value].startswith(drawn.show)
        if medium == "cctv":
            assert names.names[fact.who] in drawn.note
            assert [one.held for one in drawn.figures] == ["none"]
        if medium == "calls":
            rows = [one for one in drawn.calls if one.way == "out"]
            assert [(one.name, one.time) for one in rows] == [
                (names.caller, format_time(fact.start))
            ]
        if medium == "receipt":
            assert any(format_time(fact.start) in line for line in drawn.lines)


def test_the_clothes_that_cameras_see_are_of_no_coats_colour() -> None:
    """Green, grey and red coats tell suspects apart; a still must not give them away."""
    for seed in range(30):
        for medium, _, spec in pictures(seed, "en"):
            if medium == "cctv":
                red, green, blue = spec.spec.figures[0].coat
                assert not (green > red + 20 and green > blue + 20)
                assert not (red > green + 90 and red > blue + 90 and green < 100)
                grey = max(red, green, blue) - min(red, green, blue) < 12
                assert not (grey and 60 < green < 200)


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stem_names_the_one_that_it_is_about(language: Language, seed: int) -> None:
    made, names = world(seed), cast_of(seed, language)
    for ask in asks(seed):
        if ask.about in names.names and ask.form in ("cleared_by", "motive", "roster", "excuse"):
            assert names.names[ask.about] in render_question(ask, made, names, language)


@pytest.mark.parametrize(
    ("look", "value", "drawn"),
    [
        ("cabinet", "yes", "whole"),
        ("cabinet", "no", "bent"),
        ("notebook", "yes", "one"),
        ("notebook", "no", "half"),
    ],
)
def test_a_lock_or_book_that_somebody_knew_is_left_whole(look: str, value: str, drawn: str) -> None:
    assert _STATES[look][value] == drawn


SIGNS = {
    "star": "star|星", "ring": "ring|圆", "cross": "cross|十字", "diamond": "diamond|菱",
    "bars": "bars|横杠", "triangle": "triangle|三角", "crescent": "crescent|half-moon|月",
    "square": "square|方", "4": "four|四", "5": "five|五", "6": "six|六", "7": "seven|七",
    "8": "eight|八", "9": "nine|九", "swan": "swan|天鹅", "anchor": "anchor|铁锚",
    "lyre": "lyre|竖琴", "horseshoe": "horseshoe|马蹄", "sun": "sun|太阳", "bell": "bell|钟",
    "fish": "fish|鱼", "clover": "clover|三叶", "heart": "heart|心", "eight": "eight|葫芦",
    "oak": "oak|橡树", "crown": "crown|冠", "rose": "rose|蔷薇", "hexagon": "six-sided|六角",
    "studs": "studs|圆钉", "split": "split|双线", "broad": "broad|扁阔", "thin": "thin|细",
    "blots": "blot|墨点", "ragged": "ragged|毛边",
}  # fmt: skip
"""What each sign is called in either language."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sign_is_drawn_as_it_is_called(language: Language) -> None:
    for trait in load_book(language, "traits").values():
        for form, look in trait["looks"].items():
            for sign, token in zip(_SHOWS.get(form, ()), look.get("t", ()), strict=False):
                assert any(word in token for word in SIGNS[sign].split("|")), (form, sign, token)
