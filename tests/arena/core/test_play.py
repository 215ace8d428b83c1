"""The platform's rules: which request is pending, what an answer leads to, what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from arena.core.actions import Action, Skip, UnparsedReply, Values, choose, fill, say
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Announced,
    Event,
    MatchEnded,
    MatchStarted,
    PhaseStarted,
    RequestMode,
    RequestsOpened,
    Said,
    SeatEliminated,
    TurnSkipped,
)
from arena.core.game import Game
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.playouts import playout
from arena.core.playouts.playout import answer_all, play_out, reduce_all, start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, Field, Form, FreeText
from arena.core.state import MatchState, pending, replay
from arena.core.transitions import GameError, RefusedActionError, apply, apply_timeout, start_match
from tests.arena.core.tiny_game import (
    TinyGame,
    opened,
    request,
    said,
    tiny_setup,
)
from tests.table import MURDERER, NAMES, setup

ADA, BRAM, CLEO = NAMES[:3]
ONE = PhaseStarted(phase="one")


def begin(game: Game, options: GameOptions | None = None) -> MatchState:
    return start_state(game, tiny_setup(options))


def turn(*names: str, mode: RequestMode = "turns") -> TinyGame:
    event = opened(*(request(name) for name in names), mode=mode)
    return TinyGame(steps=((ONE, event),))


def test_a_match_starts_with_who_is_what_and_goes_on_until_a_seat_must_decide() -> None:
    state = begin(turn(ADA))
    started = state.history[0]
    assert isinstance(started, MatchStarted)
    assert started == state.started
    assert (started.seats, started.murderers) == (NAMES, (MURDERER,))
    assert started.members("civilians") == tuple(name for name in NAMES if name != MURDERER)
    assert started.part(SeatId(MURDERER)).faction == "murderer"
    assert state.phase == ONE
    assert [one.seat for one in pending(state)] == [ADA]


@pytest.mark.parametrize("rotation", [0, 3])
def test_a_match_keeps_its_rotation_and_has_none_of_its_own(rotation: int) -> None:
    plain, turned = tiny_setup(), replace(tiny_setup(), rotation=rotation)
    [first, *_] = start_match(turn(ADA), turned)
    assert isinstance(first, MatchStarted)
    assert (first.rotation, plain.rotation) == (rotation, 0)


def test_seats_whose_player_never_votes_are_those_of_its_faction() -> None:
    events = start_match(turn(ADA), replace(tiny_setup(), silent=("murderer",)))
    started = events[0]
    assert isinstance(started, MatchStarted)
    assert started.never_vote == (MURDERER,)


def test_turns_are_pending_one_at_a_time_and_simultaneous_requests_together() -> None:
    assert [one.seat for one in pending(begin(turn(ADA, BRAM)))] == [ADA]
    state = begin(turn(ADA, BRAM, mode="simultaneous"))
    assert [one.seat for one in pending(state)] == [ADA, BRAM]


def test_simultaneous_requests_may_be_answered_in_any_order() -> None:
    game = turn(ADA, BRAM, CLEO, mode="simultaneous")
    state = begin(game)
    for one in reversed(pending(state)):
        state = reduce_all(state, apply(game, state, one, say("Yes.")))
    assert state.ended is not None


@pytest.mark.parametrize(
    "forged",
    [
        {"seat": SeatId("Nobody at all")},
        {"seat": SeatId(BRAM)},
        {"id": "another"},
        {"attempts_left": 9},
        {"spec": Choice(options=("a", "b"))},
        {"kind": "vote"},
        {"max_chars": 10**6},
    ],
    ids=["unknown seat", "another seat", "unknown id", "attempts", "spec", "kind", "limit"],
)
def test_a_forged_request_is_refused(forged: dict[str, Any]) -> None:
    game = turn(ADA, BRAM)
    state = begin(game)
    one = replace(pending(state)[0], **forged)
    for attempt in (
        lambda: apply(game, state, one, say("Hello.")),
        lambda: apply(game, state, one, say("")),
        lambda: apply(game, state, one, Skip()),
        lambda: apply_timeout(game, state, one),
    ):
        with pytest.raises(RefusedActionError, match="is not pending"):
            attempt()


def test_a_request_is_answered_once() -> None:
    game = turn(ADA, BRAM)
    state = begin(game)
    first = pending(state)[0]
    state = reduce_all(state, apply(game, state, first, say("Hello.")))
    with pytest.raises(RefusedActionError):
        apply(game, state, first, say("Hello again."))


def test_a_request_whose_turn_has_not_come_is_refused() -> None:
    game = turn(ADA, BRAM)
    state = begin(game)
    with pytest.raises(RefusedActionError):
        apply(game, state, state.open[1], say("Me first."))


def test_an_attempt_that_was_used_up_is_refused() -> None:
    game = turn(ADA)
    state = begin(game)
    first = pending(state)[0]
    state = reduce_all(state, apply(game, state, first, say("")))
    with pytest.raises(RefusedActionError):
        apply(game, state, first, say("Hello."))
    assert apply(game, state, pending(state)[0], say("Hello."))


def test_after_the_end_nothing_is_pending_and_every_answer_is_refused() -> None:
    game = turn(ADA)
    state = begin(game)
    first = pending(state)[0]
    state = reduce_all(state, apply(game, state, first, say("Hello.")))
    assert state.ended is not None
    assert pending(state) == ()
    with pytest.raises(RefusedActionError):
        apply(game, state, first, say("Hello."))
    with pytest.raises(RefusedActionError):
        apply_timeout(game, state, first)


def test_an_illegal_answer_is_asked_again_with_its_error_and_then_skipped() -> None:
    ask = request(ADA, spec=Choice(options=(ADA, BRAM)))
    game = TinyGame(steps=((ONE, opened(ask, request(BRAM))),))
    state = begin(game)
    for left in (3, 2, 1):
        [again] = pending(state)
        assert again.attempts_left == left
        assert (again.last_error is None) == (left == 3)
        events = apply(game, state, again, choose("Nobody"))
        state = reduce_all(state, events)
        assert isinstance(events[0], ActionRejected)
        assert (events[0].error.code, events[0].error.text) == ("not_an_option", "Nobody")
        assert len(events) == (1 if left > 1 else 2)
    skipped = state.history[-1]
    assert isinstance(skipped, TurnSkipped)
    assert (skipped.seat, skipped.act, skipped.cause) == (ADA, "word", "invalid")
    assert [one.seat for one in pending(state)] == [BRAM]


@pytest.mark.parametrize(("kind", "audience"), [("word", "all"), ("quiet", (ADA,))])
def test_a_skip_is_known_to_all_or_to_its_seat_as_the_game_says(
    kind: str, audience: tuple[str, ...]
) -> None:
    game = TinyGame(steps=((ONE, opened(request(ADA, kind=kind), request(BRAM))),))
    state = begin(game)
    accepted, skipped = apply(game, state, pending(state)[0], Skip())
    assert isinstance(accepted, ActionAccepted)
    assert isinstance(skipped, TurnSkipped)
    assert (skipped.cause, skipped.audience) == ("declined", audience)
    [late] = apply_timeout(game, state, pending(state)[0])
    assert isinstance(late, TurnSkipped)
    assert (late.cause, late.audience) == ("timeout", audience)


def test_what_follows_from_a_skip_is_known_before_it_and_asked_after_it() -> None:
    found = Announced(topic="found", audience="all")

    class Asking(TinyGame):
        """Asks another seat where one skips."""

        def skip(
            self, state: MatchState, request: DecisionRequest, partial: Values
        ) -> tuple[tuple[Event, ...], bool]:
            """Return a request and an event, in this order."""
            return (opened(follow, mode="simultaneous"), found), True

    follow = request(BRAM)
    game = Asking(steps=((ONE, opened(request(ADA), mode="simultaneous")),))
    state = begin(game)
    events = apply_timeout(game, state, pending(state)[0])
    assert [event.kind for event in events] == ["announced", "turn_skipped", "requests_opened"]
    assert pending(reduce_all(state, events)) == (follow,)


def test_a_reply_that_cannot_be_read_is_rejected_and_never_heard() -> None:
    game = turn(ADA)
    state = begin(game)
    unread = UnparsedReply(missing="text", text="I am the murderer")
    [rejected] = apply(game, state, pending(state)[0], unread)
    assert isinstance(rejected, ActionRejected)
    assert rejected.audience == "host"


def test_requests_that_an_answer_opens_come_before_those_that_wait() -> None:
    def follow(state: MatchState, ask: DecisionRequest, reply: object) -> tuple[Event, ...]:
        del reply
        if ask.kind == "word":
            return (said(state, ask), opened(request(CLEO, f"{ask.id}/answer", kind="answer")))
        return (said(state, ask),)

    game = TinyGame(steps=((ONE, opened(request(ADA), request(BRAM))),), following=follow)
    state = begin(game)
    order: list[str] = []
    while waiting := pending(state):
        order.append(f"{waiting[0].kind} {waiting[0].seat}")
        state = reduce_all(state, apply(game, state, waiting[0], say("Yes.")))
    assert order == [f"word {ADA}", f"answer {CLEO}", f"word {BRAM}", f"answer {CLEO}"]


def test_a_seat_that_left_is_asked_nothing_more() -> None:
    gone = SeatEliminated(seat=SeatId(BRAM), cause="night")
    wave = opened(*map(request, NAMES), mode="simultaneous")
    game = TinyGame(steps=((ONE, wave, gone),))
    state = begin(game)
    assert state.history[-1] == gone
    assert BRAM not in {one.seat for one in pending(state)}
    assert state.living == tuple(name for name in NAMES if name != BRAM)
    assert state.eliminated == (BRAM,)


def test_an_event_may_trigger_others_at_once() -> None:
    found = Announced(topic="found", audience="all")

    def react(state: MatchState, event: Event) -> tuple[Event, ...]:
        del state
        return (found,) if isinstance(event, Said) else ()

    game = TinyGame(
        steps=((ONE, opened(request(ADA), request(BRAM))),),
        following=lambda state, ask, reply: (said(state, ask),),
        reacting=react,
    )
    state = begin(game)
    events = apply(game, state, pending(state)[0], say("The lamp."))
    assert [event.kind for event in events] == ["action_accepted", "said", "announced"]


def test_nothing_happens_after_the_end() -> None:
    ended = MatchEnded(outcome="draw", murderers=(SeatId(MURDERER),))
    game = TinyGame(steps=((ONE, ended, Announced(topic="late", audience="all")),))
    state = begin(game)
    assert state.ended == ended
    assert state.history[-1] == ended


@pytest.mark.parametrize(
    ("steps", "wrong"),
    [
        ((((),)[0],), "neither asks"),
        (((ONE, opened(request(ADA, "x"), request(BRAM, "x"))),), "opens request 'x' twice"),
        (
            ((ONE, opened(request(ADA, "x"), mode="turns"), opened(request(BRAM, "x"))),),
            "opens request 'x' twice",
        ),
        (
            ((ONE, opened(request(ADA)), opened(request(BRAM), mode="simultaneous")),),
            "while others are open",
        ),
        (
            ((ONE, opened(request(ADA), mode="simultaneous"), opened(request(BRAM))),),
            "while others are open",
        ),
    ],
)
def test_a_game_that_breaks_the_platforms_rules_is_stopped(
    steps: tuple[tuple[Event, ...], ...], wrong: str
) -> None:
    with pytest.raises(GameError, match=wrong):
        begin(TinyGame(steps=steps))


def test_an_id_that_was_used_in_an_earlier_phase_is_not_used_again() -> None:
    two = PhaseStarted(phase="two")
    game = TinyGame(steps=((ONE, opened(request(ADA, "x"))), (two, opened(request(BRAM, "x")))))
    state = begin(game)
    with pytest.raises(GameError, match="twice"):
        apply(game, state, pending(state)[0], say("Yes."))


def test_a_game_that_never_asks_and_never_ends_is_stopped() -> None:
    class Endless(TinyGame):
        def next(self, state: MatchState) -> tuple[Event, ...]:
            return (ONE,)

    with pytest.raises(GameError, match="neither asks"):
        begin(Endless())


def test_a_playout_answers_every_request_with_its_corrections() -> None:
    seen: list[tuple[str, int]] = []

    def decide(observation: Observation, ask: DecisionRequest) -> Action:
        del observation
        seen.append((ask.seat, ask.attempts_left))
        return say("" if ask.attempts_left > 2 else "Yes.")

    game = turn(ADA, BRAM, mode="simultaneous")
    state = play_out(game, tiny_setup(), decide)
    assert seen == [(ADA, 3), (ADA, 2), (BRAM, 3), (BRAM, 2)]
    assert state.ended is not None
    assert answer_all(game, state, (), decide) == state


def test_the_events_of_a_match_lead_to_its_state_again() -> None:
    game = turn(ADA, BRAM, mode="simultaneous")
    state = begin(game)
    state = reduce_all(state, apply(game, state, pending(state)[0], say("")))
    assert replay(state.script, state.history) == state
    assert pending(state)[0].attempts_left == 2
    assert setup().script == state.script


def test_requests_opened_are_known_to_the_host_alone() -> None:
    state = begin(turn(ADA))
    [event] = [event for event in state.history if isinstance(event, RequestsOpened)]
    assert event.audience == "host"


def test_an_answer_whose_optional_value_is_at_fault_counts_without_it_in_the_end() -> None:
    form = Form(
        fields=(
            Field(name="text", spec=FreeText()),
            Field(name="suspect", spec=Choice(options=("Ada",)), optional=True),
        )
    )
    ask = replace(request(ADA), spec=form, attempts_left=1)
    game = TinyGame(
        steps=((ONE, opened(ask)),),
        following=lambda state, one, reply: (said(state, one, reply["text"]),),
    )
    state = begin(game)
    events = apply(game, state, ask, fill(text="By poison.", suspect="Nobody"))
    assert [type(event) for event in events[:2]] == [ActionAccepted, Said]
    events = apply(game, state, ask, fill(suspect="Ada"))
    assert [type(event) for event in events[:2]] == [ActionRejected, TurnSkipped]


def test_a_playout_goes_on_where_an_answer_removes_a_seat_that_has_not_answered() -> None:
    game = TinyGame(
        steps=((ONE, opened(request(ADA), request(BRAM), mode="simultaneous")),),
        following=lambda state, ask, reply: (SeatEliminated(seat=SeatId(BRAM), cause="shot"),),
    )
    state = play_out(game, tiny_setup(), lambda seen, ask: say("Bang."))
    assert state.ended is not None
    assert [e.seat for e in state.history if isinstance(e, ActionAccepted)] == [ADA]


def test_a_match_that_dummies_cannot_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playout, "_MAX_EVENTS", 300)

    class Endless(TinyGame):
        """Asks the same seat for ever."""

        def next(self, state: MatchState) -> tuple[Event, ...]:
            """Return one more request."""
            return (opened(request(ADA, name=f"r{len(state.history)}")),)

    with pytest.raises(GameError, match="did not end within"):
        play_out(Endless(), tiny_setup(), lambda seen, ask: say("..."))


def test_an_answer_to_the_first_of_many_silent_requests_looks_at_no_other() -> None:
    first = request(ADA, spec=Choice(options=("a", "b")))
    game = TinyGame(steps=((ONE, opened(first, request(BRAM), mode="off_path")),))
    state = begin(game)
    unread: Any = object()  # It has no `id`: a look at it fails.
    state = replace(state, open=(pending(state)[0], unread))
    rejected = reduce_all(state, apply(game, state, pending(state)[0], choose("c")))
    assert [one is unread for one in rejected.open] == [False, True]
    assert rejected.open[0].attempts_left == first.attempts_left - 1
    answered = reduce_all(rejected, apply(game, rejected, rejected.open[0], choose("a")))
    assert answered.open == (unread,)


def test_an_answer_out_of_turn_leaves_the_other_requests_in_their_order() -> None:
    game = TinyGame(
        steps=((ONE, opened(*(request(one) for one in (ADA, BRAM, CLEO)), mode="simultaneous")),)
    )
    state = begin(game)
    state = reduce_all(state, apply(game, state, pending(state)[1], say("")))
    assert [(one.seat, one.attempts_left) for one in pending(state)] == [
        (ADA, 3), (BRAM, 2), (CLEO, 3)
    ]  # fmt: skip
    state = reduce_all(state, apply(game, state, pending(state)[1], say("Hello.")))
    assert [one.seat for one in pending(state)] == [ADA, CLEO]
