"""Prompts only grow, depend on no reply's time, and hold no secret of another seat."""

import json
from dataclasses import asdict, replace
from random import Random
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.actions import Reply, say
from arena.core.observation import observe
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.state import pending
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Message
from arena.players import prompts
from arena.players.prompt_log import Prompt
from scripts_mm.script import LANGUAGES
from tests.arena.players.context.stage import build, make_builder
from tests.arena.players.random_games import (
    RULES,
    TRUTH,
    answer_all,
    heard_secrets,
    talk,
)
from tests.table import (
    MURDERER,
    NAMES,
    act,
    begin,
    case,
    hostile,
    legal,
    secret,
    setup,
)


@pytest.mark.slow
@given(rules=RULES, seed=st.integers(0, 10**6), language=st.sampled_from(LANGUAGES))
def test_a_prompt_begins_with_the_prompt_and_reply_before(
    rules: WhodunitOptions, seed: int, language: Literal["en", "zh"]
) -> None:
    chance = Random(seed)
    state = begin(setup(rules, seed=seed, script=replace(case(), language=language)))
    builders = {name: make_builder() for name in NAMES}
    last: dict[str, tuple[int, list[tuple[Message, ...]]]] = {name: (-1, []) for name in NAMES}
    while requests := pending(state):
        done: list[tuple[DecisionRequest, Prompt, Message]] = []
        for request in requests:
            seen = observe(state, request.seat)
            instruction = prompts.instruction(seen, request)
            prompt = build(builders[request.seat], seen, request, instruction)
            assert prompt.messages[-1].text.endswith(instruction)
            reply = Message(role="assistant", text=f"reply to {request.id}")
            covered, before = last[request.seat]
            if covered < prompt.events_covered:
                assert not before or any(prompt.messages[: len(old)] == old for old in before)
                last[request.seat] = (prompt.events_covered, [])
            last[request.seat][1].append((*prompt.messages, reply))
            done.append((request, prompt, reply))
        chance.shuffle(done)
        for request, prompt, reply in done:
            builders[request.seat].append(prompt, (reply,))
        state = answer_all(state, requests, lambda request: hostile(request, chance))


def test_the_log_does_not_depend_on_when_replies_come() -> None:
    state = begin(setup(WhodunitOptions(answers="batched")))
    while (requests := pending(state))[0].id.count("/answer") == 0:
        state = answer_all(state, requests, lambda request: legal(request, Random(7)))
    seats = [request.seat for request in requests]
    busy = max(set(seats), key=seats.count)
    wave = [request for request in requests if request.seat == busy]
    assert len(wave) > 1, "the test needs a seat with two requests in one wave"
    later = answer_all(state, requests, lambda _: say("So."))
    [following] = [one for one in pending(later) if one.seat == busy] or [replace(wave[0], id="x")]

    def log_after(order: list[int]) -> tuple[Message, ...]:
        builder, seen = make_builder(), observe(state, busy)
        found = [build(builder, seen, one, prompts.instruction(seen, one)) for one in wave]
        for index in order:
            reply = Message(role="assistant", text=f"reply {index}")
            builder.append(found[index], (reply,))
        return build(builder, observe(later, busy), following).messages

    forward = list(range(len(wave)))
    assert log_after(forward) == log_after(forward[::-1])
    assert [m.role for m in log_after(forward)].count("assistant") == len(wave)


def test_a_seat_that_must_answer_again_in_a_wave_knows_no_more_than_before() -> None:
    state = begin(setup(WhodunitOptions(introductions="together")))
    first, *others = pending(state)
    before = observe(state, first.seat).events
    state = act(state, first, say(""))
    for other in others:
        state = act(state, other, say("HEARD"))
    [again] = pending(state)
    assert again.last_error is not None
    assert (again.seat, again.last_error.code) == (first.seat, "empty")
    assert observe(state, first.seat).events == before
    assert "HEARD" in str(observe(state, others[0].seat).events)


@pytest.mark.slow
@given(rules=RULES, seed=st.integers(0, 10**6))
def test_a_secret_reaches_no_other_observation_or_prompt_before_its_owner_says_it(
    rules: WhodunitOptions, seed: int
) -> None:
    chance, state = Random(seed), begin(setup(rules, seed=seed))
    builders = {name: make_builder() for name in NAMES}
    while requests := pending(state):
        known = heard_secrets(state)
        for request in requests:
            seen = observe(state, request.seat)
            instruction = prompts.instruction(seen, request)
            prompt = build(builders[request.seat], seen, request, instruction)
            builders[request.seat].append(prompt, (Message(role="assistant", text="So."),))
            foreign = {secret(name) for name in NAMES if name != request.seat} - known
            shown = json.dumps(asdict(seen)) + "".join(m.text for m in prompt.messages)
            assert not {marker for marker in (*foreign, *TRUTH) if marker in shown}
            if request.seat != NAMES[1] and rules.clues != "owner":
                assert "CLUE-OF-BRAM" not in shown
        state = answer_all(state, requests, lambda request: talk(request, chance))


@given(rules=RULES, seed=st.integers(0, 10**6))
def test_only_the_murderer_reads_that_it_is_the_murderer(rules: WhodunitOptions, seed: int) -> None:
    state = begin(setup(rules, seed=seed))
    headers = {name: prompts.header(observe(state, SeatId(name))) for name in NAMES}
    for name, (system, role) in headers.items():
        assert system == headers[NAMES[0]][0], "the rules are the same for all seats"
        assert ("You are the murderer" in role.text) == (name == MURDERER)
        assert ("Get away with it" in role.text) == (name == MURDERER)


def test_a_shortened_speech_is_remarked_on_once() -> None:
    state = begin(setup(WhodunitOptions(max_chars=20)))
    [request, *_] = pending(state)
    state = act(state, request, Reply(values=(("text", "x" * 50),)))
    seen = observe(state, request.seat)
    text = "\n".join(m.text for m in prompts.lines(seen, 0, len(seen.events)))
    assert text.count("Only the beginning of what you said was heard") == 1
    assert "xxx" not in text
