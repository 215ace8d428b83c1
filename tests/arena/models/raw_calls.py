"""Short ways to call the real client on a server that sends any bytes at all."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

from arena.models.api.chat_api import OpenAIChat
from arena.models.chat import Completion, Request
from arena.models.http.address import parse_address
from arena.models.http.endpoint import open_endpoint
from arena.models.recording import RecordedCall
from arena.records.call_codec import CallCodec
from tests.arena.models.conversation import PNG, asked, run
from tests.fakes.raw_server import RawServer, raw_server

SECONDS = 20
"""Far more than any call here takes on a busy machine."""
MATCH_SECONDS = 120


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


async def play_match(
    server: RawServer, folder: Path, *words: str, key: str = "none"
) -> tuple[int | None, bytes]:
    """Play the case in `folder` as a user does; return the exit status and all that was shown."""
    return await run_arena(
        *("match", "--civ", "odd", "--murderer", "naive", "--preset", "short"),
        *("--script", str(folder / "case"), "--out", str(folder / "run"), *words),
        endpoints={"odd": {"url": server.url, "key_env": "ODD_KEY"}},
        key=key,
    )


async def run_arena(
    *words: str, endpoints: dict[str, Any], key: str = "none"
) -> tuple[int | None, bytes]:
    """Run `arena WORDS` as a process; return the exit status and all that was shown."""
    home = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "arena", *words),
        stdout=PIPE,
        stderr=PIPE,
        env=home | {"ARENA_ENDPOINTS": json.dumps(endpoints), "ODD_KEY": key},
    )
    try:
        async with asyncio.timeout(MATCH_SECONDS):
            shown = b"\n".join(await process.communicate())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode, shown
