"""Where the matches of a run are played, and what each needs there: worked out beforehand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.actions import SeatId
from arena.core.options import Options
from arena.players.contestants import read_contestant
from arena.run.config import MatchSpec, RunConfig
from arena.run.needs import Outline, outline
from arena.run.open_model import OpenModel, Replica
from arena.schedule.capacity import Capacity
from arena.schedule.footprint import Demand, Offer, Share, demands
from arena.schedule.forecast import Head
from arena.schedule.ordering import in_order
from arena.schedule.placement import place
from scripts_mm.script import Script

NOWHERE = "no server"
"""The endpoint of a match between players that need no model."""

_ENDLESS = 1 << 48


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One model's server for one match, and how its seats' prompts begin."""

    replica: Replica
    heads: Mapping[str, Head]
    """By seat."""


Places = Mapping[str, Place]
"""By the model's name in a contestant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranged:
    """All matches of a run in the order in which they shall be let in, and where each is played."""

    offers: tuple[Offer, ...]
    places: Mapping[str, Places]
    """By match. Matches of one script and pair share their value."""


def capacities(models: Mapping[str, OpenModel]) -> dict[str, Capacity]:
    """Return what each server holds; one that nobody knows of has room for everything."""
    known = {
        replica.url: Capacity(
            endpoint=replica.url, tokens=replica.kv_tokens or _ENDLESS, block=replica.block
        )
        for model in models.values()
        for replica in model.replicas
    }
    return {**known, NOWHERE: Capacity(endpoint=NOWHERE, tokens=_ENDLESS, block=1)}


def arrange(
    config: RunConfig,
    plan: Sequence[MatchSpec],
    scripts: Mapping[str, Script],
    models: Mapping[str, OpenModel],
) -> Arranged:
    """Return how the matches of `plan` are offered to the scheduler.

    Token counts are exact where the model's tokenizer is at hand; matches of one script and pair
    share all values, so that a parked match costs little more than its name.
    """
    planner = _Planner(config.options, scripts, models)
    offers: list[Offer] = []
    places: dict[str, Places] = {}
    for spec in plan:
        needs = planner.needs(spec)
        places[spec.id] = needs.places
        offers.append(
            Offer(
                match=spec.id,
                script=spec.script.sha256,
                pair=(spec.civilians, spec.murderer),
                demands=needs.demands,
            )
        )
    return Arranged(offers=in_order(offers, {}), places=places)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Needs:
    places: Places
    demands: tuple[Demand, ...]


@dataclass(slots=True)
class _Seated:
    """The seats of one match that a model plays, side by side."""

    where: dict[str, str] = field(default_factory=dict[str, str])
    shares: dict[str, Share] = field(default_factory=dict[str, Share])
    peaks: dict[str, int] = field(default_factory=dict[str, int])
    places: dict[str, Place] = field(default_factory=dict[str, Place])


class _Planner:
    """What matches need, worked out once for each script and pair."""

    def __init__(
        self,
        options: Options,
        scripts: Mapping[str, Script],
        models: Mapping[str, OpenModel],
    ) -> None:
        self._models = models
        self._outlines = {sha256: outline(s, options) for sha256, s in scripts.items()}
        self._known: dict[tuple[str, str, str], _Needs] = {}
        self._replicas: dict[tuple[str, str], Replica] = {}
        self._load: dict[str, float] = {}
        """By URL: the part of its memory that the scripts placed there so far would take."""

    def needs(self, spec: MatchSpec) -> _Needs:
        """Return what `spec` needs, and where."""
        key = (spec.script.sha256, spec.civilians, spec.murderer)
        if key not in self._known:
            self._known[key] = self._work_out(spec)
        return self._known[key]

    def _work_out(self, spec: MatchSpec) -> _Needs:
        known = self._outlines[spec.script.sha256]
        seated = _Seated()
        for name, murderer in ((spec.civilians, False), (spec.murderer, True)):
            self._seat(seated, name, spec.script.sha256, known, known.seats(murderer=murderer))
        found = demands(seated.where, seated.shares, seated.peaks)
        rooms = capacities(self._models)
        for demand in found:
            part = demand.shared / rooms[demand.endpoint].tokens
            self._load[demand.endpoint] = self._load.get(demand.endpoint, 0.0) + part
        nothing = Demand(endpoint=NOWHERE, shares=(), peak=0)
        return _Needs(places=seated.places, demands=found or (nothing,))

    def _seat(
        self,
        seated: _Seated,
        contestant: str,
        script: str,
        known: Outline,
        seats: tuple[SeatId, ...],
    ) -> None:
        who = read_contestant(contestant)
        if who.model is None:
            return
        model, replica = self._models[who.model], self._replica(who.model, script)
        heads: dict[str, Head] = {}
        for seat in seats:
            head = Head(key=f"{script[:16]}/{seat}", tokens=model.count(known.heads[seat]))
            heads[seat] = head
            seated.where[seat] = replica.url
            seated.shares[seat] = Share(key=head.key, tokens=head.tokens)
            seated.peaks[seat] = known.peak(seat, who, model)
        before = seated.places.get(who.model)
        seated.places[who.model] = Place(
            replica=replica, heads={**(before.heads if before else {}), **heads}
        )

    def _replica(self, model: str, script: str) -> Replica:
        """Return where the matches of a script are played, whoever else plays in them."""
        if (model, script) not in self._replicas:
            there = {replica.url: replica for replica in self._models[model].replicas}
            chosen = place(f"{model}/{script}", tuple(there), self._load)
            self._replicas[model, script] = there[chosen]
        return self._replicas[model, script]
