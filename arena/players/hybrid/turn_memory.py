"""What the player remembers of its own turns: which rule spoke, and what the analysis found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena.core.actions import Reply, Skip
from arena.core.events import QuestionAsked, Said, TurnSkipped
from arena.core.observation import Observation

Findings = TypeVar("Findings")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysedTurn(Generic[Findings]):
    """A turn that was answered after an analysis of the talk."""

    request: str
    moment: int
    """How many events the seat had observed."""
    where: tuple[str, int]
    """The phase, and which talk or round of it."""
    family: str = ""
    """The situation whose template was played; empty: the model's own words."""
    texts: tuple[str, ...] = ()
    """What was said."""
    about: str = ""
    """The victim that the request was about; empty: all of them."""
    declared: str = ""
    """The seat that a template names as the one to vote for."""
    subject: str = ""
    """What the template was about, so that it is not played twice: a seat, seats, or a fact."""
    found: Findings


class TurnMemory(Generic[Findings]):
    """The turns of one seat. They follow from what it observed and from the replies to its calls.

    Requests of a seat after the same events are simultaneous: none sees what another found.
    """

    def __init__(self) -> None:
        self._turns: dict[str, AnalysedTurn[Findings]] = {}

    def add(self, turn: AnalysedTurn[Findings]) -> None:
        """Keep a turn; one that is answered again replaces its earlier answer."""
        self._turns[turn.request] = turn

    def before(self, observation: Observation) -> tuple[AnalysedTurn[Findings], ...]:
        """Return the earlier turns in which the seat said what is kept here, in order."""
        now = len(observation.events)
        past = (one for one in self._turns.values() if one.moment < now)
        ordered = sorted(past, key=lambda one: (one.moment, one.request))
        return tuple(one for one in ordered if _was_heard(one, observation))


def is_behind(turns: Sequence[AnalysedTurn[Findings]], observation: Observation) -> bool:
    """Tell whether something was said, by the seat or by others, after the last analysis."""
    start = turns[-1].moment if turns else 0
    return any(isinstance(one, Said | QuestionAsked) for one in observation.events[start:])


def texts_of(answer: Reply | Skip) -> tuple[str, ...]:
    """Return the texts of an answer."""
    values = answer.values if isinstance(answer, Reply) else answer.partial
    return tuple(value for _, value in values if value)


def _was_heard(turn: AnalysedTurn[Findings], observation: Observation) -> bool:
    """Tell whether the turn was heard as it is kept: another player may have spoken instead."""
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
