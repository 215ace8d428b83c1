"""Which matches are rated."""

import pytest

from arena.core.events import Outcome
from eval.ratings.rated_games import read_game
from tests.arena.records.made import summary


@pytest.mark.parametrize("outcome", ["civ_win", "murderer_win", "draw"])
def test_a_match_with_a_result_is_rated(outcome: Outcome) -> None:
    found = read_game(summary(outcome=outcome, script="s1"), "w1")
    assert found is not None
    assert (found.outcome, found.script, found.work) == (outcome, "s1", "w1")


@pytest.mark.parametrize("outcome", ["forfeit", "error"])
def test_forfeits_and_errors_are_not_rated(outcome: Outcome) -> None:
    assert read_game(summary(outcome=outcome), "w1") is None


def test_a_match_that_does_not_count_is_not_rated() -> None:
    assert read_game(summary(outcome="civ_win", uncounted="nobody votes"), "w1") is None
