"""A picture's bytes go once to an endpoint, and again only where it does not hold them."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from arena.errors import ContextLengthError, EndpointUnavailableError, ModelError
from arena.models.api.capabilities import Feature
from arena.models.api.chat_api import OpenAIChat
from arena.models.api.media_cache import MediaCacheTracker
from arena.models.api.token_api import TokenIdModel
from arena.models.chat import ChatModel, Completion, Message, Request
from arena.models.http.endpoint import Endpoint
from scripts_mm.script import Picture
from tests.arena.models.conversation import (
    PICTURE,
    asked,
    run,
    talking,
)
from tests.fakes.faults import Faults
from tests.fakes.openai_server import fake_server
from tests.fakes.pictures import MediaCache, pictures_in
from tests.fakes.tokens import FakePromptTokenizer

BOTH = pytest.mark.parametrize("door", ["chat", "tokens"])
OTHER = replace(PICTURE, sha256="f" * 64)


@dataclass(slots=True)
class Shelf:
    """Gives the bytes of pictures and knows which were asked for."""

    read: list[str] = field(default_factory=list[str])

    def __call__(self, picture: Picture) -> bytes:
        self.read.append(picture.sha256)
        return picture.sha256.encode()


def model(door: str, endpoint: Endpoint) -> ChatModel:
    shelf = Shelf()
    if door == "chat":
        return OpenAIChat(endpoint, shelf)
    return TokenIdModel(endpoint, FakePromptTokenizer(), shelf)


def seen(*pictures: Picture, ask: str = "1") -> Request:
    """Return a request with one picture a message."""
    request = asked(ask=ask)
    shown = (Message(role="user", text="Look.", picture=picture) for picture in pictures)
    return replace(request, messages=(request.messages[0], *shown, request.messages[1]))


def sent(body: dict[str, Any]) -> list[str]:
    """Return of each picture in a body whether it went with its bytes."""
    urls: list[object] = [part["image_url"] for part in pictures_in(body.get("messages", []))]
    urls += [part["url"] for part in body.get("content_parts", [])]
    return ["uuid" if url is None else "bytes" for url in urls]


async def answers(chat: ChatModel, *requests: Request) -> list[Completion]:
    return [await chat.complete(request) for request in requests]


@BOTH
def test_bytes_go_first_and_the_uuid_alone_afterwards(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            said = await answers(chat, seen(PICTURE), seen(PICTURE, OTHER), seen(PICTURE, OTHER))
            assert list(map(sent, server.bodies)) == [["bytes"], ["uuid", "bytes"], ["uuid"] * 2]
            assert said[1].text == said[2].text
            uuids = [PICTURE.sha256, OTHER.sha256]
            assert [str(server.bodies[2]).count(uuid) for uuid in uuids] == [1, 1]

    run(play)


@BOTH
def test_what_was_sent_at_one_door_is_held_for_the_other(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            other = {"chat": "tokens", "tokens": "chat"}[door]
            await model(door, endpoint).complete(seen(PICTURE))
            await model(other, endpoint).complete(seen(PICTURE))
            assert list(map(sent, server.bodies)) == [["bytes"], ["uuid"]]

    run(play)


@BOTH
@pytest.mark.parametrize("fault", ["forgetting", "drifting"])
def test_a_picture_that_the_server_lost_is_sent_again_and_held_again(door: str, fault: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            first = await chat.complete(seen(PICTURE, OTHER))
            setattr(server.faults, fault, 1)
            again = await chat.complete(seen(PICTURE, OTHER))
            assert again.text == first.text
            assert again.retries == 0
            await chat.complete(seen(PICTURE))
            ways = [["bytes"] * 2, ["uuid"] * 2, ["bytes"] * 2, ["uuid"]]
            assert list(map(sent, server.bodies)) == ways
            assert Feature.MEDIA_UUID_ONLY not in endpoint.unsupported

    run(play)


@BOTH
def test_a_server_that_fails_with_the_bytes_too_is_left_to_the_retries(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await chat.complete(seen(PICTURE))
            server.faults.failing, server.faults.status = 2, 500
            with pytest.raises(EndpointUnavailableError, match="answered 500"):
                await chat.complete(seen(PICTURE))
            assert list(map(sent, server.bodies)) == [["bytes"], ["uuid"], ["bytes"]]
            assert not endpoint.media.is_cached(PICTURE.sha256)

    run(play)


@pytest.mark.slow
@BOTH
def test_the_bytes_go_again_once_and_within_the_deadline_of_the_answer(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await chat.complete(seen(PICTURE))
            server.faults.failing, server.faults.status = 1, 500
            server.faults.seconds = 0.8
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(1.3):
                    await chat.complete(seen(PICTURE))
            assert list(map(sent, server.bodies)) == [["bytes"], ["uuid"], ["bytes"]]

    run(play)


@BOTH
def test_a_server_that_went_away_gets_everything_again(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await answers(chat, seen(PICTURE), seen(OTHER))
            server.faults.closing = 1
            with pytest.raises(EndpointUnavailableError):
                await chat.complete(asked())
            await answers(chat, seen(PICTURE, OTHER))
            assert sent(server.bodies[-1]) == ["bytes", "bytes"]

    run(play)


@BOTH
def test_only_what_a_request_missed_is_forgotten(door: str) -> None:
    async def play() -> None:
        cache = MediaCache(room=1)
        async with fake_server(media=cache) as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await answers(chat, seen(PICTURE), seen(OTHER), seen(PICTURE))
            assert endpoint.media.is_cached(OTHER.sha256)
            assert list(map(sent, server.bodies))[2:] == [["uuid"], ["bytes"]]

    run(play)


@BOTH
def test_a_server_without_a_cache_of_pictures_is_asked_once_to_do_without_bytes(door: str) -> None:
    async def play() -> None:
        cache = MediaCache(room=0)
        async with fake_server(media=cache) as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await answers(chat, *[seen(PICTURE)] * 4)
            ways = [["bytes"], ["uuid"], ["bytes"], ["bytes"], ["bytes"]]
            assert list(map(sent, server.bodies)) == ways
            assert endpoint.unsupported == {Feature.MEDIA_UUID_ONLY}

    run(play)


@pytest.mark.parametrize("engine", ["", "llama.cpp"])
def test_bytes_always_go_to_other_servers(engine: str) -> None:
    async def play() -> None:
        async with fake_server(engine=engine) as server, talking(server) as (endpoint, _):
            chat = model("chat", endpoint)
            await answers(chat, seen(PICTURE), seen(PICTURE))
            assert list(map(sent, server.bodies)) == [["bytes"], ["bytes"]]

    run(play)


def test_a_server_that_takes_no_uuid_gets_bytes_each_time() -> None:
    async def play() -> None:
        faults = Faults(refused=frozenset({"uuid"}))
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, _):
            chat = model("chat", endpoint)
            await answers(chat, seen(PICTURE), seen(PICTURE))
            assert list(map(sent, server.bodies)) == [["bytes"], ["bytes"], ["bytes"]]
            assert endpoint.unsupported == {Feature.UUID}

    run(play)


@BOTH
def test_a_picture_counts_as_sent_only_when_it_was_answered(door: str) -> None:
    async def play() -> None:
        async with fake_server(context=400) as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            long = seen(*[replace(PICTURE, sha256=f"{number:064x}") for number in range(9)])
            with pytest.raises(ContextLengthError):
                await chat.complete(long)
            server.faults.garbage = 1
            with pytest.raises(ModelError, match="should answer"):
                await chat.complete(seen(PICTURE))
            assert not endpoint.media.is_cached(PICTURE.sha256)
            assert sent(server.bodies[0]) == ["bytes"] * 9

    run(play)


def test_the_bytes_of_a_held_picture_are_not_even_read() -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            first, second = Shelf(), Shelf()
            await OpenAIChat(endpoint, first).complete(seen(PICTURE, OTHER, PICTURE))
            await OpenAIChat(endpoint, second).complete(seen(PICTURE, OTHER))
            assert first.read == [PICTURE.sha256, OTHER.sha256]
            assert second.read == []

    run(play)


@BOTH
def test_a_picture_of_megabytes_goes_out_whole(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = (
                OpenAIChat(endpoint, lambda _: b"x" * 1_500_000)
                if door == "chat"
                else TokenIdModel(endpoint, FakePromptTokenizer(), lambda _: b"x" * 1_500_000)
            )
            assert (await chat.complete(seen(PICTURE))).text
            assert len(str(server.bodies[0])) > 2_000_000

    run(play)


async def at_once(chat: ChatModel, *requests: Request) -> None:
    async with asyncio.TaskGroup() as group:
        for request in requests:
            group.create_task(chat.complete(request))


@BOTH
def test_bytes_go_once_however_many_ask_at_the_same_time(door: str) -> None:
    async def play() -> None:
        faults = Faults(seconds=0.05)
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await at_once(chat, *[seen(PICTURE, OTHER), seen(OTHER), seen(PICTURE)] * 2)
            ways = sorted(map(sent, server.bodies))
            assert ways == [["bytes"] * 2, *[["uuid"]] * 4, ["uuid"] * 2]

    run(play)


@BOTH
def test_after_a_miss_a_request_sends_its_bytes_and_waits_for_no_upload(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            await chat.complete(seen(PICTURE))
            server.faults.forgetting, server.faults.seconds = 1, 0.2
            await at_once(chat, seen(PICTURE), seen(PICTURE))
            ways = sorted(map(sent, server.bodies[1:]))
            assert ways == [["bytes"]] * 2 + [["uuid"]] * 2

    run(play)


@BOTH
def test_the_next_brings_the_bytes_where_the_first_failed_or_went_away(door: str) -> None:
    async def play() -> None:
        async with fake_server() as server, talking(server) as (endpoint, _):
            chat = model(door, endpoint)
            server.faults.seconds = 0.2
            async with asyncio.timeout(5), asyncio.TaskGroup() as group:
                first = group.create_task(chat.complete(seen(PICTURE)))
                await asyncio.sleep(0.05)
                others = [group.create_task(chat.complete(seen(PICTURE))) for _ in range(2)]
                gone = group.create_task(chat.complete(seen(PICTURE)))
                await asyncio.sleep(0.05)
                gone.cancel()
                first.cancel()
            assert all(other.result().text for other in others)
            assert list(map(sent, server.bodies)) == [["bytes"], ["bytes"], ["uuid"]]

    run(play)


def test_crossed_pictures_wait_for_nobody_for_ever() -> None:
    async def play() -> None:
        faults = Faults(seconds=0.02, failing=3, status=400, words="no")
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, _):
            chat = model("chat", endpoint)

            async def one(*pictures: Picture) -> None:
                with suppress(ModelError):
                    await chat.complete(seen(*pictures))

            async with asyncio.timeout(5), asyncio.TaskGroup() as group:
                for pictures in [(PICTURE, OTHER), (OTHER, PICTURE), (PICTURE,), (OTHER,)] * 2:
                    group.create_task(one(*pictures))
            assert len(server.bodies) == 8
            assert endpoint.media.is_cached(PICTURE.sha256)

    run(play)


def test_who_waited_too_long_brings_the_bytes_itself() -> None:
    async def play() -> None:
        faults = Faults(seconds=0.4)
        async with fake_server(faults=faults) as server, talking(server) as (endpoint, _):
            endpoint.media = MediaCacheTracker(wait_seconds=0.05)
            await at_once(model("chat", endpoint), seen(PICTURE), seen(PICTURE))
            assert list(map(sent, server.bodies)) == [["bytes"], ["bytes"]]
            assert server.most_busy == 2

    run(play)
