"""What a match costs on a small H200: the policies stand in the order that is known."""

from dataclasses import replace

import pytest

from serving.engine_sim.cost_model.engine_profile import EngineProfile, load_engine_profile
from tests.serving.engine_sim.matches import Plan, Played, play

QUARTER = 4


def card() -> EngineProfile:
    """Return an H200 with a quarter of its memory: as tight for 4 matches as it is for 16."""
    whole = load_engine_profile("h200-qwen2.5-vl-7b")
    return replace(whole, kv_tokens=whole.kv_tokens // QUARTER)


@pytest.fixture(scope="module")
def private() -> dict[int, Played]:
    """Return 24 matches without shared scripts, played 2, 4, 8 and 24 at once."""
    return {live: play(card(), Plan(matches=24, live=live)) for live in (2, 4, 8, 24)}


@pytest.mark.slow
def test_the_hit_rate_falls_the_more_matches_are_live(private: dict[int, Played]) -> None:
    two, four, eight, all_ = (played.hit_rate for played in private.values())
    assert two == pytest.approx(0.84, abs=0.02)
    assert two > four > eight + 0.2
    assert eight > all_ + 0.2
    assert all_ < 0.15


@pytest.mark.slow
def test_everything_at_once_is_far_worse_than_a_few_matches(private: dict[int, Played]) -> None:
    rate = {live: played.matches_per_hour for live, played in private.items()}
    assert rate[4] > 1.1 * rate[2]
    assert rate[4] > 1.3 * rate[8]
    assert rate[8] > 1.1 * rate[24]


@pytest.mark.slow
def test_sharing_scripts_and_playing_them_in_a_row_pays() -> None:
    alone = play(card(), Plan(matches=24, live=4, scripts=6))
    shared = play(card(), Plan(matches=24, live=4, scripts=6, shared=True))
    grouped = play(card(), Plan(matches=24, live=4, scripts=6, shared=True, grouped=True))
    assert grouped.hit_rate > shared.hit_rate > alone.hit_rate
    assert grouped.matches_per_hour > 1.1 * shared.matches_per_hour
    assert shared.matches_per_hour > 1.03 * alone.matches_per_hour


@pytest.mark.slow
def test_the_same_matches_end_at_the_same_time_every_time() -> None:
    plan = Plan(matches=4, live=4, turns=4)
    assert play(card(), plan).done == play(card(), plan).done
