"""Bounds checks of numbers that a user enters."""

from arena.errors import ConfigError
from arena.records.run_config import MAX_MATCHES


def check_count(what: str, value: int, least: int = 1, most: int = MAX_MATCHES) -> int:
    """Return `value`, or raise `ConfigError` if it is outside `least` to `most`."""
    if value < least:
        raise ConfigError(f"{what} must be >= {least}, got {value}")
    if value > most:
        raise ConfigError(f"{what} must be <= {most}, got {value}")
    return value
