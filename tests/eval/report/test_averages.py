"""Averages that are no plain means: over the chain, over scripts by weight, and CCW."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from eval.report import evaluation
from eval.report.collection.match_facts import MatchFacts, RunCollection
from eval.report.elements import FigureCell
from eval.report.sections.ability_tables import CHAIN
from eval.scores import Score
from tests.eval.report.made_reports import (
    collected,
    facts,
    report,
    rows,
    table,
)

JUDGED = ("RP", "SPC", "CMD")


def score(metric: str, part: float, whole: float, *, script: str = "a", number: int = 1) -> Score:
    return Score(
        metric=metric,
        value=part / whole,
        numerator=part,
        denominator=whole,
        match=str(number),
        script=script,
        work=script,
        game="whodunit",
        contestant="alpha",
        opponent="beta",
    )


def chain(*judges: str, missing: Sequence[tuple[str, str]] = ()) -> MatchFacts:
    """Return a match with all columns of the chain; each judge gives 1 more than the one before."""
    counted = [score(name, 1, 2) for name in CHAIN if name not in JUDGED]
    judged = [
        replace(score(name, number, 10), judge=judge)
        for number, judge in enumerate(judges, start=1)
        for name in JUDGED
        if (name, judge) not in missing
    ]
    return replace(facts(), scores=(*counted, *judged))


def test_the_average_of_the_chain_is_that_of_one_judge_who_is_named() -> None:
    found = table(report(chain("one a1", "two b2")), "chain")
    [row] = rows(found)
    # Five columns of 50, RP of .1 and .2, SPC of 10 and 20, CMD of .1 and .2.
    assert row["coe_avg_one a1"] == "32.53"
    assert row["coe_avg_two b2"] == "33.80"
    titles = [one.title for one in found.columns][-2:]
    assert titles == ["Avg · one a1", "Avg · two b2"]


def test_columns_of_two_judges_make_no_average() -> None:
    [row] = rows(
        table(report(chain("one", "two", missing=[("RP", "one"), ("SPC", "two")])), "chain")
    )
    assert row["coe_avg_one"] is row["coe_avg_two"] is None


def test_a_chain_without_a_judge_has_one_empty_average() -> None:
    [row] = rows(table(report(chain()), "chain"))
    assert row["coe_avg"] is None


def test_chance_corrected_wins_are_pooled_and_no_mean_of_matches() -> None:
    won, lost = score("CCW", 0.75, 0.75), score("CCW", -0.5, 0.5, number=2)
    lost = replace(lost, group="open vote")
    found = report(replace(facts(), scores=(won, lost)))
    for name in ("win_rates_whodunit", "pairs_whodunit"):
        [row] = rows(table(found, name))
        assert row["CCW"] == "0.20"


def quizzed() -> MatchFacts:
    """Return a match with the scores of two scripts, twice played."""
    parts = {("a", 1): (1, 10), ("a", 2): (3, 10), ("b", 1): (12, 30), ("b", 2): (12, 30)}
    scores = [
        score("Reasoning", *values, script=script, number=number)
        for (script, number), values in parts.items()
    ]
    return replace(facts(), scores=tuple(scores))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_wellplay_has_the_weighted_mean_and_deviation_over_scripts(language: str) -> None:
    [row] = rows(table(report(quizzed(), language=language), "script_totals"))
    assert (row["contestant"], row["metric"]) == ("alpha", "Reasoning")
    assert (row["scripts"], row["repetitions"]) == (2, 2)
    assert row["weighted_mean"] == pytest.approx(0.35)
    assert row["script_deviation"] == pytest.approx(0.0866, abs=1e-4)
    assert row["run_deviation"] == pytest.approx(0.05 / 2**0.5)
    assert row["run_deviation_n"] == pytest.approx(0.025)


def test_a_report_without_questions_has_no_totals() -> None:
    assert "script_totals" not in {one.name for one in report(facts()).tables()}


def evaluated(monkeypatch: pytest.MonkeyPatch, *scores: Score) -> evaluation.Evaluation:
    """Return what `arena eval` shows of these scores."""

    def found(_: Sequence[Path]) -> RunCollection:
        return collected(replace(facts(), scores=scores))

    monkeypatch.setattr(evaluation, "collect_runs", found)
    return evaluation.evaluate_runs([], "contestant")


def test_the_figures_of_a_run_hold_the_weighted_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    found = evaluated(monkeypatch, *quizzed().scores, score("CCW", 1, 2))
    ccw, reasoning = sorted(found.objects, key=lambda one: str(one["metric"]))
    assert reasoning["macro"] == pytest.approx(0.3)
    assert reasoning["weighted_mean"] == pytest.approx(0.35)
    assert reasoning["script_deviation"] == pytest.approx(0.0866, abs=1e-4)
    assert "weighted_mean" not in ccw


def test_the_table_of_figures_shows_means_and_pooled_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    won, lost = score("CCW", 0.75, 0.75), score("CCW", -0.5, 0.5, number=2)
    [row] = rows(evaluated(monkeypatch, won, lost).table)
    assert isinstance(row["macro"], FigureCell)
    assert (row["macro"].value, row["pooled"]) == (0, 0.2)
