"""Costs of an engine's work are learned from the time it takes, and so is what pays."""

from collections.abc import Iterator
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from arena.schedule.admission import AdmissionController, TurnUsage
from arena.schedule.engine_cost import EngineCost
from tests.arena.schedule.reference import ENDPOINTS, capacities, policy_of, queued_match

OWN = 4_000.0
"""Tokens of a context that no other match shares."""


class SimpleEngine:
    """An engine that serves rounds of calls, with known seconds for each kind of work."""

    def __init__(self, *, prefill: float, step: float, batch: int, reserved: float) -> None:
        self.prefill, self.step, self.batch, self.reserved = prefill, step, batch, reserved
        self.missed = 0.0
        """Share of a context that is computed again."""
        self.now = 0.0
        self.cost = EngineCost()

    def run(self, rounds: int) -> Iterator[float]:
        """Serve rounds of as many calls as are together; yield the stretch after each window."""
        chance = Random(1)
        for _ in range(rounds):
            output = chance.randint(50, 250)
            new = chance.randint(100, 600)
            missed = round(self.missed * OWN)
            for _ in range(self.batch):
                self.cost.begin(self.now)
            self.now += self.batch * self.prefill * (new + missed) + self.step * output
            for _ in range(self.batch):
                is_over = self.cost.end(
                    self.now,
                    prompt=6_000 + new,
                    output=output,
                    cached=6_000 - missed,
                    missed=missed,
                )
                if is_over:
                    self.cost.close(self.now, reserved=self.reserved, own=OWN)
                    yield self.cost.stretch


def last(stretches: Iterator[float]) -> float:
    *_, final = stretches
    return final


def test_few_large_matches_are_joined_by_more_where_steps_cost_more_than_computing_again() -> None:
    slow_steps = SimpleEngine(prefill=2e-6, step=2e-2, batch=2, reserved=1.0)
    assert last(slow_steps.run(60)) > 1.5


def test_the_cache_is_kept_where_computing_again_costs_more_than_steps() -> None:
    slow_prefill = SimpleEngine(prefill=4e-4, step=5e-3, batch=24, reserved=1.0)
    assert last(slow_prefill.run(60)) == 1.0


def test_a_gpu_that_becomes_slower_at_computing_is_followed() -> None:
    engine = SimpleEngine(prefill=2.5e-5, step=2e-2, batch=4, reserved=1.0)
    assert last(engine.run(60)) > 1.2
    engine.prefill, engine.missed = 3e-4, 0.3
    windows = list(takewhile(lambda stretch: stretch >= 1.1, engine.run(400)))
    assert len(windows) < 120, "windows of eight calls"


def test_a_request_that_fails_leaves_the_requests_in_flight() -> None:
    engine = SimpleEngine(prefill=2e-6, step=2e-2, batch=2, reserved=1.0)
    for _ in range(1_000):
        engine.cost.begin(0.0)
        engine.cost.fail(0.0)
    assert last(engine.run(60)) > 1.5


def test_a_server_that_tells_no_tokens_leaves_the_stretch_as_it_is() -> None:
    cost = EngineCost()
    for now in range(100):
        cost.begin(now)
        if cost.end(now + 0.5, prompt=0, output=0, cached=0, missed=0):
            cost.close(now + 0.5, reserved=1.0, own=OWN)
    assert cost.stretch == 1.0


@pytest.mark.parametrize(("together", "calls"), [(1, 8), (8, 8), (20, 10), (40, 20)])
def test_a_window_is_over_after_eight_calls_and_as_many_as_are_in_flight(
    together: int, calls: int
) -> None:
    cost = EngineCost()
    over: list[bool] = []
    for number in range(calls):
        for _ in range(together if number % together == 0 else 0):
            cost.begin(float(number))
        over.append(cost.end(number + 0.5, prompt=100, output=10, cached=0, missed=0))
    assert over == [False] * (calls - 1) + [True]


def test_a_window_without_a_moment_between_its_ends_is_not_over() -> None:
    cost = EngineCost()
    for _ in range(20):
        cost.begin(0.0)
        assert not cost.end(0.0, prompt=100, output=10, cached=0, missed=0)


@pytest.mark.parametrize(
    ("policy", "is_learned"),
    [({}, True), ({"adapt": False}, False), ({"limit_kv": False}, False)],
)
def test_a_limit_that_is_fixed_or_unused_does_not_follow_the_costs(
    policy: dict[str, Any], is_learned: bool
) -> None:
    end = ENDPOINTS[0]
    controller = AdmissionController(capacities(10_000), policy=policy_of(**policy))
    controller.enqueue([queued_match("m", on=end)])
    controller.admit()
    before = controller.limit(end)
    for now in range(400):
        controller.begin_call(end, now)
        usage = TurnUsage(prompt=100, output=200, predicted=50, reported=None, now=now + 0.9)
        controller.record_call("m", "p", end, usage)
    assert (controller.limit(end) > before) == is_learned
