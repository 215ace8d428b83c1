"""A server in a thread and Debian's Chromium before it."""

import asyncio
import shutil
import threading
from collections.abc import Callable, Coroutine, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.web.seat_pages import SeatPages
from arena.web.security import Access
from arena.web.web_server import serve_runs

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
playwright: Any = pytest.importorskip("playwright.sync_api", reason="no Playwright here")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this host")

Beside = Callable[[], Coroutine[Any, Any, None]]
"""What runs in the loop of the server, such as a match."""


@contextmanager
def site(
    folder: Path, seats: Callable[[], Sequence[SeatPages]] = tuple, port: int = 0
) -> Generator[str]:
    """Serve the runs of `folder` in a thread; yields the address."""
    with running(folder, seats, None, port) as address:
        yield address


@contextmanager
def running(
    folder: Path,
    seats: Callable[[], Sequence[SeatPages]],
    beside: Beside | None,
    port: int = 0,
) -> Generator[str]:
    """Serve the runs of `folder` while `beside` runs in the same loop; yields the address."""
    ready, found = threading.Event(), list[str]()
    stop: list[Callable[[], None]] = []

    async def run() -> None:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        stop.append(lambda: loop.call_soon_threadsafe(ended.set) and None)
        async with serve_runs(folder, Access(), seats=seats(), port=port) as address:
            found.append(address)
            ready.set()
            async with asyncio.TaskGroup() as group:
                task = group.create_task(beside()) if beside else None
                await ended.wait()
                if task is not None:
                    task.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(20), "the server has not started"
    try:
        yield found[0]
    finally:
        stop[0]()
        thread.join(10)


@contextmanager
def chromium(**options: Any) -> Generator[Any]:
    """Yield a page of a new browser; an error in a script of the page fails the test."""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_context(**options).new_page()
        faults = keep(page, "pageerror")
        yield page
        browser.close()
        assert not faults


def keep(page: Any, kind: str) -> list[Any]:
    """Return a list that gets what happens on a page; Playwright takes no method of a list."""
    found: list[Any] = []

    def take(event: Any) -> None:
        found.append(event)

    page.on(kind, take)
    return found
