"""Where the matches of a run are played, and what each needs there: worked out beforehand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.core.options import Options
from arena.players.contestants import Contestant, read_contestant
from arena.players.roster import means_of
from arena.run.config import MatchSpec, RunConfig
from arena.run.needs import outline
from arena.run.open_model import OpenModel, Replica
from arena.schedule.capacity import Capacity
from arena.schedule.footprint import Demand, Offer, Share, demands
from arena.schedule.forecast import Head
from arena.schedule.ordering import in_order
from arena.schedule.placement import Loads, place
from scripts_mm.script import Script

NOWHERE = "no server"
"""The endpoint of a match between players that need no model."""

_ENDLESS = 1 << 48
_OPENING = 16
"""Tokens that a template may put before a reply: counted with a beginning, no part of it."""


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
    """By match. Matches of one script, pair and choice of servers share their value."""


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

    Token counts are exact where the model's tokenizer is at hand. Matches of one script, pair and
    choice of servers share all values, so that a parked match costs little more than its name.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A contestant that needs a model, the server that it is played on, and its seats."""

    who: Contestant
    name: str
    """The model's, in the contestant."""
    replica: Replica
    murderer: bool


class _Planner:
    """What matches need, worked out once for each script, pair and choice of replicas."""

    def __init__(
        self, options: Options, scripts: Mapping[str, Script], models: Mapping[str, OpenModel]
    ) -> None:
        self._models = models
        self._outlines = {sha256: outline(s, options) for sha256, s in scripts.items()}
        self._known: dict[tuple[str, ...], _Needs] = {}
        self._loads = Loads({url: room.tokens for url, room in capacities(models).items()})

    def needs(self, spec: MatchSpec) -> _Needs:
        """Return what `spec` needs: where its script is played, or another has more room."""
        sides = tuple(self._sides(spec))
        urls = (side.replica.url for side in sides)
        key = (spec.script.sha256, spec.civilians, spec.murderer, *urls)
        if key not in self._known:
            self._known[key] = self._work_out(spec.script.sha256, sides)
        for demand in self._known[key].demands:
            self._loads.add(demand)
        return self._known[key]

    def _sides(self, spec: MatchSpec) -> Iterator[_Side]:
        for name, murderer in ((spec.civilians, False), (spec.murderer, True)):
            who = read_contestant(name)
            if who.model is None:
                continue
            there = {replica.url: replica for replica in self._models[who.model].replicas}
            url = place(f"{who.model}/{spec.script.sha256}", tuple(there), self._loads.parts)
            yield _Side(who=who, name=who.model, replica=there[url], murderer=murderer)

    def _work_out(self, script: str, sides: tuple[_Side, ...]) -> _Needs:
        known = self._outlines[script]
        where: dict[str, str] = {}
        shares: dict[str, Share] = {}
        peaks: dict[str, int] = {}
        places: dict[str, Place] = {}
        for side in sides:
            model, before = self._models[side.name], places.get(side.name)
            heads = dict(before.heads) if before else {}
            means = means_of(side.who, model.means)
            for seat in known.seats(murderer=side.murderer):
                need = known.need(seat, side.who, means)
                shares[seat] = Share(key=f"{script[:16]}/{seat}", tokens=need.head)
                certain = max(0, need.head - _OPENING) if means.exact else 0
                heads[seat] = Head(key=shares[seat].key, tokens=certain)
                where[seat] = side.replica.url
                peaks[seat] = need.own
            places[side.name] = Place(replica=side.replica, heads=heads)
        nothing = Demand(endpoint=NOWHERE, shares=(), peak=0)
        return _Needs(places=places, demands=demands(where, shares, peaks) or (nothing,))
