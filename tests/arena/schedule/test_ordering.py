"""Admission order: script by script, both sides together, fair between pairs."""

from collections import Counter
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.admission_order import admission_order
from arena.schedule.footprint import QueuedMatch
from tests.arena.schedule.reference import UNHURRIED

MODELS = "ABC"
PAIRS = [(one, other) for one in MODELS for other in MODELS]


def queued(number: int, script: str, pair: tuple[str, str]) -> QueuedMatch:
    return QueuedMatch(match=f"m{number}", script=script, pair=pair, choices=())


def unsided(pair: tuple[str, str]) -> tuple[str, str]:
    return (min(pair), max(pair))


MATCHES = st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from(PAIRS)), max_size=60).map(
    lambda drawn: [queued(number, *one) for number, one in enumerate(drawn)]
)
STARTED = st.dictionaries(st.sampled_from(PAIRS), st.integers(0, 20), max_size=6)


@UNHURRIED
@given(matches=MATCHES, started=STARTED)
def test_every_match_comes_once_and_scripts_are_contiguous(
    matches: list[QueuedMatch], started: dict[tuple[str, str], int]
) -> None:
    ordered = admission_order(matches, started)
    assert sorted(one.match for one in ordered) == sorted(one.match for one in matches)
    scripts = [script for script, _ in groupby(ordered, key=lambda one: one.script)]
    assert scripts == list(dict.fromkeys(one.script for one in matches))


@pytest.mark.slow
@UNHURRIED
@given(matches=MATCHES, started=STARTED)
def test_within_a_script_the_pair_with_the_fewest_starts_is_next(
    matches: list[QueuedMatch], started: dict[tuple[str, str], int]
) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for pair, count in started.items():
        counts[unsided(pair)] += count
    ordered = list(admission_order(matches, started))
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
@given(matches=MATCHES, started=STARTED)
def test_matches_of_one_side_keep_their_order(
    matches: list[QueuedMatch], started: dict[tuple[str, str], int]
) -> None:
    ordered = admission_order(matches, started)
    for script in "xy":
        for pair in PAIRS:
            kept = [one for one in ordered if (one.script, one.pair) == (script, pair)]
            assert kept == [one for one in matches if (one.script, one.pair) == (script, pair)]


def test_a_pair_that_is_behind_catches_up_over_scripts() -> None:
    matches = [queued(0, "x", ("A", "B")), queued(1, "x", ("B", "A"))]
    matches += [queued(2, "y", ("A", "B")), queued(3, "y", ("A", "C"))]
    assert [one.match for one in admission_order(matches, {})] == ["m0", "m1", "m3", "m2"]


def test_a_match_with_both_sides_counts_twice() -> None:
    pairs = [("A", "B"), ("B", "A")] * 2 + [("A", "C")] * 3
    matches = [queued(number, "x", pair) for number, pair in enumerate(pairs)]
    assert [one.match for one in admission_order(matches, {})] == [
        f"m{n}" for n in (0, 1, 4, 5, 2, 3, 6)
    ]
