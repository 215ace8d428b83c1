"""What an endpoint says of the model that it serves."""

from dataclasses import dataclass

from arena.models.metrics import KvCache


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What an endpoint says of the model that it serves."""

    model: str
    context_tokens: int | None
    """None where the server does not tell."""
    engine: str | None
    """Such as `vllm 0.32.0`; None where the server does not tell."""
    root: str = ""
    """What the server loaded: a folder on its machine or a hub id; empty where it does not tell."""
    token_in: bool = False
    """Whether it takes token ids at /inference/v1/generate."""
    kv: KvCache | None = None
    """None where the server does not tell."""

    @property
    def is_vllm(self) -> bool:
        """Return whether the server says that it is vLLM."""
        return self.engine is not None and self.engine.startswith("vllm")
