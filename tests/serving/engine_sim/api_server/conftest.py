"""What these tests share."""

from pathlib import Path

import pytest

from tests.serving.engine_sim.api_server.asking import model_folder


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model's folder with a real tokenizer and no weights."""
    return model_folder(tmp_path_factory.mktemp("model"))
