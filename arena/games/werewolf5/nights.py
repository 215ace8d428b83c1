"""Nights: the seer's vision, the werewolf's attack, and the morning after."""

from arena.core.actions import Values
from arena.core.chance import generator
from arena.core.events import Announced, Event, PhaseStarted, RequestsOpened, SeatEliminated
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice
from arena.core.state import MatchState
from arena.games.werewolf5.moments import (
    ATTACK,
    DAY,
    NIGHT,
    VISION,
    day_of,
    victim_of,
)
from arena.games.werewolf5.requests import Kind, request_of
from arena.games.werewolf5.secret_roles import SEER, WEREWOLF, seats_of
from arena.games.werewolf5.talk import open_turn

_FIRST_ATTACK = 2
"""The first night with an attack; the night before the first day has none."""


def start_night(state: MatchState, living: tuple[SeatId, ...]) -> tuple[Event, ...]:
    """Return the start of a night, with simultaneous requests to the living seats with powers."""
    number = day_of(state) + 1
    wolves = seats_of(state, WEREWOLF) if number >= _FIRST_ATTACK else ()
    kinds: dict[SeatId, Kind] = {
        **dict.fromkeys(seats_of(state, SEER), "divine"),
        **dict.fromkeys(wolves, "attack"),
    }
    requests = tuple(
        request_of(state, kinds[seat], seat, number, living) for seat in living if seat in kinds
    )
    return (
        PhaseStarted(phase=NIGHT, round=number),
        RequestsOpened(requests=requests, mode="simultaneous"),
    )


def use_power(
    state: MatchState, request: DecisionRequest, target: SeatId, *, drawn: bool = False
) -> Event:
    """Return the private result of a power; `drawn`: the target was drawn at random."""
    values: Values = (("seat", target),)
    topic = ATTACK
    if request.kind == "divine":
        topic = VISION
        found = WEREWOLF if target in seats_of(state, WEREWOLF) else "human"
        values = (*values, ("found", found))
    by_lot: Values = (("drawn", "yes"),) if drawn else ()
    return Announced(topic=topic, values=(*values, *by_lot), audience=(request.seat,))


def draw_power(state: MatchState, request: DecisionRequest) -> Event:
    """Return the result of a power that its seat did not use: a legal target is drawn."""
    assert isinstance(request.spec, Choice), f"{request.id} is no choice"
    targets = sorted(request.spec.options)
    chance = generator(state.started.seed, request.kind, request.round)
    return use_power(state, request, SeatId(chance.choice(targets)), drawn=True)


def start_day(state: MatchState) -> tuple[tuple[Event, ...], tuple[SeatId, ...]]:
    """Return the start of a day with the death of the night, and the living seats after it."""
    victim = victim_of(state)
    found = () if victim is None else (SeatEliminated(seat=victim, cause=ATTACK),)
    living = tuple(seat for seat in state.living if seat != victim)
    return (PhaseStarted(phase=DAY, round=day_of(state)), *found), living


def first_turn(state: MatchState, living: tuple[SeatId, ...]) -> Event:
    """Return the first turn of the talk of the day that starts."""
    return open_turn(state, day_of(state), 1, living, living)
