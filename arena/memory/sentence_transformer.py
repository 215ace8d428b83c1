"""Embedder of a sentence-transformers model in a local folder; the package is optional."""

import asyncio
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from arena.errors import ConfigError
from arena.install_advice import install_command
from arena.memory.embedding import MODEL_THRESHOLD, EmbeddingError, Vectors, check_vectors, to_unit

_PACKAGE: Final = "sentence_transformers"


class SentenceTransformerEmbedder:
    """Embedder of a loaded model, which runs in a thread; see `load_sentence_transformer`."""

    is_repeatable = False
    threshold = MODEL_THRESHOLD

    def __init__(self, model: Any, name: str) -> None:
        """Embed with `model`, whose folder has this `name`."""
        self.name = name
        self._model = model
        # The model is not thread-safe.
        self._lock = asyncio.Lock()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the model's vectors, or raise `EmbeddingError`."""
        async with self._lock:
            return await asyncio.to_thread(self._embed, list(texts))

    def _embed(self, texts: list[str]) -> Vectors:
        try:
            found = self._model.encode(texts, convert_to_numpy=True, show_progress_bar=False)
            vectors = np.asarray(found, dtype=np.float64)
        except Exception as error:
            raise EmbeddingError(f"the model {self.name!r} failed: {error!r}") from error
        if vectors.ndim != 2:  # noqa: PLR2004 - rows and columns
            raise EmbeddingError(f"the model {self.name!r} gave an array of shape {vectors.shape}")
        return check_vectors(to_unit(vectors), len(texts), None)


def load_sentence_transformer(folder: Path) -> SentenceTransformerEmbedder:
    """Load the model of `folder`, or raise `ConfigError`. It takes seconds; call it in a thread.

    The model runs on the CPU, since the engine needs the GPU. Nothing is downloaded, and code in
    the folder does not run.
    """
    if not folder.is_dir():
        raise ConfigError(
            f"{str(folder)!r} should be the folder of an embedding model, but is none"
        )
    try:
        package = importlib.import_module(_PACKAGE)
    except ImportError as error:
        raise ConfigError(
            f"an embedding model in a folder needs sentence-transformers ({error}); install it "
            f"with `{install_command('embeddings')}`, or choose embedding=ngrams"
        ) from error
    try:
        model = package.SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, trust_remote_code=False
        )
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise ConfigError(
            f"no embedding model can be loaded from {str(folder)!r}: {reason}"
        ) from error
    return SentenceTransformerEmbedder(model, folder.resolve().name)
