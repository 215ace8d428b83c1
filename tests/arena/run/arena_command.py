"""A command of the program, run in this process."""

import signal
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

from arena.cli import main
from scripts_mm.script_folder import LoadedScript

SECONDS = 30
"""Of one command, which takes a hundredth of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaCommand:
    """Runs `arena WORDS...`; whatever is no exit is a failure, a command that hangs too."""

    patch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def __call__(self, *words: object) -> Ended:
        """Run one command."""
        self.patch.setattr("sys.argv", ["arena", *map(str, words)])
        with _alarm(" ".join(map(str, words))), pytest.raises(SystemExit) as ended:
            main.run()
        assert isinstance(ended.value.code, int)
        out, err = self.capsys.readouterr()
        return Ended(status=ended.value.code, out=out, err=err)

    def refused(self, *words: object) -> str:
        """Run a command that must end with status 2; return the one line that it says."""
        ended = self(*words)
        assert ended.status == 2, ended
        [line] = ended.err.splitlines()
        assert line.startswith("error: ")
        return line


def match_words(loaded: LoadedScript, out: Path) -> tuple[str, ...]:
    """Return the words that play a match without a model into `out`."""
    players = ("--civ", "random", "--murderer", "naive", "--script", str(loaded.folder))
    return ("match", *players, "--quiet", "--out", str(out))


def indexed_matches(out: Path) -> list[str]:
    """Return the matches in the index of a run."""
    with closing(sqlite3.connect(out / "index.sqlite")) as base:
        return [row[0] for row in base.execute("SELECT match FROM matches ORDER BY match")]


@contextmanager
def _alarm(what: str) -> Generator[None]:
    def ring(*_: object) -> NoReturn:
        raise AssertionError(f"a command hangs: {what}")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
