"""Every metric is defined once, in both languages, and its scores bear its name."""

from dataclasses import replace
from typing import Any

import pytest

from arena.games.game_registry import all_games, find_game
from eval.metrics import catalogue
from eval.metrics.catalogue import METRICS, measure_match
from eval.played_match import PlayedMatch
from tests.arena.games.cases import case_of, short_options
from tests.eval.made import drawn, made, play


def played(name: str) -> PlayedMatch:
    game = find_game(name)
    return play(name, case_of(game), short_options(game), drawn())


def test_no_name_is_given_twice() -> None:
    modules: Any = catalogue._MODULES  # pyright: ignore[reportPrivateUsage]
    assert sum(map(len, modules)) == len(METRICS)


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_says_what_it_is(name: str) -> None:
    metric = METRICS[name]
    assert metric.name == name
    assert set(metric.meaning) == {"en", "zh"}
    assert all(metric.meaning.values())
    assert metric.source
    assert metric.low is None or metric.high is None or metric.low < metric.high


@pytest.mark.slow
@pytest.mark.parametrize("game", all_games())
def test_a_match_of_every_game_is_scored_within_the_scales(game: str) -> None:
    scores = list(measure_match(played(game)))
    assert scores
    for score in scores:
        metric = METRICS[score.metric]
        if score.value is not None:
            assert metric.low is None or score.value >= metric.low - 1e-9, score
            assert metric.high is None or score.value <= metric.high + 1e-9, score


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
def test_scores_bear_the_name_of_their_metric(name: str) -> None:
    for game in ("whodunit", "mirage"):
        assert {score.metric for score in METRICS[name].measure(played(game))} <= {name}


@pytest.mark.slow
@pytest.mark.parametrize("outcome", ["error", "forfeit"])
def test_what_needs_a_whole_match_is_undefined_where_it_broke_off(outcome: Any) -> None:
    for game, of_play in (
        ("whodunit", {"ITD_random", "similarity_tfidf", "similarity_length", "clue_disclosure"}),
        ("mirage", {"TII", "CIC", "cic_curve"}),
    ):
        whole = played(game)
        truth = replace(whole.script.truth, key_roles=whole.script.names[:2])
        whole = replace(whole, script=replace(whole.script, truth=truth))
        broken = replace(whole, summary=replace(whole.summary, outcome=outcome))
        known = {one.metric for one in measure_match(whole) if one.value is not None}
        left = {one.metric for one in measure_match(broken) if one.value is not None}
        asked = {one.metric for one in measure_match(broken)}
        assert of_play <= known & asked
        assert not left & of_play
        assert {"requests", "failure_rate", "guard_code", "outcome_share"} <= left


@pytest.mark.parametrize("outcome", ["error", "forfeit"])
def test_a_match_without_a_result_is_scored_where_it_can_be(outcome: Any) -> None:
    scores = list(measure_match(made(outcome=outcome)))
    assert {score.value for score in scores if score.metric == "win_rate"} == {None}
