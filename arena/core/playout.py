"""Play a whole match at once with answers from a function: projections, checks, tests."""

from collections.abc import Callable

from arena.core.actions import Action
from arena.core.events import Event
from arena.core.game import Game
from arena.core.observation import Observation, observe
from arena.core.play import MatchSetup, apply, start_match
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending, reduce

Decide = Callable[[Observation, DecisionRequest], Action]


def start_state(game: Game, setup: MatchSetup) -> MatchState:
    """Return a match before its first answer."""
    return reduce_all(MatchState(script=setup.script), start_match(game, setup))


def play_out(game: Game, setup: MatchSetup, decide: Decide) -> MatchState:
    """Return the match after its end, with every request answered by `decide`."""
    state = start_state(game, setup)
    while requests := pending(state):
        state = answer_all(game, state, requests, decide)
    return state


def answer_all(
    game: Game, state: MatchState, requests: tuple[DecisionRequest, ...], decide: Decide
) -> MatchState:
    """Return `state` after the pending `requests` were answered, corrections included."""
    for first in requests:
        request: DecisionRequest | None = first
        while request is not None and state.ended is None:
            action = decide(observe(state, request.seat), request)
            state = reduce_all(state, apply(game, state, request, action))
            request = next((one for one in pending(state) if one.id == first.id), None)
    return state


def reduce_all(state: MatchState, events: tuple[Event, ...]) -> MatchState:
    """Return the state after `events`."""
    for event in events:
        state = reduce(state, event)
    return state
