"""Length bias: keys that the lengths of options reveal without reading the case.

The measure is the success of a guesser who always takes the longest option (or the shortest), and
draws among several of that length. By chance it is one of the number of options.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scripts_mm.findings import FindingLog
from scripts_mm.names import text_form
from scripts_mm.script import Question, Script

_ENOUGH = 20
"""Minimum number of questions to distinguish a bias from chance."""
_FEW = 8
"""Minimum number of questions of one kind in one script."""
_SURE = 2.33
"""Threshold in standard deviations: the one-sided 1 % quantile of the normal distribution."""
_LONGER = 1.8
_LONGER_BY = 6
"""Factor and characters by which a conspicuous correct option is longer than every other."""


@dataclass(frozen=True, slots=True)
class LengthGuess:
    """The guesses by length at some questions, and what chance gives."""

    questions: int
    right: float
    """Expected number of right guesses."""
    chance: float
    spread: float
    """Standard deviation of the number of right guesses if lengths say nothing."""

    @property
    def is_telling(self) -> bool:
        """Return whether the guesses are better than chance, at the 1 % level."""
        return self.right - self.chance > _SURE * self.spread

    def describe(self, how: str) -> str:
        """Return the figures in words."""
        return (
            f"the {how} option is right in {self.right:.0f} of {self.questions} questions; "
            f"{self.chance:.0f} expected by chance"
        )


def check_option_lengths(script: Script, notes: FindingLog) -> None:
    """Note correct options that their length reveals: in one question, in a kind, in most."""
    scored = _list_scored(script)
    for name in (one.id for one in scored if _is_conspicuous(one)):
        notes.info("telling-length", name, "the correct option is much longer than the others")
    if len(scored) >= _ENOUGH:
        _note_habit(scored, "longest", _is_longest, notes)
        _note_habit(scored, "shortest", _is_shortest, notes)
    for kind, asked in _by_kind(scored).items():
        guess = guess_by_length(asked, max)
        if len(asked) >= _FEW and guess.is_telling:
            notes.info("longest-option-of-kind", kind, guess.describe("longest"))


def check_library_lengths(scripts: Sequence[Script], notes: FindingLog) -> None:
    """Note kinds of questions whose keys their length reveals over all scripts of a language."""
    for language in sorted({one.language for one in scripts}):
        spoken = [one for one in scripts if one.language == language]
        scored = [question for script in spoken for question in _list_scored(script)]
        groups = {"all": scored, **_by_kind(scored)}
        for kind, asked in groups.items():
            for how, pick in (("longest", max), ("shortest", min)):
                guess = guess_by_length(asked, pick)
                if len(asked) >= _ENOUGH and guess.is_telling:
                    place = f"{language}, {kind}"
                    notes.warn(f"{how}-option-bias", place, guess.describe(how))


def guess_by_length(questions: Sequence[Question], pick: Callable[[list[int]], int]) -> LengthGuess:
    """Return how well the option of the picked length (`max`, `min`) guesses the keys."""
    right = chance = variance = 0.0
    for one in questions:
        sizes = [len(text_form(option)) for option in one.options]
        like = sizes.count(pick(sizes))
        share = 1 / len(sizes)
        right += 1 / like if sizes[one.keys[0]] == pick(sizes) else 0.0
        chance += share
        variance += share / like - share**2
    return LengthGuess(len(questions), right, chance, math.sqrt(max(variance, 0.0)))


def _list_scored(script: Script) -> list[Question]:
    """Return the questions with one key among several options."""
    return [one for one in script.questions if len(one.keys) == 1 and len(one.options) > 1]


def _by_kind(scored: Sequence[Question]) -> dict[str, list[Question]]:
    groups: defaultdict[str, list[Question]] = defaultdict(list)
    for one in scored:
        groups[one.kind].append(one)
    return groups


def _note_habit(
    scored: Sequence[Question], how: str, is_so: Callable[[Question], bool], notes: FindingLog
) -> None:
    found = sum(1 for one in scored if is_so(one))
    expected = sum(1 / len(one.options) for one in scored)
    spread = math.sqrt(sum((1 - 1 / len(one.options)) / len(one.options) for one in scored))
    if found - expected > _SURE * spread:
        detail = (
            f"the correct option is the {how} in {found} of {len(scored)} questions; "
            f"{expected:.0f} expected by chance"
        )
        notes.warn(f"{how}-option-bias", "questions", detail)


def _option_lengths(question: Question) -> tuple[int, list[int]]:
    """Return the length of the correct option and those of the others."""
    sizes = [len(text_form(option)) for option in question.options]
    right = sizes.pop(question.keys[0])
    return right, sizes


def _is_longest(question: Question) -> bool:
    right, others = _option_lengths(question)
    return right > max(others)


def _is_shortest(question: Question) -> bool:
    right, others = _option_lengths(question)
    return right < min(others)


def _is_conspicuous(question: Question) -> bool:
    right, others = _option_lengths(question)
    return right >= _LONGER * max(others) and right - max(others) >= _LONGER_BY
