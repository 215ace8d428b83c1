"""Observations: the only path from a state to a seat or a spectator; applies event audiences."""

from dataclasses import dataclass, replace
from functools import lru_cache

from arena.core.events import (
    ClueRevealed,
    Event,
    MatchEnded,
    MatchStarted,
    SeatEliminated,
    StageStarted,
)
from arena.core.option_labels import PART_LABELS
from arena.core.options import GameOptions, Pictures
from arena.core.requests import DecisionRequest
from arena.core.seats import Audience, SeatId, SeatPart
from arena.core.state import MatchState, pending
from scripts_mm.script import Clue, Language, Picture, Role, Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectator:
    """A spectator: with `truth` it sees everything, else only what all seats know."""

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
    """A seat's private knowledge of its own role."""

    part: SeatPart
    """Of an unaware culprit, the part of an innocent."""
    script: str
    """The private script of the role; of a staged script, the first stage."""
    mission: str
    """Mission of the faction, then of the role; of a staged script, that of the first stage."""
    stages: tuple[tuple[int, str], ...] = ()
    """The later stages that started: number, and addition to the private script."""
    is_sole_murderer: bool
    """The seat is the only murderer. Always False for an innocent seat: it may not know."""
    introduction: str | None
    reply: str | None


_NOBODY = RoleObservation(
    part=SeatPart(seat=SeatId(""), faction="civilians"),
    script="",
    mission="",
    is_sole_murderer=False,
    introduction=None,
    reply=None,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A match as one seat or a spectator may know it. Players get this, never the state."""

    game: str
    language: Language
    options: GameOptions
    opening: str
    """What all seats know before the match."""
    victims: tuple[str, ...]
    seats: tuple[SeatId, ...]
    never_vote: int
    """How many seats never vote, as their player declares; which ones is secret."""
    innocents_truthful: bool
    """The script declares that the private scripts of the innocent are true."""
    role: RoleObservation | None
    """None: a spectator."""
    clues: tuple[ClueObservation, ...]
    """The clues that the observer saw, in order."""
    events: tuple[Event, ...]
    """The events whose audience includes the observer, in order."""
    is_onlooker: bool = False
    """A model judges as an onlooker: it has an empty role and only public knowledge."""

    @property
    def own(self) -> RoleObservation:
        """The role of the observing seat; must not be used for a spectator."""
        assert self.role is not None, "a spectator has no role"
        return self.role

    @property
    def seat(self) -> SeatId:
        """The observing seat."""
        return self.own.part.seat

    @property
    def private_script(self) -> str:
        """The observing seat's private script of all stages so far."""
        return "\n\n".join([self.own.script, *(text for _, text in self.own.stages if text)])

    @property
    def is_murderer(self) -> bool:
        """Whether the observing seat belongs to the murderer's faction."""
        return self.own.part.faction == "murderer"


def observe_request(state: MatchState, request: DecisionRequest) -> Observation:
    """Return the observation on which the answer to `request` can depend."""
    if not request.onlooker:
        return observe(state, request.seat, request.moment)
    public = observe(state, Spectator(), request.moment)
    return replace(public, role=_NOBODY, is_onlooker=True)


def observe(
    state: MatchState, observer: SeatId | Spectator, moment: int | None = None
) -> Observation:
    """Return the observation of `observer` now, or after the first `moment` events."""
    started, script = state.started, state.script
    past = _past(state, observer) if moment is None else state.history[:moment]
    events, clues = _filter(state, observer, past)
    return Observation(
        game=started.game,
        language=script.language,
        options=started.options,
        opening=script.opening,
        victims=script.victims,
        seats=started.seats,
        never_vote=len(started.never_vote),
        innocents_truthful=script.innocents_truthful,
        role=None if isinstance(observer, Spectator) else _role(started, script, observer, events),
        clues=clues,
        events=events,
    )


def _filter(
    state: MatchState, observer: SeatId | Spectator, past: tuple[Event, ...]
) -> tuple[tuple[Event, ...], tuple[ClueObservation, ...]]:
    """Return the events that reach `observer`, and the clues that they reveal.

    Clues get numbers in the order in which the observer sees them: an id could reveal a secret.
    An eliminated seat observes nothing more until the end.
    """
    is_out = False
    events: list[Event] = []
    shown: list[ClueObservation] = []
    keys: dict[str, str] = {}
    clues = {clue.id: clue for clue in state.script.clues}
    pictures = state.started.options.pictures
    for event in past:
        if not reaches(event.audience, observer) or (is_out and not isinstance(event, MatchEnded)):
            continue
        if isinstance(event, SeatEliminated):
            is_out |= event.seat == observer
        if not isinstance(event, ClueRevealed):
            events.append(event)
            continue
        key = keys.setdefault(event.clue, f"clue-{len(keys) + 1}")
        events.append(_name_clue(event, key))
        if event.clue in clues:
            clue = clues[event.clue]
            shown.append(_observe_clue(clue, key, pictures, event.audience))
    return tuple(events), tuple(shown)


def _past(state: MatchState, observer: SeatId | Spectator) -> tuple[Event, ...]:
    """Return the events so far; for a seat with a simultaneous request, those before the requests.

    So a seat's knowledge does not depend on the answers of the others or their timing, and is the
    same at each attempt.
    """
    if state.mode == "turns" or not (requests := pending(state)):
        return state.history
    if isinstance(observer, Spectator):
        # A person who plays could look at the public page.
        return state.history if observer.truth else state.history[: state.opened_at]
    if all(request.seat != observer for request in requests):
        return state.history
    return state.history[: state.opened_at]


def reaches(audience: Audience, observer: SeatId | Spectator) -> bool:
    """Return whether `observer` may know an event with `audience`."""
    if isinstance(observer, Spectator):
        return audience == "all" or observer.truth
    return audience == "all" or (audience != "host" and observer in audience)


@lru_cache(maxsize=4096)
def _name_clue(event: ClueRevealed, key: str) -> ClueRevealed:
    return replace(event, clue=key)


@lru_cache(maxsize=4096)
def _strip_picture(picture: Picture) -> Picture:
    return replace(picture, file="", kind=None, transcript="", description="")


def _role(
    started: MatchStarted, script: Script, seat: SeatId, past: tuple[Event, ...]
) -> RoleObservation:
    role, part = script.role(seat), _visible_part(started.part(seat), script)
    guilty = part.faction == "murderer"
    faction = script.murderer_mission if guilty else script.civilian_mission
    numbers = [event.stage for event in past if isinstance(event, StageStarted)]
    private, mission = _first_stage(role, script.language) if numbers else (None, None)
    return RoleObservation(
        part=part,
        script=role.script if private is None else private,
        mission="\n".join(filter(None, (faction, role.mission if mission is None else mission))),
        stages=tuple(
            (number, _stage_text(role, number, script.language)) for number in numbers if number > 1
        ),
        is_sole_murderer=guilty and len(started.murderers) == 1,
        introduction=role.introduction,
        reply=role.reply,
    )


def _visible_part(part: SeatPart, script: Script) -> SeatPart:
    """Return the part as its seat may know it: an unaware culprit believes itself innocent."""
    if part.seat not in script.truth.unaware:
        return part
    return SeatPart(seat=part.seat, faction="civilians", power=part.power)


def _first_stage(role: Role, language: Language) -> tuple[str | None, str | None]:
    """Return private script and goals of the first stage; None: the script does not split them."""
    if all(part.stage == 1 for part in role.parts):
        return None, None
    purposes = [one for one in role.parts if one.name == "purpose"]
    goals = "\n".join(one.text for one in purposes if one.stage == 1)
    return _stage_text(role, 1, language), goals if purposes else None


def _stage_text(role: Role, stage: int, language: Language) -> str:
    """Return one stage's additions under headings; for the first stage, without the goals."""
    return "\n\n".join(
        f"{PART_LABELS[language][part.name]}:\n{part.text}"
        for part in role.parts
        if part.stage == stage and not (stage == 1 and part.name == "purpose")
    )


@lru_cache(maxsize=4096)
def _observe_clue(clue: Clue, key: str, mode: Pictures, audience: Audience) -> ClueObservation:
    pictures: tuple[Picture, ...] = ()
    match mode:
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
