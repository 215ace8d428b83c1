"""The real scripts, where this machine has them."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The folder of real WhodunitBench scripts; without it the test is skipped."""
    root = os.environ.get("ARENA_SAMPLE_DATA", "")
    folder = Path(root) / "whodunit" / "Dataset"
    if not root or not folder.is_dir():
        pytest.skip("ARENA_SAMPLE_DATA names no folder with whodunit/Dataset")
    return folder
