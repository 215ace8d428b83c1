"""The folders of files that outlive a run: built models, logs, the server registry."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_OURS: Final = "murder-arena"


def cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Return the XDG cache folder, for files that can be rebuilt; it may not exist yet."""
    return _xdg_home("XDG_CACHE_HOME", ".cache", environ) / _OURS


def state_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Return the XDG state folder, for logs and the server registry."""
    return _xdg_home("XDG_STATE_HOME", ".local/state", environ) / _OURS


def _xdg_home(variable: str, otherwise: str, environ: Mapping[str, str] | None) -> Path:
    named = (os.environ if environ is None else environ).get(variable, "")
    # The XDG specification requires that a relative path is ignored.
    return Path(named) if Path(named).is_absolute() else Path.home() / otherwise
