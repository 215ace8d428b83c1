"""Short ways to call the real client on a server that sends any bytes at all."""

import asyncio
from typing import Any

from arena.models.address import parse_address
from arena.models.chat import Completion, Request
from arena.models.endpoint import open_endpoint
from arena.models.openai_http import OpenAIChat
from arena.models.recording import RecordedCall
from arena.records.calls import CallCodec
from tests.fakes.raw_server import RawServer, raw_server
from tests.models.conversation import PNG, asked, run

SECONDS = 20
"""Far more than any call here takes on a busy machine."""


def reply(content: str = "Hello.", **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, "finish_reason": "stop"}], **more}


async def ask(server: RawServer, request: Request | None = None) -> Completion:
    """Return the completion, or raise what the call raises, within bounded time."""
    async with open_endpoint(parse_address(server.url), max_requests=2) as endpoint:
        await endpoint.probe()
        async with asyncio.timeout(SECONDS):
            return await OpenAIChat(endpoint, lambda _: PNG).complete(request or asked())


def answer(body: bytes, request: Request | None = None) -> Completion:
    async def play() -> Completion:
        async with raw_server(body) as server:
            return await ask(server, request)

    return run(play)


def kept(completion: Completion) -> Completion | None:
    """Return the completion after it was written to a record and read again."""
    call = RecordedCall(request=asked(), completion=completion)
    return CallCodec().decode(CallCodec().encode(call)).completion
