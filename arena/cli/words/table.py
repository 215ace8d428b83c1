"""The words that a screen needs; a language is one value of this type."""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.actions import Fault, Phase, Verb
from arena.core.events import Outcome

Noun = str
"""`clue`, `picture`, `role`, `match`, `turn`, `event`, `refusal`, `reading` or `summary`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of one language; `{name}` is a place that the caller fills."""

    nouns: Mapping[Noun, tuple[str, str]]
    """How one and how many of a thing are said; `{n}` is the number."""
    comma: str
    colon: str
    semicolon: str
    heads: Mapping[str, str]
    """Names of rows and columns: `script`, `protocol`, `civilians`, `votes` and so on."""
    phases: Mapping[Phase, str]
    parts: Mapping[Verb, str]
    """A step of a phase that is played in several steps."""
    faults: Mapping[Fault, str]
    """Why an answer was refused; `{came}` is what stood there."""
    fallbacks: Mapping[Verb, str]
    """What happens where a seat gives no answer that counts."""
    outcomes: Mapping[Outcome, str]
    labels: Mapping[Outcome, str]
    """Outcomes in a word or two, for rows."""
    kinds: Mapping[str, str]
    """Of pictures: `text`, `media`, and `` for one whose kind is not given."""
    shown_as: Mapping[str, str]
    """What seats get of a picture under the option `pictures`; `image` says nothing."""

    round_of: str
    again: str
    together: str
    unheard: str
    one_dealt: str
    titles_hidden: str
    to_all: str
    to_some: str
    to_civilians: str
    resumed: str
    cut: str
    refused: str
    noted: str
    votes_for: str
    abstains: str
    no_vote: str
    """Of a seat that is not in the electorate."""
    named_one: str
    named_many: str
    drawn: str
    named_none: str
    more_lines: str
    thinking: str
    many_thinking: str
    preparing: str
    served: str
    stand_in: str
    """The warning under a match of an untrained stand-in."""
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
    apart: str
    more_matches: str

    def count(self, n: int, noun: Noun) -> str:
        """Return `n` of a thing in words, as `1 clue` or `3 clues`."""
        one, many = self.nouns[noun]
        return (one if n == 1 else many).format(n=f"{n:,}")

    def asides(self, readings: int, summaries: int) -> tuple[str, ...]:
        """Return how many calls there were beside the turns, where there were any."""
        counts = ((readings, "reading"), (summaries, "summary"))
        return tuple(self.count(n, noun) for n, noun in counts if n)

    def join(self, names: tuple[str, ...]) -> str:
        """Return names in a row."""
        return self.comma.join(names)
