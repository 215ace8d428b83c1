"""What was answered once is not asked again, and is not taken for something else."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ContextLengthError, EndpointUnavailableError, ModelError, RecordError
from arena.models.chat import CallId, ChatModel, Completion, Message, Request
from arena.models.function_model import FunctionModel
from arena.models.recording import RecordedCall, RecordedCalls, RecordingModel, ReplayingModel
from tests.arena.models.conversation import (
    PICTURE,
    SYSTEM,
    asked,
    run,
    talking,
)
from tests.fakes.openai_server import fake_server

Calls = dict[CallId, RecordedCall]


class Silent:
    """A model that nobody may ask."""

    async def complete(self, request: Request) -> Completion:
        raise AssertionError(request.call_id)


class Raising:
    def __init__(self, error: ModelError) -> None:
        self._error = error

    async def complete(self, request: Request) -> Completion:
        raise self._error


async def play_a_match(model: ChatModel) -> list[Completion | str]:
    """Let two seats answer ten asks each, in prompts that only grow."""
    said: list[Completion | str] = []
    for seat in ("Ada", "Ben"):
        messages: tuple[Message, ...] = (replace(SYSTEM, text=f"You are {seat}. " + SYSTEM.text),)
        for ask in range(10):
            picture = PICTURE if ask == 4 else None
            messages = (*messages, Message(role="user", text=f"question {ask}", picture=picture))
            request = Request(
                call_id=CallId(seat=seat, request=str(ask)),
                messages=messages,
                max_tokens=50,
                temperature=0.5,
            )
            try:
                completion = await model.complete(request)
            except ContextLengthError as error:
                said.append(str(error))
                break
            said.append(completion)
            messages = (*messages, Message(role="assistant", text=completion.text))
    return said


@pytest.mark.parametrize("context", [300, 32768], ids=["overflow", "whole-match"])
def test_a_match_that_is_played_from_its_record_is_the_same_match(context: int) -> None:
    async def play() -> None:
        calls: Calls = {}

        def keep(call: RecordedCall) -> None:
            calls[call.request.call_id] = call

        async with fake_server(context=context) as server, talking(server) as (_, chat):
            first = await play_a_match(RecordingModel(chat, save=keep))
        assert isinstance(first[-1], str) == (context == 300)
        assert await play_a_match(ReplayingModel(Silent(), calls=RecordedCalls(calls))) == first

    run(play)


@given(lost=st.integers(0, 20))
def test_only_what_is_missing_is_asked(lost: int) -> None:
    calls: Calls = {}
    model = FunctionModel(lambda request: f"{request.call_id.request} of {len(request.messages)}")

    def keep(call: RecordedCall) -> None:
        calls[call.request.call_id] = call

    async def play() -> None:
        first = await play_a_match(RecordingModel(model, save=keep))
        kept = dict(list(calls.items())[: 20 - lost])
        again: list[RecordedCall] = []
        second = await play_a_match(
            ReplayingModel(RecordingModel(model, save=again.append), calls=RecordedCalls(kept))
        )
        assert second == first
        assert len(again) == lost

    asyncio.run(play())


def test_a_call_is_kept_before_it_is_used() -> None:
    def full(call: RecordedCall) -> None:
        raise RecordError("the disk is full")

    with pytest.raises(RecordError, match="full"):
        asyncio.run(RecordingModel(FunctionModel(lambda request: "x"), save=full).complete(asked()))


def test_a_prompt_that_was_too_long_is_kept_and_raised_again_without_a_model() -> None:
    calls: list[RecordedCall] = []
    recorded = RecordingModel(Raising(ContextLengthError("too long by 7")), save=calls.append)
    with pytest.raises(ContextLengthError, match="too long by 7"):
        asyncio.run(recorded.complete(asked()))
    assert calls == [RecordedCall(request=asked(), error="too long by 7")]
    recalled = ReplayingModel(Silent(), calls=RecordedCalls({asked().call_id: calls[0]}))
    with pytest.raises(ContextLengthError, match="too long by 7"):
        asyncio.run(recalled.complete(asked()))


@pytest.mark.parametrize("error", [EndpointUnavailableError("away"), ModelError("refused")])
def test_a_failure_that_may_end_otherwise_is_not_kept(error: ModelError) -> None:
    calls: list[RecordedCall] = []
    with pytest.raises(type(error)):
        asyncio.run(RecordingModel(Raising(error), save=calls.append).complete(asked()))
    assert calls == []


def test_a_call_ended_in_one_way() -> None:
    with pytest.raises(ValueError, match="needs a completion or an error"):
        RecordedCall(request=asked())


OTHERS = {
    "text": asked("Who was it?"),
    "picture": asked(picture=PICTURE),
    "shorter": replace(asked(), messages=asked().messages[:1]),
    "longer": replace(asked(), messages=(*asked().messages, SYSTEM)),
    "role": replace(asked(), messages=(SYSTEM, replace(asked().messages[1], role="assistant"))),
    "beginning": replace(asked(), messages=(replace(SYSTEM, text="x"), asked().messages[1])),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_a_record_of_another_run_is_refused(other: Request) -> None:
    completion = asyncio.run(FunctionModel(lambda request: "x").complete(asked()))
    calls = {asked().call_id: RecordedCall(request=asked(), completion=completion)}
    recalled = ReplayingModel(Silent(), calls=RecordedCalls(calls))
    with pytest.raises(RecordError, match="the record does not fit: seat 'Ada' sends"):
        asyncio.run(recalled.complete(other))


def test_a_record_that_lost_a_message_is_refused() -> None:
    completion = asyncio.run(FunctionModel(lambda request: "x").complete(asked()))
    torn = replace(asked(), messages=asked().messages[1:])
    calls = {torn.call_id: RecordedCall(request=torn, completion=completion)}
    recalled = ReplayingModel(Silent(), calls=RecordedCalls(calls))
    with pytest.raises(RecordError, match="does not fit"):
        asyncio.run(recalled.complete(asked()))


def test_a_picture_is_the_same_picture_under_another_file_name() -> None:
    completion = asyncio.run(FunctionModel(lambda request: "x").complete(asked()))
    kept = asked(picture=replace(PICTURE, file="other.png", width=1))
    calls = {kept.call_id: RecordedCall(request=kept, completion=completion)}
    recalled = ReplayingModel(Silent(), calls=RecordedCalls(calls))
    assert asyncio.run(recalled.complete(asked(picture=PICTURE))) == completion
