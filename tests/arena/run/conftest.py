"""Commands in this process, and one engine of each stand-in for what needs the real one."""

import os
from collections.abc import Generator

import pytest

from tests.arena.run.arena_command import ArenaCommand
from tests.arena.run.served import home_of, served_stand_in


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> ArenaCommand:
    """Return what runs commands of the program in this process."""
    return ArenaCommand(patch=monkeypatch, capsys=capsys)


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the variables of a process that sees no server but those of these tests."""
    return home_of(tmp_path_factory.mktemp("state"), os.environ)


@pytest.fixture(scope="session")
def server(home: dict[str, str]) -> Generator[str]:
    """Keep the stand-in served, as `arena serve` does; yield its URL."""
    with served_stand_in(home) as url:
        yield url


@pytest.fixture(scope="session")
def yi_server(home: dict[str, str]) -> Generator[str]:
    """Keep Yi-VL's stand-in served as well; yield its URL."""
    with served_stand_in(home, "stand-in-yi") as url:
        yield url
