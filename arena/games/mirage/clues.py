"""Clues: dealt with a stage, found at a place, or triggered by a spoken word."""

from collections.abc import Iterator, Sequence
from typing import Literal

from arena.core.chance import generator
from arena.core.events import (
    Announced,
    ClueRevealed,
    Event,
    QuestionAsked,
    Said,
    StageStarted,
)
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, SeatId
from arena.core.state import MatchState
from arena.games.mirage.requests import EXPOSED, options_of
from arena.games.shared.script_stages import clues_of, count_stages
from arena.games.shared.word_matching import has_word, plain
from scripts_mm.script import Clue, Script, ScriptError

RevealCause = Literal["triggered", "dealt", "found", "shown"]


def reveal_cause(clue: Clue) -> RevealCause:
    """Return how a clue is revealed. A clue with an owner is never at a place."""
    if clue.trigger is not None and (clue.owner is not None or clue.place is None):
        return "triggered"
    if clue.owner is not None:
        return "dealt"
    return "shown" if clue.place is None else "found"


def require_places(script: Script) -> None:
    """Raise `ScriptError` if no clue of a script is at a place."""
    if not any(reveal_cause(clue) == "found" for clue in script.clues):
        raise ScriptError(
            f"script {script.id!r} has {len(script.clues)} clues, none of them at a place; mirage "
            "needs clues to find; docs/games.md names the bundled scripts that have them"
        )


def deal_stage(state: MatchState, stage: int) -> tuple[Event, ...]:
    """Return the events that start a stage: private scripts, owned clues, public clues."""
    begun = (StageStarted(stage=stage),) if count_stages(state.script) > 1 else ()
    clues = clues_of(state.script, stage)
    owned = (_reveal(one, "dealt", _owner(one)) for one in clues if reveal_cause(one) == "dealt")
    public = (_reveal(one, "shown", "all") for one in clues if reveal_cause(one) == "shown")
    return (*begun, *owned, *public)


def places_left(state: MatchState, seat: SeatId) -> tuple[str, ...]:
    """Return the places with a clue left that a seat may search, in script order."""
    places = dict.fromkeys(clue.place for clue in _clues_left(state) if clue.place is not None)
    own = "" if options_of(state).own_place else plain(seat)
    return tuple(place for place in places if not has_word(plain(place), own))


def search(state: MatchState, request: DecisionRequest, place: str) -> tuple[Event, ...]:
    """Return the events of a search at a place; all seats see the clues found."""
    left = [clue for clue in _clues_left(state) if clue.place == place]
    match options_of(state).clue_draw:
        case "random":
            found = [generator(state.started.seed, "clue", request.id).choice(left)]
        case "listed":
            found = left[:1]
        case "all":
            found = left
    told = Announced(
        topic="investigates", values=(("seat", request.seat), ("place", place)), audience="all"
    )
    return (told, *(_reveal(clue, "found", "all", request.seat) for clue in found))


def react_to(state: MatchState, event: Event) -> tuple[Event, ...]:
    """Return the clues whose trigger word occurs in the text that `event` makes public.

    The start of a stage reveals those of its clues whose word became public before.
    """
    if isinstance(event, ClueRevealed) and event.cause == "triggered":
        return ()  # The clues that it triggers were revealed together with it.
    waiting = [clue for clue in state.script.clues if reveal_cause(clue) == "triggered"]
    heard = state.history if isinstance(event, StageStarted) else (event,)
    if not waiting or not (texts := _public_texts(state, heard)):
        return ()
    stage, out = stage_of(state), _find_revealed(state)
    waiting = [clue for clue in waiting if clue.stage <= stage and clue.id not in out]
    return tuple(
        _reveal(clue, "triggered", _owner(clue)) for clue in _find_triggered(waiting, texts)
    )


def stage_of(state: MatchState) -> int:
    """Return the number of the current stage."""
    begun = (event.stage for event in reversed(state.history) if isinstance(event, StageStarted))
    return next(begun, 1)


def _find_triggered(waiting: list[Clue], heard: list[str]) -> Iterator[Clue]:
    """Yield the clues that `heard` triggers, and those that the public ones among them trigger."""
    while called := [
        one for one in waiting if any(has_word(text, _trigger_word(one)) for text in heard)
    ]:
        yield from called
        waiting = [one for one in waiting if one not in called]
        heard = [plain(clue.text) for clue in called if clue.owner is None]


def _trigger_word(clue: Clue) -> str:
    return plain(clue.trigger or "")


def _public_texts(state: MatchState, events: Sequence[Event]) -> list[str]:
    """Return the texts that `events` make public, in the `plain` form for word search."""
    return [plain(text) for event in events if (text := _public_text(state, event))]


def _public_text(state: MatchState, event: Event) -> str:
    match event:
        case Said(audience="all"):
            return "\n".join(text for name, text in event.parts if name != EXPOSED)
        case QuestionAsked(audience="all"):
            return event.text
        case ClueRevealed(audience="all"):
            return next(clue.text for clue in state.script.clues if clue.id == event.clue)
        case _:
            return ""


def _clues_left(state: MatchState) -> tuple[Clue, ...]:
    """Return the clues that are still at places, in script order."""
    stage, out = stage_of(state), _find_revealed(state)
    return tuple(
        clue
        for clue in state.script.clues
        if reveal_cause(clue) == "found" and clue.stage <= stage and clue.id not in out
    )


def _find_revealed(state: MatchState) -> set[str]:
    return {event.clue for event in state.history if isinstance(event, ClueRevealed)}


def _owner(clue: Clue) -> Audience:
    """Return the audience of a clue without a finder: its owner, else all."""
    return "all" if clue.owner is None else (SeatId(clue.owner),)


def _reveal(
    clue: Clue, cause: RevealCause, audience: Audience, finder: SeatId | None = None
) -> ClueRevealed:
    return ClueRevealed(
        clue=clue.id,
        pictures=tuple(picture.sha256 for picture in clue.pictures),
        cause=cause,
        finder=finder,
        place=(clue.place or "") if cause == "found" else "",
        audience=audience,
    )
