"""Scene of a talk for one seat: day, own turn, living seats, and speeches addressed to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.core.events import (
    Announced,
    Event,
    PhaseStarted,
    Said,
    SeatEliminated,
    TurnSkipped,
)
from arena.core.observation import Observation
from arena.core.purposes import OVER_VARIANT, SKIP_VARIANT
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.players.hybrid.powers import WEREWOLF


@dataclass(slots=True, kw_only=True)
class TalkScene:
    """Counts of a seat in a talk. Games announce `skip` and `over` with these topics."""

    seat: SeatId
    power: str
    living: tuple[SeatId, ...]
    day: int
    """Number of the talk in the match."""
    turn: int = 1
    """Number of its own turn today."""
    is_quiet: bool = True
    """There was no speech today."""
    mentions: int = 0
    """Number of speeches addressed to the seat since it last spoke."""
    answered: int = 0
    """Number of its speeches after one that was addressed to it."""
    decided: set[SeatId] = field(default_factory=set[SeatId])
    """Seats that announced `over`, or stopped talking."""
    results: tuple[tuple[SeatId, bool], ...] = ()
    """The seat's visions in the nights: the seat seen, and whether it is the werewolf."""


def read_scene(observation: Observation, request: DecisionRequest) -> TalkScene:
    """Return the scene at `request`."""
    events = observation.events
    starts = [n for n, one in enumerate(events) if _starts(one, request)]
    scene = TalkScene(
        seat=observation.seat,
        power=observation.own.part.power,
        living=living_seats(observation),
        day=max(1, len(starts)),
        results=read_results(observation),
    )
    for event in events[starts[-1] :] if starts else events:
        _follow(scene, event)
    return scene


def living_seats(observation: Observation) -> tuple[SeatId, ...]:
    """Return the living seats, in the order of the script."""
    out = {one.seat for one in observation.events if isinstance(one, SeatEliminated)}
    return tuple(seat for seat in observation.seats if seat not in out)


def read_results(observation: Observation) -> tuple[tuple[SeatId, bool], ...]:
    """Return the private results about other seats."""
    told = [
        dict(event.values)
        for event in observation.events
        if isinstance(event, Announced) and event.audience == (observation.seat,)
    ]
    return tuple((SeatId(one["seat"]), one["found"] == WEREWOLF) for one in told if "found" in one)


def find_undeclared(
    scene: TalkScene, declared: Sequence[str], asked: Sequence[str]
) -> tuple[SeatId, ...]:
    """Return the living seats that declared no vote and can still do so."""
    known = {*declared, *asked, *scene.decided}
    return tuple(seat for seat in scene.living if seat not in known)


def _starts(event: Event, request: DecisionRequest) -> bool:
    return isinstance(event, PhaseStarted) and event.phase == request.phase


def _follow(scene: TalkScene, event: Event) -> None:
    match event:
        case Said(seat=seat) if seat == scene.seat:
            scene.is_quiet = False
            scene.turn += 1
            scene.answered += scene.mentions > 0
            scene.mentions = 0
        case Said(seat=seat, to=to):
            scene.is_quiet = False
            scene.mentions += to == scene.seat
            scene.decided.discard(seat)
        case Announced(topic=topic, values=values) if topic in {SKIP_VARIANT, OVER_VARIANT}:
            _pass(scene, SeatId(dict(values).get("seat", "")), is_last=topic == OVER_VARIANT)
        case TurnSkipped(seat=seat):
            _pass(scene, seat, is_last=True)
        case _:
            pass


def _pass(scene: TalkScene, seat: SeatId, *, is_last: bool) -> None:
    scene.turn += seat == scene.seat
    if is_last:
        scene.decided.add(seat)
