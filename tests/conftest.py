"""What holds for every test."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# A busy machine breaks no rule: no test is timed.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


def pytest_configure() -> None:
    """Let started programs hear Ctrl-C, also where the tests run in the background.

    A shell makes its background jobs ignore SIGINT, and programs inherit what is ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: at the end, one process would wait for the other."""
    slow = {
        one.path for one in items if any(map(one.get_closest_marker, ("engine", "browser", "slow")))
    }
    items.sort(key=lambda one: one.path not in slow)


@pytest.fixture(autouse=True)
def interrupts() -> Iterator[None]:
    """Restore how Ctrl-C is heard: the program ends with a handler of its own."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
