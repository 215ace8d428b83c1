"""Whether the probabilities of ballots are right."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.metrics.calibration import (
    BRIER,
    LOG_LOSS,
    METRICS,
    SKILL,
    brier_binary,
    brier_multiclass,
    brier_skill,
    ece,
    log_loss_binary,
    reliability,
)
from eval.report.collection.match_facts import extract_facts
from scripts_mm.script import Truth
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    CLEO,
    DIRK,
    EDDA,
    said,
    suspected,
    values_of,
)
from tests.eval.report.made_reports import facts, report, table
from tests.table import case

POINTS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=30)


def test_the_last_ballot_of_each_seat_is_scored() -> None:
    match = suspected(
        (said(ADA, "a"), {ADA: {CLEO: 0.1, DIRK: 0.9}, BRAM: {CLEO: 1.0, DIRK: 0.0}}),
        (said(ADA, "b"), {ADA: {CLEO: 0.5, DIRK: 0.3, EDDA: 0.2}}),
    )
    assert values_of(BRIER, match) == {ADA: pytest.approx(0.38), BRAM: 0.0}
    assert values_of(LOG_LOSS, match) == {
        ADA: pytest.approx(math.log(2)),
        BRAM: pytest.approx(0, abs=1e-5),
    }
    assert values_of(SKILL, match) == {ADA: pytest.approx(1 - 0.38 / (2 / 3)), BRAM: 1.0}


def test_a_ballot_that_only_names_a_seat_has_no_calibration() -> None:
    match = suspected((said(ADA, "a"), {ADA: CLEO, BRAM: None}))
    for metric in METRICS:
        assert values_of(metric, match) == {ADA: None, BRAM: None}
    assert extract_facts(match).choices == ()


def test_a_guess_has_no_skill() -> None:
    assert brier_multiclass([0.2] * 5, 0) == pytest.approx(0.8)
    assert brier_skill([0.2] * 5, 0) == pytest.approx(0)
    assert brier_skill([0.25] * 4, [0, 1]) == pytest.approx(0)
    assert brier_skill([1.0], 0) is None


def test_several_killers_share_the_target_and_their_probabilities_add_up() -> None:
    truth = Truth(culprits=(CLEO, DIRK))
    shares = {CLEO: 0.5, DIRK: 0.5, EDDA: 0.0}
    match = suspected((said(ADA, "a"), {ADA: shares}), script=replace(case(), truth=truth))
    assert values_of(BRIER, match) == {ADA: 0.0}
    assert values_of(LOG_LOSS, match) == {ADA: pytest.approx(0, abs=1e-5)}
    lone = {CLEO: 1.0, DIRK: 0.0, EDDA: 0.0}
    match = suspected((said(ADA, "a"), {ADA: lone}), script=replace(case(), truth=truth))
    assert values_of(BRIER, match) == {ADA: 0.5}


def test_calibration_of_a_run_pools_the_likeliest_candidates_of_all_matches() -> None:
    sure = suspected(
        (said(ADA, "a"), {ADA: {CLEO: 0.95, DIRK: 0.05}, BRAM: {CLEO: 0.05, DIRK: 0.95}})
    )
    found = table(report(extract_facts(sure), extract_facts(sure), facts()), "calibration")
    [(_, ballots, stated, right, error, brier)] = found.rows
    assert (ballots, stated, right) == (4, 0.95, 0.5)
    assert error == pytest.approx(0.45)
    assert brier == pytest.approx((0.05**2 + 0.95**2) / 2)


def test_the_last_bin_holds_one_and_the_first_of_a_bin_is_its_low_end() -> None:
    table = reliability([0.0, 0.1, 0.5, 1.0], [0, 0, 1, 1])
    assert [one.count for one in table] == [1, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert table[-1].right == 1.0
    assert table[2].mean is None


@pytest.mark.slow
@given(POINTS)
def test_calibration_stays_in_its_range(points: list[tuple[float, int]]) -> None:
    p, y = [one for one, _ in points], [out for _, out in points]
    error, brier, loss = ece(p, y), brier_binary(p, y), log_loss_binary(p, y)
    assert error is not None
    assert brier is not None
    assert loss is not None
    assert -1e-9 <= error <= 1 + 1e-9
    assert 0 <= brier <= 1
    assert 0 <= loss <= -math.log(1e-6) + 1e-9
    assert sum(one.count for one in reliability(p, y)) == len(points)


def test_nothing_has_no_error() -> None:
    assert (ece([], []), brier_binary([], []), log_loss_binary([], [])) == (None, None, None)
