"""A model at a seat: what it is asked, what is heard of its reply, and what its log keeps."""

import asyncio
import json
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from arena.core.actions import Action, Reply, choose, say
from arena.core.observation import observe
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice
from arena.core.state import MatchState, pending
from arena.errors import ContextLengthError, UnanswerableError
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Completion, Request
from arena.players.model_player import ModelPlayer
from arena.players.prompting import PromptingOptions
from scripts_mm.script import Language
from tests.arena.games.whodunit.scenes import start, until
from tests.arena.players.context.moments import text_of
from tests.arena.players.context.stage import make_limits
from tests.table import (
    act,
    begin,
    case,
    setup,
)

SECRET = "I killed him; I must hide it."
SPEECH = "I was at home."
COT = PromptingOptions(thought=True)


@dataclass(slots=True)
class Scripted:
    """Gives these replies in turn."""

    replies: list[str]
    requests: list[Request] = field(default_factory=list[Request])

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        return Completion(
            text=self.replies[len(self.requests) - 1],
            finish="stop",
            prompt_tokens=1,
            output_tokens=1,
            cached_tokens=0,
            seconds=0,
        )


def player_of(model: Scripted, options: PromptingOptions) -> ModelPlayer:
    return ModelPlayer(model, options, make_limits(None))


def answer(
    player: ModelPlayer, state: MatchState, request: DecisionRequest | None = None
) -> Action:
    request = request or pending(state)[0]
    seen = observe(state, request.seat)
    return asyncio.run(player.act(seen, request, Random())).action


def begin_in(language: Language) -> MatchState:
    return begin(setup(WhodunitOptions(), script=replace(case(), language=language)))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "thought", [SECRET, f"RESPONSE: {SECRET}", f"发言：{SECRET}", "<think>Hm."]
)
def test_a_thought_has_a_call_of_its_own_and_is_never_heard(
    thought: str, language: Language
) -> None:
    model, state = Scripted([thought, SPEECH]), begin_in(language)
    assert answer(player_of(model, COT), state) == say(SPEECH)
    first, reply = model.requests
    assert [call.call_id.kind for call in (first, reply)] == ["thought", "reply"]
    assert reply.messages[: len(first.messages)] == first.messages
    said, now = reply.messages[len(first.messages) :]
    assert said.text == thought
    assert ("no thoughts" if language == "en" else "不要写出思考") in now.text


def test_a_request_with_options_is_a_thought_and_then_a_constrained_choice() -> None:
    state = until(start(), "vote")
    request = pending(state)[0]
    assert isinstance(request.spec, Choice)
    model = Scripted([SECRET, request.spec.options[1]])
    assert answer(player_of(model, COT), state) == choose(request.spec.options[1])
    thought, reply = model.requests
    assert (thought.constraint, reply.constraint is None) == (None, False)
    assert (thought.temperature, reply.temperature) == (0.7, 0.0)
    assert reply.max_tokens < 100 < thought.max_tokens
    assert reply.messages[: len(thought.messages)] == thought.messages


def test_without_cot_a_choice_is_one_constrained_call_at_temperature_0() -> None:
    state = until(start(), "vote")
    model = Scripted(["abstain"])
    assert answer(player_of(model, PromptingOptions()), state) == choose("abstain")
    assert model.requests[0].temperature == 0.0
    assert model.requests[0].constraint is not None


def test_a_chinese_abstention_is_an_abstention() -> None:
    state = until(start(script=replace(case(), language="zh")), "vote")
    model = Scripted(["弃权"])
    assert answer(player_of(model, PromptingOptions()), state) == choose("abstain")
    assert "弃权" in str(model.requests[0].constraint)
    assert "abstain" not in text_of(model.requests[0].messages)


def test_a_form_is_one_constrained_call() -> None:
    state = until(start(), "share_and_ask")
    values = {"share": "I saw light.", "target": "Cleo Marsh", "question": "And you?"}
    model = Scripted([json.dumps(values)])
    action = answer(player_of(model, PromptingOptions()), state)
    assert action == Reply(values=tuple(values.items()))
    assert model.requests[0].temperature == 0.7


@pytest.mark.parametrize("keep", [True, False])
def test_thoughts_stay_in_the_log_if_they_are_kept(keep: bool) -> None:
    state = begin(setup())
    request = pending(state)[0]
    model = Scripted([SECRET, SPEECH, SECRET, SPEECH])
    player = player_of(model, replace(COT, keep_thought=keep))
    state = act(state, request, answer(player, state))
    answer(player, state, replace(request, id="later"))
    later = text_of(model.requests[2].messages)
    assert SPEECH in later
    assert (SECRET in later) == keep


def test_probes_leave_no_trace_in_the_log() -> None:
    state = begin(setup())
    request = pending(state)[0]
    probe = replace(
        request, id="probe/1", phase="probe", spec=Choice(options=("A", "B")), off_path=True
    )
    model = Scripted(["A", SPEECH])
    player = player_of(model, PromptingOptions())
    assert answer(player, state, probe) == choose("A")
    answer(player, state, request)
    assert [m.role for m in model.requests[1].messages].count("assistant") == 0


def test_a_reply_keeps_its_tokens_in_later_prompts() -> None:
    class WithIds(Scripted):
        async def complete(self, request: Request) -> Completion:
            return replace(await super().complete(request), ids=(1, 2, 3))

    state = begin(setup())
    request = pending(state)[0]
    model = WithIds([SPEECH, SPEECH])
    player = player_of(model, PromptingOptions())
    state = act(state, request, answer(player, state))
    answer(player, state, replace(request, id="later"))
    [reply] = [m for m in model.requests[1].messages if m.role == "assistant"]
    assert reply.ids == (1, 2, 3)


class _Short:
    """Refuses every prompt as too long."""

    async def complete(self, request: Request) -> Completion:
        raise ContextLengthError(f"{len(request.messages)} messages are too many")


def test_a_request_of_which_no_prompt_fits_is_unanswerable_and_remembered_as_unanswered() -> None:
    state = begin(setup())
    request = replace(pending(state)[0], off_path=True)
    seen = observe(state, request.seat)
    player = ModelPlayer(_Short(), PromptingOptions(), make_limits(None))
    with pytest.raises(UnanswerableError, match="prompt does not fit"):
        asyncio.run(player.act(seen, request, Random()))
    asyncio.run(player.restore(seen, request, Random(), accepted=None))
