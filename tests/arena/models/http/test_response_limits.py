"""No more of a response is read than its request allows, and what was cut is still used."""

import gzip
import json
import tracemalloc
from dataclasses import replace

import pytest

from arena.errors import ConfigError, ModelError
from arena.models.api.chat_api import OpenAIChat
from arena.models.http.address import parse_address
from arena.models.http.endpoint import CHAT, open_endpoint
from arena.models.http.http_errors import MalformedResponseError, ServerBusyError
from arena.models.http.http_transport import open_http_transport
from tests.arena.models.conversation import (
    PICTURE,
    PNG,
    asked,
    run,
)
from tests.arena.models.raw_calls import ask, kept, reply
from tests.fakes.raw_server import http, http_json, raw_server

MB = 1024 * 1024


def test_a_reply_of_thirty_megabytes_is_cut_and_marked() -> None:
    async def play() -> None:
        async with raw_server(http_json(reply("word " * 6 * MB))) as server:
            completion = await ask(server)
            assert completion.text == ("word " * 6 * MB)[: 16 * 100]
            assert completion.finish == "length"
            assert completion.repairs == ("truncated",)
            # What the two sockets hold is counted, though nobody reads it.
            assert server.sent < 16 * MB

    run(play)


@pytest.mark.parametrize("end", [b"x", b" ", b"\\u4e2d", b"\\\\", b"\\ud83d", "中".encode()])
def test_a_reply_without_end_is_cut_and_the_connection_closed(end: bytes) -> None:
    async def play() -> None:
        head = b'HTTP/1.1 200 OK\r\n\r\n{"choices": [{"message": {"content": "I saw him.'
        async with raw_server(head, endless=end * 10_000) as server:
            completion = await ask(server)
            assert completion.text.startswith("I saw him.")
            assert len(completion.text) == 16 * 100
            assert "truncated" in completion.repairs
            assert kept(completion) == completion

    run(play)


@pytest.mark.parametrize(
    "start", ['{"id": "', "<html>", '{"choices": [', '{"choices": [{"message": {"content": "', ""]
)
def test_a_long_response_without_a_text_is_asked_again(start: str) -> None:
    async def play() -> None:
        head = f"HTTP/1.1 200 OK\r\n\r\n{start}".encode()
        async with raw_server(head, endless=b"\x00" * MB) as server:
            with pytest.raises(MalformedResponseError, match="a response that is too long"):
                await ask(server)

    run(play)


def test_the_memory_of_a_call_does_not_grow_with_what_the_server_sends() -> None:
    async def play() -> int:
        head = b'HTTP/1.1 200 OK\r\n\r\n{"choices": [{"message": {"content": "'
        async with raw_server(head, endless=b"x" * MB) as server:
            tracemalloc.start()
            await ask(server)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return peak

    assert run(play) < 16 * MB


@pytest.mark.slow
@pytest.mark.parametrize("status", [200, 400])
def test_a_bomb_of_compressed_bytes_does_not_burst(status: int) -> None:
    bomb = gzip.compress(json.dumps(reply("x" * 200 * MB)).encode())

    async def play() -> int:
        async with raw_server(http(bomb, status, ("Content-Encoding: gzip",))) as server:
            tracemalloc.start()
            if status == 200:
                assert (await ask(server)).text == "x" * 16 * 100
            else:
                with pytest.raises(ModelError):
                    await ask(server)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return peak

    assert run(play) < 32 * MB


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(
    "body", [b"word " * 6 * MB, json.dumps({"error": {"message": "no " * 10 * MB}}).encode()]
)
def test_of_an_error_of_thirty_megabytes_the_start_is_quoted(status: int, body: bytes) -> None:
    async def play() -> None:
        async with raw_server(http(body, status)) as server:
            with pytest.raises(ModelError, match=rf"{status}.*(word word|no no)") as caught:
                await ask(server)
            assert len(str(caught.value)) < 400
            assert isinstance(caught.value, ServerBusyError) == (status == 500)
            assert server.sent < 16 * MB

    run(play)


def test_a_message_in_front_of_a_long_quotation_is_still_found() -> None:
    place = {"loc": ["body", "stop"], "msg": "extra", "input": {"prompt": "secret " * MB}}

    async def play() -> None:
        async with raw_server(http_json({"detail": [place]}, 401)) as server:
            with pytest.raises(ModelError):
                await ask(server)
            server.answers["/v1/chat/completions"] = http_json({"detail": [place]}, 418)
            with pytest.raises(ModelError, match=r"\(418\): .*body.stop: extra$"):
                await ask(server)

    run(play)


@pytest.mark.slow
def test_a_server_that_lists_without_end_is_named() -> None:
    async def play() -> None:
        cards = [{"id": f"model {number}"} for number in range(300_000)]
        async with raw_server(b"", v1__models=http_json({"data": cards})) as server:
            with pytest.raises(ConfigError, match="gave something else: a response that is too l"):
                await ask(server)

    run(play)


def test_a_response_that_was_cut_proves_nothing_of_the_server() -> None:
    long = http_json({"choices": [{"message": {"content": "I saw him. " + "x" * MB}}]})

    def reply_to(body: bytes) -> bytes:
        return http_json({"message": "no priority"}, 400) if b'"priority"' in body else long

    async def play() -> None:
        async with (
            raw_server(reply_to) as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            request = replace(asked(picture=PICTURE), priority=3)
            completion = await OpenAIChat(endpoint, lambda _: PNG).complete(request)
            assert completion.repairs == ("truncated",)
            assert not endpoint.media.is_cached(PICTURE.sha256)
            assert endpoint.unsupported == frozenset()

    run(play)


@pytest.mark.parametrize(("status", "most"), [(200, 300_000), (400, 65_536), (503, 65_536)])
def test_no_more_of_a_response_is_read_than_is_allowed(status: int, most: int) -> None:
    async def play() -> None:
        async with raw_server(http(b"x" * MB, status)) as server:
            address = parse_address(server.url)
            async with open_http_transport(address, max_requests=1) as transport:
                found = await transport.request(CHAT, b"{}", max_bytes=300_000)
                assert (found.is_truncated, len(found.content)) == (True, most)
                server.answers[CHAT] = http(b"x" * most, status)
                found = await transport.request(CHAT, b"{}", max_bytes=300_000)
                assert (found.is_truncated, len(found.content)) == (False, most)

    run(play)


def test_the_ids_of_a_long_prompt_fit_where_they_come_with_the_ids_of_a_reply() -> None:
    long = reply("I saw him.", prompt_token_ids=[150_000] * 100_000)
    card = {"id": "m", "owned_by": "vllm", "max_model_len": 131_072}

    async def play(reply_ids: bool) -> tuple[str, ...]:
        async with (
            raw_server(http_json(long), v1__models=http_json({"data": [card]})) as server,
            open_endpoint(parse_address(server.url), max_requests=1) as endpoint,
        ):
            await endpoint.probe()
            chat = OpenAIChat(endpoint, lambda _: PNG, reply_ids=reply_ids)
            return (await chat.complete(asked())).repairs

    assert run(lambda: play(reply_ids=True)) == ()
    assert run(lambda: play(reply_ids=False)) == ("truncated",)
