"""Build the arena's wheel from a copy of the checkout."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from serving.bundle.wheels import run_pip
from serving.errors import ServingError

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout, if this program runs from one."""

_TAKEN: Final = ("arena", "eval", "scripts_mm", "serving", "pyproject.toml", "README.md", "LICENSE")
_NOT: Final = shutil.ignore_patterns("__pycache__", "*.pyc")


def require_checkout() -> None:
    """Raise `ServingError` if the arena was installed from a wheel, without sources."""
    if not (ROOT / "pyproject.toml").is_file():
        raise ServingError("a bundle needs the arena's checkout; clone it and run this there")


def build_arena_wheel(into: Path) -> Path:
    """Build the arena's wheel into a folder and return it; the checkout is not changed."""
    with tempfile.TemporaryDirectory() as scratch:
        copy, made = Path(scratch) / "arena", Path(scratch) / "made"
        for name in _TAKEN:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=_NOT)
            else:
                shutil.copy(source, copy / name)
        words = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(made)]
        run_pip([*words, str(copy)], "the arena's wheel cannot be built")
        wheel = next(made.glob("*.whl"))
        return Path(shutil.copy(wheel, into / wheel.name))
