"""Options of `hybrid`."""

from dataclasses import dataclass
from typing import Literal

from arena.players.prompting import PromptingOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridOptions(PromptingOptions):
    """Options of `hybrid`. The defaults follow the paper."""

    temperature: float = 1.0
    backup: Literal["same", "off"] = "same"
    """Backup if the main reply cannot be parsed: a second call of the same model with fewer tokens,
    or none."""
    backup_tokens: int = 160
    """Tokens of a backup reply, at most."""
    talk_tokens: int = 200
    """Tokens of the main reply in a talk with `over`, at most."""
    confess: bool = False
    """Whether a murderer that most others suspect confesses."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for replies without tokens."""
        super(HybridOptions, self).__post_init__()
        if self.backup_tokens < 1 or self.talk_tokens < 1:
            raise ValueError(
                f"backup_tokens and talk_tokens must be >= 1, got {self.backup_tokens} and "
                f"{self.talk_tokens}"
            )
