"""Turn ledger: a seat's findings about each victim, from the turns in which it asked.

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
    """Findings of one turn about a victim."""

    request: str
    events: int
    """Number of events that the seat had observed."""
    victim: str
    round: int
    suspects: tuple[SeatId, ...]
    """The suspects in the turn, in the order of the script."""
    credited: tuple[SeatId, ...] = ()
    """Seats that get credit for the gain since the last pruning."""
    gain: float = 0.0
    target: SeatId | None = None
    """The asked seat; None: no question."""
    investigates: bool = False
    """Whether it searched for a clue instead."""
    readings: SensorReadings
    """Readings of the target before it was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimKnowledge:
    """Knowledge at the start of a turn about a victim."""

    suspects: tuple[SeatId, ...]
    gains: Mapping[SeatId, tuple[Gain, ...]] = field(default_factory=dict[SeatId, tuple[Gain, ...]])
    events: int = 0
    """Number of observed events at the last pruning."""
    is_current: bool = False
    """Whether the list was already pruned in this round."""
    readings: Mapping[SeatId, SensorReadings] = field(default_factory=dict[SeatId, SensorReadings])
    """Readings of the seats that were asked since the last pruning."""

    def after(
        self, suspects: tuple[SeatId, ...], credited: tuple[SeatId, ...], gain: Gain
    ) -> "VictimKnowledge":
        """Return the knowledge after a pruning."""
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
        """Return the findings of an earlier attempt at a request."""
        return self._found.get(request)

    def before(
        self, victim: str, events: int, number: int, others: tuple[SeatId, ...]
    ) -> VictimKnowledge:
        """Return the knowledge about a victim in round `number`, after `events` events.

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
