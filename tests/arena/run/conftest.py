"""Commands in this process."""

import pytest

from tests.arena.run.arena_command import ArenaCommand


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> ArenaCommand:
    """Return what runs commands of the program in this process."""
    return ArenaCommand(patch=monkeypatch, capsys=capsys)
