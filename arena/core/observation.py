"""The secrecy wall: the one place that decides what a seat or a spectator may know."""

from dataclasses import dataclass, replace
from functools import lru_cache

from arena.core.events import ClueRevealed, Event, MatchStarted
from arena.core.options import GameOptions
from arena.core.seats import Audience, Part, SeatId
from arena.core.state import MatchState, pending
from scripts_mm.script import Clue, Language, Picture, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectator:
    """A spectator: with `truth` it may know everything, else only what all seats know."""

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
    """No other seat has seen it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleObservation:
    """What one seat knows of itself from the start."""

    part: Part
    script: str
    """The private script of the role."""
    mission: str
    """Of the faction, then of the role."""
    is_sole_murderer: bool
    """The seat is the only murderer. False for an innocent seat, which must not learn it."""
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
    never_vote: int
    """How many seats never vote, as their player declares; who they are is a secret."""
    innocents_truthful: bool
    """The script declares that the private scripts of the innocent are true."""
    role: RoleObservation | None
    """None: a spectator."""
    clues: tuple[ClueObservation, ...]
    """The clues that the observer has seen, in order."""
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
    events, clues = _filter(state, observer)
    return Observation(
        game=started.game,
        language=script.language,
        options=started.options,
        opening=script.opening,
        victims=script.victims,
        seats=started.seats,
        never_vote=len(started.never_vote),
        innocents_truthful=script.innocents_truthful,
        role=None if isinstance(observer, Spectator) else _role(started, script, observer),
        clues=clues,
        events=events,
    )


def _filter(
    state: MatchState, observer: SeatId | Spectator
) -> tuple[tuple[Event, ...], tuple[ClueObservation, ...]]:
    """Return the events that reach `observer`, and the clues that they reveal.

    Clues get numbers in the order in which the observer sees them: an id could reveal a secret.
    """
    events: list[Event] = []
    shown: list[ClueObservation] = []
    keys: dict[str, str] = {}
    clues = {clue.id: clue for clue in state.script.clues}
    for event in _past(state, observer):
        if not reaches(event.audience, observer):
            continue
        if not isinstance(event, ClueRevealed):
            events.append(event)
            continue
        key = keys.setdefault(event.clue, f"clue-{len(keys) + 1}")
        events.append(_name_clue(event, key))
        if event.clue in clues:
            clue = clues[event.clue]
            shown.append(_observe_clue(clue, key, state.started.options, event.audience))
    return tuple(events), tuple(shown)


def _past(state: MatchState, observer: SeatId | Spectator) -> tuple[Event, ...]:
    """Return the events up to now; while seats decide at once, for them up to their requests.

    So neither the answers of the others nor their timing change what a seat knows, and a seat that
    must answer again knows no more than the first time.
    """
    if state.mode != "simultaneous" or not (requests := pending(state)):
        return state.history
    if isinstance(observer, Spectator):
        # A person at a seat could look at the public page.
        return state.history if observer.truth else state.history[: state.opened_at]
    if all(request.seat != observer for request in requests):
        return state.history
    return state.history[: state.opened_at]


def reaches(audience: Audience, observer: SeatId | Spectator) -> bool:
    """Tell whether an event with `audience` may be known to `observer`."""
    if isinstance(observer, Spectator):
        return audience == "all" or observer.truth
    return audience == "all" or (audience != "host" and observer in audience)


@lru_cache(maxsize=4096)
def _name_clue(event: ClueRevealed, key: str) -> ClueRevealed:
    return replace(event, clue=key)


@lru_cache(maxsize=4096)
def _strip_picture(picture: Picture) -> Picture:
    return replace(picture, file="", kind=None, transcript="", description="")


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
        pictures=tuple(map(_strip_picture, pictures)),
        private=audience != "all" and len(audience) == 1,
    )
