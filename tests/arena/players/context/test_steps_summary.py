"""Where the log is summarised, all steps of a turn and its reply have the same summary."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.players.methods.method_player import Method, MethodPlayer
from arena.players.methods.method_steps import MethodStep, Turn
from arena.players.methods.recall import keep_events
from arena.players.player import Answer
from arena.players.prompting import PromptingOptions
from tests.arena.players.context.moments import late_moment
from tests.arena.players.context.stage import SmallModel, make_limits

CONTEXT = 2200
SHORT = tuple(MethodStep(name=name, instruction=f"Q-{name}?", tokens=16) for name in "abc")


class Asker(MethodPlayer):
    """Asks its steps, then speaks."""

    steps: Sequence[MethodStep] = SHORT
    seen: Observation | None = None

    def method(self, observation: Observation, request: DecisionRequest) -> Method:
        """Return the one method."""
        return self._speak

    async def _speak(self, turn: Turn) -> Action:
        await turn.ask_all(self.steps)
        return await self.reply(turn, seen=self.seen)


def asker(model: SmallModel, *, together: bool = True, context: int | None = CONTEXT) -> Asker:
    """Return a player with a small context, which it knows unless `context` is None."""
    limits = make_limits(context, overflow="summarise", reply_tokens=256)
    return Asker(model, PromptingOptions(reply_tokens=256, together=together), limits)


def answer(player: Asker, seen: Observation, request: DecisionRequest) -> Answer:
    return asyncio.run(player.act(seen, request, Random(1)))


def summaries(model: SmallModel) -> set[str]:
    """Return the names of the summaries that the model wrote; no part of any is written twice."""
    ids = [one.call_id for one in model.requests if one.call_id.kind == "summary"]
    assert len(set(ids)) == len(ids)
    return {one.chunk.rpartition("/")[0].rpartition("/")[0] or one.request for one in ids}


def common(model: SmallModel) -> str:
    """Return how all prompts of a turn begin."""
    texts = [
        "\n\n".join(message.text for message in one.messages)
        for one in model.requests
        if one.call_id.kind != "summary"
    ]
    return next(texts[0][:n] for n in range(len(texts[0]), 0, -1) if is_start(texts, n))


def is_start(texts: Sequence[str], length: int) -> bool:
    return all(text[:length] == texts[0][:length] for text in texts)


@pytest.mark.parametrize("together", [True, False])
def test_a_turn_pays_for_one_summary_whatever_it_asks(together: bool) -> None:
    seen, request = late_moment()
    model, plain = SmallModel(context=CONTEXT), SmallModel(context=CONTEXT)
    alone = asker(plain)
    alone.steps = ()
    answer(alone, seen, request)
    answered = answer(asker(model, together=together), seen, request)
    assert len(summaries(model)) == len(summaries(plain)) == 1
    assert [one.call_id.kind for one in model.requests].count("step") == len(SHORT)
    assert "Summary" in common(model), "steps and reply have it in the prefix that they share"
    kinds = [getattr(one, "adjustment", "") for one in answered.reports]
    assert kinds.count("log_summarised") == 1


def test_a_corrected_answer_asks_for_no_summary_again() -> None:
    seen, request = late_moment()
    model = SmallModel(context=CONTEXT)
    player = asker(model)
    answer(player, seen, request)
    answer(player, seen, replace(request, attempts_left=request.attempts_left - 1))
    assert len(summaries(model)) == 1


def test_a_long_step_has_fewer_lines_of_the_log_and_no_summary_of_its_own() -> None:
    seen, request = late_moment()
    model = SmallModel(context=CONTEXT)
    player = asker(model)
    player.steps = (*SHORT, MethodStep(name="long", instruction="Is this so? " * 180, tokens=16))
    answer(player, seen, request)
    assert len(summaries(model)) == 1
    sizes = {one.call_id.chunk: len(str(one.messages)) for one in model.requests}
    assert sizes["long"] < sizes["a"] + len("Is this so? " * 180)
    assert not model.refused


def test_steps_that_the_server_refuses_share_a_summary_too() -> None:
    seen, request = late_moment()
    model = SmallModel(context=CONTEXT)
    answer(asker(model, context=None), seen, request)
    assert model.refused, "only its refusals show how much the server takes"
    one = SmallModel(context=CONTEXT)
    player = asker(one, context=None)
    player.steps = SHORT[:1]
    answer(player, seen, request)
    assert summaries(model) == summaries(one)


def test_a_part_of_the_log_has_a_summary_of_its_own() -> None:
    seen, request = late_moment()
    model = SmallModel(context=CONTEXT)
    player = asker(model)
    most = keep_events(seen, range(len(seen.events) - 1))
    player.steps = tuple(replace(one, seen=most) for one in SHORT)
    player.seen = most
    answer(player, seen, request)
    assert len(summaries(model)) == 1
    fewer = replace(SHORT[0], name="d", seen=keep_events(seen, range(len(seen.events) - 3)))
    player.steps = (fewer,)
    answer(player, seen, request)
    assert len(summaries(model)) == 2
