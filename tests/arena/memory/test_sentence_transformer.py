"""A model in a folder, with a small module in place of the package."""

import asyncio
import importlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from arena.errors import ConfigError
from arena.memory.embedding import EmbeddingError
from arena.memory.memory_index import MemoryIndex
from arena.memory.sentence_transformer import load_sentence_transformer

PACKAGE = """
import threading
import numpy as np

class SentenceTransformer:
    def __init__(self, folder, *, device, local_files_only, trust_remote_code):
        assert (device, local_files_only, trust_remote_code) == ("cpu", True, False)
        if folder.endswith("broken"):
            raise OSError("no file named\\nconfig.json")
        self.threads = []

    def encode(self, texts, *, convert_to_numpy, show_progress_bar):
        assert convert_to_numpy and not show_progress_bar
        self.threads.append(threading.get_ident())
        if "crash" in texts:
            raise RuntimeError("out of memory")
        if "flat" in texts:
            return np.ones(3)
        return np.array([[len(t), t.count("a"), 1.0] for t in texts], dtype=np.float32) * 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    (tmp_path / "sentence_transformers.py").write_text(PACKAGE, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    importlib.invalidate_caches()
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)

    def make(name: str) -> Path:
        (tmp_path / name).mkdir()
        return tmp_path / name

    return make


def test_a_model_of_a_folder_makes_unit_vectors_in_a_thread(
    folder: Callable[[str], Path],
) -> None:
    embedder = load_sentence_transformer(folder("small-e5"))
    assert embedder.name == "small-e5"
    found = asyncio.run(embedder.embed(["banana", "tea"]))
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1])
    assert found[0] == pytest.approx(np.array([6, 3, 1]) / np.sqrt(46))
    assert threading.get_ident() not in embedder.__dict__["_model"].threads


@pytest.mark.parametrize("text", ["crash", "flat"])
def test_a_failure_of_the_model_is_one_of_the_embedder(
    folder: Callable[[str], Path], text: str
) -> None:
    embedder = load_sentence_transformer(folder("small"))
    with pytest.raises(EmbeddingError, match="'small'"):
        asyncio.run(embedder.embed([text]))
    memory = MemoryIndex(embedder)
    memory.add([f"a {text}", text])
    assert asyncio.run(memory.search(text)).lexical


def test_a_folder_without_a_model_is_refused_in_one_line(folder: Callable[[str], Path]) -> None:
    with pytest.raises(ConfigError, match=r"broken': no file named config.json$"):
        load_sentence_transformer(folder("broken"))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="should be the folder of an embedding model"):
        load_sentence_transformer(tmp_path / "nowhere")


def test_without_the_package_the_error_names_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match=r"-m pip install -e '/.*\[embeddings\]'`") as caught:
        load_sentence_transformer(tmp_path)
    assert "\n" not in str(caught.value)
