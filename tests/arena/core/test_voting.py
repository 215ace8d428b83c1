"""Ballots name a seat as the rule says: published numbers, and every ballot of small tables."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.voting import Tie, VoteRule, tally_votes, vote_result

FOLDER = Path(__file__).parent / "vectors"


def vectors(name: str, metric: str) -> list[dict[str, Any]]:
    found = json.loads((FOLDER / f"{name}.json").read_text())["vectors"]
    return [vector for vector in found if vector["metric"] == metric]


@pytest.mark.parametrize("vector", vectors("votes", "count_votes"), ids=lambda one: one["id"])
def test_ballots_name_whom_the_rule_says(vector: dict[str, Any]) -> None:
    given, wanted = vector["input"], vector["expect"]
    rule = VoteRule(**given["rule"])
    tally = tally_votes(given["ballots"], rule, given["electorate"], Random(0))
    assert list(tally.leaders) == wanted["named"]
    assert vote_result(tally, rule, given["killers"]) == wanted["outcome"]


def ways(given: dict[str, Any]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield how often each seat is chosen, and by how many ballots; the last seats are killers."""
    seats = range(given["seats"])
    killers = seats[-given["killers"] :]
    voters = [one for one in seats if given["electorate"] == "all" or one not in killers]
    reached = Counter({(0,) * len(seats): 1})
    for voter in voters:
        alone = given["self"] == "no" or (
            given["self"] == "yes_except_murderer" and voter in killers
        )
        after: Counter[tuple[int, ...]] = Counter()
        for votes, count in reached.items():
            for choice in seats:
                if choice != voter or not alone:
                    after[(*votes[:choice], votes[choice] + 1, *votes[choice + 1 :])] += count
        reached = after
    yield from reached.items()


LEVELS = vectors("chance_levels", "chance_level")


@pytest.mark.slow
@pytest.mark.parametrize("vector", LEVELS, ids=lambda one: one["id"])
def test_blind_ballots_win_as_often_as_published(vector: dict[str, Any]) -> None:
    given = vector["input"]
    rule = VoteRule(quorum=given["quorum"], tie=given["tie"])
    seats = [str(number) for number in range(given["seats"])]
    killers = seats[-given["killers"] :]
    voters = [one for one in seats if given["electorate"] == "all" or one not in killers]
    won: dict[str, Fraction] = dict.fromkeys(("civ_win", "murderer_win", "draw"), Fraction(0))
    total, among_killers = 0, 0
    for votes, count in ways(given):
        chosen = [str(seat) for seat, number in enumerate(votes) for _ in range(number)]
        ballots = dict(zip(voters, chosen, strict=True))
        tally = tally_votes(ballots, rule, voters, Random(0))
        total += count
        if rule.tie == "random" and len(tally.leaders) > 1:
            won["civ_win"] += Fraction(
                count * len({*killers} & {*tally.leaders}), len(tally.leaders)
            )
        else:
            won[vote_result(tally, rule, killers)] += count
            among_killers += count * (tally.is_tied and {*tally.named} <= {*killers})
    # The published level of two killers takes a tie between them for a draw. Here naming any of
    # several murderers is a win, so that a tie between murderers alone is one.
    assert (won["civ_win"] - among_killers) / total == Fraction(vector["expect"]["win"])
    assert (won["draw"] + among_killers) / total == Fraction(vector["expect"]["draw"])
    assert (among_killers > 0) == (len(killers) > 1)


def test_enough_vectors_are_there() -> None:
    assert len(vectors("votes", "count_votes")) == 17
    assert len(LEVELS) == 50


def test_a_random_tie_names_one_of_the_leaders_and_each_at_times() -> None:
    rule = VoteRule(tie="random")
    ballots = {"a": "b", "b": "a", "c": "b", "d": "a"}
    tallies = [tally_votes(ballots, rule, list(ballots), Random(seed)) for seed in range(30)]
    assert {tally.named for tally in tallies} == {("a",), ("b",)}
    assert {tally.leaders for tally in tallies} == {("a", "b")}
    assert not any(tally.is_tied for tally in tallies)


def test_a_missed_majority_is_a_draw_only_under_the_rule_draw() -> None:
    ballots = {"a": "b", "b": "c", "c": "a"}
    outcomes: dict[Tie, str] = {"draw": "draw", "none": "murderer_win"}
    for tie, wanted in outcomes.items():
        rule = VoteRule(quorum="majority", tie=tie)
        tally = tally_votes(ballots, rule, list(ballots), Random(0))
        assert vote_result(tally, rule, ["b"]) == wanted


@pytest.mark.parametrize("tie", ["draw", "none", "random", "revote", "any_killer"])
def test_a_tie_between_murderers_alone_names_a_murderer(tie: Tie) -> None:
    rule = VoteRule(tie=tie)
    tally = tally_votes({"a": "c", "b": "d"}, rule, list("abcd"), Random(0))
    assert vote_result(tally, rule, ["c", "d"]) == "civ_win"


def test_votes_are_listed_from_most_to_fewest_without_abstentions() -> None:
    ballots = {"a": "c", "b": "c", "c": "b", "d": "abstain", "e": "a"}
    tally = tally_votes(ballots, VoteRule(), list(ballots), Random(0))
    assert tally.votes == (("c", 2), ("a", 1), ("b", 1))
    assert tally.named == ("c",)
