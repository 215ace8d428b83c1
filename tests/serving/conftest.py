"""What the tests of servers share."""

from pathlib import Path

import pytest

from tests.serving.supervising import Bench


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Return a fake engine to order, and give it a state folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return Bench(folder=tmp_path)
