"""Figures: the mean of one metric's scores in one group of matches, with its interval.

The interval is of the macro mean over clusters, which are works. For a rate it is Student's t with
G - 1 degrees of freedom on the log-odds, for any other value the same t on the mean. The percentile
bootstrap covers a mean of 5 works in 83 % of cases instead of 95 %, the expanded one in 91 %, and
both less often for small rates; the t intervals reach their level from 5 works on
(tests/eval/coverage_study.py, BENCHMARKS.md). With fewer than 5 clusters, or if all clusters are
equal, a rate has Wilson's interval with each score as one trial: it ignores works, and is too
narrow if they differ.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from eval.scores import MetricFigure, Score, group_scores, macro_mean, pooled_rate
from eval.stats.bootstrap import FEWEST_CLUSTERS, ConfidenceInterval
from eval.stats.confidence_intervals import (
    ClusteredMean,
    clustered_ratio,
    log_odds_interval,
    t_interval,
    wilson,
)


def summarise(scores: Iterable[Score], by: Sequence[str]) -> tuple[MetricFigure, ...]:
    """Return a figure for each metric and group; `by` lists fields of `Score`."""
    return tuple(_make_figure(key, group) for key, group in group_scores(scores, by).items())


def _make_figure(key: tuple[tuple[str, str], ...], scores: Sequence[Score]) -> MetricFigure:
    known = [one for one in scores if one.value is not None]
    interval = _make_interval(known)
    return MetricFigure(
        metric=dict(key)["metric"],
        group=tuple(pair for pair in key if pair[0] != "metric"),
        macro=macro_mean(scores),
        pooled=pooled_rate(scores),
        scores=len(known),
        missing=len(scores) - len(known),
        matches=len({(one.run, one.match) for one in known}),
        scripts=len({one.script for one in known}),
        clusters=len({one.work for one in known}),
        low=interval.low if isinstance(interval, ConfidenceInterval) else None,
        high=interval.high if isinstance(interval, ConfidenceInterval) else None,
        interval=interval.method if isinstance(interval, ConfidenceInterval) else interval,
    )


def _make_interval(known: Sequence[Score]) -> ConfidenceInterval | str:
    """Return the interval of the macro mean of defined scores, or why there is none."""
    if not known:
        return "no value is defined"
    sums, counts = _sum_works(known)
    mean = clustered_ratio(sums, counts)
    if _is_rate(known):
        return log_odds_interval(mean) or _wilson_of_mean(mean, len(known))
    if len(sums) < FEWEST_CLUSTERS:
        return f"clusters: {len(sums)}, fewer than {FEWEST_CLUSTERS}"
    found = t_interval(mean)
    assert found is not None, "there is more than one cluster"
    return found


def _sum_works(known: Sequence[Score]) -> tuple[list[float], list[int]]:
    """Return, for each work, the sum of the means of its scripts and their number."""
    works: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for score in known:
        works[score.work][score.script].append(score)
    sums = [sum(macro_mean(group) or 0.0 for group in work.values()) for work in works.values()]
    return sums, [len(work) for work in works.values()]


def _is_rate(known: Sequence[Score]) -> bool:
    """Return whether every score is a share of a whole."""
    return all(
        one.numerator is not None
        and one.denominator is not None
        and 0 <= one.numerator <= one.denominator
        for one in known
    )


def _wilson_of_mean(mean: ClusteredMean, scores: int) -> ConfidenceInterval:
    """Return Wilson's interval around the mean, as if each score were one trial."""
    found = wilson(mean.mean * scores, scores)
    method = f"{found.method} scores, clusters: {mean.clusters}"
    return ConfidenceInterval(low=found.low, high=found.high, method=method)
