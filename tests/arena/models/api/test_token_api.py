"""Tokens out, tokens and text back; and the fields that only vLLM knows, at both doors."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from arena.errors import ContextLengthError, EndpointUnavailableError, ModelError
from arena.models.api.capabilities import Feature
from arena.models.api.chat_api import OpenAIChat
from arena.models.api.reply_format import ReplyFormat
from arena.models.api.token_api import TokenIdModel
from arena.models.chat import ChatModel, Completion, Message, Request
from arena.models.http.endpoint import Endpoint
from tests.arena.models.conversation import (
    FORM,
    PICTURE,
    PNG,
    SYSTEM,
    asked,
    run,
    talking,
)
from tests.fakes.faults import Faults, Wording
from tests.fakes.openai_server import FakeServer, fake_server
from tests.fakes.tokens import END, PLACEHOLDER, FakePromptTokenizer

BOTH = pytest.mark.parametrize("door", ["chat", "tokens"])


@asynccontextmanager
async def speaking(
    server: FakeServer, door: str, *, stop: tuple[str, ...] = ()
) -> AsyncGenerator[tuple[Endpoint, ChatModel]]:
    async with talking(server) as (endpoint, _):
        chat = OpenAIChat(endpoint, lambda picture: PNG, reply_format=ReplyFormat(stop=stop))
        tokens = TokenIdModel(endpoint, FakePromptTokenizer(), lambda picture: PNG, stop=stop)
        yield endpoint, chat if door == "chat" else tokens


async def complete(server: FakeServer, request: Request, door: str = "tokens") -> Completion:
    async with speaking(server, door) as (_, model):
        return await model.complete(request)


def sampling(body: dict[str, Any]) -> dict[str, Any]:
    return body.get("sampling_params", body)


def test_a_prompt_goes_out_in_tokens_and_the_reply_comes_back_in_both() -> None:
    async def play() -> None:
        async with fake_server() as server:
            completion = await complete(server, asked(picture=PICTURE))
            assert completion.text.endswith(".")
            assert completion.finish == "stop"
            assert completion.ids[-1] == END
            assert len(completion.ids) == completion.output_tokens + 1
            assert completion.cached_tokens == 0
            assert completion.model == "fake-vl"
            assert completion.seconds > 0
            (body,) = server.bodies
            assert server.paths == ["/inference/v1/generate"]
            assert body["token_ids"] == FakePromptTokenizer().ids(asked(picture=PICTURE).messages)
            assert body["token_ids"].count(PLACEHOLDER) == 1
            assert body["sampling_params"] == {"temperature": 0.7, "max_tokens": 100}
            assert body["output_mode"] == "text"
            assert body["content_parts"][0]["uuid"] == PICTURE.sha256
            names = {"model", "token_ids", "content_parts", "sampling_params", "output_mode"}
            assert body.keys() == names

    run(play)


def test_a_reply_goes_back_as_it_came_and_is_found_in_the_cache() -> None:
    async def play() -> None:
        async with fake_server() as server, speaking(server, "tokens") as (_, model):
            first = asked()
            reply = await model.complete(first)
            said = Message(role="assistant", text="worded anew", ids=reply.ids)
            messages = (*first.messages, said, Message(role="user", text="Why?"))
            completion = await model.complete(replace(first, messages=messages))
            before, after = (body["token_ids"] for body in server.bodies)
            assert after[: len(before) + len(reply.ids)] == [*before, *reply.ids]
            # The last token of a reply, the end token here, was never read by the model.
            whole = len(before) + len(reply.ids) - 1
            assert completion.cached_tokens == whole // 16 * 16 > len(before) - 16

    run(play)


def test_a_form_is_asked_in_the_sampling_parameters() -> None:
    async def play() -> None:
        async with fake_server() as server:
            assert (await complete(server, asked(constraint=FORM))).text.startswith('{"target"')
            assert "json" in server.bodies[0]["sampling_params"]["structured_outputs"]

    run(play)


@pytest.mark.parametrize("wording", ["pydantic", "openai", "vague", "backend"])
def test_a_form_that_is_refused_is_not_asked_again(wording: Wording) -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"structured_outputs"}), wording=wording)
        async with fake_server(faults=faults) as server, speaking(server, "tokens") as (end, model):
            for _ in range(2):
                assert (await model.complete(asked(constraint=FORM))).text
            assert len(server.bodies) == 3
            assert end.unsupported == {Feature.OBJECT}

    run(play)


def test_tokens_of_replies_come_with_chat_only_where_they_are_wanted() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, chat):
            assert (await chat.complete(asked())).ids == ()
            wanting = OpenAIChat(endpoint, lambda picture: PNG, reply_ids=True)
            assert (await wanting.complete(asked())).ids[-1] == END
            assert "return_token_ids" not in server.bodies[0]
            assert server.bodies[1]["return_token_ids"] is True

    run(play)


@BOTH
def test_priority_salt_and_length_go_out_where_they_are_wanted(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server:
            request = replace(asked(max_tokens=3), priority=-3, cache_salt="arm 1")
            completion = await complete(server, request, door)
            (body,) = server.bodies
            assert (body["priority"], body["cache_salt"]) == (-3, "arm 1")
            assert sampling(body)["max_tokens"] == completion.output_tokens == 3
            assert completion.finish == "length"

    run(play)


@BOTH
def test_every_send_of_a_request_has_its_id_and_an_end_of_its_own(door: str) -> None:
    async def play() -> None:
        async with fake_server(faults=Faults(refused=frozenset({"cache_salt"}))) as server:
            request = replace(asked(), cache_salt="arm 1", request_id="a-en-s0:Ada King:案:1~2\n")
            await complete(server, request, door)
            await complete(server, request, door)
            assert len(server.request_ids) == 4
            named = [(one or "").rpartition("~") for one in server.request_ids]
            assert {name for name, _, _ in named} == {r"a-en-s0:Ada King:\u6848:1~2\n"}
            assert len({end for _, _, end in named}) == 4
            assert server.sessions == ["a-en-s0"] * 4

    run(play)


@BOTH
def test_a_request_without_an_id_sends_none(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server:
            await complete(server, asked(), door)
            assert server.request_ids == server.sessions == [None]

    run(play)


@BOTH
def test_they_do_not_go_out_where_they_are_not_wanted(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server:
            await complete(server, asked(constraint=FORM), door)
            names = {"priority", "cache_salt", "stop", "return_token_ids"}
            assert not names & (server.bodies[0] | sampling(server.bodies[0])).keys()

    run(play)


def test_another_server_is_told_nothing_that_only_vllm_knows() -> None:
    async def play() -> None:
        async with fake_server(engine="") as server, talking(server) as (endpoint, _):
            chat = OpenAIChat(endpoint, lambda picture: PNG, reply_ids=True)
            await chat.complete(replace(asked(), priority=3, cache_salt="arm 1"))
            assert server.bodies[0].keys() == {"model", "messages", "temperature", "max_tokens"}

    run(play)


@pytest.mark.slow
@BOTH
@pytest.mark.parametrize("wording", ["pydantic", "openai", "vague"])
@pytest.mark.parametrize(
    ("field", "feature"),
    [
        ("cache_salt", Feature.SALT),
        ("priority", Feature.PRIORITY),
        ("stop", Feature.STOP),
    ],
)
def test_what_a_vllm_does_not_take_is_left_out(
    door: str, field: str, feature: Feature, wording: Wording
) -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({field}), wording=wording)
        async with (
            fake_server(faults=faults) as server,
            speaking(server, door, stop=("###",)) as (end, model),
        ):
            request = replace(asked(), priority=3, cache_salt="arm 1")
            for _ in range(2):
                await model.complete(request)
            guesses = [Feature.PRIORITY, Feature.SALT, Feature.STOP].index(feature)
            assert len(server.bodies) == 3 + (guesses if wording == "vague" else 0)
            assert end.unsupported == {feature}

    run(play)


@BOTH
def test_a_server_that_serves_first_come_first_served_is_told_no_priority_again(door: str) -> None:
    async def play() -> None:
        async with fake_server(policy="fcfs") as server, speaking(server, door) as (end, model):
            for _ in range(2):
                await model.complete(replace(asked(), priority=3, cache_salt="arm 1"))
            assert ["priority" in body for body in server.bodies] == [True, False, False]
            assert all(body["cache_salt"] == "arm 1" for body in server.bodies)
            assert end.unsupported == {Feature.PRIORITY}

    run(play)


def test_a_token_endpoint_that_replies_without_text_is_not_used() -> None:
    async def play() -> None:
        async with fake_server(output_mode=False) as server, speaking(server, "tokens") as (end, _):
            assert not end.probe_result.accepts_token_ids
            assert end.probe_result.is_vllm

    run(play)


def test_a_server_without_the_token_endpoint_says_so() -> None:
    async def play() -> None:
        async with (
            fake_server(token_in=False) as server,
            speaking(server, "tokens") as (end, model),
        ):
            assert not end.probe_result.accepts_token_ids
            with pytest.raises(
                ModelError, match=r"serves no tokens at /inference/v1/generate: Sca"
            ):
                await model.complete(asked())
            server.engine = ""
            with pytest.raises(ModelError, match=r"'fake-vl' at /inference/v1/generate \(404\)"):
                await model.complete(asked())

    run(play)


def test_a_prompt_that_is_too_long_in_tokens_is_told_apart() -> None:
    async def play() -> None:
        long = replace(asked(), messages=(replace(SYSTEM, text="x" * 600),))
        async with fake_server(context=100) as server:
            with pytest.raises(ContextLengthError, match="does not fit the context of 'fake-vl'"):
                await complete(server, long)

    run(play)


@pytest.mark.parametrize(
    "said",
    [
        "The decoder prompt (length 40000) is longer than the maximum model length of 32768.",
        "The decoder prompt (length 32768) plus the number of requested output tokens (at least "
        "1) is longer than the maximum model length of 32768.",
    ],
)
def test_the_words_of_the_token_endpoint_for_it_are_known(said: str) -> None:
    async def play() -> None:
        faults = Faults(failing=1, status=400, words=said)
        async with fake_server(faults=faults) as server:
            with pytest.raises(ContextLengthError):
                await complete(server, asked())

    run(play)


def test_what_is_no_answer_is_an_error_and_a_dead_server_is_down() -> None:
    async def play() -> None:
        faults = Faults(garbage=1)
        async with fake_server(faults=faults) as server, speaking(server, "tokens") as (_, model):
            with pytest.raises(ModelError, match="chat completion, but sent"):
                await model.complete(asked())
            faults.closing = 1
            with pytest.raises(EndpointUnavailableError):
                await model.complete(asked())

    run(play)
