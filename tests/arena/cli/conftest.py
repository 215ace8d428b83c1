"""The program, run in this process as a user would run it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a command ended, and what it wrote."""

    status: int
    out: str
    err: str


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Told]:
    """Run `arena WORDS...` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Told:
        monkeypatch.setattr("sys.argv", ["arena", *words])
        with pytest.raises(SystemExit) as ended:
            main.run()
        assert isinstance(ended.value.code, int)
        out, err = capsys.readouterr()
        return Told(status=ended.value.code, out=out, err=err)

    return run
