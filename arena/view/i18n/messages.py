"""Messages of screens; a language is one value of this type.

They name what all games share. A game's own texts name its phases, requests and results.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.events import Adjustment, Outcome, SkipCause
from arena.core.requests import ErrorCode
from scripts_mm.script import Language

Noun = str
"""`clue`, `picture`, `role`, `match`, `turn`, `event`, `refusal`, `reading` or `summary`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Messages:
    """Messages of one language; the caller fills in `{name}` values."""

    language: Language
    nouns: Mapping[Noun, tuple[str, str]]
    """Singular and plural of a noun; `{n}` is the number."""
    comma: str
    colon: str
    semicolon: str
    heads: Mapping[str, str]
    """Names of rows and columns: `script`, `game`, `civilians`, `votes` and so on."""
    errors: Mapping[ErrorCode, str]
    """Why an answer was refused, without its text."""
    skips: Mapping[SkipCause, str]
    """Why a turn ended without an answer."""
    adjustments: Mapping[Adjustment, str]
    """How a prompt was adjusted."""
    outcomes: Mapping[Outcome, str]
    labels: Mapping[Outcome, str]
    """Outcomes in a word or two, for rows."""

    shown_to: str
    shown_to_all: str
    hidden_clues: str
    truth_hint: str
    """Appended if `--truth` is possible."""
    """Replaces clues that not all seats see."""
    private: str
    a_seat: str
    """Replaces the seat in a turn that is not public."""
    resumed: str
    truncated: str
    refused: str
    refused_text: str
    """Text of a refused answer, if the truth is shown."""
    asked_again: str
    skipped: str
    adjusted: str
    eliminated: str
    stage: str
    named_one: str
    named_many: str
    drawn: str
    named_none: str
    more_lines: str
    thinking: str
    many_thinking: str
    waiting: str
    """For answers of seats that are not named."""
    preparing: str
    served: str
    stand_in: str
    """Warning below a match of an untrained stand-in."""
    bundled: str
    """Warning below a match of the mini model."""
    human: str
    """Note below a match in which a person played."""
    murderer: str
    """After the name of a revealed murderer."""
    of_votes: str
    tokens: str
    cached: str
    turns_rate: str
    tokens_rate: str
    left: str
    pair: str
    rate: str
    rate_draws: str
    not_in_rate: str
    """Number of matches that are excluded from rates without an error, and why."""
    uncounted: str
    """Replaces the outcome of such a match, for rows; then as a sentence."""
    uncounted_sentence: str
    reference: str
    """Replaces the outcome of a reference row, for rows; then as a sentence, and for several."""
    reference_sentence: str
    reference_title: str
    accuracy: str
    """Number of a reader's votes that name a killer of their victim."""
    apart: str
    more_matches: str

    def count(self, n: int, noun: Noun) -> str:
        """Return `n` with its noun, as `1 clue` or `3 clues`."""
        one, many = self.nouns[noun]
        return (one if n == 1 else many).format(n=f"{n:,}")

    def auxiliary_counts(self, readings: int, summaries: int, steps: int) -> tuple[str, ...]:
        """Return the numbers of calls beyond the turns; empty if there were none."""
        counts = ((readings, "reading"), (summaries, "summary"), (steps, "step"))
        return tuple(self.count(n, noun) for n, noun in counts if n)

    def join(self, names: tuple[str, ...]) -> str:
        """Return names as a list in words."""
        return self.comma.join(names)
