"""What each ask of a recorded match rests on: the asks that were answered before it was put.

Asks of one wave hear nothing of each other, so none rests on another. Everything else rests on all
that came before it, which is told by the latest asks alone: those rest on the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.events import (
    Asked,
    Began,
    Concluded,
    Event,
    Noted,
    Opened,
    Passed,
    Rejected,
    Spoke,
    Voted,
)
from arena.core.protocols.whodunit import Stage, plan

_Answer = Spoke | Asked | Concluded | Voted | Passed | Rejected | Noted
_Asks = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rests:
    """The order that the rules force on the asks of a match."""

    before: Mapping[str, _Asks]
    """Ask to the asks that it directly rests on."""
    moments: tuple[_Asks, ...]
    """By how many events there were: the latest asks then."""

    def of(self, ask: str, calls: Mapping[str, int]) -> set[int]:
        """Return the calls that `ask` rests on, `calls` being the last call of each ask.

        An ask without a call, of a player that needs no model, stands for what it rests on.
        """
        found: set[int] = set()
        seen: set[str] = set()
        left = list(self._direct(ask))
        while left:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            if one in calls:
                found.add(calls[one])
            else:
                left += self.before.get(one, ())
        return found

    def _direct(self, ask: str) -> _Asks:
        """Return what an ask rests on; of a silent probe, what came before its moment."""
        match ask.split("/"):
            case ["probe", "ballot", event, *_]:
                return self.moments[int(event)]
            case ["probe", "quiz-before", *_]:
                return ()
            case _:
                # What is missing here was asked, but the match ended before it counted.
                return self.before.get(ask, self.moments[-1])


def rests(events: Sequence[Event]) -> Rests:
    """Return what the asks of a match rest on, from its events."""
    stages: tuple[Stage, ...] = ()
    before: dict[str, _Asks] = {}
    moments: list[_Asks] = [()]
    front: _Asks = ()
    wave: list[str] | None = None
    stage = -1
    for event in events:
        match event:
            case Opened():
                stages = plan(event.options)
            case Began():
                front = tuple(wave) if wave else front
                stage += not event.candidates
                wave = [] if stages[stage].wave else None
            case _ if isinstance(event, _Answer) and event.ask not in before:
                before[event.ask] = front
                if wave is None:
                    front = (event.ask,)
                else:
                    wave.append(event.ask)
            case _:
                pass
        moments.append((*front, *(wave or ())))
    return Rests(before=before, moments=tuple(moments))
