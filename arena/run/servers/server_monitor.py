"""Monitor of one server: whether it is up, and whether it still serves the model of the run."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from arena.errors import EndpointUnavailableError, ModelChangedError, ModelError
from arena.models.chat import ChatModel, Completion, Request
from arena.models.http.endpoint import Endpoint
from arena.models.http.server_identity import (
    ServerIdentity,
    describe_change,
    read_identity,
    update_identity,
)
from arena.run.match.answer_clock import AnswerClock
from arena.schedule.cache_prediction import WarmPrefixes

_FULL_CHECK_LOOKS = 30
"""Polls between two complete comparisons; every poll compares the list of models."""
_IDENTITY_TRIES = 5
_IDENTITY_PAUSE = 1.0
_LOG_SECONDS = 10.0
"""Minimum seconds between two log lines about the trouble of one server."""
_CHECK_SECONDS = 1.0
_DEAD_SECONDS = 2.0
"""Seconds between two polls of a server that is considered dead."""
_SHOWN = 80
_REMEDY = "serve the same and continue with `arena resume`"


@dataclass(slots=True)
class ReplyName:
    """Name that the replies of one model give it; empty until the first reply."""

    name: str = ""


class ServerMonitor:
    """Monitor of one server during a run.

    After one wait ends with a dead server, later waits fail immediately until it answers again.
    Otherwise every match on that server would wait the full recovery time.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        identity: ServerIdentity,
        warm: WarmPrefixes,
        *,
        reply_name: ReplyName | None = None,
        log: Callable[[str], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Compare the server with its `identity` at the start of the run.

        `reply_name` is shared by the servers of one model.
        """
        self.clock = AnswerClock(self._poll)
        self._endpoint, self._identity, self._warm = endpoint, identity, warm
        self._log, self._sleep = log, sleep
        self._dead = ""
        """Why the last wait considered the server dead; empty: it did not."""
        self._change = ""
        """How the server differed at the last comparison; empty: it did not."""
        self._reply_name = reply_name or ReplyName()
        if endpoint.probe_result.is_vllm:
            # vLLM's replies repeat the served name; other servers may use another name.
            self._reply_name.name = identity.model
        self._was_misnamed = False
        """Whether a reply named another model; the source of other replies is then unknown."""
        self._checked = 0.0
        """Time of the last complete comparison."""
        self._dead_since = 0.0
        self._looks = 0
        self._logged = -_LOG_SECONDS

    async def wait_until_up(self, cause: str) -> None:
        """Wait until the server answers again; `ModelError` if it is dead or was replaced."""
        self._log_trouble(cause)
        if self._dead and not await self._endpoint.is_up():
            raise ModelError(self._dead)
        try:
            await self._endpoint.wait_until_up()
            await self._compare_after_trouble()
        except ModelChangedError:
            raise
        except ModelError as error:
            self._dead, self._dead_since = str(error), time.monotonic()
            raise
        self._dead = ""
        self._warm.invalidate()

    async def has_changed(self) -> bool:
        """Return whether the server differs from the start of the run.

        Every value is compared at most once per `_CHECK_SECONDS`, in between only the list of
        models. A server that does not answer counts as unchanged: it is compared before its next
        request.
        """
        try:
            await self._compare(update=time.monotonic() - self._checked < _CHECK_SECONDS)
        except ModelChangedError:
            return True
        except EndpointUnavailableError:
            pass
        return self._was_misnamed

    async def require_usable(self) -> None:
        """Raise `ModelChangedError` or `ModelError` if the server is still changed or dead.

        So a match that is admitted later does not wait for a dead server again.
        """
        if self._change:
            await self._compare()
        now = time.monotonic()
        if self._dead and now - self._dead_since > _DEAD_SECONDS and await self._endpoint.is_up():
            await self._compare()
            self._dead = ""
        elif self._dead:
            self._dead_since = now
            raise ModelError(self._dead)

    def verify(self, completion: Completion) -> None:
        """Raise `ModelChangedError` if the completion is from another model than the run's."""
        if self._change:
            raise ModelChangedError(self._change)
        expected = self._reply_name.name = self._reply_name.name or completion.model
        if completion.model != expected:
            self._was_misnamed = True
            raise ModelChangedError(
                f"replies of {self._endpoint.url} named {expected!r} in this run, but one names "
                f"{completion.model[:_SHOWN]!r}; {_REMEDY}"
            )

    async def _poll(self) -> bool:
        if not await self._endpoint.is_up():
            return False
        self._looks += 1
        try:
            await self._compare(update=self._looks % _FULL_CHECK_LOOKS != 0)
        except ModelChangedError:
            # The next reply is refused: see `verify`.
            return True
        except EndpointUnavailableError:
            return False
        return True

    async def _compare_after_trouble(self) -> None:
        """Compare the server, which may have been restarted with another model."""
        for tries_left in reversed(range(_IDENTITY_TRIES)):
            try:
                await self._compare()
            except EndpointUnavailableError:
                if not tries_left:
                    raise
            else:
                return
            await self._sleep(_IDENTITY_PAUSE)

    async def _compare(self, *, update: bool = False) -> None:
        """Raise `ModelChangedError` if the server differs; `update`: only its list is read."""
        endpoint, before = self._endpoint, self._identity
        try:
            read = update_identity if update else read_identity
            now = await read(endpoint, before)
        except ModelChangedError as error:
            self._change = str(error)
            raise
        change = describe_change(before, now)
        if not update:
            self._checked = time.monotonic()
        # Values that are not in the list may still differ.
        if change or not update:
            self._change = f"{endpoint.url} was replaced: {change}; {_REMEDY}" if change else ""
        if self._change:
            raise ModelChangedError(self._change)

    def _log_trouble(self, cause: str) -> None:
        now = time.monotonic()
        if now - self._logged >= _LOG_SECONDS:
            self._logged = now
            self._log(f"{cause}; retrying")


class VerifyingModel:
    """Chat model of one server that accepts only replies of the run's model."""

    def __init__(self, model: ChatModel, monitor: ServerMonitor) -> None:
        self._model, self._monitor = model, monitor

    async def complete(self, request: Request) -> Completion:
        """Return the model's completion; raise `ModelChangedError` if it is from another model."""
        await self._monitor.require_usable()
        completion = await self._model.complete(request)
        self._monitor.verify(completion)
        return completion
