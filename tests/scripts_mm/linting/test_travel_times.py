"""Travel times of one way in texts and facts."""

from dataclasses import replace

import pytest

from scripts_mm.catalog import find_script
from scripts_mm.findings import FindingLog
from scripts_mm.linting.travel_times import check_travel_times
from scripts_mm.script import Language


def details(language: Language, sentence: str) -> list[str]:
    """Return what the check finds in a good script whose opening has a sentence more."""
    loaded = find_script("first-night", language)
    script = replace(loaded.script, opening=f"{loaded.script.opening} {sentence}")
    notes = FindingLog()
    check_travel_times(replace(loaded, script=script), notes)
    return [one.detail for one in notes.found]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "From the control box to Dressing Room 1 it is 13 min on foot."),
        ("en", "From Dressing Room 1 to the control box it takes thirteen minutes."),
        ("zh", "从灯控室到一号化妆间要走十三分钟。"),
        ("zh", "从灯控室到一号化妆间要走13分钟。"),
    ],
)
def test_a_sentence_with_two_places_and_another_time_is_noted(
    language: Language, sentence: str
) -> None:
    (detail,) = details(language, sentence)
    assert detail == "3 min in fact 'long-way'; 13 min in the opening"


def test_the_difference_of_two_clocks_is_not_a_way() -> None:
    assert details("zh", "灯控室的钟敲八点，一号化妆间的钟还差十三分钟。") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "sentence",
    [
        "From the control box to Dressing Room 1 it takes three minutes.",
        "From the control box it takes nine minutes.",
        "From the control box to Dressing Room 1 it takes three minutes, or nine minutes in rain.",
        "From the control box to Dressing Room 1, past the wardrobe, it takes nine minutes.",
        "The control box and Dressing Room 1 are far apart. It takes nine minutes.",
    ],
)
def test_a_sentence_that_agrees_or_can_mean_another_way_is_not_noted(sentence: str) -> None:
    assert details("en", sentence) == []
