"""The fake server is worth testing against: repeatable, obedient, and killable."""

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest

from arena.errors import EndpointUnavailableError
from arena.models.api.chat_api import OpenAIChat
from arena.models.chat import Completion
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from tests.arena.models.conversation import (
    CHOICE,
    FORM,
    PICTURE,
    PNG,
    asked,
    run,
    talking,
)
from tests.fakes.openai_server import fake_server


async def replies() -> list[str]:
    async with fake_server() as server, talking(server) as (_, chat):
        completions: list[Completion] = [
            await chat.complete(asked(text, constraint=constraint, picture=picture))
            for text in ("Where were you?", "你在哪里？" * 200)
            for constraint in (None, CHOICE, FORM)
            for picture in (None, PICTURE)
        ]
    return [completion.text for completion in completions]


def test_two_servers_say_the_same() -> None:
    first = run(replies)
    assert first == run(replies)
    assert len(set(first)) > 6


def test_a_chinese_prompt_has_a_chinese_reply() -> None:
    said = run(replies)
    assert said[6].endswith("。")
    assert said[0].endswith(".")


@pytest.mark.slow
def test_the_program_writes_its_url_serves_and_dies_in_the_middle_of_a_request() -> None:
    async def play() -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "tests.fakes.openai_server", "--model", "m", "--faults", '{"die_after": 2}'),
            stdout=PIPE,
        )
        try:
            assert process.stdout
            url = (await process.stdout.readline()).decode().strip()
            async with open_endpoint(parse_address(url), max_requests=1) as endpoint:
                assert (await endpoint.probe()).model == "m"
                chat = OpenAIChat(endpoint, lambda picture: PNG)
                for _ in range(2):
                    await chat.complete(asked())
                with pytest.raises(EndpointUnavailableError):
                    await chat.complete(asked())
            assert await process.wait() == 3
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    run(play)
