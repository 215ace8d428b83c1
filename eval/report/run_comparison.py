"""Compare two runs over the same matches: paired differences of every metric."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from arena.core.seats import SeatId
from arena.errors import ConfigError, RecordError
from eval.metrics.catalogue import METRICS
from eval.report.collection.match_facts import MatchFacts, RunCollection, collect_runs
from eval.report.elements import Cell, FigureCell, Table, format_number
from eval.report.report_context import ReportContext
from eval.scores import Score
from eval.stats.bootstrap import FEWEST_CLUSTERS, LEVEL
from eval.stats.multiple_testing import holm
from eval.stats.paired import PairedComparison, ScorePair, compare_pairs

MatchKey = tuple[str, str, str, int, tuple[tuple[SeatId, str], ...], bool]
"""The key of a pair of matches: game, script, language, seed, the side of every seat, and whether
the run's contestants are swapped."""
_Group = tuple[str, str, str, str]
"""Metric, side, group and judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """First run - second run, in one metric."""

    metric: str
    faction: str
    group: str
    judge: str
    first: float | None
    """Mean over the pairs."""
    second: float | None
    paired: PairedComparison
    holm_p: float | None
    """Holm-adjusted p of the sign-flip test, over all metrics."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunComparison:
    """Two runs, compared match by match."""

    first: RunCollection
    second: RunCollection
    pairs: int
    unpaired: tuple[int, int]
    """Number of matches of each run without a partner."""
    differences: tuple[MetricDifference, ...]


def compare_runs(
    first: Path, second: Path, metrics: Sequence[str] = (), *, level: float = LEVEL
) -> RunComparison:
    """Return the paired differences of two runs, with intervals of `level`; default: all metrics.

    Raises `RecordError` if they share no match, `ConfigError` if a metric is unknown.
    """
    unknown = [name for name in metrics if name not in METRICS]
    if unknown:
        raise ConfigError(f"unknown metric {unknown[0]!r}; one of {', '.join(sorted(METRICS))}")
    if first.resolve() == second.resolve():
        raise ConfigError("a run is compared with itself; give two runs")
    return compare_collected(collect_runs([first]), collect_runs([second]), metrics, level=level)


def compare_collected(
    first: RunCollection,
    second: RunCollection,
    metrics: Sequence[str] = (),
    *,
    level: float = LEVEL,
) -> RunComparison:
    """Return the paired differences of two collected runs."""
    left, right = _by_key(first), _by_key(second)
    shared = [key for key in left if key in right]
    if not shared:
        games = [", ".join(sorted({key[0] for key in keys})) for keys in (left, right)]
        raise RecordError(
            "the runs share no match: none has the same game, script, language, seed and sides"
            + (f"; the games are {games[0]} and {games[1]}" if games[0] != games[1] else "")
        )
    pairs = [(left[key], right[key]) for key in shared]
    found = [
        (group, some, compare_pairs(some, level=level))
        for group, some in _pair_scores(pairs, metrics or tuple(METRICS)).items()
    ]
    adjusted = _adjust([(group[0], paired) for group, _, paired in found])
    return RunComparison(
        first=first,
        second=second,
        pairs=len(shared),
        unpaired=(len(first.matches) - len(shared), len(second.matches) - len(shared)),
        differences=tuple(
            MetricDifference(
                metric=metric,
                faction=faction,
                group=group,
                judge=judge,
                first=_mean(one.first for one in some if one.second is not None),
                second=_mean(one.second for one in some if one.first is not None),
                paired=paired,
                holm_p=holm_p,
            )
            for ((metric, faction, group, judge), some, paired), holm_p in zip(
                found, adjusted, strict=True
            )
        ),
    )


def _adjust(found: Sequence[tuple[str, PairedComparison]]) -> Sequence[float | None]:
    """Return Holm's p of each metric with a direction; None: not tested.

    A metric without a direction, such as a chance level, is not a hypothesis, and does not weaken
    the other tests.
    """
    ps = [None if METRICS[name].better == "none" else one.sign_flip_p for name, one in found]
    adjusted = iter(holm([p for p in ps if p is not None]))
    return [None if p is None else next(adjusted) for p in ps]


