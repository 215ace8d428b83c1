"""Speeches of seats, and the confession that the host can prepend to a murderer's speech."""

from pathlib import Path

from arena.core.actions import Reply, Values
from arena.core.events import Event, RequestsOpened
from arena.core.purposes import ASKER, INVESTIGATE_VARIANT, PLACE, STATEMENT
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import TEXT
from arena.core.state import MatchState
from arena.games.mirage.clues import search
from arena.games.mirage.requests import EXPOSED, options_of, reply_request
from arena.games.shared.speech import question, speech
from arena.games.shared.texts import find_wording

WORDING = Path(__file__).parent / "wording"


def say_aloud(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    """Return an introduction, a speech or an answer."""
    asker = request.context_value(ASKER)
    parts = (*_exposure(state, request), (TEXT, reply[TEXT]))
    return (speech(request, parts, reply, to=SeatId(asker) if asker else None),)


def state_first(
    state: MatchState, request: DecisionRequest, text: str, reply: Reply | None
) -> tuple[Event, ...]:
    """Return the seat's speech before it acts; empty without a text."""
    if not text:
        return ()
    parts = (*_exposure(state, request), (STATEMENT, text))
    return (speech(request, parts, reply),)


def act(state: MatchState, request: DecisionRequest, reply: Reply) -> tuple[Event, ...]:
    """Return the statement, and the question or the search, of a turn."""
    said = state_first(state, request, reply[STATEMENT], reply)
    if reply.variant == INVESTIGATE_VARIANT:
        return (*said, *search(state, request, reply[PLACE]))
    exposure = _exposure(state, request)
    if exposure and not said:
        said = (speech(request, exposure, None),)
    asked = question(request, reply)
    answer = reply_request(state, asked, request.round)
    return (*said, asked, RequestsOpened(requests=(answer,), mode="turns"))


def _exposure(state: MatchState, request: DecisionRequest) -> Values:
    """Return the confession before a seat's speech; empty: there is none."""
    expose = options_of(state).expose
    is_first = request.phase == "introduction" and request.round == 1
    if request.seat not in state.knowing_murderers or not (
        expose == "every" or (expose == "once" and is_first)
    ):
        return ()
    return ((EXPOSED, find_wording(WORDING, state.script.language)("expose.sentence")),)
