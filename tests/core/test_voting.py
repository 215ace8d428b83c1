"""Votes are counted as PROTOCOLS 1.7 says; the numbers stand in vectors/votes.json."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.voting import Tie, VoteRule, count, result

VECTORS = [
    vector
    for vector in json.loads((Path(__file__).parent / "vectors" / "votes.json").read_text())[
        "vectors"
    ]
    if vector["metric"] == "count_votes"
]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_ballots_name_whom_the_rule_says(vector: dict[str, Any]) -> None:
    given, wanted = vector["input"], vector["expect"]
    rule = VoteRule(**given["rule"])
    counted = count(given["ballots"], rule, given["electorate"], Random(0))
    assert list(counted.leaders) == wanted["named"]
    assert result(counted, rule, given["killers"]) == wanted["outcome"]


def test_a_random_tie_names_one_of_the_leaders_and_each_at_times() -> None:
    rule = VoteRule(tie="random")
    ballots = {"a": "b", "b": "a", "c": "b", "d": "a"}
    named = {count(ballots, rule, list(ballots), Random(seed)).named for seed in range(30)}
    assert named == {("a",), ("b",)}


def test_a_missed_majority_is_a_draw_only_under_the_rule_draw() -> None:
    ballots = {"a": "b", "b": "c", "c": "a"}
    outcomes: dict[Tie, str] = {"draw": "draw", "none": "murderer_win"}
    for tie, wanted in outcomes.items():
        rule = VoteRule(quorum="majority", tie=tie)
        assert result(count(ballots, rule, list(ballots), Random(0)), rule, ["b"]) == wanted
