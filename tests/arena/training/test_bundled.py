"""The civilians of the bundled scripts get the standing questions, within a model's limits."""

import pytest

from arena.models.chat import ChoiceConstraint
from arena.players.contestants import read_contestant
from arena.training.bundled import pose_questions
from arena.training.episodes import PromptLimits
from arena.training.evaluate import EvaluationSpec, evaluate_player, render_table
from scripts_mm.script import LANGUAGES, Language


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_every_question_has_an_answer_that_addresses_it(language: Language) -> None:
    files: dict[str, bytes] = {}
    posed = [*pose_questions(language, files, PromptLimits(replies="extractive"))]
    assert files
    assert {one.asked for one in posed} == {
        "reason", "relation", "last_seen", "alibi", "known", "hidden", "case", "of_other",
    }  # fmt: skip
    able: list[bool] = []
    for one in posed:
        constraint = one.episode.request.constraint
        assert isinstance(constraint, ChoiceConstraint)
        judged = [one.judge(each) for each in constraint.options]
        able.append(any(found["addresses"][0] for found in judged))
    assert sum(able) / len(able) > 0.9


@pytest.mark.slow
def test_a_player_without_a_model_is_questioned_too() -> None:
    rows = evaluate_player(read_contestant("naive"), EvaluationSpec(table="bundled"))
    assert all(row.seat and row.asked for row in rows)
    lines = [*render_table(rows)]
    assert sum(line.startswith("bundled   ") for line in lines) == 6
