"""The cost model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from serving.engine_sim.cost_model.engine_profile import CostTerms, load_engine_profile
from serving.engine_sim.cost_model.step_cost import (
    StepWork,
    decode_seconds,
    decode_steps,
    picture_seconds,
    prefill_pairs,
    step_seconds,
    text_seconds,
)

SMALL = CostTerms(step=1e-3, weights=4e-3, token=1e-5, context=1e-8, pair=1e-10, picture=1e-5)


def test_weights_and_arithmetic_overlap_and_the_rest_adds_up() -> None:
    few = step_seconds(SMALL, StepWork(tokens=10, sequences=10, context=20_000))
    assert few == pytest.approx(1e-3 + 4e-3 + 2e-4)
    many = step_seconds(SMALL, StepWork(tokens=1_000, pairs=1e6, pictures=500))
    assert many == pytest.approx(1e-3 + 1e-2 + 1e-4 + 5e-3)


def test_each_sequence_of_a_step_costs_its_share() -> None:
    terms = CostTerms(sequence=1e-4)
    assert step_seconds(terms, StepWork(sequences=10)) == pytest.approx(1e-3)


def test_a_chunk_attends_to_what_is_before_and_half_of_itself() -> None:
    assert prefill_pairs(100, 1_000) == 105_000


@given(
    st.integers(1, 200),
    st.integers(0, 2_000_000),
    st.integers(1, 500),
    st.sampled_from([SMALL, CostTerms(step=1e-3), load_engine_profile("h200-qwen2.5-vl-7b").terms]),
)
def test_many_decode_steps_cost_what_they_cost_one_by_one(
    sequences: int, context: int, steps: int, terms: CostTerms
) -> None:
    one_by_one = sum(
        step_seconds(
            terms,
            StepWork(tokens=sequences, sequences=sequences, context=context + sequences * number),
        )
        for number in range(steps)
    )
    together = decode_seconds(terms, sequences, context, steps)
    assert together == pytest.approx(one_by_one)
    assert decode_steps(terms, sequences, context, together * 0.999999) == steps
    inside = decode_seconds(terms, sequences, context, steps - 1) + together
    assert decode_steps(terms, sequences, context, inside / 2) <= steps


def test_steps_that_cost_nothing_are_never_over() -> None:
    assert decode_steps(CostTerms(), 5, 100, 1.0) == 0
    assert decode_steps(SMALL, 5, 100, 0.0) == 1


def test_only_text_is_tokenised_and_only_new_pictures_are_processed() -> None:
    terms = CostTerms(request=1e-3, tokenise=3e-6, byte=1e-8, process=7e-5)
    assert text_seconds(terms, 1_000, text_in=True) == pytest.approx(4e-3)
    assert text_seconds(terms, 1_000, text_in=False) == pytest.approx(1e-3)
    assert picture_seconds(terms, 200_000, 0) == pytest.approx(2e-3)
    assert picture_seconds(terms, 0, 1_000) == pytest.approx(7e-2)
