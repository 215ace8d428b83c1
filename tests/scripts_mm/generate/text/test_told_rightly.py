"""What a clue, a picture or a question says fits what it is and contradicts no true statement."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts_mm.drawing.photos.chat_screen import ChatScreenSpec
from scripts_mm.generate.id_pools import SETTINGS
from scripts_mm.generate.pictures.paper_pictures import _clamp_to_today  # pyright: ignore[reportPrivateUsage]
from scripts_mm.generate.pictures.scene_pictures import _SHELVES  # pyright: ignore[reportPrivateUsage]
from scripts_mm.generate.pictures.trace_shelf import _BOARDS  # pyright: ignore[reportPrivateUsage]
from scripts_mm.generate.text import render_factual
from scripts_mm.generate.text.clue_text import render_clue
from scripts_mm.generate.text.lexicon import FOLDER, load_book, pool, setting_book
from scripts_mm.generate.text.templates import format_time, indefinite_article
from scripts_mm.script import LANGUAGES, Language
from tests.scripts_mm.generate.making import (
    cast_of,
    pictures,
    role,
    world,
)

SEEDS = st.integers(0, 60)
SOLE = re.compile(r"\balone\b|\bonly\b|\bone (person|figure)\b|\bnobody\b|一个人|只有|独自|无人")
SHAPES = {
    "wrist": "watch|表", "pocket": "pocket watch|怀表", "alarm": "alarm|bedside|闹钟",
    "wall": "wall|ship's clock|挂钟|船钟",
    "square": "desk|table|travelling|carriage|mantel|bench|prayer|chronometer"
    "|台钟|座钟|旅行钟|航海钟",
}  # fmt: skip
"""What a clock of each shape may be called."""


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_camera_says_who_is_in_view_and_that_the_rest_lies_outside(
    language: Language, seed: int
) -> None:
    view, outside = {
        "en": ("in view", "outside the picture|part of"),
        "zh": ("画面内", "之外|照不到"),
    }[language]
    for medium, (fact, *_), spec in pictures(seed, language):
        if medium == "cctv":
            name = cast_of(seed, language).names[fact.who]
            for told in (spec.transcript, spec.description):
                assert re.search(f"{view}[:：] ?{name}", told, re.IGNORECASE), told
                assert SOLE.search(told) is None, told
            assert re.search(outside, spec.description), spec.description
            assert re.search(r"\(PART\)|局部", spec.spec.camera)


def test_above_the_gap_on_the_shelves_there_are_always_higher_boards() -> None:
    assert max(map(int, _SHELVES.values())) + 2 <= _BOARDS
    for language in LANGUAGES:
        tokens = load_book(language, "traits")["reach"]["looks"]["shelf"]["t"]
        assert not any("top" in one or "顶" in one for many in tokens.values() for one in many)


@pytest.mark.slow
@given(seed=SEEDS, draw=st.integers(0, 9))
@pytest.mark.parametrize("language", LANGUAGES)
def test_papers_for_the_inspector_were_not_picked_up_anywhere(
    language: Language, seed: int, draw: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    facts = {fact.id: fact for fact in made.facts}
    for clue in made.frame.clues:
        if clue.medium in ("report", "letter", "plan", "lab", "note"):
            told = [facts[name] for name in clue.facts]
            text = render_clue(clue, told, made.frame, names, language, Random(draw)).text
            assert not any(place in text for place in names.at.values()), text
            assert re.search("claims|认领", text) is None


def test_an_article_goes_by_the_sound() -> None:
    an = {"union": "a", "heir": "an", "X-ray nurse": "an", "usher": "an", "university man": "a",
          "hour": "an", "European": "a", "uninvited guest": "an", "baker": "a", "urn": "an",
          "one-armed man": "a", "honest man": "an", "hotel maid": "a"}  # fmt: skip
    assert {word: indefinite_article(word) for word in an} == an
    odd = {"union secretary": "a", "heir to a salt fortune": "an", "X-ray assistant": "an"}
    for name in SETTINGS:
        book = setting_book(name)
        for part in ("posts", "staff", "victims", "wares", "tills"):
            for word in pool("en", book, part):
                plain = "an" if word[0] in "aeiouAEIOU" else "a"
                assert indefinite_article(word) == odd.get(word, plain), word


def test_every_article_in_the_english_words_goes_by_the_sound() -> None:
    for path in sorted((FOLDER / "en").rglob("*.json")):
        for found, word in re.findall(r"\b(an?) ([\w'-]+)", path.read_text(encoding="utf-8")):
            assert indefinite_article(word) == found, (path.name, found, word)


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chat_of_today_ends_before_midnight_and_after_an_early_finding(
    language: Language, seed: int
) -> None:
    for medium, _, spec in pictures(seed, language):
        if medium == "chat":
            assert isinstance(spec.spec, ChatScreenSpec)
            times = [*(one.time for one in spec.spec.messages), spec.spec.clock]
            found = world(seed).frame.found
            if found < 23 * 60:
                times.insert(0, format_time(found))
            assert times == sorted(times)
            assert times[-1] >= "20:00"


def test_what_would_run_past_midnight_is_put_earlier() -> None:
    assert _clamp_to_today(1430, 40) + 40 == 24 * 60 - 1
    assert _clamp_to_today(1200, 40) == 1200


@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examiner_is_nobody_else_of_the_case(language: Language, seed: int) -> None:
    names = cast_of(seed, language)
    others = {*names.names.values(), *(name for name, _ in names.staff), names.caller}
    assert names.examiner not in others
    for medium, _, spec in pictures(seed, language):
        if medium == "report":
            assert names.examiner.rsplit(" ", maxsplit=1)[-1] in spec.spec.signature


def test_a_chinese_report_has_no_spaces_or_full_stops_of_english() -> None:
    found = 0
    for seed in range(12):
        for medium, _, spec in pictures(seed, "zh"):
            if medium == "report":
                found += 1
                for one in spec.spec.findings:
                    assert re.search(r"[.\u3400-\u9fff] [\u3400-\u9fff]|\.$", one) is None, one
    assert found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SETTINGS)
def test_a_stopped_clock_has_shapes_that_fit_its_name(language: Language, name: str) -> None:
    shapes = load_book(language, setting_book(name))["shapes"]
    assert tuple(shapes) == pool(language, setting_book(name), "stopped")
    for clock, fitting in shapes.items():
        assert fitting
        assert all(re.search(SHAPES[one], clock) for one in fitting), clock
        watch = "watch" in clock or "表" in clock
        assert not watch or {*fitting} <= {"wrist", "pocket"}, clock


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawn_clock_has_a_shape_of_its_name(language: Language, seed: int) -> None:
    book = load_book(language, setting_book(world(seed).frame.setting))["shapes"]
    for medium, _, spec in pictures(seed, language):
        if medium == "clock":
            assert spec.spec.shape in book[cast_of(seed, language).clocks[0]]


@pytest.mark.slow
@given(seed=SEEDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_question_on_a_script_takes_an_hour_without_witness_for_a_fact(
    language: Language, seed: int
) -> None:
    made, names = world(seed), cast_of(seed, language)
    for one in made.frame.suspects:
        text = role(seed, language, one.id)
        window = made.frame.windows[one.gap]
        found = render_factual(
            made.frame, names, one.id, f"{text.testimony}\n\n{text.secret}", language
        )
        for _, asked, answer, source in found:
            told = f"{asked}{answer}{source}"
            assert not (format_time(window.start) in told and format_time(window.end) in told)
            assert SOLE.search(asked) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mission_is_one_for_the_culprit_too(language: Language) -> None:
    for wording in pool(language, "role", "mission"):
        assert re.search("find out|learn who|guilty|找出|弄清是谁|真凶", wording.lower()) is None


def test_naming_two_says_that_it_counts_if_the_culprit_is_among_them() -> None:
    assert "among them" in load_book("en", "questions")["who_two"]
    assert "在其中就算对" in load_book("zh", "questions")["who_two"]


def test_weapons_and_their_blows_have_the_same_article() -> None:
    for row in load_book("en", "life")["weapons"]:
        assert set(row) == {"weapon", "method", "did", "finding"}
        found, word = row["weapon"].split(" ")[:2]
        assert indefinite_article(word) == found
        assert row["weapon"] in row["method"]
        assert row["weapon"] in row["did"]
