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


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchQueue:
    """All matches of a run in the order of admission, and where each is played."""

    matches: tuple[QueuedMatch, ...]
    assignments: Mapping[str, Assignments]
    """By match. Matches of one script, pair and choice of replicas share their value."""
    requests: Mapping[str, int]
    """By match: expected number of decision requests."""


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


def plan_assignments(
    plan: Sequence[MatchSpec],
    estimates: Mapping[str, MatchEstimate],
    models: Mapping[str, ModelHandle],
) -> MatchQueue:
    """Return the matches of `plan` as admission queues them.

    Token counts are exact where the model's tokenizer is available. Matches of one script, pair and
    choice of replicas share all values, so that a queued match costs little more than its name.
    """
    planner = _Planner(estimates, models)
    queued: list[QueuedMatch] = []
    assignments: dict[str, Assignments] = {}
    for spec in plan:
        needs = planner.needs(spec)
        assignments[spec.id] = needs.assignments
        queued.append(
            QueuedMatch(
                match=spec.id,
                script=spec.script.sha256,
                pair=(spec.civilians, spec.murderer),
                demands=needs.demands,
            )
        )
    return MatchQueue(
        matches=admission_order(queued, {}),
        assignments=assignments,
        requests={spec.id: estimates[spec.script.sha256].requests for spec in plan},
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

    def needs(self, spec: MatchSpec) -> _Needs:
        """Return what `spec` needs on its script's home replica, or on one with less load."""
        sides = tuple(self._sides(spec))
        urls = (side.replica.url for side in sides)
        key = (spec.script.sha256, spec.civilians, spec.murderer, *urls)
        if key not in self._known:
            self._known[key] = self._compute(spec.script.sha256, sides)
        for demand in self._known[key].demands:
            self._loads.add(demand)
        return self._known[key]

    def _sides(self, spec: MatchSpec) -> Iterator[_Side]:
        for name, murderer in ((spec.civilians, False), (spec.murderer, True)):
            who = read_contestant(name)
            if who.model is None:
                continue
            replicas = {replica.url: replica for replica in self._models[who.model].replicas}
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
                certain = max(0, tokens.header - _TEMPLATE_TOKENS) if limits.exact else 0
                headers[seat] = SharedPrefix(key=prefixes[seat].key, tokens=certain)
                endpoints[seat] = side.replica.url
                peaks[seat] = tokens.rest
            assignments[side.model] = ReplicaAssignment(replica=side.replica, headers=headers)
        nothing = KvDemand(endpoint=NO_ENDPOINT, prefixes=(), peak=0)
        demands = kv_demands(endpoints, prefixes, peaks) or (nothing,)
        return _Needs(assignments=assignments, demands=demands)
