"""Matches of any options, scripts and answers: they end, keep secrets and refuse forgeries."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.playouts.playout import start_state
from arena.core.state import MatchState, pending
from arena.games.whodunit.game import WHODUNIT
from tests.arena.games.draws import draw_setup, talkative
from tests.arena.games.watching import Guard

pytestmark = pytest.mark.slow

MATCHES = 500


def watch_match(seed: int, *, with_prompts: bool = False) -> MatchState:
    """Play one drawn match under guard."""
    chance = Random(seed)
    guard = Guard(start_state(WHODUNIT, draw_setup(seed)), with_prompts=with_prompts)
    for _ in range(5_000):
        waiting = pending(guard.state)
        if not waiting:
            break
        if chance.random() < 0.1:
            guard.forge(chance)
        request = chance.choice(waiting)
        guard.answer(request, talkative(request, chance))
    guard.forge(chance)
    guard.finish()
    return guard.state


@given(seed=st.integers(MATCHES, 10**9))
@settings(max_examples=100)
def test_any_match_ends_and_keeps_its_secrets(seed: int) -> None:
    watch_match(seed, with_prompts=True)


def test_five_hundred_matches_end_and_keep_their_secrets() -> None:
    outcomes: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for seed in range(MATCHES):
        state = watch_match(seed)
        assert state.ended is not None
        outcomes[state.ended.outcome] += 1
        kinds.update({event.kind for event in state.history})
    assert set(outcomes) == {"civ_win", "murderer_win", "draw", "forfeit"}
    assert all(count > MATCHES / 50 for count in outcomes.values()), outcomes
    assert kinds["action_rejected"] > MATCHES / 2, "answers were bad"
    assert kinds["turn_skipped"] > MATCHES / 2
    assert kinds["votes_tallied"] > MATCHES / 4
