"""Graded answers to the quiz of a match, and baselines without knowledge of the match."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from eval.metrics.blind_votes import chance_corrected
from eval.metrics.multiple_choice import (
    PICK,
    grade,
    length_bias,
    longest_options,
    random_accuracy,
)
from eval.played_match import PlayedMatch
from eval.scores import Metric, Score, make_score
from scripts_mm.script import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedAnswer:
    """A seat's answer to a question with a key, and whether it is right."""

    question: Question
    seat: str
    is_before: bool
    """Whether it was asked at the deal, not after the match."""
    chosen: tuple[int, ...] | None
    """Numbers of options in the file; None: no legal answer."""
    shown: tuple[int, ...]
    right: bool


def read_quiz(match: PlayedMatch) -> tuple[GradedAnswer, ...]:
    """Return the answers of all seats, without questions that have no key."""
    questions = {one.id: one for one in match.script.questions}
    found: list[GradedAnswer] = []
    for probe in match.probes:
        question = questions.get(probe.question)
        if question is None:
            continue
        right = grade(question.answer, question.keys, probe.options, texts=question.options)
        if right is not None:
            found.append(
                GradedAnswer(
                    question=question,
                    seat=probe.seat,
                    is_before=probe.kind == "quiz_before",
                    chosen=probe.options,
                    shown=probe.shown,
                    right=right,
                )
            )
    return tuple(found)


def moment_of(answer: GradedAnswer) -> str:
    """Return the group of an answer by its moment: empty for the end of the match."""
    return "before" if answer.is_before else ""


def group_answers(
    match: PlayedMatch, group: Callable[[GradedAnswer], str], *, by_seat: bool = True
) -> Iterator[tuple[str, str, tuple[GradedAnswer, ...]]]:
    """Yield seat, group and answers, in order of appearance; `by_seat` False: all seats."""
    found: dict[tuple[str, str], list[GradedAnswer]] = {}
    for answer in read_quiz(match):
        found.setdefault((answer.seat if by_seat else "", group(answer)), []).append(answer)
    for (seat, name), answers in found.items():
        yield seat, name, tuple(answers)


def baseline_random(answers: Sequence[GradedAnswer]) -> float:
    """Return the expected number of right random answers."""
    return sum(chance_of(one.question) for one in answers)


def baseline_constant(answers: Sequence[GradedAnswer]) -> int:
    """Return how many questions the best single letter answers rightly, in file order."""
    letters = range(max((len(one.question.options) for one in answers), default=0))
    return max((sum(_is_right(one.question, (n,)) for one in answers) for n in letters), default=0)


def baseline_longest(answers: Sequence[GradedAnswer]) -> int:
    """Return how many questions the longest option answers rightly."""
    return sum(_is_right(one.question, longest_of(one.question)) for one in answers)


def measure_random(match: PlayedMatch) -> Iterator[Score]:
    """Yield the accuracy of random answers, for each kind of question."""
    yield from _baseline(match, "choice_random", baseline_random)


def measure_constant(match: PlayedMatch) -> Iterator[Score]:
    """Yield the accuracy of the best single letter, in the order of the file."""
    yield from _baseline(match, "choice_constant_letter", baseline_constant)


def measure_longest(match: PlayedMatch) -> Iterator[Score]:
    """Yield the accuracy of the longest options."""
    yield from _baseline(match, "choice_longest_option", baseline_longest)


def measure_corrected(match: PlayedMatch) -> Iterator[Score]:
    """Yield (accuracy - chance)/(1 - chance) of each seat and kind."""
    for seat, group, answers in group_answers(match, _kind):
        above, room = chance_corrected((one.right, chance_of(one.question)) for one in answers)
        yield make_score(
            match,
            "choice_corrected",
            numerator=above,
            denominator=room,
            seat=seat,
            group=group,
        )


def measure_unanswered(match: PlayedMatch) -> Iterator[Score]:
    """Yield the share of questions without a legal answer; they count as wrong."""
    for seat, group, answers in group_answers(match, _kind):
        missing = sum(one.chosen is None for one in answers)
        yield make_score(
            match,
            "choice_unanswered",
            numerator=missing,
            denominator=len(answers),
            seat=seat,
            group=group,
        )


