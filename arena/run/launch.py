"""The composition root: connects scripts, players, models, store and watcher, without logic."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from arena.errors import ConfigError, StoreError
from arena.players.contestants import Contestant, read_contestant
from arena.players.means import Means
from arena.players.roster import check_player, means_of
from arena.run.config import MatchSpec, RunConfig, ScriptRef, dump_config, load_config, specs
from arena.run.gate import Gate
from arena.run.limits import Limits, limits, most_live
from arena.run.many import Crashed, play_many
from arena.run.models import Album, Load, Opened, open_models
from arena.run.one import RESUMED, Run, play_one
from arena.run.places import arrange, capacities
from arena.run.playable import check_playable
from arena.run.provenance import provenance
from arena.run.room import check_room
from arena.run.watch import Watcher
from arena.schedule.book import Book, Policy
from arena.store.index import rebuild_index
from arena.store.run_folder import RunFolder, check_new, create_run, open_run
from arena.store.summary import MatchSummary
from scripts_mm.files import LoadedScript, content_hash
from scripts_mm.script import Script
from serving.hardware import Hardware, detect

_PATIENCE = 2
"""Deadlines that a server which somebody else runs may stay away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of a run: a summary or a crash for each match, in the order of the plan."""

    run: RunFolder
    results: tuple[MatchSummary | Crashed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    """A run that is about to be played or continued."""

    config: RunConfig
    folder: RunFolder
    scripts: Mapping[str, Script]
    """By content hash."""
    concurrency: int | None
    """Most matches at once; None: as many as the servers' memory holds."""
    watcher: Watcher


async def start_run(
    config: RunConfig,
    scripts: Sequence[LoadedScript],
    path: Path,
    *,
    concurrency: int | None,
    watcher: Watcher,
) -> Played:
    """Play a new run into `path`. All that the user could have got wrong is found before."""
    job = _Job(
        config=config,
        folder=RunFolder(path=path),
        scripts={loaded.sha256: loaded.script for loaded in scripts},
        concurrency=concurrency,
        watcher=watcher,
    )
    _check(job)
    check_new(path)
    hardware = detect(path)
    async with _models(job, hardware) as opened:
        # Counting tokenises every private script once: nobody is kept waiting by it.
        await asyncio.to_thread(_check_means, job, opened)
        with create_run(path).alone():
            for loaded in scripts:
                _keep(job.folder, loaded)
            job.folder.write_config(
                {"config": dump_config(config), "models": opened.about, **provenance(hardware)}
            )
            return await _play(job, opened)


async def resume_run(path: Path, *, concurrency: int | None, watcher: Watcher) -> Played:
    """Continue the run at `path` with the configuration and scripts that it was started with."""
    folder = open_run(path)
    written = folder.read_config()
    config = load_config(written.get("config"))
    job = _Job(
        config=config,
        folder=folder,
        scripts={ref.sha256: kept_script(folder, ref) for ref in config.scripts},
        concurrency=concurrency,
        watcher=watcher,
    )
    _check(job)
    with folder.alone():
        if all(folder.match(spec.id).is_whole() for spec in specs(config)):
            return _told(job)
        async with _models(job, detect(path)) as opened:
            _same_models(written.get("models"), opened)
            return await _play(job, opened)


def _told(job: _Job) -> Played:
    """Return what came of a run that is whole: no server is needed."""
    plan = specs(job.config)
    job.watcher.planned(tuple(spec.id for spec in plan))
    found = [job.folder.match(spec.id).summary() for spec in plan]
    results = tuple(summary for summary in found if summary is not None)
    for summary in results:
        job.watcher.ended(summary)
    return Played(run=job.folder, results=results)


def script_ref(loaded: LoadedScript) -> ScriptRef:
    """Return how a run refers to a script."""
    script = loaded.script
    return ScriptRef(
        path=str(loaded.folder.resolve()),
        id=script.id,
        language=script.language,
        sha256=loaded.sha256,
    )


def kept_script(folder: RunFolder, ref: ScriptRef) -> Script:
    """Return a script as the run keeps it, or raise `StoreError` if it was changed since."""
    script = folder.read_script(ref.sha256)
    if content_hash(script) != ref.sha256:
        raise StoreError(
            f"script {ref.id!r} in run {str(folder.path)!r} is not what the run was started with; "
            "restore it or start a new run"
        )
    return script


