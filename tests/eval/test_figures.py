"""Scores that become figures."""

from math import sqrt
from statistics import stdev

import pytest

from eval.figures import summarise
from eval.scores import Score
from eval.stats.confidence_intervals import wilson


def score(
    work: str,
    value: float | None,
    *,
    script: str = "",
    match: str = "m",
    of: tuple[float, float] | None = None,
    contestant: str = "A",
) -> Score:
    """Return a score; `of` are numerator and denominator."""
    numerator, denominator = of or (None, None)
    return Score(
        metric="TIU",
        value=value,
        numerator=numerator,
        denominator=denominator,
        match=match,
        script=script or work,
        work=work,
        game="whodunit",
        contestant=contestant,
    )


def rate(work: str, k: int, n: int) -> Score:
    return score(work, k / n, of=(k, n))


def test_a_figure_is_made_for_each_metric_and_group() -> None:
    figures = summarise([score("w", 1), score("w", 0, contestant="B")], by=("contestant",))
    assert [one.group for one in figures] == [(("contestant", "A"),), (("contestant", "B"),)]
    assert [one.macro for one in figures] == [1, 0]


def test_the_macro_mean_and_the_pooled_rate_weigh_matches_differently() -> None:
    (figure,) = summarise([rate("a", 1, 1), rate("b", 0, 3)], by=())
    assert (figure.macro, figure.pooled) == (0.5, 0.25)


def test_undefined_values_are_counted_and_in_no_mean() -> None:
    (figure,) = summarise([score("a", None), score("b", 0.5), score("c", None)], by=())
    assert (figure.macro, figure.scores, figure.missing) == (0.5, 1, 2)
    assert (figure.scripts, figure.clusters, figure.matches) == (1, 1, 1)


def test_nothing_defined_has_no_mean_and_says_why_there_is_no_interval() -> None:
    (figure,) = summarise([score("a", None)], by=())
    assert (figure.macro, figure.low, figure.high) == (None, None, None)
    assert figure.interval == "no value is defined"


def test_scripts_of_one_work_are_one_cluster_and_two_scripts() -> None:
    scores = [score("a", 1, script="a1"), score("a", 0, script="a2"), score("b", 0)]
    (figure,) = summarise(scores, by=())
    assert (figure.scripts, figure.clusters) == (3, 2)
    assert figure.macro == pytest.approx(1 / 3)


def test_a_rate_in_fewer_than_5_clusters_has_the_interval_of_wilson_around_its_mean() -> None:
    scores = [rate("a", 1, 1), rate("a", 1, 1), rate("a", 0, 1), rate("b", 0, 1)]
    (figure,) = summarise(scores, by=())
    assert figure.macro == pytest.approx(1 / 3)
    wanted = wilson(4 / 3, 4)
    assert (figure.low, figure.high) == (wanted.low, wanted.high)
    assert figure.interval == "Wilson, n = 4 scores, clusters: 2"


def test_tokens_are_no_trials() -> None:
    """A share of a million tokens in one match says little of other matches."""
    (figure,) = summarise([rate("a", 900_000, 1_000_000)], by=())
    assert figure.low is not None
    assert figure.high is not None
    assert figure.low < 0.4
    assert figure.high > 0.9


def test_a_share_that_is_no_whole_number_is_a_rate_between_0_and_1() -> None:
    scores = [
        score(work, half / 2, of=(half / 2, 1))
        for work, half in zip("abcde", (0, 0, 0, 1, 2), strict=True)
    ]
    (figure,) = summarise(scores, by=())
    assert figure.interval == "cluster-robust t of log-odds, clusters: 5"
    assert figure.low is not None
    assert figure.high is not None
    assert 0 < figure.low < 0.3 < figure.high < 1


def test_values_that_are_no_rate_have_no_interval_in_fewer_than_5_clusters() -> None:
    (figure,) = summarise([score(work, 0.5) for work in "abcd"], by=())
    assert (figure.low, figure.high) == (None, None)
    assert figure.interval == "clusters: 4, fewer than 5"


def test_a_rate_in_5_clusters_has_the_interval_of_its_log_odds() -> None:
    (figure,) = summarise([rate(work, k, 8) for work, k in zip("abcde", range(5), strict=True)], ())
    assert figure.macro == 0.25
    assert figure.low is not None
    assert figure.high is not None
    assert 0 < figure.low < 0.25 < figure.high < 1
    assert figure.interval == "cluster-robust t of log-odds, clusters: 5"


def test_a_rate_that_never_succeeds_has_an_interval_that_is_no_point() -> None:
    (figure,) = summarise([rate(work, 0, 4) for work in "abcdef"], by=())
    assert (figure.low, figure.macro) == (0, 0)
    assert figure.high == pytest.approx(wilson(0, 6).high)
    assert figure.interval == "Wilson, n = 6 scores, clusters: 6"


def test_the_mean_of_other_values_has_students_t_of_the_clusters() -> None:
    values = (1, 2, 2, 5, 3, 4)
    scores = [score(work, value) for work, value in zip("abcdef", values, strict=True)]
    (figure,) = summarise(scores, by=())
    half = 2.570582 * stdev(values) / sqrt(6)
    assert (figure.low, figure.high) == pytest.approx((17 / 6 - half, 17 / 6 + half))
    assert figure.interval == "cluster-robust t, clusters: 6"


def test_equal_values_have_a_point_that_says_so() -> None:
    (figure,) = summarise([score(work, 2.5) for work in "abcdef"], by=())
    assert (figure.low, figure.high) == (2.5, 2.5)
    assert figure.interval == "cluster-robust t, clusters: 6, all equal"


def test_the_interval_weighs_scripts_as_the_macro_mean_does() -> None:
    """One work of many matches says no more than one of few."""
    many = [score("a", 0.0, match=f"m{i}") for i in range(50)]
    few = [score(work, 1.0) for work in "bcdef"]
    (figure,) = summarise([*many, *few], by=())
    assert figure.macro == pytest.approx(5 / 6)
    assert figure.low is not None
    assert figure.low < 0.5


def test_the_interval_is_around_the_mean_of_scripts_and_not_of_matches() -> None:
    many = [score("a", 1.0, script="a1", match=f"m{i}") for i in range(9)]
    others = [score("a", 0.0, script="a2"), *(score(work, 0.5) for work in "bcde")]
    (figure,) = summarise([*many, *others], by=())
    assert figure.macro == 0.5
    assert figure.low is not None
    assert figure.high is not None
    assert (figure.low + figure.high) / 2 == pytest.approx(0.5)


def test_two_scripts_of_a_work_are_one_cluster_that_weighs_as_two() -> None:
    """Work sums 1.4, .2, .9, .4, .6 of 2, 1, 1, 1, 1 scripts: mean 3.5/6, residuals by work."""
    works = {"a": (0.8, 0.6), "b": (0.2,), "c": (0.9,), "d": (0.4,), "e": (0.6,)}
    scores = [
        score(work, value, script=f"{work}{i}")
        for work, values in works.items()
        for i, value in enumerate(values)
    ]
    (figure,) = summarise(scores, by=())
    mean = 3.5 / 6
    residuals = [sum(values) - mean * len(values) for values in works.values()]
    error = sqrt(5 / 4 * sum(one**2 for one in residuals)) / 6
    assert figure.clusters == 5
    assert figure.low == pytest.approx(mean - 2.776445 * error, abs=1e-5)
    assert figure.high == pytest.approx(mean + 2.776445 * error, abs=1e-5)
