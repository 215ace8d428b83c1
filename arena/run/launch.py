"""Composition root: connects scripts, players, models, records and observer, without logic."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.game import Game
from arena.errors import RecordError
from arena.games.game_registry import find_game
from arena.players.contestants import Contestant, read_contestant
from arena.players.human import Desks
from arena.players.model_limits import ModelLimits
from arena.players.player_registry import players_without_model
from arena.players.roster import limits_of
from arena.records.match_summary import MatchSummary
from arena.records.run_config import MatchSpec, RunConfig, ScriptRef, list_scripts, match_specs
from arena.records.run_folder import check_new
from arena.records.run_manifest import ContestantRecord, RunManifest
from arena.records.run_record import RunRecord, create_run, open_run
from arena.records.sqlite_index import rebuild_index
from arena.run.assignment import estimate_scripts, kv_capacities
from arena.run.human_seat import check_unspoiled, require_desks
from arena.run.match_batch import MatchCrash
from arena.run.observer import RunObserver
from arena.run.play_plan import RunPlan, play_plan, show_plan
from arena.run.preflight import check_first_prompt_fits, check_run
from arena.run.process_limits import ProcessLimits, admission_policy, process_limits
from arena.run.prompt_estimates import MatchEstimate
from arena.run.provenance import provenance
from arena.run.run_scripts import copy_script
from arena.run.servers.embedders import check_same_embedders, embeddings_of
from arena.run.servers.model_pool import ClientLimits, ModelPool, PictureStore, open_model_pool
from arena.run.servers.resume_checks import check_same_models, restore_reply_names
from arena.schedule.admission import AdmissionController
from scripts_mm.script import Script
from scripts_mm.script_folder import LoadedScript
from serving.host.hardware import Hardware, detect
from serving.resolution.consent import ConsentNeeded
from serving.resolution.name_resolution import resolve_here

ClaimMatch = Callable[[MatchSpec], bool]

_RECOVERY_DEADLINES = 2
"""Maximum downtime, in deadlines, of a server that this program did not start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """Result of a run: a summary or a crash for each match, in the order of the plan."""

    run: RunRecord
    results: tuple[MatchSummary | MatchCrash, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A run to play or to continue."""

    config: RunConfig
    game: Game
    record: RunRecord
    scripts: Mapping[str, Script]
    """By content hash."""
    concurrency: int | None
    """Exact number of live matches; None: admission control decides."""
    observer: RunObserver
    desks: Desks
    claim: ClaimMatch | None = None


async def start_run(  # noqa: PLR0913 - two have defaults
    config: RunConfig,
    scripts: Sequence[LoadedScript],
    path: Path,
    *,
    concurrency: int | None,
    observer: RunObserver,
    desks: Desks | None = None,
    claim: ClaimMatch | None = None,
) -> RunResult:
    """Play a new run into `path`. All user errors are found before the first match.

    `concurrency` matches are live simultaneously, or as many as this process can play; None:
    admission control decides. If several processes play one run, `claim` tells whether this process
    plays a match.
    """
    job = _Job(
        config=config,
        game=find_game(config.game),
        record=RunRecord(path=path),
        scripts={loaded.sha256: loaded.script for loaded in scripts},
        concurrency=concurrency,
        observer=observer,
        desks=desks or {},
        claim=claim,
    )
    check_run(config, job.game, job.scripts)
    require_desks(config, job.desks)
    check_new(path)
    check_unspoiled(config, path)
    hardware = detect(path)
    async with _open_models(job, hardware) as pool:
        estimates = await _estimate(job, pool)
        # Another process may delete a shared folder while models are opened.
        with create_run(path, parents=claim is None):
            for loaded in scripts:
                copy_script(job.record, loaded)
            job.record.write_manifest(_manifest(job, pool, hardware))
            return await _play(job, pool, estimates)


async def resume_run(
    path: Path,
    *,
    concurrency: int | None,
    observer: RunObserver,
    desks: Desks | None = None,
    claim: ClaimMatch | None = None,
) -> RunResult:
    """Continue the run at `path` with its recorded configuration and scripts."""
    record = open_run(path)
    config = record.config
    job = _Job(
        config=config,
        game=find_game(config.game),
        record=record,
        scripts={ref.sha256: record.script(ref) for ref in list_scripts(config)},
        concurrency=concurrency,
        observer=observer,
        desks=desks or {},
        claim=claim,
    )
    check_run(config, job.game, job.scripts)
    with record.lock():
        if (finished := record.find_results()) is not None:
            return await _report(job, finished)
        require_desks(config, job.desks)
        async with _open_models(job, detect(path)) as opened:
            pool = check_same_models(record.manifest.servers, opened)
            check_same_embedders(record.manifest.embedders, pool.embedders)
            await asyncio.to_thread(restore_reply_names, record, pool)
            return await _play(job, pool, await _estimate(job, pool))


def script_ref(loaded: LoadedScript) -> ScriptRef:
    """Return the reference of a script in a run configuration."""
    script = loaded.script
    return ScriptRef(
        path=loaded.path,
        id=script.id,
        language=script.language,
        sha256=loaded.sha256,
    )


def needs_local_cpu_engine(contestants: Sequence[str], path: Path) -> bool:
    """Tell whether a contestant's model would run on an engine of this host without a GPU."""
    hardware = detect(path)
    if hardware.gpus:
        return False
    names = [who.model for who in map(read_contestant, contestants) if who.model is not None]
    near = players_without_model()

    def is_served_here(name: str) -> bool:
        try:
            return resolve_here(name, hardware, near=near).kind == "profile"
        except ConsentNeeded:  # needs a download: the user must first agree, after all other checks
            return True

    return any(map(is_served_here, names))


async def _report(job: _Job, results: tuple[MatchSummary, ...]) -> RunResult:
    """Return the result of a run that is already complete: no server is needed."""
    plan = match_specs(job.config)
    estimates = estimate_scripts(job.game, job.config, job.scripts)
    requests = {spec.id: estimates[spec.script.sha256].requests for spec in plan}
    show_plan(job.observer, plan, requests)
    for summary in results:
        job.observer.on_match_end(summary)
    await _rebuild_index(job)
    return RunResult(run=job.record, results=results)


def _manifest(job: _Job, pool: ModelPool, hardware: Hardware) -> RunManifest:
    contestants = map(read_contestant, job.config.contestants)
    return RunManifest(
        config=job.config,
        contestants=tuple(
            ContestantRecord(
                name=who.name, model=who.model, player=who.player, options=dict(who.options)
            )
            for who in contestants
        ),
        servers=pool.servers,
        embedders=pool.embedders.records,
        versions=provenance(hardware, job.game),
    )


def _open_models(
    job: _Job, hardware: Hardware
) -> contextlib.AbstractAsyncContextManager[ModelPool]:
    contestants = [read_contestant(name) for name in job.config.contestants]
    return open_model_pool(
        [contestant.model for contestant in contestants if contestant.model is not None],
        hardware,
        embeddings=embeddings_of(contestants),
        client=ClientLimits(
            max_requests=_limits(job).requests,
            recovery_seconds=_RECOVERY_DEADLINES * job.config.deadline,
            transport=job.config.transport,
        ),
        pictures=PictureStore(
            read=lambda picture: job.record.read_picture(picture.sha256),
            save=job.record.save_picture,
        ),
        log=job.observer.on_log,
    )


def _limits(job: _Job) -> ProcessLimits:
    seats = max(len(script.roles) for script in job.scripts.values())
    return process_limits(len(match_specs(job.config)), seats, job.concurrency)


async def _estimate(job: _Job, pool: ModelPool) -> Mapping[str, MatchEstimate]:
    """Estimate the matches of each script, and check that they fit the models."""

    def run() -> Mapping[str, MatchEstimate]:
        estimates = estimate_scripts(job.game, job.config, job.scripts)
        _check_limits(job, pool, estimates)
        return estimates

    # Counting tokenises every private script once: in a thread, it does not delay engine starts.
    return await asyncio.to_thread(run)


async def _play(job: _Job, pool: ModelPool, estimates: Mapping[str, MatchEstimate]) -> RunResult:
    limits = _limits(job)
    if job.concurrency and limits.live < min(job.concurrency, len(match_specs(job.config))):
        job.observer.on_log(
            f"only {limits.live} matches are played at the same time: the limit of open files "
            "allows no more; raise it with `ulimit -n`"
        )
    results = await play_plan(
        RunPlan(
            config=job.config,
            game=job.game,
            name=job.record.path.name,
            scripts=job.scripts,
            estimates=estimates,
            models=pool.models,
            embedders=pool.embedders.opened,
            observer=job.observer,
            record=job.record.match,
            controller=AdmissionController(
                kv_capacities(pool.models),
                policy=admission_policy(limits, pool.models, job.concurrency),
            ),
            desks=job.desks,
            claim=job.claim,
        )
    )
    await _rebuild_index(job)
    return RunResult(run=job.record, results=results)


async def _rebuild_index(job: _Job) -> None:
    """Rewrite the index; the run does not depend on it, and a shard has none."""
    if job.config.shard is not None:
        return
    try:
        await asyncio.to_thread(rebuild_index, job.record)
    except RecordError as error:
        job.observer.on_log(f"{error}; `arena resume` rewrites the index")


def _check_limits(job: _Job, pool: ModelPool, estimates: Mapping[str, MatchEstimate]) -> None:
    """Raise `ConfigError` if a contestant needs more context than its model has."""

    def limits(name: str) -> tuple[Contestant, ModelLimits] | None:
        who = read_contestant(name)
        return (who, limits_of(who, pool.models[who.model].limits)) if who.model else None

    for pair in job.config.pairs:
        both = {True: limits(pair.murderer), False: limits(pair.civilians)}
        sides = {side: who for side, who in both.items() if who is not None}
        for estimate in estimates.values():
            check_first_prompt_fits(job.game, sides, estimate)
