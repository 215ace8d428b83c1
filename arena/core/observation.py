"""The secrecy wall: the one place that decides what a seat or a spectator may know."""

from dataclasses import dataclass, replace

from arena.core.events import ClueRevealed, Event, MatchStarted
from arena.core.options import GameOptions
from arena.core.seats import Audience, Part, SeatId
from arena.core.state import MatchState, pending
from scripts_mm.script import Clue, Language, Picture, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectator:
    """An onlooker: `truth` tells whether it may know everything or only what all seats know."""

    truth: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueObservation:
    """A clue as the option `pictures` shows it. `key` names it in the observation's events."""

    key: str
    title: str
    text: str
    pictures: tuple[Picture, ...]
    """Content hash, format and size only: no file name, transcript or description."""
    private: bool
    """Only the observer was shown it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleObservation:
    """What one seat knows of itself from the start."""

    part: Part
    script: str
    """The private script of the role."""
    mission: str
    """Of the faction, then of the role."""
    is_sole_murderer: bool
    """Told to a murderer only: every other seat is innocent."""
    introduction: str | None
    reply: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A match as one seat or a spectator may know it. Players get this, and never the state."""

    game: str
    language: Language
    options: GameOptions
    opening: str
    """What everybody knows before the match."""
    victims: tuple[str, ...]
    seats: tuple[SeatId, ...]
    all_vote: bool
    """No player of this match declares that it never votes."""
    has_pictures: bool
    """Some clue of the script has a picture."""
    innocents_truthful: bool
    """The script declares that the private scripts of the innocent are true."""
    role: RoleObservation | None
    """None: a spectator."""
    clues: tuple[ClueObservation, ...]
    """What the observer was shown, in order."""
    events: tuple[Event, ...]
    """What reached the observer, in order."""

    @property
    def own(self) -> RoleObservation:
        """The role of the observing seat; a spectator has none."""
        assert self.role is not None, "a spectator has no role"
        return self.role

    @property
    def seat(self) -> SeatId:
        """The observing seat."""
        return self.own.part.seat

    @property
    def is_murderer(self) -> bool:
        """Whether the observing seat belongs to the murderer's faction."""
        return self.own.part.faction == "murderer"


def observe(state: MatchState, observer: SeatId | Spectator) -> Observation:
    """Return what `observer` may know now."""
    started, script = state.started, state.script
    keys = _clue_keys(state.history, observer)
    seen = tuple(event for event in _past(state, observer) if reaches(event.audience, observer))
    clues = {clue.id: clue for clue in script.clues}
    return Observation(
        game=started.game,
        language=script.language,
        options=started.options,
        opening=script.opening,
        victims=script.victims,
        seats=started.seats,
        all_vote=not started.never_vote,
        has_pictures=any(clue.pictures for clue in script.clues),
        innocents_truthful=script.innocents_truthful,
        role=None if isinstance(observer, Spectator) else _role(started, script, observer),
        clues=tuple(
            _observe_clue(clues[event.clue], keys[event.clue], started.options, event.audience)
            for event in seen
            if isinstance(event, ClueRevealed) and event.clue in clues
        ),
        events=tuple(
            replace(event, clue=keys[event.clue]) if isinstance(event, ClueRevealed) else event
            for event in seen
        ),
    )


def observe_clue(clue: Clue, options: GameOptions) -> ClueObservation:
    """Return a clue as all seats see it under the option `pictures`."""
    return _observe_clue(clue, clue.id, options, "all")


def _past(state: MatchState, observer: SeatId | Spectator) -> tuple[Event, ...]:
    """Return the events up to now; for a seat that decides with others at once, up to the request.

    So the answers of the others do not matter, nor when they come, and a seat that must answer
    again knows no more than the first time.
    """
    if state.mode != "simultaneous" or isinstance(observer, Spectator):
        return state.history
    if all(request.seat != observer for request in pending(state)):
        return state.history
    return state.history[: state.opened_at]


def reaches(audience: Audience, observer: SeatId | Spectator) -> bool:
    """Tell whether an event with `audience` may be known to `observer`."""
    if isinstance(observer, Spectator):
        return audience == "all" or observer.truth
    return audience == "all" or (audience != "host" and observer in audience)


def _clue_keys(history: tuple[Event, ...], observer: SeatId | Spectator) -> dict[str, str]:
    """Return a number for each clue that the observer was shown: an id could tell a secret."""
    shown = dict.fromkeys(
        event.clue
        for event in history
        if isinstance(event, ClueRevealed) and reaches(event.audience, observer)
    )
    return {clue: f"clue-{number}" for number, clue in enumerate(shown, start=1)}


def _role(started: MatchStarted, script: Script, seat: SeatId) -> RoleObservation:
    role, part = script.role(seat), started.part(seat)
    guilty = part.faction == "murderer"
    faction = script.murderer_mission if guilty else script.civilian_mission
    return RoleObservation(
        part=part,
        script=role.script,
        mission="\n".join(filter(None, (faction, role.mission))),
        is_sole_murderer=guilty and len(started.murderers) == 1,
        introduction=role.introduction,
        reply=role.reply,
    )


def _observe_clue(
    clue: Clue, key: str, options: GameOptions, audience: Audience
) -> ClueObservation:
    pictures: tuple[Picture, ...] = ()
    match options.pictures:
        case "image":
            words, pictures = [clue.text], clue.pictures
        case "ocr":
            words = [clue.text, *(picture.transcript for picture in clue.pictures)]
        case "caption":
            words = [clue.text, *(picture.description for picture in clue.pictures)]
        case "none":
            words = [clue.text]
    return ClueObservation(
        key=key,
        title=clue.title,
        text="\n".join(filter(None, words)),
        pictures=tuple(
            replace(picture, file="", transcript="", description="") for picture in pictures
        ),
        private=audience != "all" and len(audience) == 1,
    )
