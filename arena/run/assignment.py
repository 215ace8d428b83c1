"""Assignment of matches to replicas, and their KV demand there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.core.game import Game
from arena.core.play import GameError
from arena.errors import ConfigError
from arena.players.contestants import Contestant, read_contestant
from arena.players.roster import limits_of
from arena.records.config import MatchSpec, RunConfig
from arena.run.model_handle import ModelHandle, Replica
from arena.run.prompt_estimates import MatchEstimate, estimate_match
from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import KvDemand, QueuedMatch, SharedPrefix, kv_demands
from arena.schedule.ordering import admission_order
from arena.schedule.placement import ReplicaLoads, choose_replica
from scripts_mm.script import Script

NO_ENDPOINT = "no server"
"""The endpoint of a match between players that need no model."""

_UNLIMITED = 1 << 48
"""Tokens: more than any server holds."""
_TEMPLATE_TOKENS = 16
"""Tokens that a chat template may put after a header: the count includes them, the shared prefix
does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaAssignment:
    """One model's server for one match, and how its seats' prompts begin."""

    replica: Replica
    headers: Mapping[str, SharedPrefix]
    """By seat."""


Assignments = Mapping[str, ReplicaAssignment]
"""By the model's name in a contestant."""


def kv_capacities(models: Mapping[str, ModelHandle]) -> dict[str, KvCapacity]:
    """Return the KV capacity of each server; unlimited for one that does not report it."""
    known = {
        replica.url: KvCapacity(
            endpoint=replica.url,
            tokens=replica.kv_tokens or _UNLIMITED,
            block_size=replica.block_tokens,
        )
        for model in models.values()
        for replica in model.replicas
    }
    nowhere = KvCapacity(endpoint=NO_ENDPOINT, tokens=_UNLIMITED, block_size=1)
    return {**known, NO_ENDPOINT: nowhere}


def estimate_scripts(
    game: Game, config: RunConfig, scripts: Mapping[str, Script]
) -> dict[str, MatchEstimate]:
    """Return the expected course of the matches of each script, by content hash.

    Raises `ConfigError` where the game breaks the platform's rules or does not end.
    """
    try:
        return {
            sha256: estimate_match(game, one, config.options) for sha256, one in scripts.items()
        }
    except GameError as error:
        raise ConfigError(str(error)) from error


