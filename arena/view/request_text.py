"""Request texts for a person: the game's instruction, and the names of an answer's parts."""

import re

from arena.core.game import Texts
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import TEXT
from arena.core.state import MatchState, pending
from arena.view.i18n.desk_messages import DeskMessages
from arena.view.i18n.messages import Messages

_FORMAT = re.compile(
    r"(?:Reply with a JSON object|请用一个 JSON 对象回答)[^\n]*"
    r"|Reply with the (?:name|number|letter|letters) only\.|只回答(?:名字|数字|字母)。"
)
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)


def drop_reply_format(instruction: str) -> str:
    """Return an instruction without the sentences about the form of a model's reply.

    A person answers field by field, and chooses options by their numbers.
    """
    lines = _SPACES.sub("", _FORMAT.sub("", instruction)).split("\n")
    return "\n".join(line for line in lines if line.strip())


def name_turn(request: DecisionRequest, texts: Texts, say: DeskMessages, messages: Messages) -> str:
    """Return the heading of a request."""
    about = f"{messages.colon}{request.about}" if request.about else ""
    return f"{say.heads['turn'].format(act=texts.action_name(request.kind))}{about}"


def name_part(name: str, texts: Texts, say: DeskMessages) -> str:
    """Return the name of a value or a variant: the game's word, or the platform's."""
    own = say.names.get(name, name)
    if name == TEXT:
        return own
    for found in (texts.part_name(name), texts.action_name(name)):
        if found != name:
            return found
    return own


def count_visible_events(state: MatchState, seat: SeatId) -> int:
    """Return how many events a seat may know: none after an open simultaneous decision."""
    is_deciding = any(request.seat == seat for request in pending(state))
    return state.opened_at if state.mode != "turns" and is_deciding else len(state.history)