def measure_positions(match: PlayedMatch) -> Iterator[Score]:
    """Yield accuracy by the letter under which a single key was shown."""
    for seat, group, answers in group_answers(match, _position):
        if group:
            yield make_score(
                match,
                "choice_by_position",
                numerator=sum(one.right for one in answers),
                denominator=len(answers),
                seat=seat,
                group=group,
            )


def measure_length_bias(match: PlayedMatch) -> Iterator[Score]:
    """Yield P(longest option chosen) - P(longest option right) of each seat."""
    for seat, group, answers in group_answers(match, _kind):
        found = length_bias(
            (one.question.options, one.question.keys, one.chosen) for one in answers
        )
        yield make_score(
            match, "choice_length_bias", value=found and found.bias, seat=seat, group=group
        )


def _baseline(
    match: PlayedMatch, metric: str, right: Callable[[Sequence[GradedAnswer]], float]
) -> Iterator[Score]:
    for _, group, answers in group_answers(match, _kind, by_seat=False):
        yield make_score(
            match, metric, numerator=right(answers), denominator=len(answers), group=group
        )


def _kind(answer: GradedAnswer) -> str:
    return _join_words(answer.question.kind, moment_of(answer))


def _position(answer: GradedAnswer) -> str:
    """Return the letter of a single key; empty: it has none."""
    places = [answer.shown.index(key) for key in answer.question.keys if key in answer.shown]
    return _join_words(ascii_uppercase[places[0]], moment_of(answer)) if len(places) == 1 else ""


def _join_words(*words: str) -> str:
    return " ".join(filter(None, words))


def chance_of(question: Question) -> float:
    """Return P(a random legal answer is right); options with equal texts count as equal."""
    right = {question.options[key].strip() for key in question.keys}
    twins = sum(text.strip() in right for text in question.options)
    return random_accuracy(question.answer, len(question.options), twins)


def longest_of(question: Question) -> tuple[int, ...]:
    """Return the longest option, or the two longest for a question of mode `two`."""
    return longest_options(question.options, PICK if question.answer == "two" else 1)


def _is_right(question: Question, chosen: Iterable[int]) -> bool:
    given = tuple(one for one in chosen if one < len(question.options))
    return bool(grade(question.answer, question.keys, given, texts=question.options))


def _metric(
    name: str,
    measure: Callable[[PlayedMatch], Iterable[Score]],
    english: str,
    chinese: str,
    low: float | None = 0.0,
) -> Metric:
    return Metric(
        name=name,
        source="own",
        meaning={"en": english, "zh": chinese},
        low=low,
        better="none" if name != "choice_corrected" else "higher",
        scale=100,
        measure=measure,
    )


METRICS = (
    _metric(
        "choice_random",
        measure_random,
        "Accuracy of random answers to the questions asked.",
        "对所问题目随机作答的正确率。",
    ),
    _metric(
        "choice_constant_letter",
        measure_constant,
        "Accuracy of the best single letter in the order of the file.",
        "按文件中选项顺序始终选同一字母时的最高正确率。",
    ),
    _metric(
        "choice_longest_option",
        measure_longest,
        "Accuracy of always choosing the longest option.",
        "始终选择最长选项的正确率。",
    ),
    _metric(
        "choice_corrected",
        measure_corrected,
        "Accuracy corrected for random answers: 0 is chance, 100 is perfect.",
        "按随机作答校正的正确率：0 为随机水平，100 为全对。",
        low=None,
    ),
    _metric(
        "choice_unanswered",
        measure_unanswered,
        "Share of questions without a legal answer; they count as wrong.",
        "没有合法答案的题目比例；按答错计。",
    ),
    _metric(
        "choice_by_position",
        measure_positions,
        "Accuracy by the letter under which the right option was shown.",
        "按正确选项所在位置划分的正确率。",
    ),
    _metric(
        "choice_length_bias",
        measure_length_bias,
        "How much more often the longest option was chosen than it was right.",
        "选择最长选项的频率减去最长选项正确的频率。",
        low=-1.0,
    ),
)
"""The metrics of this file."""
