"""A summary with all that may stay as it is: together they are never more than the room."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.core.observation import observe
from arena.core.state import pending
from arena.models.chat import Message, Request
from arena.models.function_model import FunctionModel
from arena.players.context.prompt_builder import PromptBuilder
from arena.players.model_limits import Overflow
from tests.arena.players.context.moments import middle
from tests.arena.players.context.stage import build, long_case, make_limits
from tests.table import case


def reply_at_length(request: Request) -> str:
    """Say as much as may be said."""
    return ("And so on. " * 400)[: 2 * request.max_tokens]


@pytest.mark.parametrize("overflow", ["summarise", "drop_oldest"])
def test_a_script_that_is_not_what_is_long_stays_whole(overflow: Overflow) -> None:
    script = replace(case(), opening="It was a dark night in the house by the lake. " * 90)
    state = middle(script, answers=20, rounds=4)
    [request] = pending(state)
    seen = observe(state, request.seat)
    limits = make_limits(1900, overflow=overflow, reply_tokens=400)
    builder = PromptBuilder(FunctionModel(reply_at_length), limits)
    prompt = build(builder, seen, request, usual_reply=400)
    found = {one.adjustment for one in prompt.adjustments}
    assert "log_reset" in found
    assert not found & {"script_summarised", "script_dropped"}
    assert any(seen.own.script in message.text for message in prompt.messages)


@pytest.mark.slow
@pytest.mark.parametrize("answers", [20, 40])
@pytest.mark.parametrize("picture_tokens", [600, 1000])
def test_a_summary_has_no_more_than_pictures_clues_and_talk_leave(
    picture_tokens: int, answers: int
) -> None:
    def count(messages: Sequence[Message]) -> int:
        # A message takes next to nothing, so that no sum of parts is kept too low by chance.
        shown = sum(m.picture is not None for m in messages)
        return picture_tokens * shown - (-sum(len(m.text) + 1 for m in messages) // 2)

    state = middle(long_case(100, clues=6), answers=answers, rounds=4)
    [request] = pending(state)
    seen = observe(state, request.seat)
    for total in range(2400, 4400, 20):
        limits = make_limits(total, overflow="summarise", count=count, reply_tokens=1000)
        prompt = build(PromptBuilder(FunctionModel(reply_at_length), limits), seen, request)
        assert count(prompt.messages) <= total - 64, prompt.adjustments
