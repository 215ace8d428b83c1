"""Play of a load with the code of real runs, without a record, and its figures."""

import asyncio
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from arena.core.events import Event
from arena.core.options import GameOptions
from arena.games.game_registry import find_game
from arena.models.chat import CallId, ChatModel, Completion, Request
from arena.models.recording import RecordedCall
from arena.records.match_record import MatchWriter
from arena.records.match_summary import MatchSummary
from arena.records.probe_answers import ProbeAnswer
from arena.records.run_config import MatchSpec, RunConfig, ScriptRef
from arena.run.assignment import estimate_scripts, kv_capacities
from arena.run.match_batch import MatchCrash
from arena.run.observer import BaseObserver, CompositeObserver
from arena.run.play_plan import RunPlan, play_plan
from arena.run.servers.model_handle import ModelHandle
from arena.schedule.admission import AdmissionController, AdmissionPolicy
from scripts_mm.script import Script

_DEADLINE = 1e9
"""Seconds: an arm can delay a request arbitrarily."""
_PROJECTED_AFTER = 3
"""Turns of each seat, after which the peak of a match is projected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Matches to play."""

    config: RunConfig
    scripts: Mapping[str, Script]
    """By content hash."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSettings:
    """Settings of how requests are sent. The defaults are those of real runs."""

    gate: int | None = None
    """Maximum requests in flight over all servers; None: unlimited."""
    priorities: bool = True
    """False: all requests have one priority."""
    salt: str = ""
    """Separates the blocks of this play from others', on a server that keeps its cache."""
    reply_tokens: int | None = None
    """Maximum tokens of a reply; None: as the model has it. Random weights do not end a reply."""


DEFAULT_CLIENT = ClientSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadResult:
    """Figures of a play."""

    seconds: float
    """Seconds of the event loop's clock, which can be virtual."""
    results: tuple[MatchSummary | MatchCrash, ...]
    calls: int
    prompt_tokens: int
    cached_tokens: int
    """Cached tokens that the servers report."""
    reported_tokens: int
    """Prompt tokens of the calls whose cached tokens were reported."""
    output_tokens: int
    retries: int
    turns: tuple[float, ...]
    """Seconds of each call, from sending to completion, rising; the client's gate included."""
    matches: tuple[float, ...]
    """Seconds of each match, from admission to its end, rising."""
    live_most: int
    """Maximum number of live matches."""
    projections: tuple[float, ...]
    """For each finished match: projected over actual peak of its own tokens; projected after three
    turns of each seat on average.
    """
    cpu_seconds: float
    """CPU time of this process; in virtual time it includes the simulated engine."""
    preemptions: int | None = None
    """Of the servers; None: unknown."""
    busy_replicas: int | None = None
    """Simulated servers that received a call."""
    belady: float | None = None
    """Maximum hit rate of a cache of this size for the same requests in their order; None: unknown.
    """

    @property
    def hit_rate(self) -> float | None:
        """Return the cached share of the prompt tokens; None: no server reports it."""
        return self.cached_tokens / self.reported_tokens if self.reported_tokens else None

    @property
    def finished_count(self) -> int:
        """Return the number of matches that were played to a verdict."""
        return sum(map(is_finished, self.results))


def is_finished(result: MatchSummary | MatchCrash) -> bool:
    """Tell whether a match was played to a verdict."""
    return isinstance(result, MatchSummary) and result.outcome not in {"error", "forfeit"}


def make_workload(config: RunConfig, scripts: Sequence[Script]) -> Workload:
    """Return the load of `config` on `scripts` (instead of its own), without a deadline."""
    by_hash = {sha256(f"{one.id}/{one.language}".encode()).hexdigest(): one for one in scripts}
    refs = tuple(
        ScriptRef(path=one.id, id=one.id, language=one.language, sha256=key)
        for key, one in by_hash.items()
    )
    return Workload(config=replace(config, scripts=refs, deadline=_DEADLINE), scripts=by_hash)


