"""The place of the culprit."""

from itertools import permutations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.events import Event, MatchEnded
from arena.core.specs import ABSTAIN
from eval.metrics.papers.victory import VICTORY, measure_victory, victory
from eval.played_match import PlayedMatch
from tests.eval.made import made, vote
from tests.eval.metrics.speeches import (
    ADA,
    BRAM,
    CLEO,
    by_place,
    rated,
    values_of,
)


def ranked(*events: Event, **scores: float) -> PlayedMatch:
    """Return a match with a ranking of the first three seats."""
    names = {"ada": ADA, "bram": BRAM, "cleo": CLEO}
    ranking = tuple(sorted(((names[n], s) for n, s in scores.items()), key=lambda one: -one[1]))
    last = MatchEnded(outcome="murderer_win", murderers=(CLEO,), ranking=ranking)
    return made(*events, last, outcome="murderer_win")


def test_the_culprit_in_third_place_has_a_third() -> None:
    match = ranked(vote(ADA, BRAM), ada=5, bram=4, cleo=3)
    assert values_of(VICTORY, match) == {"": pytest.approx(1 / 3)}


def test_ties_share_their_places() -> None:
    match = ranked(vote(ADA, BRAM), ada=5, bram=3, cleo=3)
    expected = {"mean": 5 / 12, "optimistic": 1 / 2, "pessimistic": 1 / 3, "seat_order": 1 / 3}
    for ties, value in expected.items():
        found = by_place(measure_victory(match, ties))  # pyright: ignore[reportArgumentType]
        assert found == {"": pytest.approx(value)}, ties


def test_without_votes_the_ranking_goes_by_doubt() -> None:
    doubts = (rated(CLEO, "suspicion", 2), rated(CLEO, "trust", 1), rated(ADA, "suspicion", 2))
    match = ranked(vote(ADA, ABSTAIN), *doubts, rated(BRAM, "trust", 2), ada=0, bram=0, cleo=0)
    assert values_of(VICTORY, match) == {"": 0.5}


def test_without_votes_and_ratings_there_is_no_place() -> None:
    match = ranked(vote(ADA, ABSTAIN), ada=0, bram=0, cleo=0)
    assert values_of(VICTORY, match) == {"": None}


def test_a_game_that_ranks_nobody_has_no_score() -> None:
    assert values_of(VICTORY, made(vote(ADA, CLEO))) == {}


def test_a_culprit_who_is_no_candidate_has_no_place() -> None:
    assert victory({"a": 1, "b": 0}, ["z"]) is None


@given(
    st.lists(st.integers(0, 2), min_size=1, max_size=5),
    st.sets(st.integers(0, 4), min_size=1, max_size=3),
)
def test_the_mean_of_ties_is_that_of_all_orders(scores: list[int], guilty: set[int]) -> None:
    """Brute force: every order of equal candidates, the best placed culprit in each."""
    culprits = [str(one) for one in guilty if one < len(scores)]
    named = {str(at): float(score) for at, score in enumerate(scores)}
    if not culprits:
        assert victory(named, culprits) is None
        return
    orders = [
        order
        for order in permutations(named)
        if [named[one] for one in order] == sorted(named.values(), reverse=True)
    ]
    places = [1 + min(order.index(one) for one in culprits) for order in orders]
    assert victory(named, culprits) == pytest.approx(fmean(1 / place for place in places))
    assert victory(named, culprits, "optimistic") == pytest.approx(1 / min(places))
    assert victory(named, culprits, "pessimistic") == pytest.approx(1 / max(places))
