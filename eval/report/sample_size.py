"""Compute how many matches a figure needs, from the variance within a run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, variance

from arena.errors import ConfigError
from eval.metrics.catalogue import METRICS
from eval.report.collection.match_facts import collect_runs
from eval.report.report_context import ReportContext
from eval.scores import Score, group_scores
from eval.stats.power import design_effect, intraclass_correlation, matches_for_half_width


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSize:
    """The sample size derived from a group of matches."""

    metric: str
    group: tuple[tuple[str, str], ...]
    mean: float
    """Mean over matches."""
    matches: int
    works: int
    correlation: float | None
    """Intraclass correlation within works (ICC); None: unknown, 0 is assumed."""
    effect: float
    """The design effect, at least 1."""
    needed: int | None
    """Required matches, with the current number per work; None: no variance in the data."""

    def as_object(self) -> dict[str, object]:
        """Return the JSON object that `arena power` prints."""
        return {
            "metric": self.metric,
            **dict(self.group),
            "mean": self.mean,
            "matches": self.matches,
            "works": self.works,
            "icc": self.correlation,
            "design_effect": self.effect,
            "needed": self.needed,
        }


def plan_matches(folders: Sequence[Path], metric: str, half_width: float) -> tuple[SampleSize, ...]:
    """Return, by contestant, faction and game, the matches for an interval of +- `half_width`.

    Raises `RecordError` if a run cannot be read, `ConfigError` for an unknown metric and if no
    group has two matches with a value.
    """
    if not half_width > 0:
        raise ConfigError(f"--half-width must be above 0, got {half_width}")
    if metric not in METRICS:
        raise ConfigError(f"unknown metric {metric!r}; one of {', '.join(sorted(METRICS))}")
    scores = ReportContext(collected=collect_runs(folders), language="en").scores
    asked = [one for one in scores if one.metric == metric]
    found = tuple(plan_scores(asked, half_width))
    if not found:
        raise ConfigError(f"{metric} has fewer than 2 matches with a value; play more")
    return found


def plan_scores(scores: Iterable[Score], half_width: float) -> Iterator[SampleSize]:
    """Yield the same for scores, without groups that have fewer than two matches with a value."""
    groups = group_scores(scores, ("contestant", "faction", "game", "group", "judge"))
    for key, group in groups.items():
        works = _match_values(group)
        values = [value for work in works for value in work]
        if len(values) <= 1:
            continue
        spread, correlation = variance(values), intraclass_correlation(works)
        effect = max(1.0, design_effect(len(values) / len(works), correlation or 0.0))
        name = dict(key)["metric"]
        yield SampleSize(
            metric=name,
            group=tuple(pair for pair in key if pair[0] != "metric" and pair[1]),
            mean=fmean(values),
            matches=len(values),
            works=len(works),
            correlation=correlation,
            effect=effect,
            needed=matches_for_half_width(spread, half_width, effect=effect) if spread else None,
        )


def _match_values(scores: Sequence[Score]) -> list[list[float]]:
    """Return, for each work, the mean over the seats of each of its matches."""
    works: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        if score.value is not None:
            works[score.work][score.run, score.match].append(score.value)
    return [[fmean(match) for match in work.values()] for work in works.values()]
