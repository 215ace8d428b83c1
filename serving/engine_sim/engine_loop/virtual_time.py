"""Virtual time: an event loop whose clock jumps to the next timer when nothing is left to run."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Args = TypeVarTuple("Args")


class _JumpingSelector(selectors.SelectSelector):
    """A selector that waits for nothing: the time it was to wait is over at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Pass `timeout` seconds of virtual time. Raises `RuntimeError` where all wait for ever."""
        ready = super().select(0)
        if ready:
            return ready
        if timeout is None:
            raise RuntimeError("virtual time stands still: every task waits and no timer is set")
        self.now += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in virtual time: `time()` begins at 0, `asyncio.sleep` costs none.

    What is given to a thread runs at once, in the loop's own, and takes no virtual time. Sockets
    have no place in it: time would jump while they are busy.
    """

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[[Unpack[Args]], T], *args: *Args
    ) -> "asyncio.Future[T]":
        """Return the future of a call that is already over."""
        future: asyncio.Future[T] = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - the caller's, who awaits the future
            future.set_exception(error)
        return future

    def time(self) -> float:
        """Return the virtual seconds since the loop was made."""
        return self._jumping.now


def run_virtual(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in virtual time and return its result; the same every time.

    Raises what it raises, and `RuntimeError` where nothing can ever go on.
    """
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(coroutine)
