"""One run of an engine: a process group under a guard process, with health checks over HTTP."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import aiohttp

from serving.errors import EngineError
from serving.process.awake_clock import AwakeClock
from serving.process.engine_log import (
    append_failure,
    failure_cause,
    last_message,
    read_tail,
    startup_stage,
)
from serving.process.health_check import identify, is_healthy
from serving.process.ports import LOOPBACK
from serving.process.server_registry import new_key

_GUARD_PROGRAM: Final = Path(__file__).with_name("process_guard.py")
_SIGNALLED: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineTimeouts:
    """Time limits and polling intervals of an engine process, all in seconds."""

    start: float
    poll_interval: float = 0.2
    progress_interval: float = 10.0
    health_interval: float = 5.0
    max_silence: float = 120.0
    grace: float = 15.0
    response_timeout: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchSpec:
    """The launch of one engine: its command, names, port and key."""

    profile: str
    model: str
    port: int
    argv: tuple[str, ...]
    env: tuple[tuple[str, str], ...]
    log: Path
    timeouts: EngineTimeouts
    engine_version: str = ""
    shared: bool = False
    key: str = field(default_factory=new_key, repr=False)

    @property
    def root(self) -> str:
        """The server's address without a path."""
        return f"http://{LOOPBACK}:{self.port}"


class EngineProcess:
    """A started process group. It ends with `stop`, or when this process ends."""

    def __init__(self, order: LaunchSpec, keeper: Process, log_start: int) -> None:
        self.pid = 0
        self._order = order
        self._keeper = keeper
        self._log_start = log_start
        self._began = time.monotonic()

    @classmethod
    async def start(cls, order: LaunchSpec, env: Mapping[str, str]) -> "EngineProcess":
        """Start the process, without waiting. Raises `EngineError` if the program cannot be run."""
        size = order.log.stat().st_size if order.log.exists() else 0
        command = (str(order.log), str(order.timeouts.grace), *order.argv)
        keeper = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(_GUARD_PROGRAM), *command),
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,
            cwd=order.log.parent,
            env=dict(env),
        )
        engine = cls(order, keeper, size)
        try:
            await engine._read_pid()
        except BaseException:
            await engine.stop()
            raise
        return engine

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._began

    async def wait_until_up(self, http: aiohttp.ClientSession, say: Callable[[str], None]) -> None:
        """Wait until the engine is healthy, and report its startup stage.

        Raises `EngineError` with the cause if it dies first or exceeds the time limit, and if
        another server answers on its port.
        """
        patience, told, word = self._order.timeouts, 0.0, ""
        clock = AwakeClock(2 * (patience.poll_interval + 3 * patience.response_timeout))
        while not await self._wait_exit(patience.poll_interval):
            if await self._is_up(http):
                return
            if clock.look() > patience.start:
                raise EngineError(
                    f"the engine of {self._order.profile!r} was not up after {patience.start:.0f} s"
                    f"; last message: {self._last_message()!r}; see {self._order.log}"
                )
            latest = startup_stage(read_tail(self._order.log, self._log_start))
            if latest != word or self.seconds - told > patience.progress_interval:
                word, told = latest, self.seconds
                say(f"{self._order.profile} is starting, {told:.0f} s: {word}")
        told = self.describe_exit("while it started")
        append_failure(self._order.log, told)
        raise EngineError(told)

    async def wait_until_dead(self, http: aiohttp.ClientSession) -> str:
        """Wait until the engine ends or does not answer for too long; return what happened."""
        patience, heard = self._order.timeouts, 0.0
        clock = AwakeClock(2 * (patience.health_interval + patience.response_timeout))
        while not await self._wait_exit(patience.health_interval):
            if await is_healthy(http, self._order.root, patience.response_timeout):
                heard = clock.look()
            elif clock.look() - heard > patience.max_silence:
                return f"the engine of {self._order.profile!r} did not answer for too long"
        return self.describe_exit("while it ran")

    async def stop(self) -> None:
        """End the process group, by force after the grace time; return when it is gone."""
        stdin, grace = self._keeper.stdin, self._order.timeouts.grace
        assert stdin is not None
        stdin.close()
        try:
            async with asyncio.timeout(grace + 5):
                await self._keeper.wait()
        except TimeoutError:
            self._keeper.kill()
            await self._keeper.wait()
        if (self._keeper.returncode or 0) < 0 and self.pid:
            # A killed guard could not end its group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def describe_exit(self, when: str) -> str:
        """Return one line on an ended engine: its status, the cause, and the log's path."""
        status = self._keeper.returncode or 0
        how = f"signal {status - _SIGNALLED}" if status > _SIGNALLED else f"exit status {status}"
        cause = failure_cause(read_tail(self._order.log, self._log_start))
        return (
            f"the engine of {self._order.profile!r} died {when} ({how}): {cause}"
            f"; see {self._order.log}"
        )

    async def _read_pid(self) -> None:
        assert self._keeper.stdout is not None
        told = (await self._keeper.stdout.readline()).strip()
        if not told.isdigit():
            raise EngineError(f"the engine's program cannot be run: {self._order.argv[0]!r}")
        self.pid = int(told)

    async def _is_up(self, http: aiohttp.ClientSession) -> bool:
        order = self._order
        seconds = order.timeouts.response_timeout
        who = await identify(http, order.root, model=order.model, key=order.key, seconds=seconds)
        if who == "another":
            raise EngineError(
                f"a server other than the engine of {order.profile!r} answers at {order.root}; "
                "end it, or choose another port"
            )
        return who == "ours"

    async def _wait_exit(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._keeper.wait()
        return self._keeper.returncode is not None

    def _last_message(self) -> str:
        return last_message(read_tail(self._order.log, self._log_start))
