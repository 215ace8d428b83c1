"""What a user types to get a missing package."""

import shlex
import sys
from pathlib import Path

import pytest

from arena.install_advice import install_command

ROOT = Path(__file__).parents[2]


def test_in_a_checkout_the_command_installs_the_checkout_since_no_index_has_it() -> None:
    words = shlex.split(install_command("export"))
    assert words == [sys.executable, "-m", "pip", "install", "-e", f"{ROOT}[export]"]


def test_without_a_checkout_the_command_names_the_package(tmp_path: Path) -> None:
    assert install_command("ocr", tmp_path).endswith(" -m pip install 'murder-arena[ocr]'")


@pytest.mark.parametrize("room", ["arena", "eval", "serving", "scripts_mm"])
def test_no_error_names_an_extra_of_a_package_that_no_index_has(room: str) -> None:
    own = ROOT / "arena" / "install_advice.py"
    for path in (ROOT / room).rglob("*.py"):
        assert path == own or "murder-arena[" not in path.read_text("utf-8"), path
