"""Where the serving side keeps what outlives a run: made models, logs, the list of servers."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

_OURS: Final = "murder-arena"


def cache_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder for what can be made again, by the XDG rules; it need not exist yet."""
    return _xdg_home("XDG_CACHE_HOME", ".cache", environ) / _OURS


def state_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder for logs and for the list of servers, by the XDG rules."""
    return _xdg_home("XDG_STATE_HOME", ".local/state", environ) / _OURS


def _xdg_home(variable: str, otherwise: str, environ: Mapping[str, str] | None) -> Path:
    named = (os.environ if environ is None else environ).get(variable, "")
    # The XDG rules say that a relative path is to be ignored.
    return Path(named) if Path(named).is_absolute() else Path.home() / otherwise
