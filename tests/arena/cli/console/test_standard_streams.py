"""Streams that fail: what is lost is told, and no run ends because nobody can see it."""

import os
import resource
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from arena.cli.console.standard_streams import OutputFile
from tests.arena.cli.all_commands import COMMANDS
from tests.arena.cli.forking import run_forked, send
from tests.arena.run.stage import save_case

FULL = "/dev/full"
LOST = "error: output was lost, cannot write to standard output: "
REPORTS = (
    ("players",),
    ("players", "--json"),
    ("games",),
    ("games", "--json"),
    ("models",),
    ("models", "--json"),
    ("scripts", "list"),
    ("scripts", "list", "--json"),
    ("scripts", "show", "first-night"),
    ("scripts", "prove", "first-night"),
    ("--version",),
    *((*words, "--help") for words in ((), *COMMANDS)),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder to work in, next to a script that can be played."""
    save_case(tmp_path / "harbour")
    work = tmp_path / "work"
    work.mkdir()
    return work


def match(*more: str) -> tuple[str, ...]:
    words = ("--civ", "random", "--murderer", "naive", "--script", "../harbour", "--out", "run")
    return ("match", *words, "-n", "2", *more)


def events(folder: Path) -> list[bytes]:
    """Return the events of the matches of a run that is complete."""
    run = folder / "run"
    assert (run / "index.sqlite").is_file()
    assert len(list(run.glob("matches/*/done.json"))) == 2
    return [path.read_bytes() for path in sorted(run.glob("matches/*/events.jsonl"))]


@pytest.mark.slow
@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
def test_lines_that_a_full_disk_does_not_take_are_told_in_one_line(
    folder: Path, words: tuple[str, ...]
) -> None:
    told = run_forked(folder, *words, arrange=partial(send, 1, FULL))
    assert (told.status, told.err) == (1, f"{LOST}No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize("words", REPORTS[:8], ids=" ".join)
def test_lines_without_a_standard_output_are_told_in_one_line(
    folder: Path, words: tuple[str, ...]
) -> None:
    told = run_forked(folder, *words, arrange=partial(os.close, 1))
    assert (told.status, told.err) == (1, f"{LOST}Bad file descriptor\n")


@pytest.mark.slow
@pytest.mark.parametrize("words", REPORTS[:8], ids=" ".join)
def test_a_reader_that_goes_away_is_no_fault(folder: Path, words: tuple[str, ...]) -> None:
    assert run_forked(folder, *words, arrange=unread).status == 0


@pytest.mark.slow
@pytest.mark.parametrize("way", ["--json", "--quiet", "--full"])
@pytest.mark.parametrize(
    ("arrange", "reason"),
    [
        pytest.param(partial(send, 1, FULL), "No space left on device", id="full"),
        pytest.param(partial(os.close, 1), "Bad file descriptor", id="closed"),
    ],
)
def test_a_run_goes_on_to_its_end_before_lost_lines_are_told(
    folder: Path, way: str, arrange: Callable[[], None], reason: str
) -> None:
    told = run_forked(folder, *match(way), arrange=arrange)
    assert told.status == 1
    assert told.err.splitlines()[-1] == f"{LOST}{reason}"
    assert events(folder)
    again = run_forked(folder, "resume", "run", "--json")
    assert (again.status, len(again.out.splitlines())) == (0, 2)


def test_a_run_without_a_reader_goes_on_to_its_end(folder: Path) -> None:
    assert run_forked(folder, *match("--json"), arrange=unread).status == 0
    assert events(folder)


def test_a_run_goes_on_where_its_terminal_is_gone(folder: Path) -> None:
    def hang_up() -> None:
        terminal, slave = os.openpty()
        os.dup2(slave, 1)
        os.dup2(slave, 2)
        os.close(slave)
        os.close(terminal)

    assert run_forked(folder, *match(), arrange=hang_up).status == 1
    assert events(folder)


def test_notes_that_a_full_disk_does_not_take_cost_the_exit_status_and_no_result(
    folder: Path,
) -> None:
    told = run_forked(folder, *match("--json"), arrange=partial(send, 2, FULL))
    assert told.status == 1
    assert len(told.out.splitlines()) == len(events(folder)) == 2


def test_a_run_needs_no_standard_error(folder: Path) -> None:
    told = run_forked(folder, *match("--json"), arrange=partial(os.close, 2))
    assert told.status == 0
    assert len(told.out.splitlines()) == len(events(folder)) == 2


def test_a_run_needs_no_standard_input(folder: Path) -> None:
    assert run_forked(folder, *match("--json"), arrange=partial(os.close, 0)).status == 0


@pytest.mark.slow
def test_no_file_of_a_run_gets_the_number_of_a_stream_that_was_closed(folder: Path) -> None:
    assert run_forked(folder, *match("--quiet")).status == 0
    wanted = events(folder)
    other = folder.with_name("other")
    other.mkdir()

    def close_all() -> None:
        os.closerange(0, 3)

    assert run_forked(other, *match("--quiet"), arrange=close_all).status == 1
    assert events(other) == wanted


def test_what_is_written_before_a_failure_has_no_gap(folder: Path) -> None:
    whole = run_forked(folder, "games", "--json").out

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))

    told = run_forked(folder, "games", "--json", arrange=limit)
    assert (told.status, told.out) == (1, whole[:100])
    assert told.err == f"{LOST}File too large\n"


def test_a_reader_that_is_slow_gets_everything() -> None:
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    sent, found = bytes(range(256)) * 2000, bytearray()

    def read() -> None:
        while part := os.read(reader, 50_000):
            found.extend(part)
            time.sleep(0.001)

    slow = threading.Thread(target=read)
    slow.start()
    file, rest = OutputFile(writer), memoryview(sent)
    while rest:
        rest = rest[file.write(rest) :]
    os.close(writer)
    slow.join()
    os.close(reader)
    assert file.error is None
    assert bytes(found) == sent


def unread() -> None:
    """Make standard output a pipe that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)
