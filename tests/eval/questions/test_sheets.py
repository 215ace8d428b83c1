"""Sheets: who is asked what, what each prompt holds, and that prompts begin alike."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.errors import ConfigError
from eval.questions.prefix_groups import (
    PictureLimits,
    PrefixGroup,
    make_prefix_groups,
    render_demand,
    render_question,
)
from eval.questions.quiz_items import QuizItem, make_items
from eval.questions.quiz_settings import ClueScope, PictureForm, QuizSettings
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.script import Language, Picture, Script
from tests.eval.questions.made import (
    NO_TEXTS,
    OPTIONS,
    quiz_case,
    settings,
)
from tests.table import (
    MURDERER,
    NAMES,
    picture,
    secret,
)

CIVILIANS = tuple(name for name in NAMES if name != MURDERER)


def asked(items: Iterable[QuizItem]) -> Counter[str]:
    return Counter(item.question.id for item in items)


def text_of(sheet: PrefixGroup) -> str:
    return "\n".join(message.text for message in sheet.prefix)


def sheet_of(script: Script, question: str, given: QuizSettings, reader: str = "") -> PrefixGroup:
    limits = replace(NO_TEXTS, texts={picture(n).sha256: f"READ-{n}" for n in (1, 2)})
    [found] = [
        sheet
        for sheet in make_prefix_groups(script, given, limits)
        if any((one.question.id, one.reader) == (question, reader) for one in sheet.items)
    ]
    return found


def test_a_script_question_goes_to_its_role_pictures_go_once_and_the_rest_to_every_civilian() -> (
    None
):
    items = make_items(quiz_case(), settings())
    assert asked(items) == {
        "lsu-own": 1,
        "tiu-plan": 1,
        "miu-any": 1,
        **dict.fromkeys(("mmr-0", "mmr-2", "obj-two", "rea-set", "inf-pinned"), 4),
    }
    assert {item.reader for item in items} == {"", *CIVILIANS}


def test_all_readers_are_the_culprit_too() -> None:
    items = make_items(quiz_case(), settings(readers="all"))
    assert asked(items)["lsu-guilty"] == 1
    assert asked(items)["mmr-0"] == 5


@pytest.mark.parametrize("clues", ["all", "public"])
def test_what_depends_on_no_seat_is_asked_once(clues: ClueScope) -> None:
    items = make_items(quiz_case(), settings(clues=clues))
    assert set(asked(items).values()) == {1}


def test_samples_and_orders_multiply_and_every_item_has_a_name_of_its_own() -> None:
    given = settings(kinds=("tiu", "inf"), samples=3, orders=4, temperature=1.0)
    items = make_items(quiz_case(), given)
    assert asked(items) == {"tiu-plan": 12, "inf-pinned": 12}
    assert len({item.id for item in items}) == len(items)


def test_a_seat_reads_its_own_script_and_clues_and_never_those_of_others_or_the_truth() -> None:
    script = quiz_case()
    for sheet in make_prefix_groups(script, settings(), NO_TEXTS):
        [reader] = {item.reader for item in sheet.items}
        text = text_of(sheet)
        for name in NAMES:
            assert (secret(name) in text) == (name == reader)
        assert ("CLUE-OF-BRAM" in text) == (reader == NAMES[1])
        assert "TRUTH" not in text
        assert "KEY-CLUE" not in text
        assert "STEM" not in text


def test_a_script_question_shows_no_clue_and_a_picture_question_only_its_pictures() -> None:
    script = quiz_case()
    lsu = sheet_of(script, "lsu-own", settings(), NAMES[0])
    assert "Log book" not in text_of(lsu)
    assert not any(one.picture for one in lsu.prefix)
    tiu = sheet_of(script, "tiu-plan", settings())
    assert "Log book" not in text_of(tiu)
    assert [one.picture.file for one in tiu.prefix if one.picture] == ["1.png", "2.png"]
    mmr = sheet_of(script, "mmr-0", settings(), NAMES[0])
    assert "Log book" in text_of(mmr)
    assert len([one for one in mmr.prefix if one.picture]) == 2


@pytest.mark.parametrize(
    ("clues", "scripts", "own_clue", "key_clue"),
    [
        ("own", {NAMES[1]}, True, 0),
        ("given", {NAMES[1]}, True, 1),
        ("all", set(NAMES), True, 0),
        ("public", set[str](), False, 0),
    ],
)
def test_each_ablation_of_clues_shows_what_it_says(
    clues: ClueScope, scripts: set[str], own_clue: bool, key_clue: int
) -> None:
    reader = NAMES[1] if clues in {"own", "given"} else ""
    text = text_of(sheet_of(quiz_case(), "mmr-2", settings(clues=clues), reader))
    assert {name for name in NAMES if secret(name) in text} == scripts
    assert ("CLUE-OF-BRAM" in text) == own_clue
    assert text.count("KEY-CLUE") == key_clue
    assert "Otto Lamm" in text


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("ocr", "READ-1"),
        ("transcript", "written in picture 1"),
        ("caption", "seen in picture 1"),
        ("none", "is not shown."),
    ],
)
def test_each_form_of_pictures_shows_its_words_and_no_picture(
    form: PictureForm, words: str
) -> None:
    sheet = sheet_of(quiz_case(), "tiu-plan", settings(pictures=form))
    assert not any(one.picture for one in sheet.prefix)
    text = text_of(sheet)
    assert words in text
    others = {"READ-1", "written in picture 1", "seen in picture 1"} - {words}
    assert not any(other in text for other in others)


@pytest.mark.parametrize("form", ["ocr", "transcript", "caption"])
def test_a_picture_without_words_is_said_to_have_none(form: PictureForm) -> None:
    script = quiz_case()
    bare = replace(picture(1), transcript="", description="")
    clues = tuple(replace(one, pictures=(bare,) if one.pictures else ()) for one in script.clues)
    script = replace(script, clues=clues)
    given = settings(pictures=form, kinds=("tiu",))
    [sheet] = make_prefix_groups(script, given, PictureLimits(texts={bare.sha256: ""}))
    assert "No text was found" in text_of(sheet) or "nothing describes it" in text_of(sheet)


def test_more_pictures_than_a_model_takes_become_one_numbered_board() -> None:
    composed: list[tuple[Picture, ...]] = []

    def compose(pictures: Iterable[Picture]) -> Picture:
        composed.append(tuple(pictures))
        return picture(99)

    given = settings(kinds=("tiu",))
    few = PictureLimits(texts={}, most=1, compose=compose)
    [sheet] = make_prefix_groups(quiz_case(), given, few)
    assert [one.picture.file for one in sheet.prefix if one.picture] == ["99.png"]
    assert [one.file for one in composed[0]] == ["1.png", "2.png"]
    assert "(1)" in text_of(sheet)
    assert "(2)" in text_of(sheet)
    [whole] = make_prefix_groups(quiz_case(), given, replace(few, most=2))
    assert len([one for one in whole.prefix if one.picture]) == 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_question_shows_its_options_in_the_order_and_says_what_is_wanted(
    language: Language,
) -> None:
    script = replace(quiz_case(), language=language)
    for item in make_items(script, settings()):
        text = render_question(item)
        assert item.question.stem in text
        shown = [line.partition(". ")[2] for line in text.splitlines()[-4:]]
        assert shown == [OPTIONS[number] for number in item.shown]
        assert (item.reader in text) == bool(item.reader) or not item.reader
        demand = render_demand(item)
        example = {"one": "D", "two": "AD", "set": "AD"}[item.question.answer]
        assert example in demand


def test_who_did_it_from_what_is_public_shows_no_private_word() -> None:
    given = settings(public_only=True, orders=5)
    [sheet] = make_prefix_groups(quiz_case(), given, NO_TEXTS)
    text = text_of(sheet)
    assert not any(secret(name) in text for name in NAMES)
    assert "CLUE-OF-BRAM" not in text
    assert "Log book" in text
    assert len(sheet.items) == 5
    for item in sheet.items:
        assert item.question.options == NAMES
        assert item.question.keys == (NAMES.index(MURDERER),)


def test_a_script_without_a_culprit_among_the_roles_is_not_asked_who_did_it() -> None:
    script = quiz_case()
    nobody = replace(script, truth=replace(script.truth, culprits=()))
    assert make_items(nobody, settings(public_only=True)) == ()


@pytest.mark.slow
@pytest.mark.parametrize("clues", ["own", "given", "all", "public"])
def test_all_bundled_questions_are_asked_and_prefixes_are_shared(clues: ClueScope) -> None:
    for entry in list_bundled():
        for language in entry.languages:
            script = find_script(entry.id, language).script
            sheets = make_prefix_groups(script, settings(clues=clues), NO_TEXTS)
            keyed = {
                one.id for one in script.questions if one.keys and one.role not in script.murderers
            }
            assert {item.question.id for sheet in sheets for item in sheet.items} == keyed
            assert len({sheet.prefix for sheet in sheets}) == len(sheets)
            for before, after in pairwise(sheets):
                assert before.prefix[:2] == after.prefix[:2]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"samples": 0}, "samples must be"),
        ({"samples": 2}, "temperature 0"),
        ({"orders": 27}, "orders must be"),
        ({"temperature": 3.0}, "0 to 2"),
        ({"kinds": ()}, "got none"),
    ],
)
def test_settings_that_ask_nothing_are_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        settings(**values)
