"""Results of a quiz: one row per category, with every baseline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from eval.metrics.multiple_choice import (
    consistency,
    constant_accuracies,
    grade,
    position_sensitivity,
)
from eval.metrics.quiz_metrics import chance_of, longest_of
from eval.questions.quiz_answers import QuizAnswer
from eval.questions.quiz_items import CULPRIT
from eval.stats.bootstrap import ConfidenceInterval
from eval.stats.confidence_intervals import clustered_mean, log_odds_interval, wilson
from scripts_mm.script import QUESTION_KINDS, Question

Questions = Mapping[tuple[str, str, str], Question]
"""Script, language and id -> the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryResult:
    """A model's result in one category. Rates are 0..1."""

    category: str
    hops: int | None
    """Number of deductions of these questions; None: the whole category."""
    questions: int
    """Distinct questions: the interval's n, as readers of one question are not independent."""
    answers: int
    """Answers over all readers, samples and orders."""
    scripts: int
    works: int
    unanswered: int
    """Answers without a legal reply; they count as wrong."""
    not_put: int
    """Of these, questions that could not be sent to the model."""
    accuracy: float
    """Mean over questions of the mean over their answers."""
    low: float
    high: float
    """t interval of the log-odds over works; with fewer than 5 works Wilson's, as if questions were
    independent."""
    macro: float
    """Mean over the readers of a script, then over scripts."""
    chance: float
    corrected: float | None
    """(accuracy - chance)/(1 - chance)."""
    constant: float
    """Accuracy of the best single letter, in the script's order of options."""
    longest: float
    """Accuracy of the longest option."""
    positions: float | None
    """Largest accuracy difference between positions of the key."""
    consistent: float | None
    """Share of questions with the same answer in all orders; None: only one order."""
    sample_sd: float | None
    """Standard deviation of the samples' accuracies; None: only one sample."""


def summarise_quiz(
    answers: Iterable[QuizAnswer], questions: Questions
) -> tuple[CategoryResult, ...]:
    """Return a row for each category, followed by one for each number of hops."""
    groups: dict[str, list[QuizAnswer]] = defaultdict(list)
    for answer in answers:
        groups[answer.category].append(answer)
    rows: list[CategoryResult] = []
    for category in sorted(groups, key=[*QUESTION_KINDS, CULPRIT].index):
        group = groups[category]
        rows.append(_summarise(group, None, questions))
        steps = {one.hops for one in group if one.hops is not None}
        if len(steps) > 1:
            rows += [
                _summarise([one for one in group if one.hops == number], number, questions)
                for number in sorted(steps)
            ]
    return tuple(rows)


def _summarise(
    answers: Sequence[QuizAnswer], hops: int | None, questions: Questions
) -> CategoryResult:
    asked = _by_question(answers)
    accuracy = fmean(fmean(one.right for one in group) for group in asked.values())
    found = [_question(group[0], questions) for group in asked.values()]
    chance = fmean(chance_of(one) for one in found)
    interval = _interval(asked.values())
    return CategoryResult(
        category=answers[0].category,
        hops=hops,
        questions=len(asked),
        answers=len(answers),
        scripts=len({(one.script, one.language) for one in answers}),
        works=len({one.work for one in answers}),
        unanswered=sum(one.chosen is None for one in answers),
        not_put=sum(bool(one.fault) for one in answers),
        accuracy=accuracy,
        low=interval.low,
        high=interval.high,
        macro=_macro(answers),
        chance=chance,
        corrected=(accuracy - chance) / (1 - chance) if chance < 1 else None,
        constant=_constant(found),
        longest=fmean(bool(_grade(one, longest_of(one))) for one in found),
        positions=position_sensitivity(_positions(answers)),
        consistent=_consistency(answers),
        sample_sd=_sample_sd(answers),
    )


def _interval(asked: Iterable[Sequence[QuizAnswer]]) -> ConfidenceInterval:
    """Return the interval of the mean over questions, clustered by work."""
    works: dict[str, list[float]] = defaultdict(list)
    for group in asked:
        works[group[0].work].append(fmean(one.right for one in group))
    mean, questions = clustered_mean(list(works.values())), sum(map(len, works.values()))
    return log_odds_interval(mean) or wilson(mean.mean * questions, questions)


