"""How suspicion moves while seats talk."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.models.chat import CallId
from eval.metrics.accusation_curves import (
    AGREEMENT,
    AREA,
    CURVE,
    ENTROPY,
    FIRST,
    HITS,
    INFLUENCE,
    METRICS,
    MISSING,
    TURNING,
    accusation_auc,
    accusation_curve,
    turning_point,
)
from eval.metrics.silent_ballots import silent_ballots
from scripts_mm.script import Killing, Truth
from tests.eval.made import made
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    CLEO,
    DIRK,
    EDDA,
    asked,
    call_of,
    said,
    suspected,
    values_of,
    with_calls,
)
from tests.table import case

FIRM = {CLEO: 0.9, DIRK: 0.1}
UNSURE = {CLEO: 0.5, DIRK: 0.5}
WRONG = {CLEO: 0.1, DIRK: 0.9}
SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_the_curve_is_the_mean_over_seats_after_each_speech() -> None:
    match = suspected(
        (said(ADA, "a"), {ADA: WRONG, BRAM: UNSURE}),
        (said(CLEO, "b"), {ADA: UNSURE, BRAM: FIRM}),
    )
    assert values_of(CURVE, match) == {"1": pytest.approx(0.3), "2": pytest.approx(0.7)}
    assert values_of(FIRST, match) == {"": pytest.approx(0.3)}
    assert values_of(AREA, match) == {"": pytest.approx(0.5)}
    assert values_of(HITS, match) == {"1": 0.5, "2": 1.0}
    entropy = -sum(share * math.log(share) for share in (0.1, 0.9))
    expected = (entropy + math.log(2)) / 2
    assert values_of(ENTROPY, match) == {"1": pytest.approx(expected), "2": pytest.approx(expected)}


def test_ballots_without_probabilities_count_whole_for_the_named_seat() -> None:
    match = suspected((said(ADA, "a"), {ADA: CLEO, BRAM: DIRK}), (said(ADA, "b"), {ADA: CLEO}))
    assert values_of(CURVE, match) == {"1": 0.5, "2": 1.0}
    assert values_of(ENTROPY, match) == {"1": None, "2": None}
    assert values_of(AGREEMENT, match) == {"1": 0.0, "2": None}


def test_missing_ballots_are_left_out_and_counted() -> None:
    match = suspected(
        (said(ADA, "a"), {ADA: FIRM, BRAM: None}),
        (said(ADA, "b"), {ADA: None, BRAM: None}),
        (said(ADA, "c"), {ADA: FIRM, BRAM: WRONG}),
    )
    assert values_of(CURVE, match) == {"1": pytest.approx(0.9), "2": pytest.approx(0.5)}
    assert values_of(MISSING, match) == {ADA: pytest.approx(1 / 3), BRAM: pytest.approx(2 / 3)}
    assert [point.missing for point in accusation_curve(match)] == [1, 0]


def test_the_killers_stay_ahead_from_the_turning_point() -> None:
    behind, level, ahead = {ADA: WRONG}, {ADA: UNSURE}, {ADA: FIRM}
    moments = [(said(ADA, "x"), one) for one in (behind, ahead, level, ahead, ahead)]
    assert values_of(TURNING, suspected(*moments)) == {"": 3.0}
    assert values_of(TURNING, suspected(*moments[:3])) == {"": None}
    assert values_of(TURNING, suspected(moments[1])) == {"": 0.0}


def test_a_seat_that_cannot_name_itself_is_not_less_suspected_for_that() -> None:
    """Dirk is suspected by everybody who may name him, a killer by two of three."""
    match = suspected((said(ADA, "a"), {DIRK: CLEO, ADA: DIRK, BRAM: {CLEO: 0.6, DIRK: 0.4}}))
    (point,) = accusation_curve(match)
    assert point.killers == pytest.approx(1.6 / 3)
    assert point.best_other == pytest.approx(0.7)
    assert values_of(TURNING, match) == {"": None}


def test_speech_influence_is_what_changed_in_the_others() -> None:
    match = suspected(
        (said(ADA, "a"), {ADA: WRONG, BRAM: WRONG, DIRK: {CLEO: 0.5, BRAM: 0.5}}),
        (said(BRAM, "b"), {ADA: UNSURE, BRAM: FIRM, DIRK: {CLEO: 0.7, BRAM: 0.3}}),
        (asked(CLEO, ADA, "c"), {ADA: WRONG, BRAM: UNSURE, DIRK: None}),
        (said(BRAM, "d"), {ADA: FIRM, BRAM: UNSURE, DIRK: FIRM}),
    )
    found = values_of(INFLUENCE, match)
    assert found == {
        BRAM: pytest.approx((0.4 + 0.2) / 2 + 0.8),
        CLEO: pytest.approx((-0.4 - 0.4) / 2),
    }, "the first speech has no ballots before it, and a seat does not move itself"


def test_two_killers_are_suspected_together() -> None:
    truth = Truth(
        culprits=(CLEO, DIRK), killings=(Killing(victim="Otto Lamm", culprits=(CLEO, DIRK)),)
    )
    script = replace(case(), truth=truth)
    match = suspected((said(ADA, "a"), {ADA: {CLEO: 0.3, DIRK: 0.3, EDDA: 0.4}}), script=script)
    assert values_of(CURVE, match) == {"1": pytest.approx(0.6)}
    assert values_of(HITS, match) == {"1": 0.0}, "the likeliest single seat is innocent"
    assert values_of(TURNING, match) == {"": 0.0}


def test_probabilities_are_those_of_the_last_attempt_and_sum_to_one() -> None:
    match = suspected((said(ADA, "a"), {ADA: CLEO}))
    calls = {
        call_id: call_of(call_id, probabilities=((CLEO, share), (DIRK, 0.2)))
        for attempt, share in ((2, 0.6), (1, 0.1))
        for call_id in [
            CallId(seat=ADA, request=f"probe/ballot/2/{ADA}", attempt=attempt, off_path=True)
        ]
    }
    (ballot,) = silent_ballots(with_calls(match, calls))
    assert ballot.shares == {CLEO: pytest.approx(0.75), DIRK: pytest.approx(0.25)}


def test_calls_of_the_game_itself_are_no_ballots() -> None:
    match = suspected((said(ADA, "a"), {ADA: CLEO}))
    call_id = CallId(seat=ADA, request=f"probe/ballot/2/{ADA}", off_path=False)
    (ballot,) = silent_ballots(
        with_calls(match, {call_id: call_of(call_id, probabilities=((DIRK, 1.0),))})
    )
    assert ballot.shares == {CLEO: 1.0}
    assert not ballot.is_graded


def test_a_match_without_silent_ballots_has_no_curve() -> None:
    match = made(said(ADA, "a"))
    assert not [score for metric in METRICS for score in metric.measure(match)]


@given(SHARES)
def test_the_area_lies_within_the_values(values: list[float]) -> None:
    area = accusation_auc(values)
    assert area is not None
    assert min(values) - 1e-9 <= area <= max(values) + 1e-9
    assert area == pytest.approx(accusation_auc(values[::-1]))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=8))
def test_the_turning_point_is_the_first_from_which_all_are_ahead(
    pairs: list[tuple[int, int]],
) -> None:
    ahead = [one > other for one, other in pairs]
    expected = next((at for at in range(len(ahead)) if all(ahead[at:])), None)
    assert turning_point([one for one, _ in pairs], [two for _, two in pairs]) == expected


def test_no_values_have_no_area() -> None:
    assert accusation_auc([]) is None
    assert accusation_auc([0.4]) == 0.4
