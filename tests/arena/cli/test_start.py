"""Which modules a command imports: its own, and none of the other commands."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from arena.cli import commands
from arena.cli.app import MODULES, build_app


def words(word: str = "") -> set[str]:
    return set(getattr(get_command(build_app(word)), "commands", {}))


def test_every_command_is_in_the_table() -> None:
    assert words() == set(MODULES)
    files = Path(commands.__file__).parent.glob("*.py")
    adding = {file.stem for file in files if "def add_commands(app:" in file.read_text("utf-8")}
    ours = f"{commands.__name__}."
    assert adding == {name.removeprefix(ours) for name in MODULES.values() if ours in name}


@pytest.mark.parametrize("word", MODULES)
def test_the_module_of_a_word_has_the_command(word: str) -> None:
    assert words(word) == {other for other in MODULES if MODULES[other] == MODULES[word]}


@pytest.mark.parametrize("word", ["", "--help", "nonsense"])
def test_a_word_that_is_no_command_gives_the_whole_program(word: str) -> None:
    assert words(word) == set(MODULES)


@pytest.mark.slow
def test_a_command_imports_no_module_of_another() -> None:
    code = (
        "import sys; from arena.cli.app import build_app; build_app('export'); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported = set(done.stdout.split())
    assert MODULES["export"] in imported
    assert not imported & (set(MODULES.values()) - {MODULES["export"]})
