"""A whole match: what comes first, what waits for what, and how it ends."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.actions import Action, say
from arena.core.chance import generator
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    Event,
    MatchEnded,
    PhaseStarted,
    PromptAdjusted,
    Said,
    TurnSkipped,
)
from arena.core.game import Game
from arena.core.observation import Observation
from arena.core.options import GameOptions
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.errors import ModelError, RecordError
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.players.player import Answer
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop, StateChange
from tests.arena.core.tiny_game import (
    TinyGame,
    opened,
    request,
    said,
    tiny_setup,
)
from tests.table import (
    NAMES,
    act,
    begin,
    hostile,
    setup,
)

SEATS = tuple(SeatId(name) for name in NAMES)
ADA, BRAM, CLEO, DIRK, EDDA = SEATS
NEVER = 3600.0
Key = tuple[str, int]
"""A request and the attempts left."""


@dataclass
class Held:
    """Players that answer one at a time, when and in the order that the test says."""

    answer: Callable[[DecisionRequest], Action | BaseException]
    waiting: dict[Key, asyncio.Event] = field(default_factory=dict[Key, asyncio.Event])
    observed: dict[Key, Observation] = field(default_factory=dict[Key, Observation])

    async def act(
        self, observation: Observation, request: DecisionRequest, chance: Random
    ) -> Answer:
        """Wait until the test lets this attempt go on."""
        key = (request.id, request.attempts_left)
        self.observed[key] = observation
        self.waiting[key] = asyncio.Event()
        await self.waiting[key].wait()
        del self.waiting[key]
        line = self.answer(request)
        if isinstance(line, BaseException):
            raise line
        return Answer(action=line, reports=adjustments(request))

    async def release_in(self, choose: Callable[[list[Key]], Key]) -> None:
        """Let attempts go on, one by one, as long as any waits."""
        while True:
            for _ in range(20):
                await asyncio.sleep(0)
            if not self.waiting:
                return
            self.waiting[choose(sorted(self.waiting))].set()


def adjustments(request: DecisionRequest) -> tuple[PromptAdjusted, ...]:
    """Return adjustments of some attempts."""
    count = generator(7, request.id, request.attempts_left).choice((0, 0, 1, 2))
    return tuple(
        PromptAdjusted(
            seat=request.seat, request=request.id, adjustment="log_dropped", lines=number + 1
        )
        for number in range(count)
    )


def run(
    game: Game,
    state: MatchState,
    answer: Callable[[DecisionRequest], Action | BaseException],
    choose: Callable[[list[Key]], Key] = lambda waiting: waiting[0],
    recorded: Iterable[PromptAdjusted] = (),
) -> tuple[MatchState, list[Event], Held]:
    """Play to the end; `choose` says whose answer comes next."""
    held, events = Held(answer), list[Event]()

    async def both() -> MatchState:
        loop = MatchLoop(
            game=game,
            seats={seat: SeatBinding(player=held, health=None) for seat in SEATS},
            control=TurnControl(deadline=NEVER),
            sink=lambda steps: events.extend(event for event, _ in steps),
            recorded=list(recorded),
        )
        async with asyncio.TaskGroup() as group:
            playing = group.create_task(loop.run(state))
            await held.release_in(choose)
        return playing.result()

    return asyncio.run(both()), events, held


def wave(options: GameOptions | None = None, *names: str) -> tuple[TinyGame, MatchState]:
    """Return a match that asks several seats at once."""
    requests = [request(name) for name in names or (ADA, BRAM, CLEO)]
    game = TinyGame(
        steps=((PhaseStarted(phase="one"), opened(*requests, mode="simultaneous")),),
        following=lambda state, ask, reply: (said(state, ask, reply["text"]),),
    )
    return game, start_state(game, tiny_setup(options))


def play_serially(state: MatchState, seed: int) -> MatchState:
    """Play on with each request and all its corrections before the next request."""
    while waiting := pending(state):
        for first in waiting:
            current: DecisionRequest | None = first
            while current is not None and state.ended is None:
                for event in adjustments(current):
                    state = MatchLoop(
                        game=WHODUNIT, seats={}, control=TurnControl(deadline=NEVER), sink=_ignore
                    ).emit(state, (event,))
                state = act(state, current, answer_of(current, seed))
                current = next((one for one in pending(state) if one.id == first.id), None)
    return state


def _ignore(steps: Sequence[StateChange]) -> None:
    """Do nothing with events."""


def answer_of(request: DecisionRequest, seed: int) -> Action | None:
    """Return a legal or illegal answer, always the same for the same attempt; never a timeout."""
    chance = generator(seed, request.id, request.attempts_left)
    action = hostile(request, chance)
    return action if action is not None else say("")


@pytest.mark.slow
@settings(max_examples=40)
@given(seed=st.integers(0, 10_000), order=st.integers(0, 10_000), faults=st.booleans())
def test_the_events_of_a_match_do_not_depend_on_when_answers_come(
    seed: int, order: int, faults: bool
) -> None:
    options = WhodunitOptions(
        rounds=1,
        introductions="together",
        answers="batched",
        reasoning="together",
        max_faults=3 if faults else None,
    )
    state = begin(setup(options, seed=seed))

    def answer(request: DecisionRequest) -> Action:
        action = answer_of(request, seed)
        assert action is not None
        return action

    chance = Random(order)
    whole, events, _ = run(WHODUNIT, state, answer, chance.choice)
    serial = play_serially(state, seed)
    assert whole.history == serial.history
    assert tuple(events) == serial.history[len(state.history) :]


def test_corrections_do_not_wait_for_other_seats_and_observe_nothing_of_them() -> None:
    game, state = wave()

    def answer(request: DecisionRequest) -> Action:
        is_bad = request.seat == BRAM and request.attempts_left > 1
        return say("" if is_bad else f"I am {request.seat}.")

    order: list[Key] = []

    def bram_first(waiting: list[Key]) -> Key:
        chosen = next((key for key in waiting if BRAM in key[0]), waiting[0])
        order.append(chosen)
        return chosen

    ended, events, held = run(game, state, answer, bram_first)
    assert order[:3] == [(f"word/{BRAM}", left) for left in (3, 2, 1)]
    assert {key[0] for key in order[3:]} == {f"word/{ADA}", f"word/{CLEO}"}
    assert len(set(map(repr, (held.observed[f"word/{BRAM}", left].events for left in (3, 2))))) == 1
    assert [event.seat for event in events if isinstance(event, Said)] == [ADA, BRAM, CLEO]
    assert [event.seat for event in events if isinstance(event, ActionRejected)] == [BRAM] * 2
    assert ended.ended is not None
    assert ended.ended.outcome == "civ_win"


def test_events_are_emitted_in_seat_order_when_all_answers_are_in() -> None:
    game, state = wave()
    _, events, _ = run(game, state, lambda ask: say(f"I am {ask.seat}."), lambda keys: keys[-1])
    kinds = [(event.kind, getattr(event, "seat", "")) for event in events]
    assert [seat for kind, seat in kinds if kind == "action_accepted"] == [ADA, BRAM, CLEO]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_error_of_one_seat_ends_the_match_before_the_answers_of_later_seats(place: int) -> None:
    game, state = wave()
    failing = (ADA, BRAM, CLEO)[place]

    def answer(request: DecisionRequest) -> Action | BaseException:
        return ModelError("404: gone") if request.seat == failing else say("Yes.")

    orders: tuple[Callable[[list[Key]], Key], ...] = (min, max)
    for choose in orders:
        ended, events, _ = run(game, state, answer, choose)
        accepted = [event.seat for event in events if isinstance(event, ActionAccepted)]
        assert accepted == [ADA, BRAM, CLEO][:place]
        assert isinstance(events[-1], MatchEnded)
        assert events[-1] == ended.ended
        assert (events[-1].outcome, events[-1].cause) == ("error", "404: gone")


def test_a_record_error_of_a_player_is_raised_when_all_simultaneous_requests_are_in() -> None:
    game, state = wave()
    answered: list[str] = []

    def answer(request: DecisionRequest) -> Action | BaseException:
        answered.append(request.seat)
        return RecordError("the disk is full") if request.seat == ADA else say("Yes.")

    with pytest.raises(ExceptionGroup) as caught:
        run(game, state, answer)
    assert caught.group_contains(RecordError, match="the disk is full")
    assert sorted(answered) == [ADA, BRAM, CLEO]


def test_the_fault_budget_ends_the_match_in_the_middle_of_a_wave() -> None:
    game, state = wave(GameOptions(max_faults=1, attempts=3), ADA, BRAM, DIRK, EDDA)

    def answer(request: DecisionRequest) -> Action | BaseException:
        return TimeoutError() if request.seat in {BRAM, DIRK} else say("Yes.")

    histories: set[tuple[Event, ...]] = set()
    for seed in range(5):
        ended, events, _ = run(game, state, answer, Random(seed).choice)
        assert ended.ended is not None
        assert ended.ended.outcome == "forfeit"
        accepted = [event.seat for event in events if isinstance(event, ActionAccepted)]
        skipped = [event.seat for event in events if isinstance(event, TurnSkipped)]
        assert (accepted, skipped) == ([ADA], [BRAM, DIRK])
        assert isinstance(events[-1], MatchEnded)
        histories.add(tuple(events))
    assert len(histories) == 1


def test_a_seat_that_is_too_slow_is_skipped_after_its_rejected_answers() -> None:
    game, state = wave()

    def answer(request: DecisionRequest) -> Action | BaseException:
        if request.seat == BRAM:
            return say("") if request.attempts_left == 3 else TimeoutError()
        return say("Yes.")

    _, events, _ = run(game, state, answer, lambda keys: keys[-1])
    of_bram = [event.kind for event in events if getattr(event, "seat", "") == BRAM]
    assert [kind for kind in of_bram if kind != "prompt_adjusted"] == [
        "action_rejected",
        "turn_skipped",
    ]


def test_adjustments_that_the_record_holds_are_not_emitted_again() -> None:
    game, state = wave()
    _, events, _ = run(game, state, lambda ask: say("Yes."))
    made = [event for event in events if isinstance(event, PromptAdjusted)]
    assert made
    for known in ([], made[:1], made):
        _, again, _ = run(game, state, lambda ask: say("Yes."), recorded=known)
        found = Counter(event for event in again if isinstance(event, PromptAdjusted))
        assert found == Counter(made) - Counter(known)


def test_events_reach_the_sink_one_answer_at_a_time_each_with_the_state_after_it() -> None:
    game, state = wave()
    groups: list[Sequence[StateChange]] = []
    held = Held(lambda ask: say("Yes."))

    async def play() -> MatchState:
        loop = MatchLoop(
            game=game,
            seats={seat: SeatBinding(player=held, health=None) for seat in SEATS},
            control=TurnControl(deadline=NEVER),
            sink=groups.append,
        )
        async with asyncio.TaskGroup() as group:
            playing = group.create_task(loop.run(state))
            await held.release_in(lambda keys: keys[0])
        return playing.result()

    ended = asyncio.run(play())
    for event, after in (step for group in groups for step in group):
        assert after.history[-1] == event
    assert groups[-1][-1][1] == ended
    answers = [sum(isinstance(event, ActionAccepted) for event, _ in group) for group in groups]
    assert sum(answers) == 3
    assert set(answers) <= {0, 1}
