"""Simultaneous requests: neither timing nor corrections change a match."""

import zlib
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.action_validation import Invalid, validate
from arena.core.actions import Action
from arena.core.observation import Observation, observe
from arena.core.playouts.playout import reduce_all, start_state
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending
from arena.core.transitions import apply, apply_timeout
from arena.games.whodunit.game import WHODUNIT
from tests.arena.games.draws import draw_setup
from tests.table import hostile

pytestmark = pytest.mark.slow


def decide(observation: Observation, request: DecisionRequest, seed: int) -> Action | None:
    """Answer by all that a seat knows: one event more or less would change the answer."""
    known = zlib.crc32(repr((observation.events, observation.clues, request)).encode())
    return hostile(request, Random(f"{seed}/{known}"))


def apply_any(state: MatchState, request: DecisionRequest, action: Action | None) -> MatchState:
    if action is None:
        return reduce_all(state, apply_timeout(WHODUNIT, state, request))
    return reduce_all(state, apply(WHODUNIT, state, request, action))


def play_one_by_one(state: MatchState, seed: int) -> MatchState:
    """Ask one seat at a time, in the order of the requests, each until it is done."""
    while waiting := pending(state):
        for first in waiting:
            request: DecisionRequest | None = first
            while request is not None and state.ended is None:
                action = decide(observe(state, request.seat), request, seed)
                state = apply_any(state, request, action)
                request = next((one for one in pending(state) if one.id == first.id), None)
    return state


def play_in_waves(state: MatchState, seed: int, arrival: Random) -> MatchState:
    """Ask all seats of a wave at once; attempts come in any order, then are applied by seat."""
    while waiting := pending(state):
        answers: dict[str, list[tuple[DecisionRequest, Action | None]]] = {}
        open_now = list(waiting)
        while open_now:
            request = open_now.pop(arrival.randrange(len(open_now)))
            action = decide(observe(state, request.seat), request, seed)
            answers.setdefault(request.id, []).append((request, action))
            result = action if action is None else validate(request, action)
            if isinstance(result, Invalid) and request.attempts_left > 1:
                open_now.append(request.with_error(result.error))
        for first in waiting:
            for request, action in answers[first.id]:
                if state.ended is None:
                    state = apply_any(state, request, action)
    return state


@given(seed=st.integers(0, 10**9), arrival=st.integers(0, 10**9))
@settings(max_examples=150)
def test_waves_equal_their_serialised_form_with_corrections(seed: int, arrival: int) -> None:
    state = start_state(WHODUNIT, draw_setup(seed))
    serial = play_one_by_one(state, seed)
    waves = play_in_waves(state, seed, Random(arrival))
    assert waves.history == serial.history
    assert serial.ended is not None


@given(seed=st.integers(0, 10**9))
@settings(max_examples=50)
def test_a_match_played_again_has_the_same_events(seed: int) -> None:
    again = [
        play_one_by_one(start_state(WHODUNIT, draw_setup(seed)), seed).history for _ in range(2)
    ]
    assert again[0] == again[1]
