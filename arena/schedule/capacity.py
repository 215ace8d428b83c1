"""What an endpoint's cache can hold."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The KV cache of one endpoint."""

    endpoint: str
    tokens: int
    """Of all contexts together."""
    block: int
    """Tokens that are kept or lost together."""

    def __post_init__(self) -> None:
        """Refuse a cache that holds nothing."""
        if self.tokens < 1 or self.block < 1:
            raise ValueError(
                f"capacity of {self.endpoint!r} must have tokens >= 1 and block >= 1, got "
                f"{self.tokens} and {self.block}"
            )

    def taken(self, tokens: int) -> int:
        """Return what a context of `tokens` takes: whole blocks, in tokens."""
        return -(-tokens // self.block) * self.block
