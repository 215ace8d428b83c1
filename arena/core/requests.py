"""Decision requests to seats."""

from dataclasses import dataclass, replace
from typing import Literal

from arena.core.actions import Values
from arena.core.purposes import ASKER, QUESTION, Purpose
from arena.core.seats import SeatId
from arena.core.specs import ActionSpec

PROBE_PHASE = "probe"
"""The phase of the platform's probes."""

ErrorCode = Literal["empty", "not_an_option", "unparsed", "wrong_form"]
"""Why an answer is invalid: a text is empty, a choice is not an option, a part cannot be parsed, or
the answer has values that the spec lacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionError:
    """Why the last answer was rejected: the field at fault and its text (80 characters)."""

    code: ErrorCode
    field: str
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRequest:
    """One request to one seat: a player's input, with the observation."""

    id: str
    """Unique in the match, and equal when the same match is played again."""
    seat: SeatId
    kind: str
    """The kind of request in the game's vocabulary. Only the game and its texts read it."""
    purpose: Purpose = Purpose.OTHER
    """The purpose in the platform's vocabulary."""
    phase: str
    round: int = 1
    spec: ActionSpec
    context: Values = ()
    """Values that the request quotes, such as the question to answer and who asked it."""
    about: str = ""
    """A victim or a ballot number, if a phase has several equal requests to a seat."""
    attempts_left: int = 3
    """Attempts that remain, this one included."""
    last_error: ActionError | None = None
    corrected: bool = True
    """Whether a request after a rejected answer contains its error."""
    max_chars: int = 4000
    """A longer text is cut at the end of a sentence."""
    off_path: bool = False
    """A silent question: the match does not depend on its answer."""
    moment: int | None = None
    """The answer may depend on the first `moment` events of the match; None: all so far."""
    onlooker: bool = False
    """The model of the seat answers as an onlooker, with public knowledge only."""
    sampled: bool = False
    """One of several equal requests: its answer is sampled, not the likeliest one."""

    @property
    def is_probe(self) -> bool:
        """Whether the platform asks, not the game (a game can have off-path requests too)."""
        return self.phase == PROBE_PHASE

    @property
    def is_question(self) -> bool:
        """Whether it is a request to answer another seat's question."""
        return bool(self.context_value(ASKER) or self.context_value(QUESTION))

    def context_value(self, name: str) -> str:
        """Return the value of that name in the context; empty if there is none."""
        return next((value for key, value in self.context if key == name), "")

    def with_error(self, error: ActionError) -> "DecisionRequest":
        """Return the request for the next attempt, after a rejection with `error`."""
        told = error if self.corrected else None
        return replace(self, attempts_left=self.attempts_left - 1, last_error=told)
