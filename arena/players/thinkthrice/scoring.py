"""Score of an answer, and the thresholds for accepting it without a further attempt. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from scripts_mm.script import Language

Timed = Literal["facts", "matches"]
LengthUnit = Literal["words", "chars"]

_CLOCK_TIME: Final = re.compile(r"([01]?\d|2[0-3])[:：][0-5]\d")
"""As in the released code."""
_LENGTH_SCALE: Final = 200
"""Units of length with the weight of one correct fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Thresholds of an answer."""

    accuracy: float
    correct: int
    length: int
    """The text must be longer than this."""

    def within(self, limit: int) -> "Thresholds":
        """Return thresholds that a text of `limit` units can pass.

        350 is 7/8 of the 400 characters of a Chinese speech; a shorter speech, and one that is
        counted in words, gets the same share.
        """
        return replace(self, length=min(self.length, limit * 7 // 8))


HOST: Final = Thresholds(accuracy=0.7, correct=4, length=350)
SEAT: Final = Thresholds(accuracy=0.6, correct=1, length=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationResult:
    """Result of the verification of one text."""

    facts: int
    correct: int
    timed: int
    """Correct facts with a clock time, or the clock times in correct facts."""
    length: int

    @property
    def accuracy(self) -> float:
        """Share of the stated facts that are correct; 0 without facts."""
        return self.correct / self.facts if self.facts else 0.0

    @property
    def score(self) -> float:
        """Score for comparing attempts."""
        return self.accuracy + (self.correct + self.timed + self.length / _LENGTH_SCALE)

    def passes(self, least: Thresholds) -> bool:
        """Return whether the text reaches the thresholds."""
        return (
            self.facts > 0
            and self.accuracy >= least.accuracy
            and self.correct >= least.correct
            and self.length > least.length
        )


def count_times(facts: Sequence[str], timed: Timed) -> int:
    """Return the number of `facts` with a clock time, or of all clock times in them."""
    counts = [len(_CLOCK_TIME.findall(fact)) for fact in facts]
    return sum(counts) if timed == "matches" else sum(count > 0 for count in counts)


def measure_length(text: str, language: Language, unit: LengthUnit) -> int:
    """Return the length of `text`: words, in Chinese characters without spaces; or characters."""
    if unit == "chars":
        return len(text)
    words = text.split()
    return sum(map(len, words)) if language == "zh" else len(words)
