"""Dummy players: legal answers without reading, to find out how long a match is."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from arena.core.actions import Action, Reply, Skip
from arena.core.observation import Observation
from arena.core.requests import DecisionRequest
from arena.core.seats import SeatId
from arena.core.specs import Choice, FreeText, spec_fields, variants

_TEXT = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class DummyDecision:
    """A request to a seat, and what the seat knew then."""

    observation: Observation
    request: DecisionRequest


def _next_seat(request: DecisionRequest) -> int:
    del request
    return 1


@dataclass(slots=True, kw_only=True)
class DummyPlayers:
    """The players of a whole match, and the requests that they got.

    Each seat questions a seat after it, so every seat gets as many questions as it asks. All other
    choices are equal, so votes do not tie. If requests of a kind have several variants, a seat uses
    each in turn, so a discussion that continues until all seats are done ends.
    """

    shift: Callable[[DecisionRequest], int] = _next_seat
    """For a form that names a seat: how many seats after its own."""
    skipped: Collection[str] = ()
    """Ids of requests that a seat skips after it gave the texts."""
    decisions: list[DummyDecision] = field(default_factory=list[DummyDecision])

    def decide(self, observation: Observation, request: DecisionRequest) -> Action:
        """Return the next answer."""
        self.decisions.append(DummyDecision(observation=observation, request=request))
        ways = variants(request.spec)
        before = sum(one.request.kind == request.kind for one in self.decisions_of(request.seat))
        way = ways[(before - 1) % len(ways)]
        fields = spec_fields(way.spec)
        if request.id in self.skipped:
            texts = (one.name for one in fields if isinstance(one.spec, FreeText))
            return Skip(partial=tuple((name, _TEXT) for name in texts))
        shift = self.shift(request) if len(fields) > 1 else None
        values = tuple((one.name, _value(one.spec, observation, shift)) for one in fields)
        return Reply(values=values, variant=way.name)

    def decisions_of(self, seat: SeatId) -> tuple[DummyDecision, ...]:
        """Return the decisions of a seat so far."""
        return tuple(one for one in self.decisions if one.request.seat == seat)


def _value(spec: FreeText | Choice, observation: Observation, shift: int | None) -> str:
    if isinstance(spec, FreeText):
        return _TEXT
    seats = observation.seats
    start = 0 if shift is None else (seats.index(observation.seat) + shift) % len(seats)
    in_turn = (*seats[start:], *seats[:start])
    return next((seat for seat in in_turn if seat in spec.options), spec.options[0])