def _keep(folder: RunFolder, loaded: LoadedScript) -> None:
    folder.keep_script(loaded.sha256, loaded.script)
    for picture in loaded.script.pictures:
        folder.keep_picture(picture.sha256, loaded.read(picture))


def _models(job: _Job, hardware: Hardware) -> contextlib.AbstractAsyncContextManager[Opened]:
    contestants = [read_contestant(name) for name in _contestants(job.config)]
    return open_models(
        [contestant.model for contestant in contestants if contestant.model is not None],
        hardware,
        load=Load(
            requests=_limits(job).requests,
            patience=_PATIENCE * job.config.deadline,
            transport=job.config.transport,
        ),
        album=Album(
            read=lambda picture: job.folder.read_picture(picture.sha256),
            keep=job.folder.keep_picture,
        ),
        say=job.watcher.said,
    )


def _limits(job: _Job) -> Limits:
    seats = max(len(script.roles) for script in job.scripts.values())
    return limits(len(specs(job.config)), seats, job.concurrency)


async def _play(job: _Job, opened: Opened) -> Played:
    plan = specs(job.config)
    # Counting tokenises every private script once: nobody is kept waiting by it later.
    arranged = await asyncio.to_thread(arrange, job.config, plan, job.scripts, opened.models)
    live = most_live(_limits(job), opened.models, job.concurrency)
    gate = Gate(Book(capacities(opened.models), policy=Policy(most_live=live)))
    gate.offer(arranged.offers)
    run = Run(
        config=job.config,
        name=job.folder.path.name,
        scripts=job.scripts,
        models=opened.models,
        watcher=job.watcher,
        gate=gate,
        places=arranged.places,
    )
    job.watcher.planned(tuple(spec.id for spec in plan))

    async def one(spec: MatchSpec) -> MatchSummary:
        return await play_one(run, spec, job.folder.match(spec.id))

    results = await play_many(
        {spec.id: spec for spec in plan},
        one,
        gate,
        # What is only recalled of a resumed match was never seen by the scheduler.
        broke_off=lambda done: done.outcome in {"error", "forfeit"} or RESUMED in done.marks,
    )
    with contextlib.suppress(StoreError):
        await asyncio.to_thread(rebuild_index, job.folder)
    return Played(run=job.folder, results=tuple(results))


def _check(job: _Job) -> None:
    for name in _contestants(job.config):
        check_player(read_contestant(name))
    for script in job.scripts.values():
        check_playable(script, job.config.options)
    ids = [spec.id for spec in specs(job.config)]
    if len(set(ids)) != len(ids):
        raise ConfigError("a script is named twice, in the same language; name each once")


def _check_means(job: _Job, opened: Opened) -> None:
    """Raise `ConfigError` where a contestant wants what its model cannot take."""

    def able(name: str) -> tuple[Contestant, Means] | None:
        who = read_contestant(name)
        return (who, means_of(who, opened.models[who.model].means)) if who.model else None

    pairs = {(spec.murderer, spec.civilians) for spec in specs(job.config)}
    for murderer, civilians in sorted(pairs):
        both = {True: able(murderer), False: able(civilians)}
        sides = {side: who for side, who in both.items() if who is not None}
        for script in job.scripts.values():
            check_room(sides, script, job.config.options)


def _same_models(written: object, opened: Opened) -> None:
    before = cast("dict[str, dict[str, object]]", written if isinstance(written, dict) else {})
    for name, model in opened.models.items():
        said = before.get(name, {})
        served = said.get("served")
        if served != model.served:
            raise StoreError(
                f"this run was played with {served!r} as {name!r}, but now {model.served!r} is "
                "served; serve the same or start a new run"
            )
        _same_means(name, said.get("means"), opened.about[name])


def _same_means(name: str, written: object, about: Mapping[str, object]) -> None:
    """Raise `StoreError` where a model can now take something else than the record says.

    Its prompts would be others. A record of before it was written fits whatever there is.
    """
    if not isinstance(written, dict):
        return
    now = cast("dict[str, object]", about["means"])
    for field, before in cast("dict[str, object]", written).items():
        if field in now and now[field] != before:
            why = f" ({about['transport_why']})" if field == "counted" else ""
            raise StoreError(
                f"this run was played with {field} = {before!r} of {name!r}, but now it is "
                f"{now[field]!r}{why}; serve the model as it was served, or start a new run"
            )


def _contestants(config: RunConfig) -> tuple[str, str]:
    return config.civilians, config.murderer
