"""A conclusion after a thought is asked in two calls, and the thought is judged by the case."""

import asyncio
import json

import pytest

from arena.models.chat import JsonConstraint, Request
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.training.episodes import PromptLimits
from arena.training.evaluate import EvaluationRow, answer_all
from arena.training.evaluation_items import EvaluationItem, items_of
from arena.training.thinking import find_chains
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.options import make_options
from tests.scripts_mm.generate.making import faces

SEED = 95_003


@pytest.fixture(scope="module")
def case() -> GeneratedCase:
    return make_case(SEED, make_options("medium", 5), ("en",))


@pytest.fixture(scope="module")
def item() -> EvaluationItem:
    """Return the first conclusion after a thought, of a seat that sees the whole log."""
    faces("en")
    found = items_of(SEED, "en", {}, PromptLimits(replies="extractive"))
    return next(one for one in found if one.table == "verdict, thinking")


def answer(item: EvaluationItem, thought: str) -> tuple[EvaluationRow, list[Request]]:
    """Return the row of an item whose model thinks `thought`, and its requests."""
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return thought if len(asked) == 1 else legal_reply(request)

    (row,) = asyncio.run(answer_all(FunctionModel(reply), [item]))
    return row, asked


def chains(case: GeneratedCase, item: EvaluationItem) -> list[tuple[str, str]]:
    """Return the pairs of evidence and suspect that the case proves, among the legal ones."""
    assert item.episode is not None
    assert isinstance(item.thought, JsonConstraint)
    known, naming = (one.options for one in item.thought.fields)
    found = find_chains(case, item.episode.observation, known, naming)
    return [(one.evidence, one.reason) for one in found]


def write(evidence: str, suspect: str) -> str:
    return json.dumps({"evidence": evidence, "suspect": suspect})


@pytest.mark.slow
def test_the_reply_follows_the_thought_in_one_conversation(
    case: GeneratedCase, item: EvaluationItem
) -> None:
    thought = write(*chains(case, item)[0])
    row, (first, second) = answer(item, thought)
    assert first.constraint == item.thought
    assert second.constraint == item.constraint
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[len(first.messages)].text == thought
    assert row.thought == thought


@pytest.mark.slow
def test_a_thought_is_a_hop_only_if_what_it_knows_fits_whom_it_names(
    case: GeneratedCase, item: EvaluationItem
) -> None:
    assert isinstance(item.thought, JsonConstraint)
    known, naming = (one.options for one in item.thought.fields)
    proved = chains(case, item)
    evidence, suspect = proved[0]
    wrong = next(one for one in naming if (evidence, one) not in proved)
    other = next(one for one in known if all(one != proof for proof, _ in proved))
    for thought, links, hop in (
        (write(evidence, suspect), True, True),
        (write(evidence, wrong), True, False),
        (write(other, suspect), False, False),
        ("no form", False, False),
    ):
        judged = answer(item, thought)[0].judged
        assert judged["possible"] == [True]
        assert (judged["evidence"], judged["hop"]) == ([links], [hop])
        assert "right" in judged
