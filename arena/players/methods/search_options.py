"""Options of players whose prompts contain search hits if script or log are long."""

from dataclasses import dataclass, replace

from arena.players.model_limits import ModelLimits, Overflow, Shares
from arena.players.prompting import PromptingOptions

HIDDEN = ("thought", "keep_thought", "notes", "memory")
"""Options that would add calls to a method, or hide the match from it."""
_QUIZ_TOKENS = 5000
_INTRODUCTION_TOKENS = 12_000
"""As in Questum's released code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions(PromptingOptions):
    """Options of the players of Questum's paper.

    A longer script or log is searched for text relevant to the prompt.
    """

    overflow: Overflow | None = "retrieve"
    script_tokens: int = 4000
    """Tokens of the private script in a prompt, at most; only under `overflow=retrieve`."""
    dialogue_tokens: int = 4000
    """Tokens of the talk in a prompt, at most; only under `overflow=retrieve`."""

    def __post_init__(self) -> None:
        """Raise `ValueError` for prompts without a script or a talk."""
        super(SearchOptions, self).__post_init__()
        if self.script_tokens < 1 or self.dialogue_tokens < 1:
            raise ValueError(
                f"script_tokens and dialogue_tokens must be >= 1, got {self.script_tokens} and "
                f"{self.dialogue_tokens}"
            )


def add_shares(options: SearchOptions, limits: ModelLimits) -> ModelLimits:
    """Return `limits` with the shares of script and talk in `options`."""
    shares = Shares(
        script=options.script_tokens,
        dialogue=options.dialogue_tokens,
        introduction=_INTRODUCTION_TOKENS,
        quiz=_QUIZ_TOKENS,
    )
    return replace(limits, shares=shares)