class MatchAssignments:
    """Where each match of a run is played. Matches leave a replica that fails them.

    Token counts are exact where the model's tokenizer is available. Matches of one script, pair and
    choice of replicas share all values, so that a queued match costs little more than its name.
    """

    def __init__(
        self,
        plan: Sequence[MatchSpec],
        estimates: Mapping[str, MatchEstimate],
        models: Mapping[str, ModelHandle],
    ) -> None:
        """Assign every match of `plan`."""
        self._planner = _Planner(estimates, models)
        self._specs = {spec.id: spec for spec in plan}
        self._assignments: dict[str, Assignments] = {}
        self._left: dict[str, frozenset[str]] = {}
        """By match: the URLs of replicas that it has left."""
        self.matches = admission_order([self._assign(spec) for spec in plan], {})
        """All matches as admission queues them, in its order."""
        self.requests = {spec.id: estimates[spec.script.sha256].requests for spec in plan}
        """By match: expected number of decision requests."""

    def of(self, match: str) -> Assignments:
        """Return where the models of a match are asked."""
        return self._assignments[match]

    def move(self, match: str) -> QueuedMatch | None:
        """Assign a match whose servers failed it to others; None: there are no others.

        A model with one replica keeps it, if another model of the match can move.
        """
        spec = self._specs[match]
        here = {one.replica.url for one in self._assignments[match].values()}
        left = self._left.get(match, frozenset()) | here
        if not self._planner.has_others(spec, left):
            return None
        self._left[match] = left
        return self._assign(spec)

    def _assign(self, spec: MatchSpec) -> QueuedMatch:
        needs = self._planner.needs(spec, self._left.get(spec.id, frozenset()))
        self._assignments[spec.id] = needs.assignments
        return QueuedMatch(
            match=spec.id,
            script=spec.script.sha256,
            pair=(spec.civilians, spec.murderer),
            demands=needs.demands,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Needs:
    assignments: Assignments
    demands: tuple[KvDemand, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A contestant that needs a model, the replica that it is played on, and its seats."""

    who: Contestant
    model: str
    replica: Replica
    murderer: bool


class _Planner:
    """Planner of what matches need, computed once for each script, pair and choice of replicas."""

    def __init__(
        self, estimates: Mapping[str, MatchEstimate], models: Mapping[str, ModelHandle]
    ) -> None:
        self._estimates, self._models = estimates, models
        self._known: dict[tuple[str, ...], _Needs] = {}
        self._loads = ReplicaLoads(
            {url: capacity.tokens for url, capacity in kv_capacities(models).items()}
        )

    def has_others(self, spec: MatchSpec, left: frozenset[str]) -> bool:
        """Return whether a model of `spec` has a replica that the match has not left."""
        names = [read_contestant(name).model for name in (spec.civilians, spec.murderer)]
        return any(
            replica.url not in left
            for name in names
            if name is not None and len(self._models[name].replicas) > 1
            for replica in self._models[name].replicas
        )

    def needs(self, spec: MatchSpec, left: frozenset[str]) -> _Needs:
        """Return what `spec` needs on its script's home replica, or on one with less load.

        `left`: the URLs of replicas that are taken only if a model has no others.
        """
        sides = tuple(self._sides(spec, left))
        urls = (side.replica.url for side in sides)
        key = (spec.script.sha256, spec.civilians, spec.murderer, *urls)
        if key not in self._known:
            self._known[key] = self._compute(spec.script.sha256, sides)
        for demand in self._known[key].demands:
            self._loads.add(demand)
        return self._known[key]

    def _sides(self, spec: MatchSpec, left: frozenset[str]) -> Iterator[_Side]:
        for name, murderer in ((spec.civilians, False), (spec.murderer, True)):
            who = read_contestant(name)
            if who.model is None:
                continue
            every = {replica.url: replica for replica in self._models[who.model].replicas}
            replicas = {url: one for url, one in every.items() if url not in left} or every
            home = f"{who.model}/{spec.script.sha256}"
            url = choose_replica(home, tuple(replicas), self._loads.loads)
            yield _Side(who=who, model=who.model, replica=replicas[url], murderer=murderer)

    def _compute(self, script: str, sides: tuple[_Side, ...]) -> _Needs:
        estimate = self._estimates[script]
        endpoints: dict[str, str] = {}
        prefixes: dict[str, SharedPrefix] = {}
        peaks: dict[str, int] = {}
        assignments: dict[str, ReplicaAssignment] = {}
        for side in sides:
            before = assignments.get(side.model)
            headers = dict(before.headers) if before else {}
            limits = limits_of(side.who, self._models[side.model].limits)
            for seat in estimate.seats(murderer=side.murderer):
                tokens = estimate.seat(seat, side.who, limits)
                prefixes[seat] = SharedPrefix(key=f"{script[:16]}/{seat}", tokens=tokens.header)
                # The footprint takes the whole header: an estimate that is too high is safe. The
                # prediction takes only what is certainly cached: each token too many would look
                # like a cache miss and lower the overcommit ratio.
                is_certain = limits.exact and estimate.has_fixed_parts
                certain = max(0, tokens.header - _TEMPLATE_TOKENS) if is_certain else 0
                headers[seat] = SharedPrefix(key=prefixes[seat].key, tokens=certain)
                endpoints[seat] = side.replica.url
                peaks[seat] = tokens.rest
            assignments[side.model] = ReplicaAssignment(replica=side.replica, headers=headers)
        nothing = KvDemand(endpoint=NO_ENDPOINT, prefixes=(), peak=0)
        demands = kv_demands(endpoints, prefixes, peaks) or (nothing,)
        return _Needs(assignments=assignments, demands=demands)
