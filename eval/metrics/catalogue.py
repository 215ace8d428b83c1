"""Every metric by its name. A module of metrics ends with a tuple METRICS and has a line here."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from eval.claims import metrics as claims
from eval.metrics import chain, chance_levels, judged, outcomes, quiz, usage, wellplay
from eval.played import PlayedMatch
from eval.scores import Metric, Score

_MODULES: tuple[tuple[Metric, ...], ...] = (
    outcomes.METRICS,
    chance_levels.METRICS,
    chain.METRICS,
    judged.METRICS,
    quiz.METRICS,
    wellplay.METRICS,
    usage.METRICS,
    claims.METRICS,
)

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for metrics in _MODULES for metric in metrics}
)
"""Every metric by the name that its scores bear."""


def measure_match(match: PlayedMatch) -> Iterable[Score]:
    """Yield the scores of one match in every metric that it has."""
    for metric in METRICS.values():
        yield from metric.measure(match)
