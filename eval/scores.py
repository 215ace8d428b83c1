"""Scores: a metric's value of one seat or match, and their aggregation into figures.

A metric is a definition and a pure function from a match to its scores. Every table, interval,
export and report reads `MetricFigure`, which `summarise` computes from scores only.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal

from eval.played_match import PlayedMatch

Direction = Literal["higher", "lower", "none"]
"""The better direction for the scored side; `none`: neither."""
Level = Literal["seat", "match", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Value of one metric for one seat, or for a whole match.

    A rate has its numerator and denominator, so that rates can be pooled. `value` None means
    undefined: excluded from means, but counted.
    """

    metric: str
    value: float | None
    numerator: float | None = None
    denominator: float | None = None
    run: str = ""
    match: str
    script: str
    work: str
    """The cluster of every interval."""
    game: str
    seat: str = ""
    """Empty: a match-level score."""
    faction: str = ""
    contestant: str = ""
    """The scored contestant."""
    opponent: str = ""
    """The contestant of the other side."""
    judge: str = ""
    """Model and hash of the prompt of a judged value; empty: counted by rules."""
    group: str = ""
    """A breakdown of the metric, such as a round or a number of steps; empty: the whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """Definition of one metric."""

    name: str
    """The paper's name, such as `TII`."""
    source: str
    """Paper and section, or `own`."""
    meaning: Mapping[str, str]
    """Language (`en`, `zh`) -> one sentence."""
    low: float | None = 0.0
    high: float | None = 1.0
    better: Direction = "higher"
    scale: float = 1.0
    """The factor of the value in tables: 100 for a percentage."""
    measure: Callable[[PlayedMatch], Iterable[Score]] = field(repr=False)
    """Pure; yields nothing if the game or the script lacks the metric's input."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricFigure:
    """Aggregate of the scores of one metric for one group of matches."""

    metric: str
    group: tuple[tuple[str, str], ...]
    """The group's fields, such as (("contestant", "qwen"), ("faction", "civilians"))."""
    macro: float | None
    """Mean over the seats of a match, then over matches of a script, then over scripts."""
    pooled: float | None
    """Sum of numerators / sum of denominators; None if the metric is not a rate."""
    scores: int
    """Number of defined values."""
    missing: int
    """Number of undefined values, which enter no mean."""
    matches: int
    scripts: int
    clusters: int
    low: float | None = None
    high: float | None = None
    """95 % interval of `macro` over clusters, or None."""
    interval: str = ""
    """The method of the interval, or why there is none."""


def make_score(  # noqa: PLR0913 - one parameter per field
    match: PlayedMatch,
    metric: str,
    *,
    value: float | None = None,
    numerator: float | None = None,
    denominator: float | None = None,
    seat: str = "",
    group: str = "",
    judge: str = "",
) -> Score:
    """Return a score of `match` or of one of its seats; a rate is computed from its parts.

    A rate with denominator 0 is undefined.
    """
    if denominator is not None and numerator is not None:
        value = numerator / denominator if denominator else None
    part = next((one for one in match.started.parts if one.seat == seat), None)
    faction = part.faction if part else ""
    sides = (match.summary.civilians, match.summary.murderer)
    contestant, opponent = sides if faction != "murderer" else sides[::-1]
    return Score(
        metric=metric,
        value=value,
        numerator=numerator,
        denominator=denominator,
        run=match.run,
        match=match.id,
        script=match.script.id,
        work=match.work,
        game=match.started.game,
        seat=seat,
        faction=faction,
        contestant=contestant,
        opponent=opponent,
        judge=judge,
        group=group,
    )


def macro_mean(scores: Iterable[Score]) -> float | None:
    """Return the mean over seats of a match, then matches of a script, then scripts.

    Undefined values are excluded; None if no score is defined.
    """
    by_script: dict[str, dict[tuple[str, str], list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for score in scores:
        if score.value is not None:
            by_script[score.script][score.run, score.match].append(score.value)
    if not by_script:
        return None
    return fmean(
        fmean(fmean(values) for values in matches.values()) for matches in by_script.values()
    )


def pooled_rate(scores: Iterable[Score]) -> float | None:
    """Return sum of numerators / sum of denominators; None if undefined."""
    known = [one for one in scores if one.denominator is not None and one.value is not None]
    total = sum(one.denominator or 0.0 for one in known)
    return sum(one.numerator or 0.0 for one in known) / total if total else None


def group_scores(
    scores: Iterable[Score], by: Sequence[str]
) -> Mapping[tuple[tuple[str, str], ...], tuple[Score, ...]]:
    """Return the scores by metric and by the fields named in `by`, in order of appearance."""
    groups: dict[tuple[tuple[str, str], ...], list[Score]] = defaultdict(list)
    for score in scores:
        key = tuple((name, str(getattr(score, name))) for name in ("metric", *by))
        groups[key].append(score)
    return {key: tuple(group) for key, group in groups.items()}
