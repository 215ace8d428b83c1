"""The books of words: whole in both languages, with nothing that cannot be filled in."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts_mm.generate.id_pools import (
    HERRINGS,
    MOTIVES,
    PLACES,
    POSTS,
    RELATIONS,
    SECRETS,
    SETTINGS,
)
from scripts_mm.generate.text.lexicon import FOLDER, load_book, pairs, pool, setting_book
from scripts_mm.generate.text.person_names import sample_names
from scripts_mm.generate.text.templates import (
    fill_template,
    format_minutes,
    format_time,
    join_names,
)
from scripts_mm.generate.traits import TRAITS
from scripts_mm.generate.world import Sex
from scripts_mm.name_similarity import confusable_pairs
from scripts_mm.names import text_form
from scripts_mm.script import LANGUAGES, Language

BOOKS = ("facts", "traits", "life", "role", "case", "pictures", "questions", "names", "plots")
POOLS = ("places", "posts", "staff", "stopped", "clocks", "right", "events", "wares", "tills")
SLOT = re.compile(r"\{(\w+)\}")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a book with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for part in value:  # pyright: ignore[reportUnknownVariableType]
            yield from leaves(part, path)
    elif isinstance(value, dict):
        for name, part in value.items():  # pyright: ignore[reportUnknownVariableType]
            yield from leaves(part, f"{path}/{name}")


def shape(value: Any) -> Any:
    """Return the names in a book."""
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return None


@pytest.mark.parametrize("book", [one for one in BOOKS if one != "names"])
def test_both_languages_have_the_same_entries(book: str) -> None:
    assert shape(load_book("en", book)) == shape(load_book("zh", book))


@pytest.mark.parametrize("book", ["facts", "questions"])
def test_both_languages_fill_in_the_same_things(book: str) -> None:
    slots: list[dict[str, set[str]]] = []
    for language in LANGUAGES:
        found: dict[str, set[str]] = {}
        for path, text in leaves(load_book(language, book)):
            found.setdefault(path, set()).update(one.lower() for one in SLOT.findall(text))
        slots.append(found)
    assert slots[0] == slots[1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_furnished(language: Language, name: str) -> None:
    book = load_book(language, setting_book(name))
    assert len(book["places"]) == PLACES
    assert len({*pairs(language, setting_book(name), "places")}) == PLACES
    assert len({*book["posts"]}) == POSTS
    assert len({*book["clocks"]}) >= 8
    assert len(book["events"]) >= 9
    assert all(len(book[part]) == len({*map(str, book[part])}) for part in POOLS)
    assert len(book["heads"]) * len(book["tails"]) >= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_id_of_the_world_has_its_words(language: Language) -> None:
    life = load_book(language, "life")
    assert set(life["motives"]) == {*MOTIVES}
    assert set(life["secrets"]) == {*SECRETS}
    assert set(life["relations"]) == {*RELATIONS}
    assert set(life["herrings"]) == {*HERRINGS}
    traits = load_book(language, "traits")
    assert set(traits) == {one.id for one in TRAITS}
    for one in TRAITS:
        assert tuple(traits[one.id]["values"]) == one.values


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["motives", "secrets", "relations", "herrings"])
def test_options_of_a_kind_are_about_as_long(language: Language, kind: str) -> None:
    sizes = [len(one["option"]) for one in load_book(language, "life")[kind].values()]
    assert max(sizes) - min(sizes) <= (9 if language == "en" else 1), sizes


def test_chinese_texts_hold_no_half_width_punctuation() -> None:
    half = re.compile(r"[\u4e00-\u9fff}][,;:?!]|[,;?!][\u4e00-\u9fff{]")
    for path in sorted((FOLDER / "zh").rglob("*.json")):
        name = str(path.relative_to(FOLDER / "zh").with_suffix(""))
        wrong = [text for _, text in leaves(load_book("zh", name)) if half.search(text)]
        assert wrong == [], name


def test_english_texts_keep_to_signs_that_every_hand_has() -> None:
    for path in sorted((FOLDER / "en").rglob("*.json")):
        name = str(path.relative_to(FOLDER / "en").with_suffix(""))
        wrong = [text for _, text in leaves(load_book("en", name)) if not text.isascii()]
        assert wrong == [], name


@pytest.mark.slow
@given(seed=st.integers(0, 10_000), count=st.integers(5, 9))
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_people_can_be_mistaken(language: Language, seed: int, count: int) -> None:
    both: tuple[Sex, ...] = ("f", "m")
    sexes: list[Sex] = [both[at % 2] for at in range(count)]
    named = sample_names(language, sexes, 3, Random(seed), seed=seed)
    names = [one.name for one in named.full] + [*named.staff, named.caller, named.examiner]
    assert len(names) == count + 5
    assert confusable_pairs(names) == []
    parts = [part.casefold() for name in names for part in name.split(" ")]
    if language == "zh":
        signs = "".join(names)
        assert len({*signs}) == len(signs)
        assert all(2 <= len(name) <= 4 for name in names)
    else:
        assert len({part[:2] for part in parts}) == len(parts)
    for at, one in enumerate(parts):
        assert not any(one in other for other in parts[:at] + parts[at + 1 :])


def test_an_english_observation_fits_after_that() -> None:
    """A script says "You noticed that ...": no colon inside, and no second "that"."""
    assert any(" that {fact}" in one for one in pool("en", "facts", "trait-told"))
    for trait in load_book("en", "traits"):
        for wording in pool("en", "traits", trait, "has"):
            assert ":" not in wording, wording
            assert not wording.startswith("That "), wording


def test_what_a_chinese_script_or_witness_says_has_no_second_colon() -> None:
    """Before it stands "你记得清楚：" or "某人说：", with a colon of its own."""
    said = [*pool("zh", "facts", "seen-said")]
    for form in ("clock-ahead", "clock-behind", "events-after", "events-before"):
        said += pool("zh", "facts", f"offset-{form}")
    for trait in load_book("zh", "traits").values():
        said += trait["has"]
        for look in trait["looks"].values():
            for part in ("link", "link1", "link2"):
                said += [text for _, text in leaves(look[part])]
    said += [thing["reason"] for thing in load_book("zh", "plots")["staged"]["things"]]
    assert [one for one in said if "：" in one] == []


def test_a_chinese_lead_names_no_evening_of_its_own() -> None:
    """What follows often begins with "那晚": "那晚你看在眼里：那晚" would say it twice."""
    leads = pool("zh", "facts", "trait-told")
    assert [one for one in leads if re.search("那晚|有一回|看在眼里|亲眼", one)] == []


def test_no_english_article_stands_before_a_maker_whose_sound_varies() -> None:
    for path, text in leaves(load_book("en", "traits")):
        assert re.search(r"\ban? \{m\}", text, re.IGNORECASE) is None, (path, text)


def test_names_are_many() -> None:
    for language in LANGUAGES:
        for sex in ("f", "m"):
            assert len(pool(language, "names", "given", sex)) >= 90
        assert len(pool(language, "names", "surnames")) >= 140


def test_a_slot_with_a_capital_asks_for_one() -> None:
    assert fill_template("{clock} and {Clock}", {"clock": "the hall clock"}) == (
        "The hall clock and The hall clock"
    )
    with pytest.raises(KeyError):
        fill_template("{nobody}", {})


def test_figures_are_written_as_people_read_them() -> None:
    assert format_time(24 * 60 + 3) == "00:03"
    assert (format_minutes(1, "en"), format_minutes(2, "en"), format_minutes(2, "zh")) == (
        "1 minute",
        "2 minutes",
        "2分钟",
    )
    assert join_names(["A"], "en") == "A"
    assert join_names(["A", "B", "C"], "en") == "A, B and C"
    assert join_names(["甲", "乙"], "zh") == "甲、乙"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("motive", MOTIVES)
def test_the_truth_says_a_motive_in_other_words_than_those_who_know_of_it(
    language: Language, motive: str
) -> None:
    """Else a letter that tells what many know would quote the truth."""
    fills = {
        "en": {"who": "Perpetua Nightingale", "victim": "Josephine Merriweather"},
        "zh": {"who": "欧阳黎昕", "victim": "诸葛鹿鸣"},
    }[language]
    fills |= {"sum": "9,990", "month": "11", "years": "19", "small": "7", "town2": "Oz"}
    fills |= {one: one for one in ("he", "him", "his", "himself", "vhe", "vhim", "vhis")}
    least = 40 if language == "en" else 18
    path = ("life", "motives", motive, "stories")
    for story in load_book(language, "life")["motives"][motive]["stories"]:
        truth = text_form(fill_template(pool(language, *path, story, "why")[0], fills))
        for part in ("other", "you"):
            for wording in pool(language, *path, story, part):
                told = text_form(fill_template(wording, fills))
                runs = (truth[at : at + least] for at in range(len(truth) - least + 1))
                assert [run for run in runs if run in told] == []