async def play_workload(
    load: Workload,
    models: Mapping[str, ModelHandle],
    policy: AdmissionPolicy,
    client: ClientSettings = DEFAULT_CLIENT,
    observer: BaseObserver | None = None,
) -> WorkloadResult:
    """Play all matches of `load` on `models`, notifying `observer`. A failed match is a result.

    Raises `ConfigError` if the game does not end.
    """
    game = find_game(load.config.game)
    estimates = estimate_scripts(game, load.config, load.scripts)
    controller = AdmissionController(kv_capacities(models), policy=policy)
    watch = _WorkloadObserver(clock=asyncio.get_running_loop().time, controller=controller)
    gate = nullcontext() if client.gate is None else asyncio.Semaphore(client.gate)
    started, cpu = watch.clock(), time.process_time()
    results = await play_plan(
        RunPlan(
            config=load.config,
            game=game,
            name="bench",
            scripts=load.scripts,
            estimates=estimates,
            models={name: _wrap(model, client, gate, watch) for name, model in models.items()},
            observer=CompositeObserver(watch, observer or BaseObserver()),
            record=lambda match: _NullMatchStore(Path(match), watch),
            controller=controller,
        )
    )
    done = watch.completions
    return WorkloadResult(
        seconds=watch.clock() - started,
        results=results,
        calls=len(done),
        prompt_tokens=sum(one.prompt_tokens for one in done),
        cached_tokens=sum(one.cached_tokens or 0 for one in done),
        reported_tokens=sum(one.prompt_tokens for one in done if one.cached_tokens is not None),
        output_tokens=sum(one.output_tokens for one in done),
        retries=sum(one.retries for one in done),
        turns=tuple(sorted(watch.turns)),
        matches=tuple(sorted(watch.matches.values())),
        live_most=watch.live_most,
        projections=tuple(watch.projections),
        cpu_seconds=time.process_time() - cpu,
    )


@dataclass(slots=True, kw_only=True)
class _WorkloadObserver(BaseObserver):
    """Observer that collects completions and times, and counts live matches."""

    clock: Callable[[], float]
    controller: AdmissionController
    completions: list[Completion] = field(default_factory=list[Completion])
    turns: list[float] = field(default_factory=list[float])
    matches: dict[Path, float] = field(default_factory=dict[Path, float])
    live: int = 0
    live_most: int = 0
    projections: list[float] = field(default_factory=list[float])
    peaks: dict[str, "_TokenPeak"] = field(default_factory=dict[str, "_TokenPeak"])
    """By live match."""

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Record a call, and the projection of its match after three turns of each seat."""
        self.completions.append(completion)
        peak = self.peaks.setdefault(match, _TokenPeak())
        own, expected, seats = self.controller.own_tokens(match)
        peak.actual = max(peak.actual, own)
        peak.calls += 1
        if peak.calls == _PROJECTED_AFTER * seats:
            peak.projected = expected

    def on_match_end(self, summary: MatchSummary) -> None:
        """Record the projection of a match that was played to its end."""
        peak = self.peaks.pop(summary.match, _TokenPeak())
        if peak.projected and peak.actual and is_finished(summary):
            self.projections.append(peak.projected / peak.actual)


@dataclass(slots=True)
class _TokenPeak:
    """Peak of one match's own tokens."""

    calls: int = 0
    projected: int = 0
    actual: int = 0


@dataclass(frozen=True, slots=True)
class _NullMatchStore:
    """A `MatchStore` that stores nothing: a benchmark's match is not continued."""

    path: Path
    watch: _WorkloadObserver

    def find_result(self, spec: MatchSpec, options: GameOptions) -> None:
        """Return None: nothing was played before."""

    def summary(self) -> None:
        """Return None: nothing was played before."""

    def events(self) -> tuple[Event, ...]:
        """Return an empty tuple."""
        return ()

    def calls(self) -> Mapping[CallId, RecordedCall]:
        """Return an empty mapping."""
        return {}

    @contextmanager
    def open_writer(self) -> Generator[MatchWriter]:
        """Yield a writer that writes nothing; the match is live while the block runs."""
        watch, started = self.watch, self.watch.clock()
        watch.live += 1
        watch.live_most = max(watch.live_most, watch.live)
        try:
            yield MatchWriter(events=lambda _: None, call=lambda _: None)
        finally:
            watch.live -= 1
            watch.matches[self.path] = watch.clock() - started

    def write_probes(self, answers: Sequence[ProbeAnswer]) -> None:
        """Write nothing."""

    def write_summary(self, summary: MatchSummary) -> None:
        """Write nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ClientModel:
    """A `ChatModel` that sends requests as `ClientSettings` says, and measures their times."""

    chat: ChatModel
    client: ClientSettings
    gate: AbstractAsyncContextManager[Any]
    watch: _WorkloadObserver

    async def complete(self, request: Request) -> Completion:
        """Return the completion of the wrapped model."""
        started = self.watch.clock()
        changed = replace(
            request,
            priority=request.priority if self.client.priorities else 0,
            cache_salt=self.client.salt or request.cache_salt,
        )
        async with self.gate:
            completion = await self.chat.complete(changed)
        self.watch.turns.append(self.watch.clock() - started)
        return completion


def _wrap(
    model: ModelHandle,
    client: ClientSettings,
    gate: AbstractAsyncContextManager[Any],
    watch: _WorkloadObserver,
) -> ModelHandle:
    replicas = tuple(
        replace(one, chat=_ClientModel(chat=one.chat, client=client, gate=gate, watch=watch))
        for one in model.replicas
    )
    most = model.limits.reply_tokens if client.reply_tokens is None else client.reply_tokens
    limits = replace(model.limits, reply_tokens=min(model.limits.reply_tokens, most))
    return replace(model, replicas=replicas, limits=limits)
