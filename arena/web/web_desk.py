"""Desk of a person at a page: one request at a time waits for a form."""

import asyncio
from dataclasses import dataclass
from time import time

from arena.core.actions import Reply
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRequest:
    """The open request to the person."""

    number: int
    """Number from 1: a form that answers an earlier request is refused."""
    observation: Observation
    request: DecisionRequest
    until: float | None
    """Deadline in seconds since the epoch; None: unlimited."""
    answer: "asyncio.Future[Reply]"


class WebDesk:
    """A `arena.players.human.HumanDesk`: pages show the open request and give the answer."""

    def __init__(self) -> None:
        """Begin without a request."""
        self.open: OpenRequest | None = None
        self.count = 0
        """Requests so far."""

    async def ask(
        self, observation: Observation, request: DecisionRequest, seconds: float | None
    ) -> Reply:
        """Return the answer from a form, which was already checked."""
        self.count += 1
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.open = OpenRequest(
            number=self.count,
            observation=observation,
            request=request,
            until=None if seconds is None else time() + seconds,
            answer=answer,
        )
        try:
            return await answer
        finally:
            self.open = None
