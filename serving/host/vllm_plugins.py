"""Find installed vLLM plugins: entry points, looked up as vLLM does."""

import os
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Final

from serving.standin.standin_cache import SHIM

GROUP: Final = "vllm.general_plugins"
"""The group of entry points that vLLM loads in every one of its processes."""

ALLOWED_VARIABLE: Final = "VLLM_PLUGINS"
"""The plugins that vLLM loads, separated by commas; unset: all."""

_LOAD: Final = """
import sys
from vllm.plugins import load_general_plugins
from vllm.model_executor.models.registry import ModelRegistry
load_general_plugins()
known = sys.argv[1] in ModelRegistry.get_supported_archs()
sys.exit(0 if known else f"no plugin registers {sys.argv[1]}")
"""
_LOAD_SECONDS: Final = 120.0


@cache
def find_plugins() -> tuple[str, ...]:
    """Return the names of the plugins that an engine of this Python finds, read once.

    Entry points are written at installation, so a plugin added later is missing until the project
    is reinstalled.
    """
    return tuple(sorted({entry.name for entry in entry_points(group=GROUP)}))


def plugin_variables(plugin: str, environ: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the environment variables that make an engine load `plugin`."""
    allowed = environ.get(ALLOWED_VARIABLE)
    if not plugin or allowed is None or plugin in allowed.split(","):
        return ()
    return ((ALLOWED_VARIABLE, ",".join(filter(None, [allowed, plugin]))),)


def find_load_problem(architecture: str) -> str:
    """Return why vLLM with its plugins does not support `architecture`; empty: it does.

    vLLM is imported in a child process, which takes up to a minute.
    """
    others = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(SHIM), str(SHIM.parent.parent), *([others] if others else [])])
    try:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", _LOAD, architecture],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=_LOAD_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"vLLM did not load its plugins within {_LOAD_SECONDS:.0f} s"
    last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return last if done.returncode else ""


def missing_plugin_message(plugin: str, engine: str) -> str:
    """Return one line: `plugin` is missing, and how to install it with this `engine` build."""
    return (
        f"the vLLM plugin {plugin!r} is not installed; install the arena's checkout again: "
        f"{reinstall_command(engine)}"
    )


def reinstall_command(engine: str) -> str:
    """Return the command that installs this checkout with its entry points."""
    return f"pip install -e '.[{engine}]'"
