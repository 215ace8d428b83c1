"""Virtual time: an event loop whose clock jumps to the next timer when no task can run."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Args = TypeVarTuple("Args")


class _JumpingSelector(selectors.SelectSelector):
    """A selector that never waits: it advances virtual time by its timeout."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Advance virtual time by `timeout` seconds. Raises `RuntimeError` if no timer is set."""
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise RuntimeError("virtual time cannot advance: every task waits and no timer is set")
        self.now += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time: `time()` begins at 0, `asyncio.sleep` costs none.

    Executor calls run immediately in the loop's thread and take no virtual time. Do not use
    sockets: time would jump while they are busy.
    """

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[[Unpack[Args]], T], *args: *Args
    ) -> "asyncio.Future[T]":
        """Run `func` now and return its completed future."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - raised to the caller, which awaits the future
            future.set_exception(error)
        return future

    def time(self) -> float:
        """Return the virtual seconds since the loop's creation."""
        return self._jumping.now


def run_virtual(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time and return its result; deterministic.

    Raises what the coroutine raises, and `RuntimeError` if every task waits for ever.
    """
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)
