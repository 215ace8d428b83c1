"""However small the context and whatever is said: prompts fit, only grow, and hold no secret."""

from random import Random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.observation import Observation, observe
from arena.core.requests import DecisionRequest
from arena.core.state import pending
from arena.errors import ModelError
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Message, Request
from arena.models.function_model import FunctionModel
from arena.players import prompts
from arena.players.context.prompt_builder import PromptBuilder
from arena.players.model_limits import ModelLimits, Overflow, PictureMode
from arena.players.prompt_log import Prompt
from tests.arena.players.context.stage import (
    board,
    build,
    count,
    count_text,
    long_case,
    make_limits,
)
from tests.arena.players.random_games import (
    RULES,
    TRUTH,
    answer_all,
    heard_secrets,
    talk,
)
from tests.table import (
    NAMES,
    begin,
    secret,
    setup,
)

LIMITS = st.builds(
    make_limits,
    st.integers(1600, 6000),
    picture_mode=st.sampled_from(get_args(PictureMode)),
    overflow=st.sampled_from(get_args(Overflow)),
    compose=st.just(board),
    pictures=st.sampled_from([None, 1, 3]),
    reply_tokens=st.just(64),
    count_text=st.sampled_from([None, count_text]),
)


class Echo:
    """A model that says again what it was shown, all secrets included, and is asked what fits."""

    def __init__(self, most: int) -> None:
        self.requests: list[Request] = []
        self._most = most

    def __call__(self, request: Request) -> str:
        self.requests.append(request)
        assert count(request.messages) + request.max_tokens <= self._most, request.call_id
        return request.messages[-1].text[: 4 * request.max_tokens]


@pytest.mark.slow
@settings(max_examples=60)
@given(
    rules=RULES,
    seed=st.integers(0, 10**6),
    limits=LIMITS,
    characters=st.sampled_from([100, 3000, 9000]),
)
def test_prompts_fit_and_grow_and_hold_nothing_that_the_seat_may_not_know(
    rules: WhodunitOptions, seed: int, limits: ModelLimits, characters: int
) -> None:
    chance, most = Random(seed), limits.context_tokens or 0
    state = begin(setup(rules, seed=seed, script=long_case(characters)))
    models = {name: Echo(most) for name in NAMES}
    builders = {name: PromptBuilder(FunctionModel(models[name]), limits) for name in NAMES}
    last: dict[str, tuple[int, list[tuple[Message, ...]]]] = {name: (-1, []) for name in NAMES}
    while requests := pending(state):
        known = heard_secrets(state)
        done: list[tuple[str, Prompt, Message]] = []
        for request in requests:
            seat = request.seat
            prompt = build_or_none(builders[seat], observe(state, seat), request)
            if prompt is None:
                assert most < 2200, "in 2200 tokens there is room for rules, role and instruction"
                return
            assert count(prompt.messages) <= most - 64
            assert sum(m.picture is not None for m in prompt.messages) <= (limits.pictures or 100)
            covered, before = last[seat]
            if covered < prompt.events_covered:
                grown = any(prompt.messages[: len(old)] == old for old in before)
                assert grown or prompt.level or not before
                last[seat] = (prompt.events_covered, [])
            reply = Message(role="assistant", text=f"reply to {request.id}")
            last[seat][1].append((*prompt.messages, reply))
            done.append((seat, prompt, reply))
            asked = [prompt.messages, *(r.messages for r in models[seat].requests)]
            text = "\n".join(m.text for messages in asked for m in messages)
            foreign = {secret(name) for name in NAMES if name != seat} - known
            assert not {marker for marker in (*foreign, *TRUTH) if marker in text}
            if seat != NAMES[1] and rules.clues != "owner":
                assert "CLUE-OF-BRAM" not in text
        chance.shuffle(done)
        for name, prompt, reply in done:
            builders[name].append(prompt, (reply,))
        state = answer_all(state, requests, lambda request: talk(request, chance))


def build_or_none(
    builder: PromptBuilder, seen: Observation, request: DecisionRequest
) -> Prompt | None:
    """Return the prompt of a request; None where no prompt can be made."""
    try:
        return build(builder, seen, request, prompts.instruction(seen, request))
    except ModelError:
        return None
