"""Endings of a match's requests, and the reward of each side."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from arena.core.actions import Reply
from arena.core.events import ActionAccepted, ActionRejected, TurnSkipped
from arena.core.seats import Faction
from eval.metrics.chance_levels import chance_terms
from eval.played_match import PlayedMatch

POINTS: Mapping[str, float] = {"civ_win": 1.0, "draw": 0.5, "murderer_win": 0.0}
"""Outcome -> points of the civilians; the murderer gets the rest of 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestEnding:
    """The attempts at one request, and its result."""

    attempts: tuple[ActionAccepted | ActionRejected, ...] = ()
    result: str = "open"
    """`accepted`, `declined`, or the cause of the skipped turn; `open`: the match ended before."""

    @property
    def errors(self) -> tuple[str, ...]:
        """The reasons of rejected answers, in order."""
        return tuple(one.error.code for one in self.attempts if isinstance(one, ActionRejected))

    @property
    def reply(self) -> Reply | None:
        """The accepted answer, if there is one."""
        last = self.attempts[-1] if self.attempts else None
        if isinstance(last, ActionAccepted) and isinstance(last.action, Reply):
            return last.action
        return None

    def verdict(self, attempt: int) -> tuple[str, str]:
        """Return the verdict on an attempt, counted from 1, and the reason of a rejection."""
        if not 1 <= attempt <= len(self.attempts):
            return "unjudged", ""
        one = self.attempts[attempt - 1]
        if isinstance(one, ActionRejected):
            return "rejected", one.error.code
        return ("accepted" if isinstance(one.action, Reply) else "declined"), ""


NO_ENDING = RequestEnding()


def read_endings(match: PlayedMatch) -> Mapping[str, RequestEnding]:
    """Return the ending of each request by id, without requests that have no attempt."""
    attempts: dict[str, list[ActionAccepted | ActionRejected]] = defaultdict(list)
    results: dict[str, str] = {}
    for event in match.events:
        match event:
            case ActionAccepted():
                attempts[event.request].append(event)
                results[event.request] = (
                    "accepted" if isinstance(event.action, Reply) else "declined"
                )
            case ActionRejected():
                attempts[event.request].append(event)
            case TurnSkipped():
                results[event.request] = event.cause
            case _:
                pass
    return {
        name: RequestEnding(
            attempts=tuple(attempts.get(name, ())), result=results.get(name, "open")
        )
        for name in {*attempts, *results}
    }


def civilian_points(match: PlayedMatch) -> float | None:
    """Return 1, .5 or 0 for the civilians; None: the match enters no win rate."""
    return None if match.summary.uncounted else POINTS.get(match.summary.outcome)


def chance_level(match: PlayedMatch) -> tuple[float, float] | None:
    """Return P(win) and P(draw) of random ballots; None: unknown, or several votes."""
    terms = chance_terms(match)
    if len(terms) != 1:
        return None
    return float(terms[0].level.win), float(terms[0].level.draw)


def seat_reward(match: PlayedMatch, faction: Faction) -> tuple[float | None, float | None]:
    """Return the points of a side, and their excess over random ballots.

    Both sides' points sum to 1, the excesses to 0.
    """
    points, level = civilian_points(match), chance_level(match)
    if points is None:
        return None, None
    above = None if level is None else points - (level[0] + level[1] / 2)
    if faction == "civilians":
        return points, above
    return 1 - points, None if above is None else -above
