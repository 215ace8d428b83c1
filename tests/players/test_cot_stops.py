"""A model whose replies end at a text of their own thinks in calls of their own."""

import asyncio
from dataclasses import dataclass, field, replace
from random import Random

from arena.core.actions import Speak
from arena.core.asking import asks
from arena.core.views import view
from arena.models.chat import Completion, Request
from arena.models.reply_format import truncate_at_stop
from arena.players.model_player import ModelPlayer
from arena.players.style import Style
from tests.players.fitting.stage import means
from tests.table import begin, setup

STOP = ("###",)
SECRET = "I did it, and must hide it."
SAID = "I was at home."


@dataclass(slots=True)
class Thinker:
    """Does as it is told: a thought where one is wanted, both where both are; ends at `STOP`."""

    ends: bool
    requests: list[Request] = field(default_factory=list[Request])

    async def complete(self, request: Request) -> Completion:
        self.requests.append(request)
        asked = request.messages[-1].text
        both = f"{SECRET}\n### RESPONSE: {SAID}"
        thought = request.call_id.kind == "thought"
        text = both if "### RESPONSE" in asked else SECRET if thought else SAID
        said = Completion(
            text=text, finish="stop", prompt_tokens=1, output_tokens=1, cached_tokens=0, seconds=0
        )
        return truncate_at_stop(said, STOP) if self.ends else said


def played(model: Thinker, style: Style) -> object:
    state = begin(setup())
    [ask, *_] = asks(state)
    wanted = replace(means(None), stop=STOP if model.ends else ())
    answer = asyncio.run(
        ModelPlayer(model, style, wanted).act(view(state, ask.seat), ask, Random())
    )
    return answer.action


def test_a_thought_is_never_said_aloud_where_a_reply_ends_before_its_response() -> None:
    for style in (Style(cot=True), Style(cot=True, cot_calls=1)):
        model = Thinker(ends=True)
        assert played(model, style) == Speak(text=SAID)
        assert [request.call_id.kind for request in model.requests] == ["thought", "answer"]
        assert not any("###" in m.text for request in model.requests for m in request.messages)


def test_other_models_think_and_speak_in_one_reply() -> None:
    model = Thinker(ends=False)
    assert played(model, Style(cot=True)) == Speak(text=SAID)
    assert len(model.requests) == 1
