"""Steps of a method: corrected, noted when they fail, together or in turn, never in the log."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from arena.core.actions import Action, Reply, say
from arena.core.events import TurnNoted
from arena.core.observation import Observation, observe
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice
from arena.core.state import pending
from arena.models.chat import Completion, Request
from arena.players.methods.method_player import Method, MethodPlayer
from arena.players.methods.method_steps import STEP_FAILED, MethodStep, Turn
from arena.players.prompting import PromptingOptions
from tests.arena.players.context.stage import make_limits
from tests.table import act, begin, setup

YES_NO = Choice(options=("Yes", "No"))
STEPS = tuple(MethodStep(name=name, instruction=f"Q-{name}?", spec=YES_NO) for name in "abc")


@dataclass
class Model:
    """Answers by a function; counts how many calls wait at the same time."""

    reply: Callable[[Request], str]
    delay: Callable[[Request], float] = lambda _: 0.0
    requests: list[Request] = field(default_factory=list[Request])
    waiting: int = 0
    most: int = 0

    async def complete(self, request: Request) -> Completion:
        """Return the function's text after its delay."""
        self.requests.append(request)
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        await asyncio.sleep(self.delay(request))
        self.waiting -= 1
        return Completion(
            text=self.reply(request),
            finish="stop",
            prompt_tokens=1,
            output_tokens=1,
            cached_tokens=0,
            seconds=0,
        )


class Asker(MethodPlayer):
    """Asks three steps at once, then speaks."""

    found: tuple[Reply | None, ...] = ()

    def method(self, observation: Observation, request: DecisionRequest) -> Method:
        """Return the one method."""
        return self._speak

    async def _speak(self, turn: Turn) -> Action:
        self.found = tuple(await turn.ask_all(STEPS))
        turn.note("rule", name="last")
        return await self.reply(turn)


def play(
    model: Model, options: PromptingOptions | None = None
) -> tuple[Asker, tuple[TurnNoted, ...]]:
    """Let a player answer the first request; return it, and what it noted."""
    player = Asker(model, options or PromptingOptions(), make_limits(None))
    state = begin(setup())
    request = pending(state)[0]
    answer = asyncio.run(player.act(observe(state, request.seat), request, Random(1)))
    assert answer.action == say("I was at home.")
    return player, tuple(one for one in answer.reports if isinstance(one, TurnNoted))


def yes(request: Request) -> str:
    return "Yes" if request.call_id.kind == "step" else "I was at home."


def test_a_step_is_answered_under_its_constraint_and_is_not_heard() -> None:
    model = Model(yes)
    player, notes = play(model)
    assert [one and one.values for one in player.found] == [(("choice", "Yes"),)] * 3
    steps = [one for one in model.requests if one.call_id.kind == "step"]
    assert [one.call_id.chunk for one in steps] == ["a", "b", "c"]
    assert all(one.constraint is not None for one in steps)
    assert [note.topic for note in notes] == ["rule"]
    reply = model.requests[-1]
    assert reply.call_id.kind == "reply"
    assert not any("Q-a?" in message.text for message in reply.messages)


def test_all_steps_of_a_turn_begin_as_its_reply_does() -> None:
    model = Model(yes)
    play(model)
    first = model.requests[0].messages
    for request in model.requests:
        assert request.messages[:2] == first[:2]
        assert len(request.messages) == len(first)


@pytest.mark.parametrize(("together", "most"), [(True, 3), (False, 1)])
def test_steps_go_out_together_unless_the_option_says_no(together: bool, most: int) -> None:
    model = Model(yes, delay=lambda _: 0.001)
    play(model, PromptingOptions(together=together))
    assert model.most == most


def test_a_wrong_answer_is_asked_again_with_what_was_wrong() -> None:
    def reply(request: Request) -> str:
        is_first = request.call_id.kind == "step" and request.call_id.attempt == 1
        return "Perhaps" if is_first else yes(request)

    model = Model(reply)
    player, notes = play(model)
    assert all(player.found)
    again = [one for one in model.requests if one.call_id.attempt == 2]
    assert len(again) == 3
    assert all("Perhaps" in one.messages[-1].text for one in again)
    assert [note.topic for note in notes] == ["rule"]


def test_a_step_without_a_legal_answer_has_no_result_and_is_noted() -> None:
    model = Model(lambda one: "?" if one.call_id.chunk == "b" else yes(one))
    player, notes = play(model)
    assert [one is None for one in player.found] == [False, True, False]
    assert (notes[0].topic, notes[0].values) == (STEP_FAILED, (("step", "b"),))
    assert sum(one.call_id.chunk == "b" for one in model.requests) == 3


def test_notes_do_not_depend_on_the_order_in_which_steps_end() -> None:
    orders = ({"a": 0.004, "b": 0.002, "c": 0.0}, {"a": 0.0, "b": 0.002, "c": 0.004})
    found = [
        play(
            Model(
                lambda one: "?" if one.call_id.kind == "step" else yes(one),
                delay=lambda one, d=delays: d.get(one.call_id.chunk, 0.0),
            )
        )[1]
        for delays in orders
    ]
    assert found[0] == found[1]
    assert [dict(note.values).get("step") for note in found[0]] == ["a", "b", "c", None]


def test_a_corrected_answer_asks_no_step_again() -> None:
    texts = iter(["", "I was at home."])
    model = Model(lambda one: "Yes" if one.call_id.kind == "step" else next(texts))
    player = Asker(model, PromptingOptions(), make_limits(None))
    state = begin(setup())
    request = pending(state)[0]
    first = asyncio.run(player.act(observe(state, request.seat), request, Random(1)))
    state = act(state, request, first.action)
    again = pending(state)[0]
    assert again.last_error is not None
    asyncio.run(player.act(observe(state, again.seat), again, Random(1)))
    assert sum(one.call_id.kind == "step" for one in model.requests) == 3
