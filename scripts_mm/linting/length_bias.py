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
    _note_bias(scored, "questions", notes)
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
            _note_bias(asked, f"{language}, {kind}", notes)


def guess_by_length(questions: Sequence[Question], pick: Callable[[list[int]], int]) -> LengthGuess:
    """Return how well the option of the picked length (`max`, `min`) guesses the keys.

    Without a bias each of n options is the key with 1/n; a draw among t options of the picked
    length is right with 1/n in the mean, with the variance 1/(n t) - 1/n².
    """
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


def _note_bias(asked: Sequence[Question], place: str, notes: FindingLog) -> None:
    """Warn if always taking the longest option, or the shortest, is better than chance."""
    if len(asked) < _ENOUGH:
        return
    for how, guess in (
        ("longest", guess_by_length(asked, max)),
        ("shortest", guess_by_length(asked, min)),
    ):
        if guess.is_telling:
            notes.warn(f"{how}-option-bias", place, guess.describe(how))


def _is_conspicuous(question: Question) -> bool:
    sizes = [len(text_form(option)) for option in question.options]
    right = sizes.pop(question.keys[0])
    return right >= _LONGER * max(sizes) and right - max(sizes) >= _LONGER_BY
