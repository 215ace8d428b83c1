"""Timelines: a seat's lists of its own timeline, for its later turns.

Answers that are given at the same time do not see one another's list, whichever comes first: so a
resumed match, which gives them one after the other, finds the same.
"""

from arena.core.observation import Observation
from arena.core.requests import DecisionRequest


class Timelines:
    """The timelines of one seat in one match."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int, str], tuple[str, ...]] = {}
        """By stages of the script, events that were seen, and request."""

    def find(self, observation: Observation) -> tuple[str, ...] | None:
        """Return the list of an earlier moment with the same script stages, or None."""
        stages, now = len(observation.own.stages), len(observation.events)
        earlier = [key for key in self._found if key[0] == stages and key[1] < now]
        return self._found[min(earlier)] if earlier else None

    def keep(
        self, observation: Observation, request: DecisionRequest, timeline: tuple[str, ...]
    ) -> None:
        """Store the list of a turn, except for a silent question."""
        if not request.off_path:
            key = len(observation.own.stages), len(observation.events), request.id
            self._found[key] = timeline
