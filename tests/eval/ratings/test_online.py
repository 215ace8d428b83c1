"""Elo and OpenSkill."""

import numpy as np
import pytest

from eval.ratings.elo import rate_elo, replay_elo
from eval.ratings.openskill_rating import Skill, rate_openskill, replay_skills, update_skills
from eval.ratings.rated_games import RatedGame
from tests.eval.ratings.tables import draw_games

WIN = RatedGame(civilians="A", murderer="B", outcome="civ_win")
LOSS = RatedGame(civilians="A", murderer="B", outcome="murderer_win")
DRAW = RatedGame(civilians="A", murderer="B", outcome="draw")


def test_elo_rates_each_side_of_a_contestant_apart() -> None:
    mirror = RatedGame(civilians="A", murderer="A", outcome="murderer_win")
    assert replay_elo([mirror]) == {("A", "civilians"): 1492, ("A", "murderer"): 1508}


def test_elo_is_the_mean_over_orders_with_the_spread_of_orders() -> None:
    found = rate_elo([WIN, LOSS], orders=50, seed=1)
    assert found["A", "civilians"].mean == pytest.approx(1500, abs=0.4)
    assert found["A", "civilians"].spread == pytest.approx(0.37, abs=0.03)
    assert rate_elo([WIN, LOSS], orders=50, seed=1) == found
    same = rate_elo([WIN, WIN], orders=5)
    assert same["A", "civilians"].spread == 0


def test_a_draw_of_equals_changes_no_mean() -> None:
    assert replay_elo([DRAW])["A", "civilians"] == 1500
    first, second = update_skills(Skill(), Skill(), draw=True)
    assert first.mu == pytest.approx(25)
    assert first.sigma < Skill().sigma
    assert first == second


def test_openskill_gives_the_win_to_the_side_that_won() -> None:
    skills = replay_skills([LOSS])
    assert skills["B", "murderer"].mu > 25 > skills["A", "civilians"].mu


def test_openskill_shows_mu_less_3_sigma() -> None:
    found = rate_openskill([WIN], orders=2)
    assert found["A", "civilians"].mean == pytest.approx(27.63523138 - 3 * 8.06550632)


def test_both_put_contestants_in_the_order_of_their_strength() -> None:
    games = draw_games(
        np.random.default_rng(1), {"A": -1.5, "B": 0, "C": 1.5}, {"D": 0}, alpha=0, scripts=40
    )
    for rate in (rate_elo, rate_openskill):
        found = rate(games, orders=5)
        means = [found[name, "civilians"].mean for name in "ABC"]
        assert means == sorted(means)
