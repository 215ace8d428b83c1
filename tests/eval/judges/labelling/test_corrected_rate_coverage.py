"""The interval of a corrected rate covers the true rate about as often as it says."""

import numpy as np
import pytest

from eval.judges.labelling.rate_correction import Calibration, correct_rate

RUNS = 2000


def coverage(rate: float, sensitivity: float, specificity: float, known: int, asked: int) -> float:
    """Return how often the interval has `rate`, with `known` labelled and `asked` new items."""
    draw = np.random.default_rng(7)
    hits = 0
    for _ in range(RUNS):
        positives = int(draw.binomial(known, 0.5))
        calibration = Calibration(
            true_positives=int(draw.binomial(positives, sensitivity)),
            positives=positives,
            true_negatives=int(draw.binomial(known - positives, specificity)),
            negatives=known - positives,
        )
        called = rate * sensitivity + (1 - rate) * (1 - specificity)
        found = correct_rate(int(draw.binomial(asked, called)), asked, calibration)
        hits += found.low <= rate <= found.high
    return hits / RUNS


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.0, 0.05, 0.3, 0.9, 1.0])
def test_the_interval_of_a_corrected_rate_covers_the_true_rate(rate: float) -> None:
    assert 0.935 <= coverage(rate, 0.8, 0.9, 60, 200) <= 0.99
    assert 0.935 <= coverage(rate, 0.9, 0.95, 200, 400) <= 0.985


def test_a_judge_without_errors_corrects_nothing() -> None:
    sure = Calibration(true_positives=40, positives=40, true_negatives=40, negatives=40)
    assert correct_rate(30, 100, sure).corrected == pytest.approx(0.3)


def test_a_corrected_rate_is_cut_to_0_and_1() -> None:
    poor = Calibration(true_positives=8, positives=10, true_negatives=7, negatives=10)
    assert correct_rate(0, 50, poor).corrected == 0
    assert correct_rate(50, 50, poor).corrected == 1
    assert correct_rate(20, 50, poor).corrected == pytest.approx((0.4 + 0.7 - 1) / 0.5)
