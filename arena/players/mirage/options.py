"""Options of `mirage`."""

from dataclasses import dataclass

from arena.players.model_limits import Overflow
from arena.players.prompting import PromptingOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class MiragePlayerOptions(PromptingOptions):
    """Options of `mirage`. The defaults follow the paper."""

    overflow: Overflow | None = "summarise"
    last: int = 1
    """Number of own last turns that the prompt repeats: thought, action and result."""
    rater_role: bool = True
    """Whether a seat rates others as its role; else as a neutral onlooker."""
    force_summary: bool = False
    """Whether a script of more than twice `script_limit` tokens is summarised before the match,
    even if it fits the context."""
    script_limit: int = 1500
    """Tokens; applies only with `force_summary`."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for values without a meaning."""
        super(MiragePlayerOptions, self).__post_init__()
        if self.last < 0 or self.script_limit < 1:
            raise ValueError(
                f"last must be >= 0 and script_limit >= 1, got {self.last} and {self.script_limit}"
            )
