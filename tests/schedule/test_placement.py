"""A script's matches are played on one replica as long as it keeps up."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.placement import ENOUGH, SPILL, place
from tests.schedule.making import UNHURRIED

KEYS = [f"qwen/{number}" for number in range(400)]
REPLICAS = [f"gpu{number}" for number in range(5)]


def test_keys_spread_over_the_replicas() -> None:
    counts = Counter(place(key, REPLICAS, {}) for key in KEYS)
    assert set(counts) == set(REPLICAS)
    assert max(counts.values()) < 2 * min(counts.values())


@UNHURRIED
@given(key=st.text(), replicas=st.lists(st.text(), min_size=1, unique=True), seed=st.randoms())
def test_the_order_of_the_replicas_does_not_matter(
    key: str, replicas: list[str], seed: object
) -> None:
    assert place(key, replicas, {}) == place(key, sorted(replicas), {})


def test_a_replica_that_goes_moves_only_its_own_keys() -> None:
    for key in KEYS:
        before, after = place(key, REPLICAS, {}), place(key, REPLICAS[:-1], {})
        assert before == after or before == REPLICAS[-1]


def test_a_full_replica_spills_over_and_an_idle_one_does_not() -> None:
    home = place("case", REPLICAS, {})
    assert place("case", REPLICAS, {home: ENOUGH}) == home
    second = place("case", REPLICAS, {home: 1.5})
    assert second != home
    assert second == place("case", [one for one in REPLICAS if one != home], {})


@UNHURRIED
@given(
    key=st.text(),
    load=st.dictionaries(st.sampled_from(REPLICAS), st.floats(0, 1e6), max_size=5),
)
def test_no_replica_far_above_the_average_gets_more(key: str, load: dict[str, float]) -> None:
    chosen = load.get(place(key, REPLICAS, load), 0.0)
    assert chosen <= max(ENOUGH, SPILL * sum(load.values()) / len(REPLICAS))


def test_a_key_without_replicas_is_refused() -> None:
    with pytest.raises(ValueError, match="wanted replicas to place 'case' on, got none"):
        place("case", [], {})
