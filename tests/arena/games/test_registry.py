"""Games are found by name; a package that is at fault is named in the error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.games.game_registry import DEFAULT, all_games, find_game
from arena.games.whodunit.game import WHODUNIT

ROOT = Path(__file__).parents[3]


def test_the_projects_own_game_is_there_and_the_default() -> None:
    assert all_games()[DEFAULT] is WHODUNIT
    assert find_game("whodunit") is WHODUNIT


def test_an_unknown_game_is_refused_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="no game 'chess'; there are: whodunit"):
        find_game("chess")


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_game_describes_itself(name: str) -> None:
    game = all_games()[name]
    assert game.name == name
    assert game.about
    for values in game.presets.values():
        game.options(**dict(values))  # pyright: ignore[reportArgumentType]
    assert "default" in game.presets


def list_games(folder: Path, point: str, module: str) -> str:
    """Return what the registry says where a package registers `point`."""
    info = folder / "guest-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[murder_arena.games]\n{point}\n")
    (folder / "guest.py").write_text(module)
    program = "from arena.games.game_registry import all_games; print(*all_games())"
    path = os.pathsep.join((str(folder), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("point", "module", "said"),
    [
        ("guest = guest:GAME", "raise RuntimeError('broken')", "cannot be loaded: RuntimeError"),
        ("guest = guest:GAME", "", "cannot be loaded: AttributeError"),
        ("guest = guest:GAME", "GAME = 7", "must be a game of that name, got int"),
        (
            "whodunit = guest:GAME",
            "from arena.games.whodunit.game import WHODUNIT as GAME",
            "registers a second game named 'whodunit'",
        ),
    ],
)
def test_a_package_that_is_at_fault_is_named(
    tmp_path: Path, point: str, module: str, said: str
) -> None:
    output = list_games(tmp_path, point, module)
    assert said in output
    assert "guest:GAME" in output or "'guest'" in output
