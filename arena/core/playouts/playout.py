"""Play a whole match with answers from a function, for estimates, checks and tests."""

from collections.abc import Callable

from arena.core.actions import Action
from arena.core.events import Event
from arena.core.game import Game
from arena.core.observation import Observation, observe_request
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending, reduce
from arena.core.transitions import GameError, MatchSetup, apply, start_match

_MAX_EVENTS = 50_000
"""Of one match; the longest of the bundled scripts under any option has a tenth of it."""

Decide = Callable[[Observation, DecisionRequest], Action]


def start_state(game: Game, setup: MatchSetup) -> MatchState:
    """Return a match before its first answer."""
    return reduce_all(MatchState(script=setup.script), start_match(game, setup))


def play_out(game: Game, setup: MatchSetup, decide: Decide) -> MatchState:
    """Return the match after its end, with every request answered by `decide`."""
    state = start_state(game, setup)
    while requests := pending(state):
        state = answer_all(game, state, requests, decide)
        if len(state.history) > _MAX_EVENTS:
            raise GameError(
                f"game {game.name!r} did not end within {_MAX_EVENTS} events of players that "
                "answer everything; a talk must end without a certain word being said"
            )
    return state


def answer_all(
    game: Game, state: MatchState, requests: tuple[DecisionRequest, ...], decide: Decide
) -> MatchState:
    """Return `state` after the pending `requests` were answered, corrections included."""
    for first in requests:
        # What another seat did may have closed the request.
        while (request := _find(pending(state), first.id)) is not None:
            action = decide(observe_request(state, request), request)
            state = reduce_all(state, apply(game, state, request, action))
    return state


def _find(requests: tuple[DecisionRequest, ...], name: str) -> DecisionRequest | None:
    return next((one for one in requests if one.id == name), None)


def reduce_all(state: MatchState, events: tuple[Event, ...]) -> MatchState:
    """Return the state after `events`."""
    for event in events:
        state = reduce(state, event)
    return state
