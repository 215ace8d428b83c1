"""Every metric by name. A metrics module ends with a tuple METRICS and has a line here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from eval.claims import claim_metrics as claims
from eval.metrics import (
    accusation_curves,
    calibration,
    chance_levels,
    judgements,
    quiz_metrics,
    request_counts,
    similarity,
    usage_metrics,
    win_rates,
)
from eval.metrics.fact_spread import key_fact_propagation, propagation
from eval.metrics.guards import detectors
from eval.metrics.judgements import Judgement
from eval.metrics.papers import (
    mirage,
    mirage_abilities,
    questionnaire,
    thinkthrice,
    victory,
    wellplay,
    werewolf,
    whodunitbench,
)
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score

_MODULES: tuple[tuple[Metric, ...], ...] = (
    win_rates.METRICS,
    chance_levels.METRICS,
    whodunitbench.METRICS,
    judgements.METRICS,
    quiz_metrics.METRICS,
    wellplay.METRICS,
    mirage.METRICS,
    victory.METRICS,
    mirage_abilities.METRICS,
    thinkthrice.METRICS,
    similarity.METRICS,
    werewolf.METRICS,
    questionnaire.METRICS,
    accusation_curves.METRICS,
    calibration.METRICS,
    propagation.METRICS,
    key_fact_propagation.METRICS,
    detectors.METRICS,
    request_counts.METRICS,
    usage_metrics.METRICS,
    claims.METRICS,
)

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for metrics in _MODULES for metric in metrics}
)
"""Every metric by the name in its scores."""
_OF_WHOLE_MATCHES = {"ITD", "ITD_innocent", "ITD_random"}.union(
    metric.name
    for metrics in (
        mirage.METRICS,
        similarity.METRICS,
        accusation_curves.METRICS,
        calibration.METRICS,
        propagation.METRICS,
    )
    for metric in metrics
)
"""Metrics of the end of a match: undefined for an aborted match."""


def score_judgements(match: PlayedMatch, judged: Sequence[Judgement]) -> Iterable[Score]:
    """Yield the scores of all judged metrics from the judgements of a match."""
    for score in (
        judgements.score_judgements,
        mirage_abilities.score_mirage,
        thinkthrice.score_thinkthrice,
        werewolf.score_werewolf,
        questionnaire.score_questionnaires,
        key_fact_propagation.score_propagation,
    ):
        yield from score(match, judged)


def measure_match(match: PlayedMatch) -> Iterable[Score]:
    """Yield the scores of one match in every applicable metric.

    After a forfeit or an error, metrics of a complete match are undefined.
    """
    for metric in METRICS.values():
        scores = metric.measure(match)
        if match.is_played or metric.name not in _OF_WHOLE_MATCHES:
            yield from scores
        else:
            yield from (
                replace(one, value=None, numerator=None, denominator=None) for one in scores
            )
