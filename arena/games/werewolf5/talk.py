"""Talk of a day: turns until all seats are done, and utterances addressed to one seat."""

import re

from arena.core.actions import Reply, Values
from arena.core.chance import seat_order
from arena.core.events import Announced, Event, RequestsOpened
from arena.core.purposes import OVER_VARIANT, SKIP_VARIANT, TARGET
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import TEXT
from arena.core.state import MatchState
from arena.games.shared.speech import speech
from arena.games.werewolf5.moments import DAY, OVER, SKIPPED, options_of
from arena.games.werewolf5.requests import request_of

_MARK = re.compile(r"[>＞]{2}\s*")
"""Mark at the start of an addressed utterance, before the seat's name."""
_AFTER_NAME = re.compile(r"[\s:：,，.。、;；!！?？-]*")
_LONGER_WORD = re.compile(r"[A-Za-z0-9]")


def open_turn(
    state: MatchState, day: int, turn: int, seats: tuple[SeatId, ...], living: tuple[SeatId, ...]
) -> RequestsOpened:
    """Return the requests of one turn of the talk, to `seats`."""
    together = options_of(state).utterances == "together"
    order = seats if together else seat_order(seats, state.started, f"{DAY}-{day}", turn)
    requests = tuple(request_of(state, "speak", seat, turn, living) for seat in order)
    return RequestsOpened(requests=requests, mode="simultaneous" if together else "turns")


def utter(state: MatchState, request: DecisionRequest, reply: Reply) -> Event:
    """Return the seat's speech, or the announcement that it skips or is done for today."""
    who: Values = (("seat", request.seat),)
    if reply.variant == OVER_VARIANT:
        return Announced(topic=OVER, values=who, audience="all")
    if reply.variant == SKIP_VARIANT:
        return Announced(topic=SKIPPED, values=who, audience="all")
    others = tuple(seat for seat in state.living if seat != request.seat)
    marked, rest = _read_address(reply[TEXT], others)
    to = SeatId(reply[TARGET]) if reply[TARGET] else marked
    text = rest if to is not None and to == marked else reply[TEXT]
    return speech(request, ((TEXT, text),), reply, to=to)


def _read_address(text: str, others: tuple[SeatId, ...]) -> tuple[SeatId | None, str]:
    """Return the seat that the start of `text` addresses, and the text without the address.

    A mark without a seat's name after it does not count.
    """
    mark = _MARK.match(text)
    if mark is None:
        return None, text
    said = text[mark.end() :]
    named = [seat for seat in others if said.casefold().startswith(seat.casefold())]
    if not named:
        return None, text
    seat = max(named, key=len)
    rest = said[len(seat) :]
    if _LONGER_WORD.match(rest):
        return None, text
    return seat, _AFTER_NAME.sub("", rest, count=1) or text
