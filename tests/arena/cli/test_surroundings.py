"""Surroundings of the program: terminal, folders, home. None of them ends it with a traceback."""

import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.main import MAX_TERMINAL_CELLS, limit_terminal_size
from tests.arena.cli.all_commands import COMMANDS
from tests.arena.cli.conftest import Told
from tests.arena.cli.forking import run_forked
from tests.arena.run.stage import save_case

MOST_BYTES = 2**31
"""Of address space beyond what the forked process has."""
SHOWN = ("players", "games", "models", "scripts list", "scripts show first-night")
PLAYED = "match --civ random --murderer naive --script ../harbour --preset short --out run"


@pytest.fixture
def arena(tmp_path: Path) -> Callable[..., Told]:
    """Run a command line with changed variables of the environment, in little memory."""
    save_case(tmp_path / "harbour")
    work = tmp_path / "work"
    work.mkdir()

    def run(line: str, changes: dict[str, str | None]) -> Told:
        def arrange() -> None:
            for name, value in changes.items():
                os.environ.pop(name, None)
                if value is not None:
                    os.environ[name] = value
            pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
            most = pages * resource.getpagesize() + MOST_BYTES
            resource.setrlimit(resource.RLIMIT_AS, (most, most))

        return run_forked(work, *line.split(), arrange=arrange)

    return run


@pytest.mark.slow
@pytest.mark.parametrize("line", [*SHOWN, PLAYED])
@pytest.mark.parametrize(
    "size", ["99999999", "9" * 5000, "0", "000", "-5", "abc", "²", "", "1", "1e9", "\udcff"]
)
def test_no_size_of_a_terminal_stops_the_program(
    arena: Callable[..., Told], line: str, size: str
) -> None:
    told = arena(line, {"COLUMNS": size, "LINES": size})
    assert (told.status, told.err.count("Traceback")) == (0, 0), told.err
    assert 0 < len(told.out) < 1_000_000


@pytest.mark.slow
@pytest.mark.parametrize("line", [*SHOWN, PLAYED])
@pytest.mark.parametrize("term", [None, "", "dumb", "nonsense", "x" * 10_000])
def test_any_terminal_is_one_to_print_on(
    arena: Callable[..., Told], line: str, term: str | None
) -> None:
    told = arena(line, {"TERM": term, "COLUMNS": None})
    assert (told.status, told.err) == (0, "") if line != PLAYED else (0, told.err)
    assert told.out


@pytest.mark.slow
@pytest.mark.parametrize("line", [*SHOWN, PLAYED, "resume nowhere", "replay nowhere"])
@pytest.mark.parametrize("home", [None, "", "/nonexistent", "/proc", "/dev/null", "relative"])
def test_no_home_is_needed(arena: Callable[..., Told], line: str, home: str | None) -> None:
    told = arena(line, {"HOME": home, "XDG_CACHE_HOME": None})
    assert told.status == (2 if "nowhere" in line else 0), told.err
    assert "Traceback" not in told.err


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--help",), ("nonsense", "nonsense", "nonsense")])
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_folder_that_was_deleted_is_no_place_to_work_in(
    tmp_path: Path, words: tuple[str, ...], more: tuple[str, ...]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    told = run_forked(gone, *words, *more, arrange=gone.rmdir)
    assert told.status == 2
    [line] = told.err.splitlines()
    assert line.startswith("error: the current folder no longer exists")
    assert told.out == ""


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        ("80", "80"),
        ("1000", "1000"),
        ("1001", "1000"),
        ("00000080", "1000"),
        ("0", None),
        ("²", None),
        ("", None),
    ],
)
def test_the_width_that_is_taken_is_one_that_a_terminal_can_have(
    told: str, taken: str | None
) -> None:
    env = {"COLUMNS": told}
    limit_terminal_size(env)
    assert env.get("COLUMNS") == taken
    assert MAX_TERMINAL_CELLS == 1000
