"""The messages that a screen needs; a language is one value of this type.

They name what all games have. What a game calls its phases, requests and results comes from the
game's own texts.
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
    """The messages of one language; `{name}` is a value that the caller fills in."""

    language: Language
    nouns: Mapping[Noun, tuple[str, str]]
    """One of a thing and several of it; `{n}` is the number."""
    comma: str
    colon: str
    semicolon: str
    heads: Mapping[str, str]
    """Names of rows and columns: `script`, `game`, `civilians`, `votes` and so on."""
    errors: Mapping[ErrorCode, str]
    """Why an answer was refused, without what it said."""
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
    """After it, where `--truth` can be given."""
    """Replaces clues that not all seats see."""
    private: str
    a_seat: str
    """Replaces the seat of a turn that not all may know of."""
    resumed: str
    truncated: str
    refused: str
    refused_text: str
    """What a refused answer said, where the truth is shown."""
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
    """The warning under a match of an untrained stand-in."""
    bundled: str
    """The warning under a match of the mini model."""
    human: str
    """Under a match in which a person played."""
    murderer: str
    """After a seat's name, where it is revealed."""
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
    """How many matches enter no rate, though nothing went wrong, and why."""
    uncounted: str
    """Instead of the outcome of such a match, for rows; then as a sentence."""
    uncounted_sentence: str
    reference: str
    """Instead of the outcome of a reference row, for rows; then as a sentence, and for several."""
    reference_sentence: str
    reference_title: str
    accuracy: str
    """How many votes of a reader name a killer of their victim."""
    apart: str
    more_matches: str

    def count(self, n: int, noun: Noun) -> str:
        """Return `n` of a thing in words, as `1 clue` or `3 clues`."""
        one, many = self.nouns[noun]
        return (one if n == 1 else many).format(n=f"{n:,}")

    def auxiliary_counts(self, readings: int, summaries: int, steps: int) -> tuple[str, ...]:
        """Return how many calls there were beyond the turns, where there were any."""
        counts = ((readings, "reading"), (summaries, "summary"), (steps, "step"))
        return tuple(self.count(n, noun) for n, noun in counts if n)

    def join(self, names: tuple[str, ...]) -> str:
        """Return names in a row."""
        return self.comma.join(names)
