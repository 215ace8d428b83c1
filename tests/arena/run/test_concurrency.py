"""`--concurrency` is the exact number of live matches, and `--admission off` plays all at once."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from arena.cli.commands.arguments import parse_concurrency
from arena.records.run_config import MAX_MATCHES
from scripts_mm.script_folder import LoadedScript
from tests.arena.run.arena_command import ArenaCommand
from tests.arena.run.stage import save_case
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer, fake_server

MATCHES = 6
LIVE = pytest.mark.parametrize(
    ("words", "live"),
    [
        pytest.param(("--admission", "off"), MATCHES, id="off"),
        pytest.param(("--concurrency", "3"), 3, id="number"),
        pytest.param(("-c", "2", "--admission", "on"), 2, id="number-replaces-on"),
        pytest.param(("-c", "4", "--admission", "off"), 4, id="number-replaces-off"),
        pytest.param(("-c", "100"), MATCHES, id="number-beyond-the-matches"),
    ],
)
"""How many matches are live with these options, on a server whose KV cache holds one match."""


@pytest.fixture
def loaded(tmp_path: Path) -> LoadedScript:
    return save_case(tmp_path / "case")


@contextmanager
def small_server() -> Generator[FakeServer]:
    """Serve from a thread: a KV cache of one match, and replies that take some time."""
    server = FakeServer(blocks=500, faults=Faults(seconds=0.01))
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    running = fake_server(server)
    try:
        asyncio.run_coroutine_threadsafe(running.__aenter__(), loop).result()
        yield server
        asyncio.run_coroutine_threadsafe(running.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def most_live(server: FakeServer) -> int:
    """Return how many matches overlap at most, from their first request to their last."""
    matches = [(one or "").partition(":")[0] for one in server.request_ids]
    assert len(set(matches)) == MATCHES
    first = {match: at for at, match in reversed(list(enumerate(matches)))}
    last = {match: at for at, match in enumerate(matches)}
    return max(sum(first[one] <= at <= last[one] for one in first) for at in range(len(matches)))


def match_words(server: FakeServer, loaded: LoadedScript, out: Path) -> tuple[str, ...]:
    """Return the words that play matches of a model on the server."""
    who = ("--civ", f"{server.url}/v1", "--murderer", "naive", "--script", str(loaded.folder))
    return ("match", *who, "-n", str(MATCHES), "--preset", "short", "--out", str(out))


def test_admission_control_decides_unless_a_number_or_off_replaces_it() -> None:
    assert parse_concurrency(None, "on") is None
    assert parse_concurrency(None, "off") == MAX_MATCHES
    for admission in ("on", "off"):
        assert parse_concurrency(3, admission) == 3


@pytest.mark.slow
@LIVE
def test_so_many_matches_are_live_whatever_the_servers_cache_holds(
    loaded: LoadedScript, tmp_path: Path, command: ArenaCommand, words: tuple[str, ...], live: int
) -> None:
    with small_server() as server:
        played = command(*match_words(server, loaded, tmp_path / "run"), *words)
    assert played.status == 0, played.err
    assert most_live(server) == live
    assert "at once" not in played.err


@pytest.mark.slow
@LIVE
def test_a_run_that_is_continued_chooses_again(
    loaded: LoadedScript, tmp_path: Path, command: ArenaCommand, words: tuple[str, ...], live: int
) -> None:
    with small_server() as server:
        played = command(*match_words(server, loaded, tmp_path / "run"), "-c", "5")
        assert played.status == 0, played.err
        server.request_ids.clear()
        shutil.rmtree(tmp_path / "run" / "matches")
        played = command("resume", tmp_path / "run", *words)
    assert played.status == 0, played.err
    assert most_live(server) == live


@pytest.mark.slow
def test_a_process_that_may_open_few_files_says_that_it_plays_fewer_matches(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    files = 256 + 3 * (2 + len(loaded.script.roles))
    with small_server() as server:
        words = (*match_words(server, loaded, tmp_path / "run"), "--admission", "off")
        limited = ("sh", "-c", f'ulimit -n {files}; exec "$0" -m arena "$@"')
        played = subprocess.run(
            [*limited, sys.executable, *words], capture_output=True, text=True, check=True
        )
    assert most_live(server) == 3
    assert "only 3 matches are played at the same time: the limit of open files" in played.stderr
