"""The command that installs an extra of this project, for errors about a missing package."""

import shlex
import sys
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parents[1]
"""The checkout, if the arena was installed from one: no index has the package."""


def install_command(extra: str, root: Path = _ROOT) -> str:
    """Return the command that adds `extra` to the environment of this program."""
    is_checkout = (root / "pyproject.toml").is_file()
    package = ("-e", f"{root}[{extra}]") if is_checkout else (f"murder-arena[{extra}]",)
    return shlex.join((sys.executable, "-m", "pip", "install", *package))
