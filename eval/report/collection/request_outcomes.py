"""Outcomes of the requests to each side: answers, retries, timeouts, cuts."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    PromptAdjusted,
    QuestionAsked,
    Said,
    TurnSkipped,
)
from eval.played_match import PlayedMatch

KINDS: Final = (
    "asked",
    "accepted",
    "rejected",
    "repaired",
    "invalid",
    "timeout",
    "unanswerable",
    "declined",
    "cut",
    "adjusted",
)
"""The outcomes, in the order of the table. `rejected` counts answers, `repaired` requests that were
answered after a rejected answer; `invalid`, `timeout` and `unanswerable` are requests that the
player did not answer, `cut` counts speeches, `adjusted` prompts from which content was dropped."""

CountedEvent = ActionAccepted | ActionRejected | TurnSkipped | Said | QuestionAsked | PromptAdjusted
_COUNTED: Final = (ActionAccepted, ActionRejected, TurnSkipped, Said, QuestionAsked, PromptAdjusted)


def count_request_outcomes(match: PlayedMatch) -> Mapping[str, Counter[str]]:
    """Return faction -> counts of `KINDS`."""
    found: dict[str, Counter[str]] = {"civilians": Counter(), "murderer": Counter()}
    rejected: set[str] = set()
    for request in match.requests.values():
        found[match.faction(request.seat)]["asked"] += 1
    for event in match.events:
        if isinstance(event, _COUNTED):
            if isinstance(event, ActionRejected):
                rejected.add(event.request)
            found[match.faction(event.seat)].update(_kinds(event, event.request in rejected))
    return found


def _kinds(event: CountedEvent, is_rejected: bool) -> tuple[str, ...]:
    match event:
        case ActionAccepted():
            return ("accepted", "repaired") if is_rejected else ("accepted",)
        case ActionRejected():
            return ("rejected",)
        case TurnSkipped():
            return (event.cause,)
        case Said() | QuestionAsked():
            return ("cut",) if event.truncated else ()
        case PromptAdjusted():
            return ("adjusted",)
