"""Every metric by its name. A module of metrics ends with a tuple METRICS and has a line here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from eval.claims import metrics as claims
from eval.metrics import (
    accusation,
    calibration,
    chain,
    chance_levels,
    detectors,
    effort,
    human_scores,
    judged,
    mirage,
    mirage_judged,
    outcomes,
    propagation,
    propagation_judged,
    quiz,
    similarity,
    thinkthrice,
    usage,
    victory,
    wellplay,
    werewolf,
)
from eval.metrics.judged import Judgement
from eval.played import PlayedMatch
from eval.scores import Metric, Score

_MODULES: tuple[tuple[Metric, ...], ...] = (
    outcomes.METRICS,
    chance_levels.METRICS,
    chain.METRICS,
    judged.METRICS,
    quiz.METRICS,
    wellplay.METRICS,
    mirage.METRICS,
    victory.METRICS,
    mirage_judged.METRICS,
    thinkthrice.METRICS,
    similarity.METRICS,
    werewolf.METRICS,
    human_scores.METRICS,
    accusation.METRICS,
    calibration.METRICS,
    propagation.METRICS,
    propagation_judged.METRICS,
    detectors.METRICS,
    effort.METRICS,
    usage.METRICS,
    claims.METRICS,
)

METRICS: Mapping[str, Metric] = MappingProxyType(
    {metric.name: metric for metrics in _MODULES for metric in metrics}
)
"""Every metric by the name that its scores bear."""
_OF_WHOLE_MATCHES = {"ITD", "ITD_innocent", "ITD_random"}.union(
    metric.name
    for metrics in (
        mirage.METRICS,
        similarity.METRICS,
        accusation.METRICS,
        calibration.METRICS,
        propagation.METRICS,
    )
    for metric in metrics
)
"""Metrics of what a seat or the table reached by the end: a match that broke off has none."""


def score_judgements(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterable[Score]:
    """Yield the scores of every judged metric that judgements of a match give."""
    for score in (
        judged.score_judgements,
        mirage_judged.score_mirage,
        thinkthrice.score_thinkthrice,
        werewolf.score_werewolf,
        human_scores.score_questionnaires,
        propagation_judged.score_propagation,
    ):
        yield from score(match, judgements)


def measure_match(match: PlayedMatch) -> Iterable[Score]:
    """Yield the scores of one match in every metric that it has.

    Of a forfeit or an error, what needs a whole match is undefined.
    """
    for metric in METRICS.values():
        scores = metric.measure(match)
        if match.is_played or metric.name not in _OF_WHOLE_MATCHES:
            yield from scores
        else:
            yield from (
                replace(one, value=None, numerator=None, denominator=None) for one in scores
            )
