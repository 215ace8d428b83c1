"""Matches of the small case up to a moment, and votes by name."""

from collections.abc import Mapping
from random import Random
from typing import Any, TypeVar

from arena.core.actions import Reply, choose
from arena.core.events import Event
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.specs import Choice
from arena.core.state import MatchState, pending
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import Script
from tests.table import (
    act,
    begin,
    legal,
    setup,
)

E = TypeVar("E", bound=Event)


def start(
    *,
    script: Script | None = None,
    seed: int = 1,
    silent: tuple[Faction, ...] = (),
    **options: Any,
) -> MatchState:
    """Return a match before its first answer."""
    return begin(setup(WhodunitOptions(**options), script=script, seed=seed, silent=silent))


def until(state: MatchState, kind: str) -> MatchState:
    """Play on legally until a request of `kind` is pending, or the match ends."""
    chance = Random(3)
    while (waiting := pending(state)) and waiting[0].kind != kind:
        state = act(state, waiting[0], legal(waiting[0], chance))
    return state


def vote_for(request: DecisionRequest, choice: str) -> Reply:
    """Return the vote for `choice`, or an abstention where that is no option."""
    if isinstance(request.spec, Choice):
        return choose(choice if choice in request.spec.options else "abstain")
    return Reply(values=(("reason", f"REASON of {request.seat}"), ("vote", choice)))


def vote(state: MatchState, ballots: Mapping[Any, str]) -> MatchState:
    """Return the match after one ballot: what each seat chose; those not named abstain."""
    assert state.phase is not None
    number = state.phase.round
    while waiting := [one for one in pending(state) if one.round == number]:
        state = act(
            state, waiting[0], vote_for(waiting[0], ballots.get(waiting[0].seat, "abstain"))
        )
    return state


def events_of(state: MatchState, kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [event for event in state.history if isinstance(event, kind)]
