"""Assignment of matches to replicas, and their KV demand there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from arena.core.game import Game
from arena.core.transitions import GameError
from arena.errors import ConfigError
from arena.players.contestants import Contestant, read_contestant
from arena.players.roster import limits_of
from arena.records.run_config import MatchSpec, RunConfig
from arena.run.prompt_estimates import MatchEstimate, estimate_match
from arena.run.servers.model_handle import ModelHandle, Replica
from arena.schedule.admission_order import admission_order
from arena.schedule.capacity import KvCapacity
from arena.schedule.footprint import Footprint, KvDemand, PlannedTurn, QueuedMatch, SharedPrefix
from arena.schedule.wait_queue import Placement
from scripts_mm.script import Script

NO_ENDPOINT = "no server"
"""Endpoint name of a match whose players need no model."""

_UNLIMITED = 1 << 48
"""Tokens: more than any server can hold."""
_TEMPLATE_TOKENS = 16
"""Tokens that a chat template can put after a header: the count includes them, the shared prefix
does not.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplicaAssignment:
    """Server of one model for one match, and the shared prefixes of its seats."""

    replica: Replica
    headers: Mapping[str, SharedPrefix]
    """By seat."""


Assignments = Mapping[str, ReplicaAssignment]
"""By the model's name in a contestant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A contestant that needs a model, and the seats that it plays."""

    who: Contestant
    model: str
    murderer: bool


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
    """Return the estimated match of each script, by content hash.

    Raises `ConfigError` if the game breaks the platform's rules or does not end.
    """
    try:
        return {
            sha256: estimate_match(game, one, config.options) for sha256, one in scripts.items()
        }
    except GameError as error:
        raise ConfigError(str(error)) from error


class MatchAssignments:
    """Possible replicas of each match of a run. A match leaves a replica that fails it.

    Token counts are exact if the model's tokenizer is available. Matches of one script and pair
    share all values, so a queued match costs little more memory than its name.
    """

    def __init__(
        self,
        plan: Sequence[MatchSpec],
        estimates: Mapping[str, MatchEstimate],
        models: Mapping[str, ModelHandle],
    ) -> None:
        """Compute the choices of every match of `plan`."""
        self._estimates, self._models = estimates, models
        self._specs = {spec.id: spec for spec in plan}
        self._left: dict[str, frozenset[str]] = {}
        """By match: URLs of the replicas that it has left."""
        self._known: dict[tuple[str, str, str, frozenset[str]], tuple[Placement, ...]] = {}
        """By script, civilians, murderer and the replicas that the match has left."""
        self._headers: dict[int, dict[str, SharedPrefix]] = {}
        """By identity of a footprint: the prefixes with which its seats' prompts certainly begin.
        """
        self.matches = admission_order([self._make_queued(spec) for spec in plan], {})
        """All matches as queued for admission, in admission order."""
        self.requests = {spec.id: estimates[spec.script.sha256].requests for spec in plan}
        """By match: expected number of decision requests."""

    def of(self, demands: Placement) -> Assignments:
        """Return the server of each model for a match with these demands."""
        return {
            model: ReplicaAssignment(
                replica=_replicas(self._models[model])[demand.endpoint],
                headers=self._headers.get(id(demand.footprint), {}),
            )
            for demand in demands
            for model in demand.models
        }

    def move(self, match: str, here: Placement) -> QueuedMatch | None:
        """Queue a match on other servers after `here` failed it; None: there are no others.

        A model with one replica keeps it if another model of the match can move.
        """
        spec = self._specs[match]
        left = self._left.get(match, frozenset()) | {one.endpoint for one in here}
        names = {model for one in here for model in one.models}
        if not any(
            set(_replicas(self._models[name])) - left
            for name in names
            if len(self._models[name].replicas) > 1
        ):
            return None
        self._left[match] = left
        return self._make_queued(spec)

    def _make_queued(self, spec: MatchSpec) -> QueuedMatch:
        left = self._left.get(spec.id, frozenset())
        key = (spec.script.sha256, spec.civilians, spec.murderer, left)
        if key not in self._known:
            self._known[key] = tuple(self._choices(spec, left))
        return QueuedMatch(
            match=spec.id,
            script=spec.script.sha256,
            pair=(spec.civilians, spec.murderer),
            choices=self._known[key],
        )

    def _choices(self, spec: MatchSpec, left: frozenset[str]) -> Iterator[Placement]:
        """Yield one choice for each combination of the models' replicas.

        `left`: URLs of replicas that are used only if a model has no others.
        """
        sides = [
            _Side(who=who, model=who.model, murderer=murderer)
            for name, murderer in ((spec.civilians, False), (spec.murderer, True))
            if (who := read_contestant(name)).model is not None
        ]
        models = sorted({side.model for side in sides})
        every = [list(_replicas(self._models[model])) for model in models]
        urls = [[url for url in some if url not in left] or some for some in every]
        footprints: dict[frozenset[str], Footprint] = {}
        for combination in product(*urls):
            places = dict(zip(models, combination, strict=True))
            demands: list[KvDemand] = []
            for url in sorted(set(combination)):
                here = frozenset(model for model in models if places[model] == url)
                if here not in footprints:
                    some = [side for side in sides if side.model in here]
                    footprints[here] = self._footprint(spec.script.sha256, some)
                demands.append(KvDemand(endpoint=url, footprint=footprints[here], models=here))
            yield tuple(demands) or (KvDemand(endpoint=NO_ENDPOINT, footprint=_NOTHING),)

    def _footprint(self, script: str, sides: Sequence[_Side]) -> Footprint:
        estimate = self._estimates[script]
        prefixes: dict[str, SharedPrefix] = {}
        headers: dict[str, SharedPrefix] = {}
        turns: dict[str, tuple[PlannedTurn, ...]] = {}
        for side in sides:
            limits = limits_of(side.who, self._models[side.model].limits)
            for seat in estimate.seats(murderer=side.murderer):
                tokens = estimate.seat(seat, side.who, limits)
                prefixes[seat] = SharedPrefix(key=f"{script[:16]}/{seat}", tokens=tokens.header)
                # The footprint counts the whole header: an estimate that is too high is safe. The
                # prediction counts only what is certainly cached: each token too many would look
                # like a cache miss and lower the overcommit ratio.
                is_certain = limits.exact and estimate.has_fixed_parts
                certain = max(0, tokens.header - _TEMPLATE_TOKENS) if is_certain else 0
                headers[seat] = SharedPrefix(key=prefixes[seat].key, tokens=certain)
                turns[seat] = tokens.turns
        is_exact = all(self._models[side.model].limits.exact for side in sides)
        footprint = Footprint(prefixes=prefixes, turns=turns, is_exact=is_exact)
        self._headers[id(footprint)] = headers
        return footprint


_NOTHING: Final = Footprint(prefixes={}, turns={})
"""Footprint of players that need no model."""


def _replicas(model: ModelHandle) -> dict[str, Replica]:
    return {replica.url: replica for replica in model.replicas}
