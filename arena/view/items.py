"""What an event shows, in words: `describe` makes an item, a screen or a page lays it out.

Texts are as players and scripts wrote them: whoever lays them out makes them safe.
"""

from dataclasses import dataclass
from typing import Literal

from scripts_mm.script import Picture

Remark = str
"""A short addition in brackets; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadItem:
    """How a match is introduced: the script, the game, who plays what."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """Key in `Messages.heads`, and the words."""
    opening: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRow:
    """An option of the game as this match plays it."""

    name: str
    value: str
    default: str
    """Empty: the value is the default."""
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesItem:
    """The rules of a match, in the game's words, and the options that make them. No event."""

    text: str
    options: tuple[OptionRow, ...]
    """Those that are not the default first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseItem:
    """A phase begins."""

    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechItem:
    """A seat says, asks or answers something."""

    kind: Literal["speech", "question"]
    seat: str
    to: str
    """Empty: to all."""
    remark: Remark
    parts: tuple[tuple[str, str], ...]
    """Each with its name in the game's words; one without a name is the whole speech."""
    cut: str
    """Said where only the beginning was heard; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostItem:
    """The host says something."""

    remark: Remark
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteItem:
    """A line for the operator, such as for a refused answer, that is no part of the play."""

    text: str
    hides: bool = False
    """It stands for what the truth would show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueItem:
    """A clue is shown."""

    title: str
    audience: Remark
    text: str
    pictures: tuple[Picture, ...]
    """With description and file name where the truth is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteItem:
    """A seat votes where it is seen."""

    seat: str
    choice: str
    """A seat, or an abstention in words."""
    is_seat: bool
    remark: Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyItem:
    """The votes are counted."""

    ballots: tuple[VoteItem, ...]
    """Who voted for whom, where that was not seen before."""
    line: str
    about: str = ""
    """The victim, where there are several."""
    known: tuple[VoteItem, ...] = ()
    """Who voted for whom as far as the observer knows, seen before or not."""
    counts: tuple[tuple[str, int], ...] = ()
    """Votes for each candidate, most first."""
    named: tuple[str, ...] = ()
    """Whom the vote names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndItem:
    """The match is over."""

    lines: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    """Key in `Messages.heads`, and names in a row."""
    truth: tuple[tuple[str, str], ...]
    """Heading and text, the first heading alone; empty where it stays hidden."""


Item = (
    HeadItem
    | PhaseItem
    | SpeechItem
    | HostItem
    | NoteItem
    | ClueItem
    | VoteItem
    | TallyItem
    | EndItem
)
