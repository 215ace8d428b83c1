"""Scores: published numbers, and what must hold of all."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.players.questum.score import (
    entropy,
    fill_rounds,
    information_gain,
    mean_gain,
    score,
)

FILE = Path(__file__).parent / "vectors" / "questum_score.json"
VECTORS = json.loads(FILE.read_text("utf-8"))["vectors"]
ROUNDS = st.lists(st.tuples(st.integers(1, 9), st.floats(-2, 2)), min_size=1, max_size=9)


def compute(metric: str, given: dict[str, Any]) -> float:
    match metric:
        case "questum_entropy":
            return entropy(given["suspects"])
        case "questum_information_gain":
            return information_gain(given["before"], given["after"])
        case "questum_weighted_ig":
            return mean_gain([(number, gain) for number, gain in given["rounds"]], given["now"])
        case "questum_score":
            promise = given["information_value"].lower()
            return score(given["weighted_ig"], promise, given["beta"])
        case _:
            raise AssertionError(metric)


@pytest.mark.parametrize("vector", VECTORS, ids=[one["id"] for one in VECTORS])
def test_scores_are_the_published_ones(vector: dict[str, Any]) -> None:
    assert math.isclose(
        compute(vector["metric"], vector["input"]), vector["expect"], rel_tol=0, abs_tol=1e-9
    )


def test_the_vectors_cover_every_function() -> None:
    assert len({one["metric"] for one in VECTORS}) == 4


@given(rounds=ROUNDS, now=st.integers(9, 12))
def test_a_weighted_gain_lies_between_the_gains(rounds: list[tuple[int, float]], now: int) -> None:
    gains = [gain for _, gain in rounds]
    assert min(gains) - 1e-9 <= mean_gain(rounds, now) <= max(gains) + 1e-9


def test_newer_gains_weigh_more() -> None:
    assert mean_gain([(1, 0.0), (2, 1.0)], 2) > mean_gain([(1, 1.0), (2, 0.0)], 2)


def test_rounds_without_a_question_can_count_as_zero() -> None:
    assert fill_rounds([(2, 0.5)], 3) == ((1, 0.0), (2, 0.5), (3, 0.0))
    assert fill_rounds([(1, 0.5), (1, 0.2)], 1) == ((1, 0.2), (1, 0.5))
