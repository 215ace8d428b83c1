"""Names that are nearly each other: told apart, matched and never merged."""

from dataclasses import replace

import pytest

from scripts_mm.findings import FindingLog
from scripts_mm.linting.question_checks import check_questions
from scripts_mm.name_similarity import (
    confusable_pairs,
    find_equal_name,
    find_misspellings,
    find_similar_name,
)
from tests.scripts_mm.making import a_script

ROLES = ("周小满", "唐·阿桥", "Ilse Varga")


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("唐•阿桥", "唐·阿桥"),
        ("唐 阿桥", "唐·阿桥"),
        ("ILSE VARGA", "Ilse Varga"),
        ("Ｉlse-Varga", "Ilse Varga"),
        ("周小漫", None),
        ("", None),
        ("·", None),
    ],
)
def test_a_name_matches_but_for_form(name: str, role: str | None) -> None:
    assert find_equal_name(name, ROLES) == role


def test_a_name_that_two_roles_match_matches_none() -> None:
    assert find_equal_name("林 阿桥", ("林·阿桥", "林阿桥")) is None


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("周小漫", "周小满"),
        ("周小", "周小满"),
        ("唐阿乔", "唐·阿桥"),
        ("Ilse Vargas", "Ilse Varga"),
        ("周小满", None),
        ("王小明", None),
        ("满", None),
    ],
)
def test_a_name_resembles_one_that_is_a_character_away(name: str, role: str | None) -> None:
    assert find_similar_name(name, ROLES) == role


@pytest.mark.parametrize(
    ("name", "role"), [("文圆", "文园"), ("李园", None), ("文园", None), ("Bo", None)]
)
def test_of_two_characters_the_first_must_be_the_same(name: str, role: str | None) -> None:
    assert find_similar_name(name, ("文园", "Al")) == role


def test_twins_are_names_that_a_reader_takes_for_each_other() -> None:
    assert confusable_pairs(("Ann Lee", "Ana Lee", "Bram", "ann-lee")) == [
        ("Ann Lee", "Ana Lee"),
        ("Ann Lee", "ann-lee"),
        ("Ana Lee", "ann-lee"),
    ]


def test_a_change_inside_a_name_is_found_wherever_it_stands() -> None:
    assert find_misspellings(("周小满",), ["那天周晓满来了。"]) == [("周晓满", "周小满", 1)]


def test_a_change_at_the_edge_must_return() -> None:
    assert find_misspellings(("周小满",), ["那天周小漫来了。"]) == []
    assert find_misspellings(("周小满",), ["周小漫来了，周小漫走了。"]) == [("周小漫", "周小满", 2)]


def test_what_changes_often_at_the_edge_is_the_next_word() -> None:
    text = "".join(f"周小{char}，周小{char}。" for char in "说走来去问")
    assert find_misspellings(("周小满",), [text]) == []


def test_misspelt_words_of_latin_names_are_found() -> None:
    told = find_misspellings(
        ("Ilse Varga", "Elsa Brook"), ["Ilsa met Ilse Varga and Elsa at Brooks."]
    )
    assert ("Ilsa", "Ilse Varga", 1) in told
    assert {word for word, _, _ in told} == {"Ilsa", "Brooks"}


def test_words_that_texts_write_small_as_well_are_no_names() -> None:
    text = "While they ate, the male cat sat in the office. Male or not, while it rained. Office."
    assert find_misspellings(("Whill Male", "Maley Officer"), [text]) == []


def test_a_character_that_stands_before_names_is_no_slip() -> None:
    assert (
        find_misspellings(("林阿桥",), ["我的阿桥，你的阿桥，这个阿桥，那个阿桥，是阿桥，是阿桥。"])
        == []
    )
    assert find_misspellings(("林阿桥",), ["凌阿桥来了，凌阿桥走了。"]) == [("凌阿桥", "林阿桥", 2)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("They met Alexa Hartmann.", ["Alexa Hartmann"]),
        ("They met Alexandra Hartmann.", ["Alexandra Hartmann"]),
        ("They met Alexander Hart.", ["Alexander Hart"]),
        ("They met Bram Hartmann and Alexander Oake.", []),
        ("They met Alexander Hartmann.", []),
    ],
)
def test_whole_names_of_which_one_word_drifted_are_found(text: str, found: list[str]) -> None:
    told = find_misspellings(("Alexander Hartmann", "Ilse Varga"), [text])
    assert [variant for variant, _, _ in told] == found


@pytest.mark.parametrize(
    ("stem", "severity"),
    [
        ("Who killed Tamsin?", "warning"),
        ("Who is the murderer?", "warning"),
        ("谁是凶手？", "warning"),
        ("Who killed the old postman?", "info"),
        ("Who is a serial killer?", None),
        ("Who is the serial killer?", None),
        ("Which of them is a killer?", None),
        ("谁是连环杀人犯？", None),
    ],
)
def test_a_key_is_held_against_the_murderer_of_this_crime_only(
    stem: str, severity: str | None
) -> None:
    names = a_script().names
    innocent = next(at for at, name in enumerate(names) if name != "Corin Dale")
    question = replace(
        a_script().questions[0], stem=stem, options=names, keys=(innocent,), clues=()
    )
    notes = FindingLog()
    check_questions(a_script(victims=("Tamsin",), questions=(question,)), notes)
    found = [one.severity for one in notes.found if one.code == "key-against-murderer"]
    assert found == ([severity] if severity else [])
