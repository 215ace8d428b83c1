"""Silent requests that cannot be answered: a missing value, and no end of a decided match."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.events import Event, MatchEnded, Rated, TurnSkipped
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.state import MatchState, pending
from arena.errors import ArenaError, ContextLengthError, ModelError, UnanswerableError
from arena.games.mirage.game import MIRAGE
from arena.players.player import Answer
from arena.records.event_codec import decode_event, encode_event
from arena.records.match_replay import replay_match
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from arena.run.match.match_usage import is_fallback
from tests.arena.games.mirage.scenes import (
    asks_all,
    case,
    events_of,
    start,
    until,
)

CASE = case(3)
Fails = Callable[[DecisionRequest], bool]


@dataclass
class Failing:
    """Answers as `asks_all`, and raises an error where the test says so."""

    error: ArenaError
    fails: Fails

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Return an answer, or raise the error."""
        del observation, chance
        if self.fails(request):
            raise self.error
        action: Action = asks_all(request)
        return Answer(action=action, reports=())


def rates_bram(request: DecisionRequest) -> bool:
    return request.phase == "rating" and request.about == "Bram"


def finish(error: ArenaError, fails: Fails, kind: str = "rate_suspicion") -> MatchState:
    """Play a match from its first request of `kind` to its end."""
    state = until(start(CASE, rounds=1, vote="doubt"), kind, asks_all)
    player = Failing(error, fails)
    loop = MatchLoop(
        game=MIRAGE,
        seats={seat: SeatBinding(player=player, health=None) for seat in state.started.seats},
        control=TurnControl(deadline=3600.0),
        sink=lambda steps: None,
    )
    return asyncio.run(loop.run(state))


def whole() -> MatchState:
    return finish(ModelError("never raised"), lambda request: False)


@pytest.mark.parametrize("error", [UnanswerableError("too long"), ContextLengthError("9 > 8")])
def test_a_rating_that_cannot_be_answered_is_missing_and_the_verdict_stands(
    error: ArenaError,
) -> None:
    state = finish(error, rates_bram)
    assert state.ended is not None
    undisturbed = whole().ended
    assert undisturbed is not None
    assert state.ended.outcome == undisturbed.outcome
    assert state.ended.winners == undisturbed.winners
    values = {one.about: one.value for one in events_of(state, Rated)}
    assert values == {"Ada": 0, "Bram": None, "Cleo": 0}
    skipped = events_of(state, TurnSkipped)
    assert [(one.cause, one.audience) for one in skipped] == [
        ("unanswerable", (one.seat,)) for one in skipped
    ]
    missing = [one.request for one in events_of(state, Rated) if one.value is None]
    assert [one.request for one in skipped] == missing
    assert all(map(is_fallback, skipped))


def test_a_server_that_is_gone_ends_a_match_among_its_ratings_too() -> None:
    state = finish(ModelError("the server is dead"), rates_bram)
    assert state.ended is not None
    assert (state.ended.outcome, state.ended.cause) == ("error", "the server is dead")


def test_a_turn_that_cannot_be_answered_ends_the_match_as_it_did() -> None:
    state = finish(UnanswerableError("too long"), lambda one: one.kind == "vote", "vote")
    assert isinstance(state.history[-1], MatchEnded)
    assert state.history[-1].outcome == "error"


def test_a_record_with_ratings_that_are_missing_is_read_and_replayed_from_any_event() -> None:
    history = finish(UnanswerableError("too long"), rates_bram).history
    read = tuple(decode_event(encode_event(event)) for event in history)
    assert read == history
    first = next(number for number, event in enumerate(history) if isinstance(event, Rated))
    for cut in range(first - 2, len(history) + 1):
        found = replay_match(MIRAGE, CASE, history[:cut])
        assert found.state.history == (*history[:cut], *found.missing)
        ratings = events_of(found.state, Rated)
        assert ratings == [one for one in history if isinstance(one, Rated)][: len(ratings)]
    assert replay_match(MIRAGE, CASE, history).missing == ()


def test_a_resumed_match_goes_on_behind_a_rating_that_cannot_be_answered() -> None:
    history: tuple[Event, ...] = finish(UnanswerableError("too long"), rates_bram).history
    last = max(number for number, event in enumerate(history) if isinstance(event, TurnSkipped))
    found = replay_match(MIRAGE, CASE, history[: last + 1])
    assert all(one.about != "Bram" for one in pending(found.state))
    assert [one.request.about for one in found.decisions if one.result.kind == "turn_skipped"] == [
        one.about for one in events_of(found.state, Rated) if one.value is None
    ]
