"""Options of the player: one field for each point the paper leaves open or its code changes."""

from dataclasses import dataclass
from typing import Literal

from arena.players.model_limits import Overflow
from arena.players.prompting import PromptingOptions
from arena.players.thinkthrice.scoring import LengthUnit, Timed

Parts = Literal["none", "mr", "mr+sr", "mr+sr+sv1", "mr+sr+sv3"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkThricePlayerOptions(PromptingOptions):
    """Options of `thinkthrice`. The defaults follow the paper."""

    parts: Parts = "mr+sr+sv3"
    """Memory retrieval, self-refinement, self-verification with 1 or 3 attempts; `none`: prompts
    have only the seat's own script and the current question."""
    gate: Literal["timeline", "off"] = "timeline"
    """Answers to refine and verify: those to questions for a timeline, or all."""
    timed: Timed = "facts"
    """Unit of the score: correct facts with a clock time, or all clock times in correct facts."""
    length_unit: LengthUnit = "words"
    """Unit of a text's length: words (in Chinese, characters without spaces), or all characters."""
    least_length: Literal["speech", "fixed"] = "speech"
    """An answer to the host must be longer than 350 units; `speech`: but never longer than 7/8 of
    what the game asks of a speech, so that a text within the rules can pass."""
    attempts: Literal["exact", "code"] = "exact"
    """Attempts at an answer: 3 or 1 as in `parts`, or one more as in the released code."""
    murderer_sv: bool = False
    """Whether the murderer refines and verifies its answers too, towards a truthful timeline."""
    blind_target: bool = False
    """Whether the choice of the seat to ask sees only the case and the names."""
    top_k: int = 5
    """Memories of a prompt, at most."""
    min_similarity: float | None = None
    """Similarity of a memory to the question; None: the embedder's threshold, 0.3 for a model."""
    overflow: Overflow | None = "retrieve"

    def __post_init__(self) -> None:
        """Raise `ValueError` for values that exclude all memories."""
        super(ThinkThricePlayerOptions, self).__post_init__()
        if self.top_k < 1:
            raise ValueError(f"top_k must be >= 1, got {self.top_k}")
        if self.min_similarity is not None and not -1 <= self.min_similarity <= 1:
            raise ValueError(f"min_similarity must be in [-1, 1], got {self.min_similarity:g}")

    @property
    def remembers(self) -> bool:
        """Whether prompts contain memories."""
        return self.parts != "none"

    @property
    def refines(self) -> bool:
        """Whether drafts are completed from the seat's own timeline."""
        return "sr" in self.parts.split("+")

    @property
    def verifies(self) -> bool:
        """Whether answers are checked against the seat's own timeline."""
        return self.parts.endswith(("sv1", "sv3"))

    @property
    def most_attempts(self) -> int:
        """Attempts at an answer, at most."""
        if not self.verifies:
            return 1
        return int(self.parts[-1]) + (self.attempts == "code")
