"""Run folders over the life of a run: begun, killed, moved, damaged, and put right again."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.core.events import Event
from arena.core.state import MatchState
from arena.records.match_summary import MatchSummary
from arena.records.run_record import open_run
from arena.run.launch import resume_run, start_run
from arena.run.observer import BaseObserver
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.arena_command import ArenaCommand, indexed_matches, match_words
from tests.arena.run.stage import (
    config,
    resume,
    save_case,
    start,
)
from tests.arena.run.test_broken import disk_of

KILLED = """
import os, runpy, signal, sys
sync, writes = os.fsync, int(sys.argv.pop(1))

def sync_or_die(handle):
    global writes
    writes -= 1
    if writes < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(handle)

os.fsync = sync_or_die
runpy.run_module("arena", run_name="__main__")
"""
"""The program, killed in the middle of one of the files that it writes whole."""
BEFORE_RUN = range(4)
"""Of those: a script, two pictures, run.json."""
EVENTS, CALLS, DONE, INDEX = 4, 5, 6, 7
"""Then the events and the calls reach the disk, before done.json and the index are written."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


def kill(loaded: LoadedScript, out: Path, write: int) -> None:
    """Play a run whose process is killed in one of its writes."""
    line = [sys.executable, "-c", KILLED, str(write), *match_words(loaded, out)]
    assert subprocess.run(line, check=False, timeout=60).returncode == -signal.SIGKILL


def drafts(out: Path) -> list[str]:
    return [path.name for path in out.rglob(".*") if path.name != ".lock"]


@pytest.mark.slow
@pytest.mark.parametrize("write", BEFORE_RUN)
def test_a_start_that_was_killed_is_made_again_by_the_same_command(
    loaded: LoadedScript, tmp_path: Path, command: ArenaCommand, write: int
) -> None:
    out = tmp_path / "run"
    kill(loaded, out, write)
    assert drafts(out)
    assert not (out / "run.json").exists()
    line = command.refused("resume", out)
    assert f"it was never started; start it with `arena match --out {out}`" in line
    assert command(*match_words(loaded, out)).status == 0
    assert not drafts(out)
    assert indexed_matches(out) == ["harbour-en-s0"]
    assert f"continue that run with `arena resume {out}`" in command.refused(
        *match_words(loaded, out)
    )


@pytest.mark.slow
@pytest.mark.parametrize("write", [EVENTS, CALLS, DONE, INDEX])
def test_a_run_that_was_killed_at_its_end_is_completed_with_its_index(
    loaded: LoadedScript, tmp_path: Path, command: ArenaCommand, write: int
) -> None:
    out = tmp_path / "run"
    kill(loaded, out, write)
    assert bool(drafts(out)) == (write in {DONE, INDEX})
    events = open_run(out).matches()[0].events()
    assert command("resume", out, "--quiet").status == 0
    assert not drafts(out)
    assert indexed_matches(out) == ["harbour-en-s0"]
    assert open_run(out).matches()[0].events() == events


def test_a_full_disk_at_the_start_leaves_nothing_or_what_can_be_taken(
    loaded: LoadedScript, tmp_path: Path, command: ArenaCommand
) -> None:
    (tmp_path / "there").mkdir()
    for name in ("there", "new"):
        with disk_of(100):
            assert "File too large" in command.refused(*match_words(loaded, tmp_path / name))
    assert not (tmp_path / "new").exists()
    assert command(*match_words(loaded, tmp_path / "there")).status == 0


@pytest.mark.slow
def test_of_two_processes_that_start_one_run_one_plays_it(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    line = [sys.executable, "-m", "arena", *match_words(loaded, out), "-n", "40"]
    both = [subprocess.Popen(line, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate(timeout=60)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 2], told
    [refused] = [text for text in told if text.startswith("error: ")]
    assert "another process is playing" in refused or "is not empty" in refused
    assert len(indexed_matches(out)) == 40


def write_other_index(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("CREATE TABLE matches (match)")
        base.execute("INSERT INTO matches VALUES ('another')")


SPOILT_INDEX: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_bytes(b"nonsense" * 999),
    "of another run": write_other_index,
    "a link": lambda path: (path.unlink(), path.symlink_to("nowhere")),
    "a pipe": lambda path: (path.unlink(), subprocess.run(["mkfifo", path], check=True)),
}


@pytest.mark.slow
@pytest.mark.parametrize("spoil", SPOILT_INDEX.values(), ids=SPOILT_INDEX)
def test_the_index_is_made_again_where_all_matches_are_complete(
    loaded: LoadedScript, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    out = tmp_path / "run"
    start(config(loaded, "random", "naive", matches=2), loaded, out)
    before = indexed_matches(out)
    assert len(before) == 2
    spoil(out / "index.sqlite")
    resume(out)
    assert indexed_matches(out) == before


class Lines(BaseObserver):
    """The lines that a person is told, and what ended."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.ends: list[MatchSummary] = []

    def on_log(self, line: str) -> None:
        self.lines.append(line)

    def on_match_end(self, summary: MatchSummary) -> None:
        self.ends.append(summary)


@pytest.mark.parametrize("is_complete", [False, True])
def test_an_index_that_cannot_be_written_is_told_in_one_line(
    loaded: LoadedScript, tmp_path: Path, is_complete: bool
) -> None:
    out, told = tmp_path / "run", Lines()
    start(config(loaded, "random", "naive"), loaded, out)
    (out / "index.sqlite").unlink()
    (out / "index.sqlite").mkdir()
    if not is_complete:
        next(out.glob("matches/*/done.json")).unlink()
    asyncio.run(resume_run(out, concurrency=1, observer=told))
    [line] = told.lines
    assert line.startswith(f"cannot write '{out}/index.sqlite': ")
    assert not drafts(out)
    assert not (out / "index.draft").exists()
    assert [end.outcome for end in told.ends] != ["error"]


class Mover(Lines):
    """Moves the folder of the run away in the middle of a match."""

    def __init__(self, source: Path, target: Path, after: int) -> None:
        super().__init__()
        self._source, self._target, self._left = source, target, after

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        self._left -= 1
        if self._left == 0:
            self._source.rename(self._target)


@pytest.mark.slow
@pytest.mark.parametrize("after", [30, 130, 400])
def test_a_run_whose_folder_is_moved_away_goes_on_when_it_is_back(
    loaded: LoadedScript, tmp_path: Path, after: int
) -> None:
    wanted = config(loaded, "random", "naive", matches=6)
    whole = start(wanted, loaded, tmp_path / "whole", concurrency=1)
    out, away = tmp_path / "run", tmp_path / "away"
    mover = Mover(out, away, after)
    asyncio.run(start_run(wanted, [loaded], out, concurrency=1, observer=mover))
    errors = [end for end in mover.ends if end.outcome == "error"]
    assert errors
    assert all("\n" not in end.error_cause and str(out) in end.error_cause for end in errors)
    assert len([line for line in mover.lines if "index.sqlite" in line]) == 1
    assert not out.exists(), "no half of a folder begins in its place"
    done = {path: path.read_bytes() for path in away.glob("matches/*/done.json")}
    assert len(done) + len(errors) == 6
    away.rename(out)
    assert all(
        end.outcome != "error" for end in resume(out).results if isinstance(end, MatchSummary)
    )
    assert [one.events() for one in open_run(out).matches()] == [
        one.events() for one in whole.run.matches()
    ]
    assert all((out / path.relative_to(away)).read_bytes() == data for path, data in done.items())
    assert len(indexed_matches(out)) == 6
