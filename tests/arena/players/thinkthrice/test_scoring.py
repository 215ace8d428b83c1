"""Score and thresholds give the published numbers."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from arena.players.thinkthrice.scoring import (
    HOST,
    SEAT,
    VerificationResult,
    count_times,
    measure_length,
)

VECTORS = json.loads((Path(__file__).parent / "vectors" / "thinkthrice.json").read_text())[
    "vectors"
]
FACTS = ("Ada left at 9:05", "Ada met Bram at 21：30 and again at 22:10", "Ada slept")


def vectors(metric: str) -> list[dict[str, Any]]:
    return [vector for vector in VECTORS if vector["metric"] == metric]


@pytest.mark.parametrize("vector", vectors("thinkthrice_score"), ids=lambda one: one["id"])
def test_a_text_has_the_published_score(vector: dict[str, Any]) -> None:
    given = vector["input"]
    verdict = VerificationResult(
        facts=given["facts"],
        correct=given["correct"],
        timed=given["correct_with_time"],
        length=given["length"],
    )
    assert math.isclose(verdict.score, vector["expect"], abs_tol=vector["tol"])


@pytest.mark.parametrize("vector", vectors("thinkthrice_passes"), ids=lambda one: one["id"])
def test_a_text_passes_as_published(vector: dict[str, Any]) -> None:
    given = dict(vector["input"])
    least = {"host": HOST, "player": SEAT}[given.pop("asker")]
    assert VerificationResult(timed=0, **given).passes(least) == vector["expect"]


def test_the_published_costs_add_up() -> None:
    [vector] = vectors("sum")
    assert math.isclose(math.fsum(vector["input"]), vector["expect"], abs_tol=vector["tol"])


def test_exact_shares_reach_the_accuracy() -> None:
    for facts in range(1, 60):
        for correct in range(facts + 1):
            verdict = VerificationResult(facts=facts, correct=correct, timed=0, length=1000)
            assert verdict.passes(HOST) == (10 * correct >= 7 * facts and correct >= 4)
            assert verdict.passes(SEAT) == (10 * correct >= 6 * facts and correct >= 1)


def test_clock_times_are_counted_by_fact_or_each() -> None:
    assert count_times(FACTS, "facts") == 2
    assert count_times(FACTS, "matches") == 3
    assert count_times(("at 24:00", "at nine", "9.30", "7:60"), "facts") == 1, "4:00 is found"
    assert count_times((), "matches") == 0


def test_length_is_words_or_characters() -> None:
    text = "I was at home.\nAlone."
    assert measure_length(text, "en", "words") == 5
    assert measure_length(text, "en", "chars") == measure_length(text, "zh", "chars") == 21
    assert measure_length("我在家。 一个人。", "zh", "words") == 8
    assert measure_length("我在家。 一个人。", "zh", "chars") == 9


def test_thresholds_keep_within_what_a_speech_may_have() -> None:
    assert HOST.within(400) == HOST, "a Chinese speech of the usual length"
    assert HOST.within(250).length == 218
    assert HOST.within(10_000) == HOST
    assert SEAT.within(400) == SEAT
