"""Comparisons: order, repetitions, the sweep of live matches, and what is told of them."""

import asyncio
from dataclasses import replace

import pytest

from arena.bench.arm_comparison import (
    ArmFigures,
    ComparisonResult,
    compare,
    live_levels,
    percentile,
    rotate,
    sweep_live,
)
from arena.bench.arms import ARMS, OURS, STATIC, Arm
from arena.bench.comparison_report import as_objects

FIGURES = ArmFigures(
    seconds=10.0,
    matches_per_h=100.0,
    calls_per_s=1.0,
    output_tokens_per_s=10.0,
    prompt_tokens=1000,
    hit_rate=0.5,
    belady=None,
    turn_p50_s=1.0,
    turn_p99_s=2.0,
    match_p50_s=5.0,
    live_most=3,
    preemptions=0,
    retries=0,
    finished=3,
    unfinished=0,
    cpu_ms_per_call=1.0,
    loop_lag_p99_ms=None,
)
FEW = (ARMS[OURS], ARMS[STATIC], ARMS["gather_32"])


class Server:
    """Plays nothing; its rate is highest with six live matches."""

    def __init__(self) -> None:
        self.played: list[tuple[str, int | None, int]] = []
        self.running = self.most = 0

    async def play(self, arm: Arm, seed: int) -> ArmFigures:
        live = arm.policy.max_live
        self.played.append((arm.name, live, seed))
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0)
        self.running -= 1
        return replace(FIGURES, matches_per_h=200.0 - abs(live - 6) if live else 150.0 + seed)


def test_levels_of_a_sweep_rise_to_all_matches_and_grow_with_replicas() -> None:
    assert list(live_levels(24)) == [1, 2, 3, 4, 6, 8, 12, 16, 24]
    assert list(live_levels(20, replicas=2)) == [2, 4, 6, 8, 12, 16, 20]
    assert list(live_levels(1)) == [1]


def test_a_sweep_ends_far_beyond_the_best_level() -> None:
    server = Server()
    found = asyncio.run(sweep_live(server.play, tuple(live_levels(500))))
    assert list(found) == [1, 2, 3, 4, 6, 8, 12, 16, 24]


def test_every_arm_is_played_once_in_each_repetition_on_equal_matches() -> None:
    server = Server()
    found = asyncio.run(compare(FEW, server.play, repeat=4, levels=(4, 6, 8)))
    assert found.static == 6
    assert found.sweep.keys() == {4, 6, 8}
    plays = server.played[3:]
    assert {(name, seed) for name, _, seed in plays} == {
        (arm.name, seed) for arm in FEW for seed in range(4)
    }
    assert {live for name, live, _ in plays if name == STATIC} == {6}
    assert [name for name, _, seed in plays if seed == 0] != [
        name for name, _, seed in plays if seed == 1
    ]
    assert [one.matches_per_h for one in found.runs[OURS]] == [150.0, 151.0, 152.0, 153.0]
    assert server.most == 1


def test_a_fixed_number_that_is_named_is_not_looked_for() -> None:
    server = Server()
    found = asyncio.run(compare(FEW, server.play, repeat=2, levels=(4, 6), static=3, at_once=2))
    assert (found.static, found.sweep) == (3, {})
    assert len(server.played) == 6
    assert server.most == 2


def test_over_repetitions_every_arm_is_early_and_late() -> None:
    arms = tuple(ARMS.values())
    orders = [rotate(arms, number) for number in range(6)]
    assert all(sorted(one.name for one in order) == sorted(ARMS) for order in orders)
    for arm in arms:
        places = [order.index(arm) for order in orders]
        assert max(places) - min(places) >= len(arms) // 3
    assert orders[1] == orders[0][::-1]


def test_a_percentile_is_one_of_the_values() -> None:
    values = [1.0, 2.0, 3.0, 4.0]
    assert [percentile(values, share) for share in (0.0, 0.5, 0.51, 0.99)] == [1.0, 2.0, 3.0, 4.0]
    assert percentile((), 0.5) == 0.0


def rates(*values: float) -> tuple[ArmFigures, ...]:
    return tuple(replace(FIGURES, matches_per_h=value) for value in values)


def test_ours_times_is_paired_by_repetition() -> None:
    runs = {OURS: rates(100, 200, 400), "gather_32": rates(50, 100, 200)}
    ours, gather = as_objects(ComparisonResult(runs=runs, static=None))
    assert (ours["ours_times"], gather["ours_times"]) == (1.0, 2.0)
    assert gather["ours_times_95"] == [2.0, 2.0]
    assert gather["matches_per_h"] == pytest.approx(116.6667)
    assert gather["matches_per_h_95"] == pytest.approx([-73.06, 306.39], abs=0.01)


def test_what_is_not_known_is_null_and_one_repetition_has_no_interval() -> None:
    runs = {OURS: rates(100), STATIC: rates(0), "gather_32": rates(50)}
    skipped = {"gather_128": "the server is small"}
    found = {
        one["arm"]: one
        for one in as_objects(ComparisonResult(runs=runs, static=2, skipped=skipped))
    }
    assert list(found) == [OURS, STATIC, "gather_32", "gather_128"]
    assert found["gather_32"]["matches_per_h_95"] is None
    assert found["gather_32"]["belady"] is None
    assert found[STATIC]["ours_times"] is None
    assert found["gather_128"]["skipped"] == "the server is small"
    assert found["gather_128"]["matches_per_h"] is None
    assert found["gather_128"].keys() == found[OURS].keys()
