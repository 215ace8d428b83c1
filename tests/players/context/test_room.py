"""A summary beside all that may stay as it is: together they are never more than the room."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from arena.core.asking import asks
from arena.core.options import Options
from arena.core.views import view
from arena.models.chat import Message, Request
from arena.models.function import FunctionModel
from arena.players.fitting.fitter import Fitter
from tests.players.fitting.stage import compose, long_case, means
from tests.table import begin, case, legal, play, setup


def said(request: Request) -> str:
    """Say as much as may be said."""
    return ("And so on. " * 400)[: 2 * request.max_tokens]


@pytest.mark.parametrize("overflow", ["summarise", "drop_oldest"])
def test_a_script_that_is_not_what_is_long_stays_whole(overflow: str) -> None:
    script = replace(case(), opening="It was a dark night in the house by the lake. " * 90)
    state = play(begin(setup(Options(rounds=4), script=script)), lambda ask: legal(ask, Random(4)),
                 asks_left=20)  # fmt: skip
    [ask] = asks(state)
    seen, wanted = view(state, ask.seat), means(1700, overflow=overflow, reply_tokens=400)
    prompt = compose(Fitter(FunctionModel(said), wanted), seen, ask, usual_reply=400)
    assert any(note.startswith("context overflow") for note in prompt.notes)
    assert not any("script" in note for note in prompt.notes)
    assert any(seen.script in message.text for message in prompt.messages)


@pytest.mark.parametrize("asks_left", [20, 40])
@pytest.mark.parametrize("picture_tokens", [600, 1000])
def test_a_summary_has_no_more_than_pictures_clues_and_talk_leave(
    picture_tokens: int, asks_left: int
) -> None:
    def count(messages: Sequence[Message]) -> int:
        # A message takes next to nothing, so that no sum of parts is kept too low by chance.
        shown = sum(m.picture is not None for m in messages)
        return picture_tokens * shown - (-sum(len(m.text) + 1 for m in messages) // 2)

    opened = begin(setup(Options(rounds=4), script=long_case(100, clues=6)))
    state = play(opened, lambda ask: legal(ask, Random(4)), asks_left=asks_left)
    [ask] = asks(state)
    for total in range(2000, 4000, 20):
        wanted = means(total, overflow="summarise", count=count, reply_tokens=1000)
        prompt = compose(Fitter(FunctionModel(said), wanted), view(state, ask.seat), ask)
        assert count(prompt.messages) <= total - 64, prompt.notes