def _constant(questions: Sequence[Question]) -> float:
    most = max(len(one.options) for one in questions)
    keys = [tuple(n for n in range(len(one.options)) if _grade(one, (n,))) for one in questions]
    return max(constant_accuracies(keys, most))


def _grade(question: Question, chosen: Sequence[int]) -> bool | None:
    return grade(question.answer, question.keys, chosen, texts=question.options)


def _by_question(answers: Iterable[QuizAnswer]) -> Mapping[tuple[str, ...], Sequence[QuizAnswer]]:
    """Return the answers by question, over all readers, samples and orders."""
    found: dict[tuple[str, ...], list[QuizAnswer]] = defaultdict(list)
    for one in answers:
        found[one.script, one.language, one.question].append(one)
    return found


def _question(answer: QuizAnswer, questions: Questions) -> Question:
    return questions[answer.script, answer.language, answer.question]


def _macro(answers: Iterable[QuizAnswer]) -> float:
    by_script: dict[tuple[str, str], dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for one in answers:
        by_script[one.script, one.language][one.reader].append(one.right)
    return fmean(fmean(map(_mean, readers.values())) for readers in by_script.values())


def _mean(rights: Sequence[bool]) -> float:
    return fmean(rights)


def _positions(answers: Iterable[QuizAnswer]) -> Iterable[tuple[int, bool]]:
    for one in answers:
        places = [one.shown.index(key) for key in one.keys]
        if len(places) == 1:
            yield places[0], one.right


def _consistency(answers: Iterable[QuizAnswer]) -> float | None:
    orders: dict[str, list[tuple[int, ...] | None]] = defaultdict(list)
    for one in answers:
        if one.sample == 0:
            orders[f"{one.script}/{one.language}/{one.question}/{one.reader}"].append(one.chosen)
    return consistency(orders)


def _sample_sd(answers: Iterable[QuizAnswer]) -> float | None:
    runs: dict[int, list[bool]] = defaultdict(list)
    for one in answers:
        runs[one.sample].append(one.right)
    return stdev(map(_mean, runs.values())) if len(runs) > 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicOnlyResult:
    """How often a model names the culprit of one script from public texts only.

    A rate above chance means a guessable or leaked culprit: such a script needs no match.
    """

    script: str
    language: str
    roles: int
    asked: int
    named: float
    """Share of the answers that name a culprit."""
    chance: float
    low: float
    high: float
    """Wilson's interval of `named`."""
    probability: float | None
    """Mean probability of the culprits; None if the server reports none."""


def summarise_public_only(
    answers: Iterable[QuizAnswer], questions: Questions
) -> tuple[PublicOnlyResult, ...]:
    """Return one row for each script, by its id."""
    groups: dict[tuple[str, str], list[QuizAnswer]] = defaultdict(list)
    for one in answers:
        groups[one.script, one.language].append(one)
    return tuple(_public_only(groups[name], questions) for name in sorted(groups))


def _public_only(answers: Sequence[QuizAnswer], questions: Questions) -> PublicOnlyResult:
    first = answers[0]
    weighed = [dict(one.probabilities) for one in answers if one.probabilities]
    interval = wilson(sum(one.right for one in answers), len(answers))
    return PublicOnlyResult(
        script=first.script,
        language=first.language,
        roles=len(first.shown),
        asked=len(answers),
        named=fmean(one.right for one in answers),
        chance=chance_of(_question(first, questions)),
        low=interval.low,
        high=interval.high,
        probability=(
            fmean(sum(one[key] for key in first.keys) for one in weighed) if weighed else None
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizSpeed:
    """The speed of a quiz."""

    way: str
    questions: int
    seconds: float
    prompt_tokens: int
    cached_tokens: int | None
    """None where the server does not report them."""
    output_tokens: int

    @property
    def rate(self) -> float | None:
        """Questions per second."""
        return self.questions / self.seconds if self.seconds else None


def measure_speed(way: str, answers: Sequence[QuizAnswer], seconds: float) -> QuizSpeed:
    """Return the speed of `answers` that took `seconds`."""
    cached = [one.cached_tokens for one in answers if not one.fault]
    return QuizSpeed(
        way=way,
        questions=len(answers),
        seconds=seconds,
        prompt_tokens=sum(one.prompt_tokens for one in answers),
        cached_tokens=None if None in cached or not cached else sum(one or 0 for one in cached),
        output_tokens=sum(one.output_tokens for one in answers),
    )
