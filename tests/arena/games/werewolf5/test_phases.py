"""Phases, counts, powers and deaths of werewolf5."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from arena.core.actions import Action, Skip
from arena.core.events import (
    ActionAccepted,
    Announced,
    PhaseStarted,
    RequestsOpened,
    Said,
    SeatEliminated,
)
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.state import pending, replay
from arena.games.game_registry import find_game
from arena.games.werewolf5.game import WEREWOLF5
from arena.games.werewolf5.options import PRESETS, WerewolfOptions
from scripts_mm.script import ScriptError
from tests.arena.games.werewolf5.scenes import (
    OVER,
    SKIP,
    answered,
    events_of,
    execute,
    opened,
    others,
    phases,
    quiet,
    random_play,
    seat,
    spend_night,
    start,
    talk,
    to_vote,
    until,
)
from tests.table import (
    act,
    case,
    hostile,
    legal,
    play,
)


def test_five_roles_are_dealt_by_the_matchs_seed() -> None:
    wolves = Counter(seat(start(seed), "werewolf") for seed in range(60))
    assert set(wolves) == set(start().started.seats)
    for seed in range(5):
        started = start(seed).started
        assert started == start(seed).started
        powers = sorted(part.power for part in started.parts)
        assert powers == ["possessed", "seer", "villager", "villager", "werewolf"]
        assert {started.part(one).power for one in started.murderers} == {"werewolf", "possessed"}


def test_the_first_day_has_greeting_night_talk_and_vote() -> None:
    state = start(days="first_day", greeting=True)
    state = play(state, quiet)
    assert phases(state) == [("greeting", 1), ("night", 1), ("day", 1), ("voting", 1)]
    assert opened(state) == {"greet": 5, "divine": 1, "speak": 5, "vote": 5}
    greeted = [event.seat for event in events_of(state, Said)]
    assert greeted == list(state.started.seats), "the greeting is in the order of the script"


def test_the_whole_game_has_at_most_eight_t_max_and_sixteen_requests() -> None:
    state = start(greeting=True, talk_turns=10)
    village = others(state, "werewolf", "seer")
    spoken = talk("I have something to say.")

    def chatter(request: DecisionRequest) -> Action:
        return spoken if request.kind == "speak" else quiet(request)

    state = until(state, "vote", chatter)
    state = execute(state, village[0])
    state = spend_night(state, village[1])
    state = until(state, "vote", chatter)
    state = execute(state, seat(state, "seer"))
    assert state.ended is not None
    counts = opened(state)
    assert counts == {"greet": 5, "divine": 2, "attack": 1, "speak": 5 * 10 + 3 * 10, "vote": 8}
    assert sum(counts.values()) == 8 * 10 + 16


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_played_to_an_end_within_the_bound(preset: str) -> None:
    options = dict(PRESETS[preset])
    for seed in range(10):
        chance = Random(seed)
        values: dict[str, Any] = {"days": "first_day", "greeting": True, **options}
        state = play(start(seed, **values),
                     lambda one, chance=chance: legal(one, chance))  # fmt: skip
        turns = WerewolfOptions(**options).talk_turns  # pyright: ignore[reportArgumentType]
        counts = opened(state)
        revotes = sum(bool(one.candidates) for one in events_of(state, PhaseStarted))
        assert state.ended is not None
        assert sum(counts.values()) <= 8 * turns + 16 + 5 * revotes


def test_requests_say_what_they_are_for() -> None:
    state = play(start(greeting=True), random_play(3))
    found = {
        one.kind: one.purpose
        for event in events_of(state, RequestsOpened)
        for one in event.requests
    }
    assert found == {
        "greet": Purpose.INTRODUCE,
        "speak": Purpose.SPEAK,
        "divine": Purpose.POWER,
        "attack": Purpose.POWER,
        "vote": Purpose.VOTE,
    }


def test_who_said_over_is_not_asked_again_that_day_and_the_talk_ends_when_all_have() -> None:
    state = until(start(talk_turns=9, order="script"), "speak")
    asked: list[tuple[int, str]] = []
    while (request := pending(state)[0]).kind == "speak":
        asked.append((request.round, request.seat))
        is_done = request.round > state.started.seats.index(request.seat)
        state = act(state, request, OVER if is_done else SKIP)
    per_turn = Counter(turn for turn, _ in asked)
    assert per_turn == {1: 5, 2: 4, 3: 3, 4: 2, 5: 1}
    assert pending(state)[0].kind == "vote"
    victim = others(state, "seer", "werewolf")[0]
    again = until(spend_night(execute(state, victim), seat(state, "seer")), "speak")
    assert len(again.open) == 3, "a new day begins with all living seats"


def test_the_talk_ends_after_the_last_turn_though_nobody_is_over() -> None:
    state = until(start(talk_turns=3), "speak")
    while pending(state)[0].kind == "speak":
        state = act(state, pending(state)[0], SKIP)
    assert opened(state)["speak"] == 15


def test_the_order_of_each_turn_is_drawn_anew_and_may_be_fixed_or_together() -> None:
    def orders(**options: Any) -> list[tuple[str, ...]]:
        state = until(start(talk_turns=4, **options), "speak")
        while pending(state)[0].kind == "speak":
            state = act(state, pending(state)[0], SKIP)
        return [
            tuple(one.seat for one in event.requests)
            for event in events_of(state, RequestsOpened)
            if event.requests[0].kind == "speak"
        ]

    seats = start().started.seats
    assert len(set(orders())) > 1
    assert set(orders(order="script")) == {seats}
    assert orders(order="rotated")[1] == (*seats[1:], seats[0])
    state = until(start(utterances="together"), "speak")
    assert state.mode == "simultaneous"
    assert len(pending(state)) == 5


def test_a_turn_that_is_played_together_is_the_same_whatever_the_order_of_the_answers() -> None:
    state = until(start(utterances="together", talk_turns=1), "speak")
    said = {one.seat: talk(f"words of {one.seat}") for one in pending(state)}
    forward = state
    for one in pending(state):
        forward = act(forward, one, said[one.seat])
    heard = [event.seat for event in events_of(forward, Said)]
    assert heard == list(state.started.seats)


def test_the_executed_and_the_attacked_leave_the_game_and_are_asked_nothing_more() -> None:
    state = to_vote(start())
    first, second = others(state, "werewolf", "seer")[:2]
    state = execute(state, first)
    assert [one.kind for one in pending(state)].count("attack") == 1
    state = spend_night(state, second)
    assert state.eliminated == (first, second)
    assert [one.cause for one in events_of(state, SeatEliminated)] == ["vote", "attack"]
    before = len(state.history)
    state = play(state, random_play(2))
    asked = {
        one.seat
        for event in state.history[before:]
        if isinstance(event, RequestsOpened)
        for one in event.requests
    }
    assert not asked & {first, second}


def test_a_dead_seer_looks_at_nobody() -> None:
    state = execute(to_vote(start()), seat(start(), "seer"))
    assert [one.kind for one in pending(state)] == ["attack"]
    assert state.mode == "simultaneous"


def test_nobody_is_attacked_before_the_first_day() -> None:
    state = start()
    assert [one.kind for one in pending(state)] == ["divine"]
    assert not to_vote(state).eliminated


def test_a_power_that_is_not_used_is_used_by_the_lot_and_the_events_say_so() -> None:
    for faulty in (None, Skip()):
        state = start()
        seer = seat(state, "seer")
        state = answered(state, faulty)
        [seen] = [one for one in events_of(state, Announced) if one.topic == "vision"]
        assert seen.audience == (seer,)
        assert dict(seen.values)["drawn"] == "yes"
        assert dict(seen.values)["seat"] in set(state.started.seats) - {seer}
    state = execute(to_vote(start()), others(start(), "werewolf", "seer")[0])
    wolf = seat(state, "werewolf")
    state = answered(state, None)
    [attack] = [one for one in events_of(state, Announced) if one.topic == "attack"]
    assert attack.audience == (wolf,)
    assert state.eliminated[-1] == dict(attack.values)["seat"] != wolf
    assert attack in answered(execute(to_vote(start()), state.eliminated[0]), None).history


def test_the_seer_sees_the_possessed_as_a_human() -> None:
    state = start()
    for power, found in (("possessed", "human"), ("villager", "human"), ("werewolf", "werewolf")):
        seen = events_of(spend_night(state, "", seat(state, power)), Announced)[0]
        assert dict(seen.values) == {"seat": seat(state, power), "found": found}


def test_a_written_case_is_refused() -> None:
    for script in (case(), case(culprits=())):
        with pytest.raises(ScriptError, match=r"'harbour' has 5 roles.*makes its own script"):
            WEREWOLF5.start(script, WerewolfOptions(), 1)


def test_hostile_answers_end_every_match_and_the_record_gives_the_same_match() -> None:
    for seed in range(25):
        chance = Random(seed)
        values: dict[str, Any] = {"utterances": "together"} if seed % 2 else {}
        state = play(start(seed, talk_turns=3, greeting=True, **values),
                     lambda one, chance=chance: hostile(one, chance))  # fmt: skip
        assert state.ended is not None
        assert replay(state.script, state.history) == state
        assert all(event.requests for event in events_of(state, RequestsOpened))
        assert sum(isinstance(one, ActionAccepted) for one in state.history)


def test_the_game_is_registered() -> None:
    assert find_game("werewolf5") is WEREWOLF5
