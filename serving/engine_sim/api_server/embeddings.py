"""Embeddings of the simulated server: a text has the same vector in every process."""

from itertools import pairwise
from math import sqrt
from typing import Any, Final
from zlib import crc32

from serving.engine_sim.api_server.request_bodies import EmbeddingBody

DIMENSIONS: Final = 256


def embedding_response(model: str, body: EmbeddingBody) -> dict[str, Any]:
    """Return the answer to POST /v1/embeddings, as vLLM 0.32 writes it."""
    texts = [body.input] if isinstance(body.input, str) else body.input
    data = [
        {"index": index, "object": "embedding", "embedding": embed_text(text)}
        for index, text in enumerate(texts)
    ]
    tokens = sum(map(len, texts))
    return {
        "id": f"embd-{crc32(''.join(texts).encode(errors='replace')):08x}",
        "object": "list",
        "model": model,
        "data": data,
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def embed_text(text: str) -> list[float]:
    """Return the unit vector of `text`: its hashed character bigrams."""
    found = [0.0] * DIMENSIONS
    for first, second in pairwise(f" {text.lower()} "):
        found[crc32(f"{first}{second}".encode(errors="replace")) % DIMENSIONS] += 1.0
    length = sqrt(sum(number * number for number in found))
    return [number / length for number in found]
