"""Questionnaires that a model filled in, apart from those of people."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from eval.metrics.human_scores import NAMES, Questionnaire
from eval.metrics.judged import Judgement
from eval.played import PlayedMatch


def fill_questionnaires(
    match: PlayedMatch, judgements: Sequence[Judgement]
) -> Iterator[Questionnaire]:
    """Yield a questionnaire for each judged seat and judge; an item without a value is missing."""
    found: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for one in judgements:
        if one.metric in NAMES and one.value is not None:
            found[one.judge, one.seat][one.metric] = one.value
    for seat in match.started.seats:
        for judge in dict.fromkeys(judge for judge, of in found if of == seat):
            yield Questionnaire(
                rater=judge,
                contestant=match.contestant(seat),
                scores=found[judge, seat],
                judge="model",
            )
