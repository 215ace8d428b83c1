"""Short ways to ask the real client on the fake server."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, TypeVar

from arena.models.api.chat_api import OpenAIChat
from arena.models.chat import (
    CallId,
    ChoiceConstraint,
    Constraint,
    JsonConstraint,
    JsonField,
    Message,
    Request,
)
from arena.models.http.address import EndpointAddress, parse_address
from arena.models.http.endpoint import Endpoint, open_endpoint
from scripts_mm.script import Picture
from tests.fakes.openai_server import FakeServer

T = TypeVar("T")

PNG = b"\x89PNG not really"
PICTURE = Picture(
    sha256=sha256(PNG).hexdigest(), file="letter.png", mime="image/png", width=28, height=28
)
SYSTEM = Message(role="system", text="You are Ada. " + "You were in the greenhouse all night. " * 8)
CHOICE = ChoiceConstraint(options=("Ada", "Ben", "Cleo"))
FORM = JsonConstraint(
    fields=(
        JsonField(name="target", options=("Ben", "Cleo")),
        JsonField(name="question", max_chars=20),
        JsonField(name="thought"),
    )
)


def asked(
    text: str = "Who did it?",
    *,
    ask: str = "1",
    constraint: Constraint | None = None,
    picture: Picture | None = None,
    max_tokens: int = 100,
) -> Request:
    return Request(
        call_id=CallId(seat="Ada", request=ask),
        messages=(SYSTEM, Message(role="user", text=text, picture=picture)),
        max_tokens=max_tokens,
        temperature=0.7,
        constraint=constraint,
    )


@asynccontextmanager
async def talking(
    server: FakeServer, *, model: str | None = None, key: str | None = None, concurrency: int = 8
) -> AsyncGenerator[tuple[Endpoint, OpenAIChat]]:
    address = parse_address(server.url, key=key)
    address = EndpointAddress(url=address.url, model=model, key=address.key)
    async with open_endpoint(address, max_requests=concurrency) as endpoint:
        await endpoint.probe()
        yield endpoint, OpenAIChat(endpoint, lambda picture: PNG)


def run(play: Callable[[], Coroutine[Any, Any, T]]) -> T:
    return asyncio.run(play())


@dataclass(slots=True)
class FakeTime:
    """A clock that only sleeping moves."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)
