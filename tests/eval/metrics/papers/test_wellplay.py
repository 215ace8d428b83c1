"""WellPlay's points and means, and victims solved."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.events import MatchEnded, VictimResult
from arena.core.seats import SeatId
from eval.metrics.catalogue import METRICS
from eval.metrics.papers.wellplay import (
    count_solved,
    full_score,
    measure_overall,
    measure_victims,
    overall,
    run_deviation,
    total_over_scripts,
    weighted_deviation,
    weighted_mean,
)
from eval.played_match import PlayedMatch
from eval.scores import Score, pooled_rate
from scripts_mm.script import Question
from tests.eval.made import made, quiz
from tests.table import MURDERER, NAMES, case

ADA, BRAM, *_ = NAMES
KINDS = {"o": "obj", "r": "rea", "s": "rel", "m": "mmr"}
QUESTIONS = tuple(
    Question(id=name, kind=kind, stem="?", options=("a", "b"), keys=(0,))  # pyright: ignore[reportArgumentType]
    for name, kind in KINDS.items()
)
WEIGHTED = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 50)), min_size=1, max_size=9)


def quizzed(rights: dict[tuple[str, str], bool], **values: Any) -> PlayedMatch:
    probes = tuple(quiz(seat, name, (0 if right else 1,)) for (seat, name), right in rights.items())
    return made(script=replace(case(), questions=QUESTIONS), probes=probes, **values)


def test_a_category_is_counted_over_all_seats() -> None:
    match = quizzed({(ADA, "o"): True, (BRAM, "o"): False, (ADA, "r"): True, (ADA, "s"): False})
    found = {
        name: [(one.seat, one.value) for one in METRICS[name].measure(match)]
        for name in ("Objective", "Reasoning", "Relations")
    }
    assert found == {"Objective": [("", 0.5)], "Reasoning": [("", 1)], "Relations": [("", 0)]}


def test_overall_weighs_by_points_and_leaves_other_kinds_out() -> None:
    match = quizzed({(ADA, "o"): True, (ADA, "r"): False, (ADA, "s"): True, (ADA, "m"): False})
    [score] = measure_overall(match)
    assert (score.numerator, score.denominator) == (12, 17)
    assert not list(measure_overall(quizzed({(ADA, "m"): True})))
    dear = replace(QUESTIONS[1], points=30)
    priced = made(script=replace(case(), questions=(dear,)), probes=(quiz(ADA, "r", (0,)),))
    assert [one.denominator for one in measure_overall(priced)] == [30]


def test_a_category_without_questions_has_no_weight() -> None:
    assert overall([0.5, None, 1.0], [2, 0, 1], [10, 5, 2]) == (12, 22)
    assert overall([None], [0], [10]) == (0, 0)
    assert full_score([117, 800, 565], [10, 5, 2]) == 6300


def test_means_and_deviations_are_weighted() -> None:
    assert weighted_mean([0.2, 0.4], [10, 30]) == pytest.approx(0.35)
    assert weighted_deviation([0.2, 0.4], [10, 30]) == pytest.approx(0.0866, abs=1e-4)
    assert weighted_mean([], []) is None
    assert weighted_deviation([], []) is None


@given(pairs=WEIGHTED)
def test_a_weighted_mean_lies_between_the_values(pairs: list[tuple[float, int]]) -> None:
    values, weights = [value for value, _ in pairs], [weight for _, weight in pairs]
    mean, spread = weighted_mean(values, weights), weighted_deviation(values, weights)
    assert mean is not None
    assert spread is not None
    assert min(values) - 1e-9 <= mean <= max(values) + 1e-9
    assert 0 <= spread <= (max(values) - min(values)) / 2 + 1e-9


def test_runs_deviate_by_either_convention() -> None:
    assert run_deviation([0, 0, 1], ddof=0) == pytest.approx(0.4714, abs=1e-4)
    assert run_deviation([0.8, 0.9, 1.0]) == pytest.approx(0.1)
    assert run_deviation([1.0]) is None
    assert run_deviation([1.0], ddof=0) == 0
    assert run_deviation([], ddof=0) is None


def score(script: str, number: int, right: int, asked: int) -> Score:
    return Score(
        metric="Reasoning",
        value=right / asked if asked else None,
        numerator=right,
        denominator=asked,
        match=str(number),
        script=script,
        work=script,
        game="questum",
    )


def test_a_total_weighs_scripts_and_tells_the_spread_of_runs() -> None:
    scores = [
        *(score("a", 1, 1, 10), score("a", 2, 3, 10)),
        *(score("b", 1, 12, 30), score("b", 2, 12, 30)),
    ]
    total = total_over_scripts(scores)
    assert total.by_script == pytest.approx({"a": 0.2, "b": 0.4})
    assert total.mean == pytest.approx(0.35)
    assert total.deviation == pytest.approx(0.0866, abs=1e-4)
    assert total.runs == 2
    assert total.sd_runs == pytest.approx(0.05 / 2**0.5)
    assert total.sd_runs_population == pytest.approx(0.025)


def test_a_total_of_nothing_is_undefined() -> None:
    total = total_over_scripts([score("a", 1, 0, 0)])
    assert (total.mean, total.deviation, total.sd_runs, total.runs) == (None, None, None, 0)


def solved(*outcomes: Any, ballots: bool = False) -> list[Score]:
    results = tuple(
        VictimResult(
            about="" if ballots else str(number),
            ballot=number if ballots else 1,
            outcome=outcome,
            named=(),
        )
        for number, outcome in enumerate(outcomes, start=1)
    )
    end = MatchEnded(outcome="murderer_win", murderers=(SeatId(MURDERER),), results=results)
    return list(measure_victims(made(end, outcome="murderer_win")))


def test_each_victim_is_a_game_and_the_total_is_pooled() -> None:
    runs = [
        *solved("civ_win", "murderer_win", None),
        *solved("civ_win", "draw", None),
        *solved("murderer_win", "murderer_win", None),
    ]
    assert pooled_rate(runs) == 2 / 6
    assert count_solved([None, "civ_win"]) == (1, 1)


def test_victims_without_a_playable_murderer_alone_are_undefined() -> None:
    assert [one.value for one in solved(None)] == [None]


def test_elections_and_single_votes_and_failed_matches_have_no_victims() -> None:
    assert not solved("civ_win", "murderer_win", ballots=True)
    assert not list(measure_victims(made()))
    assert not list(measure_victims(made(outcome="forfeit")))
