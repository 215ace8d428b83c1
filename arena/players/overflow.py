"""What of a log is kept when the context is too small: the policy `drop_oldest` (PLAYERS 1.2)."""

from dataclasses import dataclass

from arena.core.events import Asked, Concluded, Revealed, Spoke, Voted
from arena.core.views import Heard, SeenClue, View
from arena.models.chat import Message
from arena.players import prompts
from arena.players.wording import Wording, wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How much is kept: a share of the talk, newest first, and the pictures or not."""

    talk: float
    pictures: bool


LEVELS = (
    Level(talk=0.5, pictures=True),
    Level(talk=0.25, pictures=True),
    Level(talk=0.25, pictures=False),
    Level(talk=0.0, pictures=False),
)
"""Tried in turn; introductions and the clues' texts are kept in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensed:
    """What is left of all that a seat heard, and a note of what is not."""

    messages: tuple[Message, ...]
    note: str


def condensed(view: View, resets: int) -> Condensed:
    """Return what the seat heard, shortened as the `resets`-th reset of its log shortens it."""
    level = LEVELS[resets - 1]
    say = wording(view.language)
    talk = [number for number, event in enumerate(view.heard) if _is_talk(event)]
    dropped = set(talk[: len(talk) - int(len(talk) * level.talk)])
    clues = {clue.id: clue for clue in view.clues}
    messages: list[Message] = []
    if dropped:
        messages.append(Message(role="user", text=say("log.dropped", count=len(dropped))))
    for number, event in enumerate(view.heard):
        if isinstance(event, Revealed):
            messages += _clue(say, clues[event.clue], pictures=level.pictures)
        elif number not in dropped and (line := _line(say, view, event)):
            messages.append(Message(role="user", text=line))
    pictures = 0 if level.pictures else sum(len(clue.pictures) for clue in view.clues)
    return Condensed(
        messages=tuple(messages),
        note=f"context overflow: left out {len(dropped)} lines of talk and {pictures} pictures",
    )


def _clue(say: Wording, clue: SeenClue, *, pictures: bool) -> tuple[Message, ...]:
    shown = prompts.clue_messages(say, clue)
    if pictures or len(shown) == 1:
        return shown
    left_out = say("log.clue_dropped", title=clue.title)
    return (shown[0], Message(role="user", text=left_out))


def _is_talk(event: Heard) -> bool:
    if isinstance(event, Spoke):
        return event.verb != "introduce"
    return isinstance(event, Asked | Concluded | Voted)


def _line(say: Wording, view: View, event: Heard) -> str:
    if isinstance(event, Spoke | Asked | Concluded | Voted):
        return prompts.spoken_line(say, event)
    return prompts.heard_line(say, view, event)
