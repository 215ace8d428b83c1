"""One run for all tests of exports; they only read it."""

from pathlib import Path

import pytest

from tests.arena.cli.conftest import program
from tests.eval.export.played_runs import play_run
from tests.eval.export.untyped import load_datasets

__all__ = ["program"]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two finished matches with pictures, silent questions, steps and a rejected reply."""
    return play_run(tmp_path_factory.mktemp("export"))


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `datasets` ask no hub."""
    monkeypatch.setattr(load_datasets().config, "HF_HUB_OFFLINE", True)
