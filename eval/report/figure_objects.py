"""Figures of runs as JSON objects, the output of `arena eval`."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from arena.errors import ConfigError
from eval.figures import summarise
from eval.metrics.catalogue import METRICS
from eval.report.collection.decided_level import DECIDED_LEVEL
from eval.report.report_context import find_figure
from eval.scores import MetricFigure, Score

GROUPS: Final = ("contestant", "faction", "game", "script", "opponent", "seat", "run", "work")
"""The fields of a score by which figures can be grouped."""
CHANCE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "win_rate": "chance",
        "win_rate_decided": DECIDED_LEVEL,
        "ITD": "ITD_random",
        "Victory": "chance_rank",
        **dict.fromkeys(("TIU", "MIU", "LSU", "MMR"), "choice_random"),
    }
)
"""Metric -> the metric, or the report's level, that is its chance level."""


def parse_by(text: str) -> tuple[str, ...]:
    """Parse the fields in `text`; raises `ConfigError`."""
    names = tuple(dict.fromkeys(filter(None, (one.strip() for one in text.split(",")))))
    wrong = [name for name in names if name not in GROUPS]
    if wrong:
        raise ConfigError(f"--by takes {', '.join(GROUPS)}; got {wrong[0]!r}")
    return names


def chance_of(figures: Sequence[MetricFigure], figure: MetricFigure) -> float | None:
    """Return the chance level of a figure, or None."""
    base = CHANCE.get(figure.metric)
    if base is None:
        return None
    group = {key: value for key, value in figure.group if key != "judge"}
    if base == "choice_random":
        group["group"] = f"{figure.metric.lower()} {group.get('group', '')}".strip()
    if group.get("faction") == "civilians" and base != "ITD_random":
        group["faction"] = ""  # The level is of the whole match.
    found = find_figure(figures, base, **group)
    if found is None or (base == DECIDED_LEVEL and found.missing):
        return None  # The mean over a part of the matches is not the level of all.
    return found.macro


def make_figures(scores: Sequence[Score], by: Sequence[str]) -> tuple[MetricFigure, ...]:
    """Return the figures of scores; judges and groups of a metric are never mixed."""
    return summarise(scores, tuple(dict.fromkeys((*by, "group", "judge"))))


def figure_object(figures: Sequence[MetricFigure], figure: MetricFigure) -> dict[str, object]:
    """Return a figure as a JSON object, in the unit of the metric; `scale` is that of tables."""
    metric, group = METRICS[figure.metric], dict(figure.group)
    judge = group.pop("judge", "")
    return {
        "metric": figure.metric,
        "group": {name: value for name, value in group.items() if name != "group" or value},
        "macro": figure.macro,
        "pooled": figure.pooled,
        "n": figure.scores,
        "missing": figure.missing,
        "matches": figure.matches,
        "scripts": figure.scripts,
        "clusters": figure.clusters,
        "low": figure.low,
        "high": figure.high,
        "interval": figure.interval,
        "chance": chance_of(figures, figure),
        "judge": judge,
        "better": metric.better,
        "scale": metric.scale,
    }
