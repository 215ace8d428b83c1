"""Items of an event in words: `describe` makes an item, a screen or a page lays it out.

Texts are as players and scripts wrote them: the layout must sanitise them.
"""

from dataclasses import dataclass
from typing import Literal

from scripts_mm.script import Picture

Remark = str
"""A short addition in brackets; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadItem:
    """Heading of a match: the script, the game, and the contestants."""

    title: str
    facts: tuple[tuple[str, str], ...]
    """Key in `Messages.heads`, and the words."""
    opening: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRow:
    """An option of the game with its value in this match."""

    name: str
    value: str
    default: str
    """Empty: the value is the default."""
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesItem:
    """Rules of a match, in the game's words, and the options that decide them. Not an event."""

    text: str
    options: tuple[OptionRow, ...]
    """Options, those that are not the default first."""


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
    """Addressee; empty: all."""
    remark: Remark
    parts: tuple[tuple[str, str], ...]
    """Parts with their names in the game's words; one part without a name is the whole speech."""
    cut: str
    """Remark if only the beginning was heard; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostItem:
    """The host says something."""

    remark: Remark
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteItem:
    """A line for the operator, such as for a refused answer, that is not part of the play."""

    text: str
    hides: bool = False
    """It replaces what the truth would show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueItem:
    """A clue is shown."""

    title: str
    audience: Remark
    text: str
    pictures: tuple[Picture, ...]
    """With description and file name if the truth is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteItem:
    """A visible vote of a seat."""

    seat: str
    choice: str
    """A seat, or an abstention in words."""
    is_seat: bool
    remark: Remark


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyItem:
    """The votes are counted."""

    ballots: tuple[VoteItem, ...]
    """Who voted for whom, if that was not visible before."""
    line: str
    about: str = ""
    """The victim, if there are several."""
    known: tuple[VoteItem, ...] = ()
    """Who voted for whom as far as the observer knows, whether visible before or not."""
    counts: tuple[tuple[str, int], ...] = ()
    """Votes for each candidate, most first."""
    named: tuple[str, ...] = ()
    """Seats that the vote names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndItem:
    """The match is over."""

    lines: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    """Key in `Messages.heads`, and names as a list in words."""
    truth: tuple[tuple[str, str], ...]
    """Heading and text, the first heading without text; empty if it stays hidden."""


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
