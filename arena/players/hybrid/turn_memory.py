"""Memory of the player's own turns: the rule that was played, and the analysis' findings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.core.actions import Reply, Skip
from arena.core.events import QuestionAsked, Said, TurnSkipped
from arena.core.observation import Observation

Findings = TypeVar("Findings")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedTurn(Generic[Findings]):
    """An answered turn, with its analysis of the talk."""

    request: str
    moment: int
    """Number of events that the seat had observed."""
    where: tuple[str, int]
    """The phase, and the number of its talk or round."""
    family: str = ""
    """The situation whose template was played; empty: the model's words."""
    texts: tuple[str, ...] = ()
    """The texts of the turn."""
    about: str = ""
    """The victim that the request was about; empty: all of them."""
    declared: str = ""
    """The seat for which a template declares the vote."""
    subject: str = ""
    """The subject of the template, so that it is not played twice: a seat, seats, or a fact."""
    found: Findings


class TurnMemory(Generic[Findings]):
    """The turns of one seat. They follow from its observations and the replies to its calls.

    Requests of a seat after the same events are simultaneous: none sees the findings of another.
    """

    def __init__(self) -> None:
        self._turns: dict[str, AnalysedTurn[Findings]] = {}

    def add(self, turn: AnalysedTurn[Findings]) -> None:
        """Store a turn; a further attempt replaces the earlier one."""
        self._turns[turn.request] = turn

    def before(self, observation: Observation) -> tuple[AnalysedTurn[Findings], ...]:
        """Return the earlier turns whose stored texts the seat really said, in order."""
        now = len(observation.events)
        past = (one for one in self._turns.values() if one.moment < now)
        ordered = sorted(past, key=lambda one: (one.moment, one.request))
        return tuple(one for one in ordered if _was_heard(one, observation))


def is_behind(turns: Sequence[AnalysedTurn[Findings]], observation: Observation) -> bool:
    """Return whether any seat spoke after the last analysis."""
    start = turns[-1].moment if turns else 0
    return any(isinstance(one, Said | QuestionAsked) for one in observation.events[start:])


def texts_of(answer: Reply | Skip) -> tuple[str, ...]:
    """Return the texts of an answer."""
    values = answer.values if isinstance(answer, Reply) else answer.partial
    return tuple(value for _, value in values if value)


def _was_heard(turn: AnalysedTurn[Findings], observation: Observation) -> bool:
    """Return whether the turn was heard as stored: another player can have spoken instead."""
    for event in observation.events[turn.moment :]:
        match event:
            case TurnSkipped(request=turn.request, cause="timeout"):
                return False
            case Said(request=turn.request, parts=parts, truncated=False):
                if not any(_is_known(text, turn.texts) for _, text in parts):
                    return False
            case QuestionAsked(request=turn.request, text=text, truncated=False):
                if not _is_known(text, turn.texts):
                    return False
            case _:
                pass
    return True


def _is_known(heard: str, texts: tuple[str, ...]) -> bool:
    return any(heard in text or text in heard for text in texts)
