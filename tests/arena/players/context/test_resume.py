"""A resumed match: prompt logs come back from recorded calls, wherever the match stopped."""

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest

from arena.core.actions import Reply
from arena.core.events import ActionAccepted, ActionRejected
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Completion, Message, Request
from arena.players.model_limits import ModelLimits, Overflow, PictureMode
from arena.players.prompting import PromptingOptions
from tests.arena.players.context.moments import text_of
from tests.arena.players.context.stage import (
    SmallModel,
    board,
    count,
    make_limits,
    play,
    resume,
)
from tests.table import NAMES

pytestmark = pytest.mark.slow

WAYS = [(mode, policy) for mode in get_args(PictureMode) for policy in get_args(Overflow)]
every_way = pytest.mark.parametrize(("mode", "policy"), WAYS)
RULES = WhodunitOptions(rounds=2, answers="batched")
COT = PromptingOptions(thought=True)


class Silent(SmallModel):
    """A model that nobody may ask."""

    async def complete(self, request: Request) -> Completion:
        raise AssertionError(request.call_id)


class Unruly(SmallModel):
    """A model whose first attempts often cannot be read."""

    async def complete(self, request: Request) -> Completion:
        completion = await super().complete(request)
        spoiled = request.call_id.attempt == 1 and len(completion.text) % 2
        if request.call_id.is_auxiliary or not spoiled:
            return completion
        return replace(completion, text="Hm.")


def too_few(messages: Sequence[Message]) -> int:
    return count(messages) - 40


def limits_of(mode: PictureMode, policy: Overflow) -> ModelLimits:
    return make_limits(picture_mode=mode, overflow=policy, compose=board, count=too_few)


@every_way
def test_a_match_is_the_same_again_from_any_part_of_its_record(
    mode: PictureMode, policy: Overflow
) -> None:
    limits = limits_of(mode, policy)
    whole = play(COT, limits, rules=RULES, model=Unruly())
    assert any(isinstance(event, ActionRejected) for event in whole.events)
    total = 1 + len(whole.events)
    for kept in (2, total // 3, total // 2, total - 4):
        again = resume(whole, kept, COT, limits, model=Silent())
        assert again.events == whole.events


@every_way
def test_calls_that_were_not_recorded_are_made_again(mode: PictureMode, policy: Overflow) -> None:
    limits = limits_of(mode, policy)
    whole = play(COT, limits, rules=RULES)
    total = 1 + len(whole.events)
    part = resume(whole, total // 2, COT, limits, calls=dict(whole.calls))
    asked = {call.request.call_id for call in whole.order[: len(whole.order) // 2]}
    calls = {key: call for key, call in whole.calls.items() if key in asked}
    started = resume(whole, 2, COT, limits, calls=calls)
    assert part.events == started.events == whole.events
    assert len(started.order) == len(whole.order) - len(calls)


@pytest.mark.parametrize("policy", get_args(Overflow))
def test_words_that_another_player_said_for_the_seat_are_lines_of_its_log(
    policy: Overflow,
) -> None:
    limits, direct = make_limits(1 << 20, overflow=policy), PromptingOptions()
    whole = play(direct, limits, model=SmallModel(context=1 << 20))
    kept, foreign = 2 * len(whole.events) // 3, NAMES[0]
    past = [event for event in whole.events[: kept - 1] if isinstance(event, ActionAccepted)]
    known = {event.request for event in past if event.seat != foreign}
    calls = {key: call for key, call in whole.calls.items() if key.request in known}
    again = resume(whole, kept, direct, limits, model=SmallModel(context=1 << 20), calls=calls)
    assert again.events[: kept - 1] == whole.events[: kept - 1]
    asked = [call.request for call in again.order]
    first = next(request for request in asked if request.call_id.seat == foreign)
    text = text_of(first.messages)
    assert all(message.role != "assistant" for message in first.messages)
    spoken = [event.action for event in past if event.seat == foreign]
    assert spoken
    for action in spoken:
        assert isinstance(action, Reply)
        assert f": “{action.values[0][1]}”" in text
    assert "You: “" in text
    assert "You ask " in text
    others = [request.messages for request in asked if request.call_id.seat != foreign]
    assert not any("You: “" in text_of(messages) for messages in others)
