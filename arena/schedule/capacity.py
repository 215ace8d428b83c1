"""KV capacity of an endpoint."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KvCapacity:
    """KV capacity of one endpoint."""

    endpoint: str
    tokens: int
    """Tokens that the KV cache can hold, over all contexts."""
    block_size: int
    """Tokens in one cache block. The engine caches and evicts whole blocks."""

    def __post_init__(self) -> None:
        """Reject a cache that cannot hold anything."""
        if self.tokens < 1 or self.block_size < 1:
            raise ValueError(
                f"capacity of {self.endpoint!r} must have tokens >= 1 and block_size >= 1, got "
                f"{self.tokens} and {self.block_size}"
            )

    def round_to_blocks(self, tokens: int) -> int:
        """Return the tokens that a context of `tokens` occupies, rounded up to whole blocks."""
        return -(-tokens // self.block_size) * self.block_size
