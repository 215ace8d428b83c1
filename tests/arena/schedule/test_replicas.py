"""Choice of replicas at admission: by load, and by the scripts that a replica holds."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.admission import AdmissionController, AdmissionPolicy
from arena.schedule.footprint import KvDemand, QueuedMatch
from arena.schedule.overcommit import OvercommitController
from tests.arena.schedule.reference import UNHURRIED, capacities, footprint_of

FULL = AdmissionPolicy(overcommit=OvercommitController(value=1.0), adapt=False)


def anywhere(match: str, script: str, on: str = "ab", peak: int = 100) -> QueuedMatch:
    """Return a match that can be played on any one of the endpoints `on`."""
    needs = footprint_of(script, peak)
    choices = tuple((KvDemand(endpoint=name, footprint=needs),) for name in on)
    return QueuedMatch(match=match, script=script, pair=("A", "B"), choices=choices)


def places(controller: AdmissionController) -> dict[str, str]:
    return {match: controller.demands(match)[0].endpoint for match in controller.live}


def test_scripts_are_shared_out_and_each_stays_on_its_replica_while_both_are_busy() -> None:
    controller = AdmissionController(capacities(1000), policy=FULL)
    controller.enqueue(
        anywhere(f"{script}{number}", script) for script in "xyz" for number in range(8)
    )
    controller.admit()
    where = Counter((end, match[0]) for match, end in places(controller).items())
    assert where == {("a", "x"): 8, ("b", "y"): 8}
    for match in ("x0", "x1", "x2", "x3"):
        controller.finish(match)
    assert controller.admit() == ("z0", "z1")
    assert {places(controller)[match] for match in ("z0", "z1")} == {"a"}


def test_the_last_script_is_shared_by_idle_replicas() -> None:
    controller = AdmissionController(capacities(100_000), policy=FULL)
    controller.enqueue(anywhere(f"x{number}", "x") for number in range(9))
    controller.admit()
    counts = Counter(places(controller).values())
    assert sorted(counts.values()) == [4, 5]


def test_a_match_of_two_models_takes_a_replica_of_each() -> None:
    controller = AdmissionController(capacities(1000), policy=FULL)
    needs = footprint_of("x", 300)
    pairs = tuple(
        (KvDemand(endpoint=one, footprint=needs), KvDemand(endpoint="c", footprint=needs))
        for one in "ab"
    )
    controller.enqueue(
        QueuedMatch(match=f"m{number}", script="x", pair=("A", "B"), choices=pairs)
        for number in range(5)
    )
    assert len(controller.admit()) == 2, "endpoint c holds two"
    assert {controller.demands(match)[0].endpoint for match in controller.live} == {"a", "b"}


def test_a_match_of_two_models_goes_where_the_fuller_of_its_replicas_is_emptier() -> None:
    controller = AdmissionController(capacities(10_000), policy=FULL)
    for end, peak in (("a", 5_000), ("b", 2_000)):
        controller.enqueue([anywhere(f"on {end}", end, on=end, peak=peak)])
    controller.admit()
    needs = footprint_of("x", 100)
    choices = tuple(
        tuple(KvDemand(endpoint=name, footprint=needs) for name in pair) for pair in ("ac", "bc")
    )
    controller.enqueue([QueuedMatch(match="m", script="x", pair=("A", "B"), choices=choices)])
    assert controller.admit() == ("m",)
    assert [one.endpoint for one in controller.demands("m")] == ["b", "c"]


def test_a_replica_does_not_hold_a_script_whose_matches_are_over() -> None:
    controller = AdmissionController(capacities(1000), policy=FULL)
    controller.enqueue([anywhere("x0", "x"), anywhere("x1", "x")])
    controller.admit()
    for match in controller.live:
        controller.finish(match)
    controller.enqueue([anywhere("z0", "z", peak=600), anywhere("x2", "x", peak=600)])
    controller.admit()
    assert places(controller) == {"z0": "a", "x2": "b"}


def test_a_random_order_ignores_scripts_and_repeats_with_its_seed() -> None:
    def order(seed: int | None) -> tuple[str, ...]:
        controller = AdmissionController(
            capacities(10**6), policy=AdmissionPolicy(limit_kv=False, shuffle=seed)
        )
        controller.enqueue(
            anywhere(f"{script}{number}", script, on="a") for script in "xyz" for number in range(4)
        )
        return controller.admit()

    assert order(None) == tuple(f"{script}{number}" for script in "xyz" for number in range(4))
    assert order(1) == order(1) != order(2)
    assert [match[0] for match in order(1)] != sorted(match[0] for match in order(1))


@pytest.mark.slow
@UNHURRIED
@given(
    kinds=st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from((10, 300, 900)))),
    data=st.data(),
)
def test_every_match_is_played_once_and_no_replica_idles_while_matches_wait(
    kinds: list[tuple[str, int]], data: st.DataObject
) -> None:
    controller = AdmissionController(capacities(1000), policy=FULL)
    queued = [anywhere(f"m{n}", script, peak=peak) for n, (script, peak) in enumerate(kinds)]
    controller.enqueue(queued)
    seen = list(controller.admit())
    while controller.live:
        if controller.waiting:
            assert set(places(controller).values()) == {"a", "b"}
        controller.finish(data.draw(st.sampled_from(controller.live)))
        seen += controller.admit()
    assert sorted(seen) == sorted(one.match for one in queued)
