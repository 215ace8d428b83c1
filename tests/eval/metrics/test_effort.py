"""Requests and faulty outputs."""

import pytest

from arena.core.events import ActionRejected
from arena.core.purposes import Purpose
from arena.core.requests import ActionError
from eval.metrics.request_counts import METRICS
from tests.eval.made import made
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    by_place,
    opened,
)

REQUESTS, FAILURES, RATE = METRICS


def test_requests_are_counted_by_what_they_are_for() -> None:
    match = made(
        opened(ADA),
        opened(ADA, name="s"),
        opened(ADA, Purpose.VOTE, name="v"),
        opened(BRAM, name="b"),
    )
    assert by_place(REQUESTS.measure(match)) == {
        f"{ADA} speak": 2,
        f"{ADA} vote": 1,
        f"{BRAM} speak": 1,
    }


def test_twelve_faults_in_a_hundred_and_fifty_requests_are_seven_percent() -> None:
    fault = ActionRejected(seat=ADA, request="0", error=ActionError(code="empty", field="text"))
    match = made(*(opened(ADA, name=str(number)) for number in range(150)), *([fault] * 12))
    assert by_place(RATE.measure(match))[ADA] == pytest.approx(12 / 162)
    assert by_place(FAILURES.measure(match))[ADA] == 12
    assert by_place(RATE.measure(match))[BRAM] is None, "it was asked nothing"
