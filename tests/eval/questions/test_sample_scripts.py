"""Published scripts, where this machine has them: every scored question is put, and graded."""

import os
from pathlib import Path

import pytest

from arena.core.quoting import defuse
from eval.questions.prefix_groups import make_prefix_groups
from eval.questions.quiz_answers import make_answer
from eval.questions.quiz_items import make_items
from eval.questions.quiz_results import summarise_quiz
from eval.questions.quiz_settings import CLUE_SCOPES, ClueScope
from scripts_mm.importers.format_registry import FORMATS
from scripts_mm.importers.import_batch import read_batch
from scripts_mm.script import Script
from tests.eval.questions.made import NO_TEXTS, settings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scripts() -> tuple[Script, ...]:
    root = os.environ.get("ARENA_SAMPLE_DATA", "")
    folder = Path(root, "whodunit", "Dataset")
    if not root or not folder.is_dir():
        pytest.skip("ARENA_SAMPLE_DATA names no folder with whodunit/Dataset")
    return tuple(one.script for one in read_batch(folder, (FORMATS["whodunit"],)).imported)


def test_every_scored_question_is_put_and_the_key_is_right_whatever_the_order(
    scripts: tuple[Script, ...],
) -> None:
    given = settings(readers="all")
    items = [item for script in scripts for item in make_items(script, given)]
    keyed = sum(len([one for one in script.questions if one.keys]) for script in scripts)
    assert len({(item.script.id, item.question.id) for item in items}) == keyed
    assert len({item.id for item in items}) == len(items)
    questions = {
        (script.id, script.language, one.id): one for script in scripts for one in script.questions
    }
    rows = summarise_quiz([make_answer(item, item.question.keys) for item in items], questions)
    assert {row.accuracy for row in rows} == {1.0}
    assert [row.category for row in rows if row.hops is None] == ["lsu", "tiu", "miu", "mmr"]
    # A letter scores more in the order of the files than chance: what shuffling removes.
    assert all(row.constant > row.chance + 0.05 for row in rows if row.hops is None)


@pytest.mark.parametrize("clues", [one for one in CLUE_SCOPES if one != "all"])
def test_no_seat_reads_what_belongs_to_another(
    clues: ClueScope, scripts: tuple[Script, ...]
) -> None:
    for script in scripts:
        for sheet in make_prefix_groups(script, settings(clues=clues), NO_TEXTS):
            readers = {item.reader for item in sheet.items}
            text = "\n".join(message.text for message in sheet.prefix)
            shown = {role.name for role in script.roles if defuse(role.script) in text}
            assert shown <= (set[str]() if clues == "public" else readers)
            assert not script.truth.text or script.truth.text not in text
