"""Both languages have the same messages."""

from collections.abc import Mapping
from dataclasses import fields
from string import Formatter
from typing import get_args

import pytest

from arena.core.events import Adjustment, Outcome, SkipCause
from arena.core.requests import ErrorCode
from arena.view.i18n.en import EN
from arena.view.i18n.language_choice import MESSAGES
from arena.view.i18n.messages import Messages
from scripts_mm.script import LANGUAGES


def said(words: Messages, name: str) -> dict[object, str]:
    value: object = getattr(words, name)
    if isinstance(value, Mapping):
        texts: dict[object, str] = {}
        for key, text in value.items():  # pyright: ignore[reportUnknownVariableType]
            texts[key] = " ".join(text) if isinstance(text, tuple) else str(text)  # pyright: ignore
        return texts
    return {"": str(value)}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


FIELDS = [field.name for field in fields(Messages) if field.name != "language"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_word_with_the_same_places(language: str, field: str) -> None:
    here, english = said(MESSAGES[language], field), said(EN, field)
    assert list(here) == list(english)
    for key, text in here.items():
        assert places(text) == places(english[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_skip_adjustment_and_outcome_has_its_message(language: str) -> None:
    messages = MESSAGES[language]
    assert messages.language == language
    assert set(messages.errors) == set(get_args(ErrorCode))
    assert set(messages.skips) == set(get_args(SkipCause))
    assert set(messages.adjustments) == set(get_args(Adjustment))
    assert set(messages.outcomes) == set(messages.labels) == set(get_args(Outcome))


def test_one_thing_is_not_said_like_many() -> None:
    assert EN.count(1, "clue") == "1 clue"
    assert EN.count(1200, "clue") == "1,200 clues"
