"""A match from its recorded actions: the same events, from wherever the record breaks off."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.actions import Skip, choose, say
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    MatchStarted,
    PhaseStarted,
    PromptAdjusted,
    Said,
    TurnSkipped,
)
from arena.core.observation import observe
from arena.core.outcome import abort
from arena.core.playouts.playout import start_state
from arena.core.seats import SeatId
from arena.core.state import pending
from arena.errors import RecordError
from arena.games.game_registry import all_games, find_game
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.records.match_record import is_action
from arena.records.match_replay import Replayed, replay_match
from tests.arena.games.cases import setup_of
from tests.arena.records.live import Live, options, play_live
from tests.table import act, begin, case, legal, setup

ONE_ROUND = WhodunitOptions(rounds=1)


def replayed(events: tuple[Event, ...]) -> Replayed:
    return replay_match(WHODUNIT, case(), events, match="harbour-en-s1")


@pytest.mark.slow
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(chosen=options(), seed=st.integers(0, 10**6))
def test_a_match_cut_after_any_event_goes_on_to_the_same_end(
    chosen: WhodunitOptions, seed: int
) -> None:
    history = play_live(chosen, seed).state.history
    for cut in range(1, len(history) + 1):
        found = replayed(history[:cut])
        assert found.state.history == (*history[:cut], *found.missing)
        resumed = Live(state=found.state, seed=seed)
        assert resumed.go_on(found.unanswered) == history, f"cut after {cut} of {len(history)}"


@pytest.mark.slow
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(chosen=options(), seed=st.integers(0, 10**6))
def test_every_recorded_attempt_is_told_with_what_its_seat_saw(
    chosen: WhodunitOptions, seed: int
) -> None:
    live = play_live(chosen, seed)
    found = replayed(live.state.history)
    assert found.missing == ()
    assert [decision.request for decision in found.decisions] == [
        request for _, request, _ in live.observed
    ]
    for decision, (number, request, observation) in zip(
        found.decisions, live.observed, strict=True
    ):
        # Adjustments come between; they are for the record alone.
        assert decision.event >= number
        assert observe(decision.state, request.seat) == observation
    results = [decision.result for decision in found.decisions]
    assert results == [event for event in live.state.history if is_action(event)]


@pytest.mark.parametrize("name", all_games())
def test_an_attempt_without_an_answer_ends_as_such_whatever_the_game_makes_of_it(name: str) -> None:
    game, chance = find_game(name), Random(1)
    state = start_state(game, setup_of(game))
    while waiting := pending(state):
        late = chance.random() < 0.2
        state = act(state, waiting[0], None if late else legal(waiting[0], chance))
    found = replay_match(game, state.script, state.history)
    results = [decision.result for decision in found.decisions]
    assert results == [event for event in state.history if is_action(event)]
    assert any(isinstance(event, TurnSkipped) for event in results)


def test_a_complete_match_leaves_nothing_to_add() -> None:
    history = play_live().state.history
    found = replayed(history)
    assert (found.missing, found.unanswered) == ((), ())
    assert found.state.ended == history[-1]


def test_a_match_whose_murderer_never_votes_is_replayed() -> None:
    live = Live(state=begin(setup(silent=("murderer",), seed=5)), seed=5)
    history = live.go_on()
    assert replayed(history).state == live.state
    assert live.state.started.never_vote == live.state.started.murderers


def test_adjustments_without_an_answer_are_told() -> None:
    history = play_live().state.history
    cut = next(n for n, event in enumerate(history, 1) if isinstance(event, PromptAdjusted))
    assert replayed(history[:cut]).unanswered == (history[cut - 1],)


def find(history: tuple[Event, ...], kind: type[Event], skip: int = 0) -> int:
    """Return the place of an event of a kind."""
    return [n for n, event in enumerate(history) if isinstance(event, kind)][skip]


HISTORY = play_live(ONE_ROUND, seed=3).state.history


def tampered(number: int, event: Event | None) -> tuple[Event, ...]:
    return (*HISTORY[:number], *((event,) if event else ()), *HISTORY[number + 1 :])


FREE = PromptAdjusted | ActionRejected
"""A record with one adjustment or one attempt more or fewer can be true as well."""


def test_no_event_of_a_record_may_be_missing() -> None:
    for number, event in enumerate(HISTORY[:-1]):
        if isinstance(event, FREE):
            continue
        with pytest.raises(RecordError, match="the record of match 'harbour-en-s1' does not fit"):
            replayed(tampered(number, None))


def test_no_event_of_a_record_may_come_twice() -> None:
    for number, event in enumerate(HISTORY):
        if isinstance(event, FREE):
            continue
        with pytest.raises(RecordError):
            replayed((*HISTORY[: number + 1], event, *HISTORY[number + 1 :]))


def test_a_changed_speech_is_named_with_its_number() -> None:
    number = find(HISTORY, Said)
    event = HISTORY[number]
    assert isinstance(event, Said)
    with pytest.raises(RecordError, match=rf"event {number + 1} \(said\) differs"):
        replayed(tampered(number, replace(event, parts=(("text", "I did it."),))))


def test_another_kind_of_event_is_named_with_the_one_that_was_due() -> None:
    number = find(HISTORY, Said)
    with pytest.raises(RecordError, match="is phase_started, but the rules produce said"):
        replayed(tampered(number, PhaseStarted(phase="night")))


def test_a_changed_start_is_refused() -> None:
    started = HISTORY[0]
    assert isinstance(started, MatchStarted)
    for changed in (
        replace(started, parts=started.parts[::-1]),
        replace(started, script="lighthouse"),
        replace(started, language="zh"),
        replace(started, seed=99),
        replace(started, options=WhodunitOptions(rounds=2)),
        replace(started, never_vote=started.seats),
        replace(started, game="chess"),
    ):
        with pytest.raises(RecordError):
            replayed(tampered(0, changed))


@pytest.mark.parametrize("events", [(), HISTORY[1:], HISTORY[5:6]])
def test_a_record_without_its_start_is_refused(events: tuple[Event, ...]) -> None:
    with pytest.raises(RecordError, match="does not start with a match of 'whodunit'"):
        replayed(events)


def test_an_accepted_answer_that_the_request_does_not_allow_is_refused() -> None:
    number = find(HISTORY, ActionAccepted)
    event = HISTORY[number]
    assert isinstance(event, ActionAccepted)
    wrong = (
        say(""),
        say("  spaces  "),
        say("x" * 9000),
        choose("Ada Quill"),
        Skip(partial=(("a", " "),)),
    )
    for action in wrong:
        with pytest.raises(RecordError, match="accepts an answer that request"):
            replayed((*HISTORY[:number], replace(event, action=action)))


@pytest.mark.parametrize("kind", [ActionAccepted, ActionRejected, TurnSkipped, PromptAdjusted])
def test_an_answer_to_a_request_that_is_not_pending_is_refused(kind: type[Event]) -> None:
    number = find(HISTORY, kind)
    event = HISTORY[number]
    assert isinstance(event, ActionAccepted | ActionRejected | TurnSkipped | PromptAdjusted)
    for changed in (
        replace(event, request="introduction-9/introduce/Ada Quill"),
        replace(event, seat=SeatId("Somebody")),
    ):
        with pytest.raises(RecordError, match=rf"event {number + 1} "):
            replayed(tampered(number, changed))


def test_nothing_follows_the_end_of_a_match() -> None:
    more = (*HISTORY, Said(seat=SeatId("Ada Quill"), request="r", act="speak", parts=()))
    with pytest.raises(RecordError, match="follows from no recorded action"):
        replayed(more)


def test_an_end_by_an_error_is_no_event_of_the_rules() -> None:
    cut = find(HISTORY, ActionAccepted)
    with pytest.raises(RecordError, match="follows from no recorded action"):
        replayed((*HISTORY[:cut], abort(cause="the server is gone")))
