"""Words of records: a match that is kept reads the same after every change of the source."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from arena.core import purposes
from arena.core.actions import Reply, Skip
from arena.core.events import Event, VictimResult
from arena.core.option_labels import PART_LABELS, list_options, option_label
from arena.core.purposes import Purpose
from arena.core.requests import ActionError, DecisionRequest
from arena.core.seats import SeatPart
from arena.core.specs import ABSTAIN, Field, FreeText
from scripts_mm.script import LANGUAGES, PART_NAMES, Language

KEPT = json.loads(Path(__file__).with_name("record_words.json").read_text())
PARTS = (VictimResult, DecisionRequest, ActionError, SeatPart, Field, FreeText, Reply, Skip)
RECORDED: dict[str, Any] = {one.__name__: one for one in (*get_args(Event), *PARTS)}


def test_every_event_and_value_of_a_record_has_its_kept_words() -> None:
    assert RECORDED.keys() == KEPT["defaults"].keys()


@pytest.mark.parametrize("name", RECORDED)
def test_a_field_that_a_record_leaves_out_means_what_it_meant(name: str) -> None:
    defaults = {one.name: one.default for one in fields(RECORDED[name])}
    now = {field: defaults[field] for field in KEPT["defaults"][name]}
    assert json.loads(json.dumps(now)) == KEPT["defaults"][name]


def test_purposes_keep_their_words() -> None:
    assert [one.value for one in Purpose] == KEPT["purposes"]


def test_a_purpose_that_is_also_a_value_or_a_variant_has_one_word() -> None:
    assert purposes.ASK_VARIANT == Purpose.ASK
    values = (
        purposes.TARGET,
        purposes.QUESTION,
        purposes.STATEMENT,
        purposes.PLACE,
        purposes.VICTIM,
        purposes.ASKER,
        purposes.INVESTIGATE_VARIANT,
        purposes.TALK_VARIANT,
        purposes.SKIP_VARIANT,
        purposes.OVER_VARIANT,
    )
    assert values == (
        *("target", "question", "share", "place", "victim", "asker"),
        *("investigate", "talk", "skip", "over"),
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_of_a_private_script_has_a_heading_of_its_own(language: Language) -> None:
    assert PART_LABELS[language].keys() == {*PART_NAMES}
    assert len({*PART_LABELS[language].values()}) == len(PART_NAMES)


@pytest.mark.parametrize(
    ("language", "label", "joined"),
    [("en", "abstain", "Ada, abstain"), ("zh", "弃权", "Ada、弃权")],
)
def test_an_abstention_alone_has_a_name_in_each_language(
    language: Language, label: str, joined: str
) -> None:
    assert option_label(ABSTAIN, language) == label
    assert option_label("Ada", language) == "Ada"
    assert list_options(("Ada", ABSTAIN), language) == joined
