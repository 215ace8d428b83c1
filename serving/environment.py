"""Make the environment that everything else runs in: `.venv` in the checkout, with the engine.

    python3 serving/environment.py [--extra dev] [--print-python]

Runs on a bare Python, and says in one line what is missing where it cannot go on (exit status 2).
The engine is vLLM for CUDA where `nvidia-smi` answers and the community's CPU build of vLLM
elsewhere; ARENA_ENGINE=cpu or =cuda decides otherwise. A torch for the CPU comes from wherever pip
is set up to look; where that has none, from the index that ARENA_TORCH_INDEX names, or by way of
uv, which knows where PyTorch keeps them. A second call returns at once.

The annotations are quoted so that a Python that is too old reads as far as the check of its
version.
"""

import argparse
import contextlib
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_VENV = os.path.join(_ROOT, ".venv")
_PYTHON = os.path.join(_VENV, "bin", "python")
_STAMP = os.path.join(_VENV, "arena-environment.json")
_UNFINISHED = os.path.join(_VENV, "arena-unfinished")
_LOG = os.path.join(_VENV, "arena-install.log")

_OLDEST = (3, 11)
_TRIED = ("python3.13", "python3.12", "python3.11")
_RECIPE = 1
_CUDA_ANSWER_SECONDS = 30
_UNREACHABLE = (
    "No matching distribution",
    "Could not find a version",
    "Max retries exceeded",
    "NewConnectionError",
    "ReadTimeoutError",
    "ProxyError",
    "name resolution",
    "Failed to fetch",
    "dns error",
)


class CannotGoOnError(Exception):
    """The environment cannot be made; the message says what is missing and what to do."""


def main() -> int:
    """Make the environment, or say why not."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--extra", action="append", default=[], help="a further extra to install")
    parser.add_argument("--print-python", action="store_true", help="print the path of its python")
    options = parser.parse_args()
    try:
        use_new_python()
        make(sorted(options.extra))
    except CannotGoOnError as error:
        tell("cannot make the environment: %s" % error)
        return 2
    except KeyboardInterrupt:
        tell("stopped; run it again to go on")
        return 130
    if options.print_python:
        sys.stdout.write(_PYTHON + "\n")
    return 0
