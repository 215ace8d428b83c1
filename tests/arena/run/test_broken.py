"""What breaks in the middle: a killed process, a dead server, a full disk. Nothing is lost."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.records.record_files import atomic_write, open_jsonl_append, read_jsonl
from arena.records.run_record import open_run
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.stage import (
    config,
    only,
    resume,
    save_case,
    start,
)

WAIT_SECONDS = 30


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@contextmanager
def program(*words: str) -> Generator[subprocess.Popen[str]]:
    """Run a Python module while the block runs."""
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def server(**faults: object) -> Generator[tuple[str, subprocess.Popen[str]]]:
    """Run the fake server as a program and give its URL."""
    words = ("tests.fakes.openai_server", "--port", "0", "--faults", json.dumps(faults))
    with program(*words) as process:
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/v1", process


def arena(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arena", *words], capture_output=True, text=True, check=False
    )


def events(run: Path) -> list[str]:
    """Return the lines of events of a run's only match, without the URL in the first."""
    [path] = run.glob("matches/*/events.jsonl")
    return list(read_jsonl(path, str))[1:]


def wait_for_events(run: Path, count: int) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        found = list(run.glob("matches/*/events.jsonl"))
        if found and len(read_jsonl(found[0], str)) >= count:
            return
        time.sleep(0.01)
    raise AssertionError(f"no {count} events within {WAIT_SECONDS} s")


@pytest.mark.slow
@pytest.mark.parametrize("killed_after", [6, 14, 25])
def test_a_killed_orchestrator_goes_on_to_the_same_events(
    loaded: LoadedScript, tmp_path: Path, killed_after: int
) -> None:
    with server(seconds=0.03) as (url, _):
        words = (
            "match",
            "--civ",
            url,
            "--murderer",
            "naive",
            "--script",
            str(loaded.folder),
            "--preset",
            "short",
        )
        assert arena(*words, "--quiet", "--out", str(tmp_path / "whole")).returncode == 0
        broken = tmp_path / "broken"
        with program("arena", *words, "--quiet", "--out", str(broken)) as process:
            wait_for_events(broken, killed_after)
            process.send_signal(signal.SIGKILL)
            process.wait()
        assert not list(broken.glob("matches/*/done.json"))
        assert len(events(broken)) < len(events(tmp_path / "whole"))
        resumed = arena("resume", str(broken), "--json")
        assert resumed.returncode == 0, resumed.stderr
    assert events(broken) == events(tmp_path / "whole")
    [line] = resumed.stdout.splitlines()
    assert "resumed" in json.loads(line)["flags"]
    [calls] = broken.glob("matches/*/calls.jsonl")
    labels = [json.dumps(json.loads(text)["call_id"]) for text in read_jsonl(calls, str)]
    assert len(labels) == len(set(labels)), "a recorded answer was asked for again"


@pytest.mark.slow
def test_a_server_that_dies_for_good_is_an_error_and_not_a_loss(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    with server(die_after=7) as (url, _):
        out = tmp_path / "run"
        words = (
            "--civ",
            url,
            "--murderer",
            "naive",
            "--script",
            str(loaded.folder),
            "--preset",
            "short",
        )
        played = arena("match", *words, "--out", str(out), "--json", "--deadline", "4")
    assert played.returncode == 1
    [line] = played.stdout.splitlines()
    summary = json.loads(line)
    assert summary["outcome"] == "error"
    assert "does not answer" in summary["error_cause"] or "dead" in summary["error_cause"]


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_played(loaded: LoadedScript, tmp_path: Path) -> None:
    with server(seconds=0.3) as (url, _):
        out = tmp_path / "run"
        words = (
            "--civ",
            url,
            "--murderer",
            "naive",
            "--script",
            str(loaded.folder),
            "--preset",
            "short",
        )
        with program("arena", "match", *words, "--quiet", "--out", str(out)) as process:
            wait_for_events(out, 8)
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=WAIT_SECONDS)
            assert process.returncode == 130
            assert "Traceback" not in said
            assert f"arena resume {out}" in said
        assert arena("resume", str(out), "--quiet").returncode == 0


@pytest.mark.slow
def test_two_processes_never_play_one_run(loaded: LoadedScript, tmp_path: Path) -> None:
    with server(seconds=2.0) as (url, _):
        out = tmp_path / "run"
        words = (
            "--civ",
            url,
            "--murderer",
            "naive",
            "--script",
            str(loaded.folder),
            "--preset",
            "short",
        )
        with program("arena", "match", *words, "--quiet", "--out", str(out)) as process:
            wait_for_events(out, 5)
            second = arena("resume", str(out), "--quiet")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=WAIT_SECONDS)
    assert second.returncode == 2
    assert "another process is playing" in second.stderr


def test_a_line_that_was_torn_off_is_cut_away(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes('{"a": 1}\n{"b": "雾'.encode()[:-1])
    assert read_jsonl(path, str) == ('{"a": 1}',)
    with open_jsonl_append(path) as append:
        append('{"c": 3}')
    assert read_jsonl(path, str) == ('{"a": 1}', '{"c": 3}')


@contextmanager
def disk_of(size: int) -> Generator[None]:
    """Make the kernel refuse to let any file grow beyond `size` bytes, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
def test_a_disk_that_fills_up_ends_the_match_as_an_error_and_keeps_finished_ones(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    first = only(start(config(loaded, "random", "naive"), loaded, out))
    assert first.outcome != "error"
    two = tmp_path / "two"
    wanted = config(loaded, "random", "random", options={"rounds": "9"})
    with disk_of(8_000):
        broken = only(start(wanted, loaded, two))
    assert broken.outcome == "error"
    assert "cannot write" in broken.error_cause
    [match] = open_run(two).matches()
    assert match.summary() is None
    kept = match.events()
    assert kept
    assert open_run(out).matches()[0].summary() == first
    whole = only(resume(two))
    assert whole.outcome != "error"
    assert match.events()[: len(kept)] == kept


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "done.json"
    atomic_write(path, "old")
    with disk_of(10), pytest.raises(Exception, match="cannot write"):
        atomic_write(path, "x" * 100)
    assert path.read_text("utf-8") == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["done.json"]
