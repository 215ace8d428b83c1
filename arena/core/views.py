"""The secrecy wall: the one place that decides what a seat may know (PROTOCOLS 1.2)."""

from dataclasses import dataclass, replace

from arena.core.actions import SeatId
from arena.core.asking import asks
from arena.core.events import (
    Asked,
    Began,
    Concluded,
    Counted,
    Event,
    Passed,
    Revealed,
    Spoke,
    Voted,
)
from arena.core.options import Options
from arena.core.state import MatchState
from scripts_mm.script import Clue, Language, Picture, Script

Heard = Began | Revealed | Spoke | Asked | Concluded | Voted | Passed | Counted
"""Events that may reach a seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenClue:
    """A clue as it is shown under the option `pictures`."""

    id: str
    title: str
    text: str
    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A match as one seat sees it. Players get this, and never the state."""

    seat: SeatId
    language: Language
    options: Options
    opening: str
    victims: tuple[str, ...]
    seats: tuple[SeatId, ...]
    script: str
    """The private script of the own role."""
    mission: str
    """Of the faction, then of the role."""
    is_murderer: bool
    sole_murderer: bool
    """Known to a murderer only: that every other seat is a civilian."""
    introduction: str | None
    reply: str | None
    clues: tuple[SeenClue, ...]
    """What was revealed to this seat, in the order of reveal."""
    heard: tuple[Heard, ...]
    """What reached this seat, in order."""


def view(state: MatchState, seat: SeatId) -> View:
    """Return what `seat` may know now."""
    opened, script = state.opening, state.script
    role = script.role(seat)
    guilty = seat in opened.murderers
    heard = tuple(
        _for(seat, event) for event in _past(state, seat) if _reaches(event, seat, opened.options)
    )
    return View(
        seat=seat,
        language=script.language,
        options=opened.options,
        opening=script.opening,
        victims=script.victims,
        seats=opened.seats,
        script=role.script,
        mission="\n".join(filter(None, (_mission(script, guilty=guilty), role.mission))),
        is_murderer=guilty,
        sole_murderer=guilty and len(opened.murderers) == 1,
        introduction=role.introduction,
        reply=role.reply,
        clues=tuple(
            shown(clue, opened.options)
            for event in heard
            if isinstance(event, Revealed)
            for clue in script.clues
            if clue.id == event.clue
        ),
        heard=heard,
    )


def _past(state: MatchState, seat: SeatId) -> tuple[Event, ...]:
    """Return the events up to now; for a seat that is asked in a wave, up to the wave's begin.

    So a seat that must answer again knows no more than when it was asked first (PROTOCOLS 1.5).
    """
    history = state.history
    in_wave = state.began is not None and state.plan[state.stage].wave
    if not in_wave or all(ask.seat != seat for ask in asks(state)):
        return history
    begins = [number for number, event in enumerate(history) if isinstance(event, Began)]
    return history[: begins[-1] + 1]


def _mission(script: Script, *, guilty: bool) -> str:
    return script.murderer_mission if guilty else script.civilian_mission


def _reaches(event: Event, seat: SeatId, options: Options) -> bool:
    match event:
        case Began() | Spoke() | Asked() | Counted():
            return True
        case Revealed(to=to):
            return seat in to
        case Concluded(seat=whose) | Passed(seat=whose, verb="conclude"):
            return whose == seat or options.reasoning != "secret"
        case Voted(seat=whose) | Passed(seat=whose, verb="vote"):
            return whose == seat or options.vote == "open"
        case Passed():
            return True
        case _:
            return False


def _for(seat: SeatId, event: Event) -> Heard:
    """Return `event` without what only another seat may know of it."""
    match event:
        case Began():
            return replace(event, order=())
        case Passed(seat=whose) if whose != seat:
            return replace(event, reason="")
        case Revealed():
            return replace(event, to=(seat,))
        case Voted(seat=whose) if whose != seat:
            return replace(event, reason="")
        case Spoke() | Asked() | Concluded() | Voted() | Passed() | Counted():
            return event
        case _:
            raise AssertionError(f"{event.kind} reaches no seat")


def shown(clue: Clue, options: Options) -> SeenClue:
    """Return `clue` as seats see it under the option `pictures`."""
    match options.pictures:
        case "image":
            words, pictures = [clue.text], clue.pictures
        case "ocr":
            words, pictures = [clue.text, *(p.transcript for p in clue.pictures)], ()
        case "caption":
            words, pictures = [clue.text, *(p.description for p in clue.pictures)], ()
        case "none":
            words, pictures = [clue.text], ()
    return SeenClue(
        id=clue.id, title=clue.title, text="\n".join(filter(None, words)), pictures=pictures
    )
