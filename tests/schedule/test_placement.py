"""Placement: the matches of a script stay on one replica until it is overloaded."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.placement import LOW_LOAD, OVERLOAD_FACTOR, choose_replica
from tests.schedule.reference import UNHURRIED

KEYS = [f"qwen/{number}" for number in range(400)]
REPLICAS = [f"gpu{number}" for number in range(5)]


def test_keys_spread_over_the_replicas() -> None:
    counts = Counter(choose_replica(key, REPLICAS, {}) for key in KEYS)
    assert set(counts) == set(REPLICAS)
    assert max(counts.values()) < 2 * min(counts.values())


@UNHURRIED
@given(key=st.text(), replicas=st.lists(st.text(), min_size=1, unique=True), seed=st.randoms())
def test_the_order_of_the_replicas_is_irrelevant(
    key: str, replicas: list[str], seed: object
) -> None:
    assert choose_replica(key, replicas, {}) == choose_replica(key, sorted(replicas), {})


def test_removing_a_replica_moves_only_its_own_keys() -> None:
    for key in KEYS:
        before, after = choose_replica(key, REPLICAS, {}), choose_replica(key, REPLICAS[:-1], {})
        assert before == after or before == REPLICAS[-1]


def test_only_an_overloaded_replica_loses_a_key() -> None:
    home = choose_replica("case", REPLICAS, {})
    assert choose_replica("case", REPLICAS, {home: LOW_LOAD}) == home
    second = choose_replica("case", REPLICAS, {home: 1.5})
    assert second != home
    assert second == choose_replica("case", [one for one in REPLICAS if one != home], {})


@UNHURRIED
@given(
    key=st.text(),
    load=st.dictionaries(st.sampled_from(REPLICAS), st.floats(0, 1e6), max_size=5),
)
def test_no_replica_far_above_the_average_gets_more(key: str, load: dict[str, float]) -> None:
    chosen = load.get(choose_replica(key, REPLICAS, load), 0.0)
    assert chosen <= max(LOW_LOAD, OVERLOAD_FACTOR * sum(load.values()) / len(REPLICAS))


def test_a_key_without_replicas_is_rejected() -> None:
    with pytest.raises(ValueError, match="choosing a replica for 'case' needs at least one"):
        choose_replica("case", [], {})
