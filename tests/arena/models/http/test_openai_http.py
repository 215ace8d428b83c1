"""The real client on a fake wire."""

import asyncio
import gc
import json
import warnings
from base64 import b64encode

import pytest

from arena.errors import (
    ContextLengthError,
    EndpointUnavailableError,
    ModelError,
    UnanswerableError,
)
from arena.models.chat import Completion, Message, Request
from arena.models.http.http_errors import ServerBusyError
from arena.models.retrying import RetryingModel, exponential_backoff
from tests.arena.models.conversation import (
    CHOICE,
    FORM,
    PICTURE,
    PNG,
    SYSTEM,
    asked,
    run,
    talking,
)
from tests.fakes.faults import ContextWords, Faults
from tests.fakes.openai_server import FakeServer, fake_server


async def complete(server: FakeServer, request: Request) -> Completion:
    async with talking(server) as (_, chat):
        return await chat.complete(request)


def test_a_question_goes_out_and_the_reply_comes_back_with_its_cost() -> None:
    async def play() -> None:
        async with fake_server() as server:
            completion = await complete(server, asked())
            assert completion.text.endswith(".")
            assert completion.finish == "stop"
            assert completion.model == "fake-vl"
            assert completion.prompt_tokens > 80
            assert completion.output_tokens == -(-len(completion.text) // 4)
            assert completion.cached_tokens == 0
            assert completion.seconds > 0
            assert completion.retries == 0
            (body,) = server.bodies
            assert body["model"] == "fake-vl"
            assert body["temperature"] == 0.7
            assert body["max_tokens"] == 100
            assert body.keys() == {"model", "messages", "temperature", "max_tokens"}

    run(play)


def test_text_alone_is_sent_as_a_string_and_a_picture_follows_its_text_as_a_part() -> None:
    async def play() -> None:
        async with fake_server() as server:
            await complete(server, asked("信里写了什么？", picture=PICTURE))
            system, user = server.bodies[0]["messages"]
            assert system == {"role": "system", "content": SYSTEM.text}
            url = f"data:image/png;base64,{b64encode(PNG).decode()}"
            assert user["content"] == [
                {"type": "text", "text": "信里写了什么？"},
                {"type": "image_url", "image_url": {"url": url}, "uuid": PICTURE.sha256},
            ]

    run(play)


def test_a_choice_and_a_form_are_kept_to_by_the_server() -> None:
    async def play() -> None:
        async with fake_server() as server:
            choice = await complete(server, asked(constraint=CHOICE))
            assert choice.text in CHOICE.options
            form = json.loads((await complete(server, asked(constraint=FORM))).text)
            assert list(form) == ["target", "question", "thought"]
            assert form["target"] in ("Ben", "Cleo")
            assert 0 < len(form["question"]) <= 20

    run(play)


def test_a_prompt_that_grows_is_answered_from_the_cache() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (_, chat):
            first = asked()
            reply = await chat.complete(first)
            more = Message(role="assistant", text=reply.text), Message(role="user", text="Why?")
            second = Request(
                call_id=first.call_id,
                messages=(*first.messages, *more),
                max_tokens=9,
                temperature=0,
            )
            completion = await chat.complete(second)
            assert completion.cached_tokens == (first_tokens(reply) // 16) * 16
            assert completion.finish == "length"

    def first_tokens(reply: Completion) -> int:
        return reply.prompt_tokens + reply.output_tokens - 1

    run(play)


def test_half_a_character_from_a_terminal_does_not_end_the_match() -> None:
    async def play() -> None:
        async with fake_server() as server:
            await complete(server, asked("who \ud800?"))
            assert server.bodies[0]["messages"][1]["content"] == "who ??"

    run(play)


def test_a_deadline_closes_the_request_and_the_server_stops_working_on_it() -> None:
    async def play() -> None:
        async with (
            fake_server(faults=Faults(seconds=30)) as server,
            talking(server) as (_, chat),
        ):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await chat.complete(asked())
            async with asyncio.timeout(5):
                await server.dropped.wait()
            server.faults.seconds = 0
            assert (await chat.complete(asked())).text
            assert server.aborted == 1
            assert server.busy == 0

    run(play)


def test_fifty_requests_are_in_flight_at_once_and_nothing_is_left_open() -> None:
    async def play() -> None:
        async with (
            fake_server(faults=Faults(seconds=0.2)) as server,
            talking(server, concurrency=50) as (_, chat),
        ):
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(chat.complete(asked(f"question {number}")))
                    for number in range(50)
                ]
            assert len({task.result().text for task in tasks}) > 1
            assert server.most_busy == 50

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(play)
        gc.collect()


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_a_busy_or_broken_server_may_be_asked_again(status: int) -> None:
    async def play() -> None:
        faults = Faults(failing=1, status=status, retry_after="2.5")
        async with fake_server(faults=faults) as server:
            with pytest.raises(ServerBusyError, match=f"answered {status}: the engine") as caught:
                await complete(server, asked())
            assert caught.value.retry_after == 2.5

    run(play)


def test_a_closed_connection_and_a_dead_server_are_down() -> None:
    async def play() -> None:
        async with fake_server(faults=Faults(closing=1)) as server, talking(server) as (_, chat):
            with pytest.raises(EndpointUnavailableError, match="closed the connection"):
                await chat.complete(asked())
            server.faults.die_after = 0
            with pytest.raises(EndpointUnavailableError, match="closed the connection"):
                await chat.complete(asked())
            with pytest.raises(EndpointUnavailableError, match="connection refused"):
                await chat.complete(asked())

    run(play)


@pytest.mark.parametrize(
    ("status", "words", "kind"),
    [
        (400, r"the request to model 'fake-vl' \(400\): at most 0 images", UnanswerableError),
        (422, r"will not serve the request to model 'fake-vl' \(422\)", UnanswerableError),
        (401, r"got none \(401\); name its key in ARENA_ENDPOINTS", ModelError),
        (402, r"will not serve the request to model 'fake-vl' \(402\)", ModelError),
        (403, r"requires a key, but got none \(403\)", ModelError),
        (404, r"does not serve model 'fake-vl' at /v1/chat/completions \(404\)", ModelError),
        (301, r"\(301\)", ModelError),
    ],
)
def test_a_refusal_says_what_to_mend_and_is_not_worth_asking_again(
    status: int, words: str, kind: type[ModelError]
) -> None:
    async def play() -> None:
        faults = Faults(failing=1, status=status, words="at most 0 images\x1b[31m")
        async with fake_server(faults=faults) as server:
            with pytest.raises(ModelError, match=words) as caught:
                await complete(server, asked())
            assert type(caught.value) is kind
            assert "\x1b" not in str(caught.value)
            assert len(server.bodies) == 1

    run(play)


def test_a_long_message_of_the_server_is_quoted_in_part() -> None:
    async def play() -> None:
        async with fake_server(faults=Faults(failing=1, status=400, words="w" * 999)) as server:
            with pytest.raises(ModelError) as caught:
                await complete(server, asked())
            assert 190 < str(caught.value).count("w") < 210

    run(play)


def test_what_is_no_completion_is_an_error_that_shows_it() -> None:
    async def play() -> None:
        async with fake_server(faults=Faults(garbage=1)) as server:
            with pytest.raises(
                ModelError, match=r"chat completion, but sent .<html>a proxy's page"
            ):
                await complete(server, asked())

    run(play)


def test_a_server_that_ignores_the_constraint_is_left_to_the_rules() -> None:
    async def play() -> None:
        async with fake_server(faults=Faults(unconstrained=True)) as server:
            assert (await complete(server, asked(constraint=CHOICE))).text not in CHOICE.options

    run(play)


@pytest.mark.parametrize("words", ["vllm", "vllm-0.11", "at-least", "openai"])
@pytest.mark.parametrize("context", [20, 90])
def test_a_prompt_that_fills_the_context_is_told_apart(words: ContextWords, context: int) -> None:
    async def play() -> None:
        async with fake_server(context=context, context_words=words) as server:
            with pytest.raises(ContextLengthError, match="does not fit the context of 'fake-vl'"):
                await complete(server, asked())

    assert run(tokens_of_the_prompt) == 90
    run(play)


async def tokens_of_the_prompt() -> int:
    async with fake_server() as server:
        return (await complete(server, asked())).prompt_tokens


@pytest.mark.parametrize("words", ["vllm", "vllm-0.11", "at-least", "openai"])
def test_more_tokens_than_the_prompt_leaves_room_for_are_not_asked_for(words: ContextWords) -> None:
    async def play() -> None:
        async with fake_server(context=124, context_words=words) as server:
            completion = await complete(server, asked(max_tokens=500))
            assert completion.text
            assert server.bodies[0]["max_tokens"] == 124
            assert len(server.bodies) <= 3

    run(play)


def test_a_token_limit_above_a_context_that_nobody_told_is_lowered() -> None:
    async def play() -> None:
        async with fake_server(context=124, engine="") as server:
            assert (await complete(server, asked(max_tokens=500))).text
            assert [body["max_tokens"] for body in server.bodies] == [500, 124]

    run(play)


def test_retries_count_and_their_time_counts_too() -> None:
    async def play() -> None:
        slept: list[float] = []
        now = [0.0]

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            now[0] += seconds

        faults = Faults(failing=2, retry_after="7")
        async with fake_server(faults=faults) as server, talking(server) as (_, chat):
            patient = RetryingModel(
                chat, max_attempts=4, backoff=exponential_backoff(sleep=sleep), clock=lambda: now[0]
            )
            completion = await patient.complete(asked())
            assert completion.retries == 2
            assert completion.seconds == 14
            assert slept == [7, 7]
            server.faults.closing = 1
            assert (await patient.complete(asked())).retries == 1
            assert slept == [7, 7, 0.5]

    run(play)
