"""Matches of the small case up to a moment, and ballots by seat."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from arena.core.actions import choose
from arena.core.events import RequestsOpened
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.state import MatchState, pending
from arena.games.thinkthrice.game import THINKTHRICE
from arena.games.thinkthrice.options import ThinkThriceOptions
from scripts_mm.script import Script
from tests.arena.games.whodunit.scenes import events_of
from tests.table import (
    act,
    legal,
    play,
    setup,
)


def start(
    *,
    script: Script | None = None,
    seed: int = 1,
    silent: tuple[Faction, ...] = (),
    **options: Any,
) -> MatchState:
    """Return a match before its first answer."""
    given = setup(ThinkThriceOptions(**options), script=script, seed=seed, silent=silent)
    return start_state(THINKTHRICE, given)


def finish(state: MatchState) -> MatchState:
    """Return the match after its end, all answers legal."""
    chance = Random(0)
    return play(state, lambda request: legal(request, chance))


def requests(state: MatchState) -> list[DecisionRequest]:
    """Return all requests so far."""
    return [one for event in events_of(state, RequestsOpened) for one in event.requests]


def vote(state: MatchState, ballots: Mapping[Any, Sequence[str]]) -> MatchState:
    """Return the match after a vote: the choices of each seat, ballot by ballot."""
    for one in pending(state):
        chosen = ballots[one.seat]
        number = int(one.id.partition("#")[2] or 1)
        state = act(state, one, choose(chosen[number - 1]))
    return state
