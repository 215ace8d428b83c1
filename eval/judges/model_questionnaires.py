"""Questionnaires completed by a model, separate from those of people."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from eval.judges.verdicts import JudgeVerdict
from eval.metrics.judgements import Judgement
from eval.metrics.papers.questionnaire import (
    NAMES,
    Questionnaire,
    QuestionnaireScores,
    summarise_questionnaires,
)
from eval.played_match import PlayedMatch


def summarise_forms(
    matches: Sequence[PlayedMatch], verdicts: Iterable[JudgeVerdict]
) -> Mapping[str, QuestionnaireScores]:
    """Return the scores of a judge's questionnaires by contestant, without repeats."""
    said: dict[str, list[Judgement]] = defaultdict(list)
    for one in verdicts:
        if not one.repeat:
            said[one.match].append(one.as_judgement())
    found: dict[str, list[Questionnaire]] = defaultdict(list)
    for match in matches:
        for form in fill_questionnaires(match, said[match.id]):
            found[form.contestant].append(form)
    return {name: summarise_questionnaires(found[name]) for name in sorted(found)}


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
