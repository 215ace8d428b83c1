"""Decision requests: what a seat must answer."""

from dataclasses import dataclass, replace
from typing import Literal

from arena.core.actions import Values
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.seats import SeatId
from arena.core.specs import ActionSpec

PROBE_PHASE = "probe"
"""The phase of the platform's own questions."""

ErrorCode = Literal["empty", "not_an_option", "unparsed", "wrong_form"]
"""Why an answer does not count: a text is empty, a choice is none of the options, a part cannot be
read, or the answer has values that were not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionError:
    """Why the last answer was rejected: the value at fault and what it held (80 characters)."""

    code: ErrorCode
    field: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRequest:
    """One request to one seat: all that a player needs besides the observation."""

    id: str
    """Unique in the match, and the same whenever the same match is played again."""
    seat: SeatId
    kind: str
    """What is asked, in the game's own word. Only the game and its texts read it."""
    purpose: Purpose = Purpose.OTHER
    """What it is for, in the platform's words."""
    phase: str
    round: int = 1
    spec: ActionSpec
    context: Values = ()
    """What the request quotes, such as the question to answer, and who asked it."""
    about: str = ""
    """A victim or a ballot number, if a phase has several equal requests to a seat."""
    attempts_left: int = 3
    """Answers that may still be given, this one included."""
    last_error: ActionError | None = None
    corrected: bool = True
    """Whether a request after a rejected answer says what was wrong."""
    max_chars: int = 4000
    """A longer text is cut at the end of a sentence."""
    off_path: bool = False
    """A silent question: the match does not depend on its answer."""
    moment: int | None = None
    """The seat may know the first `moment` events of the match; None: all so far."""
    onlooker: bool = False
    """The model of the seat answers as an onlooker, who knows only what everybody knows."""
    sampled: bool = False
    """One of several equal requests: its answer is drawn at random, not the likeliest."""

    @property
    def is_probe(self) -> bool:
        """The platform asks, and not the game: a question of the game may be off the path too."""
        return self.phase == PROBE_PHASE

    @property
    def is_question(self) -> bool:
        """Another seat asked something."""
        return bool(self.context_value(ASKER) or self.context_value(QUESTION))

    def context_value(self, name: str) -> str:
        """Return the value of that name in the context; empty: there is none."""
        return next((value for key, value in self.context if key == name), "")

    def with_error(self, error: ActionError) -> "DecisionRequest":
        """Return the same request once more, after its answer was rejected with `error`."""
        told = error if self.corrected else None
        return replace(self, attempts_left=self.attempts_left - 1, last_error=told)
