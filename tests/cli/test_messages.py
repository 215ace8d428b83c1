"""Both languages say the same things."""

from collections.abc import Mapping
from dataclasses import fields
from string import Formatter
from typing import get_args

import pytest

from arena.cli.i18n.choice import WORDS
from arena.cli.i18n.en import EN
from arena.cli.i18n.messages import Messages
from arena.core.actions import Fault, Phase, Verb
from arena.core.events import Outcome
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


@pytest.mark.parametrize("field", [field.name for field in fields(Messages)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_word_with_the_same_places(language: str, field: str) -> None:
    here, english = said(WORDS[language], field), said(EN, field)
    assert list(here) == list(english)
    for key, text in here.items():
        assert places(text) == places(english[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_verb_fault_and_outcome_has_its_word(language: str) -> None:
    words = WORDS[language]
    assert set(words.phases) == set(get_args(Phase))
    assert set(words.fallbacks) == set(get_args(Verb))
    assert set(words.faults) == set(get_args(Fault))
    assert set(words.outcomes) == set(words.labels) == set(get_args(Outcome))


def test_one_thing_is_not_said_like_many() -> None:
    assert EN.count(1, "clue") == "1 clue"
    assert EN.count(1200, "clue") == "1,200 clues"
