"""WellPlay and Questum: accuracy by category, weighted means, victims solved."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev, stdev
from typing import Final

from arena.core.events import Outcome
from eval.metrics.quiz_metrics import GradedAnswer, group_answers, moment_of
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score
from scripts_mm.script import Question, QuestionKind

CATEGORIES: Final[Mapping[str, QuestionKind]] = {
    "Objective": "obj",
    "Reasoning": "rea",
    "Relations": "rel",
}
"""The categories of WellPlay (appendix B.2)."""
POINTS: Final[Mapping[QuestionKind, int]] = {"obj": 10, "rea": 5, "rel": 2}
"""Default points of a question without its own."""


def overall(
    accuracy: Sequence[float | None], questions: Sequence[int], points: Sequence[int]
) -> tuple[float, int]:
    """Return points won and possible points from the accuracy of each group of questions.

    A group without questions has no accuracy. Overall is the first over the second.
    """
    won = sum(
        rate * number * each
        for rate, number, each in zip(accuracy, questions, points, strict=True)
        if rate is not None
    )
    return won, full_score(questions, points)


def full_score(questions: Sequence[int], points: Sequence[int]) -> int:
    """Return the possible points."""
    return sum(number * each for number, each in zip(questions, points, strict=True))


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float | None:
    """Return sum(w x)/sum(w) (appendix C.2); None if all weights are 0."""
    total = sum(weights)
    return sum(w * x for w, x in zip(weights, values, strict=True)) / total if total else None


def weighted_deviation(values: Sequence[float], weights: Sequence[float]) -> float | None:
    """Return sqrt(sum(w (x - mean)^2)/sum(w)) over scripts (appendix C.2)."""
    mean = weighted_mean(values, weights)
    if mean is None:
        return None
    squares = weighted_mean([(x - mean) ** 2 for x in values], weights)
    return None if squares is None else sqrt(squares)


def run_deviation(values: Sequence[float], *, ddof: int = 1) -> float | None:
    """Return the standard deviation over runs: `ddof` 1 in our reports, 0 in Tables 2 and 8.

    None: fewer than two runs, or none for `ddof` 0.
    """
    if len(values) <= ddof:
        return None
    return stdev(values) if ddof else pstdev(values)


def count_solved(results: Iterable[Outcome | None]) -> tuple[int, int]:
    """Return the number of solved and of counted victims; None has no playable murderer."""
    counted = [one for one in results if one is not None]
    return counted.count("civ_win"), len(counted)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTotal:
    """One category over several scripts, as in the published tables."""

    by_script: Mapping[str, float]
    mean: float | None
    """Weighted by questions, points or victims."""
    deviation: float | None
    """Weighted, over scripts."""
    sd_runs: float | None
    """Deviation of the weighted mean over repeated runs, ddof 1: apparently the published +-."""
    sd_runs_population: float | None
    """The same with ddof 0, as in Tables 2 and 8."""
    runs: int
    """Repetitions available for every script."""


def total_over_scripts(scores: Iterable[Score]) -> CategoryTotal:
    """Return the total of one metric's match-level scores.

    The n-th match of every script, in order, is run n.
    """
    by_script: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        if score.value is not None:
            by_script[score.script].append(score)
    means = {name: fmean(_values(found)) for name, found in by_script.items()}
    weights = [fmean(one.denominator or 0.0 for one in found) for found in by_script.values()]
    runs = min(map(len, by_script.values()), default=0)
    repeated = [
        weighted_mean([_values(found)[n] for found in by_script.values()], weights)
        for n in range(runs)
    ]
    totals = [one for one in repeated if one is not None]
    return CategoryTotal(
        by_script=means,
        mean=weighted_mean(list(means.values()), weights),
        deviation=weighted_deviation(list(means.values()), weights),
        sd_runs=run_deviation(totals),
        sd_runs_population=run_deviation(totals, ddof=0),
        runs=runs,
    )


def measure_overall(match: PlayedMatch) -> Iterator[Score]:
    """Yield points won / possible points, over all asked seats."""
    for _, moment, found in group_answers(match, moment_of, by_seat=False):
        answers = [one for one in found if one.question.kind in POINTS]
        if answers:
            won, possible = overall(
                [float(one.right) for one in answers],
                [1] * len(answers),
                [points_of(one.question) for one in answers],
            )
            yield make_score(match, "Overall", numerator=won, denominator=possible, group=moment)


def measure_victims(match: PlayedMatch) -> Iterator[Score]:
    """Yield the share of victims whose murderer was found, among those with a playable one.

    A tie that leaves a victim undecided does not solve it.
    """
    results = match.ended.results if match.is_played else ()
    if len({one.ballot for one in results}) == 1:
        solved, counted = count_solved(one.outcome for one in results)
        yield make_score(match, "victims_solved", numerator=solved, denominator=counted)


def points_of(question: Question) -> int:
    """Return the points of a question; 0: it has no category."""
    return POINTS.get(question.kind, 0) if question.points is None else question.points


def _measure_category(name: str) -> Callable[[PlayedMatch], Iterator[Score]]:
    def measure(match: PlayedMatch) -> Iterator[Score]:
        for _, moment, found in group_answers(match, moment_of, by_seat=False):
            answers = [one for one in found if one.question.kind == CATEGORIES[name]]
            if answers:
                yield _accuracy(match, name, moment, answers)

    return measure


def _accuracy(
    match: PlayedMatch, metric: str, group: str, answers: Sequence[GradedAnswer]
) -> Score:
    right = sum(one.right for one in answers)
    return make_score(match, metric, numerator=right, denominator=len(answers), group=group)


def _values(scores: Iterable[Score]) -> list[float]:
    return [score.value for score in scores if score.value is not None]


_MEANINGS = {
    "Objective": ("Accuracy on questions about the case itself.", "案情客观题的正确率。"),
    "Reasoning": ("Accuracy on questions that need deduction.", "推理题的正确率。"),
    "Relations": ("Accuracy on questions about relations between roles.", "人物关系题的正确率。"),
}

METRICS = (
    *(
        Metric(
            name=name,
            source="WellPlay, B.2",
            meaning={"en": _MEANINGS[name][0], "zh": _MEANINGS[name][1]},
            measure=_measure_category(name),
        )
        for name in CATEGORIES
    ),
    Metric(
        name="Overall",
        source="WellPlay, B.2",
        meaning={
            "en": "Points won / possible points in all categories.",
            "zh": "各类题目所得分数占满分的比例。",
        },
        measure=measure_overall,
    ),
    Metric(
        name="victims_solved",
        source="Questum, Table 2 (Win Rate)",
        meaning={
            "en": "Share of the victims whose murderer the vote names.",
            "zh": "投票指认出凶手的被害人比例。",
        },
        measure=measure_victims,
    ),
)
"""The metrics of this file."""
