"""Options of all games: their limits, their help and their values in words."""

from dataclasses import dataclass, field

import pytest

from arena.core.options import (
    GameOptions,
    option,
    option_choices,
    option_help,
    sharing_values,
    speech_limit,
)


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("attempts", 0, "'attempts' must be >= 1, got 0"),
        ("attempts", 10_001, "'attempts' must be <= 10000, got 10001"),
        ("max_chars", 0, "'max_chars' must be >= 1"),
        ("speech_words", 9, "'speech_words' must be >= 10"),
        ("max_faults", -1, "'max_faults' must be >= 0"),
    ],
)
def test_a_value_with_which_no_match_can_be_played_is_refused(
    name: str, value: int, wrong: str
) -> None:
    with pytest.raises(ValueError, match=wrong):
        GameOptions(**{name: value})  # pyright: ignore[reportArgumentType]


def test_the_least_values_are_accepted() -> None:
    options = GameOptions(attempts=1, max_chars=1, speech_words=10, max_faults=0)
    assert options.max_faults == 0


def test_every_option_has_a_meaning_and_its_values_in_words() -> None:
    assert set(option_help(GameOptions)) == set(option_choices(GameOptions))
    assert all(option_help(GameOptions).values())
    choices = option_choices(GameOptions)
    assert choices["order"] == "script | shuffled | rotated"
    assert choices["attempts"] == "a whole number"
    assert choices["max_faults"] == "a whole number or none"


def test_the_values_with_which_prompts_are_shared_most_are_those_that_options_name() -> None:
    assert sharing_values(GameOptions) == {}

    @dataclass(frozen=True, kw_only=True)
    class Sharing(GameOptions):
        deal: str = field(
            default="late", metadata=option("late", "when", shares_most="early").metadata
        )

    assert sharing_values(Sharing) == {"deal": "early"}


def test_a_speech_has_words_or_1_6_times_as_many_chinese_characters_in_tens() -> None:
    assert speech_limit(GameOptions(), "en") == 250
    assert speech_limit(GameOptions(), "zh") == 400
    assert speech_limit(GameOptions(speech_words=80), "zh") == 130
