"""Recent turns of the seat itself: its thoughts, its actions, and their results.

An answer belongs to the turn of the seat that asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from arena.core.actions import Reply
from arena.core.events import ClueRevealed, Said
from arena.core.observation import Observation
from arena.core.option_labels import option_label
from arena.core.quoting import quote
from arena.core.specs import CHOICE, TEXT
from arena.games.game_registry import find_game
from arena.games.wording import Wording
from arena.players.event_lines import event_messages

_MOST_CHARS = 600
"""Characters of one repeated thought, action or result, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentTurn:
    """A turn that the seat answered."""

    request: str
    moment: int
    """Number of events that the seat had observed."""
    thought: str
    reply: Reply


def write_recent_turns(
    say: Wording, observation: Observation, turns: tuple[RecentTurn, ...], most: int
) -> str:
    """Return the text of the last `most` turns; empty if there are none."""
    now = len(observation.events)
    past = sorted(
        (one for one in turns if one.moment < now), key=lambda one: (one.moment, one.request)
    )
    shown = past[-most:] if most else []
    if not shown:
        return ""
    ends = [*(one.moment for one in shown[1:]), now]
    lines = (
        line
        for turn, end in zip(shown, ends, strict=True)
        for line in _write_turn(say, observation, turn, end)
    )
    return say("turn.last", turns="\n".join(lines))


def _write_turn(
    say: Wording, observation: Observation, turn: RecentTurn, end: int
) -> Iterator[str]:
    if turn.thought:
        yield say("turn.thought", thought=_cut(quote(turn.thought)))
    action = _cut(quote(_describe(observation, turn.reply)))
    yield say(f"turn.{_kind_of(turn.reply)}", action=action)
    found = [
        message.text
        for number, event in enumerate(observation.events[:end])
        if number >= turn.moment and _is_result(event, observation)
        for message in event_messages(observation, number)
        if message.picture is None
    ]
    if found:
        yield say("turn.result", result=_cut(" ".join(" ".join(found).split())))


def _is_result(event: object, observation: Observation) -> bool:
    """Return whether an event is an answer to this seat, or a clue that it found."""
    match event:
        case Said(to=to) if to is not None:
            return to == observation.seat
        case ClueRevealed(finder=finder):
            return finder == observation.seat
        case _:
            return False


def _kind_of(reply: Reply) -> str:
    """Return the key for the kind of a reply: words, a choice, or several values."""
    match reply.values:
        case ((name, _),):
            return {TEXT: "said", CHOICE: "chose"}.get(name, "did")
        case _:
            return "did"


def _describe(observation: Observation, reply: Reply) -> str:
    texts = find_game(observation.game).texts(observation)
    values = [
        (texts.part_name(name), option_label(value, observation.language))
        for name, value in reply.values
        if value
    ]
    if len(values) == 1:
        return values[0][1]
    return "; ".join(f"{name}: {value}" for name, value in values)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
