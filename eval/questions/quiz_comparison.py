"""Compare two quizzes on the same questions: paired differences."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

from arena.errors import ConfigError, RecordError
from eval.questions.quiz_answers import MANIFEST, QuizAnswer, QuizManifest, read_quiz_folder
from eval.questions.quiz_items import CULPRIT
from eval.stats.multiple_testing import holm
from eval.stats.paired import PairedComparison, ScorePair, compare_pairs
from scripts_mm.script import QUESTION_KINDS

_Question = tuple[str, str, str, str]
"""Category, script, language and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryContrast:
    """First quiz - second quiz in one category, over their common questions. Rates 0..1."""

    category: str
    first: float
    second: float
    paired: PairedComparison
    """A pair is a question; its values are means over readers, samples and orders; a cluster is a
    work."""
    holm_p: float
    """Holm-adjusted p of the sign-flip test, over all categories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizComparison:
    """Two quizzes, compared question by question."""

    changed: Mapping[str, tuple[object, object]]
    """Differing model or settings, with both values."""
    unpaired: tuple[int, int]
    """Number of questions of each quiz without a partner."""
    contrasts: tuple[CategoryContrast, ...]


def is_quiz(folder: Path) -> bool:
    """Return whether `folder` holds the answers of a quiz."""
    try:
        return (folder / MANIFEST).is_file()
    except OSError:
        return False


def compare_quizzes(first: Path, second: Path) -> QuizComparison:
    """Return the paired differences of two folders of answers.

    Raises `RecordError` if one cannot be read or they share no question, `ConfigError` if both
    folders are the same or a common script differs.
    """
    if first.resolve() == second.resolve():
        raise ConfigError("a quiz is compared with itself; give two quizzes")
    (one, left), (other, right) = read_quiz_folder(first), read_quiz_folder(second)
    for script, content in one.scripts.items():
        if other.scripts.get(script, content) != content:
            raise ConfigError(
                f"script {script!r} differs between {str(second)!r} and {str(first)!r}"
            )
    return QuizComparison(
        changed=_find_changes(one, other),
        unpaired=_count_unpaired(left, right),
        contrasts=contrast_answers(left, right),
    )


def contrast_answers(
    first: Iterable[QuizAnswer], second: Iterable[QuizAnswer]
) -> tuple[CategoryContrast, ...]:
    """Return one row per category; raises `RecordError` if no question is in both."""
    left, right = _by_question(first), _by_question(second)
    pairs: dict[str, list[ScorePair]] = defaultdict(list)
    for question, (work, value) in left.items():
        if question in right:
            pairs[question[0]].append(
                ScorePair(cluster=work, first=value, second=right[question][1])
            )
    if not pairs:
        raise RecordError("the quizzes share no question: none has the same script and id")
    names = sorted(pairs, key=[*QUESTION_KINDS, CULPRIT].index)
    found = [compare_pairs(pairs[name]) for name in names]
    adjusted = holm([1.0 if one.sign_flip_p is None else one.sign_flip_p for one in found])
    return tuple(
        CategoryContrast(
            category=name,
            first=fmean(pair.first or 0.0 for pair in pairs[name]),
            second=fmean(pair.second or 0.0 for pair in pairs[name]),
            paired=paired,
            holm_p=p,
        )
        for name, paired, p in zip(names, found, adjusted, strict=True)
    )


def _by_question(answers: Iterable[QuizAnswer]) -> Mapping[_Question, tuple[str, float]]:
    """Return the work of each question, and the share of right answers."""
    rights: dict[_Question, list[bool]] = defaultdict(list)
    works: dict[_Question, str] = {}
    for one in answers:
        question = (one.category, one.script, one.language, one.question)
        rights[question].append(one.right)
        works[question] = one.work
    return {question: (works[question], fmean(found)) for question, found in rights.items()}


def _count_unpaired(first: Iterable[QuizAnswer], second: Iterable[QuizAnswer]) -> tuple[int, int]:
    left, right = _by_question(first), _by_question(second)
    return len(left.keys() - right.keys()), len(right.keys() - left.keys())


def _find_changes(one: QuizManifest, other: QuizManifest) -> dict[str, tuple[object, object]]:
    left, right = ({"model": each.model, **asdict(each.settings)} for each in (one, other))
    return {name: (left[name], right[name]) for name in left if left[name] != right[name]}
