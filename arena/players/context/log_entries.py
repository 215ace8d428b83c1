"""Log entries: a seat's observations as lines of talk, texts of clues, pictures and their notes.

A log that does not fit restarts from some entries. The seat's own words are entries like those of
the others; its requests and thoughts are not.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from arena.core.events import ClueRevealed, Event, QuestionAsked, Said, VoteCast
from arena.core.observation import Observation
from arena.games.wording import Wording
from arena.models.chat import Message
from arena.players import prompts
from arena.players.context.picture_policy import drop_picture, older_pictures
from arena.players.event_lines import ClueRenderer, event_messages
from arena.players.wording import find_wording

EntryKind = Literal["first_words", "talk", "host", "clue", "picture", "placed"]
"""`first_words`: a seat's first speech, usually its introduction; `picture`: the picture itself or
a note on it; `placed`: a line that points to the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """The smallest part of a log that a policy retains or omits."""

    event: int
    """Number of its event in the observation, from 0."""
    kind: EntryKind
    name: str
    """The key of a clue, the key and number of a picture (`clue-2/1`), else empty."""
    message: Message

    @property
    def is_talk(self) -> bool:
        """Whether a seat said it."""
        return self.kind in {"first_words", "talk"}


def list_entries(
    observation: Observation,
    show: ClueRenderer,
    pictures: int | None = None,
    board: Collection[str] = (),
) -> tuple[LogEntry, ...]:
    """Return all entries of an observation, with at most the newest `pictures` pictures inline.

    `board`: the names of the pictures on the board, which a line replaces.
    """
    found: list[LogEntry] = []
    heard: set[str] = set()
    for number, event in enumerate(observation.events):
        for place, message in enumerate(event_messages(observation, number, show)):
            name = ""
            kind = _entry_kind(event, heard)
            if isinstance(event, ClueRevealed):
                name = f"{event.clue}/{place}" if place else event.clue
                kind = ("placed" if name in board else "picture") if place else "clue"
            found.append(LogEntry(event=number, kind=kind, name=name, message=message))
        if isinstance(event, Said):
            heard.add(event.seat)
    old = (
        set[int]()
        if pictures is None
        else older_pictures([entry.message for entry in found], pictures)
    )
    say = find_wording(observation.language)
    return tuple(
        replace(entry, message=drop_picture(say, entry.message)) if place in old else entry
        for place, entry in enumerate(found)
    )


def to_messages(chosen: Iterable[LogEntry]) -> tuple[Message, ...]:
    """Return entries as messages."""
    return prompts.merge_text([entry.message for entry in chosen])


def with_gap_marks(
    say: Wording, found: Sequence[LogEntry], chosen: Collection[int]
) -> tuple[Message, ...]:
    """Return those of `found` with the indices `chosen`, with a mark at each omission."""
    gap = Message(role="user", text=say("line.gap"))
    lines: list[Message] = []
    left_out = False
    for place, entry in enumerate(found):
        if place in chosen:
            lines += (gap, entry.message) if left_out else (entry.message,)
        left_out = place not in chosen
    return prompts.merge_text([*lines, gap] if left_out else lines)


def clue_names(chosen: Iterable[LogEntry]) -> tuple[str, ...]:
    """Return the clues whose text is among `chosen`."""
    return tuple(entry.name for entry in chosen if entry.kind == "clue")


def picture_names(chosen: Iterable[LogEntry]) -> tuple[str, ...]:
    """Return the pictures among `chosen`, inline or as notes; not those on a board."""
    return tuple(entry.name for entry in chosen if entry.kind == "picture")


def is_talk(event: Event) -> bool:
    """Return whether a seat said, asked or voted it."""
    return isinstance(event, (Said, QuestionAsked, VoteCast))


def _entry_kind(event: Event, heard: Collection[str]) -> EntryKind:
    if isinstance(event, Said):
        return "talk" if event.seat in heard else "first_words"
    return "talk" if is_talk(event) else "host"
