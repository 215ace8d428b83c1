"""What a seat found out about each victim, from the turns in which it asked.

The memory of a turn is what came out of its steps. What a later turn starts from follows from the
turns before it alone: those that began when the seat had observed less. So requests that are
answered at the same time do not depend on one another, and a resumed match gets the same memory.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from arena.core.seats import SeatId
from arena.players.questum.score import Gain
from arena.players.questum.sensors import SensorReadings


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFindings:
    """What one turn found about a victim."""

    request: str
    events: int
    """How many events the seat had observed."""
    victim: str
    round: int
    suspects: tuple[SeatId, ...]
    """Who is a suspect in the turn, in the order of the script."""
    credited: tuple[SeatId, ...] = ()
    """Whose questions of the rounds before shortened the list."""
    gain: float = 0.0
    target: SeatId | None = None
    """Whom the seat asked; None: nobody."""
    investigates: bool = False
    """It looked for a clue instead."""
    readings: SensorReadings
    """Of the target, before it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimKnowledge:
    """What a turn about a victim starts from."""

    suspects: tuple[SeatId, ...]
    gains: Mapping[SeatId, tuple[Gain, ...]] = field(default_factory=dict[SeatId, tuple[Gain, ...]])
    events: int = 0
    """How many events had been observed when the list was last looked over."""
    is_current: bool = False
    """The list was already looked over in this round."""
    readings: Mapping[SeatId, SensorReadings] = field(default_factory=dict[SeatId, SensorReadings])
    """Of the seats that were asked since the list was last looked over."""

    def after(
        self, suspects: tuple[SeatId, ...], credited: tuple[SeatId, ...], gain: Gain
    ) -> "VictimKnowledge":
        """Return what is known after the list was looked over."""
        gains = dict(self.gains)
        for seat in credited:
            gains[seat] = (*gains.get(seat, ()), gain)
        return replace(self, suspects=suspects, gains=gains, is_current=True, readings={})


class TurnLedger:
    """The turns of one seat in one match."""

    def __init__(self) -> None:
        self._found: dict[str, TurnFindings] = {}

    def add(self, found: TurnFindings) -> None:
        """Add a turn, at its end."""
        self._found[found.request] = found

    def find(self, request: str) -> TurnFindings | None:
        """Return what an earlier attempt at a request found."""
        return self._found.get(request)

    def before(
        self, victim: str, events: int, number: int, others: tuple[SeatId, ...]
    ) -> VictimKnowledge:
        """Return what is known about a victim in round `number`, after `events` events.

        At first all `others` are suspects. Of several turns of a round, the first that did not know
        of the others' lists decides about the list.
        """
        earlier = sorted(
            (one for one in self._found.values() if one.victim == victim and one.events < events),
            key=lambda one: (one.events, one.request),
        )
        known, seen = VictimKnowledge(suspects=others), set[int]()
        for one in earlier:
            if one.round not in seen:
                known = known.after(one.suspects, one.credited, (one.round - 1, one.gain))
                known = replace(known, events=one.events)
            seen.add(one.round)
            if one.target is not None:
                known = replace(known, readings={**known.readings, one.target: one.readings})
        return replace(known, is_current=number in seen or number == 1)
