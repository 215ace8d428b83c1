"""Messages of a command line that several commands read alike."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from arena.errors import ConfigError


def parse_pairs(written: Sequence[str]) -> dict[str, str]:
    """Return what `NAME=VALUE` texts say, or raise `ConfigError`."""
    found: dict[str, str] = {}
    for text in written:
        key, mark, value = text.partition("=")
        if not mark:
            raise ConfigError(f"an option is written NAME=VALUE, got {text!r}")
        found[key.strip()] = value.strip()
    return found


def parse_choice(what: str, value: str | None, legal: Sequence[str]) -> str | None:
    """Return `value`, or raise `ConfigError` where it is not legal."""
    if value is not None and value not in legal:
        raise ConfigError(f"{what} is one of {', '.join(legal)}; got {value!r}")
    return value


def default_run_dir(name: str) -> Path:
    """Return a folder for what is made now: by the time, then `name`."""
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")[:-3]
    safe = "".join(c if c.isalnum() or c in "-_" else "-" for c in name)
    return Path("runs") / f"{now}-{safe}"
