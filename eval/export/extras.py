"""Import libraries of the extra `export` on demand."""

from importlib import import_module
from typing import Any

from arena.errors import ConfigError
from arena.install_advice import install_command


def load_extra(module: str) -> Any:
    """Return a module of the extra; raises `ConfigError` if it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0].replace("_", "-")
        raise ConfigError(
            f"this export needs {package}, which is not installed; install it with "
            f"`{install_command('export')}`"
        ) from error
