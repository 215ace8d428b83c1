"""What holds for every test."""

import os
import re
import signal
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import pytest
from hypothesis import settings

from tests.served import ServedModel, home_of, served_model

# A busy machine breaks no rule: no test is timed.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

DEVICES = ("engine", "browser")
MARKED = re.compile(r"\bmark\.(?:engine|browser)\b")
"""The mark that every file with a test of an engine or a browser contains."""


def pytest_configure() -> None:
    """Let started programs hear Ctrl-C, also where the tests run in the background.

    A shell makes its background jobs ignore SIGINT, and programs inherit what is ignored.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # `asyncio.run` restores the handler of Ctrl-C, and Python 3.11 writes the handler that it
    # replaces, with the task's whole result, to find that it is no number: 3 % of all tests.
    setattr(signal, "_int_to_enum", _to_enum)  # noqa: B010 - a private name


def _to_enum(value: object, kind: type[IntEnum]) -> object:
    return kind(value) if isinstance(value, int) and value in {*kind} else value


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only tests with engines or browsers run, import only the files that have some.

    Importing all six hundred files takes as long as starting an engine.
    """
    only = config.getoption("markexpr") in {*DEVICES, " or ".join(DEVICES)}
    is_left_out = only and collection_path.suffix == ".py" and not _is_marked(collection_path)
    return True if is_left_out else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files with slow tests first: at the end, one process would wait for the other."""
    for path in {one.path for one in items if any(map(one.get_closest_marker, DEVICES))}:
        if not _is_marked(path):
            raise pytest.UsageError(f"{path}: write the mark of its engine or browser in the file")
    slow = {one.path for one in items if any(map(one.get_closest_marker, (*DEVICES, "slow")))}
    items.sort(key=lambda one: one.path not in slow)


def _is_marked(path: Path) -> bool:
    return MARKED.search(path.read_text(encoding="utf-8")) is not None


@pytest.fixture(autouse=True)
def signal_handlers() -> Iterator[None]:
    """Restore how signals are heard: the program ends with handlers of its own."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    yield
    for one, handler in before.items():
        signal.signal(one, handler)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the variables of a process that sees no server but those of these tests."""
    return home_of(tmp_path_factory.mktemp("state"), os.environ)


@pytest.fixture(scope="session")
def server(home: dict[str, str]) -> Iterator[ServedModel]:
    """Keep the stand-in served on the real vLLM, for all tests that need one and spare it."""
    with served_model(home, "stand-in") as served:
        yield served


@pytest.fixture(scope="session")
def yi_server(home: dict[str, str]) -> Iterator[ServedModel]:
    """Keep Yi-VL's stand-in served as well."""
    with served_model(home, "stand-in-yi") as served:
        yield served
