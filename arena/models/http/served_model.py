"""Model that an endpoint serves, as the endpoint describes it."""

from dataclasses import dataclass

from arena.models.http.server_metrics import KvCache


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """Model that an endpoint serves, as the endpoint describes it."""

    model: str
    context_tokens: int | None
    """None if the server does not report it."""
    engine: str | None
    """For example `vllm 0.32.0`; None if the server does not report it."""
    root: str = ""
    """What the server loaded: a folder on its machine or a hub id; empty if not reported."""
    is_listed: bool = True
    """Whether the server has a list of models; without one, the address names the model."""
    accepts_token_ids: bool = False
    """Whether it accepts token ids at /inference/v1/generate and replies with text."""
    kv: KvCache | None = None
    """None if the server does not report it."""

    @property
    def is_vllm(self) -> bool:
        """Whether the server identifies itself as vLLM."""
        return self.engine is not None and self.engine.startswith("vllm")