def _by_key(collected: RunCollection) -> Mapping[MatchKey, MatchFacts]:
    civilians = {run.manifest.config.pairs[0].civilians for run in collected.runs}
    found: dict[MatchKey, MatchFacts] = {}
    for one in collected.matches:
        summary = one.summary
        sides = tuple((part.seat, part.faction) for part in one.started.parts)
        is_swapped = summary.civilians not in civilians
        key = (summary.game, summary.script, summary.language, summary.seed, sides, is_swapped)
        if key in found:
            raise RecordError(
                f"{found[key].place} and {one.place} have the same script, seed and sides, so "
                "pairs are not one to one; compare runs of two different contestants, or without "
                "--swap"
            )
        found[key] = one
    return found


def _pair_scores(
    pairs: Sequence[tuple[MatchFacts, MatchFacts]], metrics: Sequence[str]
) -> Mapping[_Group, list[ScorePair]]:
    found: dict[_Group, list[ScorePair]] = {}
    for left, right in pairs:
        values = _values(left.scores), _values(right.scores)
        for group in dict.fromkeys((*values[0], *values[1])):
            if group[0] in metrics:
                first, second = (one.get(group) for one in values)
                pair = ScorePair(cluster=left.work, first=first, second=second)
                found.setdefault(group, []).append(pair)
    return found


def _values(scores: Iterable[Score]) -> Mapping[_Group, float | None]:
    """Return the mean over seats of each metric of one match."""
    found: dict[_Group, list[float | None]] = {}
    for one in scores:
        key = (one.metric, one.faction, one.group, one.judge)
        found.setdefault(key, []).append(one.value)
    return {key: _mean(values) for key, values in found.items()}


def _mean(values: Iterable[float | None]) -> float | None:
    known = [one for one in values if one is not None]
    return fmean(known) if known else None


def difference_object(one: MetricDifference) -> dict[str, object]:
    """Return a difference as a JSON object, in the unit of the metric."""
    interval = one.paired.interval
    return {
        "metric": one.metric,
        "faction": one.faction,
        "group": one.group,
        "judge": one.judge,
        "first": one.first,
        "second": one.second,
        "difference": one.paired.difference,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "interval": _method(one),
        "mcnemar_p": one.paired.mcnemar_p,
        "sign_flip_p": one.paired.sign_flip_p,
        "holm_p": one.holm_p,
        "only_first": one.paired.only_first,
        "only_second": one.paired.only_second,
        "pairs": one.paired.pairs,
        "dropped": one.paired.dropped,
        "clusters": one.paired.clusters,
        "better": METRICS[one.metric].better,
        "scale": METRICS[one.metric].scale,
    }


def _method(one: MetricDifference) -> str:
    """Return the method of the interval, or why there is none."""
    if one.paired.interval is not None:
        return one.paired.interval.method
    if not one.paired.pairs:
        return "no pair has two values"
    return f"clusters: {one.paired.clusters}, fewer than {FEWEST_CLUSTERS}"


def comparison_table(comparison: RunComparison) -> Table:
    """Return the differences as a table, without metrics that have no pair."""
    context = ReportContext(collected=comparison.first, language="en")
    return Table(
        name="comparison",
        title=context.say("table.comparison"),
        columns=(
            *(context.column(key, "left") for key in ("metric", "faction", "group")),
            *map(context.column, ("first", "second", "difference")),
            *(context.column(key, places=3) for key in ("mcnemar", "holm")),
            context.column("pairs"),
        ),
        rows=tuple(_row(one) for one in comparison.differences if one.paired.pairs),
    )


def _row(one: MetricDifference) -> tuple[Cell, ...]:
    metric, interval = METRICS[one.metric], one.paired.interval
    places = 1 if metric.scale > 1 else 2

    def scale(value: float | None) -> float | None:
        return None if value is None else value * metric.scale

    return (
        *(one.metric, one.faction, one.group),
        *(format_number(scale(value), places) for value in (one.first, one.second)),
        FigureCell(
            value=scale(one.paired.difference),
            low=scale(interval.low) if interval else None,
            high=scale(interval.high) if interval else None,
            places=places,
        ),
        *(one.paired.mcnemar_p, one.holm_p, one.paired.pairs),
    )
