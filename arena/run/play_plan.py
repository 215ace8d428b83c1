"""Execution of a run's plan: admits matches, moves them between replicas, reports them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.core.game import Game
from arena.core.seats import SeatId
from arena.memory.embedding import Embedder
from arena.players.human import Desks, HumanDesk
from arena.records.match_summary import MatchSummary
from arena.records.run_config import MatchSpec, RunConfig, match_specs
from arena.run.admission_gate import AdmissionGate
from arena.run.assignment import MatchAssignments
from arena.run.match.match_session import MatchEnd, MatchStore, run_match_spec
from arena.run.match_batch import MatchCrash, run_all
from arena.run.observer import PlannedMatch, RunObserver
from arena.run.prompt_estimates import MatchEstimate
from arena.run.run_context import RunContext
from arena.run.servers.model_handle import ModelHandle
from arena.schedule.admission import AdmissionController
from arena.schedule.footprint import QueuedMatch
from scripts_mm.script import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """Matches to play, their models, and where they are recorded and shown."""

    config: RunConfig
    game: Game
    name: str
    scripts: Mapping[str, Script]
    """By content hash."""
    estimates: Mapping[str, MatchEstimate]
    """By the content hash of a script."""
    models: Mapping[str, ModelHandle]
    """By the model's name in a contestant."""
    observer: RunObserver
    record: Callable[[str], MatchStore]
    """Return the record of a match by its id."""
    controller: AdmissionController
    """Admits the matches; knows the KV capacities of all servers of `models`."""
    embedders: Mapping[str, Embedder] = field(default_factory=dict[str, Embedder])
    """By the value of the option `embedding`."""
    desks: Desks = field(default_factory=dict[SeatId, HumanDesk])
    claim: Callable[[MatchSpec], bool] | None = None
    """Tell whether this process may play a match; called in a thread at its admission."""


async def play_plan(plan: RunPlan) -> tuple[MatchSummary | MatchCrash, ...]:
    """Play all matches of `plan`; return a summary or a crash for each, in their order.

    A match that another process has claimed has no result.
    """
    specs = match_specs(plan.config)
    queue = await asyncio.to_thread(MatchAssignments, specs, plan.estimates, plan.models)
    gate = AdmissionGate(plan.controller)
    gate.enqueue(queue.matches)
    run = RunContext(
        config=plan.config,
        game=plan.game,
        name=plan.name,
        scripts=plan.scripts,
        models=plan.models,
        embedders=plan.embedders,
        observer=plan.observer,
        desks=plan.desks,
        gate=gate,
        assignments=queue,
    )
    show_plan(plan.observer, specs, queue.requests)

    async def run_one(spec: MatchSpec) -> MatchEnd | None:
        if plan.claim is not None and not await asyncio.to_thread(plan.claim, spec):
            return None
        return await run_match_spec(run, spec, plan.record(spec.id))

    ends = await run_all(
        {spec.id: spec for spec in specs},
        run_one,
        gate,
        move=lambda end: None if end is None else _move(end, queue, gate, plan.observer),
    )
    return tuple(
        end if isinstance(end, MatchCrash) else end.summary for end in ends if end is not None
    )


def show_plan(
    observer: RunObserver, specs: Sequence[MatchSpec], requests: Mapping[str, int]
) -> None:
    """Notify an observer of all matches; `requests` are by match."""
    observer.on_plan(
        tuple(PlannedMatch(match=spec.id, requests=requests[spec.id]) for spec in specs)
    )


def _move(
    end: MatchEnd, queue: MatchAssignments, gate: AdmissionGate, observer: RunObserver
) -> QueuedMatch | None:
    summary = end.summary
    here = gate.demands(summary.match)
    moved = queue.move(summary.match, here) if end.is_server_fault else None
    if moved is None:
        observer.on_match_end(summary)
    else:
        urls = ", ".join(one.endpoint for one in here)
        observer.on_log(f"{summary.match} leaves {urls}: {summary.error_cause}")
    return moved
