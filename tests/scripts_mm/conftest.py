"""The real scripts, where this machine has them."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def dataset() -> Path:
    """The folder of real WhodunitBench scripts; without it the test is skipped."""
    return _sample("whodunit", "Dataset")


@pytest.fixture(scope="session")
def wellplay_data() -> Path:
    """The folder of real WellPlay scripts in their languages; without it the test is skipped."""
    return _sample("wellplay")


@pytest.fixture(scope="session")
def mirage_data() -> Path:
    """The folder of real MIRAGE scripts in their languages; without it the test is skipped."""
    return _sample("mirage", "dataset")


@pytest.fixture(scope="session")
def samples(dataset: Path, wellplay_data: Path, mirage_data: Path) -> Path:
    """The folder of all three formats."""
    assert wellplay_data.parent == mirage_data.parents[1]
    return dataset.parents[1]


def _sample(*steps: str) -> Path:
    root = os.environ.get("ARENA_SAMPLE_DATA", "")
    folder = Path(root, *steps)
    if not root or not folder.is_dir():
        pytest.skip(f"ARENA_SAMPLE_DATA names no folder with {'/'.join(steps)}")
    return folder
