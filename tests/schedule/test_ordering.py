"""Offers are ordered script by script, sides together, and no pair falls behind."""

from collections import Counter
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.footprint import Offer
from arena.schedule.ordering import in_order
from tests.schedule.making import UNHURRIED

MODELS = "ABC"
PAIRS = [(one, other) for one in MODELS for other in MODELS]


def offer(number: int, script: str, pair: tuple[str, str]) -> Offer:
    return Offer(match=f"m{number}", script=script, pair=pair, demands=())


def unsided(pair: tuple[str, str]) -> tuple[str, str]:
    return (min(pair), max(pair))


OFFERS = st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from(PAIRS)), max_size=60).map(
    lambda drawn: [offer(number, *one) for number, one in enumerate(drawn)]
)
STARTED = st.dictionaries(st.sampled_from(PAIRS), st.integers(0, 20), max_size=6)


@UNHURRIED
@given(offers=OFFERS, started=STARTED)
def test_every_offer_comes_once_and_scripts_stand_together(
    offers: list[Offer], started: dict[tuple[str, str], int]
) -> None:
    ordered = in_order(offers, started)
    assert sorted(one.match for one in ordered) == sorted(one.match for one in offers)
    scripts = [script for script, _ in groupby(ordered, key=lambda one: one.script)]
    assert scripts == list(dict.fromkeys(one.script for one in offers))


@UNHURRIED
@given(offers=OFFERS, started=STARTED)
def test_in_a_script_the_pair_that_started_least_is_next(
    offers: list[Offer], started: dict[tuple[str, str], int]
) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for pair, count in started.items():
        counts[unsided(pair)] += count
    ordered = list(in_order(offers, started))
    while ordered:
        script, pair = ordered[0].script, unsided(ordered[0].pair)
        left = {unsided(one.pair) for one in ordered if one.script == script}
        assert counts[pair] == min(counts[one] for one in left)
        both = {ordered[0].pair, ordered[0].pair[::-1]}
        sides = {one.pair for one in ordered if one.script == script} & both
        couple, ordered = ordered[: len(sides)], ordered[len(sides) :]
        assert {one.pair for one in couple} == sides
        counts[pair] += len(couple)


@UNHURRIED
@given(offers=OFFERS, started=STARTED)
def test_matches_of_one_side_keep_their_order(
    offers: list[Offer], started: dict[tuple[str, str], int]
) -> None:
    ordered = in_order(offers, started)
    for script in "xy":
        for pair in PAIRS:
            kept = [one for one in ordered if (one.script, one.pair) == (script, pair)]
            assert kept == [one for one in offers if (one.script, one.pair) == (script, pair)]


def test_a_pair_that_is_behind_catches_up_over_scripts() -> None:
    offers = [offer(0, "x", ("A", "B")), offer(1, "x", ("B", "A"))]
    offers += [offer(2, "y", ("A", "B")), offer(3, "y", ("A", "C"))]
    assert [one.match for one in in_order(offers, {})] == ["m0", "m1", "m3", "m2"]


def test_a_match_with_both_sides_counts_twice() -> None:
    pairs = [("A", "B"), ("B", "A")] * 2 + [("A", "C")] * 3
    offers = [offer(number, "x", pair) for number, pair in enumerate(pairs)]
    assert [one.match for one in in_order(offers, {})] == [f"m{n}" for n in (0, 1, 4, 5, 2, 3, 6)]
